#version 450
struct Lamp { vec4 place; vec2 cone; };
layout(location = 0) in Lamp lamps[2];
layout(location = 0) out float color;
void main() { color = lamps[1].cone.y; }
