ByteAddressBuffer given : register(t0);
RWByteAddressBuffer made : register(u0);
[numthreads(32, 1, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
    uint old;
    made.InterlockedMax(0, given.Load(id.x * 4), old);
    made.Store2(8, uint2(old, id.x));
}
