#version 450
out gl_PerVertex { vec4 gl_Position; float gl_ClipDistance[3]; };
layout(location = 0) out vec2 uv;
void main() {
    gl_Position = vec4(1.0);
    gl_ClipDistance[0] = 1.0; gl_ClipDistance[1] = 2.0; gl_ClipDistance[2] = 3.0;
    uv = vec2(0.5);
}
