//! Instructions that read the inputs of a fragment shader. They follow scalars, not slots.

use super::report::{CostFigure, Value};
use lanescope_model::target::GraphicsIp;
use lanescope_passes::packing::{Interpolation, Mapping};

/// Inputs by how they are read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Reads {
    /// Scalars that are interpolated.
    pub interpolated: u64,
    /// Times that they are interpolated: once for each place in the pixel.
    pub evaluations: u64,
    /// Scalars with one value for a primitive.
    pub flat: u64,
    /// Scalars that are read for each vertex.
    pub custom: u64,
    /// Those of all of them that have 16 bits.
    pub narrow: u64,
}

impl Reads {
    /// The reads of an interface.
    pub fn of(map: &[Mapping]) -> Reads {
        let mut out = Reads::default();
        for mapping in map {
            match mapping.interpolation {
                Interpolation::Custom => out.custom += 1,
                Interpolation::Flat | Interpolation::PerPrimitive => out.flat += 1,
                _ => {
                    out.interpolated += 1;
                    out.evaluations += mapping.at.iter().count().max(1) as u64;
                }
            }
            out.narrow += u64::from(mapping.bits == 16);
        }
        out
    }

    /// Vector instructions: two for each interpolation, one move for each flat scalar, and for a scalar that is read by
    /// vertex one to three moves.
    fn vector(&self) -> [u64; 2] {
        let least = 2 * self.evaluations + self.flat;
        [least + self.custom, least + 3 * self.custom]
    }

    /// Direct loads from LDS: one for each scalar.
    fn loads(&self) -> u64 {
        self.interpolated + self.flat + self.custom
    }

    /// All instructions that read inputs, at least and at most.
    pub fn instructions(&self, has_ring: bool) -> [u64; 2] {
        let loads = if has_ring { self.loads() } else { 0 };
        self.vector().map(|vector| vector + loads)
    }
}

/// The figures, which are those of every packing.
pub(crate) fn figures(reads: &Reads, ip: &GraphicsIp) -> Vec<CostFigure> {
    let same = |figure: &'static str, value: Value, mark: &'static str, rule: &'static str| CostFigure {
        figure: figure.into(),
        original: value.clone(),
        selected: value.clone(),
        optimum: Some(value),
        mark: mark.into(),
        rule: rule.into(),
    };
    let mut out = vec![
        same("interpolated scalars", reads.interpolated.into(), "C", "read once for each place in the pixel"),
        same("flat scalars", reads.flat.into(), "C", "one value for a primitive"),
    ];
    if reads.custom > 0 {
        out.push(same(
            "scalars by vertex",
            reads.custom.into(),
            "C",
            "read without interpolation, one to three vertices",
        ));
    }
    let range = |[low, high]: [u64; 2]| if low == high { Value::Number(low) } else { Value::Range(low, high) };
    // 16-bit interpolations are those of the drivers' sources; the others were seen in their assembly.
    let mark = match () {
        // No assembly of it was looked at.
        () if ip.walks_tiles => "C, G",
        () if reads.narrow > 0 => "C, S",
        () => "C, H",
    };
    match ip.has_attribute_ring {
        Some(false) => {
            let rule = "v_interp_p1 and v_interp_p2 for each interpolation, v_interp_mov for each other scalar";
            out.push(same("interpolation instructions", range(reads.vector()), mark, rule));
        }
        Some(true) => {
            let name = if ip.walks_tiles { "ds_param_load" } else { "lds_param_load" };
            let rule = "one for each scalar; latency 13 in ACO's model";
            out.push(CostFigure { figure: name.into(), ..same("", reads.loads().into(), mark, rule) });
            let rule = "v_interp_p10 and v_interp_p2 for each interpolation, a move by DPP for each other scalar";
            out.push(same("vector instructions", range(reads.vector()), mark, rule));
            out.push(same("interpolation instructions", range(reads.instructions(true)), mark, "both together"));
        }
        None => {
            let value = Value::unknown("the chip's graphics IP is not known");
            out.push(same("interpolation instructions", value, "C", "the chip's graphics IP is not known"));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanescope_model::target::ip;

    /// The formulas of the worked sheet: 2n + f, and 3n + 2f.
    #[test]
    fn counts_are_those_of_the_worked_sheet() {
        let of = |interpolated, flat| Reads { interpolated, evaluations: interpolated, flat, ..Reads::default() };
        for (reads, expected) in [(of(11, 1), [23, 35]), (of(8, 1), [17, 26])] {
            assert_eq!([false, true].map(|ring| reads.instructions(ring)), expected.map(|count| [count; 2]));
        }
        let custom = Reads { custom: 2, ..of(1, 0) };
        assert_eq!(custom.instructions(false), [4, 8]);
        let last = figures(&custom, &ip::GFX11).pop().expect("a row");
        assert_eq!((last.selected.text().as_str(), last.selected == last.original), ("7 to 11", true));
    }
}
