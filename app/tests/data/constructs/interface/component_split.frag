#version 450
layout(location = 2, component = 1) in float middle;
layout(location = 2, component = 3) in float last;
layout(location = 0) out vec2 color;
void main() { color = vec2(middle, last); }
