RWStructuredBuffer<uint> sums : register(u0);
StructuredBuffer<uint> values : register(t0);
groupshared uint all;

[numthreads(64, 1, 1)]
void main(uint3 thread : SV_DispatchThreadID, uint lane : SV_GroupIndex) {
    if (lane == 0) all = 0;
    GroupMemoryBarrierWithGroupSync();
    InterlockedAdd(all, values[thread.x]);
    GroupMemoryBarrierWithGroupSync();
    if (lane == 0) sums[thread.x / 64] = all;
}
