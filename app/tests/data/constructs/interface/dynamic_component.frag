#version 450
layout(location = 0) in vec4 a;
layout(location = 1) in vec2 unread;
layout(location = 2) flat in int which;
layout(location = 0) out vec4 color;
void main() { color = vec4(a[which & 3]); }
