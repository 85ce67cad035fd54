#version 460
layout(location = 0) in vec3 tint;
layout(location = 1) flat in int half_number;

layout(location = 0) out vec4 color;

void main() {
    color = vec4(half_number == 0 ? tint : tint.zyx, float(gl_PrimitiveID));
}
