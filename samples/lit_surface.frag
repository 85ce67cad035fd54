#version 460
// A plain lit surface: of six varyings four are read, some only in part. Look at what is dropped.
#extension GL_GOOGLE_include_directive : require
#include "lighting.glsl"

layout(location = 0) in vec3 world_position;
layout(location = 1) in vec3 world_normal;
layout(location = 3) in vec2 texcoord;
layout(location = 4) in vec4 vertex_color;
layout(location = 5) flat in uint material;

layout(set = 0, binding = 0) uniform sampler2D albedo;

layout(location = 0) out vec4 color;

void main() {
    vec3 base = texture(albedo, texcoord).rgb * vertex_color.rgb;
    float shade = lambert(normalize(world_normal), normalize(vec3(1.0, 2.0, 3.0) - world_position));
    color = vec4(base * shade, float(material & 1u));
}
