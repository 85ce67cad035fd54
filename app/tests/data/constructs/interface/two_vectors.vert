#version 450
layout(location = 0) in vec3 place;
layout(location = 1) in vec2 corner;
layout(location = 0) out vec4 tint;
layout(location = 1) out vec2 uv;
void main() {
    tint = vec4(place, 1.0);
    uv = corner;
    gl_Position = vec4(place, 1.0);
}
