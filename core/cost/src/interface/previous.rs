//! What the stage before the rasterizer does for its attributes.

use std::borrow::Cow;

use super::chip::ChipFacts;
use super::report::{CostFigure, Value};

/// Bytes of a slot of one vertex. S.
pub(crate) const SLOT_OF_VERTEX: u64 = 16;
/// Clocks of the export unit for one export of a wave64, on GCN. S: ACO's model.
pub(crate) const GCN_EXPORT_CLOCKS: u64 = 16;

/// Numbers of slots: as written, selected, optimum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Numbers {
    /// Slots of a vertex that are read.
    pub slots: [u32; 3],
    /// Slots that the stage exports; absent where no stage was loaded, and of an optimum that does not say.
    pub exports: [Option<u32>; 3],
    /// Why exports are absent.
    pub unknown: &'static str,
    /// Lanes of a wave of the stage.
    pub wave: u32,
}

impl Numbers {
    /// Slots that are stored: those that the stage writes, else those that are read.
    pub fn stored(&self) -> [Option<u32>; 3] {
        if self.exports[0].is_some() { self.exports } else { self.slots.map(Some) }
    }

    /// The rule of a figure by the slots that are stored.
    pub fn rule(&self, rule: &'static str) -> Cow<'static, str> {
        match self.exports[0] {
            Some(_) => rule.into(),
            None => format!("{rule}; of the slots that are read: {}", self.unknown).into(),
        }
    }

    /// A figure that follows from the slots that are stored.
    fn by_slots(
        &self,
        figure: &'static str,
        mark: &'static str,
        rule: &'static str,
        of: impl Fn(u32) -> Value,
    ) -> CostFigure {
        let [original, selected, optimum] = self.stored().map(|slots| slots.map(&of));
        let known = |value: Option<Value>| value.unwrap_or_else(|| Value::unknown(self.unknown));
        let (original, selected) = (known(original), known(selected));
        CostFigure { figure: figure.into(), original, selected, optimum, mark: mark.into(), rule: self.rule(rule) }
    }

    /// A figure that follows from the exports.
    fn by_exports(
        &self,
        figure: &'static str,
        mark: &'static str,
        rule: &'static str,
        of: impl Fn(u32) -> u64,
    ) -> CostFigure {
        let [original, selected, optimum] = self.exports.map(|exports| exports.map(|count| Value::Number(of(count))));
        let known = |value: Option<Value>| value.unwrap_or_else(|| Value::unknown(self.unknown));
        let (original, selected) = (known(original), known(selected));
        CostFigure { figure: figure.into(), original, selected, optimum, mark: mark.into(), rule: rule.into() }
    }

    /// The figures on a chip.
    pub fn figures(&self, chip: &ChipFacts) -> Vec<CostFigure> {
        let mut out = match chip.target.ip().has_attribute_ring {
            Some(false) => self.of_cache(chip),
            Some(true) => self.of_ring(chip),
            None => vec![self.by_slots("attribute storage", "C", "the chip's graphics IP is not known", |_| {
                Value::unknown("the chip's graphics IP is not known")
            })],
        };
        let rule = "16 bytes a slot, in whole slots: one scalar takes as much as four";
        out.insert(
            1_usize.min(out.len()),
            self.by_slots("bytes per vertex", "S, C", rule, |slots| (SLOT_OF_VERTEX * u64::from(slots)).into()),
        );
        out
    }

    /// Up to graphics IP 10.3: the parameter cache.
    fn of_cache(&self, chip: &ChipFacts) -> Vec<CostFigure> {
        let exports = if chip.is_gcn() {
            self.by_exports(
                "exp param per wave",
                "S, C",
                "one for each slot that the stage writes, in order",
                u64::from,
            )
        } else {
            let rule = "one for each slot that the stage writes; issue 1 clock, latency 16 in ACO's model";
            self.by_exports("exp param per wave", "S, C", rule, u64::from)
        };
        let mut out = vec![exports];
        if chip.is_gcn() {
            let rule = "16 clocks of the export unit for an export of a wave64 in ACO's model";
            out.push(
                self.by_exports("export clocks per wave64", "S, C", rule, |count| GCN_EXPORT_CLOCKS * u64::from(count)),
            );
        }
        let original = self.stored()[0].unwrap_or(0);
        let rule = "bytes of one parameter cache line are not known: a share of what the original takes";
        out.push(self.by_slots("parameter cache lines", "C", rule, |slots| match original {
            0 => Value::Number(0),
            _ => Value::Ratio(slots, original),
        }));
        if let Some(lines) = chip.parameter_cache_lines {
            let rule = "lines that all waves in flight share; a batch of the binner takes at most a third";
            out.push(self.by_slots("lines of the cache", "S", rule, |_| lines.into()));
        }
        let why = "bytes of one parameter cache line are not known";
        out.push(self.by_slots("vertices in flight", "C", why, |_| Value::unknown(why)));
        out
    }

    /// From graphics IP 11 on: the attribute ring in memory.
    fn of_ring(&self, chip: &ChipFacts) -> Vec<CostFigure> {
        let rule = "one store of 16 bytes a lane for each slot that the stage writes";
        let mut out = vec![self.by_exports("attribute stores per wave", "S, C", rule, u64::from)];
        let bytes = |slots: u32| SLOT_OF_VERTEX * u64::from(slots) * u64::from(self.wave);
        out.push(self.by_slots("ring bytes per wave", "S, C", "a slot of a wave32 is 512 bytes in a row", |slots| {
            bytes(slots).into()
        }));
        if let Some(line) = chip.l2_line {
            let rule = if line == 256 { "in lines of 256 bytes" } else { "in lines of 128 bytes" };
            let of = |slots| (bytes(slots) / u64::from(line)).into();
            out.push(self.by_slots("L2 lines per wave", "S, C", rule, of));
        }
        out.push(match chip.attribute_ring {
            Some(ring) => {
                let rule = "that fit into the ring of a shader engine, 1408 KiB in Mesa; wave slots may allow fewer";
                self.by_slots("vertices in flight", "S, C", rule, |slots| match u64::from(slots) * SLOT_OF_VERTEX {
                    0 => Value::unknown("no attribute limits them"),
                    bytes => (ring / bytes).into(),
                })
            }
            None => {
                let why = "the size of this chip's attribute ring depends on its L2 cache or the driver's version";
                self.by_slots("vertices in flight", "C", why, |_| Value::unknown(why))
            }
        });
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanescope_model::target::Target;

    fn of(target: Target, figure: &str) -> Option<[String; 2]> {
        let numbers = Numbers { slots: [5, 4, 4], exports: [Some(5), Some(4), None], unknown: "", wave: 64 };
        let found = numbers.figures(&ChipFacts::of(target)).into_iter().find(|row| row.figure == figure)?;
        Some([found.original.text(), found.selected.text()])
    }

    #[test]
    fn figures_are_those_of_the_graphics_ip() {
        let text = |pair: [&str; 2]| Some(pair.map(str::to_owned));
        assert_eq!(of(Target::Gfx906, "exp param per wave"), text(["5", "4"]));
        assert_eq!(of(Target::Gfx906, "export clocks per wave64"), text(["80", "64"]));
        assert_eq!(of(Target::Gfx1030, "export clocks per wave64"), None);
        assert_eq!(of(Target::Gfx1030, "parameter cache lines"), text(["5/5", "4/5"]));
        assert_eq!(of(Target::Gfx1030, "vertices in flight"), text(["unknown", "unknown"]));
        assert_eq!(of(Target::Gfx1100, "parameter cache lines"), None, "it has none");
        assert_eq!(of(Target::Gfx1100, "attribute stores per wave"), text(["5", "4"]));
        assert_eq!(of(Target::Gfx1100, "ring bytes per wave"), text(["5120", "4096"]));
        assert_eq!(of(Target::Gfx1100, "L2 lines per wave"), text(["40", "32"]));
        assert_eq!(of(Target::Gfx1201, "L2 lines per wave"), text(["20", "16"]));
        assert_eq!(of(Target::Gfx1100, "vertices in flight"), text(["18022", "22528"]));
        assert_eq!(of(Target::Gfx1201, "vertices in flight"), text(["unknown", "unknown"]));
        for target in [Target::Gfx906, Target::Gfx1100] {
            assert_eq!(of(target, "bytes per vertex"), text(["80", "64"]));
        }
        assert!(of(Target::of_driver("gfx9999").expect("a name"), "vertices in flight").is_none());
    }
}
