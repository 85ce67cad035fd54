#version 450
layout(location = 0) out vec4 color;
void main() {
    color = vec4(1.0);
    gl_SampleMask[0] = gl_SampleMaskIn[0] & 0x5;
}
