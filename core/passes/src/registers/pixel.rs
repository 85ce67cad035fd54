//! The registers of a fragment shader's inputs.

use super::field::{Field, IPS, NO, Named, OptionalField};
use super::fields::{
    SPI_BARYC_CNTL, SPI_INTERP_CONTROL_0, SPI_PS_IN_CONTROL, SPI_PS_INPUT_ADDR, SPI_PS_INPUT_CNTL, SPI_PS_INPUT_ENA,
};
use super::interpolants::{Interpolants, Kind, Slot, bit};
use super::tables::IpTable;
use super::word::{Draft, Origin, Word};
use super::{Graphics, Register, Why};
use crate::packing::AttributeBuiltIn;
use lanescope_model::target::Target;

/// OFFSET's bit 5: the slot matches no export; with FLAT_SHADE, the raw values of each vertex.
const UNMATCHED: u32 = 32;

/// SPI_PS_INPUT_CNTL to SPI_INTERP_CONTROL_0.
pub(super) fn registers(
    graphics: &Graphics<'_>,
    table: &'static IpTable,
    inputs: &Interpolants,
    origin: Origin,
) -> Vec<Register> {
    let mut words: Vec<Draft> = Vec::with_capacity(inputs.count() as usize + 6);
    // With no interpolant, one word is written all the same.
    let slots = (0..inputs.count().max(1)).zip(Word::<SPI_PS_INPUT_CNTL>::elements(table));
    words.extend(slots.map(|(n, word)| input_cntl(graphics, word, inputs, n)));
    let bits = input_bits(graphics, inputs);
    words.extend(input_word::<SPI_PS_INPUT_ADDR>(table, bits.addr, &bits.addr_why));
    words.extend(input_word::<SPI_PS_INPUT_ENA>(table, bits.ena, &bits.ena_why));
    words.extend(in_control(graphics, table, inputs));
    words.extend(baryc_cntl(graphics, table, inputs));
    words.extend(interp_control(table, inputs));
    words.into_iter().map(|word| word.finish(origin)).collect()
}

fn input_cntl(graphics: &Graphics<'_>, mut word: Word<SPI_PS_INPUT_CNTL>, inputs: &Interpolants, n: u32) -> Draft {
    word.set(SPI_PS_INPUT_CNTL::DEFAULT_VAL, 0, "the compiler leaves (0,0,0,0), even where nothing is exported");
    let Some(slot) = inputs.get(n) else {
        let why = if inputs.count() == 0 {
            "no interpolants: one word is written anyway"
        } else {
            "this attribute is not read"
        };
        word.set(SPI_PS_INPUT_CNTL::OFFSET, n, why);
        return word.draft();
    };
    match slot.kind {
        Kind::Generic { flat, custom, per_primitive, narrow, halves } => {
            let parameter = parameter(graphics, inputs, n, per_primitive);
            generic(&mut word, parameter, slot, Generic { flat, custom, per_primitive, narrow, halves });
        }
        Kind::BuiltIn(AttributeBuiltIn::PointCoord) => {
            word.set(SPI_PS_INPUT_CNTL::OFFSET, UNMATCHED, "PointCoord comes from the rasterizer, not from an export");
            word.set(
                SPI_PS_INPUT_CNTL::PT_SPRITE_TEX,
                1,
                "the attribute is replaced by the point's texture coordinates",
            );
        }
        Kind::BuiltIn(AttributeBuiltIn::ViewportIndex)
            if graphics.producer.is_some_and(|producer| !producer.viewport_index) =>
        {
            word.set(
                SPI_PS_INPUT_CNTL::OFFSET,
                UNMATCHED,
                "no earlier stage writes ViewportIndex: DEFAULT_VAL is used",
            );
        }
        Kind::BuiltIn(AttributeBuiltIn::ClipCullDistance) => {
            word.set(SPI_PS_INPUT_CNTL::OFFSET, n, format!("parameter {n} contains {}", slot.holds));
            word.set(SPI_PS_INPUT_CNTL::FLAT_SHADE, 0, "distances are interpolated linearly at the center");
        }
        Kind::BuiltIn(built_in) if inputs.is_per_primitive(slot) => {
            let n = parameter(graphics, inputs, n, true);
            word.set(SPI_PS_INPUT_CNTL::OFFSET, n, format!("parameter {n} contains {built_in}"));
            per_primitive(&mut word);
        }
        Kind::BuiltIn(built_in) => {
            word.set(SPI_PS_INPUT_CNTL::OFFSET, n, format!("parameter {n} contains {built_in}"));
            word.set(SPI_PS_INPUT_CNTL::FLAT_SHADE, 1, format!("{built_in} is constant over the primitive"));
        }
    }
    word.draft()
}

/// The exported parameter that a slot reads. From GFX11 on a vertex always has one: where none is read of vertices, those
/// of primitives follow an empty one.
fn parameter(graphics: &Graphics<'_>, inputs: &Interpolants, slot: u32, per_primitive: bool) -> u32 {
    let follows_empty = per_primitive && graphics.target.ip().always_exports_parameter && !inputs.reads_vertices();
    slot.saturating_add(u32::from(follows_empty))
}

/// The fields of a slot that a mesh shader fills for each primitive.
fn per_primitive(word: &mut Word<SPI_PS_INPUT_CNTL>) {
    word.set(SPI_PS_INPUT_CNTL::FLAT_SHADE, 0, "one value per primitive: no provoking vertex");
    word.set_if_present(SPI_PS_INPUT_CNTL::PRIM_ATTR, 1, "the mesh shader writes it per primitive");
}

struct Generic {
    flat: bool,
    custom: bool,
    per_primitive: bool,
    narrow: bool,
    halves: [bool; 2],
}

fn generic(word: &mut Word<SPI_PS_INPUT_CNTL>, n: u32, slot: &Slot, kind: Generic) {
    let Generic { flat, custom, per_primitive: of_primitive, narrow, halves: [low, high] } = kind;
    let holds = Why::parameter(n, &slot.holds);
    if custom {
        word.set(
            SPI_PS_INPUT_CNTL::OFFSET,
            UNMATCHED.saturating_add(n),
            format!("bit 5 with FLAT_SHADE: raw values of each vertex; {holds}"),
        );
        word.set(SPI_PS_INPUT_CNTL::FLAT_SHADE, 1, "explicit per-vertex access needs the values as they were exported");
    } else if of_primitive {
        word.set(SPI_PS_INPUT_CNTL::OFFSET, n, holds);
        per_primitive(word);
    } else {
        word.set(SPI_PS_INPUT_CNTL::OFFSET, n, holds);
        let why =
            if flat { "flat inputs" } else { "smooth and noperspective inputs; they differ in the I/J pair only" };
        word.set(SPI_PS_INPUT_CNTL::FLAT_SHADE, u32::from(flat), why);
    }
    let interpolated = !flat && !custom && !of_primitive;
    if narrow && interpolated && low {
        word.set(SPI_PS_INPUT_CNTL::FP16_INTERP_MODE, 1, "interpolated 16-bit values");
        word.set(SPI_PS_INPUT_CNTL::ATTR0_VALID, 1, "a low half is read");
        let why = if high { "a high half is read" } else { "no high half is read" };
        word.set(SPI_PS_INPUT_CNTL::ATTR1_VALID, u32::from(high), why);
    } else {
        let why = match (narrow, interpolated) {
            (true, true) => "only high halves are read, so the 16-bit mark is lost",
            (true, false) => {
                "flat, per-vertex and per-primitive 16-bit values are read by bit extraction from a 32-bit move"
            }
            (false, _) => "32-bit values",
        };
        word.set(SPI_PS_INPUT_CNTL::FP16_INTERP_MODE, 0, why);
        word.set(SPI_PS_INPUT_CNTL::ATTR0_VALID, 0, "only with FP16_INTERP_MODE");
        word.set(SPI_PS_INPUT_CNTL::ATTR1_VALID, 0, "only with FP16_INTERP_MODE");
    }
}

/// Why a pair has a place in ADDR: smooth, then noperspective inputs; at the sample, the centre, the centroid.
const CROSS_PRODUCT: [[&str; 3]; 2] = [
    [
        "a smooth input and a sample input are read, not always one and the same",
        "a smooth input and a center input are read, not always one and the same",
        "a smooth input and a centroid input are read, not always one and the same",
    ],
    [
        "a noperspective input and a sample input are read, not always one and the same",
        "a noperspective input and a center input are read, not always one and the same",
        "a noperspective input and a centroid input are read, not always one and the same",
    ],
];

/// SPI_PS_INPUT_ADDR and SPI_PS_INPUT_ENA with a reason for every bit.
struct InputBits {
    addr: u32,
    ena: u32,
    addr_why: [&'static str; 16],
    ena_why: [&'static str; 16],
}

/// From facts to ADDR, then the back end's steps.
fn input_bits(graphics: &Graphics<'_>, inputs: &Interpolants) -> InputBits {
    let pixel = graphics.pixel;
    let mut addr_why = ["nothing requires it"; 16];
    let mut ena_why = ["the code does not use it"; 16];
    let mut addr = 0u32;
    let mut fact = |holds: bool, bit: u32, why: &'static str| {
        if holds {
            addr |= 1 << bit;
            addr_why[bit as usize] = why;
        }
    };
    let modes = [(inputs.smooth || inputs.pull_model, 0), (inputs.no_perspective, 4)];
    for ((on, first), whys) in modes.into_iter().zip(CROSS_PRODUCT) {
        let places = [inputs.sample, inputs.center, inputs.centroid];
        for ((at, why), bit) in places.into_iter().zip(whys).zip(first..) {
            fact(on && at, bit, why);
        }
    }
    fact(inputs.pull_model, bit::PERSP_PULL_MODEL, "interpolation at a computed offset");
    for bit in (0..7).filter(|bit| pixel.barycentrics & 1 << bit != 0) {
        fact(true, bit, "a barycentric built-in requires this pair only");
    }
    for bit in bit::POS_X..=bit::POS_W {
        fact(pixel.frag_coord != 0, bit, "FragCoord is read: all four components are in ADDR");
    }
    fact(pixel.front_facing, bit::FRONT_FACE, "FrontFacing is read");
    fact(pixel.sample_id || pixel.shading_rate, bit::ANCILLARY, "SampleId or ShadingRate is read");
    fact(pixel.sample_mask_in, bit::SAMPLE_COVERAGE, "the SampleMask input is read");

    // The inputs that the code uses, and the back end's steps on them.
    let mut used = inputs.used | pixel.barycentrics & 0x7f;
    used |= u32::from(pixel.frag_coord & 0xf) << bit::POS_X;
    used |= u32::from(pixel.front_facing) << bit::FRONT_FACE;
    let by_coverage = pixel.sample_mask_in && sample_rate(graphics, inputs).is_some();
    used |= u32::from(pixel.sample_id || pixel.shading_rate || by_coverage) << bit::ANCILLARY;
    used |= u32::from(pixel.sample_mask_in) << bit::SAMPLE_COVERAGE;
    let facts = addr;
    let [second, third] = back_end(addr, used);
    let [addr, ena] = third;
    for bit in 0..16u32 {
        let (at, on) = (bit as usize, |bits: u32| bits & 1 << bit != 0);
        if on(second[0]) && !on(facts) {
            addr_why[at] = if on(used) { use_of(bit) } else { NO_PAIR };
        }
        if on(ena) {
            ena_why[at] = match (on(used), on(second[1])) {
                (true, _) => use_of(bit),
                (false, true) => NO_PAIR,
                (false, false) => "the lowest input of ADDR: the hardware requires an enabled barycentric pair",
            };
        } else if on(addr) {
            ena_why[at] = "in ADDR, but not used by the code";
        }
    }
    InputBits { addr, ena, addr_why, ena_why }
}

/// The use of an input by the code.
fn use_of(bit: u32) -> &'static str {
    match bit {
        0..=7 => "the code interpolates with it",
        8..=11 => "the code uses this component of FragCoord",
        bit::FRONT_FACE => "the code uses FrontFacing",
        bit::ANCILLARY => "the code uses SampleId, ShadingRate or, at sample rate, the SampleMask input",
        bit::SAMPLE_COVERAGE => "the code uses the SampleMask input",
        _ => "the code uses it",
    }
}

/// The reason why PERSP_SAMPLE is on where nothing uses it.
const NO_PAIR: &str = "the hardware requires a barycentric pair (a perspective one with POS_W), and none was enabled";

/// LLVM's last steps, from the ADDR of the facts and the inputs that the code uses: ADDR and ENA after the second step,
/// and after the third.
fn back_end(facts: u32, used: u32) -> [[u32; 2]; 2] {
    // First: what is used is enabled and has a place.
    let [mut addr, mut ena] = [facts | used, used];
    let lacking = |bits: u32| bits & 0x7f == 0 || bits & 1 << bit::POS_W != 0 && bits & 0xf == 0;
    // Second: one pair at least has a place, with POS_W a perspective one.
    if lacking(addr) {
        addr |= 1 << bit::PERSP_SAMPLE;
        ena |= 1 << bit::PERSP_SAMPLE;
    }
    // Third: the same step for what is enabled. ADDR is not 0 after the second step, so it has a lowest bit.
    let second = [addr, ena];
    if lacking(addr & ena) {
        ena |= addr & addr.wrapping_neg();
    }
    [second, [addr, ena]]
}

/// A register with one bit for each input of the fragment shader.
trait PixelInputs: Named + Sized {
    /// From the lowest bit.
    const INPUTS: [Field<Self>; 16];
    const COVERAGE_TO_SHADER_SELECT: OptionalField<Self>;
}

macro_rules! pixel_inputs {
    ($register:ident, $coverage:expr) => {
        impl PixelInputs for $register {
            const INPUTS: [Field<Self>; 16] = [
                Self::PERSP_SAMPLE_ENA,
                Self::PERSP_CENTER_ENA,
                Self::PERSP_CENTROID_ENA,
                Self::PERSP_PULL_MODEL_ENA,
                Self::LINEAR_SAMPLE_ENA,
                Self::LINEAR_CENTER_ENA,
                Self::LINEAR_CENTROID_ENA,
                Self::LINE_STIPPLE_TEX_ENA,
                Self::POS_X_FLOAT_ENA,
                Self::POS_Y_FLOAT_ENA,
                Self::POS_Z_FLOAT_ENA,
                Self::POS_W_FLOAT_ENA,
                Self::FRONT_FACE_ENA,
                Self::ANCILLARY_ENA,
                Self::SAMPLE_COVERAGE_ENA,
                Self::POS_FIXED_PT_ENA,
            ];
            const COVERAGE_TO_SHADER_SELECT: OptionalField<Self> = $coverage;
        }
    };
}

pixel_inputs!(SPI_PS_INPUT_ADDR, OptionalField::at([NO; IPS]));
pixel_inputs!(SPI_PS_INPUT_ENA, Self::COVERAGE_TO_SHADER_SELECT);

fn input_word<R: PixelInputs>(table: &'static IpTable, bits: u32, why: &[&'static str; 16]) -> Option<Draft> {
    let mut word = Word::<R>::new(table)?;
    for (bit, (field, why)) in R::INPUTS.into_iter().zip(why).enumerate() {
        word.set(field, bits >> bit & 1, *why);
    }
    word.set_if_present(
        R::COVERAGE_TO_SHADER_SELECT,
        0,
        "normal coverage; the driver copies the inner-coverage choice",
    );
    Some(word.draft())
}

fn in_control(graphics: &Graphics<'_>, table: &'static IpTable, inputs: &Interpolants) -> Option<Draft> {
    let mut word = Word::<SPI_PS_IN_CONTROL>::new(table)?;
    let [slots, primitives] = interpolant_counts(graphics, inputs);
    word.set_if_present(SPI_PS_IN_CONTROL::NUM_INTERP, slots.0, slots.1);
    word.set_if_present(SPI_PS_IN_CONTROL::NUM_PRIM_INTERP, primitives.0, primitives.1);
    word.set(SPI_PS_IN_CONTROL::PARAM_GEN, 0, "only for an internal built-in");
    let wave = graphics.wave();
    word.set(
        SPI_PS_IN_CONTROL::PS_W32_EN,
        u32::from(wave == 32),
        Why::around(wave, &["the fragment shader runs in waves of ", ""]),
    );
    Some(word.draft())
}

/// NUM_INTERP and NUM_PRIM_INTERP, each with its reason.
pub(super) fn interpolant_counts(graphics: &Graphics<'_>, inputs: &Interpolants) -> [(u32, &'static str); 2] {
    const ALL: &str = "interpolants: highest attribute slot that is read, plus one";
    let (count, of_primitive) = (inputs.count(), inputs.per_primitive());
    match (of_primitive, graphics.target) {
        (0, _) => [(count, ALL), (0, "only mesh shaders have per-primitive attributes")],
        (_, target) if (Target::Gfx1030..Target::Gfx1100).contains(&target) => [
            (count.saturating_sub(of_primitive), "interpolants, without per-primitive attributes"),
            (of_primitive, "per-primitive attributes of the mesh shader"),
        ],
        _ => [
            (count, ALL),
            (0, "per-primitive attributes count in NUM_INTERP; only on graphics IP 10.3 they count here"),
        ],
    }
}

fn baryc_cntl(graphics: &Graphics<'_>, table: &'static IpTable, inputs: &Interpolants) -> Option<Draft> {
    let mut word = Word::<SPI_BARYC_CNTL>::new(table)?;
    word.set(SPI_BARYC_CNTL::FRONT_FACE_ALL_BITS, 1, "always");
    match (graphics.pixel.integer_pixel_center, sample_rate(graphics, inputs)) {
        (true, _) => {
            word.set(SPI_BARYC_CNTL::POS_FLOAT_LOCATION, 0, "not changed with integer pixel centers");
            word.set(SPI_BARYC_CNTL::POS_FLOAT_ULC, 1, "integer pixel centers");
            word.driver(SPI_BARYC_CNTL::POS_FLOAT_ULC, 0, "the bit is not copied; the code subtracts 0.5");
        }
        (false, Some(why)) => {
            word.set(SPI_BARYC_CNTL::POS_FLOAT_LOCATION, 2, format!("the shader runs once per sample: {why}"));
        }
        (false, None) => {
            word.set(SPI_BARYC_CNTL::POS_FLOAT_LOCATION, 0, "the shader runs once per pixel");
        }
    }
    Some(word.draft())
}

fn interp_control(table: &'static IpTable, inputs: &Interpolants) -> Option<Draft> {
    let mut word = Word::<SPI_INTERP_CONTROL_0>::new(table)?;
    if inputs.point_coord {
        word.set(SPI_INTERP_CONTROL_0::PNT_SPRITE_ENA, 1, "PointCoord is read");
        word.set(SPI_INTERP_CONTROL_0::PNT_SPRITE_OVRD_X, 2, "x of PointCoord");
        word.set(SPI_INTERP_CONTROL_0::PNT_SPRITE_OVRD_Y, 3, "y of PointCoord");
        word.set(SPI_INTERP_CONTROL_0::PNT_SPRITE_OVRD_Z, 0, "z of the replaced attribute");
        word.set(SPI_INTERP_CONTROL_0::PNT_SPRITE_OVRD_W, 1, "w of the replaced attribute");
        word.set(SPI_INTERP_CONTROL_0::PNT_SPRITE_TOP_1, 0, "the origin is upper left");
    }
    word.driver(SPI_INTERP_CONTROL_0::FLAT_SHADE_ENA, 1, "FLAT_SHADE of the attributes acts only with it");
    Some(word.draft())
}

/// Why the shader runs once per sample, if it does. PS_ITER_SAMPLE is this, or FragCoord at the sample.
pub(super) fn sample_rate(graphics: &Graphics<'_>, inputs: &Interpolants) -> Option<&'static str> {
    let pixel = graphics.pixel;
    let shading = graphics.options.sample_shading;
    if inputs.sample_located {
        Some("an input is read at the sample")
    } else if pixel.sample_id_met || pixel.sample_id {
        Some("SampleId or SamplePosition")
    } else if shading && pixel.frag_coord != 0 {
        Some("sample shading, and FragCoord is read")
    } else if shading && inputs.point_coord {
        Some("sample shading, and PointCoord is read")
    } else if shading && pixel.sample_mask_in {
        Some("sample shading, and the SampleMask input is read")
    } else if shading && pixel.resource_write {
        Some("sample shading, and memory is written")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::back_end;

    #[test]
    fn follows_the_three_steps_of_the_back_end() {
        // Facts and use, then ADDR and ENA.
        let rows = [
            ([0x0000, 0x0000], [0x0001, 0x0001]),
            ([0x0002, 0x0002], [0x0002, 0x0002]),
            ([0x0000, 0x0020], [0x0020, 0x0020]),
            ([0x0f20, 0x0820], [0x0f21, 0x0821]),
            // A pair that the facts ask for and the code does not use.
            ([0x0002, 0x0000], [0x0002, 0x0002]),
            ([0x0060, 0x1000], [0x1060, 0x1020]),
            ([0x0f22, 0x0820], [0x0f22, 0x0822]),
            ([0x0f22, 0x0120], [0x0f22, 0x0120]),
        ];
        for ([facts, used], expected) in rows {
            assert_eq!(back_end(facts, used)[1], expected, "facts {facts:#x}, used {used:#x}");
        }
    }
}
