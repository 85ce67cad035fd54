#version 450
#define LOCATION(n) layout(location = n)
#define PICK(v, c) (v).c
#ifdef VULKAN
LOCATION(2) in vec4 a;
#endif
#if __VERSION__ >= 450 && defined(GL_core_profile)
LOCATION(0) out vec4 color;
#endif
void main() { color = vec4(PICK(a, y)); }
