#version 450
layout(set = 1, binding = 2) readonly buffer Palette { vec4 entries[]; } palette;
layout(location = 0) flat in int which;
layout(location = 0) out vec4 color;
void main() { color = palette.entries[which]; }
