//! The program resources of a fragment shader: SPI_SHADER_PGM_RSRC1_PS and SPI_SHADER_PGM_RSRC2_PS.

use super::encode::{self, SGPR_BLOCK, vgpr_block};
use super::facts::{FloatMode, Known};
use super::field::{Field, Named, OptionalField};
use super::fields::{COMPUTE_PGM_RSRC1, COMPUTE_PGM_RSRC2, SPI_SHADER_PGM_RSRC1_PS, SPI_SHADER_PGM_RSRC2_PS};
use super::tables::IpTable;
use super::word::{Draft, Origin, Word};
use super::{Graphics, Register, Unknown};
use lanescope_model::target::Target;

/// Both registers.
pub(super) fn registers(graphics: &Graphics<'_>, table: &'static IpTable, origin: Origin) -> Vec<Register> {
    let words = [rsrc1(graphics, table), rsrc2(graphics, table)];
    words.into_iter().flatten().map(|word| word.finish(origin)).collect()
}

fn rsrc1(graphics: &Graphics<'_>, table: &'static IpTable) -> Option<Draft> {
    let mut word = Word::<SPI_SHADER_PGM_RSRC1_PS>::new(table)?;
    registers_used(&mut word, graphics.known, graphics.target, graphics.wave());
    float_mode(&mut word, graphics.pixel.float_mode);
    clamp_and_memory(&mut word);
    word.set_if_present(SPI_SHADER_PGM_RSRC1_PS::MEM_ORDERED, 1, "always");
    word.set(SPI_SHADER_PGM_RSRC1_PS::FWD_PROGRESS, 0, "no shader requests forward progress");
    word.set(SPI_SHADER_PGM_RSRC1_PS::CU_GROUP_DISABLE, 0, "a driver setting");
    let provoking = graphics.pixel.provoking_vertex;
    let why =
        if provoking { "per-vertex access needs the provoking vertex" } else { "the provoking vertex is not needed" };
    word.set_if_present(SPI_SHADER_PGM_RSRC1_PS::LOAD_PROVOKING_VTX, u32::from(provoking), why);
    Some(word.draft())
}

fn rsrc2(graphics: &Graphics<'_>, table: &'static IpTable) -> Option<Draft> {
    let mut word = Word::<SPI_SHADER_PGM_RSRC2_PS>::new(table)?;
    match user_sgprs(graphics.known, graphics.target, graphics.wave()) {
        Some((count, why)) => {
            word.set(SPI_SHADER_PGM_RSRC2_PS::USER_SGPR, count & 0x1f, format!("{why}: low five bits of {count}"));
            word.set(
                SPI_SHADER_PGM_RSRC2_PS::USER_SGPR_MSB,
                u32::from(count >= 32),
                format!("{why}: {count} of 32 or more"),
            );
        }
        None => {
            let (needs, why) = user_sgprs_open(graphics.known);
            word.open(SPI_SHADER_PGM_RSRC2_PS::USER_SGPR, needs, why);
            word.open(SPI_SHADER_PGM_RSRC2_PS::USER_SGPR_MSB, needs, "32 or more of them");
        }
    }
    scratch(&mut word, graphics.known);
    word.set(SPI_SHADER_PGM_RSRC2_PS::EXTRA_LDS_SIZE, 0, "a fragment shader has no workgroup variables");
    let before_11 = graphics.target.ip().loads_collision_wave_id;
    let collision = graphics.pixel.ordered && before_11;
    let why = if collision { "ordered interlock before gfx11" } else { "only for ordered interlock before gfx11" };
    word.set(SPI_SHADER_PGM_RSRC2_PS::LOAD_COLLISION_WAVEID, u32::from(collision), why);
    Some(word.draft())
}

/// The first register of program resources, of any stage.
pub(super) trait Rsrc1: Named + Sized {
    const VGPRS: Field<Self>;
    const SGPRS: Field<Self>;
    const FLOAT_MODE: Field<Self>;
    const DX10_CLAMP: OptionalField<Self>;
    const IEEE_MODE: OptionalField<Self>;
    const WG_RR_EN: OptionalField<Self>;
    const DISABLE_PERF: OptionalField<Self>;
}

/// The second register of program resources, of any stage.
pub(super) trait Rsrc2: Named + Sized {
    const SCRATCH_EN: Field<Self>;
}

macro_rules! program_resources {
    ($first:ident, $second:ident) => {
        impl Rsrc1 for $first {
            const VGPRS: Field<Self> = Self::VGPRS;
            const SGPRS: Field<Self> = Self::SGPRS;
            const FLOAT_MODE: Field<Self> = Self::FLOAT_MODE;
            const DX10_CLAMP: OptionalField<Self> = Self::DX10_CLAMP;
            const IEEE_MODE: OptionalField<Self> = Self::IEEE_MODE;
            const WG_RR_EN: OptionalField<Self> = Self::WG_RR_EN;
            const DISABLE_PERF: OptionalField<Self> = Self::DISABLE_PERF;
        }

        impl Rsrc2 for $second {
            const SCRATCH_EN: Field<Self> = Self::SCRATCH_EN;
        }
    };
}

program_resources!(SPI_SHADER_PGM_RSRC1_PS, SPI_SHADER_PGM_RSRC2_PS);
program_resources!(COMPUTE_PGM_RSRC1, COMPUTE_PGM_RSRC2);

/// The reason why USER_SGPR is unknown.
const USER_SGPR_OPEN: &str = "needs the pipeline layout: one for the internal table, one for each descriptor set and push-constant dword that is loaded";

/// VGPRS and SGPRS.
pub(super) fn registers_used<R: Rsrc1>(word: &mut Word<R>, known: &Known, target: Target, wave: u32) {
    match known.vgprs {
        Some(n) => {
            let why = format!("{n} vector registers in blocks of {}, minus one", vgpr_block(wave));
            word.set(R::VGPRS, encode::vgprs(n, wave), why)
        }
        None => word.open(R::VGPRS, Unknown::BackEnd, "needs the back end: number of vector registers"),
    };
    match known.sgprs.map(|n| (n, encode::sgprs(n, target))) {
        Some((n, Some(value))) => {
            word.set(R::SGPRS, value, format!("{n} scalar registers in blocks of {SGPR_BLOCK}, minus one"))
        }
        None if encode::sgprs(0, target).is_some() => {
            word.open(R::SGPRS, Unknown::BackEnd, "needs the back end: number of scalar registers")
        }
        _ => word.set(R::SGPRS, 0, "not used on gfx12"),
    };
}

/// FLOAT_MODE.
pub(super) fn float_mode<R: Rsrc1>(word: &mut Word<R>, mode: FloatMode) {
    let why = if mode.changed {
        "from the shader's execution modes (rounding 32, 16/64; denormals 32, 16/64)"
    } else {
        "32-bit denormals flushed, 16- and 64-bit ones kept, round to nearest even"
    };
    word.set(R::FLOAT_MODE, mode.bits, why);
}

/// DX10_CLAMP and IEEE_MODE, or what gfx12 has in their places.
pub(super) fn clamp_and_memory<R: Rsrc1>(word: &mut Word<R>) {
    word.set_if_present(R::DX10_CLAMP, 1, "always, by the driver");
    word.set_if_present(R::IEEE_MODE, 0, "off for shaders");
    word.set_if_present(R::WG_RR_EN, 0, "an option, off by default");
    word.set_if_present(R::DISABLE_PERF, 0, "performance counters stay on");
}

/// SCRATCH_EN.
pub(super) fn scratch<R: Rsrc2>(word: &mut Word<R>, known: &Known) {
    match known.scratch {
        Some(on) => {
            word.set(R::SCRATCH_EN, u32::from(on), if on { "scratch memory is used" } else { "no scratch memory" })
        }
        None => word.open(R::SCRATCH_EN, Unknown::BackEnd, "needs the back end: whether scratch memory is used"),
    };
}

/// What the number of user SGPRs still needs, and why.
pub(super) fn user_sgprs_open(known: &Known) -> (Unknown, &'static str) {
    match known.not_passed {
        Some(why) => (Unknown::UserData, why),
        None => (Unknown::Layout, USER_SGPR_OPEN),
    }
}

/// Number of user SGPRs and why.
pub(super) fn user_sgprs(known: &Known, target: Target, wave: u32) -> Option<(u32, String)> {
    let data = known.user_data.as_ref()?;
    let (count, special, dwords) = (data.registers, data.of_special_values(), data.of_layout());
    let why = format!("1 for the internal table, {special} for special values, {dwords} for user data that is loaded");
    // A hardware workaround of gfx1100 and gfx1102: at least 16 in waves of 32.
    if matches!(target, Target::Gfx1100 | Target::Gfx1102) && wave == 32 && count < 16 {
        return Some((16, format!("{why}, padded up to 16 (hardware workaround)")));
    }
    Some((count, why))
}
