#version 460
// Feeds packing_sensitive.frag: every component is another function of the position.
layout(location = 0) in vec4 position;
layout(location = 0) out vec3 a;
layout(location = 1) out float b;
layout(location = 2) noperspective out vec2 c;
layout(location = 3) flat out uint d;
layout(location = 4) centroid out vec3 e;
layout(location = 5) out vec2 f;

void main() {
    gl_Position = position;
    a = vec3(position.x, position.y * 3.0, position.z * 5.0);
    b = position.w * 7.0;
    c = position.yx / position.w * 11.0;
    d = uint(gl_VertexIndex) * 13u;
    e = position.zyx * 17.0;
    f = position.yw * 19.0;
}
