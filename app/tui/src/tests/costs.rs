//! Counted memory accesses in the terminal form.

use lanescope_core::cost::Tiling;
use lanescope_inspector::settings::{CostSettings, RunSettings};

use super::*;

const ROWS: &str = "#version 450
layout(local_size_x = 16, local_size_y = 4) in;
layout(binding = 0, rgba8) uniform readonly image2D source;
layout(binding = 1) buffer Out { vec4 texel[]; };
shared float tile[16 * 4];
void main() {
    tile[gl_LocalInvocationIndex] = 1.0;
    texel[gl_LocalInvocationIndex] = imageLoad(source, ivec2(gl_LocalInvocationID.xy));
}
";

/// Everything of the pane is in view.
const TALL: (u16, u16) = (200, 170);

fn counted() -> Stage {
    let mut stage = Stage::new(LOOK, TALL);
    let files = vec![stage.file("rows.comp", ROWS)];
    stage.open(files);
    stage.app.act(Command::ShowTab(ViewId::Workgroup));
    assert!(stage.text().contains("% counts the memory accesses of each layout."), "{}", stage.text());
    stage.press(KeyCode::Char('%'));
    stage.settle();
    stage
}

#[test]
fn accesses_are_counted_by_their_key() {
    let mut stage = counted();
    let text = stage.text();
    assert!(text.contains("OpImageRead") && text.contains("Bank of LDS; waves are outlined."), "{text}");
    insta::assert_snapshot!("costs", text);
}

#[test]
fn another_access_shows_its_lines() {
    let mut stage = counted();
    assert!(stage.text().contains("32 banks that it touches first"), "{}", stage.text());
    enter(&mut stage, "image source");
    let text = stage.text();
    assert!(text.contains("Cache line by number; waves are outlined."), "{text}");
    assert!(text.contains("#66 OpImageRead source  2 lines that it touches first"), "{text}");
    let selection = Selection { invocation: Some([9, 2, 0]), ..Selection::default() };
    stage.app.act(Command::Select(selection));
    let text = stage.text();
    assert!(text.contains("touches line 1 first") && text.contains("lines of its wave"), "{text}");
}

#[test]
fn the_tiling_is_changed_in_place() {
    let mut stage = counted();
    let tiling = |stage: &Stage| stage.app.state.program().and_then(|it| Some(it.results.costs.done()?.cost.tiling));
    assert_eq!(tiling(&stage), Some(Tiling::Tiled));
    enter(&mut stage, "Tiling: tiled");
    assert_eq!(tiling(&stage), Some(Tiling::Standard), "{}", stage.text());
    stage.app.act(Command::SetCostSettings(CostSettings::DEFAULT));
    let again = "Counted with other settings, options or inputs: % counts again.";
    assert!(stage.text().contains(again), "{}", stage.text());
}

#[test]
fn layouts_are_timed_by_their_key() {
    let mut stage = Stage::new(LOOK, TALL);
    let files = vec![stage.file("rows.comp", ROWS)];
    stage.open(files);
    stage.app.act(Command::ShowTab(ViewId::Workgroup));
    assert!(stage.text().contains("^ times the layouts on the device."), "{}", stage.text());
    stage.press(KeyCode::Char('^'));
    stage.settle();
    let text = stage.text();
    assert!(text.contains("Measured  llvmpipe") && text.contains("31 samples of"), "{text}");
    assert!(
        text.contains("8×N strips of 2×2 quads") && text.contains("lines of 128 bytes are those of gfx1030"),
        "{text}"
    );
    let run = &stage.app.state.settings.run;
    let other = RunSettings { device: Some("another".to_owned()), ..run.clone() };
    stage.app.act(Command::SetRunSettings(other));
    let again = "Timed on another device, or with other settings, options or inputs: ^ times again.";
    assert!(stage.text().contains(again), "{}", stage.text());
}
