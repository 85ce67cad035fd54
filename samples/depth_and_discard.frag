#version 460
// A fragment shader alone, with depth export and discard: see DB_SHADER_CONTROL. Sample-rate input: see SPI_BARYC_CNTL.
layout(location = 0) sample in vec2 uv;
layout(location = 1) in vec4 tint;
layout(depth_less) out float gl_FragDepth;

layout(location = 0) out vec4 color;
layout(location = 1) out uvec2 id;

void main() {
    if (uv.x > 0.9) {
        discard;
    }
    gl_FragDepth = gl_FragCoord.z * 0.5;
    color = vec4(uv, tint.zw);
    id = uvec2(gl_PrimitiveID, gl_SampleID);
}
