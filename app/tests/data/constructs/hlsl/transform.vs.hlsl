cbuffer View : register(b0)
{
    row_major float4x4 to_clip;
    float3 sun;
    float exposure;
};
struct Given { float3 place : POSITION; float3 normal : NORMAL; float2 uv : TEXCOORD0; };
struct Sent { float4 place : SV_Position; float3 normal : NORMAL; float2 uv : TEXCOORD0; };
Sent main(Given given)
{
    Sent sent;
    sent.place = mul(float4(given.place, 1), to_clip);
    sent.normal = given.normal * dot(given.normal, sun) * exposure;
    sent.uv = given.uv;
    return sent;
}
