//! Stored maps and programs that do not match.

use super::cases::fragment;
use super::*;
use crate::packing::StoredError;
use crate::packing::rewrite::RewriteError;

const VERTEX: &str = "layout(location = 2) out vec2 a; layout(location = 4) out vec3 b;
    void main() { gl_Position = vec4(0); a = vec2(1); b = vec3(2); }";
const BODY: &str = "layout(location = 2) in vec2 a; layout(location = 4) in vec3 b;
    void main() { colour = vec4(a.y, b); }";

fn stored() -> StoredHalf {
    let part = Options { part_pipeline: true, ..Options::default() };
    rewrite(&program(&[("frag", &fragment(BODY))]), &part).expect("is rewritten").stored.expect("is stored")
}

#[test]
fn rewrites_the_earlier_stage_from_the_arrays() {
    let stored = stored();
    assert_eq!(stored.hardware.locations, [0x12, 0, 0x20, 2, 0x22, 4, 0x24, 6]);
    assert_eq!(stored.rewritten, stored.hardware.locations, "all is smooth: nothing is kept apart");
    let done = rewrite_half(&program(&[("vert", VERTEX)]), &stored, &Options::default()).expect("is rewritten");
    let text = text(&done.program, StageKind::Vertex);
    assert!(text.contains("OpStore %packed0 ") && !text.contains("packed1"), "{text}");
    let slots = done.map.slots;
    assert_eq!((slots.before, slots.hardware, slots.after), (2, 1, 1));
    assert_eq!(done.map.dropped.iter().map(|d| (d.location.0, d.component.0)).collect::<Vec<_>>(), [(2, 0)]);
    assert_eq!(done.map.changed, [StageKind::Vertex]);
    assert_eq!(done.map.missing, []);
}

#[test]
fn identifies_unwritten_inputs_by_stored_location() {
    let other = "layout(location = 4) out vec2 b; void main() { gl_Position = vec4(0); b = vec2(2); }";
    let done = rewrite_half(&program(&[("vert", other)]), &stored(), &Options::default()).expect("is rewritten");
    let missing: Vec<_> = done.map.missing.iter().map(|m| (m.location.0, m.component.0, m.variable_id)).collect();
    assert_eq!(missing, [(2, 1, None), (4, 2, None)]);
    let json = serde_json::to_value(&done.map.missing[0]).expect("is written");
    assert_eq!(json, serde_json::json!({ "location": 2, "component": 1 }));
}

#[test]
fn rejects_maps_that_do_not_match_the_program() {
    let half = |stored: StoredHalf, sources: &[(&str, &str)]| {
        rewrite_half(&program(sources), &stored, &Options::default()).map(|done| done.map)
    };
    let vertex = [("vert", VERTEX)];
    let body = fragment(BODY);
    assert_eq!(half(stored(), &[("vert", VERTEX), ("frag", &body)]), Err(RewriteError::StoredFragment));
    let compute = [("comp", "layout(local_size_x = 1) in; void main() {}")];
    assert_eq!(half(stored(), &compute), Err(RewriteError::NoProducer));
    let broken = |change: fn(&mut StoredHalf)| {
        let mut broken = stored();
        change(&mut broken);
        half(broken, &vertex).expect_err("is refused")
    };
    let odd = StoredError::Odd { array: "rewritten", count: 7 };
    assert_eq!(broken(|s| s.rewritten.truncate(7)), odd.into());
    assert_eq!(broken(|s| s.rewritten[3] = 0x1ff8), StoredError::Unheld { index: 3 }.into());
    let no_place = StoredError::Place { array: "locations", index: 0, word: 0x2012 };
    assert_eq!(broken(|s| s.hardware.locations[0] |= 0x2000), no_place.into());
    for change in [
        |s: &mut StoredHalf| s.variables[0].components = u32::MAX,
        |s: &mut StoredHalf| s.variables[0].components = 0,
        |s: &mut StoredHalf| s.variables[0].location.0 = u32::MAX,
        |s: &mut StoredHalf| s.variables[0].type_name = "float64".to_owned(),
    ] {
        assert_eq!(broken(change), StoredError::Variable { index: 0 }.into());
    }
}

#[test]
fn rejects_type_that_does_not_match_the_outputs() {
    let mut other = stored();
    other.variables[0].type_name = "uint16".to_owned();
    let refused = rewrite_half(&program(&[("vert", VERTEX)]), &other, &Options::default());
    let expected = StoredError::Type { variable: "a".to_owned(), bits: 32, stored: 16 };
    assert_eq!(refused, Err(expected.into()));
}
