#version 450
layout(isolines, point_mode) in;
layout(location = 0) out float along;
void main() { along = gl_TessCoord.x; gl_Position = vec4(gl_TessCoord, 1.0); gl_PointSize = 1.0; }
