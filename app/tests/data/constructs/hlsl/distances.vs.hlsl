struct Sent { float4 place : SV_Position; float2 clips : SV_ClipDistance0; float cull : SV_CullDistance0; };
Sent main(uint vertex : SV_VertexID, uint instance : SV_InstanceID)
{
    Sent sent;
    sent.place = float4(vertex, instance, 0, 1);
    sent.clips = sent.place.xy;
    sent.cull = 1;
    return sent;
}
