#version 450
layout(local_size_x = 5, local_size_y = 6) in;
void main() { }
