cbuffer Mode { int mode; };
float4 shade(float4 a, float4 b)
{
    [branch] switch (mode) { case 0: return a; case 1: return b; default: return a + b; }
}
float4 main(float4 a : A, float4 b : B) : SV_Target
{
    [unroll] for (int i = 0; i < 2; ++i)
        a.x += b.y;
    return shade(a, b).xxyy;
}
