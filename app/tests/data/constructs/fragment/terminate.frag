#version 450
#extension GL_EXT_terminate_invocation : require
layout(location = 0) out vec4 color;
void main() {
    if (gl_FragCoord.x > 10.0)
        terminateInvocation;
    color = vec4(1.0);
}
