#version 450
layout(location = 0) in float alpha;
layout(location = 0) out vec4 color;
void main() {
    if (alpha < 0.5)
        discard;
    color = vec4(alpha);
}
