#version 460
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(constant_id = 0) const bool on = true;
layout(constant_id = 1) const int count = -3;
layout(constant_id = 2) const float weight = 0.5;
layout(constant_id = 3) const double precise_weight = 0.25;
layout(constant_id = 7) const uint16_t small = uint16_t(9);
layout(location = 0) out vec4 color;
void main() { color = on ? vec4(float(count), weight, float(precise_weight), float(small)) : vec4(0.0); }
