#version 450
layout(local_size_x = 2048) in;
void main() { }
