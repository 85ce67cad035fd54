//! Rules of the validator that a module may break and still be read, and what stands for the module once it has.

use std::collections::BTreeSet;

use super::findings;
use lanescope_base::StageKind;
use lanescope_base::ids::Id;
use lanescope_model::program::BrokenRule;
use lanescope_spirv::enums::{BuiltIn, Decoration, ExecutionMode, Op};
use lanescope_spirv::{EntryPoint, Inst, Module, Type};

/// A rule of the validator that a module may break and still be read.
pub(super) struct Tolerated {
    /// All that the validator's message contains.
    pub words: &'static [&'static str],
    /// The finding that it becomes.
    pub rule: &'static findings::Rule,
    /// Why it is tolerated; empty where the finding's own line says so.
    pub reason: &'static str,
    /// Whether this module breaks it in the way that is tolerated.
    pub applies: fn(&Module) -> bool,
    /// How the rest of the module is validated.
    pub rest: Rest,
}

/// How the rest of a module is validated, once the validator has stopped at a rule.
#[derive(Clone, Copy)]
pub(super) enum Rest {
    /// With workgroup sizes that break no rule, and without the rules that are Vulkan's alone.
    Universal,
    /// By all rules, with the instructions that break this one replaced. Several modules are validated one by one;
    /// if there are none, as [`Rest::Universal`].
    Replaced(fn(&Module) -> Vec<Replaced>),
}

/// Words that are validated instead of a module's.
pub(super) struct Replaced {
    pub words: Vec<u32>,
    /// By instruction: the index of the module's instruction that it stands for.
    pub origin: Vec<u32>,
}

impl Replaced {
    /// The module's own words.
    pub fn nothing(module: &Module) -> Replaced {
        Replaced { words: module.words().to_vec(), origin: (0..module.len() as u32).collect() }
    }

    /// The words that `write` writes for each instruction: whole instructions, or none.
    fn each(module: &Module, mut write: impl FnMut(&Inst<'_>, &mut Vec<u32>)) -> Replaced {
        let mut words = module.words().get(..5).unwrap_or_default().to_vec();
        let mut origin = Vec::with_capacity(module.len());
        for inst in module.insts() {
            let mut at = words.len();
            write(&inst, &mut words);
            while let Some(&first) = words.get(at) {
                origin.push(inst.index.0);
                at += (first >> 16).max(1) as usize;
            }
        }
        Replaced { words, origin }
    }

    /// These words, which stand for words that stand for a module themselves, as words of that module.
    pub fn of(mut self, replaced: &Replaced) -> Replaced {
        for at in &mut self.origin {
            *at = replaced.origin.get(*at as usize).copied().unwrap_or_default();
        }
        self
    }
}

impl Tolerated {
    /// Whether a broken rule is this one.
    pub fn is(&self, broken: &BrokenRule) -> bool {
        broken.code == self.rule.code && self.words.first().is_some_and(|words| broken.message.contains(words))
    }

    /// The finding's message: the line of the validator's message that states the rule, and the reason.
    pub fn message(&self, message: &str) -> String {
        let stated = |line: &&str| self.words.first().is_some_and(|words| line.contains(words));
        let line = message.lines().find(stated).or_else(|| message.lines().next()).unwrap_or_default();
        if self.reason.is_empty() { line.to_owned() } else { format!("{line} ({})", self.reason) }
    }
}

const ANY: fn(&Module) -> bool = |_| true;

/// Vulkan's specification wants 32-bit integers here, of either sign.
const EITHER_SIGN: &str = "Vulkan allows any 32-bit integer, the validator only a signed one";

const OTHER_ENTRY_POINTS: &str =
    "the mesh entry points keep the rule; the validator asks every other entry point of the module for it, too";

const fn of_mesh_entry_points(words: &'static [&'static str]) -> Tolerated {
    Tolerated {
        words,
        rule: findings::TOLERATED_RULE,
        reason: OTHER_ENTRY_POINTS,
        applies: indices_match_modes,
        rest: Rest::Replaced(by_mesh_output),
    }
}

pub(super) const TOLERATED: &[Tolerated] = &[
    Tolerated {
        words: &["call graph with cycles"],
        rule: findings::RECURSION,
        reason: "",
        applies: ANY,
        rest: Rest::Universal,
    },
    Tolerated {
        words: &["must not have a product of zero"],
        rule: findings::SIZE_ZERO,
        reason: "",
        applies: ANY,
        rest: Rest::Universal,
    },
    Tolerated {
        words: &["BuiltIn PrimitiveId variable needs to be"],
        rule: findings::PRIMITIVE_ID_TYPE,
        reason: "",
        applies: ANY,
        rest: Rest::Universal,
    },
    Tolerated {
        words: &["VUID-Layer-Layer-10592", "is not a signed integer scalar"],
        rule: findings::TOLERATED_RULE,
        reason: EITHER_SIGN,
        applies: |module| holds_integers(module, BuiltIn::Layer),
        rest: Rest::Universal,
    },
    Tolerated {
        words: &["VUID-ViewportIndex-ViewportIndex-10601", "is not a signed integer scalar"],
        rule: findings::TOLERATED_RULE,
        reason: EITHER_SIGN,
        applies: |module| holds_integers(module, BuiltIn::ViewportIndex),
        rest: Rest::Universal,
    },
    Tolerated {
        words: &["VUID-StandaloneSpirv-None-10684", "Invalid explicit layout decorations"],
        rule: findings::TOLERATED_RULE,
        reason: "array strides and offsets of memory without a layout, such as workgroup memory, have no effect; \
                 compilers emitted them before the rule existed",
        applies: ANY,
        rest: Rest::Universal,
    },
    Tolerated {
        words: &["VUID-RuntimeSpirv-Offset-10213"],
        rule: findings::TOLERATED_RULE,
        reason: "devices with VK_KHR_maintenance8 take offsets that are not constant",
        applies: ANY,
        rest: Rest::Universal,
    },
    Tolerated {
        words: &["has not been defined", "OpSource "],
        rule: findings::TOLERATED_RULE,
        reason: "OpSource is debug information, and Slang emits it before the strings that it references",
        applies: ANY,
        rest: Rest::Replaced(with_plain_sources),
    },
    Tolerated {
        words: &["VUID-StandaloneSpirv-Flat-04744"],
        rule: findings::TOLERATED_RULE,
        reason: "inputs of SPV_AMD_shader_explicit_vertex_parameter are not interpolated, so integers need no Flat",
        applies: ANY,
        rest: Rest::Replaced(|module| vec![with_flat_explicit_inputs(module)]),
    },
    of_mesh_entry_points(&["VUID-PrimitivePointIndicesEXT-PrimitivePointIndicesEXT-07042"]),
    of_mesh_entry_points(&["VUID-PrimitivePointIndicesEXT-PrimitivePointIndicesEXT-07046"]),
    of_mesh_entry_points(&["VUID-PrimitiveLineIndicesEXT-PrimitiveLineIndicesEXT-07048"]),
    of_mesh_entry_points(&["VUID-PrimitiveLineIndicesEXT-PrimitiveLineIndicesEXT-07052"]),
    of_mesh_entry_points(&["VUID-PrimitiveTriangleIndicesEXT-PrimitiveTriangleIndicesEXT-07054"]),
    of_mesh_entry_points(&["VUID-PrimitiveTriangleIndicesEXT-PrimitiveTriangleIndicesEXT-07058"]),
    Tolerated {
        words: &["DerivativeGroupQuadsKHR or DerivativeGroupLinearKHR execution mode for GLCompute"],
        rule: findings::TOLERATED_RULE,
        reason: "only SPV_KHR_compute_shader_derivatives requires such a mode; without one, derivatives are zero by \
                 SPV_NV_compute_shader_derivatives, and else undefined",
        applies: derivatives_may_be_zero,
        rest: Rest::Replaced(|module| vec![without_derivatives(module)]),
    },
];

/// Whether all variables and members with a built-in hold 32-bit integers.
fn holds_integers(module: &Module, built_in: BuiltIn) -> bool {
    let is = |value: u32| value == built_in as u32;
    module.globals().filter_map(|inst| inst.result()).all(|id| {
        let own = module.decoration(id, None, Decoration::BuiltIn).is_some_and(is);
        let ty = module.type_of(id).and_then(|ty| module.pointee(ty));
        let members = match module.ty(id) {
            Some(Type::Struct { members }) => members,
            _ => &[],
        };
        let mut of_members = members
            .iter()
            .zip(0..)
            .filter(|(_, member)| module.decoration(id, Some(*member), Decoration::BuiltIn).is_some_and(is));
        (!own || ty.is_some_and(|ty| is_integer(module, ty))) && of_members.all(|(ty, _)| is_integer(module, Id(*ty)))
    })
}

/// Whether a type is a 32-bit integer or an array of such.
fn is_integer(module: &Module, ty: Id) -> bool {
    let ty = match module.ty(ty) {
        Some(Type::Array { element, .. }) => module.ty(element),
        other => other,
    };
    matches!(ty, Some(Type::Int { bits: 32, .. }))
}

/// The words with every `OpSource` reduced to its language and version, which name no id.
fn with_plain_sources(module: &Module) -> Vec<Replaced> {
    const PLAIN: usize = 3;
    vec![Replaced::each(module, |inst, words| match inst.op() {
        Some(Op::Source) if inst.words.len() > PLAIN => {
            words.push((PLAIN as u32) << 16 | Op::Source as u32);
            words.extend(&inst.words[1..PLAIN]);
        }
        _ => words.extend(inst.words),
    })]
}

/// The words with `Flat` beside each `ExplicitInterpAMD` without it.
pub(super) fn with_flat_explicit_inputs(module: &Module) -> Replaced {
    Replaced::each(module, |inst, words| {
        words.extend(inst.words);
        let is_explicit = inst.op() == Some(Op::Decorate) && inst.word_at(2) == Decoration::ExplicitInterpAMD as u32;
        if is_explicit && !module.is_decorated(inst.id_at(1), None, Decoration::Flat) {
            words.extend([3 << 16 | Op::Decorate as u32, inst.word_at(1), Decoration::Flat as u32]);
        }
    })
}

/// The words with every literal workgroup size replaced by one that breaks no rule.
pub(super) fn with_some_size(module: &Module) -> Replaced {
    Replaced::each(module, |inst, words| {
        let at = words.len();
        words.extend(inst.words);
        let is_size = inst.word_at(2) == ExecutionMode::LocalSize as u32 && inst.words.len() == 6;
        if inst.op() == Some(Op::ExecutionMode) && is_size {
            words[at + 3..at + 6].copy_from_slice(&[4, 2, 1]);
        }
    })
}

/// The execution mode that a mesh entry point has with a variable of primitive indices.
fn mode_of_indices(module: &Module, variable: Id) -> Option<ExecutionMode> {
    let built_in = module.decoration(variable, None, Decoration::BuiltIn)?;
    Some(match BuiltIn::from_u32(built_in)? {
        BuiltIn::PrimitivePointIndicesEXT => ExecutionMode::OutputPoints,
        BuiltIn::PrimitiveLineIndicesEXT => ExecutionMode::OutputLinesEXT,
        BuiltIn::PrimitiveTriangleIndicesEXT => ExecutionMode::OutputTrianglesEXT,
        _ => return None,
    })
}

/// The number of primitives that a mesh entry point states.
fn primitives(entry: &EntryPoint) -> Option<u32> {
    entry.mode(ExecutionMode::OutputPrimitivesEXT)?.first().copied()
}

/// Whether several entry points share the module, and each mesh entry point has the mode and the number of primitives
/// of its indices: of those that it has in its interface.
fn indices_match_modes(module: &Module) -> bool {
    let matches = |entry: &EntryPoint, variable: Id| {
        let Some(mode) = mode_of_indices(module, variable) else { return true };
        let length = match module.type_of(variable).and_then(|ty| module.pointee(ty)).and_then(|ty| module.ty(ty)) {
            Some(Type::Array { length, .. }) => module.constant(length).and_then(|length| length.as_u32()),
            _ => None,
        };
        entry.mode(mode).is_some() && length.is_some() && length == primitives(entry)
    };
    let entries = module.entry_points();
    let mut meshes = entries.iter().filter(|entry| entry.stage == Some(StageKind::Mesh));
    entries.len() > 1 && meshes.all(|entry| entry.interface.iter().all(|&variable| matches(entry, variable)))
}

/// The most modules that one is validated as.
const MAX_PARTS: usize = 16;

/// The module once for each kind of output of its mesh entry points, and once for its other entry points: each time
/// without the other entry points, and without the built-ins of indices that those have.
///
/// None where there are too many.
fn by_mesh_output(module: &Module) -> Vec<Replaced> {
    const FORMS: [ExecutionMode; 3] =
        [ExecutionMode::OutputPoints, ExecutionMode::OutputLinesEXT, ExecutionMode::OutputTrianglesEXT];
    let output = |entry: &EntryPoint| {
        let is_mesh = entry.stage == Some(StageKind::Mesh);
        is_mesh.then(|| (FORMS.map(|form| entry.mode(form).is_some()), primitives(entry)))
    };
    let outputs: BTreeSet<_> = module.entry_points().iter().map(output).collect();
    if outputs.len() > MAX_PARTS {
        return Vec::new();
    }
    outputs.iter().map(|kept| with_entry_points(module, |entry| output(entry) == *kept)).collect()
}

/// The words with some entry points alone.
fn with_entry_points(module: &Module, keep: impl Fn(&EntryPoint) -> bool) -> Replaced {
    let kept: Vec<bool> = module.entry_points().iter().map(&keep).collect();
    let entries = || module.entry_points().iter().zip(&kept).filter(|(_, kept)| **kept).map(|(entry, _)| entry);
    let functions: BTreeSet<Id> = entries().map(|entry| entry.function).collect();
    let interface: BTreeSet<Id> = entries().flat_map(|entry| entry.interface.iter().copied()).collect();
    let mut kept = kept.iter();
    Replaced::each(module, |inst, words| {
        let stays = match inst.op() {
            Some(Op::EntryPoint) => kept.next().copied().unwrap_or(true),
            Some(Op::ExecutionMode | Op::ExecutionModeId) => functions.contains(&inst.id_at(1)),
            Some(Op::Decorate) if inst.word_at(2) == Decoration::BuiltIn as u32 => {
                interface.contains(&inst.id_at(1)) || mode_of_indices(module, inst.id_at(1)).is_none()
            }
            _ => true,
        };
        if stays {
            words.extend(inst.words);
        }
    })
}

/// Whether the module lacks the extension that requires a derivative group, and no stage but those that may have
/// derivatives reaches any. Later versions of the validator apply the rule to modules with that extension only.
fn derivatives_may_be_zero(module: &Module) -> bool {
    let has = |name: &str| module.globals().any(|inst| inst.op() == Some(Op::Extension) && inst.string_at(1).0 == name);
    let may = |stage| matches!(stage, StageKind::Fragment | StageKind::Compute | StageKind::Mesh | StageKind::Task);
    let reaches = |entry: &EntryPoint| {
        let mut insts =
            module.reachable(entry).into_iter().flat_map(|function| module.insts_in(function.insts.clone()));
        insts.any(|inst| inst.facts().derivative.is_some())
    };
    !has("SPV_KHR_compute_shader_derivatives")
        && module.entry_points().iter().all(|entry| entry.stage.is_some_and(may) || !reaches(entry))
}

/// The words with an undefined value for the result of each derivative, and of each instruction that needs some.
fn without_derivatives(module: &Module) -> Replaced {
    Replaced::each(module, |inst, words| match inst.facts().derivative {
        Some(_) if inst.words.len() > 3 => {
            words.push(3 << 16 | Op::Undef as u32);
            words.extend(&inst.words[1..3]);
        }
        _ => words.extend(inst.words),
    })
}
