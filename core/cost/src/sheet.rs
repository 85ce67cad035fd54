//! A sheet of costs, section by section: text, window and terminal draw the same one.

use std::borrow::Cow;

use crate::strip::Strip;
use lanescope_base::text_format::counted;
use lanescope_passes::table::{Key, Table};

/// Sections, in the order in which they are read.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Sheet {
    /// The sections.
    pub sections: Vec<Section>,
}

/// A titled part of a sheet.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Section {
    /// The title.
    pub title: Cow<'static, str>,
    /// What the title says besides; may be empty.
    pub note: String,
    /// What it consists of.
    pub parts: Vec<Part>,
}

/// A part of a section.
#[derive(Debug, Clone, PartialEq)]
pub enum Part {
    /// A paragraph.
    Prose(String),
    /// An item of a list.
    Item(String),
    /// A table.
    Table(Table),
    /// A table whose keys are nodes of the work graph, by index.
    Nodes(Table),
    /// What lies where; its items are nodes of the work graph, by index.
    Strip(Strip),
}

impl Part {
    /// A table whose rows lead nowhere.
    pub(crate) fn table(mut table: Table) -> Part {
        table.rows.iter_mut().for_each(|row| row.key = Key::None);
        Part::Table(table)
    }

    /// Whether an empty line is between the part and the next one: items of a list follow one another.
    pub fn is_apart(&self, next: &Part) -> bool {
        !matches!((self, next), (Part::Item(_), Part::Item(_)))
    }

    /// The part, and a line for what was left out of it.
    fn at_most(mut self, rows: usize) -> impl Iterator<Item = Part> {
        let mut more = 0;
        if let Part::Table(table) | Part::Nodes(table) = &mut self {
            more = table.rows.len().saturating_sub(rows);
            table.rows.truncate(rows);
        }
        let rest = (more > 0).then(|| Part::Prose(format!("and {}", counted(more, "more row"))));
        std::iter::once(self).chain(rest)
    }
}

impl Sheet {
    pub(crate) fn section(
        &mut self,
        title: impl Into<Cow<'static, str>>,
        note: impl Into<String>,
        parts: impl IntoIterator<Item = Part>,
    ) {
        self.sections.push(Section { title: title.into(), note: note.into(), parts: parts.into_iter().collect() });
    }

    /// A section of the items; none where there is none.
    pub(crate) fn notes(&mut self, notes: &[String]) {
        if !notes.is_empty() {
            self.section("Notes", "", notes.iter().cloned().map(Part::Item));
        }
    }

    /// The sheet with at most so many rows of each table, and how many are left out of it.
    pub fn at_most(mut self, rows: usize) -> Sheet {
        for section in &mut self.sections {
            let items = section.parts.iter().filter(|part| matches!(part, Part::Item(_))).count();
            if items > rows {
                section.parts.truncate(rows);
                section.parts.push(Part::Item(format!("and {}", counted(items - rows, "more note"))));
            }
            section.parts =
                std::mem::take(&mut section.parts).into_iter().flat_map(|part| part.at_most(rows)).collect();
        }
        self
    }

    /// All tables, with tabs between columns, each after its title.
    pub fn to_tabs(&self) -> String {
        let tables = self.sections.iter().flat_map(|section| {
            let tables = section.parts.iter().filter_map(|part| match part {
                Part::Table(table) | Part::Nodes(table) => Some(table),
                Part::Prose(_) | Part::Item(_) | Part::Strip(_) => None,
            });
            tables.map(|table| format!("{}\n{}", section.title, table.to_tabs()))
        });
        tables.collect::<Vec<_>>().join("\n")
    }
}
