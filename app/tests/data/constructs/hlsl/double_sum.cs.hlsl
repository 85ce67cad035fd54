RWStructuredBuffer<double> data : register(u0);
[numthreads(16, 16, 1)]
void main(uint index : SV_GroupIndex) { data[index] = data[index] * 2.0L; }
