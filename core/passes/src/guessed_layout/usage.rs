//! Features of a module that its compilation depends on.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::liveness::Liveness;
use lanescope_base::named_enum;
use lanescope_model::program::StageKind;
use lanescope_spirv::enums::{Capability, Op};

named_enum!(
    /// The buffers that variable pointers may point to.
    VariablePointers {
        /// None.
        None = "none",
        /// Storage buffers.
        Storage = "storage",
        /// Storage buffers and workgroup memory.
        Full = "full",
    }
);

/// A module's flags.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ModuleUsage {
    /// `VariablePointers` and `VariablePointersStorageBuffer`.
    pub variable_pointers: VariablePointers,
    /// Subgroup operations: results depend on the wave size.
    pub subgroup_size: bool,
    /// A fragment shader with subgroup operations takes derivatives, so helper invocations take part in them.
    pub helper_invocations: bool,
    /// Specialization constants are declared.
    pub spec_constants: bool,
    /// Functions are exported, so those that nothing calls are kept.
    pub unused_functions: bool,
}

/// The flags of an entry point's module.
pub fn usage(live: &Liveness<'_>) -> ModuleUsage {
    let module = live.module();
    let declared = module.globals().take_while(|inst| inst.op() == Some(Op::Capability));
    let capabilities: Vec<Capability> = declared.filter_map(|inst| Capability::from_u32(inst.word_at(1))).collect();
    let spec_constants = module.definitions().any(|inst| inst.facts().takes_spec_id());
    let has = |wanted: Capability| capabilities.contains(&wanted);
    let variable_pointers = match (has(Capability::VariablePointers), has(Capability::VariablePointersStorageBuffer)) {
        (true, _) => VariablePointers::Full,
        (_, true) => VariablePointers::Storage,
        _ => VariablePointers::None,
    };
    let subgroup_size = capabilities.iter().any(|capability| {
        let name = format!("{capability:?}");
        name.starts_with("GroupNonUniform") || name.starts_with("Subgroup")
    });
    let fragment = live.entry().stage == Some(StageKind::Fragment);
    let derives = || live.insts().any(|inst| inst.facts().derivative.is_some());
    ModuleUsage {
        variable_pointers,
        subgroup_size,
        helper_invocations: fragment && subgroup_size && derives(),
        spec_constants,
        unused_functions: has(Capability::Linkage),
    }
}
