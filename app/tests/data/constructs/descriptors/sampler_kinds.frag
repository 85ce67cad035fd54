#version 450
layout(set = 0, binding = 0) uniform sampler1D a;
layout(set = 0, binding = 1) uniform sampler3D b;
layout(set = 0, binding = 2) uniform samplerCubeArray c;
layout(set = 0, binding = 3) uniform sampler2DMS d;
layout(set = 0, binding = 4) uniform isampler2DArray e;
layout(set = 0, binding = 5) uniform samplerCubeShadow f;
layout(set = 0, binding = 6) uniform sampler2DRect g;
layout(location = 0) in vec4 p;
layout(location = 0) out vec4 color;
void main() {
    color = texture(a, p.x) + texture(b, p.xyz) + texture(c, p) + texelFetch(d, ivec2(p.xy), 1);
    color += vec4(texelFetch(e, ivec3(p.xyz), 0)) + texture(f, p);
}
