RWTexture2D<float4> target : register(u0);
[numthreads(8, 8, 1)]
void main(uint3 id : SV_DispatchThreadID) { target[id.xy] = 1; }
