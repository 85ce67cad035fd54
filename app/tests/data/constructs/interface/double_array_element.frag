#version 450
layout(location = 7) flat in dvec3 a[2];
layout(location = 0) out vec4 color;
void main() { color = vec4(vec3(a[0]), float(a[1].z)); }
