#version 460
layout(location = 0) out flat ivec3 ids;
void main() { ids = ivec3(gl_BaseVertex, gl_BaseInstance, gl_DrawID); gl_Position = vec4(1.0); }
