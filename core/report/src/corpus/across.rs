//! Sums by compiler, side by side: what several drivers count under names of their own, and the slots of varyings.

use std::collections::BTreeMap;

use super::summary::short;
use lanescope_driver::{Measure, Value, common_measure};
use lanescope_passes::table::{Cell, Column, Meaning, Part, Table, one_line};

/// Sums of the compilers of a result. Nothing is added up over two of them.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Across {
    /// The compilers, in the order in which they were met; with whether each is RADV.
    places: Vec<(String, bool)>,
    /// By row and compiler.
    sums: BTreeMap<(Line, usize), Vec<Sum>>,
}

/// A row of the table.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Line {
    /// Pipelines that it compiled: sums of two compilers are of the same ones only where these are equal.
    Pipelines,
    /// What is read of the varyings, by its name.
    Slots(&'static str),
    Common(Measure),
}

#[derive(Debug, Clone, PartialEq)]
struct Sum {
    /// The driver's name for it; empty for what is read of varyings.
    statistic: String,
    unit: &'static str,
    value: f64,
}

impl Across {
    /// Takes a pipeline that was compiled.
    pub fn pipeline(&mut self, place: &str, driver: &str) {
        self.add(Line::Pipelines, place, driver, "", "", 1.0);
    }

    /// Takes a driver's statistic.
    pub fn statistic(&mut self, place: &str, driver: &str, name: &str, value: Value) {
        let Some((measure, unit)) = common_measure(driver, name, value) else { return };
        self.add(Line::Common(measure), place, driver, name, unit, value.number());
    }

    /// Takes a number of a compiler's slots.
    pub fn slots(&mut self, place: &str, driver: &str, name: &'static str, value: Value) {
        self.add(Line::Slots(name), place, driver, "", "", value.number());
    }

    fn add(&mut self, line: Line, place: &str, driver: &str, statistic: &str, unit: &'static str, value: f64) {
        let known = self.places.iter().position(|(own, _)| own == place);
        let at = known.unwrap_or_else(|| {
            self.places.push((place.to_owned(), driver.to_ascii_lowercase().starts_with("radv")));
            self.places.len() - 1
        });
        let sums = self.sums.entry((line, at)).or_default();
        match sums.iter_mut().find(|sum| sum.statistic == statistic) {
            Some(sum) => sum.value += value,
            None => sums.push(Sum { statistic: statistic.to_owned(), unit, value }),
        }
    }

    /// The sums: a row for each measure, a column for each compiler. None for RADV alone, whose statistics have the same
    /// names, and for one compiler.
    pub fn table(&self) -> Option<Table> {
        (self.places.len() > 1 && self.places.iter().any(|(_, is_radv)| !is_radv)).then_some(())?;
        let places = self.places.iter().map(|(place, _)| Column::left(one_line(place)));
        let columns = std::iter::once(Column::left("Total")).chain(places);
        let mut out = Table::new(columns).titled("By compiler").with_words();
        let mut lines: Vec<&Line> = self.sums.keys().map(|(line, _)| line).collect();
        lines.dedup();
        for line in lines {
            let title = match line {
                Line::Pipelines => "Pipelines",
                Line::Slots(name) => name,
                Line::Common(measure) => measure.name(),
            };
            let cells = (0..self.places.len()).map(|at| self.sums.get(&(line.clone(), at)).map_or_else(missing, cell));
            out.row(std::iter::once(title.into()).chain(cells));
        }
        Some(out)
    }
}

fn missing() -> Cell {
    Cell::of(Meaning::Missing, "")
}

fn cell(sums: &Vec<Sum>) -> Cell {
    let mut out = Cell::default();
    for sum in sums {
        let space = if sum.unit.is_empty() { "" } else { " " };
        out = out.and(Part::code(format!("{}{space}{}", short(sum.value), sum.unit)));
        if !sum.statistic.is_empty() {
            out = out.and(Part::of(Meaning::Dimmed, format!("({})", one_line(&sum.statistic))));
        }
    }
    out
}
