// dxc -T cs_6_2 -enable-16bit-types, with -Zi -Fd (buffers.pdb), -Zs -Fd (slim.pdb) and -Zi -Qpdb_in_private
// (private.cs.dxil).
struct Body { float3 at; int id; half2 size; };
cbuffer Scene : register(b0) { float4 scale; float2 offset; };
RWStructuredBuffer<float> weights : register(u0);
RWStructuredBuffer<Body> bodies : register(u1);
[numthreads(2, 1, 1)]
void main(uint i : SV_GroupIndex) {
    weights[i] = scale.x + offset.y + i;
    Body body;
    body.at = float3(i, 0.5, offset.x);
    body.id = -1 - (int)i;
    body.size = 1.5;
    bodies[i] = body;
}
