#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Data { int v[]; } data;
int down(int n);
int up(int n) { return n > 8 ? n : down(n + 1); }
int down(int n) { return n < 0 ? n : up(n - 2); }
void main() { data.v[0] = up(0); }
