//! The size and the derivative groups of a workgroup, from the module and the options.

use super::Rule;
use lanescope_base::ids::Id;
use lanescope_model::options::{Derivatives, Options};
use lanescope_model::program::StageKind;
use lanescope_spirv::enums::{BuiltIn, Decoration, ExecutionMode, Op};
use lanescope_spirv::{EntryPoint, Module};

/// A workgroup's size. Dimensions may be 0.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Size {
    /// The size in the module.
    pub declared: [u32; 3],
    /// After the override.
    pub used: [u32; 3],
    /// Origin of the size.
    pub rules: Vec<Rule>,
}

/// Reads the size: the constant decorated WorkgroupSize, else LocalSize or LocalSizeId, else 0, 0, 0; then the
/// options' override, which counts if any of its numbers is not 0.
///
/// Fails, with the reason, where a constant has no value that can be evaluated.
pub(super) fn size(module: &Module, entry: &EntryPoint, options: &Options) -> Result<Size, String> {
    let mode = mode_size(module, entry)?;
    let constant = match workgroup_size_constant(module) {
        Some(id) => Some((id, constant_size(module, id)?)),
        None => None,
    };
    let mode_text = match mode {
        Some((name, size)) => format!("{name} {}", list(size)),
        None => "nowhere: no execution mode sets one".to_owned(),
    };
    let (declared, by_constant) = match constant {
        Some((id, size)) => {
            let why = format!(
                "constant %{id}, decorated WorkgroupSize, is {}; it takes precedence over {mode_text}",
                list(size)
            );
            (size, Rule::new("size-constant", true, why))
        }
        None => {
            let why = format!("no constant is decorated WorkgroupSize; the size is from {mode_text}");
            (mode.map_or([0; 3], |(_, size)| size), Rule::new("size-constant", false, why))
        }
    };
    let (used, by_option) = match options.group_size {
        Some(size) if size != [0; 3] => {
            let why = format!("{} is set instead of {}", list(size), list(declared));
            (size, Rule::new("size-override", true, why))
        }
        Some(_) => (declared, Rule::new("size-override", false, "0, 0, 0 is set, which overrides nothing".to_owned())),
        None => (declared, Rule::new("size-override", false, format!("not set; {} is kept", list(declared)))),
    };
    Ok(Size { declared, used, rules: vec![by_constant, by_option] })
}

/// X, Y, Z as the module says them: the constant decorated WorkgroupSize comes before the execution modes. None where
/// they are not declared or a constant cannot be evaluated.
pub fn declared_size(module: &Module, entry: &EntryPoint) -> Option<[u32; 3]> {
    match workgroup_size_constant(module) {
        Some(id) => constant_size(module, id).ok(),
        None => mode_size(module, entry).ok()?.map(|(_, size)| size),
    }
}

/// The derivative groups, and why. Quads win where both modes are set.
pub(super) fn derivatives(entry: &EntryPoint, stage: StageKind, options: &Options) -> (Derivatives, String) {
    if let Some(given) = options.derivatives {
        return (given, format!("option derivatives is {given}"));
    }
    // The NV and the KHR extension share their modes' numbers.
    let modes = [
        (ExecutionMode::DerivativeGroupQuadsKHR, Derivatives::Quads, true),
        (ExecutionMode::QuadDerivativesKHR, Derivatives::Quads, stage == StageKind::Compute),
        (ExecutionMode::DerivativeGroupLinearKHR, Derivatives::Linear, true),
    ];
    let found = modes.into_iter().find(|&(mode, _, counts)| counts && entry.mode(mode).is_some());
    match found {
        Some((mode, derivatives, _)) => (derivatives, format!("execution mode {mode:?} is set")),
        None => (Derivatives::None, "no execution mode sets derivative groups".to_owned()),
    }
}

/// `16, 8, 1`.
pub(super) fn list([x, y, z]: [u32; 3]) -> String {
    format!("{x}, {y}, {z}")
}

type Named = (&'static str, [u32; 3]);

fn mode_size(module: &Module, entry: &EntryPoint) -> Result<Option<Named>, String> {
    if let Some(literals) = entry.mode(ExecutionMode::LocalSize) {
        // A literal that is not there reads as 0, as everywhere in a module.
        return Ok(Some(("LocalSize", [0, 1, 2].map(|i| literals.get(i).copied().unwrap_or(0)))));
    }
    let Some(ids) = entry.mode(ExecutionMode::LocalSizeId) else { return Ok(None) };
    let mut size = [0; 3];
    for (value, &id) in size.iter_mut().zip(ids) {
        *value = module
            .constant(Id(id))
            .and_then(|c| c.as_u32())
            .ok_or_else(|| format!("LocalSizeId: %{id} has no value that can be evaluated"))?;
    }
    Ok(Some(("LocalSizeId", size)))
}

/// The constant that is decorated with the built-in WorkgroupSize: it counts for every entry point.
fn workgroup_size_constant(module: &Module) -> Option<Id> {
    module
        .definitions()
        .filter(|inst| {
            matches!(
                inst.op(),
                Some(
                    Op::ConstantComposite
                        | Op::SpecConstantComposite
                        | Op::ConstantCompositeReplicateEXT
                        | Op::SpecConstantCompositeReplicateEXT
                        | Op::ConstantNull
                        | Op::SpecConstantOp
                        | Op::Undef
                )
            )
        })
        .filter_map(|inst| inst.result())
        .find(|&id| module.decoration(id, None, Decoration::BuiltIn) == Some(BuiltIn::WorkgroupSize as u32))
}

fn constant_size(module: &Module, id: Id) -> Result<[u32; 3], String> {
    let mut size = [0; 3];
    for (element, value) in (0..).zip(&mut size) {
        *value = module
            .constant_element(id, element)
            .and_then(|c| c.as_u32())
            .ok_or_else(|| format!("constant %{id}, decorated WorkgroupSize: element {element} cannot be evaluated"))?;
    }
    Ok(size)
}
