#version 450
layout(location = 0) in vec4 p;
layout(location = 0) flat out dvec3 a;
layout(location = 2) flat out double b;
void main() {
    a = dvec3(p.xyz);
    b = double(p.w);
    gl_Position = p;
}
