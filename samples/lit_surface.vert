#version 460
// Writes more than lit_surface.frag reads: the unread outputs are dropped.
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 tangent;
layout(location = 3) in vec2 uv;

layout(push_constant) uniform Draw { mat4 view_projection; mat4 world; } draw;

layout(location = 0) out vec3 world_position;
layout(location = 1) out vec3 world_normal;
layout(location = 2) out vec4 world_tangent;
layout(location = 3) out vec2 texcoord;
layout(location = 4) out vec4 vertex_color;
layout(location = 5) flat out uint material;

void main() {
    vec4 at = draw.world * vec4(position, 1.0);
    gl_Position = draw.view_projection * at;
    world_position = at.xyz;
    world_normal = mat3(draw.world) * normal;
    world_tangent = vec4(mat3(draw.world) * tangent.xyz, tangent.w);
    texcoord = uv;
    vertex_color = vec4(1.0);
    material = uint(gl_InstanceIndex);
}
