//! Figures of a graph before and after an addition.

use super::super::report::{ArrayBound, Declared, GenerationBound, LevelCost, Memory};
use super::super::scheduler::LIST_ENTRY;
use super::report::{Figure, GenerationFigure, Unit};
use lanescope_passes::graph::{Addition, WorkGraph};

/// What a figure is of a part of the sheet.
type Of<'a, T, N> = &'a dyn Fn(&T) -> N;
/// What one is of the most of a generation; none where that is unbounded.
type OfBound<'a> = Of<'a, ArrayBound, Option<u64>>;

/// Figures of the whole graph. Those of levels are left out if the scheduler refuses one of the two.
pub(super) fn figures(both: &Addition, before: &Declared, after: &Declared) -> Vec<Figure> {
    let mut out = Vec::new();
    let entries = |graph: &WorkGraph| graph.nodes.iter().filter(|node| node.starts()).count() as u64;
    let of_graph: [(&str, &str, Of<'_, WorkGraph, u64>); 4] = [
        ("nodes", "D", &|graph| graph.nodes.len() as u64),
        ("entry points", "D", &entries),
        ("node IDs of the limit of 16777215", "D", &|graph| graph.slots),
        ("nodes on the longest chain, of 32", "D", &|graph| graph.depth.into()),
    ];
    for (figure, mark, of) in of_graph {
        out.push(of_two(figure, mark, Unit::Count, Some(of(&both.base)), Some(of(&both.whole))));
    }
    if !before.levels.is_empty() && !after.levels.is_empty() {
        let of_levels: [(&str, Of<'_, LevelCost, u64>); 3] = [
            ("dispatches of nodes, all levels", &|level| level.node_dispatches),
            ("other dispatches", &|level| level.meta_dispatches),
            ("barriers", &|level| level.barriers),
        ];
        let levels = [before, after].map(|of| Some(of.levels.len() as u64));
        out.push(of_two("levels", "S", Unit::Count, levels[0], levels[1]));
        for (figure, of) in of_levels {
            let [before, after] = [before, after].map(|all| Some(all.levels.iter().map(of).sum::<u64>()));
            out.push(of_two(figure, "S", Unit::Count, before, after));
        }
    }
    memory(&mut out, &before.memory, &after.memory);
    out
}

fn memory(out: &mut Vec<Figure>, before: &Memory, after: &Memory) {
    let bytes = |figure: &str, mark: &str, of: &dyn Fn(&Memory) -> Option<u64>| {
        of_two(figure, mark, Unit::Bytes, of(before), of(after))
    };
    out.push(bytes("scratch", "S", &|memory| Some(memory.scratch)));
    out.push(bytes("least backing memory", "S", &|memory| memory.backing.first().copied()));
    out.push(bytes("most backing memory", "S", &|memory| memory.backing.last().copied()));
    for (room, other) in before.rooms.iter().zip(&after.rooms) {
        out.push(of_two(&format!("worst case of {}", room.holds), "C", Unit::Bytes, room.worst, other.worst));
    }
    out.push(bytes("smallest ring of two halves", "C", &|memory| memory.smallest_ring));
}

fn of_two(figure: &str, mark: &str, unit: Unit, before: Option<u64>, after: Option<u64>) -> Figure {
    Figure { figure: figure.to_owned(), mark: mark.to_owned(), unit, before, after }
}

/// The most of each generation that either graph may have.
pub(super) fn generations(before: &[GenerationBound], after: &[GenerationBound]) -> Vec<GenerationFigure> {
    let all = before.iter().chain(after).map(|bound| bound.generation);
    let Some(last) = all.max() else { return Vec::new() };
    let figures: [(&str, Unit, OfBound<'_>); 5] = [
        ("records in", Unit::Count, &|bound| bound.records),
        ("groups", Unit::Count, &|bound| bound.groups),
        ("records out", Unit::Count, &|bound| bound.written),
        ("payload", Unit::Bytes, &|bound| bound.payload),
        ("list", Unit::Bytes, &|bound| Some(bound.allocations?.saturating_mul(LIST_ENTRY))),
    ];
    let mut out = Vec::new();
    for generation in 0..=last {
        for (figure, unit, of) in &figures {
            let [before, after] = [before, after].map(|bounds| most(bounds, generation, of));
            out.push(GenerationFigure { generation, figure: (*figure).to_owned(), unit: *unit, before, after });
        }
    }
    out
}

/// The most of a generation. Those after the last one are unbounded if that is, else they have nothing.
fn most(bounds: &[GenerationBound], generation: u32, of: &dyn Fn(&ArrayBound) -> Option<u64>) -> Option<u64> {
    match bounds.iter().find(|bound| bound.generation == generation) {
        Some(bound) => of(&bound.total),
        None if bounds
            .last()
            .is_some_and(|last| !last.arrays.is_empty() && last.arrays.iter().all(|is| is.records.is_none())) =>
        {
            None
        }
        None => Some(0),
    }
}
