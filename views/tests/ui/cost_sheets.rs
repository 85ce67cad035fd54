//! The cost sheets of an interface and of a work graph.

use egui::accesskit::Role;
use egui::{Theme, vec2};
use egui_kittest::SnapshotResults;
use egui_kittest::kittest::Queryable as _;
use lanescope_core::cost::Tiling;
use lanescope_core::cost::fragments::DrawAccesses;
use lanescope_core::driver::Link;
use lanescope_core::program::Program;
use lanescope_inspector::command::Command;
use lanescope_inspector::settings::{CostSettings, RunSettings};
use lanescope_inspector::tasks::{CostQuestion, CountedDraw, OF_REPORT, TypedInputs, Work};
use lanescope_views::{gallery, theme};

use crate::graph::{open, ran};
use crate::on_device::{Stage, WIDE, taken};

const VERTEX: &str = "layout(location = 0) out vec3 position; layout(location = 1) out vec3 normal;
    layout(location = 3) out vec2 coord; layout(location = 4) out vec3 color; layout(location = 5) flat out int material;
    void main() {
        gl_Position = vec4(gl_VertexIndex); position = normal = color = gl_Position.xyz; coord = color.xy;
        material = gl_InstanceIndex;
    }";
const FRAGMENT: &str = "layout(location = 0) in vec3 position; layout(location = 1) in vec3 normal;
    layout(location = 3) in vec2 coord; layout(location = 4) in vec3 color; layout(location = 5) flat in int material;
    layout(location = 0) out vec4 target;
    void main() { target = vec4(position + normal + color, coord.x * coord.y + float(material)); }";

/// The sheet is beside the picture.
const LARGE: [f32; 2] = [1700.0, 1000.0];

fn lit() -> Program {
    lanescope_testing::program(&[("vert", VERTEX), ("frag", FRAGMENT)])
}

fn packing() -> Stage {
    let mut stage = Stage::new("packing");
    stage.report = gallery::lit_report();
    stage.loaded = Some(lit());
    stage
}

fn costs(stage: Stage, size: [f32; 2], theme: Theme) -> egui_kittest::Harness<'static, Stage> {
    let mut harness = stage.show(size, theme);
    harness.get_by_label("Costs").click();
    harness.run_steps(6);
    harness
}

#[test]
fn an_interface_has_its_costs_beside_its_slots() {
    let mut harness = costs(packing(), LARGE, Theme::Dark);
    harness.get_by_label("vertex to fragment, waves of 64 (S), gfx1030");
    harness.get_by_label_contains("LLPC 4, optimum 4: 32-bit interpolated takes 3");
    harness.get_by_label("exp param per wave");
    harness.get_by_label("· no compiler's figures are beside these: the program was not compiled");
    harness.get_by_label("1000000 vertices, 500000 triangles; no reuse, no culling");
    harness.state_mut().settings.costs.vertices = 3;
    harness.run_steps(2);
    harness.get_by_label("3 vertices, 500000 triangles; no reuse, no culling");
    harness.get_by_label("Copy costs").click();
    harness.run_steps(4);
    match taken(&mut harness).pop() {
        Some(Command::Copy(text)) => assert!(text.contains("Previous stage\nfigure\toriginal\tselected"), "{text}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_accesses_of_a_draw_are_counted_once_for_each_question() {
    let mut harness = costs(packing(), LARGE, Theme::Dark);
    assert_eq!(taken(&mut harness), [Command::Begin(Work::Costs)]);
    harness.run_steps(4);
    assert_eq!(taken(&mut harness), []);
    harness.get_by_label("· memory accesses of the draw were not counted");
    harness.state_mut().results.draw.underway = true;
    harness.run_steps(2);
    harness.get_by_label("· memory accesses of the draw are being counted");
    let question = CostQuestion::of_draw(1, &harness.state().settings, &[], &TypedInputs::NONE);
    let not_counted = vec!["fragment shader: drawing needs a vertex shader".to_owned()];
    let accesses = DrawAccesses { not_counted, ..DrawAccesses::default() };
    let done = CountedDraw { question, accesses };
    harness.state_mut().results.draw.take(1, RunSettings::DEFAULT, Ok(done));
    harness.run_steps(2);
    harness.get_by_label("Accesses that are not counted");
    harness.get_by_label("· fragment shader: drawing needs a vertex shader");
    assert_eq!(taken(&mut harness), []);
    harness.state_mut().settings.costs.tiling = Tiling::Linear;
    harness.run_steps(4);
    assert_eq!(taken(&mut harness), [Command::Begin(Work::Costs)], "another question");
    let changed = "· memory accesses of the draw are left out: the program, the settings or the inputs have changed";
    harness.get_by_label(changed);
    harness.get_by_label("Pitch");
}

#[test]
fn compilers_figures_are_beside_the_predicted_ones_while_they_are_fresh() {
    let mut stage = packing();
    let mut compiled = gallery::compiled();
    compiled.settings.link = Link::Whole;
    compiled.sections.stages.iter_mut().for_each(|row| row.link = Link::Whole);
    stage.settings.compile = compiled.settings.clone();
    stage.results.compiled.take(1, RunSettings::DEFAULT, Ok(compiled));
    let mut harness = costs(stage, LARGE, Theme::Light);
    assert!(harness.query_all_by_label("Driver").count() > 0, "RADV is among them");
    harness.state_mut().settings.compile.link = Link::Apart;
    harness.run_steps(2);
    harness.get_by_label("· compilers' figures are left out: the program or the settings have changed");
    assert_eq!(harness.query_all_by_label("Driver").count(), 0);
}

#[test]
fn a_command_shows_the_costs_of_an_interface() {
    let mut stage = packing();
    stage.results.costs_shown = 1;
    let mut harness = stage.show(WIDE, Theme::Dark);
    harness.get_by_label("Interface costs");
    harness.get_by_label("Costs").click();
    harness.run_steps(4);
    assert!(harness.query_by_label("Interface costs").is_none(), "they are hidden again");
    let mut frozen = packing();
    (frozen.loaded, frozen.frozen) = (None, true);
    costs(frozen, WIDE, Theme::Dark).get_by_label(OF_REPORT);
}

#[test]
fn a_graph_has_its_costs_in_the_drawings_place() {
    let mut harness = open(&theme::Theme::light(), gallery::work_graph(1), vec2(1100.0, 900.0));
    harness.get_by_label("Costs").click();
    harness.run_steps(4);
    harness.get_by_label("Work graph costs");
    harness.get_by_label("Worst case by generation");
    assert!(harness.query_by_label("Record lists").is_none(), "nothing ran");
    let first = harness.state().report.graph.as_ref().expect("a graph").nodes[1].id.to_string();
    harness.get_by_role_and_label(Role::Button, &first).click();
    harness.run_steps(4);
    assert_eq!(harness.state().stepping.node, Some(1));
    harness.get_by_label("Rows of workgroups").click();
    harness.run_steps(4);
    let rows = CostSettings { rows: true, ..CostSettings::DEFAULT };
    assert!(harness.state().commands.contains(&Command::SetCostSettings(rows)));
    harness.get_by_label("Copy costs").click();
    harness.run_steps(4);
    let is_sheet = |command: &Command| matches!(command, Command::Copy(text) if text.contains("Nodes\nnode\tlaunch"));
    assert!(harness.state().commands.iter().any(is_sheet));
    let mut harness = ran(&theme::Theme::light(), 1);
    harness.get_by_label("Costs").click();
    harness.run_steps(4);
    harness.get_by_label("Record lists");
}

#[test]
fn a_file_is_added_to_the_others() {
    let mut harness = open(&theme::Theme::light(), gallery::grown_graph(), vec2(1100.0, 900.0));
    harness.get_by_label("Costs").click();
    harness.run_steps(4);
    harness.get_by_label("Work graph costs");
    harness.get_by_role_and_label(Role::ComboBox, "Addition").click();
    harness.run_steps(4);
    harness.get_by_role_and_label(Role::Button, "more_bins.dxil").click();
    harness.run_steps(4);
    let added = CostSettings { added: Some(1), ..CostSettings::DEFAULT };
    assert!(harness.state().commands.contains(&Command::SetCostSettings(added)));
    let mut harness = open(&theme::Theme::light(), gallery::work_graph(5), vec2(1100.0, 900.0));
    harness.get_by_label("Costs").click();
    harness.run_steps(4);
    assert!(harness.query_by_label("Addition").is_none(), "one file has all nodes");
}

#[test]
fn the_sheets_match_their_pictures() {
    let mut results = SnapshotResults::new();
    for (name, size, theme) in
        [("dark", [1100.0, 800.0], Theme::Dark), ("light", LARGE, Theme::Light), ("small", [420.0, 320.0], Theme::Dark)]
    {
        let mut harness = costs(packing(), size, theme);
        harness.remove_cursor();
        harness.run_steps(2);
        results.add(harness.try_snapshot(format!("cost_sheets/interface_{name}")));
    }
    for (name, theme) in [("dark", theme::Theme::dark()), ("light", theme::Theme::light())] {
        let mut harness = ran(&theme, 1);
        harness.get_by_label("Costs").click();
        harness.run_steps(4);
        harness.remove_cursor();
        harness.run_steps(2);
        results.add(harness.try_snapshot(format!("cost_sheets/graph_{name}")));
    }
}
