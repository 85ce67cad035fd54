//! Accessibility: every control has a name, the Tab key reaches it, and focus is visible.

use std::collections::{BTreeMap, BTreeSet};

use egui::accesskit::{Action, Node, NodeId, Role, TreeUpdate};
use egui::{FullOutput, vec2};
use lanescope_inspector::stepping::StepCommand;
use lanescope_inspector::view::ViewId;

use super::*;
use crate::focus;

/// A control as those meet it who hear the window.
#[derive(Debug, Clone)]
pub(super) struct Control {
    pub(super) role: Role,
    pub(super) name: String,
    takes_keys: bool,
}

/// What can be pressed, typed into or chosen in a tree, disabled ones aside.
fn controls(tree: &TreeUpdate) -> BTreeMap<NodeId, Control> {
    let nodes: BTreeMap<NodeId, &Node> = tree.nodes.iter().map(|(id, node)| (*id, node)).collect();
    let own = |node: &Node| match node.role() {
        Role::Label => node.value().or(node.label()).map(str::to_owned),
        _ => node.label().map(str::to_owned),
    };
    let name = |node: &Node| {
        let others = node.labelled_by().iter().filter_map(|id| own(nodes.get(id)?));
        own(node).or_else(|| others.reduce(|all, next| format!("{all} {next}"))).unwrap_or_default()
    };
    let works = |node: &Node| node.supports_action(Action::Click) || node.supports_action(Action::Focus);
    let found = nodes.iter().filter(|(_, node)| works(node) && !node.is_disabled() && !node.is_hidden());
    found
        .map(|(id, node)| {
            let takes_keys = node.supports_action(Action::Focus);
            (*id, Control { role: node.role(), name: name(node), takes_keys })
        })
        .collect()
}

impl Stage {
    pub(super) fn look(&mut self) -> BTreeMap<NodeId, Control> {
        self.ctx.enable_accesskit();
        // Names are available one frame after accessibility is turned on.
        self.draw(Vec::new());
        let output: FullOutput = self.output(Vec::new());
        controls(&output.platform_output.accesskit_update.expect("it is enabled"))
    }

    /// Every control that the Tab key reaches, until it reaches the first one again; and those that had the keyboard
    /// without being seen.
    fn tabbed(&mut self) -> (BTreeSet<NodeId>, BTreeSet<NodeId>) {
        let (mut reached, mut unseen) = (BTreeSet::new(), BTreeSet::new());
        let mut idle = 0;
        while idle < 3 && reached.len() < 3000 {
            self.press(Modifiers::NONE, Key::Tab);
            self.draw(Vec::new());
            let Some(id) = self.ctx.memory(|memory| memory.focused()) else {
                idle += 1;
                continue;
            };
            idle = if reached.insert(id.accesskit_id()) { 0 } else { idle + 1 };
            // A place out of sight is scrolled to.
            let in_view = |stage: &mut Stage| {
                focus::focus_ring(&stage.ctx).is_some_and(|it| it.place.width() >= 2.0 && it.place.height() >= 2.0)
            };
            let seen = in_view(self)
                || (0..24).any(|_| {
                    self.draw(Vec::new());
                    in_view(self)
                });
            if !seen {
                let response = self.ctx.read_response(id);
                eprintln!("UNSEEN {:?} {:?}", id, response.map(|r| (r.rect, r.interact_rect)));
                unseen.insert(id.accesskit_id());
            }
        }
        self.ctx.memory_mut(|memory| memory.stop_text_input());
        (reached, unseen)
    }

    /// What is wrong with the controls that are shown.
    fn complaints(&mut self, place: &str, keys: bool) -> Vec<String> {
        self.settle();
        let shown = self.look();
        let mut complaints = Vec::new();
        for control in shown.values() {
            // Text is its own name, and a scroll bar's role says enough. A symbol alone is not a useful name for a
            // screen reader.
            let speaks = matches!(control.role, Role::Label | Role::ScrollBar);
            if !speaks && !control.name.chars().any(char::is_alphanumeric) {
                complaints.push(format!("{place}: a {:?} has no name ({:?})", control.role, control.name));
            }
        }
        if keys {
            let (reached, unseen) = self.tabbed();
            for (_, control) in shown.iter().filter(|(id, control)| control.takes_keys && !reached.contains(id)) {
                complaints.push(format!("{place}: Tab does not come to {:?} {:?}", control.role, control.name));
            }
            // The last line of a text may be cut, and an edge is as narrow as it is.
            for (_, control) in shown.iter().filter(|(id, it)| unseen.contains(id) && it.role != Role::Label) {
                complaints
                    .push(format!("{place}: {:?} {:?} has the keyboard out of sight", control.role, control.name));
            }
        }
        complaints
    }
}

pub(super) fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples").join(name)
}

/// One program in each of its tabs; `keys`, whether the Tab key is tried too.
fn walk(what: &str, stage: &mut Stage, keys: bool) -> Vec<String> {
    let names: Vec<_> = stage.frame.views.iter().map(|view| view.info().id).collect();
    let mut complaints = Vec::new();
    for name in names {
        stage.frame.act(Command::ShowTab(name));
        complaints.extend(stage.complaints(&format!("{what}, {name}"), keys));
    }
    complaints
}

fn assert_none(mut complaints: Vec<String>) {
    complaints.sort();
    complaints.dedup();
    assert!(complaints.is_empty(), "{} complaints:\n{}", complaints.len(), complaints.join("\n"));
}

/// A window of this size with these samples open as one program.
fn opened(files: &[&str]) -> Stage {
    let mut stage = Stage::new(Session::default());
    stage.size = vec2(1600.0, 1000.0);
    let paths: Vec<_> = files.iter().map(|file| sample(file)).collect();
    stage.open(&paths.iter().map(PathBuf::as_path).collect::<Vec<_>>());
    stage.settle();
    assert!(!stage.frame.state.programs.is_empty(), "{files:?} open");
    stage
}

#[test]
fn the_window_around_the_tabs_is_named_and_reached() {
    let mut stage = Stage::new(Session::default());
    stage.size = vec2(1600.0, 1000.0);
    let bad = stage.file("bad.frag", "#version 450\nvoid main() { x; }\n");
    stage.open(&[&bad]);
    let mut complaints = stage.complaints("failure", true);
    stage.frame.act(Command::OpenFiles(vec![sample("effects.foz")]));
    stage.until("it asks", |frame| matches!(frame.state.overlay, Overlay::Pipelines(_)));
    complaints.extend(stage.complaints("pipelines", false));
    stage.press(Modifiers::NONE, Key::Escape);
    stage.frame.begin(Vec::new(), Vec::new());
    complaints.extend(stage.complaints("gallery", true));
    for overlay in [Command::Palette, Command::Help, Command::Keys, Command::About, Command::OpenPath] {
        stage.frame.act(overlay.clone());
        complaints.extend(stage.complaints(&format!("{overlay:?}"), false));
        stage.press(Modifiers::NONE, Key::Escape);
        stage.settle();
        assert!(matches!(stage.frame.state.overlay, Overlay::None), "{overlay:?} closes with Escape");
    }
    assert_none(complaints);
}

#[test]
fn every_tab_of_a_pipeline_is_named_and_reached() {
    let mut stage = opened(&["lit_surface.vert", "lit_surface.frag"]);
    let mut complaints = walk("pair", &mut stage, true);
    stage.frame.act(Command::Options);
    stage.frame.act(Command::SideBySide);
    complaints.extend(stage.complaints("options of a pair", true));
    stage.frame.act(Command::Options);
    stage.frame.act(Command::Compile);
    stage.settle();
    stage.frame.act(Command::Run);
    stage.settle();
    complaints.extend(walk("pair, compiled and run, two settings", &mut stage, false));
    assert_none(complaints);
}

#[test]
fn every_tab_of_a_compute_shader_is_named_and_reached() {
    let mut stage = opened(&["spec_size.comp"]);
    stage.frame.act(Command::Options);
    let mut complaints = stage.complaints("options of a compute shader", true);
    stage.frame.act(Command::Options);
    stage.frame.act(Command::Measure);
    stage.settle();
    complaints.extend(stage.complaints("measured", true));
    stage.frame.act(Command::Run);
    stage.settle();
    complaints.extend(walk("compute, measured and run", &mut stage, false));
    assert_none(complaints);
}

#[test]
fn every_tab_of_containers_and_descriptions_is_named_and_reached() {
    let mut complaints = Vec::new();
    for (what, file, tab) in [
        ("container", "dxil/prefix_sum.cs.dxil", ViewId::Dxil),
        ("description", "textured_quad.pipe", ViewId::Overview),
        ("object", "code_objects/lit_named.elf", ViewId::CodeObject),
        ("graph", "work_graphs/01_tile_classify.dxil", ViewId::Graph),
    ] {
        let mut stage = opened(&[file]);
        stage.frame.act(Command::ShowTab(tab));
        complaints.extend(stage.complaints(&format!("{what}, its tab"), true));
        stage.frame.act(Command::Options);
        complaints.extend(walk(what, &mut stage, false));
        if what == "graph" {
            stage.frame.act(Command::Run);
            stage.settle();
            stage.frame.act(Command::ShowTab(tab));
            // The last generation has more records than the Tab key passes in this test.
            stage.frame.act(Command::Step(StepCommand::ShowGeneration(0)));
            complaints.extend(stage.complaints("graph, run", true));
        }
    }
    assert_none(complaints);
}

#[test]
fn lists_of_many_texts_and_outputs_are_named() {
    let mut stage = Stage::new(Session::default());
    stage.size = vec2(1600.0, 1000.0);
    let buffers = |count: usize| -> String {
        (0..count).map(|at| format!("layout(binding = {at}) buffer B{at} {{ uint in{at}; }};\n")).collect()
    };
    let writes: String = (0..9).map(|at| format!("in{at} = {at};\n")).collect();
    let text = format!("#version 450\nlayout(local_size_x = 8) in;\n{}void main() {{ {writes} }}\n", buffers(9));
    let many = stage.file("many.comp", &text);
    stage.open(&[&many]);
    stage.frame.act(Command::Run);
    stage.settle();
    let mut complaints = stage.complaints("a run of nine outputs", false);
    let ran = &stage.frame.state.program().expect("a program").results.run;
    assert!(ran.done().is_some_and(|ran| ran.execution.run.buffers.len() == 9), "{:?}", ran.failed());
    // Of each file its text and its module's.
    let passing = |stage: &str, layout: &str| format!("#version 450\n{layout}\n// {stage}\nvoid main() {{ }}\n");
    let vertex = stage.file("a.vert", &passing("vertex", ""));
    let control = stage.file("a.tesc", &passing("control", "layout(vertices = 3) out;"));
    let evaluation = stage.file("a.tese", &passing("evaluation", "layout(triangles) in;"));
    let fragment = stage.file("a.frag", &passing("fragment", ""));
    stage.open(&[&vertex, &control, &evaluation, &fragment]);
    assert!(stage.frame.state.program().expect("a program").texts.len() > 6);
    stage.frame.act(Command::ShowTab(ViewId::Source));
    complaints.extend(stage.complaints("eight texts", false));
    assert_none(complaints);
}

#[test]
fn comparisons_are_named_and_reached() {
    let mut complaints = Vec::new();
    let pairs: [(&str, &[&str], &str); 3] = [
        ("slots", &["lit_surface.vert", "lit_surface.frag"], "half_precision.frag"),
        ("lanes", &["tile_16x16.comp"], "odd_size.comp"),
        ("objects", &["code_objects/fill.elf"], "code_objects/fill_moved.elf"),
    ];
    for (what, files, with) in pairs {
        let mut stage = opened(files);
        let pictures = |stage: &mut Stage| {
            stage.ctx.enable_accesskit();
            stage.draw(Vec::new());
            let tree = stage.output(Vec::new()).platform_output.accesskit_update.expect("it is enabled");
            let named = |node: &Node| node.role() == Role::Image && node.label().is_some_and(|name| !name.is_empty());
            tree.nodes.iter().filter(|(_, node)| named(node)).count()
        };
        stage.frame.act(Command::CompareFiles(vec![sample(with)]));
        stage.settle();
        complaints.extend(stage.complaints(&format!("{what} of two programs"), true));
        if what != "objects" {
            assert!(pictures(&mut stage) >= 1, "{what}: pictures have names");
            stage.frame.act(Command::SideBySide);
            let second = lanescope_inspector::comparing::Partner::SecondSetting;
            stage.frame.act(Command::CompareWith(Some(second)));
            stage.frame.act(Command::Options);
            stage.settle();
            complaints.extend(stage.complaints(&format!("{what} of two settings"), false));
            assert_eq!(pictures(&mut stage), 2, "{what}: both pictures have names");
        }
    }
    assert_none(complaints);
}
