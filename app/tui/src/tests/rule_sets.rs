//! The rule sets of workgroup layouts in the terminal form.

use super::*;

#[test]
fn a_row_shows_the_sizes_under_its_options() {
    let mut stage = compute(LOOK, (130, 200));
    stage.app.act(Command::ShowTab(ViewId::Workgroup));
    let text = stage.text();
    assert!(text.contains("Sizes  derivatives none, force off, reconfig off, Z = 1"), "{text}");
    assert!(text.contains("Both lay out every size alike, where it is allowed."), "{text}");
    enter(&mut stage, "none         on");
    let text = stage.text();
    assert!(text.contains("Sizes  derivatives none, force on, reconfig off, Z = 1"), "{text}");
    assert!(text.contains(" 2 · · · · · · · = · · · · · · · # · · · · · · · # · · · · · · · #"), "{text}");
}

#[test]
fn an_entry_point_of_several_is_chosen() {
    let mut stage = Stage::new(LOOK, (130, 300));
    let text = "@compute @workgroup_size(8, 8) fn first() {}\n@compute @workgroup_size(5, 6) fn second() {}\n";
    let file = stage.file("two.wgsl", text);
    stage.open(vec![file]);
    stage.app.act(Command::ShowTab(ViewId::Workgroup));
    let heading = |stage: &mut Stage| {
        let text = stage.text();
        let line = text.lines().find(|line| line.contains("LLPC's code and its design note")).unwrap_or_default();
        line.to_owned()
    };
    assert!(heading(&mut stage).contains("compute first,"), "{}", stage.text());
    enter(&mut stage, "Entry point: first");
    assert!(heading(&mut stage).contains("compute second,"), "{}", stage.text());
    enter(&mut stage, "Entry point: second");
    assert!(heading(&mut stage).contains("compute first,"), "{}", stage.text());
}
