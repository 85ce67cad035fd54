struct Point { float3 place : POSITION; float2 uv : TEXCOORD0; };
struct Factors { float edges[3] : SV_TessFactor; float inside : SV_InsideTessFactor; };
struct Sent { float4 place : SV_Position; float2 uv : TEXCOORD0; };
[domain("tri")]
Sent main(Factors factors, float3 at : SV_DomainLocation, const OutputPatch<Point, 3> patch)
{
    Sent sent;
    sent.place = float4(patch[0].place * at.x + patch[1].place * at.y + patch[2].place * at.z, 1);
    sent.uv = patch[0].uv;
    return sent;
}
