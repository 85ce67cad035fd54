#version 450
#extension GL_EXT_multiview : require
layout(set = 0, binding = 0) uniform sampler2DArray eyes;
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;
void main() { color = texture(eyes, vec3(uv, float(gl_ViewIndex))); }
