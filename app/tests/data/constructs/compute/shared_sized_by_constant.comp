#version 450
layout(local_size_x = 64) in;
layout(constant_id = 2) const uint LENGTH = 64u;
shared uint words[LENGTH];
layout(set = 0, binding = 0) buffer Data { uint v[]; } data;
void main() { words[gl_LocalInvocationIndex] = 1u; barrier(); data.v[0] = words[LENGTH - 1u]; }
