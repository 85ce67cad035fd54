#version 450
in float gl_ClipDistance[5];
layout(location = 0) in vec3 a;
layout(location = 1) in vec3 b;
layout(location = 2) in vec2 c;
layout(location = 0) out vec4 color;
void main() {
    color = vec4(a + b, 1.0) + vec4(c, float(gl_PrimitiveID), float(gl_Layer));
    color.x += gl_ClipDistance[0] + gl_ClipDistance[4];
}
