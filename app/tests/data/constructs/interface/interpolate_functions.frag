#version 450
layout(location = 0) in vec4 a;
layout(location = 1) in vec2 b;
layout(location = 2) in float c;
layout(location = 0) out vec4 color;
void main() {
    color = vec4(interpolateAtCentroid(a).xy, interpolateAtSample(c, 1), interpolateAtOffset(b, vec2(0.25)).y);
}
