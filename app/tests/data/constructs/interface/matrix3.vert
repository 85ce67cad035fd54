#version 450
layout(location = 0) in vec3 n;
layout(location = 0) out mat3 frame;
layout(location = 3) out float side;
void main() {
    frame = mat3(n, n.yzx, n.zxy);
    side = n.x;
    gl_Position = vec4(n, 1.0);
}
