//! Lines of panes: their parts, what those select or lead to.

use std::ops::Range;
use std::sync::Arc;

use lanescope_core::driver::isa::Registers;
use lanescope_core::program::StageKind;
use lanescope_core::run::Pixels;
use lanescope_inspector::command::Command;
use lanescope_inspector::selection::{Code, Selection, Varying};
use lanescope_inspector::source::Language;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::super::prompt::Prompt;
use lanescope_text::{Printed, Target};

/// What a part of a line selects or leads to.
#[derive(Debug, Clone, PartialEq)]
pub enum Link {
    /// A scalar or a variable of the interface.
    Varying(Varying),
    /// A register, by name.
    Register(String),
    /// An invocation of the workgroup.
    Invocation([u32; 3]),
    /// What a line of a text represents.
    Origin(Origin),
    /// A stage, whose source is shown.
    Stage(StageKind),
    /// A node of the work graph.
    Node(usize),
    /// Another line of the pane.
    Line(usize),
    /// Registers of an assembly.
    Machine(Registers),
    /// Something to type.
    Ask(Prompt),
    /// Another look at the pane.
    Change(Change),
    /// These commands.
    Do(Vec<Command>),
}

/// What a line of a source or of an assembly represents. Its varyings take turns; its instructions are all selected at
/// once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Origin {
    pub varyings: Vec<Varying>,
    /// The instructions.
    pub code: Option<Code>,
}

impl Origin {
    /// A link to it; none where the line represents nothing.
    pub fn link(self) -> Option<Link> {
        (self.code.is_some() || !self.varyings.is_empty()).then_some(Link::Origin(self))
    }

    /// The selection after this one: the instructions with the first varying, then with each other one. Without
    /// instructions, nothing after the last varying. None where all of it was selected: instructions stay selected.
    pub fn next(&self, now: &Selection) -> Option<Selection> {
        let at = self.varyings.iter().position(|varying| now.varying == Some(*varying));
        let following = at.map_or(0, |at| at + 1);
        let varying = self.varyings.get(following).copied();
        if self.code.is_none() {
            return Some(Selection { varying, code: None, ..now.clone() });
        }
        if self.code != now.code {
            let varying = self.varyings.first().copied().or(now.varying);
            return Some(Selection { varying, code: self.code.clone(), ..now.clone() });
        }
        Some(Selection { varying: Some(varying?), ..now.clone() })
    }

    fn is_selected(&self, selection: &Selection) -> bool {
        let varying = || selection.varying.is_some_and(|now| self.varyings.iter().any(|own| overlap(*own, now)));
        self.has_code(selection) || varying()
    }

    /// Whether its instructions are among those that are selected.
    fn has_code(&self, selection: &Selection) -> bool {
        let both = self.code.as_ref().zip(selection.code.as_ref());
        both.is_some_and(|(own, now)| now.holds(own.module, own.instructions.iter().copied()))
    }

    fn shares(&self, other: &Origin) -> bool {
        let varying = |own: &Varying| other.varyings.iter().any(|other| overlap(*own, *other));
        self.varyings.iter().any(varying) || (self.code.is_some() && self.code == other.code)
    }
}

/// Another look at a pane.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// A z slice of lane maps.
    Slice(u32),
    /// A layer or slice of images.
    Plane(u32),
    /// The access whose lines are shown, by the number of its instruction.
    Access(u32),
    /// The workgroup whose rule sets are compared, by its number in the report.
    Workgroup(usize),
    /// The options under which two rule sets are compared, by their number in the table.
    RuleSet(usize),
    /// The column that records are sorted by.
    Sort(usize),
    /// The first record that is listed.
    First(u64),
    /// Rows of a comparison that are the same too.
    AllRows(bool),
}

/// A text in a language, from one part of a line on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Text {
    pub language: Language,
    /// It begins inside a comment or a string.
    pub open: bool,
    pub parts: [usize; 2],
}

impl Text {
    /// Whether a part is of it.
    pub fn has(&self, part: usize) -> bool {
        (self.parts[0]..self.parts[1]).contains(&part)
    }
}

/// A part of a line.
#[derive(Debug, Clone, PartialEq)]
pub struct Span {
    pub style: anstyle::Style,
    pub text: String,
    /// What it selects or leads to.
    pub link: Option<Link>,
}

/// A line.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Row {
    /// Its parts.
    pub spans: Vec<Span>,
    /// Whether it begins a section.
    pub heading: bool,
    /// Whether it begins a change of a text.
    pub change: bool,
    /// What the whole line belongs to.
    pub also: Vec<Link>,
    /// What is highlighted.
    pub code: Option<Text>,
}

impl Row {
    /// Adds a part.
    pub fn with(mut self, style: anstyle::Style, text: impl Into<String>, link: Option<Link>) -> Row {
        self.spans.push(Span { style, text: text.into(), link });
        self
    }

    pub fn text(&self) -> String {
        self.spans.iter().map(|span| span.text.as_str()).collect::<String>()
    }

    /// Its first columns.
    pub fn cut(mut self, columns: usize) -> Row {
        let mut left = columns;
        for span in &mut self.spans {
            let mut end = 0;
            for c in span.text.chars() {
                let wide = c.width().unwrap_or(1);
                if wide > left {
                    left = 0;
                    break;
                }
                left -= wide;
                end += c.len_utf8();
            }
            span.text.truncate(end);
        }
        self
    }

    /// Its columns.
    pub fn width(&self) -> usize {
        self.spans.iter().map(|span| span.text.width()).sum()
    }

    /// Whether it shows the selection.
    pub fn shows(&self, selection: &Selection) -> bool {
        let links = self.spans.iter().filter_map(|span| span.link.as_ref()).chain(&self.also);
        links.into_iter().any(|link| link.is_selected(selection))
    }

    /// Whether it shows instructions that are selected.
    pub fn shows_code(&self, selection: &Selection) -> bool {
        let links = self.spans.iter().filter_map(|span| span.link.as_ref()).chain(&self.also);
        links.into_iter().any(|link| matches!(link, Link::Origin(origin) if origin.has_code(selection)))
    }

    /// The columns that each of its links takes.
    pub fn linked(&self) -> Vec<Range<usize>> {
        let mut at = 0;
        let mut out = Vec::new();
        for span in &self.spans {
            let end = at + span.text.width();
            out.extend(span.link.iter().map(|_| at..end));
            at = end;
        }
        out
    }

    /// The columns of its links: first column, and the link.
    pub fn links(&self) -> Vec<(usize, &Link)> {
        let mut at = 0;
        let mut out = Vec::new();
        for span in &self.spans {
            out.extend(span.link.iter().map(|link| (at, link)));
            at += span.text.width();
        }
        out
    }
}

impl From<Printed> for Row {
    fn from(line: Printed) -> Row {
        let link = |target| match target {
            Target::Varying(location, component) => Link::Varying(Varying { location, component: Some(component) }),
            Target::Register(name) => Link::Register(name),
            Target::Invocation(at) => Link::Invocation(at),
        };
        let spans = line.parts.into_iter();
        let spans = spans.map(|part| Span { style: part.style, text: part.text, link: part.target.map(link) });
        Row { spans: spans.collect(), heading: line.heading, ..Row::default() }
    }
}

impl Link {
    /// Whether this selects the same as what is selected.
    pub fn is_selected(&self, selection: &Selection) -> bool {
        match self {
            Link::Varying(own) => selection.varying.is_some_and(|varying| overlap(*own, varying)),
            Link::Register(name) => selection.register.as_ref() == Some(name),
            Link::Invocation(at) => selection.invocation == Some(*at),
            Link::Origin(origin) => origin.is_selected(selection),
            // A stage is in front, not selected.
            Link::Stage(_)
            | Link::Node(_)
            | Link::Line(_)
            | Link::Machine(_)
            | Link::Ask(_)
            | Link::Change(_)
            | Link::Do(_) => false,
        }
    }

    /// Whether two places of a pane show the same.
    pub fn is_same(&self, other: &Link) -> bool {
        match (self, other) {
            (Link::Varying(a), Link::Varying(b)) => overlap(*a, *b),
            (Link::Machine(a), Link::Machine(b)) => a.overlaps(b),
            (Link::Origin(a), Link::Origin(b)) => a.shares(b),
            (Link::Stage(_) | Link::Line(_) | Link::Do(_) | Link::Ask(_) | Link::Change(_), _) => false,
            _ => self == other,
        }
    }
}

fn overlap(a: Varying, b: Varying) -> bool {
    a.location == b.location && (a.component.is_none() || b.component.is_none() || a.component == b.component)
}

/// A list among the rows that is longer than what is made of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Listed {
    /// Its first row.
    pub from: usize,
    /// The entry in that row, and how many rows there are.
    pub first: u64,
    pub rows: u64,
    /// How many entries there are.
    pub count: u64,
}

/// An image over rows: those have it as text where the terminal has no graphics.
#[derive(Debug, Clone)]
pub struct Image {
    /// Its first row, and its first column.
    pub row: usize,
    pub column: usize,
    /// Columns and rows.
    pub size: [usize; 2],
    pub pixels: Arc<Pixels>,
}

/// A row that a command leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spot {
    /// The title of the shown generation.
    Generation,
    /// The selected record.
    Record,
    /// The last row of what was unfolded.
    Unfolded,
    /// The title of a section of the manual.
    Section,
    /// The title of a text, and a stage that it shows.
    Text(Option<StageKind>),
}

/// What a pane shows.
#[derive(Debug, Default)]
pub struct Contents {
    pub rows: Vec<Row>,
    /// A list among them that is longer than what is made of it.
    pub list: Option<Listed>,
    /// Images over them.
    pub images: Vec<Image>,
    /// Rows that commands lead to.
    pub spots: Vec<(Spot, usize)>,
}

impl From<Vec<Row>> for Contents {
    fn from(rows: Vec<Row>) -> Contents {
        Contents { rows, ..Contents::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn varying(location: u32) -> Varying {
        Varying { location, component: None }
    }

    #[test]
    fn varyings_of_a_line_take_turns_and_its_instructions_stay() {
        let code = Code { module: 0, instructions: vec![4, 7] };
        let origin = Origin { varyings: vec![varying(3), varying(4)], code: Some(code.clone()) };
        let first = origin.next(&Selection::default()).expect("the first varying");
        assert_eq!((first.varying, &first.code), (Some(varying(3)), &Some(code.clone())));
        let second = origin.next(&first).expect("the second varying");
        assert_eq!((second.varying, &second.code), (Some(varying(4)), &Some(code.clone())));
        assert_eq!(origin.next(&second), None, "all of it was selected");
        // Instructions without a varying keep the selected one.
        let alone = Origin { varyings: Vec::new(), code: Some(Code { module: 1, ..code }) };
        assert_eq!(alone.next(&first).and_then(|selection| selection.varying), Some(varying(3)));
    }

    #[test]
    fn a_line_without_instructions_is_selected_and_not() {
        let origin = Origin { varyings: vec![varying(3)], code: None };
        let first = origin.next(&Selection::default()).expect("a selection");
        assert_eq!(first.varying, Some(varying(3)));
        assert_eq!(origin.next(&first), Some(Selection::default()));
        assert_eq!(Origin::default().link(), None);
    }
}
