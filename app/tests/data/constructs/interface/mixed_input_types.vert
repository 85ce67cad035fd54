#version 450
layout(location = 0) in dvec4 wide;
layout(location = 2) in mat2 m;
layout(location = 4) in uvec3 ids;
layout(location = 5) in float scale[2];
layout(location = 0) out float sum;
void main() {
    sum = float(wide.w) + m[1].y + float(ids.z) + scale[1];
    gl_Position = vec4(sum);
}
