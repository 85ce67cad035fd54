#version 450
struct Inner { float a; vec2 b; };
struct Outer { Inner one; mat2 two; Inner three[2]; };
layout(location = 3) in Outer o;
layout(location = 0) out vec4 color;
void main() { color = vec4(o.one.b, o.two[1].x, o.three[1].a); }
