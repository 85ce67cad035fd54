#version 450
layout(location = 0) out float a;
void main() { a = 1.0; }
