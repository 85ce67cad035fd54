//! The cost sheets of an interface and of a work graph in the terminal form.

use lanescope_inspector::settings::CostSettings;

use super::super::prompt::Prompt;
use super::*;

/// Everything of the pane is in view.
const TALL: (u16, u16) = (150, 190);

#[test]
fn an_interface_has_its_costs_below_its_slots() {
    let mut stage = pair(LOOK, TALL);
    stage.app.act(Command::ShowTab(ViewId::Packing));
    assert!(stage.text().contains("% shows what the interface costs."), "{}", stage.text());
    stage.press(KeyCode::Char('%'));
    stage.settle();
    let text = stage.text();
    assert!(text.contains("Interface costs  vertex to fragment, waves of 64 (S)"), "{text}");
    assert!(
        text.contains("not measured: devices and drivers whose assembly is not that of a known AMD chip"),
        "{text}"
    );
    assert!(text.contains("1000000 vertices, 500000 triangles"), "{text}");
    insta::assert_snapshot!("interface_costs", text);
    stage.app.act(Command::SetCostSettings(CostSettings { vertices: 3, ..CostSettings::DEFAULT }));
    assert!(stage.text().contains("3 vertices, 500000 triangles"), "{}", stage.text());
}

#[test]
fn the_draw_of_an_interface_is_typed() {
    let mut stage = pair(LOOK, TALL);
    stage.app.act(Command::ShowTab(ViewId::Packing));
    stage.press(KeyCode::Char('%'));
    stage.settle();
    enter(&mut stage, " Draw: ");
    assert!(matches!(&stage.app.prompt, Some((Prompt::DrawSize, _))), "{}", stage.text());
    stage.type_clear();
    stage.type_in("64 2");
    stage.press(KeyCode::Enter);
    stage.settle();
    let costs = &stage.app.state.settings.costs;
    assert_eq!((costs.vertices, costs.triangles), (64, 2));
    let text = stage.text();
    assert!(
        text.contains("Draw: 64 vertices, 2 triangles") && text.contains("64 vertices, 2 triangles; no reuse"),
        "{text}"
    );
    // A compute shader has none.
    let mut compute = Stage::new(LOOK, TALL);
    let file = compute.file("one.comp", "#version 450\nlayout(local_size_x = 8) in;\nvoid main() {}\n");
    compute.open(vec![file]);
    assert!(!Prompt::DrawSize.applies(&compute.app.state));
}

#[test]
fn a_graph_has_its_costs_below_its_nodes() {
    let mut stage = graph(LOOK, TALL);
    stage.app.act(Command::ShowTab(ViewId::Graph));
    assert!(stage.text().contains("% shows what a scheduler makes of the graph."), "{}", stage.text());
    stage.press(KeyCode::Char('%'));
    stage.settle();
    let text = stage.text();
    assert!(text.contains("Work graph costs  as ") && text.contains("Worst case by generation"), "{text}");
    assert!(text.contains("without rows of groups"), "{text}");
    enter(&mut stage, "Rows of workgroups");
    assert!(stage.app.state.settings.costs.rows);
    assert!(stage.text().contains("in rows of 32768 groups"), "{}", stage.text());
}

#[test]
fn a_file_is_added_to_the_others() {
    let mut stage = Stage::new(LOOK, TALL);
    let samples = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/work_graphs");
    stage.open(["05_sparse_array.dxil", "additions/more_bins.dxil"].map(|name| samples.join(name)).to_vec());
    stage.app.act(Command::ShowTab(ViewId::Graph));
    stage.press(KeyCode::Char('%'));
    stage.settle();
    assert!(stage.text().contains("Addition: none"), "{}", stage.text());
    enter(&mut stage, "Addition");
    enter(&mut stage, "Addition");
    let text = stage.text();
    assert_eq!(stage.app.state.settings.costs.added, Some(1));
    assert!(text.contains("Addition: more_bins.dxil") && text.contains("Work graph addition"), "{text}");
    assert!(text.contains("existing output, added nodes  Scatter[0]") && text.contains("Before and after"), "{text}");
    enter(&mut stage, "Addition");
    assert!(stage.text().contains("Work graph costs  as "), "{}", stage.text());
}

#[test]
fn a_row_of_the_sheet_selects_its_node() {
    let mut stage = graph(LOOK, TALL);
    stage.app.act(Command::ShowTab(ViewId::Graph));
    stage.press(KeyCode::Char('%'));
    stage.settle();
    let node = |stage: &Stage| stage.app.state.program().and_then(|program| program.stepping.node);
    assert_eq!(node(&stage), None);
    stage.draw();
    stage.press(KeyCode::Char('/'));
    stage.type_in("Work graph costs");
    stage.press(KeyCode::Enter);
    (0..8).for_each(|_| stage.press(KeyCode::Down));
    stage.press(KeyCode::Enter);
    stage.settle();
    assert!(node(&stage).is_some(), "{}", stage.text());
}
