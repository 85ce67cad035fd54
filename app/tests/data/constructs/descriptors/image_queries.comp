#version 450
#extension GL_EXT_samplerless_texture_functions : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) uniform sampler2D a;
layout(set = 0, binding = 1) uniform texture2DMSArray b;
layout(set = 0, binding = 2, r32f) uniform image2D c;
layout(set = 0, binding = 3) buffer Data { ivec4 v[]; } data;
void main() { data.v[0] = ivec4(textureSize(a, 0), textureQueryLevels(a), textureSamples(b)); data.v[1].xy = imageSize(c); data.v[2].x = data.v.length(); }
