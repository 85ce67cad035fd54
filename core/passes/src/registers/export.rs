//! The registers of what the last stage before the rasteriser exports.

use super::field::{Field, IPS, NO, Named, OptionalField};
use super::fields::{
    GE_NGG_SUBGRP_CNTL, PA_CL_VS_OUT_CNTL, SPI_SHADER_GS_OUT_CONFIG_PS, SPI_SHADER_POS_FORMAT, SPI_VS_OUT_CONFIG,
};
use super::interpolants::Interpolants;
use super::pixel::interpolant_counts;
use super::tables::IpTable;
use super::word::{Draft, Origin, Word};
use super::{Graphics, ProducerFacts, Register, Why};
use lanescope_model::program::StageKind;

/// 4COMP: four 32-bit components.
const FOUR_COMPONENTS: u32 = 4;

/// SPI_VS_OUT_CONFIG (gfx12: SPI_SHADER_GS_OUT_CONFIG_PS): what is exported for the slots.
pub(super) fn registers(
    graphics: &Graphics<'_>,
    table: &'static IpTable,
    inputs: &Interpolants,
    origin: Origin,
) -> Vec<Register> {
    let mut words: Vec<Draft> = Vec::new();
    let stage = match graphics.producer {
        Some(producer) => {
            words.extend(out_config::<SPI_VS_OUT_CONFIG>(graphics, table, inputs));
            words.extend(out_config::<SPI_SHADER_GS_OUT_CONFIG_PS>(graphics, table, inputs));
            producer.stage
        }
        None => {
            // On gfx12 the register holds the interpolant counts too, so it is a fragment shader's as well.
            words.extend(out_config::<SPI_SHADER_GS_OUT_CONFIG_PS>(graphics, table, inputs));
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

/// The register of the export counts: SPI_VS_OUT_CONFIG, from gfx12 on SPI_SHADER_GS_OUT_CONFIG_PS.
trait OutConfig: Named + Sized {
    const VS_EXPORT_COUNT: Field<Self>;
    const NO_PC_EXPORT: Field<Self>;
    const VS_HALF_PACK: OptionalField<Self> = OptionalField::at([NO; IPS]);
    const PRIM_EXPORT_COUNT: OptionalField<Self>;

    /// Sets the interpolant counts, where they are in this register.
    fn set_counts(_word: &mut Word<Self>, _graphics: &Graphics<'_>, _inputs: &Interpolants) {}
}

impl OutConfig for SPI_VS_OUT_CONFIG {
    const VS_EXPORT_COUNT: Field<Self> = Self::VS_EXPORT_COUNT;
    const NO_PC_EXPORT: Field<Self> = Self::NO_PC_EXPORT;
    const VS_HALF_PACK: OptionalField<Self> = Self::VS_HALF_PACK;
    const PRIM_EXPORT_COUNT: OptionalField<Self> = Self::PRIM_EXPORT_COUNT;
}

impl OutConfig for SPI_SHADER_GS_OUT_CONFIG_PS {
    const VS_EXPORT_COUNT: Field<Self> = Self::VS_EXPORT_COUNT;
    const NO_PC_EXPORT: Field<Self> = Self::NO_PC_EXPORT;
    const PRIM_EXPORT_COUNT: OptionalField<Self> = Self::PRIM_EXPORT_COUNT.optional();

    fn set_counts(word: &mut Word<Self>, graphics: &Graphics<'_>, inputs: &Interpolants) {
        let [slots, primitives] = interpolant_counts(graphics, inputs);
        word.set(Self::NUM_INTERP, slots.0, slots.1);
        word.set(Self::NUM_PRIM_INTERP, primitives.0, primitives.1);
    }
}

fn out_config<R: OutConfig>(graphics: &Graphics<'_>, table: &'static IpTable, inputs: &Interpolants) -> Option<Draft> {
    let mut word = Word::<R>::new(table)?;
    let count = inputs.exported();
    let of_primitive = inputs.exported_per_primitive();
    let texts = match graphics.producer {
        Some(_) if inputs.captured > 0 => &["", " parameter exports, minus one (captured outputs have some of them)"],
        Some(_) => &["", " parameter exports, minus one"],
        None if inputs.behind_mesh() => &[
            "",
            " per-vertex parameter exports, minus one (what is read of the mesh shader counts, and what keeps its location)",
        ],
        None => &["", " parameter exports, minus one (no previous stage loaded: all attributes that are read count)"],
    };
    word.set(R::VS_EXPORT_COUNT, count.saturating_sub(1), Why::around(count, texts));
    let none = count == 0 && of_primitive == 0;
    word.set(
        R::NO_PC_EXPORT,
        u32::from(none),
        if none { "no parameter is exported" } else { "parameters are exported" },
    );
    word.set_if_present(R::VS_HALF_PACK, 0, "the driver sets it above its own threshold");
    let why = match inputs.behind_mesh() {
        true => "per-primitive attributes of the mesh shader that are read or keep their location",
        false => "only mesh shaders export per primitive",
    };
    word.set_if_present(R::PRIM_EXPORT_COUNT, of_primitive, why);
    R::set_counts(&mut word, graphics, inputs);
    Some(word.draft())
}

/// Whether the miscellaneous vector is exported.
fn misc(graphics: &Graphics<'_>, producer: &ProducerFacts) -> bool {
    producer.point_size || producer.layer || producer.viewport_index || shading_rate(graphics, producer)
}

/// The primitive's shading rate is exported in the miscellaneous vector from gfx10.3 on.
fn shading_rate(graphics: &Graphics<'_>, producer: &ProducerFacts) -> bool {
    producer.shading_rate && graphics.target.ip().exports_shading_rate
}

fn pos_format(graphics: &Graphics<'_>, table: &'static IpTable, producer: &ProducerFacts) -> Option<Draft> {
    let mut word = Word::<SPI_SHADER_POS_FORMAT>::new(table)?;
    let distances = producer.distances();
    let vectors = [
        (true, "the position"),
        (misc(graphics, producer), "point size, layer, viewport index or shading rate"),
        (distances > 0, "clip and cull distances 0 to 3"),
        (distances > 4, "clip and cull distances 4 to 7"),
    ];
    type Pos = SPI_SHADER_POS_FORMAT;
    let fields = [Pos::POS0_EXPORT_FORMAT, Pos::POS1_EXPORT_FORMAT, Pos::POS2_EXPORT_FORMAT, Pos::POS3_EXPORT_FORMAT];
    let exported = vectors.into_iter().filter(|(on, _)| *on);
    for (field, (_, why)) in fields.into_iter().zip(exported) {
        word.set(field, FOUR_COMPONENTS, why);
    }
    let used = vectors.iter().filter(|(on, _)| *on).count();
    for field in fields.into_iter().skip(used).chain([Pos::POS4_EXPORT_FORMAT]) {
        word.set(field, 0, "no further position export");
    }
    Some(word.draft())
}

/// The fields that say of each distance whether it clips, and whether it culls.
const DISTANCES: [[Field<PA_CL_VS_OUT_CNTL>; 2]; 8] = [
    [PA_CL_VS_OUT_CNTL::CLIP_DIST_ENA_0, PA_CL_VS_OUT_CNTL::CULL_DIST_ENA_0],
    [PA_CL_VS_OUT_CNTL::CLIP_DIST_ENA_1, PA_CL_VS_OUT_CNTL::CULL_DIST_ENA_1],
    [PA_CL_VS_OUT_CNTL::CLIP_DIST_ENA_2, PA_CL_VS_OUT_CNTL::CULL_DIST_ENA_2],
    [PA_CL_VS_OUT_CNTL::CLIP_DIST_ENA_3, PA_CL_VS_OUT_CNTL::CULL_DIST_ENA_3],
    [PA_CL_VS_OUT_CNTL::CLIP_DIST_ENA_4, PA_CL_VS_OUT_CNTL::CULL_DIST_ENA_4],
    [PA_CL_VS_OUT_CNTL::CLIP_DIST_ENA_5, PA_CL_VS_OUT_CNTL::CULL_DIST_ENA_5],
    [PA_CL_VS_OUT_CNTL::CLIP_DIST_ENA_6, PA_CL_VS_OUT_CNTL::CULL_DIST_ENA_6],
    [PA_CL_VS_OUT_CNTL::CLIP_DIST_ENA_7, PA_CL_VS_OUT_CNTL::CULL_DIST_ENA_7],
];

fn vs_out_cntl(graphics: &Graphics<'_>, table: &'static IpTable, producer: &ProducerFacts) -> Option<Draft> {
    let mut word = Word::<PA_CL_VS_OUT_CNTL>::new(table)?;
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
        (PA_CL_VS_OUT_CNTL::USE_VTX_POINT_SIZE, producer.point_size, [no_size, "PointSize is written"]),
        (PA_CL_VS_OUT_CNTL::USE_VTX_RENDER_TARGET_INDX, producer.layer, ["Layer is not written", layer]),
        (
            PA_CL_VS_OUT_CNTL::USE_VTX_VIEWPORT_INDX,
            producer.viewport_index,
            ["ViewportIndex is not written", "ViewportIndex is written"],
        ),
    ];
    for (field, on, why) in written {
        word.set(field, u32::from(on), why[usize::from(on)]);
    }
    let misc = misc(graphics, producer);
    let why = if misc { "the miscellaneous vector is exported" } else { "no miscellaneous vector" };
    word.set(PA_CL_VS_OUT_CNTL::VS_OUT_MISC_VEC_ENA, u32::from(misc), why);
    word.set(PA_CL_VS_OUT_CNTL::VS_OUT_CCDIST0_VEC_ENA, u32::from(distances > 0), "clip and cull distances 0 to 3");
    word.set(PA_CL_VS_OUT_CNTL::VS_OUT_CCDIST1_VEC_ENA, u32::from(distances > 4), "clip and cull distances 4 to 7");
    let by_distance = distances > 0 && graphics.target.ip().sends_distances_by_side_bus;
    let why = match (misc, by_distance) {
        (true, _) => "with the miscellaneous vector",
        (false, true) => "any clip or cull distance, from gfx10.3 on",
        (false, false) => "neither a miscellaneous vector nor a distance that needs it",
    };
    word.set(PA_CL_VS_OUT_CNTL::VS_OUT_MISC_SIDE_BUS_ENA, u32::from(misc || by_distance), why);
    let rate = shading_rate(graphics, producer);
    let why = if rate { "PrimitiveShadingRate is written" } else { "PrimitiveShadingRate is not written" };
    word.set_if_present(PA_CL_VS_OUT_CNTL::USE_VTX_VRS_RATE, u32::from(rate), why);
    word.set_if_present(PA_CL_VS_OUT_CNTL::BYPASS_PRIM_RATE_COMBINER, u32::from(rate), why);
    word.driver(PA_CL_VS_OUT_CNTL::BYPASS_PRIM_RATE_COMBINER, 1, "always, but for mesh shaders");
    Some(word.draft())
}

/// GE_NGG_SUBGRP_CNTL follows from facts only for a vertex shader alone, where primitive shaders are always used.
fn ngg(graphics: &Graphics<'_>, table: &'static IpTable, producer: &ProducerFacts) -> Option<Draft> {
    let always = graphics.target.ip().always_primitive_shaders;
    if !always || producer.stage != StageKind::Vertex {
        return None;
    }
    let mut word = Word::<GE_NGG_SUBGRP_CNTL>::new(table)?;
    word.set(GE_NGG_SUBGRP_CNTL::PRIM_AMP_FACTOR, 1, "a vertex shader does not amplify primitives");
    word.set(GE_NGG_SUBGRP_CNTL::THDS_PER_SUBGRP, 256, "threads of a primitive-shader subgroup");
    Some(word.draft())
}
