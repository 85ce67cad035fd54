#version 460
// Feeds matrix_and_array.frag.
layout(location = 0) in vec4 position;
layout(location = 0) out mat3 tangent_frame;
layout(location = 3) out vec2 uv[3];
layout(location = 6) out float fade;

void main() {
    gl_Position = position;
    tangent_frame = mat3(position.xyz, position.yzx, position.zxy);
    for (int i = 0; i < 3; ++i) {
        uv[i] = position.xy * float(i + 1);
    }
    fade = position.w;
}
