//! Emulates derivatives in compute, task and mesh shaders: subgroup operations instead of instructions that the device lacks.
//!
//! A quad is four consecutive lanes of a subgroup, the first a multiple of 4. The closed forms put the layout's quads
//! there, as long as the device counts the lanes of its subgroups in the order of the invocations' index; the module is
//! made one row wide for that (`fold`).
//!
//! | difference | quad operations | shuffles |
//! |---|---|---|
//! | coarse | QuadBroadcast of the two places | Shuffle from the quad's first lane plus the place |
//! | fine | QuadSwap, and a choice by the lane's own place | Shuffle from the lane with that bit set, and cleared |

use std::collections::BTreeSet;

use rspirv::spirv::GlslStd450Op as GLOp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::RewriteError;
use super::input::{Input, input};
use crate::workgroup::{Axis, Precision, derivative};
use lanescope_base::ids::Id;
use lanescope_model::options::{Derivatives, DerivativesBy};
use lanescope_model::program::StageKind;
use lanescope_spirv::edit::{Editor, Escape};
use lanescope_spirv::enums::{BuiltIn, Capability, Dim, ExecutionMode, ImageOperands, Op, Scope, StorageClass};
use lanescope_spirv::{EntryPoint, Inst, InstId, Module, Type, always_run};

/// A derivative instruction that is computed now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Emulated {
    /// Index of the instruction in the original module.
    pub instruction: u32,
    /// Its name: `OpDPdxFine`.
    pub opcode: String,
    /// The emulated difference: places in the quad.
    pub quad_rule: String,
    /// Reasons why the result may differ from a device's own.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub caveats: Vec<String>,
}

/// The instructions of an entry point that take derivatives, in module order.
pub(super) fn instructions<'m>(module: &'m Module, entry: &EntryPoint) -> Vec<Inst<'m>> {
    let functions = module.reachable(entry);
    let mut out: Vec<_> = functions
        .into_iter()
        .flat_map(|function| module.insts_in(function.insts.clone()))
        .filter(|inst| inst.op().is_some_and(|op| derivative::difference(op).is_some()))
        .collect();
    out.sort_by_key(|inst| inst.index);
    out
}

/// Replaces an entry point's derivatives, and returns what was done. The inputs that it needs are added to `enter`.
///
/// Fails where an instruction has no other form, or is run by another entry point too.
pub(super) fn emulate(
    editor: &mut Editor<'_>,
    index: usize,
    derivatives: Derivatives,
    by: DerivativesBy,
    enter: &mut Vec<(Id, StorageClass)>,
) -> Result<Vec<Emulated>, RewriteError> {
    let module = editor.module();
    let Some(entry) = module.entry_points().get(index) else { return Ok(Default::default()) };
    let insts = instructions(module, entry);
    let Some(first) = insts.first() else { return Ok(Default::default()) };
    if !entry.stage.is_some_and(StageKind::has_workgroup) {
        return Err(Escape::at(first, "derivatives are emulated in compute, task and mesh shaders only").into());
    }
    alone(module, index, &insts)?;
    let always = always_run(module, entry);
    let lane = match derivatives {
        // Without a group every derivative is 0, by the extension.
        Derivatives::None => None,
        _ => {
            editor.at_least_version((1, 3));
            editor.capability(Capability::GroupNonUniform);
            let operations = match by {
                DerivativesBy::Shuffle => Capability::GroupNonUniformShuffle,
                _ => Capability::GroupNonUniformQuad,
            };
            editor.capability(operations);
            Some(input(editor, entry, BuiltIn::SubgroupLocalInvocationId, "subgroup_lane", enter))
        }
    };
    let mut emulation = Emulation { editor, lane, by };
    let mut done = Vec::new();
    for inst in insts {
        let mut code = Vec::new();
        let mut caveats = emulation.instruction(&inst, &mut code)?;
        if derivatives != Derivatives::None && !always.contains(&inst.index) {
            caveats
                .push("inside control flow: undefined where the lanes of a quad diverge, as on any device".to_owned());
        }
        emulation.editor.replace(inst.index, code);
        done.push(Emulated {
            instruction: inst.index.0,
            opcode: inst.name(),
            quad_rule: derivative::rule(&inst, derivatives).unwrap_or_default(),
            caveats,
        });
    }
    without_groups(editor, index);
    Ok(done)
}

/// An instruction that another entry point runs too cannot be changed for one of them.
fn alone(module: &Module, index: usize, insts: &[Inst<'_>]) -> Result<(), RewriteError> {
    let wanted: BTreeSet<InstId> = insts.iter().map(|inst| inst.index).collect();
    for (_, other) in module.entry_points().iter().enumerate().filter(|(other, _)| *other != index) {
        if let Some(shared) = instructions(module, other).iter().find(|inst| wanted.contains(&inst.index)) {
            return Err(Escape::at(
                shared,
                format!("is also used by the entry point {}, which is not rewritten", other.name),
            )
            .into());
        }
    }
    Ok(())
}

struct Emulation<'a, 'm> {
    editor: &'a mut Editor<'m>,
    /// The input that contains the lane; absent where every derivative is 0.
    lane: Option<Input>,
    by: DerivativesBy,
}

impl Emulation<'_, '_> {
    /// Puts an instruction's replacement into `code`, and reports where it may differ.
    fn instruction(&mut self, inst: &Inst<'_>, code: &mut Vec<u32>) -> Result<Vec<String>, Escape> {
        use Op::*;
        let open = "SPIR-V allows a coarse or a fine difference: a fine one is used";
        let (axes, precision): (&[Axis], _) = match inst.op() {
            Some(DPdx | DPdxFine) => (&[Axis::X], Precision::Fine),
            Some(DPdy | DPdyFine) => (&[Axis::Y], Precision::Fine),
            Some(DPdxCoarse) => (&[Axis::X], Precision::Coarse),
            Some(DPdyCoarse) => (&[Axis::Y], Precision::Coarse),
            Some(Fwidth | FwidthFine) => (&[Axis::X, Axis::Y], Precision::Fine),
            Some(FwidthCoarse) => (&[Axis::X, Axis::Y], Precision::Coarse),
            _ => return self.sample(inst, code),
        };
        let caveat = matches!(inst.op(), Some(DPdx | DPdy | Fwidth)).then(|| open.to_owned());
        let (Some(ty), Some(result)) = (inst.result_type(), inst.result()) else {
            return Err(Escape::at(inst, "has no result"));
        };
        let count = self.floats(ty).ok_or_else(|| Escape::at(inst, "has a result that is not 32-bit floats"))?;
        match axes {
            [axis] => {
                let (to, from) = self.ends(code, (ty, count), inst.id_at(3), *axis, precision);
                self.editor.value_as(code, result, FSub, ty, &[to.0, from.0]);
            }
            _ => {
                let set = self.editor.import("GLSL.std.450");
                let parts = [Axis::X, Axis::Y].map(|axis| {
                    let slope = self.slope(code, (ty, count), inst.id_at(3), axis, precision);
                    self.editor.value(code, ExtInst, ty, &[set.0, GLOp::FAbs as u32, slope.0])
                });
                self.editor.value_as(code, result, FAdd, ty, &parts.map(|part| part.0));
            }
        }
        Ok(caveat.into_iter().collect())
    }

    /// Number of 32-bit floats of a type.
    fn floats(&self, ty: Id) -> Option<u32> {
        let module = self.editor.module();
        match module.ty(ty)? {
            Type::Float { bits: 32 } => Some(1),
            Type::Vector { component, count } if module.ty(component) == Some(Type::Float { bits: 32 }) => Some(count),
            _ => None,
        }
    }

    fn slope(&mut self, code: &mut Vec<u32>, ty: (Id, u32), value: Id, axis: Axis, precision: Precision) -> Id {
        let (to, from) = self.ends(code, ty, value, axis, precision);
        self.editor.value(code, Op::FSub, ty.0, &[to.0, from.0])
    }

    /// The two values of which a derivative is the difference, for every lane (see [`crate::workgroup::difference`]).
    fn ends(
        &mut self,
        code: &mut Vec<u32>,
        (ty, count): (Id, u32),
        value: Id,
        axis: Axis,
        precision: Precision,
    ) -> (Id, Id) {
        let editor = &mut *self.editor;
        let Some(lane) = &self.lane else {
            let zero = editor.null(ty);
            return (zero, zero);
        };
        // The lanes of a quad count 0, 1 along x in the first row and 2, 3 in the second.
        let (bit, direction) = match axis {
            Axis::X => (1, 0),
            Axis::Y => (2, 1),
        };
        let scope = editor.u32(Scope::Subgroup as u32);
        let uint = editor.int(32, false);
        match (self.by, precision) {
            (DerivativesBy::Shuffle, _) => {
                let rest = editor.u32(if precision == Precision::Fine { !bit } else { !3 });
                let bit = editor.u32(bit);
                let lane = lane.load(editor, code);
                let from = editor.value(code, Op::BitwiseAnd, uint, &[lane.0, rest.0]);
                let to = editor.value(code, Op::BitwiseOr, uint, &[from.0, bit.0]);
                let [to, from] = [to, from]
                    .map(|lane| editor.value(code, Op::GroupNonUniformShuffle, ty, &[scope.0, value.0, lane.0]));
                (to, from)
            }
            (_, Precision::Coarse) => {
                let [to, from] = [bit, 0].map(|place| {
                    let place = editor.u32(place);
                    editor.value(code, Op::GroupNonUniformQuadBroadcast, ty, &[scope.0, value.0, place.0])
                });
                (to, from)
            }
            (_, Precision::Fine) => {
                let (direction, bit, zero) = (editor.u32(direction), editor.u32(bit), editor.u32(0));
                let other = editor.value(code, Op::GroupNonUniformQuadSwap, ty, &[scope.0, value.0, direction.0]);
                let lane = lane.load(editor, code);
                let own = editor.value(code, Op::BitwiseAnd, uint, &[lane.0, bit.0]);
                let bool = editor.bool();
                let is_second = editor.value(code, Op::INotEqual, bool, &[own.0, zero.0]);
                // Before SPIR-V 1.4 a choice between vectors takes a vector of truth values.
                let bools = editor.vector(bool, count);
                let is_second = editor.compose(code, bools, &vec![is_second; count as usize]);
                let to = editor.value(code, Op::Select, ty, &[is_second.0, value.0, other.0]);
                let from = editor.value(code, Op::Select, ty, &[is_second.0, other.0, value.0]);
                (to, from)
            }
        }
    }

    /// A sample with implicit level of detail, with gradients given: coarse ones, as a level of detail is of a quad.
    fn sample(&mut self, inst: &Inst<'_>, code: &mut Vec<u32>) -> Result<Vec<String>, Escape> {
        use Op::*;
        let (op, is_depth, is_projected) = match inst.op() {
            Some(ImageSampleImplicitLod) => (ImageSampleExplicitLod, false, false),
            Some(ImageSampleDrefImplicitLod) => (ImageSampleDrefExplicitLod, true, false),
            Some(ImageSampleProjImplicitLod) => (ImageSampleProjExplicitLod, false, true),
            Some(ImageSampleProjDrefImplicitLod) => (ImageSampleProjDrefExplicitLod, true, true),
            Some(ImageSparseSampleImplicitLod) => (ImageSparseSampleExplicitLod, false, false),
            Some(ImageSparseSampleDrefImplicitLod) => (ImageSparseSampleDrefExplicitLod, true, false),
            _ => return Err(Escape::at(inst, "has no form with explicit gradients")),
        };
        let module = self.editor.module();
        let (Some(result_type), Some(result)) = (inst.result_type(), inst.result()) else {
            return Err(Escape::at(inst, "has no result"));
        };
        let dim = module
            .type_of(inst.id_at(3))
            .and_then(|ty| module.def(ty))
            .and_then(|sampled| module.def(sampled.id_at(2)))
            .and_then(|image| Dim::from_u32(image.word_at(3)));
        let size = match dim {
            Some(Dim::Dim1D) => 1,
            Some(Dim::Dim2D | Dim::DimRect) => 2,
            Some(Dim::Dim3D | Dim::DimCube) => 3,
            _ => return Err(Escape::at(inst, "samples an image that cannot use gradients")),
        };
        let given = inst.id_at(4);
        let components = module.type_of(given).and_then(|ty| self.floats(ty));
        let needed = size + u32::from(is_projected);
        let components = components
            .filter(|&components| components >= needed)
            .ok_or_else(|| Escape::at(inst, "has coordinates that are not 32-bit floats"))?;

        let editor = &mut *self.editor;
        let float = editor.float(32);
        let ty = editor.vector(float, size);
        let mut coordinates = match size {
            _ if size == components => given,
            1 => editor.value(code, CompositeExtract, float, &[given.0, 0]),
            _ => {
                let parts: Vec<u32> = [given.0, given.0].into_iter().chain(0..size).collect();
                editor.value(code, VectorShuffle, ty, &parts)
            }
        };
        if is_projected {
            let q = editor.value(code, CompositeExtract, float, &[given.0, size]);
            let q = editor.compose(code, ty, &vec![q; size as usize]);
            coordinates = editor.value(code, FDiv, ty, &[coordinates.0, q.0]);
        }
        let mut gradients =
            [Axis::X, Axis::Y].map(|axis| self.slope(code, (ty, size), coordinates, axis, Precision::Coarse));

        let fixed = if is_depth { 6 } else { 5 };
        let mask = ImageOperands::from_bits_retain(inst.word_at(fixed));
        let mut rest = inst.words_from(fixed + 1);
        let mut caveats = vec![
            "the level of detail is computed from coarse gradients; a device may compute it differently".to_owned(),
        ];
        if mask.contains(ImageOperands::BIAS) {
            let bias = Id(rest.first().copied().unwrap_or_default());
            if module.type_of(bias).and_then(|ty| self.floats(ty)) != Some(1) {
                return Err(Escape::at(inst, "has a bias that is not a 32-bit float"));
            }
            rest = rest.get(1..).unwrap_or(&[]);
            // An explicit gradient takes no bias: one level up is twice the gradient.
            let editor = &mut *self.editor;
            let set = editor.import("GLSL.std.450");
            let factor = editor.value(code, ExtInst, float, &[set.0, GLOp::Exp2 as u32, bias.0]);
            let times = if size == 1 { FMul } else { VectorTimesScalar };
            gradients = gradients.map(|gradient| editor.value(code, times, ty, &[gradient.0, factor.0]));
            caveats.push("the bias is applied as a factor of the gradients".to_owned());
        }
        let mask = mask.difference(ImageOperands::BIAS).union(ImageOperands::GRAD);
        let mut words: Vec<u32> = inst.words.get(3..fixed).unwrap_or(&[]).to_vec();
        words.push(mask.bits());
        // In the order of the mask's bits: what came before the gradients is gone.
        words.extend(gradients.map(|gradient| gradient.0));
        words.extend(rest);
        self.editor.value_as(code, result, op, result_type, &words);
        Ok(caveats)
    }
}

/// Takes the derivative group out of the entry point, and what only a group needs out of the module where no other
/// entry point has one.
fn without_groups(editor: &mut Editor<'_>, index: usize) {
    use Capability::{ComputeDerivativeGroupLinearKHR, ComputeDerivativeGroupQuadsKHR};
    let module = editor.module();
    let modes = [
        ExecutionMode::DerivativeGroupQuadsKHR,
        ExecutionMode::DerivativeGroupLinearKHR,
        ExecutionMode::QuadDerivativesKHR,
    ];
    let Some(entry) = module.entry_points().get(index) else { return };
    let others = module.entry_points().iter().enumerate().filter(|(other, _)| *other != index);
    let shared = others.into_iter().any(|(_, other)| modes.iter().any(|mode| other.mode(*mode).is_some()));
    let groups = [ComputeDerivativeGroupLinearKHR, ComputeDerivativeGroupQuadsKHR].map(|c| c as u32);
    for inst in module.globals() {
        let goes = match inst.op() {
            Some(Op::ExecutionMode) => {
                inst.id_at(1) == entry.function && modes.iter().any(|mode| inst.word_at(2) == *mode as u32)
            }
            Some(Op::Capability) => !shared && groups.contains(&inst.word_at(1)),
            Some(Op::Extension) => !shared && inst.string_at(1).0.ends_with("_compute_shader_derivatives"),
            _ => false,
        };
        if goes {
            editor.replace(inst.index, Vec::new());
        }
    }
}
