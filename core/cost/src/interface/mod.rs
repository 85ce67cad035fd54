//! What the interface between the previous stage and the fragment shader costs, before and after packing.
//!
//! ```text
//! Linkage ──Packings──▶ slots ──ChipFacts──▶ previous stage, LDS, draw, vendors ──▶ InterfaceCost ──▶ Sheet
//!                                                       DriverStage ──measure──▶ ┘
//! ```
//!
//! * `slots`: as written, by each order, and the optimum.
//! * `previous`: exports or stores, bytes, parameter cache or attribute ring.
//! * `fragment`: LDS of a wave by its primitives, and the waves that fit.
//! * `interpolation`: instructions by scalar, which packing does not change.
//! * `draw`: the same of a whole draw. `vendors`: on Intel's, NVIDIA's and Qualcomm's chips.
//! * `measured`: RADV's code and statistics beside the predictions.
//! * `chip`: all facts of chips, with their marks.

mod chip;
mod draw;
mod fragment;
mod interpolation;
mod measured;
mod occupancy;
mod previous;
mod report;
mod sheet;
mod slots;
mod sources;
mod table;
mod vendors;

#[cfg(test)]
mod tests;

pub use chip::{ChipFacts, LdsGranule, Sgprs, Vgprs};
pub use draw::Draw;
pub use fragment::{LdsCase, LdsRow, LdsSheet};
pub use measured::{Agreement, MeasuredFigure, MeasuredStage, predicted_occupancy};
pub use occupancy::{Limiter, Occupancy, Resources};
pub use report::{CostFigure, DrawSheet, InterfaceCost, SlotRow, SlotSheet, SlotsBy, Value};

use lanescope_model::options::{Options, WaveChoice};
use lanescope_model::program::{Program, StageKind};
use lanescope_model::specialised::{AnalyseError, specialised};
use lanescope_passes::liveness::Stages;
use lanescope_passes::packing::{AttributeBuiltIn, Interpolation, Linkage, Packing};

use lanescope_spirv::Inst;
use lanescope_spirv::enums::{Decoration, Op, StorageClass};

use interpolation::Reads;
use previous::Numbers;
use slots::Packings;

/// The costs of a program's interface to its fragment shader; none without a fragment shader.
///
/// # Errors
/// A specialization constant that cannot have its value.
pub fn interface_cost(program: &Program, options: &Options, draw: Draw) -> Result<Option<InterfaceCost>, AnalyseError> {
    let program = specialised(program, options)?;
    let stages = Stages::of(&program);
    let Some(linkage) = Linkage::of(&stages, options.producer) else { return Ok(None) };
    let of_pixels = program.options_of_stage(options, StageKind::Fragment);
    let wave = fragment_wave(&program, options);
    let packings = Packings::of(&linkage, options);
    let Packings { original, selected, optimum, .. } = &packings;
    let chip = ChipFacts::of(options.target);
    let vertex = |packing: &Packing, generic: u32| slots::of_vertex(packing, generic);
    let all = [
        vertex(original, original.slots.before),
        vertex(selected, selected.slots.after),
        vertex(original, optimum.high),
    ];
    let of_producer = original.producer.map_or(64, |stage| self::wave(&program.options_of_stage(options, stage)));
    let numbers = Numbers {
        slots: all,
        exports: exports(&packings),
        unknown: match original.producer {
            Some(StageKind::Mesh) => "exports of mesh shaders are not counted",
            _ => "no previous stage was loaded",
        },
        wave: of_producer,
    };
    let places = |packing: &Packing, from: bool| {
        let of_vertices = packing.map.iter().filter(|row| row.interpolation != Interpolation::PerPrimitive);
        let places: Vec<_> = of_vertices.map(|row| if from { row.from } else { row.to }).collect();
        vendors::adreno_components(places.into_iter())
    };
    let is_given = of_pixels.wave != WaveChoice::Auto;
    Ok(Some(InterfaceCost {
        producer: original.producer,
        chip: options.target,
        wave,
        wave_mark: if is_given { "".into() } else { "S".into() },
        slots: SlotSheet::of(&packings, options),
        previous: numbers.figures(&chip),
        lds: LdsSheet::of(all, &chip, wave),
        interpolation: interpolation::figures(&Reads::of(&selected.map), options.target.ip()),
        draw: DrawSheet::of(draw, &numbers, &chip),
        vendors: vendors::figures(
            [original.slots.before, selected.slots.after, optimum.high]
                .map(|slots| slots.saturating_sub(original.slots.per_primitive)),
            [places(original, true), places(selected, false)],
        ),
        stores_of_its_own: original.captured_slots() > 0 || may_store(&program, original.producer),
        measured: Vec::new(),
        notes: notes(selected, options),
        sources: sources::sources(options.target),
        accesses: None,
    }))
}

/// Lanes of a wave of a program's fragment shader, as [`interface_cost`] takes them.
pub fn fragment_wave(program: &Program, options: &Options) -> u32 {
    wave(&program.options_of_stage(options, StageKind::Fragment))
}

/// Lanes of a wave of a graphics stage: 64 unless it is requested otherwise.
fn wave(options: &Options) -> u32 {
    if options.wave == WaveChoice::Wave32 && options.target.ip().has_wave32 { 32 } else { 64 }
}

/// Whether a stage's module has memory that it might store to: storage buffers, storage images, addresses.
fn may_store(program: &Program, stage: Option<StageKind>) -> bool {
    let of_stage = program.stages.iter().filter(|row| Some(row.stage) == stage);
    let class = |inst: &Inst<'_>| StorageClass::from_u32(inst.word_at(2));
    let is_stored = |inst: Inst<'_>| match inst.op() {
        Some(Op::TypePointer | Op::TypeUntypedPointerKHR) => {
            matches!(class(&inst), Some(StorageClass::StorageBuffer | StorageClass::PhysicalStorageBuffer))
        }
        // Sampled is 2 for images that are written.
        Some(Op::TypeImage) => inst.word_at(7) == 2,
        Some(Op::Decorate) => inst.word_at(2) == Decoration::BufferBlock as u32,
        _ => false,
    };
    of_stage.into_iter().any(|row| program.module_of(row).globals().any(is_stored))
}

/// Slots that the previous stage exports: of generic outputs, and of built-ins but the one that the rasterizer makes.
fn exports(packings: &Packings) -> [Option<u32>; 3] {
    let Packings { original, selected, optimum, .. } = packings;
    if original.producer.is_none_or(|stage| stage == StageKind::Mesh) {
        return [None; 3];
    }
    let built_ins = original.builtins.iter().filter(|slot| slot.built_in != AttributeBuiltIn::PointCoord);
    let built_ins = built_ins.filter(|slot| slot.written).count() as u32;
    let of = |packing: &Packing| packing.exports.len() as u32 + built_ins;
    // An input that is not written may leave a slot unwritten, and a captured output takes one.
    let is_plain = original.missing.is_empty() && original.captured_slots() == 0;
    [Some(of(original)), Some(of(selected)), is_plain.then_some(optimum.high + built_ins)]
}

/// What limits the result, and what packing costs besides.
fn notes(selected: &Packing, options: &Options) -> Vec<String> {
    let mut out = Vec::new();
    if let Some(fallback) = selected.fallback {
        let words = slots::fallback_words(fallback);
        out.push(format!("{words}: the selected packing is the interface as written, without gaps"));
    } else if selected.producer.is_some() {
        out.push(
            "packing depends on the fragment shader: a previous stage that is used with several needs a variant for each \
             that packs differently"
                .to_owned(),
        );
        out.push(
            "a vector that packing splits over two slots cannot be read by one wider read of LDS; AMD's interpolation \
             instructions read one channel each, so that their number stays"
                .to_owned(),
        );
    }
    if selected.producer.is_none() {
        out.push("no previous stage was loaded: its exports are not known".to_owned());
    }
    if !selected.builtins.is_empty() {
        out.push(
            "reads of built-ins that are passed as attributes are not among the interpolation instructions".to_owned(),
        );
    }
    if selected.slots.per_primitive > 0 {
        out.push("slots with one value for each primitive are not among the bytes of vertices and of LDS".to_owned());
    }
    let narrow = selected.map.iter().any(|row| row.bits == 16);
    if narrow && options.target.ip().has_attribute_ring == Some(true) {
        out.push(
            "a load of an attribute can serve both 16-bit halves of a component: then there are fewer loads than scalars"
                .to_owned(),
        );
    }
    out.push("waves count this shader alone; LDS of the previous stage is not counted".to_owned());
    out
}
