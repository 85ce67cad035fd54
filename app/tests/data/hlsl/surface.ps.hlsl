#include "surface.hlsli"

struct Light {
    float3 position;
    float3 color;
    float reach;
};

cbuffer Frame : register(b1) {
    float gain;
    float2 scale;
    float weights[2];
    float bias;
};

Texture2D<float4> albedo : register(t0);
Texture2D<float4> unused : register(t7);
StructuredBuffer<Light> lights : register(t1, space1);
RWStructuredBuffer<uint> counts : register(u0);
ByteAddressBuffer table;
SamplerState linear_sampler : register(s0);
float4 tint;

float4 shade(Texture2D<float4> image, SamplerState how, float2 uv) {
    return image.Sample(how, uv);
}

float4 surface_pixel(Varyings varyings) : SV_Target0 {
    Light light = lights[varyings.material];
    float4 color = shade(albedo, linear_sampler, varyings.uv * scale) * gain + weights[1] + bias;
    counts[varyings.material] = table.Load(4);
    return color * float4(light.color * dot(varyings.normal, light.position), light.reach) * tint;
}
