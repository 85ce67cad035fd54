//! LDS of the fragment shader: what its attributes take of a wave's share, and how many waves fit.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::chip::{ChipFacts, LDS_GRANULES, LDS_OF_SIMD, WAVE_SLOTS};
use super::occupancy::{Limiter, Occupancy, Resources};

/// Bytes of a slot of the three vertices of a primitive. S.
pub const SLOT_OF_PRIMITIVE: u64 = 48;
/// Primitives in a wave that have a row.
const PRIMITIVES: [u32; 5] = [1, 2, 4, 8, 16];

/// LDS by primitives of a wave.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LdsSheet {
    /// Slots of a vertex: as written, of the selected packing, of the optimum.
    pub slots: [u32; 3],
    /// Bytes of LDS that a primitive fills, likewise.
    pub bytes_per_primitive: [u64; 3],
    /// Bytes of LDS that the waves of a SIMD share.
    pub bytes_of_simd: u64,
    /// Rows: primitives of a wave, and the granule where sources differ. Empty for a chip whose granule is not known.
    pub rows: Vec<LdsRow>,
    /// Where packing changes the number of waves, in sentences.
    pub sentences: Vec<String>,
    /// The mark of the rows.
    pub mark: Cow<'static, str>,
}

/// Waves with so many primitives.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LdsRow {
    /// Primitives of a wave.
    pub primitives: u32,
    /// LDS is allocated in multiples of this many bytes.
    pub granule: u64,
    /// Whose source has the granule, where sources differ.
    #[serde(skip_serializing_if = "str::is_empty", default)]
    pub granule_by: Cow<'static, str>,
    /// As written, of the selected packing, of the optimum.
    pub cases: [LdsCase; 3],
}

/// A wave with a number of slots.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LdsCase {
    /// Bytes that are filled.
    pub filled: u64,
    /// Bytes that are allocated.
    pub allocated: u64,
    /// Waves of a SIMD that fit by LDS and wave slots, and which of the two limits them.
    #[serde(flatten)]
    pub occupancy: Occupancy,
}

impl LdsCase {
    /// A wave with so many primitives, on a SIMD with so many slots for waves.
    pub(crate) fn of(slots: u32, primitives: u32, granule: u64, wave_slots: u32) -> LdsCase {
        let filled = SLOT_OF_PRIMITIVE * u64::from(slots) * u64::from(primitives);
        let allocated = filled.next_multiple_of(granule.max(1));
        let fit = LDS_OF_SIMD.checked_div(allocated).map_or(u64::MAX, |waves| waves.max(1));
        let occupancy = match u32::try_from(fit).ok().filter(|waves| *waves < wave_slots) {
            Some(waves) => Occupancy { waves, limiter: Limiter::Lds },
            None => Occupancy { waves: wave_slots, limiter: Limiter::WaveSlots },
        };
        LdsCase { filled, allocated, occupancy }
    }
}

/// The most primitives that a wave can have: one for each quad.
pub(crate) fn most_primitives(wave: u32) -> u32 {
    (wave / 4).max(1)
}

impl LdsSheet {
    /// The sheet of a number of slots: as written, selected, optimum.
    pub(crate) fn of(slots: [u32; 3], chip: &ChipFacts, wave: u32) -> LdsSheet {
        let mut rows = Vec::new();
        for granule in &chip.lds_granules {
            for primitives in PRIMITIVES.into_iter().filter(|count| *count <= most_primitives(wave)) {
                let Some(wave_slots) = chip.wave_slots else { continue };
                let cases = slots.map(|slots| LdsCase::of(slots, primitives, granule.bytes, wave_slots));
                rows.push(LdsRow { primitives, granule: granule.bytes, granule_by: granule.by.into(), cases });
            }
        }
        let [original, selected, _] = slots;
        LdsSheet {
            slots,
            bytes_per_primitive: slots.map(|slots| SLOT_OF_PRIMITIVE * u64::from(slots)),
            bytes_of_simd: LDS_OF_SIMD,
            sentences: sentences([original, selected], chip, wave, &rows),
            rows,
            mark: if wave == 64 { "S, C".into() } else { "S, C, G".into() },
        }
    }
}

/// Where the number of waves differs between two numbers of slots.
fn sentences(slots: [u32; 2], chip: &ChipFacts, wave: u32, rows: &[LdsRow]) -> Vec<String> {
    let [before, after] = slots;
    if before == after {
        return vec![format!("The selected interface has the slots of the original, {before}, and so the same LDS")];
    }
    let most = most_primitives(wave);
    let effect = if after < before { "saves" } else { "costs" };
    let name = if after < before { "no wave is gained" } else { "no wave is lost" };
    let first = match (1..=most).take_while(|primitives| is_same_anywhere(slots, *primitives)).count() as u32 {
        0 => format!("{before} to {after} slots change the number of waves at 1 primitive on some chips"),
        same if same == most => {
            format!("{before} to {after} slots {effect} none at any number of primitives on any chip: {name}")
        }
        1 => format!("{before} to {after} slots {effect} none at 1 primitive on any chip: {name}"),
        same => format!("{before} to {after} slots {effect} none at 1 to {same} primitives on any chip: {name}"),
    };
    let mut out = vec![first];
    let changes = rows.iter().filter(|row| row.cases[0].occupancy.waves != row.cases[1].occupancy.waves);
    let changes: Vec<String> = changes
        .map(|row| {
            let [before, after, _] = row.cases.map(|case| case.occupancy.waves);
            let by = if row.granule_by.is_empty() { String::new() } else { format!(" ({})", row.granule_by) };
            format!("{} primitives: {before} to {after}{by}", row.primitives)
        })
        .collect();
    if !changes.is_empty() {
        out.push(format!("Waves of a SIMD on {}, at {}", chip.target, changes.join("; at ")));
    } else if !rows.is_empty() {
        out.push(format!("On {} no row of the table has another number of waves", chip.target));
    }
    out
}

/// Whether a wave with so many primitives fits as often with both numbers of slots, on all chips.
fn is_same_anywhere(slots: [u32; 2], primitives: u32) -> bool {
    LDS_GRANULES.iter().all(|granule| {
        WAVE_SLOTS.iter().all(|most| {
            let [before, after] = slots.map(|slots| LdsCase::of(slots, primitives, *granule, *most).occupancy.waves);
            before == after
        })
    })
}

impl Resources {
    /// Bytes of LDS that a wave of a fragment shader takes with one primitive, as allocated.
    pub(crate) fn lds_of_pixels(own: u64, slots: u32, granule: u64) -> u64 {
        (own + SLOT_OF_PRIMITIVE * u64::from(slots)).next_multiple_of(granule.max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanescope_model::target::Target;

    fn waves(slots: u32, primitives: u32, granule: u64) -> (u64, u32) {
        let case = LdsCase::of(slots, primitives, granule, 16);
        (case.allocated, case.occupancy.waves)
    }

    /// The worked table of LDS: 5, 4 and 3 slots.
    #[test]
    fn lds_is_that_of_the_worked_table() {
        for slots in [3, 4, 5] {
            let sheet = LdsSheet::of([slots; 3], &ChipFacts::of(Target::Gfx1030), 64);
            assert_eq!(sheet.bytes_per_primitive[0], [144, 192, 240][slots as usize - 3]);
            for primitives in 1..=4 {
                for granule in LDS_GRANULES {
                    assert_eq!(waves(slots, primitives, granule).1, 16, "no limit");
                }
            }
        }
        let table = [
            (8, 1024, [(2048, 8), (2048, 8), (2048, 8)]),
            (8, 512, [(2048, 8), (1536, 10), (1536, 10)]),
            (16, 1024, [(4096, 4), (3072, 5), (3072, 5)]),
            (16, 512, [(4096, 4), (3072, 5), (2560, 6)]),
        ];
        for (primitives, granule, expected) in table {
            assert_eq!([5, 4, 3].map(|slots| waves(slots, primitives, granule)), expected, "{primitives}, {granule}");
        }
        // One primitive: LDS never limits below 22 slots.
        assert!((0..22).all(|slots| waves(slots, 1, 1024).1 == 16));
        assert!(waves(22, 1, 1024).1 < 16);
    }

    #[test]
    fn sentences_say_where_a_slot_less_changes_nothing() {
        let of = |slots, target, wave| LdsSheet::of(slots, &ChipFacts::of(target), wave).sentences;
        let navi = of([5, 4, 4], Target::Gfx1030, 64);
        assert_eq!(navi[0], "5 to 4 slots saves none at 1 to 4 primitives on any chip: no wave is gained");
        assert_eq!(navi[1], "Waves of a SIMD on gfx1030, at 16 primitives: 4 to 5");
        let both = of([5, 4, 4], Target::Gfx1201, 64);
        assert_eq!(
            both[1],
            "Waves of a SIMD on gfx1201, at 8 primitives: 8 to 10 (PAL); at 16 primitives: 4 to 5 (PAL); at 16 primitives: \
             4 to 5 (Mesa)"
        );
        assert_eq!(
            of([4, 4, 4], Target::Gfx1030, 64),
            ["The selected interface has the slots of the original, 4, and so the same LDS"]
        );
        assert_eq!(of([1, 0, 0], Target::Gfx1030, 32).len(), 2);
    }
}
