#version 450
layout(vertices = 1) out;
layout(location = 0) patch out Shared { vec4 scale; vec3 axis; } shared_out;
layout(location = 2) patch out vec2 extra[2];
void main() {
    shared_out.scale = vec4(1.0); shared_out.axis = vec3(0.0, 1.0, 0.0);
    extra[0] = vec2(1.0); extra[1] = vec2(2.0);
    gl_TessLevelOuter[0] = 1.0; gl_TessLevelOuter[1] = 1.0;
}
