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
