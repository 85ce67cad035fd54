#version 450
layout(input_attachment_index = 0, set = 0, binding = 1) uniform subpassInput albedo;
layout(input_attachment_index = 1, set = 0, binding = 2) uniform usubpassInput ids;
layout(location = 0) out vec4 color;
void main() { color = subpassLoad(albedo) + vec4(subpassLoad(ids)); }
