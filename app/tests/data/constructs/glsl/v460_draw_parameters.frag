#version 460
layout(location = 0) flat in ivec3 ids;
layout(location = 0) out vec4 color;
void main() { color = vec4(ids, 1); }
