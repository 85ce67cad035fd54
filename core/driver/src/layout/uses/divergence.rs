//! Which values are the same for all invocations of a wave: by the form's own marks, and where a form has none, by what
//! makes a value.

use std::collections::HashSet;

use super::super::nir::{Nir, Node};
use super::super::values::follow;
use super::shape::{is_by_component, operands};

/// What is known of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Divergence {
    /// It is the same for all invocations of a wave.
    Uniform,
    /// It differs, as far as the compiler knows.
    Varying,
    /// The text does not show it.
    Unknown,
}

/// Loads of what is the same for all invocations of a draw, where their operands are.
const UNIFORM: [&str; 5] =
    ["load_const_ir3", "load_push_constant", "load_ubo", "load_uniform", "bindless_resource_ir3"];
/// Loads of what each vertex has of its own.
const VARYING: [&str; 5] =
    ["load_input", "load_vertex_id", "load_vertex_id_zero_base", "load_instance_id", "load_per_vertex_input"];
/// The most values that are looked at for one.
const MAX_VALUES: usize = 1 << 10;

impl Divergence {
    /// That of a component of a value.
    pub fn of(nir: &Nir<'_>, node: Node) -> Divergence {
        if nir.marks_uniform {
            let uniform = nir.statements.get(node.0).and_then(|statement| statement.dest?.uniform);
            return if uniform == Some(true) { Divergence::Uniform } else { Divergence::Varying };
        }
        let mut seen = HashSet::new();
        let mut open = vec![node];
        let mut out = Divergence::Uniform;
        while let Some(node) = open.pop() {
            // What is undefined may be anything.
            let Some(node) = follow(nir, node) else { return Divergence::Unknown };
            if !seen.insert(node) {
                continue;
            }
            let Some(statement) = nir.statements.get(node.0).filter(|_| seen.len() <= MAX_VALUES) else {
                return Divergence::Unknown;
            };
            match statement.op {
                op if statement.is_intrinsic && VARYING.contains(&op) => return Divergence::Varying,
                _ if nir.constant(node).is_some() => {}
                op if statement.is_intrinsic && UNIFORM.contains(&op) => open.extend(operands(nir, node)),
                // What is chosen by a branch, or looked up in a texture, is not followed.
                op if op != "phi" && statement.literals.is_empty() && is_by_component(nir, statement) => {
                    open.extend(operands(nir, node));
                }
                _ => out = Divergence::Unknown,
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_marks_a_value_is_uniform_only_by_what_makes_it() {
        let text = "shader: MESA_SHADER_VERTEX\n\
            32 %1 = load_const (0x00000000)\n\
            32x4 %2 = @load_input (%1 (0x0)) (base=0, component=0, io location=VERT_ATTRIB_GENERIC0 slots=1)\n\
            32x4 %3 = @load_const_ir3 (%1 (0x0)) (base=4)\n\
            32 %4 = fmul %3.x, %3.y\n\
            32 %5 = fmul %3.x, %2.y\n\
            32 %6 = @load_ssbo (%1, %1)\n\
            32 %7 = fadd %6, %4\n\
            32 %8 = fadd %7, %5\n\
            32x4 %9 = @load_const_ir3 (%6) (base=4)\n\
            32 %10 = @load_instance_id\n\
            32 %11 = u2f32 %10\n";
        let nir = Nir::read(text).expect("a form");
        let of = |name: &str| Divergence::of(&nir, (nir.made(name).expect("is made").0, 0));
        let (uniform, varying, unknown) = (Divergence::Uniform, Divergence::Varying, Divergence::Unknown);
        assert_eq!([of("%1"), of("%3"), of("%4")], [uniform; 3]);
        assert_eq!([of("%2"), of("%5"), of("%8"), of("%11")], [varying; 4]);
        assert_eq!([of("%6"), of("%7"), of("%9")], [unknown; 3]);
        let marked = text.replace("32 %6", "div 32 %6").replace("32 %4", "con 32 %4");
        let nir = Nir::read(&marked).expect("a form");
        let of = |name: &str| Divergence::of(&nir, (nir.made(name).expect("is made").0, 0));
        assert_eq!([of("%4"), of("%6"), of("%7")], [uniform, varying, varying]);
    }
}
