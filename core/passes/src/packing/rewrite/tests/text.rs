//! The rewritten modules as text: a small pair, reviewed line by line.

use super::*;

const VERTEX: &str = "
    layout(location = 0) in vec4 position;
    layout(location = 0) out vec3 normal; layout(location = 1) out vec2 uv; layout(location = 2) flat out int id;
    layout(location = 3) flat out float weight; layout(location = 4) out vec4 unread;
    layout(location = 5) flat out double depth;
    void main() {
        gl_Position = position; id = gl_VertexIndex; unread = position; depth = position.z;
        if (id == 3) { normal = vec3(0); return; }
        normal = position.xyz; uv = position.zw; weight = position.x;
    }";

const FRAGMENT: &str = "
    layout(location = 0) in vec3 normal; layout(location = 1) in vec2 uv; layout(location = 2) flat in int id;
    layout(location = 3) flat in float weight; layout(location = 5) flat in double depth;
    void main() {
        colour = vec4(normal.xz, interpolateAtOffset(uv, vec2(0.25)).y, weight) * float(id) + float(depth);
    }";

#[test]
fn a_small_pair() {
    let program = program(&[("vert", VERTEX), ("frag", &format!("{COLOUR}{FRAGMENT}"))]);
    let done = rewritten(&program, &Options::default());
    insta::assert_snapshot!("small_pair_vertex", text(&done.program, StageKind::Vertex));
    insta::assert_snapshot!("small_pair_fragment", text(&done.program, StageKind::Fragment));
    assert_eq!((done.map.slots.before, done.map.slots.hardware, done.map.slots.after), (5, 2, 2));
    assert_eq!(done.map.not_carried, []);
    assert_eq!(done.map.changed, [StageKind::Vertex, StageKind::Fragment]);
}

#[test]
fn a_widened_pair() {
    let vertex = "layout(location = 0) out f16vec2 a; layout(location = 1) flat out i16vec3 b;
        void main() { gl_Position = vec4(0); a = f16vec2(1, 2); b = i16vec3(3, 4, 5); }";
    let fragment = format!(
        "{COLOUR} layout(location = 0) in f16vec2 a; layout(location = 1) flat in i16vec3 b;
        void main() {{ colour = vec4(vec2(a), float(b.x), float(b.z)); }}"
    );
    let done = rewritten(&program(&[("vert", vertex), ("frag", &fragment)]), &widening());
    let widened = done.widened.expect("there are narrow varyings");
    insta::assert_snapshot!("widened_vertex", text(&widened, StageKind::Vertex));
    insta::assert_snapshot!("widened_fragment", text(&widened, StageKind::Fragment));
    insta::assert_snapshot!("widened_packed_fragment", text(&done.program, StageKind::Fragment));
    assert!(done.map.widened && done.map.carried.is_empty());
    assert!(done.map.not_carried.iter().all(|row| row.why == crate::packing::rewrite::Why::Widened));
}
