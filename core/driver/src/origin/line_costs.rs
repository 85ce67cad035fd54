//! What each source line costs: registers alive at its instructions, accesses to scratch memory, instructions.
//!
//! Few origins are certain. An instruction between two of these in one block gets the lines of the nearer one, as an
//! estimate ([`super::nearest`]).

use std::cmp::Reverse;
use std::collections::BTreeMap;

use lanescope_base::findings::SourceLine;
use lanescope_passes::table::{Cell, Column, Meaning, Table, one_line};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Origin;
use super::nearest::{nearest, of_lines};
use crate::isa::{IsaFacts, Pressure, Space};
use crate::report::DriverStage;

/// What the instructions from one source line cost.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LineCost {
    /// The line.
    pub at: SourceLine,
    /// The most registers of each file that are alive at one of its instructions.
    pub alive: Pressure,
    /// Whether the most vector registers are alive at an instruction whose origin is certain.
    pub certain: bool,
    /// The same of scalar registers.
    pub certain_sgprs: bool,
    /// Instructions that access scratch memory: registers that are spilled, or private arrays.
    pub scratch: u32,
    /// Whether the origin of all of them is certain.
    pub certain_scratch: bool,
    /// Instructions whose origin is certain.
    pub instructions: u32,
    /// Instructions whose origin is an estimate.
    pub estimated: u32,
}

/// What each source line costs, the line with the most live vector registers first. Empty where the module has no source
/// lines, no origin is certain, or the text is too tangled to follow.
pub fn line_costs(origins: &[Origin], facts: &IsaFacts) -> Vec<LineCost> {
    let mut found: BTreeMap<&SourceLine, LineCost> = BTreeMap::new();
    let mut accesses: BTreeMap<usize, u32> = BTreeMap::new();
    for access in facts.memory.iter().filter(|access| access.space == Space::Scratch) {
        *accesses.entry(access.instruction as usize).or_default() += 1;
    }
    for (at, of) in nearest(origins.iter().filter(of_lines), facts).into_iter().enumerate() {
        let (Some(of), Some(alive)) = (of, facts.pressure.get(at)) else { continue };
        let scratch = accesses.get(&at).copied().unwrap_or(0);
        for line in &of.origin.lines {
            let cost = found.entry(line).or_insert_with(|| LineCost {
                at: line.clone(),
                alive: Pressure::default(),
                certain: false,
                certain_sgprs: false,
                scratch: 0,
                certain_scratch: true,
                instructions: 0,
                estimated: 0,
            });
            if alive.vgprs > cost.alive.vgprs {
                (cost.alive.vgprs, cost.certain) = (alive.vgprs, of.certain);
            }
            cost.certain |= of.certain && alive.vgprs == cost.alive.vgprs;
            if alive.sgprs > cost.alive.sgprs {
                (cost.alive.sgprs, cost.certain_sgprs) = (alive.sgprs, of.certain);
            }
            cost.certain_sgprs |= of.certain && alive.sgprs == cost.alive.sgprs;
            cost.scratch = cost.scratch.saturating_add(scratch);
            cost.certain_scratch &= of.certain || scratch == 0;
            let count = if of.certain { &mut cost.instructions } else { &mut cost.estimated };
            *count = count.saturating_add(1);
        }
    }
    let mut all: Vec<LineCost> = found.into_values().collect();
    all.sort_by_key(|cost| {
        let instructions = u64::from(cost.instructions) + u64::from(cost.estimated);
        (Reverse(cost.alive.vgprs), Reverse(cost.scratch), Reverse(instructions))
    });
    all
}

impl DriverStage {
    /// What each source line costs in this code: see [`line_costs`].
    pub fn line_costs(&self) -> Vec<LineCost> {
        self.read_text().map(|facts| line_costs(&self.origins, &facts)).unwrap_or_default()
    }
}

/// The source line with the most live vector registers over all compilations, in one sentence; of equal ones that of the
/// first compilation. Where more are alive at an instruction without a known line, that is said too. None where no source line is known.
pub fn costliest(rows: &[DriverStage]) -> Option<String> {
    let mut most: Option<(&DriverStage, LineCost)> = None;
    for row in rows {
        if let Some(first) = row.line_costs().into_iter().next()
            && most.as_ref().is_none_or(|(_, cost)| first.alive.vgprs > cost.alive.vgprs)
        {
            most = Some((row, first));
        }
    }
    let (row, cost) = most?;
    let about = if cost.certain { "" } else { "~" };
    let (place, vgprs) = (place(&cost), cost.alive.vgprs);
    let peak = row.read_text().and_then(|facts| facts.pressure.iter().map(|live| live.vgprs).max()).unwrap_or(0);
    let unknown = if peak > vgprs { format!("; {peak} where no line is known") } else { String::new() };
    let of = format!("{} {}, {}", row.place(), row.of, row.title());
    Some(format!("Of known lines, most live registers at {place}: {about}{vgprs} VGPRs ({of}{unknown})"))
}

/// `a.frag:12`, without the folders of the file.
fn place(cost: &LineCost) -> String {
    let file = cost.at.file.rsplit(['/', '\\']).next().unwrap_or(&cost.at.file);
    one_line(&format!("{file}:{}", cost.at.line))
}

/// The costs of the source lines of one compilation, as a table. Estimates have a tilde.
pub fn line_cost_table(of: &DriverStage, costs: &[LineCost]) -> Table {
    let columns = [
        Column::left("Source line"),
        Column::right("Live VGPRs").help(
            "The most vector registers alive at an instruction of the line; ~: the instruction's origin is an estimate",
        ),
        Column::right("Live SGPRs").help("The most scalar registers alive at an instruction of the line"),
        Column::right("Scratch").help("Instructions that access scratch memory: spilled registers, or private arrays"),
        Column::right("Instructions").help("Instructions that certainly come from the line"),
        Column::right("Estimated").help("Instructions between two certain ones, with the line of the nearer one"),
    ];
    let mut table = Table::new(columns).titled(format!("{}, {} {}", of.title(), of.place(), of.of)).with_words();
    for cost in costs {
        let marked = |count: u32, certain: bool| match certain {
            true => Cell::code(count),
            false => Cell::code(format!("~{count}")).meaning(Meaning::Dimmed),
        };
        let count = |count: u32| if count == 0 { Cell::default() } else { Cell::code(count) };
        let estimated = if cost.estimated == 0 { Cell::default() } else { marked(cost.estimated, false) };
        let scratch = if cost.scratch == 0 { Cell::default() } else { marked(cost.scratch, cost.certain_scratch) };
        table.row([
            Cell::code(place(cost)),
            marked(cost.alive.vgprs.into(), cost.certain),
            marked(cost.alive.sgprs.into(), cost.certain_sgprs),
            scratch,
            count(cost.instructions),
            estimated,
        ]);
    }
    table
}

/// The requested costs of source lines of all compilations, one row for each line.
pub fn line_cost_values(rows: &[DriverStage]) -> Table {
    let left = ["stage", "place", "version", "file", "line"].map(Column::left);
    let right =
        ["vgprs", "certain", "sgprs", "certain_sgprs", "scratch", "certain_scratch", "instructions", "estimated"]
            .map(Column::right);
    let mut table = Table::new(left.into_iter().chain(right));
    for (row, cost) in rows.iter().flat_map(|row| row.lines.iter().map(move |cost| (row, cost))) {
        table.row([
            Cell::code(row.title()),
            Cell::code(row.place()),
            Cell::code(row.of),
            Cell::code(&cost.at.file),
            Cell::code(cost.at.line),
            Cell::code(cost.alive.vgprs),
            Cell::code(cost.certain),
            Cell::code(cost.alive.sgprs),
            Cell::code(cost.certain_sgprs),
            Cell::code(cost.scratch),
            Cell::code(cost.certain_scratch),
            Cell::code(cost.instructions),
            Cell::code(cost.estimated),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::super::OriginRule;
    use super::*;
    use crate::isa::{Block, Does, Instruction, Memory};

    fn facts() -> IsaFacts {
        let instruction = |line| Instruction {
            line,
            mnemonic: "v_mov_b32".to_owned(),
            operands: Vec::new(),
            modifiers: Vec::new(),
            words: String::new(),
            repeated: 0,
        };
        let block = |first, count| Block { label: None, line: first, first, count, successors: Vec::new() };
        let pressure = [4, 5, 9, 6, 7, 8, 2].map(|vgprs| Pressure { vgprs, sgprs: 3 });
        IsaFacts {
            instructions: (0..7).map(instruction).collect(),
            blocks: vec![block(0, 5), block(5, 2)],
            pressure: pressure.to_vec(),
            memory: vec![Memory { instruction: 3, space: Space::Scratch, does: Does::Load }],
            ..IsaFacts::default()
        }
    }

    fn origin(instruction: u32, lines: &[u32]) -> Origin {
        let line = |line: &u32| SourceLine { file: "src/a.frag".to_owned(), line: *line };
        Origin { instruction, spirv: Vec::new(), lines: lines.iter().map(line).collect(), by: OriginRule::Varying }
    }

    #[test]
    fn lines_are_ranked_by_live_registers() {
        let (facts, origins) = (facts(), [origin(0, &[10]), origin(4, &[20]), origin(5, &[30])]);
        let costs = line_costs(&origins, &facts);
        let of = |cost: &LineCost| {
            let LineCost { at, alive, certain, scratch, certain_scratch, instructions, estimated, .. } = cost;
            (at.line, alive.vgprs, *certain, [*scratch, u32::from(*certain_scratch)], *instructions, *estimated)
        };
        assert_eq!(
            costs.iter().map(of).collect::<Vec<_>>(),
            [(20, 9, false, [1, 0], 1, 2), (30, 8, true, [0, 1], 1, 0), (10, 5, false, [0, 1], 1, 1)]
        );
        assert!(line_costs(&origins, &IsaFacts { pressure: Vec::new(), ..facts }).is_empty(), "too tangled");
    }
}
