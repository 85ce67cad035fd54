#version 450
in float gl_ClipDistance[3];
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;
void main() { color = vec4(uv, gl_ClipDistance[0], gl_ClipDistance[2]); }
