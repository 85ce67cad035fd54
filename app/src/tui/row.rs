//! The lines of a pane: parts in their styles, and what they select or lead to.

use lanescope_core::driver::isa::Registers;
use lanescope_inspector::command::Command;
use lanescope_inspector::selection::{Code, Selection, Varying};
use lanescope_inspector::source::Language;
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use super::prompt::Prompt;
use crate::cli::text::{Printed, Target};

/// What a part of a line selects or leads to.
#[derive(Debug, Clone, PartialEq)]
pub enum Link {
    /// A scalar or a variable of the interface.
    Varying(Varying),
    /// A register, by name.
    Register(String),
    /// An invocation of the workgroup.
    Invocation([u32; 3]),
    /// Instructions of a module.
    Code(Code),
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

/// Another look at a pane.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// A z slice of lane maps.
    Slice(u32),
    /// A layer or slice of images.
    Plane(u32),
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
    /// The language.
    pub language: Language,
    /// It begins inside a comment or a string.
    pub open: bool,
    /// The first part that is of it.
    pub from: usize,
}

/// A part of a line.
#[derive(Debug, Clone, PartialEq)]
pub struct Span {
    /// Its style.
    pub style: anstyle::Style,
    /// Its text.
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

    /// Its text.
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
    pub(super) fn shows(&self, selection: &Selection) -> bool {
        let links = self.spans.iter().filter_map(|span| span.link.as_ref()).chain(&self.also);
        links.into_iter().any(|link| link.is_selected(selection))
    }

    /// The columns of its links: first column, and the link.
    pub(super) fn links(&self) -> Vec<(usize, &Link)> {
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
    pub(super) fn is_selected(&self, selection: &Selection) -> bool {
        match self {
            Link::Varying(own) => selection.varying.is_some_and(|varying| overlap(*own, varying)),
            Link::Register(name) => selection.register.as_ref() == Some(name),
            Link::Invocation(at) => selection.invocation == Some(*at),
            Link::Code(code) => {
                let holds = |of: &Code| of.holds(code.module, code.instructions.iter().copied());
                selection.code.as_ref().is_some_and(holds)
            }
            Link::Node(_) | Link::Line(_) | Link::Machine(_) | Link::Ask(_) | Link::Change(_) | Link::Do(_) => false,
        }
    }

    /// Whether two places of a pane show the same.
    pub(super) fn is_same(&self, other: &Link) -> bool {
        match (self, other) {
            (Link::Varying(a), Link::Varying(b)) => overlap(*a, *b),
            (Link::Machine(a), Link::Machine(b)) => a.overlaps(b),
            (Link::Line(_) | Link::Do(_) | Link::Ask(_) | Link::Change(_), _) => false,
            _ => self == other,
        }
    }
}

fn overlap(a: Varying, b: Varying) -> bool {
    a.location == b.location && (a.component.is_none() || b.component.is_none() || a.component == b.component)
}
