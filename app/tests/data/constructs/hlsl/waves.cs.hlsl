RWStructuredBuffer<uint> data : register(u0);
[numthreads(64, 1, 1)]
void main(uint index : SV_GroupIndex)
{
    uint sum = WaveActiveSum(data[index]);
    uint before = WavePrefixSum(data[index]);
    data[index] = WaveIsFirstLane() ? sum : before + WaveReadLaneAt(sum, 3) + WaveGetLaneCount();
}
