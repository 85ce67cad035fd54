// Pixel shader with an array on the stack and embedded debug information: calls for debuggers have metadata.
// Compile: dxc -T ps_6_0 -E main -Zi -Qembed_debug array.hlsl
struct Lamps { float4 colors[5]; };
ConstantBuffer<Lamps> lamps : register(b0);

float4 main(uint first : FIRST, float4 base : BASE) : SV_Target
{
    float4 own[5];
    [unroll]
    for (int i = 0; i < 5; i++)
        own[i] = lamps.colors[i];
    return base * own[first % 5];
}
