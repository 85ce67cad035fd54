#version 450
layout(isolines) in;
layout(location = 0) patch in Shared { vec4 scale; vec3 axis; } shared_in;
layout(location = 2) patch in vec2 extra[2];
void main() { gl_Position = shared_in.scale * extra[1].xyxy; }
