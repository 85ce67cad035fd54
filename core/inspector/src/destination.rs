//! Where findings lead: the line, varying, register, node or instruction that a finding names, or the view of its area.

use lanescope_core::findings::{Finding, ListingLine, Place, SourceLine};
use lanescope_core::graph::NodeId;
use lanescope_core::ids::Id;
use lanescope_core::program::StageKind;
use lanescope_core::report::Report;

use crate::command::Command;
use crate::mode::{Applicable, SOURCE};
use crate::selection::{Code, Selection, Varying};
use crate::source::{SourceText, TextRole};
use crate::stepping::StepCommand;
use crate::view::ViewId;

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
    /// A view.
    View(ViewId),
}

/// The view of each area, by the prefix of its codes.
const VIEWS: [(&str, ViewId); 12] = [
    ("foz.", SOURCE),
    ("pipe.", SOURCE),
    ("A", ViewId::GuessedLayout),
    ("C", ViewId::Dxil),
    ("D", ViewId::Dxil),
    ("E", ViewId::Debug),
    ("G", ViewId::Graph),
    ("I", ViewId::Isa),
    ("P", ViewId::Packing),
    ("R", ViewId::Registers),
    ("W", ViewId::Workgroup),
    ("X", ViewId::Dxil),
];

impl Destination {
    /// The most exact place that a finding names; `None` where no view shows it.
    pub fn of(finding: &Finding, report: &Report, texts: &[SourceText]) -> Option<Destination> {
        if let Some(line) = finding.line {
            return Some(Destination::Line(line));
        }
        let exact = finding.place.as_ref().and_then(|place| Destination::exact(finding, place, report, texts));
        exact.or_else(|| {
            let area = VIEWS.iter().find(|(prefix, _)| finding.code.starts_with(prefix));
            let view = area.map_or(SOURCE, |(_, view)| *view);
            Applicable::of(report, false).has(view).then_some(Destination::View(view))
        })
    }

    /// The destination of a place itself; `None` where no view shows it, and where only its text is known.
    fn exact(finding: &Finding, place: &Place, report: &Report, texts: &[SourceText]) -> Option<Destination> {
        match place {
            Place::File { path, inside } => match inside.as_deref()? {
                Place::Instruction { index, .. } => in_file(path, *index, report, texts).map(Destination::Code),
                _ => None,
            },
            Place::Instruction { index, .. } => in_stage(finding.stage?, *index, texts).map(Destination::Code),
            Place::Operation { result, source, .. } => {
                operation(finding.stage, *result, source.as_ref(), texts).map(Destination::Code)
            }
            Place::Slot { .. } | Place::Variable { .. } => varying(finding, report).map(Destination::Varying),
            Place::Register { name } => {
                let known = report.registers.iter().any(|register| *register.name == **name);
                known.then(|| Destination::Register(name.clone()))
            }
            Place::Node { .. } => node(place, report).map(Destination::Node),
            Place::Line { .. }
            | Place::Offset { .. }
            | Place::Part { .. }
            | Place::Record { .. }
            | Place::Description { .. }
            | Place::EntryPoint { .. }
            | Place::Descriptor { .. }
            | Place::PushConstants
            | Place::LayoutItem { .. }
            | Place::Call { .. }
            | Place::BuiltIn { .. }
            | Place::Attachment { .. }
            | Place::Text { .. } => None,
        }
    }

    /// The view that shows it.
    pub fn view(&self) -> ViewId {
        match self {
            Destination::Line(_) => ViewId::Dxil,
            Destination::Varying(_) => ViewId::Packing,
            Destination::Register(_) => ViewId::Registers,
            Destination::Node(_) => ViewId::Graph,
            Destination::Code(_) => SOURCE,
            Destination::View(view) => *view,
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
    match finding.place.as_ref()? {
        Place::Slot { location, components, .. } => {
            let component = match components.as_slice() {
                [component] => Some(component.0),
                _ => None,
            };
            Some(Varying { location: location.0, component })
        }
        Place::Variable { name } => {
            let interfaces = report.packing.iter().chain(&report.inner_packing);
            let mut scalars = interfaces.flat_map(|packing| &packing.interface);
            let named = scalars.find(|scalar| scalar.variable.split(['.', '[']).next() == Some(name))?;
            Some(Varying { location: named.location.0, component: None })
        }
        _ => None,
    }
}

/// The node of the report's work graph that a place names.
pub fn node(place: &Place, report: &Report) -> Option<usize> {
    let Place::Node { name, index, .. } = place else { return None };
    report.graph.as_ref()?.find(&NodeId::new(name.clone(), *index))
}

/// An instruction of the module of an input.
fn in_file(path: &str, instruction: u32, report: &Report, texts: &[SourceText]) -> Option<Code> {
    let input = report.inputs.iter().position(|input| input.path == path)?;
    let is_its = |text: &&SourceText| text.input == input && matches!(text.role, TextRole::Module(_));
    let module = texts.iter().filter(is_its).find_map(|text| Some(text.instructions.as_ref()?.module))?;
    Some(Code { module, instructions: vec![instruction] })
}

/// An instruction of the module of a stage.
fn in_stage(stage: StageKind, instruction: u32, texts: &[SourceText]) -> Option<Code> {
    let mut modules = texts.iter().filter_map(|text| text.instructions.as_ref());
    let module = modules.find(|is| is.stages.contains(&stage))?.module;
    Some(Code { module, instructions: vec![instruction] })
}

/// An instruction that ran: by its source line, else by its result.
fn operation(
    stage: Option<StageKind>,
    result: Option<Id>,
    source: Option<&SourceLine>,
    texts: &[SourceText],
) -> Option<Code> {
    let is_its = |text: &&SourceText| {
        text.instructions.as_ref().is_some_and(|is| stage.is_none_or(|stage| is.stages.contains(&stage)))
    };
    let at = |text: &SourceText, line: usize| text.instructions.as_ref()?.code(line);
    if let Some(SourceLine { file, line }) = source
        && let Some(line) = (*line as usize).checked_sub(1)
        && let Some(code) = texts
            .iter()
            .filter(is_its)
            .filter(|text| text.role == TextRole::Source && text.title.rsplit('/').next() == file.rsplit('/').next())
            .find_map(|text| at(text, line))
    {
        return Some(code);
    }
    let id = format!("%{}", result?);
    let defines = |line: &str| line.trim_start().strip_prefix(&id).is_some_and(|rest| rest.starts_with(" = "));
    let listings = texts.iter().filter(is_its).filter(|text| text.role != TextRole::Source);
    listings.filter_map(|text| at(text, text.text.lines().position(defines)?)).next()
}

#[cfg(test)]
mod tests {
    use lanescope_core::analyse;
    use lanescope_core::findings::{INPUT_NOT_WRITTEN, OPAQUE_USE};
    use lanescope_core::ids::{Component, Location};
    use lanescope_core::options::Options;
    use lanescope_core::program::Program;

    use super::*;

    fn empty() -> Report {
        analyse(&Program::default(), &Options::default()).expect("analyses")
    }

    #[test]
    fn slots_lead_to_varyings() {
        for (components, expected) in [(&[1][..], Some(1)), (&[0, 1, 2], None), (&[], None)] {
            let components = components.iter().copied().map(Component).collect();
            let place = Place::Slot { variable: Some("a".to_owned()), location: Location(3), components };
            let finding = INPUT_NOT_WRITTEN.at(Some(StageKind::Fragment), Some(place), "");
            let found = Destination::of(&finding, &empty(), &[]);
            assert_eq!(found, Some(Destination::Varying(Varying { location: 3, component: expected })));
        }
    }

    #[test]
    fn text_alone_leads_to_no_exact_place() {
        let finding = |place| OPAQUE_USE.at(Some(StageKind::Fragment), Some(place), "");
        for place in [Place::text("location 3"), Place::text("instruction #7"), Place::variable("location 3")] {
            let found = Destination::of(&finding(place), &empty(), &[]);
            assert!(!matches!(found, Some(Destination::Varying(_) | Destination::Code(_))), "{found:?}");
        }
    }
}
