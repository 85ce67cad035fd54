struct Given { float4 place : SV_Position; float3 tint : COLOR; };
struct Sent { float4 place : SV_Position; float3 tint : COLOR; uint layer : SV_RenderTargetArrayIndex; };
[maxvertexcount(3)]
void main(triangle Given given[3], inout TriangleStream<Sent> stream)
{
    for (int i = 0; i < 3; ++i)
    {
        Sent sent;
        sent.place = given[i].place;
        sent.tint = given[i].tint;
        sent.layer = i;
        stream.Append(sent);
    }
    stream.RestartStrip();
}
