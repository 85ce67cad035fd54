// Included by lit_surface.frag, relative to it.
float lambert(vec3 normal, vec3 light) {
    return max(dot(normal, light), 0.0) * 0.9 + 0.1;
}
