RWTexture2D<uint> counts : register(u0);
[earlydepthstencil]
void main(float4 place : SV_Position)
{
    InterlockedAdd(counts[uint2(place.xy)], 1);
}
