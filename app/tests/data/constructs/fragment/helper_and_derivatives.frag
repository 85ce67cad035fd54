#version 450
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 color;
void main() {
    vec4 d = dFdxFine(a) + dFdyCoarse(a) + fwidth(a);
    color = gl_HelperInvocation ? vec4(0.0) : d;
}
