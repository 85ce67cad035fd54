use super::*;
use crate::op_calls::calls;
use crate::testing::file;

fn text(name: &str) -> Disassembly {
    file(name).disassembly().unwrap_or_else(|| panic!("{name} has no program"))
}

#[test]
fn disassembles_samples() {
    for name in [
        "lit_surface.ps",
        "tessellated_patch.hs",
        "experimental_ops.cs",
        "preview_matrix.cs",
        "prefix_sum.cs",
        "orbit_debug.cs",
        "lantern_rays.lib",
        "02_quadtree_recursion",
    ] {
        insta::assert_snapshot!(name.replace('.', "_"), text(&format!("{name}.dxil")).text);
    }
}

#[test]
fn instructions_are_on_their_reported_lines() {
    let dxil = file("lantern_rays.lib.dxil");
    let text = dxil.disassembly().expect("a program");
    let module = &dxil.program.as_ref().expect("a program").module;
    let lines: Vec<&str> = text.text.lines().collect();
    let all = calls(module);
    assert!(all.len() > 20);
    for call in all {
        let line = text.line(call.function, call.instruction).expect("it is written");
        let op = &call.op().expect("an op").name;
        assert!(lines[line as usize - 1].contains(&format!("dx.op {op}")), "{line}: {op}");
    }
    assert_eq!(text.line(0, usize::MAX), None);
    assert_eq!(text.line(usize::MAX, 0), None);
}

#[test]
fn lines_and_the_text_have_limits() {
    let mut out = Text { out: Disassembly::default(), line: 1, full: false };
    out.line(&"é".repeat(LONGEST_LINE));
    assert_eq!(out.out.text.len(), LONGEST_LINE + "…\n".len());
    for _ in 0..LONGEST_TEXT / LONGEST_LINE + 10 {
        out.line(&"x".repeat(LONGEST_LINE));
    }
    assert!(out.full && out.out.text.len() < LONGEST_TEXT + 100);
    assert!(out.out.text.ends_with("too long\n"));
}
