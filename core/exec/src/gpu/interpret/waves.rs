//! The waves of a workgroup: their size, and which lane runs which invocation.

use lanescope_base::grid;
use lanescope_interpreter::{LaneMap, MAX_INVOCATIONS};
use lanescope_model::options::{Options, WaveChoice};
use lanescope_model::program::{Program, StageKind};
use lanescope_passes::workgroup::{layout, row_major_index, tiles};
use lanescope_run::Probe;

/// The waves of each workgroup.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waves {
    /// Lane by lane: local invocation indices.
    pub lanes: LaneMap,
    /// The map, as text: `8×N strips of 2×2 quads, predicted`.
    pub how: String,
}

impl Waves {
    /// The waves that the report predicts for a compute shader: wave size, tiles, derivative mode. Row-major where it
    /// has no map; of a draw only the number of lanes counts.
    pub fn predicted(program: &Program, options: &Options) -> Waves {
        let is_drawn = program.stages.iter().any(|stage| stage.stage == StageKind::Fragment);
        let kind = if is_drawn { StageKind::Fragment } else { StageKind::Compute };
        let options = program.options_of_stage(options, kind);
        let stage = program.stages.iter().find(|stage| stage.stage == StageKind::Compute);
        let found = stage.and_then(|stage| {
            let module = program.module_of(stage);
            let entry = module.entry_points().get(stage.entry_index)?;
            let layout = layout(module, entry, &options, &mut Vec::new())?;
            let wave = match program.wave_size_of(stage) {
                Some(sizes) if !(sizes.least..=sizes.most).contains(&layout.wave) => sizes.preferred.max(sizes.least),
                _ => layout.wave,
            };
            Some((layout, wave))
        });
        let Some((layout, wave)) = found else {
            let wave = if options.wave == WaveChoice::Wave32 { 32 } else { 64 };
            return Waves::row_major(wave, [1, 1, 1]);
        };
        let row_major = Waves::row_major(wave, layout.size);
        let Some(ids) = layout.lanes.as_ref().filter(|_| layout.size == layout.declared_size) else { return row_major };
        let index = |id: &[u32; 3]| u32::try_from(row_major_index(layout.size, *id)).ok();
        let all: Vec<Option<u32>> = ids.iter().map(index).collect();
        let tiles = tiles(layout.micro, layout.macro_tile);
        Waves { lanes: lanes_of(wave, &all), how: format!("{tiles}, predicted for {}", options.target) }
    }

    /// Lane l of wave w runs invocation `w * wave + l`: a rewritten shader maps its ids by itself.
    pub fn row_major(wave: u32, size: [u32; 3]) -> Waves {
        let count = grid::saturating_volume(size).min(MAX_INVOCATIONS) as u32;
        Waves { lanes: LaneMap::linear(wave, count), how: "row-major".to_owned() }
    }

    /// Row-major waves of the same number of lanes, for a shader that maps its ids by itself.
    pub fn alone(&self) -> Waves {
        let count = self.lanes.waves.iter().flatten().flatten().count() as u32;
        Waves::row_major(self.lanes.subgroup_size, [count, 1, 1])
    }

    /// The waves that a device was measured to have.
    pub fn measured(probe: &Probe) -> Waves {
        let size = probe.subgroup_size.max(1);
        let count = probe.lanes.iter().map(|lane| lane.subgroup + 1).max().unwrap_or(0);
        let mut waves = vec![vec![None; size as usize]; count as usize];
        for lane in &probe.lanes {
            let slot = waves.get_mut(lane.subgroup as usize).and_then(|wave| wave.get_mut(lane.lane as usize));
            if let Some(slot) = slot {
                *slot = u32::try_from(row_major_index(probe.size, lane.id)).ok();
            }
        }
        let how = format!("measured on {}", probe.device);
        Waves { lanes: LaneMap { subgroup_size: size, waves }, how }
    }

    /// These where they are of a workgroup of that size, else row-major ones with as many lanes.
    pub(super) fn fit(&self, size: [u32; 3]) -> Waves {
        let count = grid::saturating_volume(size);
        let have = self.lanes.waves.iter().flatten().flatten().count() as u64;
        if have == count { self.clone() } else { Waves::row_major(self.lanes.subgroup_size, size) }
    }
}

fn lanes_of(wave: u32, all: &[Option<u32>]) -> LaneMap {
    let size = wave.max(1) as usize;
    let waves = all.chunks(size).map(|lanes| {
        let mut lanes = lanes.to_vec();
        lanes.resize(size, None);
        lanes
    });
    LaneMap { subgroup_size: wave, waves: waves.collect() }
}
