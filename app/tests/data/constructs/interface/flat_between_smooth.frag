#version 450
layout(location = 0) flat in int kind;
layout(location = 1) flat in uint mask;
layout(location = 2) in float fade;
layout(location = 3) flat in ivec2 cell;
layout(location = 0) out vec4 color;
void main() { color = vec4(float(kind), float(mask), fade, float(cell.x + cell.y)); }
