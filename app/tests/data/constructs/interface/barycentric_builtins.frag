#version 460
#extension GL_EXT_fragment_shader_barycentric : require
layout(location = 0) pervertexEXT in vec2 corner[3];
layout(location = 0) out vec4 color;
void main() {
    vec3 w = gl_BaryCoordEXT;
    color = vec4(corner[0] * w.x + corner[1] * w.y + corner[2] * w.z, 0.0, 1.0);
}
