//! The figures of a whole draw. Vertex reuse and culling are not included.

use std::borrow::Cow;

use super::chip::ChipFacts;
use super::fragment::SLOT_OF_PRIMITIVE;
use super::previous::{GCN_EXPORT_CLOCKS, Numbers, SLOT_OF_VERTEX};
use super::report::{CostFigure, DrawSheet, Value};

/// The vertices and triangles of a draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Draw {
    /// Vertices that the previous stage runs for, each once.
    pub vertices: u64,
    /// Triangles that are rasterized.
    pub triangles: u64,
}

impl Default for Draw {
    /// A million vertices, each of half a triangle.
    fn default() -> Draw {
        Draw { vertices: 1_000_000, triangles: 500_000 }
    }
}

/// Exports of all waves.
pub(crate) fn exports(count: u32, draw: Draw, wave: u32) -> u64 {
    u64::from(count).saturating_mul(draw.vertices.div_ceil(wave.max(1).into()))
}

impl DrawSheet {
    /// The figures of a draw.
    pub(crate) fn of(draw: Draw, numbers: &Numbers, chip: &ChipFacts) -> DrawSheet {
        let figure = |figure: &str, mark: &'static str, rule: Cow<'static, str>, values: [Option<Value>; 3]| {
            let [original, selected, optimum] = values;
            let known = |value: Option<Value>| value.unwrap_or_else(|| Value::unknown(numbers.unknown));
            CostFigure {
                figure: figure.to_owned().into(),
                original: known(original),
                selected: known(selected),
                optimum,
                mark: mark.into(),
                rule,
            }
        };
        let times = |of: u64, slots: u32, count: u64| Value::Number((of * u64::from(slots)).saturating_mul(count));
        let all = numbers.exports.map(|count| count.map(|count| exports(count, draw, numbers.wave)));
        let mut figures = vec![figure(
            "attribute bytes written",
            "S, C",
            numbers.rule("16 bytes a slot and vertex"),
            numbers.stored().map(|slots| Some(times(SLOT_OF_VERTEX, slots?, draw.vertices))),
        )];
        match chip.target.ip().has_attribute_ring {
            Some(false) => {
                let name = format!("exports of waves of {}", numbers.wave);
                figures.push(figure(
                    &name,
                    "S, C",
                    "exp param of a wave, times the waves".into(),
                    all.map(|count| count.map(Value::Number)),
                ));
            }
            Some(true) => {
                let name = format!("stores of waves of {}", numbers.wave);
                let rule = "attribute stores of a wave, times the waves";
                figures.push(figure(&name, "S, C", rule.into(), all.map(|count| count.map(Value::Number))));
            }
            None => {}
        }
        if chip.is_gcn() {
            let clocks = all.map(|count| count.map(|count| Value::Number(GCN_EXPORT_CLOCKS.saturating_mul(count))));
            figures.push(figure("export clocks", "S, C", "16 for each export, over all shader engines".into(), clocks));
        }
        figures.push(figure(
            "LDS bytes filled",
            "S, C",
            "48 bytes a slot and primitive, if each triangle is in one wave".into(),
            numbers.slots.map(|slots| Some(times(SLOT_OF_PRIMITIVE, slots, draw.triangles))),
        ));
        DrawSheet { vertices: draw.vertices, triangles: draw.triangles, figures }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanescope_model::target::Target;

    /// The worked sheet: 5, 4 and 3 slots, a million vertices, half a million triangles.
    #[test]
    fn figures_are_those_of_the_worked_sheet() {
        let numbers = Numbers { slots: [5, 4, 3], exports: [Some(5), Some(4), Some(3)], unknown: "", wave: 64 };
        let sheet = DrawSheet::of(Draw::default(), &numbers, &ChipFacts::of(Target::Gfx906));
        let rows: Vec<_> = sheet
            .figures
            .iter()
            .map(|row| {
                let optimum = row.optimum.clone().expect("a value");
                (&*row.figure, [&row.original, &row.selected, &optimum].map(Value::text))
            })
            .collect();
        let row = |name: &'static str, values: [&str; 3]| (name, values.map(str::to_owned));
        let expected = [
            row("attribute bytes written", ["80000000", "64000000", "48000000"]),
            row("exports of waves of 64", ["78125", "62500", "46875"]),
            row("export clocks", ["1250000", "1000000", "750000"]),
            row("LDS bytes filled", ["120000000", "96000000", "72000000"]),
        ];
        assert_eq!(rows, expected);
        let most = Draw { vertices: u64::MAX, triangles: u64::MAX };
        let sheet = DrawSheet::of(most, &numbers, &ChipFacts::of(Target::Gfx1100));
        assert_eq!(sheet.figures[0].original, Value::Number(u64::MAX), "too much for a number");
    }
}
