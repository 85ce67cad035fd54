//! What drivers' compilers made: statistics and assembly.

use super::pairing::{Key, pairs};
use super::{Part, Row, Section, Side, TextPair};
use crate::driver::{Change, DriverStage, Link, Statistic, is_hash};

/// Compares the numbers; `source` is the index in each side's driver rows.
pub(super) fn statistics(sides: [Side<'_>; 2]) -> Section {
    let mut rows = Vec::new();
    for (name, source, stages) in stages(sides) {
        let [left, right] = stages.map(|stage| {
            // A hash only says that something else differs.
            let all = stage.map(|stage| stage.statistics.as_slice()).unwrap_or_default();
            all.iter().filter(|statistic| !is_hash(&statistic.name)).collect::<Vec<_>>()
        });
        let key: Key<'_, &Statistic> = &|statistic| Some(statistic.name.clone());
        for [l, r] in pairs(&left, &right, &[key]) {
            let both = [l.and_then(|l| left.get(l)), r.and_then(|r| right.get(r))];
            let Some(statistic) = both[1].or(both[0]) else { continue };
            let values = both.map(|side| side.map(|statistic| statistic.value));
            let shown = values.map(|value| value.map(|value| value.to_string()));
            let mut row = Row::new(&name, statistic.name.clone(), shown, source).because(statistic.description.clone());
            row.change = values[0].zip(values[1]).and_then(|(old, new)| Change::between(old, new));
            rows.push(row);
        }
    }
    let present = sides.map(|side| side.driver.iter().any(|stage| !stage.statistics.is_empty()));
    Section::new(Part::Statistics, present, rows)
}

/// Compares the texts.
pub(super) fn isa(sides: [Side<'_>; 2]) -> Section {
    let mut texts = Vec::new();
    for (name, source, stages) in stages(sides) {
        if stages.iter().flatten().any(|stage| stage.isa.is_some()) {
            let equal = matches!(stages, [Some(left), Some(right)] if left.has_same_code(right));
            texts.push(TextPair { name, equal, source, diff: String::new() });
        }
    }
    let present = sides.map(|side| side.driver.iter().any(|stage| stage.isa.is_some()));
    let equal = texts.iter().all(|text| text.equal);
    Section { texts, equal, ..Section::new(Part::Isa, present, Vec::new()) }
}

fn called(row: &DriverStage) -> String {
    row.stage.with_entry(row.entry.as_deref())
}

/// What two driver rows are called together, their indices, and they themselves.
type Pair<'a> = (String, [Option<usize>; 2], [Option<&'a DriverStage>; 2]);

/// The indices of the rows that are compared. Where the two are for different targets and each was compiled for its own,
/// these are what is compared: what one chip makes of both says nothing of two targets.
fn compared(sides: [Side<'_>; 2]) -> [Vec<usize>; 2] {
    let targets = sides.map(|side| side.report.options.target);
    let of_target = |side: Side<'_>| {
        let of = |row: &DriverStage| row.target.is_none_or(|chip| chip == side.report.options.target.into());
        side.driver.iter().enumerate().filter(|(_, row)| of(row)).map(|(index, _)| index).collect::<Vec<_>>()
    };
    let has_own = |side: &Side<'_>| side.driver.iter().any(|row| row.target == Some(side.report.options.target.into()));
    match targets[0] != targets[1] && sides.iter().all(has_own) {
        true => sides.map(of_target),
        false => sides.map(|side| (0..side.driver.len()).collect()),
    }
}

/// The driver rows that belong together: the same stage, version and chip; where chips differ, the same stage and
/// version.
fn stages(sides: [Side<'_>; 2]) -> Vec<Pair<'_>> {
    let indices = compared(sides);
    let rows = |at: usize| -> Vec<&DriverStage> {
        let (side, indices) = (sides.get(at), indices.get(at));
        indices.into_iter().flatten().filter_map(|index| side?.driver.get(*index)).collect()
    };
    let (left, right) = (rows(0), rows(1));
    let what = |row: &DriverStage| format!("{} {} {} {}", called(row), row.name, row.of, row.link);
    let here: Key<'_, &DriverStage> = &|row| Some(format!("{} {}", row.place(), what(row)));
    let anywhere: Key<'_, &DriverStage> = &|row| Some(what(row));
    let pair = |[l, r]: [Option<usize>; 2]| {
        let both = [l.and_then(|l| left.get(l)).copied(), r.and_then(|r| right.get(r)).copied()];
        let source = [(0, l), (1, r)].map(|(at, index)| indices.get(at)?.get(index?).copied());
        Some((name([&left, &right], both)?, source, both))
    };
    pairs(&left, &right, &[here, anywhere]).into_iter().filter_map(pair).collect()
}

fn name(all: [&[&DriverStage]; 2], sides: [Option<&DriverStage>; 2]) -> Option<String> {
    let row = sides[1].or(sides[0])?;
    let place = match sides {
        [Some(old), Some(new)] if old.place() != new.place() => format!("{} to {}", old.place(), new.place()),
        _ => row.place().to_owned(),
    };
    let mut name = format!("{}, {place} {}", called(row), row.of);
    let both_links =
        |rows: &[&DriverStage]| [Link::Whole, Link::Apart].iter().all(|l| rows.iter().any(|r| r.link == *l));
    if all.iter().any(|rows| both_links(rows)) {
        name.push_str(&format!(" {}", row.link));
    }
    // Several executables of one stage are distinguished by the driver's own names.
    let alike = |rows: &[&DriverStage]| {
        let same = |other: &&&DriverStage| {
            (called(other), other.of, other.link, other.place()) == (called(row), row.of, row.link, row.place())
        };
        rows.iter().filter(same).count() > 1
    };
    if all.iter().any(|rows| alike(rows)) {
        name.push_str(&format!(" ({})", row.name));
    }
    Some(name)
}
