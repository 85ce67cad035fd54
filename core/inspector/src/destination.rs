//! Where findings lead: the line, varying, register, node or instruction that a finding names, or the view of its area.

use lanescope_core::findings::{Finding, ListingLine};
use lanescope_core::report::Report;

use crate::command::Command;
use crate::mode::{Applicable, SOURCE};
use crate::selection::{Code, Selection, Varying};
use crate::source::{SourceText, TextRole};
use crate::stepping::StepCommand;

/// A place that can be shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Destination {
    /// A line of a container's disassembly.
    Line(ListingLine),
    /// A varying in the slot grids.
    Varying(Varying),
    /// A register, by name.
    Register(String),
    /// A node of the work graph, by its index.
    Node(usize),
    /// An instruction of a module in its source.
    Code(Code),
    /// A view, by name.
    View(&'static str),
}

/// The view of each area, by the prefix of its codes.
const VIEWS: [(&str, &str); 12] = [
    ("foz.", SOURCE),
    ("pipe.", SOURCE),
    ("A", "layout"),
    ("C", "dxil"),
    ("D", "dxil"),
    ("E", "debug"),
    ("G", "graph"),
    ("I", "isa"),
    ("P", "packing"),
    ("R", "registers"),
    ("W", "workgroup"),
    ("X", "dxil"),
];

impl Destination {
    /// The most exact place that a finding names; `None` where no view shows it.
    pub fn of(finding: &Finding, report: &Report, texts: &[SourceText]) -> Option<Destination> {
        if let Some(line) = finding.line {
            return Some(Destination::Line(line));
        }
        let place = finding.place.as_deref().unwrap_or_default();
        let instruction =
            || code(finding, place, report, texts).or_else(|| run(finding, place, texts)).map(Destination::Code);
        let exact = match finding.code.chars().next() {
            Some('P') => varying(finding, report).map(Destination::Varying).or_else(instruction),
            Some('R') => {
                let known = report.registers.iter().any(|register| &*register.name == place);
                known.then(|| Destination::Register(place.to_owned()))
            }
            Some('G') => node(place, report).map(Destination::Node),
            _ => instruction(),
        };
        exact.or_else(|| {
            let area = VIEWS.iter().find(|(prefix, _)| finding.code.starts_with(prefix));
            let view = area.map_or(SOURCE, |(_, view)| view);
            Applicable::of(report, false).has(view).then_some(Destination::View(view))
        })
    }

    /// The view that shows it.
    pub fn view(&self) -> &'static str {
        match self {
            Destination::Line(_) => "dxil",
            Destination::Varying(_) => "packing",
            Destination::Register(_) => "registers",
            Destination::Node(_) => "graph",
            Destination::Code(_) => SOURCE,
            Destination::View(view) => view,
        }
    }

    /// What going there is called.
    pub fn label(&self) -> &'static str {
        match self {
            Destination::Line(_) => "Go to line",
            Destination::Varying(_) => "Go to slot",
            Destination::Register(_) => "Go to register",
            Destination::Node(_) => "Go to node",
            Destination::Code(_) => "Go to source",
            Destination::View(_) => "Go to view",
        }
    }

    /// The commands that lead there: the selection first, then the view.
    pub fn commands(&self, selection: &Selection) -> Vec<Command> {
        let select = match self {
            Destination::Line(line) => Some(Command::Select(selection.at_line(*line))),
            Destination::Varying(varying) => {
                Some(Command::Select(Selection { varying: Some(*varying), code: None, ..selection.clone() }))
            }
            Destination::Register(name) => {
                Some(Command::Select(Selection { register: Some(name.clone()), ..selection.clone() }))
            }
            Destination::Node(node) => Some(Command::Step(StepCommand::SelectNode(Some(*node)))),
            Destination::Code(code) => {
                Some(Command::Select(Selection { code: Some(code.clone()), ..selection.clone() }))
            }
            Destination::View(_) => None,
        };
        select.into_iter().chain([Command::Show(self.view())]).collect()
    }
}

/// The varying that a finding about an interface names, by its location or by the name of its variable.
pub fn varying(finding: &Finding, report: &Report) -> Option<Varying> {
    let place = finding.place.as_deref().filter(|_| finding.code.starts_with('P'))?;
    if let Some(written) = written_at(place) {
        return Some(written);
    }
    let interfaces = report.packing.iter().chain(&report.inner_packing);
    let mut scalars = interfaces.flat_map(|packing| &packing.interface);
    let named = scalars.find(|scalar| scalar.variable.split(['.', '[']).next() == Some(place))?;
    Some(Varying { location: named.location.0, component: None })
}

/// The node of a work graph that a finding names: `Name`, `Name[index]`, or `function (Name[index])`.
pub fn node(place: &str, report: &Report) -> Option<usize> {
    let id = place.rsplit_once(" (").and_then(|(_, id)| id.strip_suffix(')')).unwrap_or(place);
    report.graph.as_ref()?.named(id)
}

/// The instruction that a finding names, in the module of its stage or its file.
fn code(finding: &Finding, place: &str, report: &Report, texts: &[SourceText]) -> Option<Code> {
    let instruction = number_after(place, "instruction #")?;
    let input = report.inputs.iter().position(|input| place.strip_prefix(&input.path).is_some());
    let is_its = |text: &&SourceText| match (finding.stage, input) {
        (_, Some(input)) => text.input == input && matches!(text.role, TextRole::Module(_)),
        (Some(stage), None) => text.instructions.as_ref().is_some_and(|is| is.stages.contains(&stage)),
        (None, None) => false,
    };
    let module = texts.iter().filter(is_its).find_map(|text| Some(text.instructions.as_ref()?.module))?;
    Some(Code { module, instructions: vec![instruction] })
}

/// The instruction that a finding of a run names: by its source line (`%42 OpLoad, race.comp:13`), else by its id.
fn run(finding: &Finding, place: &str, texts: &[SourceText]) -> Option<Code> {
    let is_its = |text: &&SourceText| {
        text.instructions.as_ref().is_some_and(|is| finding.stage.is_none_or(|stage| is.stages.contains(&stage)))
    };
    let at = |text: &SourceText, line: usize| text.instructions.as_ref()?.code(line);
    if let Some((file, line)) = place.rsplit(", ").next().and_then(|last| last.rsplit_once(':'))
        && let Some(line) = line.parse::<usize>().ok().and_then(|line| line.checked_sub(1))
        && let Some(code) = texts
            .iter()
            .filter(is_its)
            .filter(|text| text.role == TextRole::Source && text.title.rsplit('/').next() == file.rsplit('/').next())
            .find_map(|text| at(text, line))
    {
        return Some(code);
    }
    let (id, _) = place.split_once(' ').filter(|(id, _)| id.starts_with('%'))?;
    let defines = |line: &str| line.trim_start().strip_prefix(id).is_some_and(|rest| rest.starts_with(" = "));
    let listings = texts.iter().filter(is_its).filter(|text| text.role != TextRole::Source);
    listings.filter_map(|text| at(text, text.text.lines().position(defines)?)).next()
}

/// The location, and the component where there is one only, in the words of a finding.
fn written_at(place: &str) -> Option<Varying> {
    let location = number_after(place, "location ")?;
    let component = number_after(place, ", component ").and_then(|component| u8::try_from(component).ok());
    Some(Varying { location, component })
}

/// The number after the last occurrence of a word: a name before it may contain that word too.
fn number_after(text: &str, word: &str) -> Option<u32> {
    let (_, rest) = text.rsplit_once(word)?;
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    rest.get(..end)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_locations_of_findings() {
        for (place, expected) in [
            ("uv (location 3, component 1)", Some((3, Some(1)))),
            ("uv (location 3, components 0, 1, 2)", Some((3, None))),
            ("location 3, component 0", Some((3, Some(0)))),
            ("a location 7 (location 4)", Some((4, None))),
            ("x (location 99999999999)", None),
            ("uv", None),
            ("", None),
        ] {
            let found = written_at(place).map(|varying| (varying.location, varying.component));
            assert_eq!(found, expected, "{place}");
        }
    }
}
