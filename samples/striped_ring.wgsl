// WGSL with both stages in one file, and an output that the fragment shader does not read.

struct Varyings {
    @builtin(position) position: vec4<f32>,
    @location(0) normal: vec3<f32>,
    @location(1) unread: vec2<f32>,
    @location(2) along: f32,
    @location(3) @interpolate(flat) stripes: u32,
}

@vertex
fn ring(@location(0) at: vec3<f32>, @builtin(vertex_index) index: u32) -> Varyings {
    var out: Varyings;
    out.position = vec4(at, 1.0);
    out.normal = at * 0.5 + 0.5;
    out.unread = at.xy;
    out.along = at.x + at.y;
    out.stripes = 4u + index % 3u;
    return out;
}

@fragment
fn stripes(in: Varyings) -> @location(0) vec4<f32> {
    let stripe = fract(in.along * f32(in.stripes));
    if stripe > 0.5 {
        return vec4(in.normal, 1.0);
    }
    return vec4(in.normal.zyx * 0.25, 1.0);
}
