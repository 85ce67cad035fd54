#version 450
layout(location = 0) in vec3 p;
layout(location = 0) out vec3 a;
layout(location = 1) out vec3 b;
layout(location = 2) out vec3 c;
layout(location = 3) out vec3 d;
void main() {
    a = p; b = p.yzx; c = p.zxy; d = -p;
    gl_Position = vec4(p, 1.0);
}
