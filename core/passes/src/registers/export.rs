//! The registers of what the last stage before the rasteriser exports.

use super::interpolants::Interpolants;
use super::pixel::interpolant_counts;
use super::tables::IpTable;
use super::word::{Origin, Word};
use super::{Graphics, ProducerFacts, Register, Why};
use lanescope_model::program::StageKind;
use lanescope_model::target::Target;

/// 4COMP: four 32-bit components.
const FOUR_COMPONENTS: u32 = 4;

/// SPI_VS_OUT_CONFIG (gfx12: SPI_SHADER_GS_OUT_CONFIG_PS): what is exported for the slots.
pub(super) fn registers(
    graphics: &Graphics<'_>,
    table: &'static IpTable,
    inputs: &Interpolants,
    origin: Origin,
) -> Vec<Register> {
    let mut words: Vec<Word> = Vec::new();
    let stage = match graphics.producer {
        Some(producer) => {
            words.extend(out_config(graphics, table, inputs, "SPI_VS_OUT_CONFIG"));
            words.extend(out_config(graphics, table, inputs, "SPI_SHADER_GS_OUT_CONFIG_PS"));
            producer.stage
        }
        None => {
            // On gfx12 the register holds the interpolant counts too, so it is a fragment shader's as well.
            words.extend(out_config(graphics, table, inputs, "SPI_SHADER_GS_OUT_CONFIG_PS"));
            StageKind::Fragment
        }
    };
    words.into_iter().map(|word| word.finish(Origin { stage, ..origin })).collect()
}

/// SPI_SHADER_POS_FORMAT to GE_NGG_SUBGRP_CNTL: what is exported independently of the slots.
pub(super) fn fixed(graphics: &Graphics<'_>, table: &'static IpTable, origin: Origin) -> Vec<Register> {
    let Some(producer) = graphics.producer else { return Vec::new() };
    let words =
        [pos_format(graphics, table, producer), vs_out_cntl(graphics, table, producer), ngg(graphics, table, producer)];
    let origin = Origin { stage: producer.stage, ..origin };
    words.into_iter().flatten().map(|word| word.finish(origin)).collect()
}

fn out_config(graphics: &Graphics<'_>, table: &'static IpTable, inputs: &Interpolants, name: &str) -> Option<Word> {
    let mut word = Word::new(table, name)?;
    let count = inputs.exported();
    let of_primitive = inputs.per_primitive();
    let texts = match graphics.producer {
        Some(_) if inputs.captured > 0 => &["", " parameter slots, minus one (captured outputs have some of them)"],
        Some(_) => &["", " parameter slots, minus one"],
        None if inputs.behind_mesh => {
            &["", " per-vertex parameter slots, minus one (all that are read from the mesh shader count)"]
        }
        None => &["", " parameter slots, minus one (no previous stage loaded: all slots that are read count)"],
    };
    word.set("VS_EXPORT_COUNT", count.saturating_sub(1), Why::around(count, texts));
    let none = count == 0 && of_primitive == 0;
    word.set(
        "NO_PC_EXPORT",
        u32::from(none),
        if none { "no parameter is exported" } else { "parameters are exported" },
    );
    word.set_if_there("VS_HALF_PACK", 0, "the driver sets it above its own threshold");
    let why = match inputs.behind_mesh {
        true => "per-primitive slots of the mesh shader that are read",
        false => "only mesh shaders export per primitive",
    };
    word.set_if_there("PRIM_EXPORT_COUNT", of_primitive, why);
    if word.has("NUM_INTERP") {
        interpolant_counts(&mut word, graphics, inputs);
    }
    Some(word)
}

/// Whether the miscellaneous vector is exported.
fn misc(graphics: &Graphics<'_>, producer: &ProducerFacts) -> bool {
    producer.point_size || producer.layer || producer.viewport_index || shading_rate(graphics, producer)
}

/// The primitive's shading rate is exported in the miscellaneous vector from gfx10.3 on.
fn shading_rate(graphics: &Graphics<'_>, producer: &ProducerFacts) -> bool {
    producer.shading_rate && graphics.target >= Target::Gfx1030
}

fn pos_format(graphics: &Graphics<'_>, table: &'static IpTable, producer: &ProducerFacts) -> Option<Word> {
    let mut word = Word::new(table, "SPI_SHADER_POS_FORMAT")?;
    let distances = producer.distances();
    let vectors = [
        (true, "the position"),
        (misc(graphics, producer), "point size, layer, viewport index or shading rate"),
        (distances > 0, "clip and cull distances 0 to 3"),
        (distances > 4, "clip and cull distances 4 to 7"),
    ];
    let names = ["POS0_EXPORT_FORMAT", "POS1_EXPORT_FORMAT", "POS2_EXPORT_FORMAT", "POS3_EXPORT_FORMAT"];
    let exported = vectors.into_iter().filter(|(on, _)| *on);
    for (name, (_, why)) in names.into_iter().zip(exported) {
        word.set(name, FOUR_COMPONENTS, why);
    }
    for name in names.into_iter().skip(vectors.iter().filter(|(on, _)| *on).count()).chain(["POS4_EXPORT_FORMAT"]) {
        word.set(name, 0, "no further position export");
    }
    Some(word)
}

/// The fields that say of each distance whether it clips, and whether it culls.
const DISTANCES: [[&str; 2]; 8] = [
    ["CLIP_DIST_ENA_0", "CULL_DIST_ENA_0"],
    ["CLIP_DIST_ENA_1", "CULL_DIST_ENA_1"],
    ["CLIP_DIST_ENA_2", "CULL_DIST_ENA_2"],
    ["CLIP_DIST_ENA_3", "CULL_DIST_ENA_3"],
    ["CLIP_DIST_ENA_4", "CULL_DIST_ENA_4"],
    ["CLIP_DIST_ENA_5", "CULL_DIST_ENA_5"],
    ["CLIP_DIST_ENA_6", "CULL_DIST_ENA_6"],
    ["CLIP_DIST_ENA_7", "CULL_DIST_ENA_7"],
];

fn vs_out_cntl(graphics: &Graphics<'_>, table: &'static IpTable, producer: &ProducerFacts) -> Option<Word> {
    let mut word = Word::new(table, "PA_CL_VS_OUT_CNTL")?;
    let distances = producer.distances();
    let clip = producer.clip.min(8);
    for (n, [clips, culls]) in (0..).zip(DISTANCES) {
        word.set(clips, u32::from(n < clip), Why::around(clip, &["", " clip distances are written"]));
        let texts = &["", " clip and cull distances are written; clip distances also cull, for points"];
        word.set(culls, u32::from(n < distances), Why::around(distances, texts));
    }
    let no_size = match producer.point_size_is_one {
        true => "PointSize is always 1.0, and such writes are left out",
        false => "PointSize is not written",
    };
    let layer = if producer.multiview { "multiview: each view draws to its own layer" } else { "Layer is written" };
    let written = [
        ("USE_VTX_POINT_SIZE", producer.point_size, [no_size, "PointSize is written"]),
        ("USE_VTX_RENDER_TARGET_INDX", producer.layer, ["Layer is not written", layer]),
        (
            "USE_VTX_VIEWPORT_INDX",
            producer.viewport_index,
            ["ViewportIndex is not written", "ViewportIndex is written"],
        ),
    ];
    for (field, on, why) in written {
        word.set(field, u32::from(on), why[usize::from(on)]);
    }
    let misc = misc(graphics, producer);
    let why = if misc { "the miscellaneous vector is exported" } else { "no miscellaneous vector" };
    word.set("VS_OUT_MISC_VEC_ENA", u32::from(misc), why);
    word.set("VS_OUT_CCDIST0_VEC_ENA", u32::from(distances > 0), "clip and cull distances 0 to 3");
    word.set("VS_OUT_CCDIST1_VEC_ENA", u32::from(distances > 4), "clip and cull distances 4 to 7");
    let by_distance = distances > 0 && graphics.target >= Target::Gfx1030;
    let why = match (misc, by_distance) {
        (true, _) => "with the miscellaneous vector",
        (false, true) => "any clip or cull distance, from gfx10.3 on",
        (false, false) => "neither a miscellaneous vector nor a distance that needs it",
    };
    word.set("VS_OUT_MISC_SIDE_BUS_ENA", u32::from(misc || by_distance), why);
    if word.has("USE_VTX_VRS_RATE") {
        let rate = shading_rate(graphics, producer);
        let why = if rate { "PrimitiveShadingRate is written" } else { "PrimitiveShadingRate is not written" };
        word.set("USE_VTX_VRS_RATE", u32::from(rate), why);
        word.set("BYPASS_PRIM_RATE_COMBINER", u32::from(rate), why);
        word.driver("BYPASS_PRIM_RATE_COMBINER", 1, "always, but for mesh shaders");
    }
    Some(word)
}

/// GE_NGG_SUBGRP_CNTL follows from facts only for a vertex shader alone, where primitive shaders are always used.
fn ngg(graphics: &Graphics<'_>, table: &'static IpTable, producer: &ProducerFacts) -> Option<Word> {
    let always = graphics.target >= Target::Gfx1100;
    if !always || producer.stage != StageKind::Vertex {
        return None;
    }
    let mut word = Word::new(table, "GE_NGG_SUBGRP_CNTL")?;
    word.set("PRIM_AMP_FACTOR", 1, "a vertex shader does not amplify primitives");
    word.set("THDS_PER_SUBGRP", 256, "threads of a primitive-shader subgroup");
    Some(word)
}
