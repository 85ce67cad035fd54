#version 450
layout(local_size_x = 2, local_size_y = 8, local_size_z = 32) in;
layout(set = 0, binding = 0) writeonly buffer Values { uvec3 value; };

void main()
{
    value = gl_LocalInvocationID;
}
