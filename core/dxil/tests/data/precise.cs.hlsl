// Compute shader with `precise` values and embedded debug information.
// Compile: dxc -T cs_6_0 -E main -Zi -Qembed_debug precise.hlsl
RWStructuredBuffer<float> Values : register(u0);

float Scaled(float value, float by)
{
    float other = value + by;
    return sqrt(other) * by;
}

[numthreads(4, 1, 1)]
void main(uint i : SV_GroupIndex)
{
    float a = Values[i];
    float fast = a * 3 + 1;
    precise float exact = Scaled(a, fast);
    float last = exact - fast;
    precise float end = exp2(last) / 5;
    Values[i] = sin(end);
}
