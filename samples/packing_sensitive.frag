#version 460
// Each output depends on one component and its slope: a component that packing moves to a wrong place or gives another
// interpolation changes it. Step original and packed: `lanescope debug … --pixel 30,20`.
layout(location = 0) in vec3 a;
layout(location = 1) in float b;
layout(location = 2) noperspective in vec2 c;
layout(location = 3) flat in uint d;
layout(location = 4) centroid in vec3 e;
layout(location = 5) in vec2 f;

layout(location = 0) out vec4 values;
layout(location = 1) out vec4 slopes;
layout(location = 2) out uvec4 whole;

void main() {
    values = vec4(a.y, b, c.x, e.z) + vec4(f.x, a.x, a.z, f.y) * 0.001;
    slopes = vec4(dFdx(a.y), dFdy(b), dFdx(c.y), fwidth(f.x));
    whole = uvec4(d, floatBitsToUint(e.x), floatBitsToUint(c.x), 1u);
}
