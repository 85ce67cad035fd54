#version 450
// A data race: invocation i writes element i + 1, and invocation i + 1 reads it without a barrier.
layout(local_size_x = 64) in;

layout(binding = 0) buffer Sums { uint sums[64]; };

shared uint values[65];

void main() {
    uint i = gl_LocalInvocationIndex;
    values[i + 1u] = i * 3u;
    // barrier() is missing here.
    sums[i] = i == 0u ? 0u : values[i];
}
