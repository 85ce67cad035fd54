#version 450
layout(location = 0) in vec3 a;
layout(location = 1) in vec3 b;
layout(location = 2) flat in int mode;
layout(location = 0) out vec4 color;
void main() {
    vec3 v = vec3(0.0);
    if (mode == 1)
        v.x = a.x;
    else if (mode == 2)
        v.y = b.y;
    color = vec4(v, 1.0);
}
