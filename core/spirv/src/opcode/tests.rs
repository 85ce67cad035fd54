use rspirv::grammar::{INSTRUCTION_TABLE, OperandKind, OperandQuantifier};

use super::*;
use crate::enums::Capability;
use crate::grammar::{self, OpInfo};

fn all() -> impl Iterator<Item = (&'static OpInfo, &'static Facts)> {
    (0..=u16::MAX).filter_map(grammar::info).map(|info| (info, facts(info.op)))
}

/// Opcodes of kernels, or of FPGAs and media units.
fn is_of_no_shader(capability: Capability) -> bool {
    use Capability::*;
    let name = format!("{capability:?}");
    let kernels = [Kernel, Pipes, DeviceEnqueue, PipeStorage, SubgroupDispatch, NamedBarrier, UntypedPointersKHR];
    kernels.contains(&capability) || ["INTEL", "ALTERA", "ARM"].iter().any(|end| name.ends_with(end))
}

#[test]
fn opcodes_of_shaders_have_a_row() {
    for inst in INSTRUCTION_TABLE.iter().filter(|inst| *facts(inst.opcode) == Facts::UNKNOWN) {
        assert!(!inst.capabilities.is_empty(), "{} needs no capability, and has no row", inst.opname);
        assert!(inst.capabilities.iter().copied().all(is_of_no_shader), "{} has no row", inst.opname);
    }
}

#[test]
fn an_opcode_without_a_row_may_do_anything() {
    let unknown = facts(Op::WritePipe);
    assert_eq!(*unknown, Facts::UNKNOWN);
    assert!(!unknown.is_pure() && !unknown.component_wise && unknown.memory == Memory::Unknown);
    assert_eq!(unknown.effect, Effect::Unknown);
}

#[test]
fn rows_agree_with_the_grammar() {
    for (info, facts) in all() {
        let name = info.name;
        let is_value = facts.is_pure() || facts.effect == Effect::Reads;
        assert!(!is_value || info.has_type && info.has_result, "{name} has no result");
        assert!(!facts.component_wise || facts.is_pure(), "{name} is component-wise");
        assert!(facts.control == Control::Next || !info.has_result, "{name} ends a block, and has a result");
        let reads = matches!(facts.memory, Memory::Load | Memory::AtomicLoad | Memory::AtomicChange);
        assert!(!reads || info.has_result, "{name} reads memory, and has no result");
        let writes = matches!(facts.memory, Memory::Store | Memory::Copy | Memory::AtomicStore);
        assert!(!writes || !info.has_result, "{name} has a result, and only writes memory");
        assert_eq!(facts.constant.is_some(), info.has_type && facts.section == Section::Global || is_text(info));
    }
}

/// Constants without a type.
fn is_text(info: &OpInfo) -> bool {
    matches!(info.op, Op::ConstantStringAMDX | Op::SpecConstantStringAMDX)
}

#[test]
fn words_of_pointers_are_ids() {
    for inst in INSTRUCTION_TABLE.iter() {
        let facts = facts(inst.opcode);
        let chain = facts.chain.map(Chain::base);
        let image = facts.takes_image_first().then_some(3);
        for word in [facts.written_pointer(), facts.atomic_pointer(), chain, image].into_iter().flatten() {
            let operand = inst.operands.get(word - 1).map(|operand| (operand.kind, operand.quantifier));
            assert_eq!(operand, Some((OperandKind::IdRef, OperandQuantifier::One)), "{} {word}", inst.opname);
        }
        if let Some(pointer) = facts.atomic_pointer() {
            assert_eq!(inst.operands[pointer].kind, OperandKind::IdScope, "{}", inst.opname);
        }
        if let Some(chain) = facts.chain {
            let many = inst.operands.iter().position(|operand| operand.quantifier == OperandQuantifier::ZeroOrMore);
            assert_eq!(many, Some(chain.indices() - 1), "{}", inst.opname);
        }
    }
}

#[test]
fn families_are_those_of_the_names() {
    for (info, facts) in all() {
        let (name, starts) = (info.name, |prefix| info.name.starts_with(prefix));
        let is_decoration = matches!(info.op, Op::GroupDecorate | Op::GroupMemberDecorate);
        let is_group = (starts("Group") || starts("Subgroup")) && !starts("SubgroupAvc") && !name.ends_with("Pipe");
        let is_group = is_group && !name.ends_with("PipePackets") && !is_decoration;
        assert_eq!(facts.group.is_some(), is_group, "{name}");
        assert_eq!(facts.group == Some(Group::Quad), starts("GroupNonUniformQuad"), "{name}");
        let is_non_uniform = matches!(facts.group, Some(Group::NonUniform | Group::Quad));
        assert_eq!(is_non_uniform, starts("GroupNonUniform"), "{name}");
        assert_eq!(facts.is_atomic(), starts("Atomic"), "{name}");
        assert_eq!(facts.samples_implicitly(), starts("Image") && name.ends_with("ImplicitLod"), "{name}");
        assert_eq!(facts.derivative == Some(Derivative::Operand), starts("DPd") || starts("Fwidth"), "{name}");
        assert_eq!(facts.image == Some(ImageUse::Query), starts("ImageQuery"), "{name}");
        let is_access = starts("Image") && !name.ends_with("QCOM") && !name.ends_with("NV");
        let is_access = is_access && !matches!(info.op, Op::Image | Op::ImageSparseTexelsResident);
        assert_eq!(facts.image.is_some(), is_access || starts("Fragment"), "{name}");
        assert_eq!(facts.compares, is_access && name.contains("Dref"), "{name}");
        assert_eq!(facts.projects, is_access && name.contains("Proj"), "{name}");
        let is_chain = name.contains("AccessChain") && info.op != Op::RawAccessChainNV;
        assert_eq!(facts.chain.is_some(), is_chain, "{name}");
        if starts("Type") && info.has_result {
            assert_eq!(facts.section, Section::Global, "{name}");
        }
        if (starts("Constant") || starts("SpecConstant")) && info.has_result {
            assert!(facts.constant.is_some(), "{name}");
        }
    }
}

#[test]
fn effects_are_not_pure() {
    let effects = [
        Op::Store,
        Op::ImageWrite,
        Op::AtomicIAdd,
        Op::AtomicLoad,
        Op::FunctionCall,
        Op::RayQueryProceedKHR,
        Op::HitObjectGetAttributesNV,
        Op::HitObjectGetAttributesEXT,
        Op::AllocateNodePayloadsAMDX,
        Op::FinishWritingNodePayloadAMDX,
        Op::EmitVertex,
    ];
    assert!(effects.into_iter().all(|op| !facts(op).is_pure()));
}

/// SPV_EXT_shader_invocation_reorder has the questions of SPV_NV_shader_invocation_reorder under other names.
#[test]
fn hit_objects_of_both_extensions_agree() {
    for (info, facts) in all() {
        let Some(name) = info.name.strip_suffix("EXT").filter(|name| name.starts_with("HitObject")) else { continue };
        if let Some((_, of_nv)) = all().find(|(other, _)| other.name.strip_suffix("NV") == Some(name)) {
            assert_eq!(facts, of_nv, "{name}");
        }
    }
    assert!(facts(Op::HitObjectGetRayFlagsEXT).is_pure() && facts(Op::HitObjectIsHitEXT).is_pure());
}

/// An invocation may end in other ways than by a return; what comes after is not run by all.
#[test]
fn ray_stages_leave_invocations_too() {
    for op in [Op::Kill, Op::TerminateInvocation, Op::IgnoreIntersectionKHR, Op::TerminateRayKHR] {
        assert!(facts(op).leaves_invocation() && facts(op).is_terminator(), "{op:?}");
    }
    for op in [Op::DemoteToHelperInvocation, Op::IgnoreIntersectionNV, Op::TerminateRayNV] {
        assert!(facts(op).leaves_invocation() && !facts(op).is_terminator(), "{op:?}");
    }
    for op in [Op::Return, Op::Branch, Op::Unreachable] {
        assert!(!facts(op).leaves_invocation() && facts(op).is_terminator(), "{op:?}");
    }
}

/// SPIR-V specification, 2.4, and the extensions that add to it.
#[test]
fn sections_are_in_the_order_of_the_layout() {
    let order = [
        Op::ConditionalCapabilityINTEL,
        Op::ConditionalExtensionINTEL,
        Op::ExtInstImport,
        Op::SamplerImageAddressingModeNV,
        Op::ConditionalEntryPointINTEL,
        Op::ExecutionModeId,
        Op::String,
        Op::MemberName,
        Op::ModuleProcessed,
        Op::MemberDecorateIdEXT,
        Op::TypeForwardPointer,
        Op::Label,
    ];
    assert!(order.windows(2).all(|pair| facts(pair[0]).section < facts(pair[1]).section));
}

#[test]
fn writes_are_found_with_their_pointer() {
    for (op, word) in [
        (Op::Store, Some(1)),
        (Op::CopyMemorySized, Some(1)),
        (Op::CooperativeMatrixStoreKHR, Some(1)),
        (Op::CooperativeVectorReduceSumAccumulateNV, Some(1)),
        (Op::AtomicFlagClear, Some(1)),
        (Op::AtomicCompareExchange, Some(3)),
        (Op::AtomicLoad, None),
        (Op::CooperativeMatrixLoadKHR, None),
        (Op::ImageWrite, None),
    ] {
        assert_eq!(facts(op).written_pointer(), word, "{op:?}");
    }
}

/// They return a texel as the others do, with a word of residency.
#[test]
fn sparse_reads_are_reads() {
    for (one, other) in [
        (Op::ImageRead, Op::ImageSparseRead),
        (Op::ImageFetch, Op::ImageSparseFetch),
        (Op::ImageGather, Op::ImageSparseGather),
        (Op::ImageSampleProjDrefImplicitLod, Op::ImageSparseSampleProjDrefImplicitLod),
    ] {
        assert_eq!(facts(one), facts(other));
    }
    assert_eq!(facts(Op::FragmentFetchAMD).image, Some(ImageUse::Fetch));
}

#[test]
fn a_query_of_the_level_of_detail_takes_derivatives() {
    assert_eq!(facts(Op::ImageQueryLod).derivative, Some(Derivative::Query));
    assert_eq!(facts(Op::ImageSampleExplicitLod).derivative, None);
}
