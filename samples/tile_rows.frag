#version 460
#extension GL_EXT_mesh_shader : require
layout(location = 0) in vec2 place;
layout(location = 1) perprimitiveEXT flat in uint tile_color;

layout(location = 0) out vec4 color;

void main() {
    color = vec4(place, float(tile_color), 1.0);
}
