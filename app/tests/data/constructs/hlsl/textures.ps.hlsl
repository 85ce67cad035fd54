Texture2D a : register(t0);
TextureCube b : register(t1);
Texture2DArray<float2> c : register(t2);
Texture3D d : register(t3);
SamplerState plain : register(s0);
SamplerComparisonState compare : register(s1);
Texture2D e : register(t4);
float4 main(float4 p : TEXCOORD0) : SV_Target
{
    float4 sum = a.Sample(plain, p.xy) + b.SampleLevel(plain, p.xyz, 0) + d.SampleBias(plain, p.xyz, 1);
    sum.xy += c.SampleGrad(plain, p.xyz, p.xy, p.zw);
    return sum + e.SampleCmpLevelZero(compare, p.xy, p.z) + a.Load(int3(p.xy, 0)) + a.GatherRed(plain, p.xy);
}
