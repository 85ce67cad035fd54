#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { int v[]; } data;
void main() {
    int x = data.v[gl_LocalInvocationIndex];
    int y;
    switch (x & 3) {
    case 0: y = 1; break;
    case 1: y = x > 5 ? 2 : 3;
    case 2: y += 4; break;
    default: do { y = x--; } while (x > 0);
    }
    data.v[gl_LocalInvocationIndex] = y;
}
