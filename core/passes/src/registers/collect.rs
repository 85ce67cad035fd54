//! Facts from SPIR-V.

use std::collections::BTreeMap;

use super::facts::{ColorOutput, ComputeFacts, ConservativeDepth, FloatMode, Numeric, PixelFacts, ProducerFacts};
use super::sizes;
use crate::liveness::{LeafSet, Liveness, Step};
use crate::packing::interface::Arrayed;
use crate::packing::written::{Stored, written};
use lanescope_base::ids::Id;
use lanescope_model::program::StageKind;
use lanescope_spirv::enums::{BuiltIn, Decoration, Dim, ExecutionMode, Op, StorageClass};
use lanescope_spirv::opcode::ImageUse;
use lanescope_spirv::{EntryPoint, Inst, Module, Type};

/// Colour attachments that the hardware has.
const ATTACHMENTS: u32 = 8;

/// The facts of a fragment shader.
pub fn pixel(live: &Liveness<'_>) -> PixelFacts {
    let (module, entry) = (live.module(), live.entry());
    let read = BuiltIns::of(live, &live.uses().leaves);
    // The leaves that any load names are gathered for these alone.
    let of_sample = [BuiltIn::SampleId, BuiltIn::SamplePosition];
    let is_sample_named = of_sample.iter().any(|&built_in| module.has_built_in(built_in));
    let sample_id_met = is_sample_named && {
        let met = BuiltIns::of(live, &live.met_inputs());
        of_sample.iter().any(|&built_in| met.has(built_in))
    };
    let outputs = written_leaves(live);
    let written = BuiltIns::of(live, &outputs);
    let mode = |mode| entry.mode(mode).is_some();
    PixelFacts {
        frag_coord: (read.bits(BuiltIn::FragCoord) & 0xf) as u8,
        frag_coord_is_sample: read.decorated(module, BuiltIn::FragCoord, Decoration::Sample),
        front_facing: read.has(BuiltIn::FrontFacing),
        sample_id: read.has(BuiltIn::SampleId) || read.has(BuiltIn::SamplePosition),
        sample_id_met,
        sample_mask_in: read.has(BuiltIn::SampleMask),
        shading_rate: read.has(BuiltIn::ShadingRateKHR),
        barycentrics: barycentrics(module, &read),
        provoking_vertex: needs_provoking_vertex(live, &read),
        discard: live.insts().any(|inst| inst.facts().leaves_invocation()),
        resource_write: live.insts().any(|inst| writes_resource(module, &inst)),
        depth: written.has(BuiltIn::FragDepth),
        stencil_ref: written.has(BuiltIn::FragStencilRefEXT),
        sample_mask: written.has(BuiltIn::SampleMask),
        early_tests: mode(ExecutionMode::EarlyFragmentTests),
        post_depth_coverage: mode(ExecutionMode::PostDepthCoverage),
        ordered: mode(ExecutionMode::PixelInterlockOrderedEXT)
            || mode(ExecutionMode::SampleInterlockOrderedEXT)
            || mode(ExecutionMode::ShadingRateInterlockOrderedEXT),
        integer_pixel_center: mode(ExecutionMode::PixelCenterInteger),
        conservative_depth: if mode(ExecutionMode::DepthLess) {
            Some(ConservativeDepth::Less)
        } else {
            mode(ExecutionMode::DepthGreater).then_some(ConservativeDepth::Greater)
        },
        float_mode: float_mode(entry),
        colors: colors(live),
    }
}

/// The facts of the last stage before the rasteriser.
pub fn producer(live: &Liveness<'_>, stage: StageKind) -> ProducerFacts {
    let module = live.module();
    let written = BuiltIns::of(live, &written_leaves(live));
    ProducerFacts {
        stage,
        point_size: written.has(BuiltIn::PointSize),
        point_size_is_one: point_size_is_one(live),
        layer: written.has(BuiltIn::Layer),
        viewport_index: written.has(BuiltIn::ViewportIndex),
        shading_rate: written.has(BuiltIn::PrimitiveShadingRateKHR),
        clip: written.length(module, BuiltIn::ClipDistance),
        cull: written.length(module, BuiltIn::CullDistance),
        multiview: false,
    }
}

/// Whether PointSize is written, and never anything but the constant 1.0.
fn point_size_is_one(live: &Liveness<'_>) -> bool {
    let module = live.module();
    if !module.has_built_in(BuiltIn::PointSize) {
        return false;
    }
    let is_point_size = |number: Option<u32>| number == Some(BuiltIn::PointSize as u32);
    let mut found = false;
    for write in live.writes() {
        let of_variable = is_point_size(module.decoration(write.variable, None, Decoration::BuiltIn));
        let block = module.pointee(write.variable).and_then(|ty| Some((ty, module.ty(ty)?)));
        let of_member = |member: u32| match block {
            Some((ty, Type::Struct { .. })) => is_point_size(module.decoration(ty, Some(member), Decoration::BuiltIn)),
            _ => false,
        };
        let reaches = match write.path.first() {
            Some(Step::At(member)) => of_variable || of_member(*member),
            // The whole variable: of a block, all members.
            _ => {
                of_variable
                    || matches!(block, Some((_, Type::Struct { members })) if (0..members.len() as u32).any(of_member))
            }
        };
        if reaches {
            let is_one = |value: Id| module.constant(value).is_some_and(|c| c.width == 32 && c.bits == ONE);
            if !write.value.is_some_and(is_one) {
                return false;
            }
            found = true;
        }
    }
    found
}

/// The bits of 1.0 in 32 of them.
const ONE: u64 = 0x3f80_0000;

/// Which components of its workgroup id a shader reads, directly or through GlobalInvocationId.
pub fn workgroup_axes(live: &Liveness<'_>) -> [bool; 3] {
    let read = BuiltIns::of(live, &live.uses().leaves);
    [0, 1, 2].map(|axis| read.workgroup_id() >> axis & 1 != 0)
}

/// The facts of a compute or task shader; size and wave come from its layout.
pub fn compute(live: &Liveness<'_>, size: [u32; 3], wave: u32) -> ComputeFacts {
    let read = BuiltIns::of(live, &live.uses().leaves);
    let global = read.bits(BuiltIn::GlobalInvocationId) & 7;
    ComputeFacts {
        stage: live.entry().stage.unwrap_or(StageKind::Compute),
        size,
        wave,
        workgroup_id: read.workgroup_id(),
        through_global_id: global != 0,
        lds_bytes: sizes::workgroup_bytes(live),
        images: live.insts().any(|inst| is_image(live.module(), &inst)),
        float_mode: float_mode(live.entry()),
    }
}

/// The leaves of its outputs that a shader writes, by variable.
fn written_leaves(live: &Liveness<'_>) -> BTreeMap<Id, LeafSet> {
    let mut out: BTreeMap<Id, LeafSet> = BTreeMap::new();
    for write in live.writes() {
        let known = write.path.iter().map_while(|step| if let Step::At(index) = step { Some(*index) } else { None });
        let leaves = live.module().pointee(write.variable).map(|ty| live.shapes().range(ty, known));
        out.entry(write.variable).or_default().add(&LeafSet::range(leaves.unwrap_or(0..1)));
    }
    out
}

/// The built-ins among some leaves of variables: by number, their variable or block member, and their own leaves.
struct BuiltIns(BTreeMap<u32, Touched>);

struct Touched {
    /// The variable, or the block's type and member.
    target: (Id, Option<u32>),
    /// The built-in's type.
    ty: Id,
    leaves: LeafSet,
}

impl BuiltIns {
    fn of(live: &Liveness<'_>, variables: &BTreeMap<Id, LeafSet>) -> BuiltIns {
        let (module, shapes) = (live.module(), live.shapes());
        let mut out = BuiltIns(BTreeMap::new());
        for (&variable, leaves) in variables {
            let Some(ty) = module.pointee(variable) else { continue };
            if let Some(number) = module.decoration(variable, None, Decoration::BuiltIn) {
                out.add(number, (variable, None), ty, leaves);
            } else if let Some(Type::Struct { members }) = module.ty(ty) {
                for (member, &member_type) in (0u32..).zip(members) {
                    if let Some(number) = module.decoration(ty, Some(member), Decoration::BuiltIn) {
                        let own = leaves.within(shapes.range(ty, [member]));
                        out.add(number, (ty, Some(member)), Id(member_type), &own);
                    }
                }
            }
        }
        out
    }

    fn add(&mut self, number: u32, target: (Id, Option<u32>), ty: Id, leaves: &LeafSet) {
        if !leaves.is_empty() {
            let empty = || Touched { target, ty, leaves: LeafSet::default() };
            self.0.entry(number).or_insert_with(empty).leaves.add(leaves);
        }
    }

    fn get(&self, built_in: BuiltIn) -> Option<&Touched> {
        self.0.get(&(built_in as u32))
    }

    fn has(&self, built_in: BuiltIn) -> bool {
        self.get(built_in).is_some()
    }

    /// The first leaves as bits: a vector's components.
    fn bits(&self, built_in: BuiltIn) -> u16 {
        self.get(built_in).map_or(0, |touched| touched.leaves.low_bits())
    }

    /// Components of WorkgroupId, read directly or through GlobalInvocationId, as bits 0 to 2.
    fn workgroup_id(&self) -> u8 {
        ((self.bits(BuiltIn::WorkgroupId) | self.bits(BuiltIn::GlobalInvocationId)) & 7) as u8
    }

    fn decorated(&self, module: &Module, built_in: BuiltIn, decoration: Decoration) -> bool {
        self.get(built_in).is_some_and(|t| module.is_decorated(t.target.0, t.target.1, decoration))
    }

    /// The length of the built-in's array; 0 where it is not there.
    fn length(&self, module: &Module, built_in: BuiltIn) -> u32 {
        match self.get(built_in).and_then(|t| module.ty(t.ty)) {
            Some(Type::Array { length, .. }) => module.array_length(length).unwrap_or(0),
            _ => 0,
        }
    }
}

/// The bits of SPI_PS_INPUT_ADDR that barycentric built-ins ask for.
fn barycentrics(module: &Module, read: &BuiltIns) -> u32 {
    use BuiltIn as B;
    let amd = [
        (B::BaryCoordNoPerspAMD, 5),
        (B::BaryCoordNoPerspCentroidAMD, 6),
        (B::BaryCoordNoPerspSampleAMD, 4),
        (B::BaryCoordSmoothAMD, 1),
        (B::BaryCoordSmoothCentroidAMD, 2),
        (B::BaryCoordSmoothSampleAMD, 0),
        (B::BaryCoordPullModelAMD, 3),
    ];
    let mut bits = amd.iter().filter(|(b, _)| read.has(*b)).fold(0, |bits, (_, bit)| bits | 1 << bit);
    // The cross-vendor pair says by decoration where it is evaluated.
    for (built_in, first) in [(B::BaryCoordKHR, 0), (B::BaryCoordNoPerspKHR, 4)] {
        if read.has(built_in) {
            let at = if read.decorated(module, built_in, Decoration::Sample) {
                0
            } else {
                1 + u32::from(read.decorated(module, built_in, Decoration::Centroid))
            };
            bits |= 1 << (first + at);
        }
    }
    bits
}

fn needs_provoking_vertex(live: &Liveness<'_>, read: &BuiltIns) -> bool {
    let module = live.module();
    let per_vertex = |(&variable, leaves): (&Id, &LeafSet)| {
        let in_member = || {
            let Some(ty) = module.pointee(variable) else { return false };
            let Some(Type::Struct { members }) = module.ty(ty) else { return false };
            let read = |member: &u32| !leaves.within(live.shapes().range(ty, [*member])).is_empty();
            let mut read = (0..members.len() as u32).filter(read);
            read.any(|member| module.is_decorated(ty, Some(member), Decoration::PerVertexKHR))
        };
        module.is_decorated(variable, None, Decoration::PerVertexKHR) || in_member()
    };
    read.has(BuiltIn::BaryCoordKHR)
        || read.has(BuiltIn::BaryCoordNoPerspKHR)
        || live.uses().leaves.iter().any(per_vertex)
}

/// Whether an instruction writes memory that outlives the invocation and its workgroup.
fn writes_resource(module: &Module, inst: &Inst<'_>) -> bool {
    let facts = inst.facts();
    if facts.image == Some(ImageUse::Write) {
        return true;
    }
    let Some(pointer) = facts.written_pointer() else { return false };
    matches!(
        module.pointer_class(inst.id_at(pointer)),
        Some(
            StorageClass::StorageBuffer
                | StorageClass::PhysicalStorageBuffer
                | StorageClass::Uniform
                | StorageClass::Image
        )
    )
}

/// The colour outputs that get a defined value. Each element of an array is an output of its own.
fn colors(live: &Liveness<'_>) -> Vec<ColorOutput> {
    let module = live.module();
    let mut out: BTreeMap<(u32, u32), (u8, Numeric)> = BTreeMap::new();
    for (variable, Stored { defined, .. }) in written(live, Arrayed::No) {
        let Some(location) = module.decoration(variable, None, Decoration::Location) else { continue };
        let index = module.decoration(variable, None, Decoration::Index).unwrap_or(0);
        let component = module.decoration(variable, None, Decoration::Component).unwrap_or(0);
        let Some(whole) = module.pointee(variable) else { continue };
        let (ty, elements) = match module.ty(whole) {
            Some(Type::Array { element, length }) => {
                let count = module.array_length(length).unwrap_or(1).min(ATTACHMENTS);
                let is_written = |&at: &u32| !defined.within(live.shapes().range(whole, [at])).is_empty();
                (element, (0..count).filter(is_written).collect())
            }
            _ if defined.is_empty() => continue,
            _ => (whole, vec![0]),
        };
        let (scalar, width) = match module.ty(ty) {
            Some(Type::Vector { component, count }) => (component, count.min(4)),
            _ => (ty, 1),
        };
        let numeric = match module.ty(scalar) {
            Some(Type::Int { signed: true, .. }) => Numeric::Sint,
            Some(Type::Int { .. }) => Numeric::Uint,
            Some(Type::Float { .. }) => Numeric::Float,
            _ => continue,
        };
        let mask = (((1u32 << width) - 1).checked_shl(component).unwrap_or(0) & 0xf) as u8;
        for element in elements {
            let location = location.saturating_add(element);
            if location < ATTACHMENTS && index < 2 {
                out.entry((location, index)).or_insert((0, numeric)).0 |= mask;
            }
        }
    }
    let output = |((location, index), (mask, numeric))| ColorOutput { location, index, mask, numeric };
    out.into_iter().map(output).collect()
}

/// Whether an instruction is one of the image unit's (texel buffers are read by the buffer unit).
fn is_image(module: &Module, inst: &Inst<'_>) -> bool {
    let facts = inst.facts();
    let operand = match facts.image {
        Some(ImageUse::Write) => inst.id_at(1),
        _ if facts.takes_image_first() => inst.id_at(3),
        _ => return false,
    };
    let mut ty = module.pointee(operand).or_else(|| module.type_of(operand));
    for _ in 0..2 {
        let Some(inst) = ty.and_then(|ty| module.def(ty)) else { break };
        match inst.op() {
            Some(Op::TypeSampledImage) => ty = Some(inst.id_at(2)),
            Some(Op::TypeImage) => return inst.word_at(3) != Dim::DimBuffer as u32,
            _ => break,
        }
    }
    true
}

/// FLOAT_MODE, as the execution modes leave it.
fn float_mode(entry: &EntryPoint) -> FloatMode {
    let mut mode = FloatMode::default();
    for (kind, operands) in &entry.modes {
        let wide = operands.first().is_some_and(|&width| width != 32);
        let (lsb, value) = match ExecutionMode::from_u32(*kind) {
            Some(ExecutionMode::RoundingModeRTE) => (0, 0),
            Some(ExecutionMode::RoundingModeRTZ) => (0, 3),
            Some(ExecutionMode::DenormFlushToZero) => (4, 0),
            Some(ExecutionMode::DenormPreserve) => (4, 3),
            _ => continue,
        };
        let lsb = lsb + if wide { 2 } else { 0 };
        mode = FloatMode { bits: mode.bits & !(3 << lsb) | value << lsb, changed: true };
    }
    mode
}
