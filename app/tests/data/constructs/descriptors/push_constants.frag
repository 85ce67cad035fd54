#version 450
layout(push_constant) uniform Ink { vec4 tint; layout(offset = 32) vec2 scale; float unused; } ink;
layout(location = 0) out vec4 color;
void main() { color = ink.tint * ink.scale.xyxy; }
