#version 450
layout(location = 1, component = 0) flat in double a;
layout(location = 1, component = 2) flat in double b;
layout(location = 0) out float color;
void main() { color = float(a * b); }
