//! Inputs of Intel's fragment shaders that are interpolated by arithmetic: the form loads the value at a vertex and how it
//! changes along both edges, and computes the value at the pixel from these and the barycentric coordinates.
//!
//! ```text
//! div 32x3 %5 = @load_fs_input_interp_deltas (%1 (0x0)) (base=32, component=1, io location=32 slots=1)
//! div 32   %6 = ffma %2.y, %5.y, %5.x
//! div 32   %7 = ffma %2.x, %5.z, %6
//! ```

use std::collections::HashMap;

use super::nir::{Nir, Node};

/// The intrinsic.
pub(super) const DELTAS: &str = "load_fs_input_interp_deltas";

/// The interpolated values, by the statement that loads what they are computed from.
pub(super) fn interpolated(nir: &Nir<'_>) -> HashMap<usize, Vec<Node>> {
    let mut out: HashMap<usize, Vec<Node>> = HashMap::new();
    for index in 0..nir.statements.len() {
        if let Some(deltas) = deltas(nir, index) {
            out.entry(deltas).or_default().push((index, 0));
        }
    }
    out
}

/// The load that a statement interpolates; none where it does something else.
fn deltas(nir: &Nir<'_>, index: usize) -> Option<usize> {
    let ([i, along_i], inner) = sum(nir, index)?;
    let ([j, along_j], (load, 0)) = sum(nir, inner.0)? else { return None };
    let is_load = nir.statements.get(load)?.op == DELTAS;
    let is = (along_i, along_j) == ((load, 2), (load, 1)) && (i.0, i.1, j.1) == (j.0, 0, 1);
    (is_load && is).then_some(load)
}

/// The factors of a product, and what it is added to.
fn sum(nir: &Nir<'_>, index: usize) -> Option<([Node; 2], Node)> {
    let statement = nir.statements.get(index)?;
    (statement.name() == "ffma" && statement.operands.iter().all(|operand| operand.plain)).then_some(())?;
    let [a, b, c] = statement.operands.as_slice() else { return None };
    let one = |operand| match nir.nodes(operand)?.as_slice() {
        [node] => Some(*node),
        _ => None,
    };
    Some(([one(a)?, one(b)?], one(c)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "shader: MESA_SHADER_FRAGMENT\n\
        con 32 %1 = load_const (0x00000000)\n\
        div 32x2 %2 = @load_barycentric_pixel (interp_mode=INTERP_MODE_SMOOTH)\n\
        div 32x3 %5 = @load_fs_input_interp_deltas (%1 (0x0)) (base=32, component=1, io location=32 slots=1)\n\
        div 32 %6 = ffma %2.y, %5.y, %5.x\n\
        div 32 %7 = ffma %2.x, %5.z, %6\n";

    #[test]
    fn a_value_is_interpolated_only_where_all_parts_are() {
        let of = |text: &str| {
            let nir = Nir::read(text).expect("a form");
            let (load, value) = (nir.made("%5").expect("is made").0, nir.made("%7").expect("is made").0);
            interpolated(&nir).get(&load).is_some_and(|all| *all == [(value, 0)])
        };
        assert!(of(TEXT));
        for (here, there) in [
            ("%2.y, %5.y, %5.x", "%2.y, %5.x, %5.y"),
            ("%2.y, %5.y", "%2.x, %5.y"),
            ("%2.x, %5.z, %6", "%2.x, %5.z, %5.x"),
            ("%2.x, %5.z, %6", "-%2.x, %5.z, %6"),
            ("= ffma %2.y", "= fmul %2.y"),
            ("@load_fs_input_interp_deltas", "@load_ubo"),
        ] {
            assert!(!of(&TEXT.replace(here, there)), "{here} {there}");
        }
    }
}
