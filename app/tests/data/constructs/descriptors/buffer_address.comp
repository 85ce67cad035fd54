#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference2 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 64) in;
layout(buffer_reference) buffer Node;
layout(buffer_reference, std430, buffer_reference_align = 8) buffer Node { Node next; uint value; };
layout(push_constant) uniform Root { Node first; uint64_t raw; } root;
void main() {
    Node node = root.first;
    while (uint64_t(node) != 0ul)
        node = node.next;
    Node other = Node(root.raw);
    other[1].value = gl_LocalInvocationIndex;
}
