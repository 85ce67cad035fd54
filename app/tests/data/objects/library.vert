#version 450
layout(location = 3) out vec3 normal;
layout(location = 7) out float fade;
layout(location = 9) out vec4 tint;

void main()
{
    normal = vec3(gl_VertexIndex);
    fade = 0.5;
    tint = vec4(1.0);
    gl_Position = vec4(0.0);
}
