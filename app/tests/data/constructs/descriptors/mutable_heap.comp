#version 460
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) uniform texture2D sampled[];
layout(set = 0, binding = 0, rgba8) uniform image2D stored[];
layout(set = 1, binding = 0) uniform sampler samplers[];
layout(push_constant) uniform Which { uint image; uint target; uint filtering; } which;
void main() {
    vec4 v = textureLod(sampler2D(sampled[which.image], samplers[which.filtering]), vec2(0.5), 0.0);
    imageStore(stored[which.target], ivec2(gl_GlobalInvocationID.xy), v);
}
