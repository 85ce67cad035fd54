#version 450
layout(location = 0) in vec3 normal;
layout(location = 1) in vec3 tangent;
layout(location = 2) in vec2 uv;
layout(location = 0) out vec4 color;
void main() { color = vec4(normal + tangent, 1.0) * uv.xyxy; }
