struct Sent { float4 place : SV_Position; float3 normal : NORMAL; float2 uv : TEXCOORD0; };
Texture2D albedo : register(t0);
SamplerState linear_sampler : register(s0);
float4 main(Sent sent) : SV_Target
{
    return albedo.Sample(linear_sampler, sent.uv) * float4(sent.normal, 1);
}
