#version 450
layout(location = 0) in Part { vec4 value; } parts[2];
layout(location = 0) out vec4 color;
void main() { color = vec4(parts[0].value.x, parts[1].value.yz, 1.0); }
