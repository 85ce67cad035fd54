//! Tasks of a newcomer in the window, by pointer and keys alone: each question has its answer in sight at 1280x760 after at
//! most four clicks or keys.

use std::path::{Path, PathBuf};

use egui::{Key, Modifiers};
use lanescope_window::testing::Window;

/// The most clicks and keys to an answer.
const MOST: usize = 4;

fn window(files: &[&str]) -> Window {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples");
    let files: Vec<PathBuf> = files.iter().map(|file| samples.join(file)).collect();
    Window::open(Path::new(env!("CARGO_BIN_EXE_lanescope")), files)
}

/// All of an answer is in sight, and not too much was done for it.
fn answered(window: &mut Window, answer: &[&str]) {
    for part in answer {
        assert!(window.sees(part), "`{part}` is not in sight:\n{}", window.in_sight());
    }
    assert!(window.acts() <= MOST, "{} acts", window.acts());
}

fn ctrl(window: &mut Window, key: Key) {
    window.key(Modifiers::CTRL, key);
}

const PAIR: [&str; 2] = ["lit_surface.vert", "lit_surface.frag"];

#[test]
fn which_slot_has_a_varying_and_what_does_packing_save() {
    let mut window = window(&PAIR);
    answered(&mut window, &["5 → 4 slots, −16 B per vertex", "texcoord", "→ 1.z", "→ 1.w"]);
    window.click("texcoord");
    answered(&mut window, &["texcoord.x"]);
}

#[test]
fn packed_slots_and_code_are_beside_the_original() {
    let mut slots = window(&PAIR);
    answered(&mut slots, &["original", "packed", "world_tangent", "dropped"]);
    // The driver packs whole slots by itself, but one that comes as two halves it does not.
    let mut code = window(&["half_precision.vert", "half_precision.frag"]);
    ctrl(&mut code, Key::Num2);
    code.click("fragment");
    code.click("Beside");
    answered(&mut code, &["gfx1030 original", "gfx1030 packed"]);
}

#[test]
fn why_is_lane_13_there_and_where_under_another_setting() {
    let mut window = window(&["tile_16x16.comp"]);
    // Below the axes' numbers.
    let cell = window.texts().into_iter().filter(|drawn| drawn.text == "13").nth(2).expect("a cell");
    window.click_at(cell.place.center());
    answered(&mut window, &["Invocation (13, 0, 0)", "x = t mod X = 13 mod 16 = 13", "y = t div X = 13 div 16 = 0"]);
    ctrl(&mut window, Key::D);
    window.click("Options");
    window.click("Reconfigure layout");
    answered(&mut window, &["row-major", "8×N strips"]);
}

#[test]
fn registers_and_waves_of_two_chips_and_the_costliest_line() {
    let mut window = window(&PAIR);
    window.click("16 VGPRs, 16 waves");
    window.click("Chips: gfx1030");
    window.click("gfx1010  Navi 10");
    window.key(Modifiers::NONE, Key::Escape);
    answered(&mut window, &["gfx1010 original", "gfx1030 original", "VGPRs", "Waves per SIMD"]);
    answered(&mut window, &["most live registers at lit_surface.vert:19: 13 VGPRs (gfx1010 original"]);
}

#[test]
fn a_graph_is_stepped_and_a_record_traced_and_edited() {
    let mut window = window(&["work_graphs/01_tile_classify.dxil"]);
    window.click("Step");
    window.click("Step");
    answered(&mut window, &["Paused before generation 1", "Material[0] (26)"]);
    window.click("ClassifyTiles[0] #0");
    answered(&mut window, &["written by", "from record #0, in allocation 0", "not run yet"]);
    window.fill("f1 of waiting record 0", "7");
    answered(&mut window, &["edited"]);
}

#[test]
fn a_breakpoint_is_reached() {
    let mut window = window(&["race.comp"]);
    ctrl(&mut window, Key::F12);
    window.click_last(" 13");
    window.click("Continue");
    answered(&mut window, &["race.comp:13"]);
}

#[test]
fn a_value_is_seen_over_all_lanes() {
    let mut window = window(&["race.comp"]);
    ctrl(&mut window, Key::F12);
    window.click("gl_LocalInvocationIndex");
    answered(&mut window, &["gl_LocalInvocationIndex 0", "wave boundary"]);
}

#[test]
fn a_race_is_found_with_both_accesses() {
    let mut window = window(&["race.comp"]);
    ctrl(&mut window, Key::F12);
    window.click("Continue");
    answered(&mut window, &["E001", "two invocations access the same bytes without an order", "1 error"]);
}

#[test]
fn the_last_writer_of_memory_is_named() {
    let mut window = window(&["race.comp"]);
    ctrl(&mut window, Key::F12);
    window.click("Continue");
    window.fill("color[0]", "values[4]");
    answered(&mut window, &["values[4], bytes 16 to 19: written by invocation 3 of workgroup 0 at OpStore"]);
}

#[test]
fn a_pixel_leads_to_the_debugger() {
    let mut window = window(&["textured_quad.pipe"]);
    window.key(Modifiers::NONE, Key::F9);
    answered(&mut window, &["= Equal, bit for bit", "Pixel (0, 0)", "0.25  0.5  0.75  1.0"]);
    window.click_last("Debug");
    answered(&mut window, &["Step backwards", "textured_quad"]);
}

#[test]
fn a_register_of_a_pipeline_is_found_for_two_targets() {
    let mut window = window(&["tiled_blur.pipe"]);
    window.fill("Search registers", "LDS");
    answered(&mut window, &["COMPUTE_PGM_RSRC2", "LDS_SIZE", "gfx1030"]);
    window.click("gfx1100");
    answered(&mut window, &["COMPUTE_PGM_RSRC2", "LDS_SIZE", "gfx1100"]);
}

#[test]
fn a_folder_is_measured_filtered_and_opened() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples");
    for name in ["race.comp", "odd_size.comp", "tile_16x16.comp"] {
        std::fs::copy(samples.join(name), folder.path().join(name)).expect("a sample");
    }
    let path = folder.path().to_str().expect("UTF-8");
    let mut window = window(&[path]);
    window.click("Measure this folder");
    answered(&mut window, &["race.comp", "odd_size.comp", "tile_16x16.comp"]);
    window.fill("Filter: fragment & VGPRs >= 64", "race");
    answered(&mut window, &["1 of 3"]);
    window.double_click("race.comp");
    answered(&mut window, &["64×1×1 row-major: 1 wave of 64"]);
}

#[test]
fn rewritten_modules_are_compared_and_saved() {
    let mut window = window(&PAIR);
    ctrl(&mut window, Key::Num4);
    window.click("Rewritten");
    answered(&mut window, &["14 changes", "OpName %packed0 \"packed0\""]);
    window.click("Save…");
    // Without a dialog of the system the window asks itself.
    answered(&mut window, &["Save to folder"]);
}

#[test]
fn a_container_shows_its_digest_signatures_and_experimental_ops() {
    let mut window = window(&["dxil/experimental_ops.cs.dxil"]);
    answered(&mut window, &["preview", "input signature", "2 warnings, 1 note"]);
    window.click("Ops");
    answered(&mut window, &["GetGroupWaveIndex", "experimental"]);
    window.click("Findings 3");
    answered(&mut window, &["experimental op"]);
}

#[test]
fn an_option_is_changed_undone_and_compared() {
    let mut window = window(&PAIR);
    window.click("Pack");
    answered(&mut window, &["Not packed: packing is disabled."]);
    ctrl(&mut window, Key::Z);
    answered(&mut window, &["5 → 4 slots, −16 B per vertex"]);
    let mut window = self::window(&PAIR);
    ctrl(&mut window, Key::D);
    window.click("Pack");
    ctrl(&mut window, Key::Num4);
    window.click("the second setting");
    answered(&mut window, &["first setting", "second setting", "no-pack true → false", "▼ -1 (-20%)"]);
}
