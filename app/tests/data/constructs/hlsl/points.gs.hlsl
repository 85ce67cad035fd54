struct Given { float4 place : SV_Position; };
struct Sent { float4 place : SV_Position; float2 corner : TEXCOORD0; };
[maxvertexcount(4)]
[instance(2)]
void main(point Given given[1], inout PointStream<Sent> stream, uint instance : SV_GSInstanceID, uint id : SV_PrimitiveID)
{
    Sent sent;
    sent.place = given[0].place + instance;
    sent.corner = float2(id, 1);
    stream.Append(sent);
}
