#version 450
layout(location = 0) in Surface {
    vec3 a;
    flat uint b;
    noperspective vec2 c;
} given;
layout(location = 0) out vec4 color;
void main() { color = vec4(given.a, float(given.b)) + given.c.xyxy; }
