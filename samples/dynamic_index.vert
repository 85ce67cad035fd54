#version 460
// Feeds dynamic_index.frag.
layout(location = 0) in vec4 position;
layout(location = 0) flat out int pick;
layout(location = 1) out vec2 layers[4];
layout(location = 5) out vec3 tint;

void main() {
    gl_Position = position;
    pick = gl_InstanceIndex & 3;
    for (int i = 0; i < 4; ++i) {
        layers[i] = position.xy * float(i);
    }
    tint = position.xyz;
}
