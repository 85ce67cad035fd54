//! The registers of a compute shader, and of a task shader, which the same hardware runs.

use super::encode::{self, LDS_UNIT, PREFETCH_UNIT};
use super::facts::{ComputeFacts, Known};
use super::field::{Field, IPS, NO, Named, OptionalField};
use super::fields::{
    COMPUTE_DISPATCH_INITIATOR, COMPUTE_NUM_THREAD_X, COMPUTE_NUM_THREAD_Y, COMPUTE_NUM_THREAD_Z, COMPUTE_PGM_RSRC1,
    COMPUTE_PGM_RSRC2, COMPUTE_PGM_RSRC3,
};
use super::shader;
use super::tables::{self, IpTable};
use super::word::{Draft, Origin, Word};
use super::{From, Register, Unknown, Why};
use lanescope_model::program::StageKind;
use lanescope_model::target::Target;

/// The registers of a compute or task shader, in the order of their addresses but for the initiator, which comes last
/// and which a task shader does not have: a draw launches it.
///
/// Empty for a target without tables, and for task shaders on gfx10.1, which has no mesh pipeline.
pub fn compute(target: Target, facts: &ComputeFacts, known: &Known) -> Vec<Register> {
    let is_task = facts.stage == StageKind::Task;
    if is_task && target == Target::Gfx1010 {
        return Vec::new();
    }
    let Some(table) = tables::table(target) else { return Vec::new() };
    let mut words: Vec<Draft> = Vec::new();
    let [x, y, z] = facts.size;
    words.extend(num_thread::<COMPUTE_NUM_THREAD_X>(table, x));
    words.extend(num_thread::<COMPUTE_NUM_THREAD_Y>(table, y));
    words.extend(num_thread::<COMPUTE_NUM_THREAD_Z>(table, z));
    words.extend(rsrc1(target, table, facts, known));
    words.extend(rsrc2(target, table, facts, known));
    words.extend(rsrc3(table, facts, known));
    words.extend(initiator(table, facts).filter(|_| !is_task));
    let origin = Origin { target, stage: facts.stage, from: From::Compute };
    words.into_iter().map(|word| word.finish(origin)).collect()
}

/// The register of the workgroup's size along one axis.
trait NumThread: Named + Sized {
    const NUM_THREAD_FULL: Field<Self>;
    const NUM_THREAD_PARTIAL: Field<Self>;
    /// INTERLEAVE_BITS of the axis, on gfx12.
    const INTERLEAVE_BITS: OptionalField<Self> = OptionalField::at([NO; IPS]);
    /// The reason of its size.
    const WHY: &'static str;
}

impl NumThread for COMPUTE_NUM_THREAD_X {
    const NUM_THREAD_FULL: Field<Self> = Self::NUM_THREAD_FULL;
    const NUM_THREAD_PARTIAL: Field<Self> = Self::NUM_THREAD_PARTIAL;
    const INTERLEAVE_BITS: OptionalField<Self> = Self::INTERLEAVE_BITS_X;
    const WHY: &'static str = "the workgroup's size in X; X and Y are not folded";
}

impl NumThread for COMPUTE_NUM_THREAD_Y {
    const NUM_THREAD_FULL: Field<Self> = Self::NUM_THREAD_FULL;
    const NUM_THREAD_PARTIAL: Field<Self> = Self::NUM_THREAD_PARTIAL;
    const INTERLEAVE_BITS: OptionalField<Self> = Self::INTERLEAVE_BITS_Y;
    const WHY: &'static str = "the workgroup's size in Y; X and Y are not folded";
}

impl NumThread for COMPUTE_NUM_THREAD_Z {
    const NUM_THREAD_FULL: Field<Self> = Self::NUM_THREAD_FULL;
    const NUM_THREAD_PARTIAL: Field<Self> = Self::NUM_THREAD_PARTIAL;
    const WHY: &'static str = "the workgroup's size in Z; X and Y are not folded";
}

fn num_thread<R: NumThread>(table: &'static IpTable, size: u32) -> Option<Draft> {
    let mut word = Word::<R>::new(table)?;
    word.set(R::NUM_THREAD_FULL, size, R::WHY);
    word.set(R::NUM_THREAD_PARTIAL, 0, "no partial workgroups");
    word.set_if_present(R::INTERLEAVE_BITS, 0, "the driver may pick a two-dimensional interleave");
    Some(word.draft())
}

fn rsrc1(target: Target, table: &'static IpTable, facts: &ComputeFacts, known: &Known) -> Option<Draft> {
    let mut word = Word::<COMPUTE_PGM_RSRC1>::new(table)?;
    shader::registers_used(&mut word, known, target, facts.wave);
    shader::float_mode(&mut word, facts.float_mode);
    shader::clamp_and_memory(&mut word);
    word.set(COMPUTE_PGM_RSRC1::BULKY, 0, "never");
    word.set(COMPUTE_PGM_RSRC1::WGP_MODE, 0, "an option, off by default");
    word.set(COMPUTE_PGM_RSRC1::MEM_ORDERED, 1, "always");
    word.set(COMPUTE_PGM_RSRC1::FWD_PROGRESS, 0, "no shader requests forward progress");
    Some(word.draft())
}

fn rsrc2(target: Target, table: &'static IpTable, facts: &ComputeFacts, known: &Known) -> Option<Draft> {
    let mut word = Word::<COMPUTE_PGM_RSRC2>::new(table)?;
    match shader::user_sgprs(known, target, facts.wave) {
        Some((count, why)) => word.set(COMPUTE_PGM_RSRC2::USER_SGPR, count, why),
        None => {
            let (needs, why) = shader::user_sgprs_open(known);
            word.open(COMPUTE_PGM_RSRC2::USER_SGPR, needs, why)
        }
    };
    shader::scratch(&mut word, known);
    for (bit, field) in [COMPUTE_PGM_RSRC2::TGID_X_EN, COMPUTE_PGM_RSRC2::TGID_Y_EN, COMPUTE_PGM_RSRC2::TGID_Z_EN]
        .into_iter()
        .enumerate()
    {
        let is_task = facts.stage == StageKind::Task;
        let read = if is_task { 1 } else { facts.workgroup_id >> bit & 1 };
        let why = match (read, facts.through_global_id) {
            _ if is_task => "always for task shaders",
            (0, _) => "this component of WorkgroupId is not read",
            (_, true) => "this component of WorkgroupId is read, perhaps through GlobalInvocationId",
            (_, false) => "this component of WorkgroupId is read",
        };
        word.set(field, u32::from(read), why);
    }
    word.set(COMPUTE_PGM_RSRC2::TG_SIZE_EN, 1, "always");
    let [_, y, z] = facts.size;
    let (count, why) = match (y > 1, z > 1) {
        (_, true) => (2, "the workgroup's size in Z is above 1 (what the shader reads does not matter)"),
        (true, _) => (1, "the workgroup's size in Y is above 1, in Z not (what the shader reads does not matter)"),
        _ => (0, "the workgroup has one dimension (what the shader reads does not matter)"),
    };
    word.set(COMPUTE_PGM_RSRC2::TIDIG_COMP_CNT, count, why);
    match facts.lds_bytes {
        Some(bytes) => {
            let why = format!("{bytes} bytes of workgroup variables in units of {LDS_UNIT}");
            word.set(COMPUTE_PGM_RSRC2::LDS_SIZE, encode::lds_size(bytes), why)
        }
        None => word.open(
            COMPUTE_PGM_RSRC2::LDS_SIZE,
            Unknown::BackEnd,
            "needs the back end: size of a workgroup variable is not known",
        ),
    };
    Some(word.draft())
}

fn rsrc3(table: &'static IpTable, facts: &ComputeFacts, known: &Known) -> Option<Draft> {
    let mut word = Word::<COMPUTE_PGM_RSRC3>::new(table)?;
    word.set(COMPUTE_PGM_RSRC3::SHARED_VGPR_CNT, 0, "no shared vector registers");
    match known.code_bytes {
        Some(bytes) => {
            let why = format!("{bytes} bytes of code in units of {PREFETCH_UNIT}");
            word.set_if_present(COMPUTE_PGM_RSRC3::INST_PREF_SIZE, encode::prefetch_size(bytes), why)
        }
        None => word.open(COMPUTE_PGM_RSRC3::INST_PREF_SIZE, Unknown::BackEnd, "needs the back end: code size"),
    };
    let why = if facts.images { "image instructions are used" } else { "no image instruction is used" };
    word.set_if_present(COMPUTE_PGM_RSRC3::IMAGE_OP, u32::from(facts.images), why);
    word.driver(COMPUTE_PGM_RSRC3::IMAGE_OP, 1, "always");
    Some(word.draft())
}

fn initiator(table: &'static IpTable, facts: &ComputeFacts) -> Option<Draft> {
    let mut word = Word::<COMPUTE_DISPATCH_INITIATOR>::new(table)?;
    word.set(COMPUTE_DISPATCH_INITIATOR::COMPUTE_SHADER_EN, 1, "always, written by the driver for each dispatch");
    word.set(
        COMPUTE_DISPATCH_INITIATOR::FORCE_START_AT_000,
        1,
        "dispatches without a base offset start at group 0,0,0",
    );
    word.set(COMPUTE_DISPATCH_INITIATOR::USE_THREAD_DIMENSIONS, 0, "dimensions count workgroups");
    word.set(COMPUTE_DISPATCH_INITIATOR::ORDER_MODE, 1, "always");
    let wave = facts.wave;
    word.set(
        COMPUTE_DISPATCH_INITIATOR::CS_W32_EN,
        u32::from(wave == 32),
        Why::around(wave, &["the shader runs in waves of ", ""]),
    );
    Some(word.draft())
}
