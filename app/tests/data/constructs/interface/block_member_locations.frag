#version 450
in Places {
    layout(location = 5) vec2 far;
    layout(location = 1) vec2 near;
    layout(location = 3, component = 2) float corner;
};
layout(location = 0) out vec4 color;
void main() { color = vec4(far, near) + corner; }
