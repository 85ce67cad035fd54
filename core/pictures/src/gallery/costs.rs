//! Counted memory accesses.

use lanescope_core::cost::{
    AccessKind, AccessSite, Advice, Cost, Counts, Dependence, Figure, LayoutCost, Measured, MemoryKind, OrderCost,
    Orders, Source, Tiling, TimedOrder, Verdict,
};
use lanescope_core::options::Options;
use lanescope_core::run::{Clock, Samples, Timing};
use lanescope_core::workgroup::{Macro, Micro, tiles};

/// A layout with the lines of the load and the passes of the store; `None` where the workgroup cannot have it.
fn layout((micro, macro_tile): (Micro, Macro), counts: Option<[u64; 2]>) -> LayoutCost {
    let of = |[lines, passes]: [u64; 2]| {
        let runs = Counts { runs: 4, lanes: 128, ..Counts::default() };
        let bytes = Counts { bytes: 512, sectors: 16, bytes_moved: 512, ..runs };
        let load = Counts { lines_64: 2 * lines, lines_128: lines, wave_lines: lines, group_lines: 4, ..bytes };
        let store = Counts { lds_bytes: 512, lds_passes: passes, lds_least: 4, ..runs };
        let total = Counts { lds_bytes: 512, lds_passes: passes, lds_least: 4, runs: 8, lanes: 256, ..load };
        (total, vec![load, store])
    };
    let (total, accesses) = counts.map(of).map_or((None, Vec::new()), |(total, each)| (Some(total), each));
    LayoutCost {
        layout: tiles(micro, macro_tile).to_owned(),
        micro,
        macro_tile,
        options: if macro_tile == Macro::Block8 { vec!["--reconfig".to_owned()] } else { Vec::new() },
        selected: (micro, macro_tile) == (Micro::None, Macro::None),
        unavailable: counts.is_none().then(|| "derivatives are linear".to_owned()),
        total,
        accesses,
    }
}

/// Times of the layouts of [`cost`]: its equal counts take different times.
pub fn measured_cost() -> Option<Measured> {
    let samples = |nanoseconds: &[u64]| Samples { nanoseconds: nanoseconds.to_vec() };
    let timing = Timing {
        device: "A device".to_owned(),
        subgroup: 32,
        subgroup_range: [32; 2],
        clock: Clock::Device,
        groups: [64, 64, 1],
        dispatches: 20,
        wanted_rounds: 5,
        device_memory: true,
        variants: vec![
            samples(&[900_100, 900_000, 900_300, 900_100, 900_100]),
            samples(&[600_000, 600_900, 599_000, 600_000, 600_100]),
            samples(&[880_100, 880_000, 880_300, 880_100, 880_100]),
            samples(&[902_100, 902_000, 901_300, 902_100, 902_100]),
        ],
        reference: Some(samples(&[231_000, 231_400, 230_900, 231_000, 231_000])),
        warnings: Vec::new(),
    };
    let mut cost = cost();
    let times: Vec<_> = cost
        .layouts
        .iter()
        .map(|layout| match (&layout.unavailable, layout.macro_tile) {
            (Some(why), _) => Err(why.clone()),
            (None, Macro::None) => Ok(0),
            (None, _) => Ok(1),
        })
        .collect();
    let orders = [(None, 0, 4096), (Some(4), 2, 3072), (Some(8), 3, 4096)];
    let predicted = orders.map(|(tile, _, lines)| OrderCost { tile, selected: tile.is_none(), lines: Some(lines) });
    let advice = Advice { verdict: Verdict::Change, layout: None, figure: None, text: String::new() };
    cost.orders = Some(Orders { window: 32, orders: predicted.to_vec(), advice });
    let orders = orders.map(|(tile, at, _)| TimedOrder { tile, time: Ok(at) });
    cost.measure(&timing, &times, &orders, &[]);
    cost.measured
}

/// The costs of a workgroup of 16×8 that reads a tiled image, of which a line has 8×4 texels, and writes floats to shared
/// memory in rows of 16.
pub fn cost() -> Cost {
    let load = AccessSite {
        instruction: 7,
        name: "OpImageRead".to_owned(),
        kind: AccessKind::Load,
        memory: MemoryKind::Image,
        resource: "source".to_owned(),
        bytes: 4,
        line: Some("tile.comp:12".to_owned()),
        line_number: Some(12),
        beyond: 0,
        touched: (0..128).map(|at| Some(at % 16 / 8 + at / 16 / 4 * 2)).collect(),
    };
    let store = AccessSite {
        instruction: 9,
        name: "OpStore".to_owned(),
        kind: AccessKind::Store,
        memory: MemoryKind::Shared,
        resource: "tile".to_owned(),
        line: Some("tile.comp:13".to_owned()),
        line_number: Some(13),
        touched: (0..128).map(|at| Some(at % 32)).collect(),
        ..load.clone()
    };
    Cost {
        entry: "main".to_owned(),
        size: [16, 8, 1],
        groups: [1; 3],
        groups_reason: "as given".to_owned(),
        counted: 1,
        chip: Options::default().target,
        wave: 32,
        line: 128,
        tiling: Tiling::Tiled,
        layouts: vec![
            layout((Micro::None, Macro::None), Some([8, 4])),
            layout((Micro::Quads, Macro::None), None),
            layout((Micro::None, Macro::Block8), Some([4, 8])),
        ],
        advice: Advice {
            verdict: Verdict::TradeOff,
            layout: None,
            figure: Some(Figure::Lines),
            text: "8×N strips have the fewest lines of 128 bytes, row-major the fewest LDS passes".to_owned(),
        },
        accesses: vec![load, store],
        orders: None,
        measured: None,
        contents: "zeros".to_owned(),
        depends: vec![Dependence {
            resource: "index".to_owned(),
            descriptor: Some([0, 2]),
            addresses: vec![7],
            branches: false,
            given: false,
        }],
        not_followed: false,
        notes: Vec::new(),
        sources: vec![Source {
            figure: "lines".to_owned(),
            mark: "C, D".to_owned(),
            rule: "vector L0 of RDNA: 128 bytes".to_owned(),
        }],
    }
}
