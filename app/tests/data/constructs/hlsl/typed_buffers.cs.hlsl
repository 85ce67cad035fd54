Buffer<float4> given : register(t3);
RWBuffer<uint> made : register(u2);
[numthreads(4, 4, 4)]
void main(uint3 thread : SV_GroupThreadID, uint index : SV_GroupIndex) { made[index] = uint(given[thread.z].x); }
