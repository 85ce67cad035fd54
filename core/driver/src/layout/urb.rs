//! What a stage of Intel's before the rasterizer writes to the URB, the memory through which its stages pass values.
//!
//! A vertex takes rows of four values. Its header and its position come first, then the varyings in the order of their
//! locations. The text names rows and not locations, but its header lists the locations that are written: where no other
//! built-in value is among them, and as many rows are stored, those are theirs. Compiled alone, a row is left free for a
//! location that is not written, and no store goes there.
//!
//! ```text
//! @store_urb_vec4_intel (%8, %9, %1 (0x0), %7 (0xff)) (base=2)      // rows 2 and 3
//! @store_urb_lsc_intel (%8, %9) (base=32)                          // bytes
//! ```

use std::collections::{BTreeMap, BTreeSet};

use super::nir::{Nir, Node, Statement};
use super::values::follow;

/// Bytes of a row, and what begins the names of stores.
const ROW_BYTES: u32 = 16;
const STORES: &str = "store_urb";
/// The row of the position, where no other is before it but the header.
const POSITION: u32 = 1;

/// What is written, by row and component.
type Rows = BTreeMap<(u32, u8), Node>;

/// The values of the varyings by location and component, and those of the position.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Urb {
    pub varyings: Vec<((u32, u8), Node)>,
    pub position: Vec<Node>,
}

impl Urb {
    /// What a form writes; none of one that stores nothing to the URB, or where it is not known what goes where.
    pub fn of(nir: &Nir<'_>) -> Option<Urb> {
        let rows = rows(nir)?;
        let locations: Vec<u32> = nir.locations_written().collect();
        let stored: BTreeSet<u32> = rows.keys().map(|(row, _)| *row).filter(|row| *row > POSITION).collect();
        // Other built-in values may have rows too.
        let is_plain = nir.outputs_written.iter().filter(|number| **number != 0).count() == locations.len();
        (is_plain && stored.len() == locations.len()).then_some(())?;
        let of_row: BTreeMap<u32, u32> = stored.into_iter().zip(locations).collect();
        let varyings = rows.iter().filter_map(|((row, channel), node)| Some(((*of_row.get(row)?, *channel), *node)));
        let position = rows.range((POSITION, 0)..=(POSITION, 3)).map(|(_, node)| *node);
        Some(Urb { varyings: varyings.collect(), position: position.collect() })
    }
}

/// What is stored to each row, but for what is undefined; none where a store is not understood, or there is none.
fn rows(nir: &Nir<'_>) -> Option<Rows> {
    let mut out = Rows::new();
    for statement in nir.statements.iter().filter(|s| s.is_intrinsic && s.op.starts_with(STORES)) {
        let first = first(nir, statement)?;
        let value = nir.nodes(statement.operands.first()?)?;
        for (node, index) in value.into_iter().zip(0u8..) {
            if follow(nir, node).is_none() {
                continue;
            }
            // A place that is stored to on several ways has no one value.
            let known = out.insert((first.checked_add(u32::from(index / 4))?, index % 4), node);
            known.is_none().then_some(())?;
        }
    }
    (!out.is_empty()).then_some(out)
}

/// The first row that a store writes whole.
fn first(nir: &Nir<'_>, statement: &Statement<'_>) -> Option<u32> {
    let base = statement.number("base")?;
    match (statement.op, statement.operands.as_slice()) {
        ("store_urb_vec4_intel", [value, _, offset, mask]) => {
            let count = u32::try_from(nir.nodes(value)?.len()).ok()?;
            let whole = 1u32.checked_shl(count)?.checked_sub(1)?;
            (nir.number(mask)? == whole).then_some(())?;
            base.checked_add(nir.number(offset)?)
        }
        ("store_urb_lsc_intel", [_, address]) => {
            (is_handle(nir, *nir.nodes(address)?.first()?) && base % ROW_BYTES == 0).then_some(base / ROW_BYTES)
        }
        _ => None,
    }
}

/// Whether an address is that of the vertex, with nothing added.
fn is_handle(nir: &Nir<'_>, node: Node) -> bool {
    let Some(made) = nir.statements.get(node.0) else { return false };
    let nodes = made.operands.iter().filter(|o| o.plain).filter_map(|operand| nir.nodes(operand)?.first().copied());
    match (made.op, nodes.collect::<Vec<_>>().as_slice()) {
        ("load_urb_output_handle_intel", []) => true,
        ("iadd", [handle, added]) => {
            let added = nir.statements.get(added.0).filter(|added| added.op == "ishl");
            let is_zero = added.and_then(|added| nir.number(added.operands.first()?)) == Some(0);
            is_zero && is_handle(nir, *handle)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "shader: MESA_SHADER_VERTEX\noutputs_written: 0,33,35\n\
        con 32 %1 = load_const (0x00000000)\n\
        con 32 %2 = load_const (0x000000ff = 0.000000 = 255)\n\
        con 32 %3 = undefined\n\
        div 32x4 %4 = @load_input (%1 (0x0)) (base=0, component=0, io location=VERT_ATTRIB_GENERIC0 slots=1)\n\
        div 32x8 %5 = vec8 %1 (0x0), %1 (0x0), %1 (0x0), %1 (0x0), %4.x, %4.y, %4.z, %4.w\n\
        div 32 %6 = @load_urb_output_handle_intel\n\
        \t@store_urb_vec4_intel (%5, %6, %1 (0x0), %2 (0xff)) (base=0)\n\
        div 32x8 %7 = vec8 %4.x, %3, %4.z, %3, %4.w, %3, %3, %3\n\
        \t@store_urb_vec4_intel (%7, %6, %1 (0x0), %2 (0xff)) (base=2)\n";

    fn of(text: &str) -> Option<Vec<((u32, u8), u8)>> {
        let nir = Nir::read(text).expect("a form");
        let found = Urb::of(&nir)?;
        assert!(found.position.is_empty() || found.position.len() == 4);
        let component = |node| follow(&nir, node).expect("is defined").1;
        Some(found.varyings.into_iter().map(|(at, node)| (at, component(node))).collect())
    }

    #[test]
    fn rows_are_those_of_the_written_locations() {
        let expected = vec![((1, 0), 0), ((1, 2), 2), ((3, 0), 3)];
        assert_eq!(of(TEXT), Some(expected.clone()));
        // By bytes, and with a value of 64 bits for an address.
        let bytes = TEXT
            .replace("%6, %1 (0x0), %2 (0xff)) (base=0", "%6) (base=0")
            .replace("%6, %1 (0x0), %2 (0xff)) (base=2", "%8) (base=32")
            .replace("vec4_intel", "lsc_intel")
            .replace("div 32x8 %7", "con 32 %9 = ishl %1 (0x0), %2\ndiv 32 %8 = iadd %6, %9\ndiv 32x8 %7");
        assert_eq!(of(&bytes), Some(expected.clone()));
        // Rows between stay free.
        assert_eq!(of(&TEXT.replace("base=2", "base=4")), Some(expected));
    }

    #[test]
    fn nothing_is_known_where_a_store_may_go_elsewhere() {
        for (here, there) in [
            ("outputs_written: 0,33,35", "outputs_written: 0,33-35"),
            ("outputs_written: 0,33,35", "outputs_written: 0,17,33,35"),
            ("%2 (0xff)) (base=2)", "%4) (base=2)"),
            ("%1 (0x0), %2 (0xff)) (base=2)", "%4, %2 (0xff)) (base=2)"),
            ("%2 (0xff)) (base=2)", "%1 (0x0)) (base=2)"),
            ("%2 (0xff)) (base=2)", "%2 (0xff)) (base=0)"),
            ("@store_urb_vec4_intel (%7", "@store_urb_vec8_intel (%7"),
        ] {
            assert_eq!(of(&TEXT.replace(here, there)), None, "{here} {there}");
        }
        assert_eq!(of("shader: MESA_SHADER_VERTEX\noutputs_written: 0\n"), None);
    }
}
