#version 450
layout(location = 0) out vec4 a[3];
layout(location = 5) out vec2 b;
void main() {
    a[0] = vec4(1.0); a[1] = vec4(2.0); a[2] = vec4(3.0);
    b = vec2(4.0);
    gl_Position = vec4(1.0);
}
