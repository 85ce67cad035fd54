#version 450
layout(location = 0) in vec4 p;
layout(location = 0) out vec4 shade;
invariant gl_Position;
void main() {
    precise vec4 q = p * 2.0 + p;
    shade = q;
    gl_Position = q;
}
