#version 460
// Feeds flat_and_smooth.frag.
layout(location = 0) in vec4 position;
layout(location = 0) out vec2 uv;
layout(location = 1) flat out uint layer;
layout(location = 2) noperspective out vec2 screen;
layout(location = 3) flat out ivec2 cell;
layout(location = 4) centroid out vec3 normal;

void main() {
    gl_Position = position;
    uv = position.xy;
    layer = uint(gl_InstanceIndex);
    screen = position.xy / position.w;
    cell = ivec2(position.xy * 8.0);
    normal = position.xyz;
}
