//! The origin of each instruction: its own where that is certain, else that of the nearer certain one.
//!
//! Few origins are certain. An instruction between two of these in one block has the origin of the nearer one as an
//! estimate: a compiler moves instructions, so it may come from elsewhere.

use super::Origin;
use crate::isa::IsaFacts;

/// The origin of an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Nearest<'a> {
    /// Its own, or that of the nearer of the two certain ones around it.
    pub origin: &'a Origin,
    /// Whether it is its own; an estimate otherwise.
    pub certain: bool,
}

/// The origin of each instruction; none where no certain origin is on both sides in its block. Of two at one distance it
/// is the later one.
pub fn nearest<'a>(origins: impl IntoIterator<Item = &'a Origin>, facts: &IsaFacts) -> Vec<Option<Nearest<'a>>> {
    let mut out: Vec<Option<Nearest<'a>>> = vec![None; facts.instructions.len()];
    for origin in origins {
        if let Some(of) = out.get_mut(origin.instruction as usize) {
            *of = Some(Nearest { origin, certain: true });
        }
    }
    for block in &facts.blocks {
        let first = block.first as usize;
        let end = first.saturating_add(block.count as usize).min(out.len());
        let known: Vec<(usize, &Origin)> =
            (first..end).filter_map(|at| Some((at, out.get(at).copied().flatten()?.origin))).collect();
        for pair in known.windows(2) {
            let &[(before, above), (after, below)] = pair else { continue };
            for at in before + 1..after {
                let origin = if at - before < after - at { above } else { below };
                if let Some(of) = out.get_mut(at) {
                    *of = Some(Nearest { origin, certain: false });
                }
            }
        }
    }
    out
}

/// Whether an origin has source lines.
pub fn of_lines(origin: &&Origin) -> bool {
    !origin.lines.is_empty()
}

/// The origins that estimates are made from: those with source lines where the module has any, else all.
pub fn for_estimates(origins: &[Origin]) -> impl Iterator<Item = &Origin> {
    let has_lines = origins.iter().any(|origin| of_lines(&origin));
    origins.iter().filter(move |origin| !has_lines || of_lines(origin))
}

#[cfg(test)]
mod tests {
    use super::super::OriginRule;
    use super::*;
    use crate::isa::{Block, Instruction};
    use lanescope_base::findings::SourceLine;

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
        IsaFacts {
            instructions: (0..7).map(instruction).collect(),
            blocks: vec![block(0, 5), block(5, 2)],
            ..IsaFacts::default()
        }
    }

    fn origin(instruction: u32, lines: &[u32]) -> Origin {
        let line = |line: &u32| SourceLine { file: "src/a.frag".to_owned(), line: *line };
        Origin {
            instruction,
            spirv: vec![instruction],
            lines: lines.iter().map(line).collect(),
            by: OriginRule::Varying,
        }
    }

    #[test]
    fn instructions_between_two_certain_ones_are_estimates() {
        let (facts, origins) = (facts(), [origin(0, &[10]), origin(4, &[20]), origin(5, &[30]), origin(6, &[])]);
        let of = nearest(for_estimates(&origins), &facts);
        let of: Vec<_> = of.iter().map(|of| of.map(|of| (of.origin.lines[0].line, of.certain))).collect();
        let expected = [(10, true), (10, false), (20, false), (20, false), (20, true), (30, true)];
        assert_eq!(of[..6], expected.map(Some));
        assert_eq!(of[6], None, "nothing certain follows it in its block");
    }

    #[test]
    fn without_source_lines_all_origins_are_taken() {
        let (facts, origins) = (facts(), [origin(0, &[]), origin(2, &[])]);
        let of: Vec<_> = nearest(for_estimates(&origins), &facts);
        let of: Vec<_> = of.iter().map(|of| of.map(|of| (of.origin.spirv[0], of.certain))).collect();
        assert_eq!(of[..4], [Some((0, true)), Some((2, false)), Some((2, true)), None]);
    }
}
