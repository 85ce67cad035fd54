#version 450
layout(binding = 0) uniform atomic_uint counter;
layout(location = 0) out vec4 color;
void main() { color = vec4(atomicCounter(counter)); }
