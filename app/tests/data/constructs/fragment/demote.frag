#version 450
#extension GL_EXT_demote_to_helper_invocation : require
layout(location = 0) in float alpha;
layout(location = 0) out vec4 color;
void main() {
    if (alpha < 0.5)
        demote;
    color = helperInvocationEXT() ? vec4(0.0) : vec4(dFdx(alpha));
}
