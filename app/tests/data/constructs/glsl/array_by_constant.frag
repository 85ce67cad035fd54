#version 450
layout(constant_id = 5) const int N = 2;
layout(location = 0) in vec4 a[N];
layout(location = 0) out vec4 color;
void main() { color = a[0] + a[N - 1]; }
