#version 450
layout(location = 0) in vec4 p;
out gl_PerVertex { vec4 gl_Position; float gl_ClipDistance[5]; float gl_CullDistance[2]; };
void main() {
    gl_Position = p;
    for (int i = 0; i < 5; ++i)
        gl_ClipDistance[i] = p.x + float(i);
    gl_CullDistance[0] = p.y;
    gl_CullDistance[1] = p.z;
}
