StructuredBuffer<float> given : register(t0);
RWStructuredBuffer<float> made : register(u0);
groupshared float partial[128];
[numthreads(128, 1, 1)]
void main(uint index : SV_GroupIndex, uint3 group : SV_GroupID, uint3 thread : SV_DispatchThreadID)
{
    partial[index] = given[thread.x];
    GroupMemoryBarrierWithGroupSync();
    for (uint step = 64; step > 0; step >>= 1)
    {
        if (index < step)
            partial[index] += partial[index + step];
        GroupMemoryBarrierWithGroupSync();
    }
    if (index == 0)
        made[group.x] = partial[0];
}
