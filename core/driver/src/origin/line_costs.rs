//! What each source line costs: registers alive at its instructions, accesses to scratch memory, instructions.
//!
//! Few origins are certain. An instruction between two of these in one block gets the lines of the nearer one, as an
//! estimate: a compiler moves instructions, so it may come from elsewhere.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use lanescope_base::findings::SourceLine;
use lanescope_passes::table::{Cell, Column, Meaning, Table};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Origin;
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

/// The source lines of an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LinesOf<'a> {
    /// The lines, each once.
    pub lines: &'a [SourceLine],
    /// Whether they are certain; an estimate otherwise.
    pub certain: bool,
}

/// The source lines of each instruction; none where no certain origin is on both sides in its block.
pub fn lines_of_instructions<'a>(origins: &'a [Origin], facts: &IsaFacts) -> Vec<Option<LinesOf<'a>>> {
    let mut out: Vec<Option<LinesOf<'a>>> = vec![None; facts.instructions.len()];
    for origin in origins.iter().filter(|origin| !origin.lines.is_empty()) {
        if let Some(of) = out.get_mut(origin.instruction as usize) {
            *of = Some(LinesOf { lines: &origin.lines, certain: true });
        }
    }
    for block in &facts.blocks {
        let first = block.first as usize;
        let end = first.saturating_add(block.count as usize).min(out.len());
        let known: Vec<(usize, &[SourceLine])> =
            (first..end).filter_map(|at| Some((at, out.get(at).copied().flatten()?.lines))).collect();
        for pair in known.windows(2) {
            let &[(before, above), (after, below)] = pair else { continue };
            for at in before + 1..after {
                let lines = if at - before < after - at { above } else { below };
                if let Some(of) = out.get_mut(at) {
                    *of = Some(LinesOf { lines, certain: false });
                }
            }
        }
    }
    out
}

/// What each source line costs, the line with the most live vector registers first. Empty where the module has no source
/// lines, no origin is certain, or the text is too tangled to follow.
pub fn line_costs(origins: &[Origin], facts: &IsaFacts) -> Vec<LineCost> {
    let mut found: BTreeMap<&SourceLine, LineCost> = BTreeMap::new();
    let mut accesses: BTreeMap<usize, u32> = BTreeMap::new();
    for access in facts.memory.iter().filter(|access| access.space == Space::Scratch) {
        *accesses.entry(access.instruction as usize).or_default() += 1;
    }
    for (at, of) in lines_of_instructions(origins, facts).into_iter().enumerate() {
        let (Some(of), Some(alive)) = (of, facts.pressure.get(at)) else { continue };
        let scratch = accesses.get(&at).copied().unwrap_or(0);
        for line in of.lines {
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
        let file = cost.at.file.rsplit(['/', '\\']).next().unwrap_or(&cost.at.file);
        let marked = |count: u32, certain: bool| match certain {
            true => Cell::code(count),
            false => Cell::code(format!("~{count}")).meaning(Meaning::Dimmed),
        };
        let count = |count: u32| if count == 0 { Cell::default() } else { Cell::code(count) };
        let estimated = if cost.estimated == 0 { Cell::default() } else { marked(cost.estimated, false) };
        let scratch = if cost.scratch == 0 { Cell::default() } else { marked(cost.scratch, cost.certain_scratch) };
        table.row([
            Cell::code(format!("{file}:{}", cost.at.line)),
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
    fn instructions_between_two_certain_ones_are_estimates() {
        let (facts, origins) = (facts(), [origin(0, &[10]), origin(4, &[20]), origin(5, &[30]), origin(6, &[])]);
        let of = lines_of_instructions(&origins, &facts);
        let of: Vec<_> = of.iter().map(|of| of.map(|of| (of.lines[0].line, of.certain))).collect();
        let expected = [(10, true), (10, false), (20, false), (20, false), (20, true), (30, true)];
        assert_eq!(of[..6], expected.map(Some));
        assert_eq!(of[6], None, "nothing certain follows it in its block");
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
