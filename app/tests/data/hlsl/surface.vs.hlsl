#include "surface.hlsli"

cbuffer Frame : register(b0) {
    float4x4 view;
    row_major float3x3 turn;
};

struct Vertex {
    float3 position : POSITION;
    float3 normal : NORMAL;
    float2 uv : TEXCOORD0;
    uint material : MATERIAL;
};

Varyings main(Vertex vertex) {
    Varyings result;
    result.position = mul(view, float4(vertex.position, 1.0));
    result.normal = mul(turn, vertex.normal);
    result.uv = vertex.uv;
    result.material = vertex.material;
    return result;
}
