#version 450
layout(location = 0) in vec4 p;
layout(location = 0) flat out int kind;
layout(location = 1) flat out uint mask;
layout(location = 2) out float fade;
layout(location = 3) flat out ivec2 cell;
void main() {
    kind = gl_VertexIndex;
    mask = uint(gl_InstanceIndex);
    fade = p.w;
    cell = ivec2(p.xy);
    gl_Position = p;
}
