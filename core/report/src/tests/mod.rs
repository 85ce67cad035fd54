mod alone;
mod reserved;
mod tessellation;
mod uninterpreted;

use lanescope_passes::registers::Register;

const COLOUR: &str = "layout(location = 0) out vec4 colour;\n";

fn register<'r>(registers: &'r [Register], name: &str) -> &'r Register {
    registers.iter().find(|register| register.name == name).unwrap_or_else(|| panic!("no register {name}"))
}

/// A register's value by its name.
fn value(registers: &[Register], name: &str) -> Option<u32> {
    register(registers, name).value.map(|value| value.0 as u32)
}
