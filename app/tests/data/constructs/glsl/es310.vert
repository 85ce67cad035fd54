#version 310 es
precision highp float;
layout(location = 0) in vec4 place;
layout(location = 0) out mediump vec2 uv;
void main() { uv = place.zw; gl_Position = vec4(place.xy, 0.0, 1.0); }
