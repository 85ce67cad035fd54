//! Derivatives of the driver's code, joined to those of the shader and to what is predicted of them.
//!
//! A difference between lanes of a quad comes from a derivative along its axis. Which one is certain where the shader takes
//! only one, or where only one is of a value that may depend on all that the difference certainly depends on: the varyings
//! and accesses of which the origin is known. Compilers remove what a value depends on, and add nothing to it.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::DriverStage;
use crate::isa::{Axis, Feeds, IsaFacts, QuadDifference};
use lanescope_base::foreign::plain_name;
use lanescope_base::named_enum;
use lanescope_model::program::StageKind;
use lanescope_passes::workgroup::{Axis as Along, Precision, difference};
use lanescope_spirv::enums::Op;
use lanescope_spirv::{EntryPoint, Inst, InstId, Lines, Module, Slices, SourceLine};

/// A derivative of the driver's code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DriverDerivative {
    /// The instruction that subtracts (index of [`IsaFacts::instructions`]).
    pub instruction: u32,
    /// Along which axis.
    pub axis: Axis,
    /// For each lane of the quad, the two lanes that are subtracted: the right or lower one first.
    pub lanes: [[u8; 2]; 4],
    /// The instruction of the SPIR-V module that it comes from, by index; absent where that is not certain.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub spirv: Option<u32>,
    /// The name of that instruction: `OpDPdxFine`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub opcode: Option<String>,
    /// Its source line, where the module carries lines.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub line: Option<SourceLine>,
    /// Whether these are the lanes that are predicted. Absent where the answer is not the same for all derivatives of the
    /// shader that it may come from, or where there is none.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub verdict: Option<QuadVerdict>,
    /// What is predicted where that differs: pairs of lanes for each precision that is allowed.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub predicted: Vec<[[u8; 2]; 4]>,
}

named_enum!(
    /// Whether a driver subtracts the lanes that are predicted.
    QuadVerdict {
        /// It does; of a derivative whose precision SPIR-V leaves open, coarse and fine lanes both are.
        Agree = "agree",
        /// It subtracts others.
        Differ = "differ",
    }
);

/// A shader with more derivatives along an axis is not followed.
const MAX_DERIVATIVES: usize = 256;

/// What derivatives are joined by.
pub(super) struct Joiner<'a, 'm> {
    pub module: &'m Module,
    pub entry: &'a EntryPoint,
    pub stage: StageKind,
    /// The instructions of the entry point that may be run.
    pub insts: &'a [Inst<'m>],
    pub facts: &'a IsaFacts,
    /// What instructions of the assembly come from, where no other instruction of the shader can be meant.
    pub certain: &'a BTreeMap<u32, BTreeSet<u32>>,
}

impl Joiner<'_, '_> {
    /// The differences of the text, each with the derivatives that it may come from.
    pub fn joined(&self) -> Vec<(&QuadDifference, BTreeSet<u32>)> {
        let along = [Axis::X, Axis::Y].map(|axis| self.derivatives(axis));
        let of = |axis| if axis == Axis::X { &along[0] } else { &along[1] };
        let differences = &self.facts.quad_differences;
        let many = differences.iter().any(|found| of(found.axis).len() > 1);
        let room = along.iter().all(|derivatives| derivatives.len() <= MAX_DERIVATIVES);
        let slices = (many && room).then(|| Slices::new(self.module, self.entry));
        let slices: BTreeMap<u32, BTreeSet<InstId>> =
            slices.map(|slices| self.slices(&slices, &along)).unwrap_or_default();
        let feeds = if slices.is_empty() { None } else { Feeds::new(self.facts) };
        let mut out = Vec::with_capacity(differences.len());
        for found in differences {
            let all = of(found.axis);
            out.push(match feeds.as_ref().filter(|_| all.len() > 1) {
                Some(feeds) => (found, self.possible(found, all, &slices, feeds)),
                None => (found, all.clone()),
            });
        }
        out
    }

    fn slices(&self, slices: &Slices<'_>, along: &[BTreeSet<u32>; 2]) -> BTreeMap<u32, BTreeSet<InstId>> {
        let all: BTreeSet<u32> = along.iter().flatten().copied().collect();
        // The operand, or the image and the coordinates.
        let of = |at: u32| {
            (at, slices.backward([self.module.inst(InstId(at)).id_at(3), self.module.inst(InstId(at)).id_at(4)]))
        };
        all.into_iter().map(of).collect()
    }

    /// The derivatives whose operand may depend on all that a difference certainly depends on.
    fn possible(
        &self,
        found: &QuadDifference,
        all: &BTreeSet<u32>,
        slices: &BTreeMap<u32, BTreeSet<InstId>>,
        feeds: &Feeds<'_>,
    ) -> BTreeSet<u32> {
        let fed = feeds.of(found.instruction);
        // A register may hold two values of 16 bits, one of which is not of the derivative.
        let halves = |at: &u32| {
            let instruction = self.facts.instructions.get(*at as usize);
            instruction
                .is_none_or(|i| i.mnemonic.contains("16") || i.mnemonic.contains("_pk_") || i.mnemonic.contains("sdwa"))
        };
        if fed.iter().chain([&found.instruction]).any(halves) {
            return all.clone();
        }
        let needed: Vec<&BTreeSet<u32>> = fed.iter().filter_map(|at| self.certain.get(at)).collect();
        let may = |at: &&u32| {
            let slice = slices.get(*at);
            slice.is_none_or(|slice| needed.iter().all(|any| any.iter().any(|inst| slice.contains(&InstId(*inst)))))
        };
        all.iter().filter(may).copied().collect()
    }

    /// The instructions that take a derivative along an axis; in stages with workgroups those too that sample by one, unless
    /// the hardware takes it.
    ///
    /// None where the shader interpolates at another place, for which compilers take derivatives of the barycentric
    /// coordinates, and where its invocations exchange values themselves: their moves look alike.
    pub fn derivatives(&self, axis: Axis) -> BTreeSet<u32> {
        let moves = |inst: &Inst<'_>| {
            let interpolates = inst.op() == Some(Op::ExtInst) && super::INTERPOLATIONS.contains(&inst.word_at(4));
            interpolates || inst.facts().group.is_some()
        };
        if self.insts.iter().any(moves) {
            return BTreeSet::new();
        }
        let computes_levels = self.stage.has_workgroup() && samples_explicitly(self.facts);
        let is_along = |inst: &&Inst<'_>| match inst.op() {
            Some(Op::Fwidth | Op::FwidthFine | Op::FwidthCoarse) => true,
            Some(Op::DPdx | Op::DPdxFine | Op::DPdxCoarse) => axis == Axis::X,
            Some(Op::DPdy | Op::DPdyFine | Op::DPdyCoarse) => axis == Axis::Y,
            _ => computes_levels && inst.facts().derivative.is_some(),
        };
        self.insts.iter().filter(is_along).map(|inst| inst.index.0).collect()
    }
}

/// Whether code may compute a level of detail or gradients: a sample names one of them (`_d`, `_cd`, `_l`).
fn samples_explicitly(facts: &IsaFacts) -> bool {
    let samples = facts.instructions.iter().filter(|instruction| instruction.mnemonic.starts_with("image_"));
    samples.into_iter().any(|one| one.mnemonic.split('_').any(|part| ["d", "cd", "l"].contains(&part)))
}

/// The differences as rows. `joined` are they with the derivatives that each may come from.
pub(super) fn rows(
    module: &Module,
    lines: &Lines,
    joined: &[(&QuadDifference, BTreeSet<u32>)],
) -> Vec<DriverDerivative> {
    let row = |(found, possible): &(&QuadDifference, BTreeSet<u32>)| {
        let only = if possible.len() == 1 { possible.first().copied() } else { None };
        let allowed: Vec<Vec<[[u8; 2]; 4]>> =
            possible.iter().map(|at| predicted(module.inst(InstId(*at)).op(), found.axis)).collect();
        let agrees: BTreeSet<bool> = allowed.iter().map(|allowed| allowed.contains(&found.lanes)).collect();
        let verdict = match (agrees.first(), agrees.len()) {
            (Some(true), 1) => Some(QuadVerdict::Agree),
            (Some(false), 1) => Some(QuadVerdict::Differ),
            _ => None,
        };
        DriverDerivative {
            instruction: found.instruction,
            axis: found.axis,
            lanes: found.lanes,
            spirv: only,
            opcode: only.map(|at| module.inst(InstId(at)).name()),
            line: only.and_then(|at| lines.line(InstId(at))),
            verdict,
            predicted: match verdict {
                Some(QuadVerdict::Differ) => {
                    allowed.into_iter().flatten().collect::<BTreeSet<_>>().into_iter().collect()
                }
                _ => Vec::new(),
            },
        }
    };
    joined.iter().map(row).collect()
}

/// The lanes that an instruction may subtract along an axis, by its precision.
fn predicted(op: Option<Op>, axis: Axis) -> Vec<[[u8; 2]; 4]> {
    let along = if axis == Axis::X { Along::X } else { Along::Y };
    let precisions: &[Precision] = match op {
        Some(Op::DPdxFine | Op::DPdyFine | Op::FwidthFine) => &[Precision::Fine],
        Some(Op::DPdx | Op::DPdy | Op::Fwidth) => &[Precision::Coarse, Precision::Fine],
        // A level of detail is of a quad.
        _ => &[Precision::Coarse],
    };
    let lanes = |precision: &Precision| {
        [0, 1, 2, 3].map(|place| {
            let (a, b) = difference(along, *precision, place);
            [a, b].map(|lane| u8::try_from(lane).unwrap_or(u8::MAX))
        })
    };
    precisions.iter().map(lanes).collect()
}

impl DriverStage {
    /// Summary rows: those of the assembly ([`IsaFacts::summary`]), and its derivatives.
    pub fn summary(&self, facts: &IsaFacts) -> Vec<(&'static str, String)> {
        let mut rows = facts.summary();
        if !self.derivatives.is_empty() {
            let all = self.derivatives.iter().map(|found| (found.words(), found.instruction));
            let after = rows.iter().position(|(about, _)| *about == "quads").map_or(rows.len(), |at| at + 1);
            rows.insert(after, ("derivatives", facts.listed(all)));
        }
        rows
    }

    /// Descriptions of instructions ([`IsaFacts::words`]), with what is predicted of derivatives.
    pub fn words(&self, facts: &IsaFacts) -> BTreeMap<u32, String> {
        let mut words = facts.words();
        words.extend(
            self.derivatives.iter().map(|found| (found.instruction, format!("derivative in {}", found.words()))),
        );
        words
    }
}

impl DriverDerivative {
    /// `x, lanes 1−0, 1−0, 3−2, 3−2 of OpDPdx (a.frag:12): agree`.
    pub fn words(&self) -> String {
        let from = match (&self.opcode, &self.line) {
            (None, _) => "of a derivative that is not certain".to_owned(),
            (Some(opcode), None) => format!("of {opcode}"),
            (Some(opcode), Some(line)) => {
                let file = line.file.rsplit(['/', '\\']).next().unwrap_or(&line.file);
                format!("of {opcode} ({}:{})", plain_name(file), line.line)
            }
        };
        let predicted: Vec<String> = self.predicted.iter().map(pairs).collect();
        let verdict = match self.verdict {
            None => "not compared".to_owned(),
            Some(QuadVerdict::Agree) => "as predicted".to_owned(),
            Some(QuadVerdict::Differ) => format!("differs, predicted {}", predicted.join(" or ")),
        };
        format!("{}: lanes {} {from}, {verdict}", self.axis, pairs(&self.lanes))
    }
}

/// `1−0, 1−0, 3−2, 3−2`; one pair where it is that of all lanes.
fn pairs(lanes: &[[u8; 2]; 4]) -> String {
    let pair = |[a, b]: &[u8; 2]| format!("{a}−{b}");
    match lanes {
        [first, rest @ ..] if rest.iter().all(|other| other == first) => pair(first),
        _ => lanes.iter().map(pair).collect::<Vec<_>>().join(", "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanescope_passes::liveness::Liveness;
    use lanescope_testing::program;

    /// Derivatives along x that moves of a quad can be joined to, in a fragment shader.
    fn derivatives(body: &str) -> usize {
        let source = format!(
            "#extension GL_KHR_shader_subgroup_quad : require
             layout(location = 0) in vec2 uv; layout(location = 0) out vec2 color;
             void main() {{ {body} }}"
        );
        let program = program(&[("frag", &source)]);
        let module = &program.modules[0].module;
        let entry = &module.entry_points()[0];
        let insts: Vec<_> = Liveness::of(module, entry).insts().collect();
        let (facts, certain) = (IsaFacts::default(), BTreeMap::new());
        let joiner =
            Joiner { module, entry, stage: StageKind::Fragment, insts: &insts, facts: &facts, certain: &certain };
        joiner.derivatives(Axis::X).len()
    }

    #[test]
    fn moves_of_a_quad_are_derivatives_where_nothing_else_makes_them() {
        assert_eq!(derivatives("color = dFdx(uv) + dFdy(uv);"), 1);
        assert_eq!(derivatives("color = dFdx(uv) + fwidth(uv.yx);"), 2);
        assert_eq!(derivatives("color = dFdx(uv) + interpolateAtOffset(uv, vec2(0.25));"), 0);
        assert_eq!(derivatives("color = dFdx(uv) + subgroupQuadBroadcast(uv, 1u) - subgroupQuadBroadcast(uv, 0u);"), 0);
    }

    #[test]
    fn precision_that_is_left_open_is_coarse_or_fine() {
        let coarse = [[2, 0]; 4];
        let fine = [[2, 0], [3, 1], [2, 0], [3, 1]];
        assert_eq!(predicted(Some(Op::DPdy), Axis::Y), [coarse, fine]);
        assert_eq!(predicted(Some(Op::DPdyCoarse), Axis::Y), [coarse]);
        assert_eq!(predicted(Some(Op::FwidthFine), Axis::Y), [fine]);
        assert_eq!(pairs(&coarse), "2−0");
        assert_eq!(pairs(&fine), "2−0, 3−1, 2−0, 3−1");
    }
}
