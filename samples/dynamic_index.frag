#version 460
// An array indexed at run time stays whole; try --order design-note, which then packs nothing at all.
layout(location = 0) flat in int pick;
layout(location = 1) in vec2 layers[4];
layout(location = 5) in vec3 tint;

layout(location = 0) out vec4 color;

void main() {
    color = vec4(tint, layers[pick].y);
}
