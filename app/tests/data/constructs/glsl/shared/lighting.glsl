#ifndef LIGHTING
#define LIGHTING
#include "constants.glsl"
vec3 shade(vec3 n) { return n * EXPOSURE; }
#endif
