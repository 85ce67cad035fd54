#version 450
layout(location = 0) in mat3 frame;
layout(location = 3) in float side;
layout(location = 0) out vec4 color;
void main() { color = vec4(frame * vec3(1.0, 2.0, 3.0), side); }
