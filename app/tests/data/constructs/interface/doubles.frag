#version 450
layout(location = 0) flat in dvec3 a;
layout(location = 2) flat in double b;
layout(location = 0) out vec4 color;
void main() { color = vec4(vec3(a), float(b)); }
