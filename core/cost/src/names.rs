//! Names of the variables that accesses are to.

use lanescope_base::ids::Id;
use lanescope_interpreter::Address;
use lanescope_spirv::Module;
use lanescope_spirv::enums::{Decoration, Op};

/// An order of workgroups, by the side of its tiles: `tiles of 8×8`.
pub(crate) fn order_name(tile: Option<u32>) -> String {
    tile.map_or("row-major".to_owned(), |side| format!("tiles of {side}×{side}"))
}

/// The name of the memory at an address: that of its variable or block, else its descriptor.
pub(crate) fn of_address(module: &Module, address: Address) -> String {
    match address {
        Address::Descriptor { set, binding, .. } => {
            let found = variable_at(module, set, binding).and_then(|variable| own_name(module, variable));
            found.unwrap_or_else(|| format!("set {set} binding {binding}"))
        }
        Address::Workgroup { variable, .. } => of_variable(module, variable),
        Address::PushConstants { .. } => "push constants".to_owned(),
        Address::Variable { .. } | Address::Physical(_) | Address::Null => "unknown memory".to_owned(),
    }
}

/// The name of a variable: its own, that of its block, that of its descriptor, or its id.
pub(crate) fn of_variable(module: &Module, variable: Id) -> String {
    let descriptor = || descriptor(module, variable).map(|[set, binding]| format!("set {set} binding {binding}"));
    own_name(module, variable).or_else(descriptor).unwrap_or_else(|| format!("%{}", variable.0))
}

/// The set and binding of a variable.
pub(crate) fn descriptor(module: &Module, variable: Id) -> Option<[u32; 2]> {
    let of = |decoration| module.decoration(variable, None, decoration);
    Some([of(Decoration::DescriptorSet)?, of(Decoration::Binding)?])
}

fn variable_at(module: &Module, set: u32, binding: u32) -> Option<Id> {
    let variables = module.globals().filter(|inst| inst.op() == Some(Op::Variable)).filter_map(|inst| inst.result());
    variables.into_iter().find(|variable| descriptor(module, *variable) == Some([set, binding]))
}

fn own_name(module: &Module, variable: Id) -> Option<String> {
    let name = |id: Id| module.name(id).filter(|name| !name.is_empty()).map(str::to_owned);
    name(variable).or_else(|| module.pointee(variable).and_then(name))
}
