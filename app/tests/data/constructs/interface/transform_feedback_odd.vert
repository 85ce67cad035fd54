#version 450
layout(xfb_buffer = 0, xfb_offset = 0, location = 0) out vec4 a;
layout(xfb_buffer = 0, xfb_offset = 16, location = 1) out vec3 b[2];
layout(location = 4) out float plain[2];
layout(xfb_buffer = 0, xfb_offset = 40, location = 6) flat out uint c;
layout(location = 7) out vec2 read;
void main() {
    a = vec4(1.0); b[0] = vec3(2.0); b[1] = vec3(3.0); plain[0] = 4.0; plain[1] = 5.0; c = 6u;
    read = vec2(7.0);
    gl_Position = a;
}
