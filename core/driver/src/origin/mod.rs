//! Which instructions of a shader an instruction of its assembly comes from, where that is certain.
//!
//! The assembly carries no debug information in any version of Mesa. So the origins are those that the shader's interface
//! and its effects determine: reads and writes of varyings, exports to attachments, positions and depth, barriers, operations
//! of which the shader and the assembly hold one each, and derivatives ([`DriverDerivative`]). From Mesa 26 on the driver's own
//! debug information adds others ([`debug_info`]). An instruction's line follows where the module carries lines.

pub mod debug_info;
mod derivatives;
pub mod line_costs;
pub mod live;
pub mod nearest;

pub use derivatives::{DriverDerivative, QuadVerdict};

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::executable::Version;
use super::isa::{BarrierPart, Does, ExportTarget, IsaFacts, QuadDifference, Space};
use super::layout::{LayoutTable, VaryingAccess, varying_accesses};
use super::report::DriverStage;
use derivatives::Joiner;
use lanescope_base::named_enum;
use lanescope_model::program::{Program, StageKind};
use lanescope_passes::liveness::{Liveness, Touch};
use lanescope_passes::packing::Place;
use lanescope_passes::packing::interface::{Arrayed, Interface};
use lanescope_spirv::enums::{BuiltIn, Decoration, Op, StorageClass};
use lanescope_spirv::opcode::{ImageUse, Memory};
use lanescope_spirv::{Lines, Module, SourceLine, facts};

/// Where an instruction of the assembly comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Origin {
    /// The instruction (index of [`IsaFacts::instructions`]).
    pub instruction: u32,
    /// Instructions of the SPIR-V module that it comes from, by index: lines of its disassembly.
    pub spirv: Vec<u32>,
    /// Their source lines, each once; none where the module carries no lines.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub lines: Vec<SourceLine>,
    /// How that is known.
    pub by: OriginRule,
}

named_enum!(
    /// How an instruction's origin is known.
    OriginRule {
        /// It reads or writes varyings: the loads, interpolations or stores of these.
        Varying = "varying",
        /// It exports what the shader writes to an attachment, a position or the depth: the stores of that.
        Output = "output",
        /// Barriers keep their order, and there are as many in the shader.
        InOrder = "in-order",
        /// The shader and the assembly hold one such operation each; of a derivative along an axis, all differences in the
        /// quad come from it.
        OnlyOne = "only-one",
        /// Of several derivatives along an axis, it is the only one whose operand may depend on all that the difference
        /// certainly depends on.
        Inputs = "inputs",
        /// The driver's debug information names it ([`debug_info`]).
        DebugInformation = "debug-information",
    }
);

/// What is known of where a stage's code comes from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Origins {
    /// The origins of instructions, in order.
    pub instructions: Vec<Origin>,
    /// The derivatives of the code.
    pub derivatives: Vec<DriverDerivative>,
}

/// The origins of a stage's instructions. `carried` are the varyings that they read and write, `traced` is the driver's text
/// with its debug information.
///
/// The program is the one as loaded: places of varyings are those as authored.
pub fn origins(
    program: &Program,
    stage: StageKind,
    facts: &IsaFacts,
    carried: &VaryingAccess,
    traced: Option<&str>,
) -> Origins {
    let Some(stage) = program.stages.iter().find(|other| other.stage == stage) else { return Origins::default() };
    let module = program.module_of(stage);
    let Some(entry) = module.entry_points().get(stage.entry_index) else { return Origins::default() };
    let live = Liveness::of(module, entry);
    let mut found = Finder { module, stage: stage.stage, touches: live.touches(), live: &live }.all(facts, carried);
    let certain = certain(&found, carried);
    let insts: Vec<_> = live.insts().collect();
    let joiner = Joiner { module, entry, stage: stage.stage, insts: &insts, facts, certain: &certain };
    let joined = joiner.joined();
    for (instruction, origin) in of_differences(&joined, &joiner) {
        found.entry(instruction).or_insert(origin);
    }
    for (instruction, spirv) in traced.map(|text| debug_info::origins(module, text, facts)).unwrap_or_default() {
        found.entry(instruction).or_insert((BTreeSet::from([spirv]), OriginRule::DebugInformation));
    }
    let lines = Lines::of(module);
    let line = |inst: &u32| lines.line(lanescope_spirv::InstId(*inst));
    let origin = |(instruction, (spirv, by)): (u32, (BTreeSet<u32>, OriginRule))| Origin {
        instruction,
        lines: spirv.iter().filter_map(line).collect::<BTreeSet<_>>().into_iter().collect(),
        spirv: spirv.into_iter().collect(),
        by,
    };
    let derivatives = derivatives::rows(module, &lines, &joined);
    Origins { instructions: found.into_iter().map(origin).collect(), derivatives }
}

/// The origins that no other instruction of the shader shares: those of varyings where all that an attribute holds is known,
/// and of operations that both sides have once.
fn certain(found: &Found, carried: &VaryingAccess) -> BTreeMap<u32, BTreeSet<u32>> {
    let counts = |by: &OriginRule| match by {
        OriginRule::Varying => carried.unknown.is_none(),
        by => *by == OriginRule::OnlyOne,
    };
    found.iter().filter(|(_, (_, by))| counts(by)).map(|(at, (spirv, _))| (*at, spirv.clone())).collect()
}

/// The origins of what differences consist of: of a subtraction, and of the moves that all differences with a certain origin
/// are made of.
fn of_differences(joined: &[(&QuadDifference, BTreeSet<u32>)], joiner: &Joiner<'_, '_>) -> Found {
    let mut parts: BTreeMap<u32, (BTreeSet<u32>, bool, bool)> = BTreeMap::new();
    for (found, possible) in joined {
        let alone = joiner.derivatives(found.axis).len() == 1;
        for part in found.permutes.iter().chain([&found.instruction]) {
            let (all, certain, only) = parts.entry(*part).or_insert_with(|| (BTreeSet::new(), true, true));
            all.extend(possible);
            *certain &= possible.len() == 1;
            *only &= alone;
        }
    }
    let certain = parts.into_iter().filter(|(_, (_, certain, _))| *certain);
    let rule = |only| if only { OriginRule::OnlyOne } else { OriginRule::Inputs };
    certain.map(|(part, (all, _, only))| (part, (all, rule(only)))).collect()
}

/// Fills [`DriverStage::origins`] and [`DriverStage::derivatives`] of a report's rows. `tables` are its layouts; `traced` are
/// rows of the same compilations made with the driver's debug information, if any.
pub fn fill(program: &Program, rows: &mut [DriverStage], tables: &[LayoutTable], traced: &[DriverStage]) {
    let found: Vec<Origins> = rows
        .iter()
        .map(|row| {
            let Some(facts) = row.read_isa() else { return Origins::default() };
            // Of several stages that a driver merged, the stage of an instruction is not known.
            if !row.merged.is_empty() {
                return Origins::default();
            }
            let is_same = |other: &&DriverStage| {
                let of = |row: &DriverStage| (row.of, row.link, row.stage, row.entry.clone());
                // Its offsets are those of the module as loaded.
                row.of == Version::Original && of(row) == of(other) && row.is_of_same_compiler(other)
            };
            let traced = traced.iter().find(is_same).and_then(|row| row.text(debug_info::TEXT));
            origins(program, row.stage, &facts, &varying_accesses(tables, rows, row, &facts), traced)
        })
        .collect();
    for (row, origins) in rows.iter_mut().zip(found) {
        row.origins = origins.instructions;
        row.derivatives = origins.derivatives;
    }
}

type Found = BTreeMap<u32, (BTreeSet<u32>, OriginRule)>;

struct Finder<'a, 'm> {
    module: &'m Module,
    stage: StageKind,
    touches: Vec<Touch>,
    live: &'a Liveness<'m>,
}

impl Finder<'_, '_> {
    fn all(&self, facts: &IsaFacts, carried: &VaryingAccess) -> Found {
        let mut found = Found::new();
        let mut add = |instruction: u32, spirv: BTreeSet<u32>, by| {
            if !spirv.is_empty() {
                found.entry(instruction).or_insert((spirv, by));
            }
        };
        let fragment = self.stage == StageKind::Fragment;
        let varyings = self.varyings(if fragment { StorageClass::Input } else { StorageClass::Output });
        for by in &carried.instructions {
            let spirv = by.scalars.iter().filter_map(|place| varyings.get(place)).flatten().copied().collect();
            add(by.instruction, spirv, OriginRule::Varying);
        }
        let colours = self.colours(facts);
        for export in &facts.exports {
            let outputs = match export.target {
                ExportTarget::Color => {
                    colours.get(&export.index).map_or(BTreeSet::new(), |location| self.colour(*location))
                }
                ExportTarget::Depth => {
                    self.built_in(&[BuiltIn::FragDepth, BuiltIn::FragStencilRefEXT, BuiltIn::SampleMask])
                }
                ExportTarget::Position if export.index == 0 => self.built_in(&[BuiltIn::Position]),
                _ => continue,
            };
            add(export.instruction, outputs, OriginRule::Output);
        }
        let barriers: Vec<u32> = self.with(|op| op == Op::ControlBarrier);
        // From GFX12 on the signal and the wait are two instructions: the wait is where the barrier ends.
        let ends = facts.barriers.iter().filter(|barrier| barrier.part != BarrierPart::Signal);
        let waits: Vec<u32> = ends.map(|barrier| barrier.instruction).collect();
        if barriers.len() == waits.len() {
            for (wait, barrier) in waits.into_iter().zip(barriers) {
                add(wait, BTreeSet::from([barrier]), OriginRule::InOrder);
            }
        }
        for (space, does) in OPERATIONS {
            let mut there = facts.memory.iter().filter(|memory| (memory.space, memory.does) == (space, does));
            let operations = self.operations(space, does);
            if let ([one], Some(memory), None) = (operations.as_slice(), there.next(), there.next()) {
                add(memory.instruction, BTreeSet::from([*one]), OriginRule::OnlyOne);
            }
        }
        found
    }

    /// The instructions that touch each scalar of one side of the interface.
    fn varyings(&self, class: StorageClass) -> BTreeMap<Place, BTreeSet<u32>> {
        let interface = Interface::of(self.live, class, Arrayed::No);
        let mut out: BTreeMap<Place, BTreeSet<u32>> = BTreeMap::new();
        for scalar in &interface.scalars {
            let Some(variable) = interface.variables.get(scalar.variable) else { continue };
            let all = self.touches.iter().filter(|touch| {
                touch.variable == variable.id
                    && touch.writes == (class == StorageClass::Output)
                    && touch.leaves.contains(&scalar.leaf)
            });
            out.entry(scalar.place).or_default().extend(all.map(|touch| touch.inst.0));
        }
        out
    }

    /// The location of each colour export: drivers leave no gaps between exports, or number them as the locations.
    fn colours(&self, facts: &IsaFacts) -> BTreeMap<u32, u32> {
        let exports = facts.exports.iter().filter(|export| export.target == ExportTarget::Color);
        let indices: BTreeSet<u32> = exports.map(|export| export.index).collect();
        let written = self.touches.iter().filter(|touch| touch.writes);
        let location = |touch: &Touch| self.module.decoration(touch.variable, None, Decoration::Location);
        let locations: BTreeSet<u32> = written.filter_map(location).collect();
        let dense = indices.iter().copied().eq(0..u32::try_from(locations.len()).unwrap_or(u32::MAX));
        if indices == locations || dense { indices.into_iter().zip(locations).collect() } else { BTreeMap::new() }
    }

    /// The stores to a colour attachment.
    fn colour(&self, attachment: u32) -> BTreeSet<u32> {
        self.stores(|variable| {
            let of = |kind| self.module.decoration(variable, None, kind);
            // Two sources of one attachment are two exports.
            of(Decoration::Location) == Some(attachment) && of(Decoration::Index).unwrap_or(0) == 0
        })
    }

    /// The stores to built-ins, or to blocks with such a member.
    fn built_in(&self, wanted: &[BuiltIn]) -> BTreeSet<u32> {
        let is = |number: Option<u32>| number.is_some_and(|number| wanted.iter().any(|b| *b as u32 == number));
        let member = |touch: &Touch| {
            let ty = self.module.pointee(touch.variable)?;
            let lanescope_spirv::Type::Struct { members } = self.module.ty(ty)? else { return None };
            let mut leaf = 0;
            for (index, member) in (0u32..).zip(members) {
                let end = leaf + self.live.shapes().leaves(lanescope_base::ids::Id(*member));
                let built_in = self.module.decoration(ty, Some(index), Decoration::BuiltIn);
                if is(built_in) && touch.leaves.start < end && leaf < touch.leaves.end {
                    return Some(());
                }
                leaf = end;
            }
            None
        };
        let all = self.touches.iter().filter(|touch| {
            touch.writes
                && (is(self.module.decoration(touch.variable, None, Decoration::BuiltIn)) || member(touch).is_some())
        });
        all.map(|touch| touch.inst.0).collect()
    }

    fn stores(&self, of: impl Fn(lanescope_base::ids::Id) -> bool) -> BTreeSet<u32> {
        self.touches.iter().filter(|touch| touch.writes && of(touch.variable)).map(|touch| touch.inst.0).collect()
    }

    fn with(&self, is: impl Fn(Op) -> bool) -> Vec<u32> {
        self.live.insts().filter(|inst| inst.op().is_some_and(&is)).map(|inst| inst.index.0).collect()
    }

    fn with_image(&self, uses: &[ImageUse]) -> Vec<u32> {
        self.with(|op| facts(op).image.is_some_and(|image| uses.contains(&image)))
    }

    /// The shader's operations that become one kind of access to memory.
    fn operations(&self, space: Space, does: Does) -> Vec<u32> {
        match (space, does) {
            (Space::Image, Does::Sample) => self.with_image(&[ImageUse::Sample, ImageUse::Gather]),
            (Space::Image, Does::Load) => self.with_image(&[ImageUse::Fetch, ImageUse::Read]),
            (Space::Image, Does::Store) => self.with_image(&[ImageUse::Write]),
            (Space::Image, Does::Atomic) => self.atomics(&[StorageClass::Image]),
            (Space::Buffer, Does::Atomic) => self.atomics(&[StorageClass::StorageBuffer, StorageClass::Uniform]),
            (Space::Local, Does::Atomic) => self.atomics(&[StorageClass::Workgroup]),
            // Stages before the rasteriser store varyings too.
            (Space::Buffer, Does::Store) if self.stage.has_workgroup() || self.stage == StageKind::Fragment => {
                self.stores_to(&[StorageClass::StorageBuffer, StorageClass::Uniform])
            }
            _ => Vec::new(),
        }
    }

    fn atomics(&self, classes: &[StorageClass]) -> Vec<u32> {
        // Atomic loads and stores become plain ones.
        let is_change = |inst: &lanescope_spirv::Inst<'_>| inst.facts().memory == Memory::AtomicChange;
        let all = self.live.insts().filter(|inst| is_change(inst) && self.is_of(inst.id_at(3), classes));
        all.map(|inst| inst.index.0).collect()
    }

    fn stores_to(&self, classes: &[StorageClass]) -> Vec<u32> {
        let all = self.live.insts().filter(|inst| {
            let is_store = matches!(inst.facts().memory, Memory::Store | Memory::Copy | Memory::AtomicStore);
            is_store && self.is_of(inst.id_at(1), classes)
        });
        all.map(|inst| inst.index.0).collect()
    }

    fn is_of(&self, pointer: lanescope_base::ids::Id, classes: &[StorageClass]) -> bool {
        let ty = self.module.type_of(pointer).and_then(|ty| self.module.ty(ty));
        matches!(ty, Some(lanescope_spirv::Type::Pointer { class: Some(class), .. }) if classes.contains(&class))
    }
}

/// `InterpolateAtCentroid`, `InterpolateAtSample` and `InterpolateAtOffset` (SPIR-V, GLSL.std.450).
const INTERPOLATIONS: [u32; 3] = [76, 77, 78];

/// Accesses to memory that may be the only one of their kind.
const OPERATIONS: [(Space, Does); 7] = [
    (Space::Image, Does::Sample),
    (Space::Image, Does::Load),
    (Space::Image, Does::Store),
    (Space::Image, Does::Atomic),
    (Space::Buffer, Does::Atomic),
    (Space::Buffer, Does::Store),
    (Space::Local, Does::Atomic),
];
