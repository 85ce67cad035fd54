#version 450
layout(early_fragment_tests) in;
layout(set = 0, binding = 0) buffer Count { uint hits; } count;
layout(location = 0) out vec4 color;
void main() { color = vec4(float(atomicAdd(count.hits, 1u))); }
