#version 450
layout(location = 3) in vec3 normal;
layout(location = 7) in float fade;
layout(location = 9) in vec4 tint;
layout(location = 0) out vec4 colour;

void main()
{
    colour = vec4(normal, fade) * tint;
}
