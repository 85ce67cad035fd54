//! What the palette lists: commands with their synonyms, options with values, tabs, programs, and the varyings,
//! registers and nodes of the shown program. [`matching()`] finds them.

mod matching;

pub use matching::matching;

use std::collections::BTreeSet;

use lanescope_core::corpus::ResultColumn;
use lanescope_core::findings::{Rule, rules};
use lanescope_core::options::{Derivatives, LayoutRules, Options, PackingOrder, WaveChoice};
use lanescope_core::program::StageKind;
use lanescope_core::table::{Sort, one_line};
use lanescope_core::target::Target;
use lanescope_inspector::command::Command;
use lanescope_inspector::corpus::{CorpusCommand, CorpusPart};
use lanescope_inspector::selection::{Selection, Varying};
use lanescope_inspector::stepping::StepCommand;
use lanescope_inspector::view::ViewId;

use crate::commands::{Row, TABLE};
use crate::manual::{self, PAGES};
use crate::state::State;
use crate::state::comparing::ComparisonNames;
use crate::state::corpus::CorpusPage;
use crate::state::program::{OpenProgram, title};

/// The most varyings, registers or nodes that are listed, each.
const PARTS_AT_MOST: usize = 2000;

/// Other words for a command, and words of its label's meaning that its label does not have.
const SYNONYMS: [(Command, &str); 18] = [
    (Command::ToggleTints, "colors of assembly lines origins Compiler Explorer"),
    (Command::ToggleTheme, "theme dark mode light mode colors appearance"),
    (Command::Preferences, "settings configuration theme font size"),
    (Command::Search, "find"),
    (Command::Compile, "assembly ISA disassembly driver statistics VGPR"),
    (Command::Run, "dispatch draw execute launch"),
    (Command::Measure, "probe measured lane map"),
    (
        Command::ShowCosts,
        "cost cache lines sectors banks LDS conflicts coalescing exports occupancy waves interpolation scheduler ring",
    ),
    (Command::TimeLayouts, "measure costs benchmark timestamps nanoseconds order rank correlation"),
    (Command::SideBySide, "split second setting A/B"),
    (Command::Compare, "diff code object registers"),
    (Command::ZoomIn, "zoom in font size bigger"),
    (Command::ZoomOut, "zoom out font size"),
    (Command::ZoomReset, "zoom 100 %"),
    (Command::CancelWork, "stop abort"),
    (Command::Keys, "shortcuts keyboard bindings"),
    (Command::Help, "documentation"),
    (Command::Samples, "gallery examples start page"),
];

/// At the value of an option that is set.
pub const CURRENT: &str = "✓ current";

/// One line of the palette.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    /// What is shown and searched first.
    pub label: String,
    /// Other words that find it.
    pub synonyms: &'static str,
    /// Shown at the right: a key, or what kind of thing it is.
    pub note: String,
    /// What it does, in order.
    pub commands: Vec<Command>,
}

impl Item {
    fn new(label: String, note: &str, command: Command) -> Item {
        Item { label, synonyms: "", note: note.to_owned(), commands: vec![command] }
    }

    /// An item that changes an option.
    pub fn option(label: String, command: Command) -> Item {
        Item::new(label, "option", command)
    }

    /// The same for the value that is set.
    fn current(self) -> Item {
        Item { note: CURRENT.to_owned(), ..self }
    }

    /// An item that asks for a text first.
    pub fn asking(label: String, note: &str) -> Item {
        Item { label, synonyms: "", note: note.to_owned(), commands: Vec::new() }
    }
}

/// Everything that the palette lists; `key` writes the key of a command.
pub fn items(state: &State, key: impl Fn(&Row) -> String) -> Vec<Item> {
    let mut items: Vec<_> = fixed(key, state.program().is_some()).collect();
    items.extend(state.corpus_in_front().into_iter().flat_map(corpus));
    if let Some(program) = state.program() {
        let views = state.tabs.applicable();
        items.extend(views.map(|info| Item {
            synonyms: info.about,
            ..Item::new(info.title.to_owned(), "tab", Command::ShowTab(info.id))
        }));
        if !program.frozen {
            let set = |options| Command::SetOptions(Box::new(options));
            items.extend(options("", &program.options, program, set));
            if let Some(other) = &program.other {
                let set = |options| Command::SetOther(Some(Box::new(options)));
                items.extend(options("Second setting: ", other, program, set));
            }
        }
        items.extend(varyings(program));
        items.extend(registers(program));
        items.extend(nodes(program));
    }
    for (index, program) in state.programs.iter().enumerate() {
        items.push(Item::new(program.title(), "open", Command::ShowProgram(index)));
    }
    for (partner, name) in ComparisonNames::new(state).partners {
        items.push(Item::new(format!("Compare with {name}"), "compare", Command::CompareWith(Some(partner))));
    }
    for recent in state.session.recent.iter().filter(|recent| !state.is_open(&recent.paths)) {
        items.push(Item::new(title(&recent.paths), "recent", Command::OpenFiles(recent.paths.clone())));
    }
    for (group, sample) in state.samples.iter() {
        let note = format!("sample, {}", group.to_lowercase());
        items.push(Item::new(sample.name.clone(), &note, Command::OpenFiles(sample.paths.clone())));
    }
    items.extend(codes(state));
    items.extend(headings());
    items
}

/// The parts of the result over many pipelines, and its columns.
fn corpus(page: &CorpusPage) -> impl Iterator<Item = Item> {
    let parts = CorpusPart::ALL.into_iter().map(|part| (part.title().to_owned(), CorpusCommand::Part(part)));
    let sorts = page.columns.iter().enumerate().map(|(column, of)| {
        let sort = Sort { column, descending: matches!(of, ResultColumn::Number(_)) };
        (format!("Sort by {}", page.result.table.title(*of)), CorpusCommand::Sort(Some(sort)))
    });
    parts.chain(sorts).map(|(label, command)| Item::new(label, "corpus", Command::Corpus(command)))
}

/// The lines of the fixed commands.
fn fixed(key: impl Fn(&Row) -> String, has_program: bool) -> impl Iterator<Item = Item> {
    TABLE.iter().filter(move |row| has_program || !row.needs_program).map(move |row| {
        let key = key(row);
        let synonyms = SYNONYMS.iter().find(|(command, _)| *command == row.command).map_or("", |(_, words)| words);
        let label = row.label.trim_end_matches('…').to_owned();
        Item { synonyms, ..Item::new(label, &key, row.command.clone()) }
    })
}

/// The options that have few values, each value a line after `first`. The value that is set is marked.
fn options(first: &str, now: &Options, program: &OpenProgram, set: impl Fn(Options) -> Command) -> Vec<Item> {
    let has = |is: fn(StageKind) -> bool| program.analysis.report.stages.iter().any(|stage| is(stage.stage));
    let mut items = Vec::new();
    let mut add = |label: String, options: Options| {
        let is_set = options == *now;
        let item = Item::option(format!("{first}{label}"), set(options));
        items.push(if is_set { item.current() } else { item });
    };
    for target in Target::with_registers() {
        add(format!("Target: {target}"), Options { target, ..now.clone() });
    }
    for wave in WaveChoice::ALL {
        add(format!("Wave size: {wave}"), Options { wave: *wave, ..now.clone() });
    }
    if has(StageKind::is_graphics) {
        for order in PackingOrder::ALL {
            add(format!("Packing order: {order}"), Options { order: *order, ..now.clone() });
        }
        for (no_pack, name) in [(false, "on"), (true, "off")] {
            add(format!("Pack: {name}"), Options { no_pack, ..now.clone() });
        }
    }
    if has(StageKind::has_workgroup) {
        for rules in LayoutRules::ALL {
            add(format!("Layout rules: {rules}"), Options { layout_rules: *rules, ..now.clone() });
        }
        for derivatives in Derivatives::ALL {
            let options = Options { derivatives: Some(*derivatives), ..now.clone() };
            add(format!("Derivative group: {derivatives}"), options);
        }
        for (on, name) in [(true, "on"), (false, "off")] {
            add(format!("Force swizzle: {name}"), Options { force_swizzle: on, ..now.clone() });
            add(format!("Reconfigure layout: {name}"), Options { reconfig: on, ..now.clone() });
        }
        for tile in [None, Some(4), Some(8), Some(16), Some(32), Some(64)] {
            let name = tile.map_or("none".to_owned(), |tile| tile.to_string());
            add(format!("Workgroup-id swizzle tile: {name}"), Options { group_tile: tile, ..now.clone() });
        }
    }
    items
}

/// The varyings between stages; each is selected in the picture of the slots.
fn varyings(program: &OpenProgram) -> Vec<Item> {
    let report = &program.analysis.report;
    let mut seen = BTreeSet::new();
    let all = report.packing.iter().flat_map(|packing| &packing.map);
    let first = all.filter(|scalar| seen.insert((scalar.variable.to_string(), scalar.from.location.0)));
    let item = |(label, varying): (String, Varying)| {
        let selection = Selection { varying: Some(varying), ..program.selection.clone() };
        Item {
            commands: vec![Command::Select(selection), Command::ShowTab(ViewId::Packing)],
            ..Item::new(label, "varying", Command::ClearSelection)
        }
    };
    first
        .take(PARTS_AT_MOST)
        .map(|scalar| {
            let location = scalar.from.location.0;
            let label = format!("{} (location {location})", one_line(&scalar.variable));
            (label, Varying { location, component: None })
        })
        .map(item)
        .collect()
}

/// The registers; each is selected in their table.
fn registers(program: &OpenProgram) -> Vec<Item> {
    let mut seen = BTreeSet::new();
    let all = program.analysis.report.registers.iter().map(|register| register.name.as_ref());
    let item = |name: &str| {
        let selection = Selection { register: Some(name.to_owned()), ..program.selection.clone() };
        Item {
            commands: vec![Command::Select(selection), Command::ShowTab(ViewId::Registers)],
            ..Item::new(name.to_owned(), "register", Command::ClearSelection)
        }
    };
    all.filter(|name| seen.insert(*name)).take(PARTS_AT_MOST).map(item).collect()
}

/// The nodes of a work graph; each is selected in its picture.
fn nodes(program: &OpenProgram) -> Vec<Item> {
    let nodes = program.analysis.report.graph.iter().flat_map(|graph| &graph.nodes);
    let item = |(index, node): (usize, &lanescope_core::graph::Node)| Item {
        commands: vec![Command::Step(StepCommand::SelectNode(Some(index))), Command::ShowTab(ViewId::Graph)],
        ..Item::new(one_line(&node.id.to_string()), "node", Command::ClearSelection)
    };
    nodes.enumerate().take(PARTS_AT_MOST).map(item).collect()
}

/// The codes of findings, those of the shown program first; each is explained.
fn codes(state: &State) -> impl Iterator<Item = Item> {
    let mut raised: BTreeSet<String> = BTreeSet::new();
    if let Some(program) = state.program() {
        let beside = program.found(&state.settings.compile).beside();
        let all = program.analysis.report.findings.iter().chain(&beside);
        raised.extend(all.map(|finding| finding.code.as_str().to_owned()));
    }
    let (here, others): (Vec<&Rule>, Vec<&Rule>) = rules().partition(|rule| raised.contains(rule.code));
    let item = |rule: &Rule, note: &str| {
        let label = format!("Explain {}: {}", rule.code, rule.about);
        Item::new(label, note, Command::Explain(rule.code.to_owned()))
    };
    let here: Vec<Item> = here.into_iter().map(|rule| item(rule, "finding")).collect();
    here.into_iter().chain(others.into_iter().map(move |rule| item(rule, "finding code")))
}

/// The headings of the manual's pages.
fn headings() -> impl Iterator<Item = Item> {
    PAGES.iter().flat_map(|page| {
        manual::sections(page.text).into_iter().enumerate().map(|(number, section)| {
            let title = manual::section_title(section);
            let label = if number == 0 { title.to_owned() } else { format!("{}: {title}", page.title()) };
            Item::new(label, "manual", Command::Read(page.name, number))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_in_the_palette() {
        let none = |_: &Row| String::new();
        let listed: Vec<_> = fixed(none, true).flat_map(|item| item.commands).collect();
        assert!(TABLE.iter().all(|row| listed.contains(&row.command)));
        let open = |item: Item| !item.commands.contains(&Command::Reload);
        assert!(fixed(none, false).all(open), "nothing is there to reload");
    }

    #[test]
    fn finds_codes_of_findings_and_headings_of_the_manual() {
        let state = State::new(Default::default(), Vec::new());
        let items = items(&state, |_| String::new());
        let first = |typed: &str| matching(&items, typed).first().map(|item| item.commands.clone());
        assert_eq!(first("R002"), Some(vec![Command::Explain("R002".to_owned())]));
        assert_eq!(first("explain p002"), Some(vec![Command::Explain("P002".to_owned())]));
        let Some(Command::Read("packing", section)) = first("packing does").and_then(|found| found.into_iter().next())
        else {
            panic!("{:?}", first("packing does"));
        };
        assert!(section > 0);
        let swizzle = matching(&items, "swizzle");
        assert!(!swizzle.is_empty() && swizzle.iter().all(|item| item.label.to_lowercase().contains("swizzl")));
        // A letter that is missing or out of order does not hide what is meant.
        assert_eq!(first("cmd plt"), Some(vec![Command::Palette]));
    }

    #[test]
    fn synonyms_are_of_commands_in_the_table() {
        for (command, words) in SYNONYMS {
            assert!(TABLE.iter().any(|row| row.command == command), "{words}");
        }
    }
}
