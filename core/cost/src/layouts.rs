//! The layouts that are compared.

use lanescope_model::options::{Derivatives, Options};
use lanescope_model::program::StageKind;
use lanescope_passes::workgroup::{Decision, Facts, LaneMap, Macro, Micro, decide, row_major_index, tiles};

use crate::count::Placement;

/// A layout of a workgroup.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    /// Its tiles: `8×N strips of 2×2 quads`.
    pub name: &'static str,
    /// The small tile.
    pub micro: Micro,
    /// The large tile.
    pub macro_tile: Macro,
    /// The flags that give it: `default`, `--reconfig`.
    pub options: Vec<String>,
    /// Whether the given options give it.
    pub selected: bool,
    /// Which thread runs which invocation, or why there is no such layout of the workgroup.
    pub map: Result<LaneMap, String>,
}

/// The tiles of a layout.
type Tiles = (Micro, Macro);

/// The four layouts of a workgroup of a compute shader with these derivative groups. `options` select one of them.
pub fn layouts(size: [u32; 3], derivatives: Derivatives, options: &Options) -> Vec<Layout> {
    layouts_of_stage(StageKind::Compute, size, derivatives, options)
}

/// The same of any stage with workgroups.
pub fn layouts_of_stage(stage: StageKind, size: [u32; 3], derivatives: Derivatives, options: &Options) -> Vec<Layout> {
    let all = [
        (Micro::None, Macro::None),
        (Micro::Quads, Macro::None),
        (Micro::None, Macro::Block8),
        (Micro::Quads, Macro::Block8),
    ];
    let decided = |options: &Options| tiles_of(&decide(&Facts::new(stage, size, derivatives, options)));
    let plain = Options { force_swizzle: false, reconfig: false, interleave: [0, 0], ..options.clone() };
    let flags = [
        ("default", plain.clone()),
        ("--force-swizzle", Options { force_swizzle: true, ..plain.clone() }),
        ("--reconfig", Options { reconfig: true, ..plain.clone() }),
        ("--force-swizzle --reconfig", Options { force_swizzle: true, reconfig: true, ..plain }),
    ];
    let flags: Vec<(&str, Tiles)> = flags.iter().map(|(flag, options)| (*flag, decided(options))).collect();
    let selected = decided(options);
    let layout = |of: Tiles| {
        let given = flags.iter().filter(|(_, tiles)| *tiles == of);
        let mut options: Vec<String> = given.map(|(flag, _)| (*flag).to_owned()).collect();
        // Both flags together are said where neither alone gives it.
        if options.len() > 1 {
            options.retain(|flag| !flag.contains(' '));
        }
        let (micro, macro_tile) = of;
        let (name, map) = (tiles(micro, macro_tile), map(of, size, derivatives));
        Layout { name, micro, macro_tile, options, selected: selected == of, map }
    };
    all.map(layout).into()
}

/// The tiles of a decision: rows are rows, whether derivative groups are linear or not.
fn tiles_of(decision: &Decision) -> Tiles {
    let micro = if decision.micro == Micro::Quads { Micro::Quads } else { Micro::None };
    (micro, decision.macro_tile)
}

/// The map of tiles, if the workgroup can have them.
fn map((micro, macro_tile): Tiles, size: [u32; 3], derivatives: Derivatives) -> Result<LaneMap, String> {
    match (derivatives, micro) {
        (Derivatives::Quads, Micro::None) => return Err("derivatives are quads: four lanes must be 2×2".to_owned()),
        (Derivatives::Linear, Micro::Quads) => {
            return Err("derivatives are linear: four lanes must be neighbours in a row".to_owned());
        }
        _ => {}
    }
    let [x, y, _] = size;
    LaneMap::new(micro, macro_tile, size).ok_or_else(|| {
        let (eight, even) = (macro_tile == Macro::Block8, micro == Micro::Quads);
        match () {
            () if eight && x % 8 != 0 => format!("X = {x} is not a multiple of 8"),
            () if even && (x % 2 != 0 || y % 2 != 0) => format!("X = {x} and Y = {y} must be even"),
            () => format!("{x}·{y}·{} invocations are too many", size[2]),
        }
    })
}

impl Layout {
    /// By thread: the local invocation index that it runs; empty where there is no such layout.
    pub fn invocations(&self) -> Vec<u32> {
        let Ok(map) = &self.map else { return Vec::new() };
        let index = |id| u32::try_from(row_major_index(map.size(), id)).unwrap_or(u32::MAX);
        map.invocations().into_iter().map(index).collect()
    }

    /// The layout in waves of that many lanes, as accesses are counted.
    pub(crate) fn placement(&self, wave: u32) -> Placement {
        let mut threads = vec![0; self.map.as_ref().map_or(0, LaneMap::len) as usize];
        let invocations = self.invocations();
        for (thread, &invocation) in (0..).zip(&invocations) {
            if let Some(slot) = threads.get_mut(invocation as usize) {
                *slot = thread;
            }
        }
        Placement { threads, invocations, wave }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(size: [u32; 3], derivatives: Derivatives, options: &Options) -> Vec<(&'static str, String, bool, bool)> {
        let all = layouts(size, derivatives, options).into_iter();
        all.map(|one| (one.name, one.options.join(", "), one.selected, one.map.is_ok())).collect()
    }

    #[test]
    fn each_layout_has_the_flags_that_give_it() {
        let options = Options { reconfig: true, ..Options::default() };
        let expected = [
            ("row-major", "default".to_owned(), false, true),
            ("2×2 quads", String::new(), false, true),
            ("8×N strips", "--force-swizzle, --reconfig".to_owned(), true, true),
            ("8×N strips of 2×2 quads", String::new(), false, true),
        ];
        assert_eq!(of([16, 16, 1], Derivatives::None, &options), expected);
        let quads = of([16, 16, 1], Derivatives::Quads, &Options::default());
        assert_eq!(
            quads.iter().map(|row| (row.2, row.3)).collect::<Vec<_>>(),
            [(false, false), (true, true), (false, false), (false, true)]
        );
    }

    #[test]
    fn says_why_a_workgroup_cannot_have_a_layout() {
        let why = |size, derivatives| {
            let all = layouts(size, derivatives, &Options::default()).into_iter();
            all.map(|one| one.map.err().unwrap_or_default()).collect::<Vec<_>>()
        };
        assert_eq!(
            why([5, 6, 7], Derivatives::None),
            ["", "X = 5 and Y = 6 must be even", "X = 5 is not a multiple of 8", "X = 5 is not a multiple of 8"]
        );
        assert!(why([16, 4, 1], Derivatives::Linear)[1].contains("derivatives are linear"));
    }
}
