//! What drivers' compilers made: statistics and assembly.

use super::pairing::{Key, pairs};
use super::{Part, Row, Section, Side, TextPair};
use lanescope_driver::{Change, DriverStage, Link, Statistic, is_hash};

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

/// Whether the two are for different targets, and each was compiled for its own.
fn are_for_two_targets(sides: [Side<'_>; 2]) -> bool {
    let [left, right] = sides.map(|side| side.report.options.target);
    let has_own = |side: &Side<'_>| side.driver.iter().any(|row| row.target == Some(side.report.options.target.into()));
    left != right && sides.iter().all(has_own)
}

/// A row, and whether it is of its side's own target, where the two are for different ones.
type Owned<'a> = (&'a DriverStage, bool);

/// The driver rows that belong together: the same stage, version and chip; where chips differ, the same stage and
/// version. Of two targets, what each was compiled to comes first: what one chip makes of both says nothing of that.
fn stages(sides: [Side<'_>; 2]) -> Vec<Pair<'_>> {
    let two = are_for_two_targets(sides);
    let [left, right] = sides.map(|side| -> Vec<Owned<'_>> {
        let own = side.report.options.target.into();
        side.driver.iter().map(|row| (row, two && row.target == Some(own))).collect()
    });
    let what = |row: &DriverStage| format!("{} {} {} {}", called(row), row.name, row.of, row.link);
    let of_own: Key<'_, Owned<'_>> = &|(row, is_own)| is_own.then(|| what(row));
    let here: Key<'_, Owned<'_>> = &|(row, _)| Some(format!("{} {}", row.place(), what(row)));
    let anywhere: Key<'_, Owned<'_>> = &|(row, _)| (!two).then(|| what(row));
    let all = sides.map(|side| side.driver.iter().collect::<Vec<_>>());
    // What a side made for the other's target is not what is compared. A row of its own target is, also without a partner.
    let targets = sides.map(|side| Some(side.report.options.target.into()));
    let is_of_other = |row: &DriverStage, other: usize| two && row.target == targets[other];
    let pair = |[l, r]: [Option<usize>; 2]| {
        let both = [l.and_then(|l| all[0].get(l)).copied(), r.and_then(|r| all[1].get(r)).copied()];
        let is_hidden = match both {
            [Some(row), None] => is_of_other(row, 1),
            [None, Some(row)] => is_of_other(row, 0),
            _ => false,
        };
        (!is_hidden).then_some(())?;
        Some((name([&all[0], &all[1]], both)?, [l, r], both))
    };
    pairs(&left, &right, &[of_own, here, anywhere]).into_iter().filter_map(pair).collect()
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
