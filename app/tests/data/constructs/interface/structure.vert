#version 450
struct Surface { vec3 normal; float shine; vec2 uv[2]; };
layout(location = 0) in vec4 p;
layout(location = 0) out Surface s;
void main() {
    s.normal = p.xyz;
    s.shine = p.w;
    s.uv[0] = p.xy;
    s.uv[1] = p.zw;
    gl_Position = p;
}
