#version 450
layout(set = 0, binding = 0) uniform sampler2D a;
layout(set = 0, binding = 1) uniform sampler2DArrayShadow b;
layout(location = 0) in vec3 uv;
layout(location = 0) out vec4 color;
void main() {
    const ivec2 offsets[4] = ivec2[](ivec2(0), ivec2(1, 0), ivec2(0, 1), ivec2(1));
    color = textureGather(a, uv.xy, 2) + textureGatherOffsets(a, uv.xy, offsets) + textureGather(b, uv, 0.5);
    color.xy += textureQueryLod(a, uv.xy);
}
