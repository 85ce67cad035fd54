#version 460
#extension GL_EXT_fragment_shader_barycentric : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
layout(location = 0) pervertexEXT in vec3 corner[];
layout(location = 1) pervertexEXT in float16_t weight[];
layout(location = 2) flat in vec2 cell;
layout(location = 3) in float fade;
layout(location = 4) flat in float16_t tag;
layout(location = 5) in f16vec2 bend;
layout(location = 0) out vec4 color;
void main() {
    vec3 c = corner[0] + corner[1] + corner[2];
    color = vec4(c * float(weight[1]), fade) + vec4(cell, vec2(bend)) * float(tag);
}
