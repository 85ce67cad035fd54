//! The registers of a compute shader, and of a task shader, which the same hardware runs.

use super::encode::{self, LDS_UNIT, PREFETCH_UNIT};
use super::facts::{ComputeFacts, Known};
use super::shader::{self, USER_SGPR_OPEN};
use super::tables::{self, IpTable};
use super::word::{Origin, Word};
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
    let mut words: Vec<Word> = Vec::new();
    for (axis, size) in AXES.iter().zip(facts.size) {
        words.extend(num_thread(table, axis, size));
    }
    words.extend(rsrc1(target, table, facts, known));
    words.extend(rsrc2(target, table, facts, known));
    words.extend(rsrc3(table, facts, known));
    words.extend(initiator(table, facts).filter(|_| !is_task));
    let origin = Origin { target, stage: facts.stage, from: From::Compute };
    words.into_iter().map(|word| word.finish(origin)).collect()
}

/// For each axis: the register, its field on gfx12, and the reason of its size.
const AXES: [[&str; 3]; 3] = [
    ["COMPUTE_NUM_THREAD_X", "INTERLEAVE_BITS_X", "the workgroup's size in X; X and Y are not folded"],
    ["COMPUTE_NUM_THREAD_Y", "INTERLEAVE_BITS_Y", "the workgroup's size in Y; X and Y are not folded"],
    ["COMPUTE_NUM_THREAD_Z", "INTERLEAVE_BITS_Z", "the workgroup's size in Z; X and Y are not folded"],
];

fn num_thread(table: &'static IpTable, [register, interleave, why]: &[&'static str; 3], size: u32) -> Option<Word> {
    let mut word = Word::new(table, register)?;
    word.set("NUM_THREAD_FULL", size, *why);
    word.set("NUM_THREAD_PARTIAL", 0, "no partial workgroups");
    word.set_if_there(interleave, 0, "the driver may pick a two-dimensional interleave");
    Some(word)
}

fn rsrc1(target: Target, table: &'static IpTable, facts: &ComputeFacts, known: &Known) -> Option<Word> {
    let mut word = Word::new(table, "COMPUTE_PGM_RSRC1")?;
    shader::registers_used(&mut word, known, target, facts.wave);
    shader::float_mode(&mut word, facts.float_mode);
    shader::clamp_and_memory(&mut word);
    word.set("BULKY", 0, "never");
    word.set("WGP_MODE", 0, "an option, off by default");
    word.set("MEM_ORDERED", 1, "always");
    word.set("FWD_PROGRESS", 0, "no shader requests forward progress");
    Some(word)
}

fn rsrc2(target: Target, table: &'static IpTable, facts: &ComputeFacts, known: &Known) -> Option<Word> {
    let mut word = Word::new(table, "COMPUTE_PGM_RSRC2")?;
    // NumWorkgroups comes by a 64-bit pointer.
    match shader::user_sgprs(known, target, facts.wave, if facts.num_workgroups { 2 } else { 0 }) {
        Some((count, why)) => word.set("USER_SGPR", count, why),
        None => word.open("USER_SGPR", Unknown::Layout, USER_SGPR_OPEN),
    };
    shader::scratch(&mut word, known);
    for (bit, field) in ["TGID_X_EN", "TGID_Y_EN", "TGID_Z_EN"].into_iter().enumerate() {
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
    word.set("TG_SIZE_EN", 1, "always");
    let [_, y, z] = facts.size;
    let (count, why) = match (y > 1, z > 1) {
        (_, true) => (2, "the workgroup's size in Z is above 1 (what the shader reads does not matter)"),
        (true, _) => (1, "the workgroup's size in Y is above 1, in Z not (what the shader reads does not matter)"),
        _ => (0, "the workgroup has one dimension (what the shader reads does not matter)"),
    };
    word.set("TIDIG_COMP_CNT", count, why);
    match facts.lds_bytes {
        Some(bytes) => {
            let why = format!("{bytes} bytes of workgroup variables in units of {LDS_UNIT}");
            word.set("LDS_SIZE", encode::lds_size(bytes), why)
        }
        None => {
            word.open("LDS_SIZE", Unknown::BackEnd, "needs the back end: size of a workgroup variable is not known")
        }
    };
    Some(word)
}

fn rsrc3(table: &'static IpTable, facts: &ComputeFacts, known: &Known) -> Option<Word> {
    let mut word = Word::new(table, "COMPUTE_PGM_RSRC3")?;
    word.set("SHARED_VGPR_CNT", 0, "no shared vector registers");
    if word.has("INST_PREF_SIZE") {
        match known.code_bytes {
            Some(bytes) => {
                let why = format!("{bytes} bytes of code in units of {PREFETCH_UNIT}");
                word.set("INST_PREF_SIZE", encode::prefetch_size(bytes), why)
            }
            None => word.open("INST_PREF_SIZE", Unknown::BackEnd, "needs the back end: code size"),
        };
    }
    if word.has("IMAGE_OP") {
        let why = if facts.images { "image instructions are used" } else { "no image instruction is used" };
        word.set("IMAGE_OP", u32::from(facts.images), why);
        word.driver("IMAGE_OP", 1, "always");
    }
    Some(word)
}

fn initiator(table: &'static IpTable, facts: &ComputeFacts) -> Option<Word> {
    let mut word = Word::new(table, "COMPUTE_DISPATCH_INITIATOR")?;
    word.set("COMPUTE_SHADER_EN", 1, "always, written by the driver for each dispatch");
    word.set("FORCE_START_AT_000", 1, "dispatches without a base offset start at group 0,0,0");
    word.set("USE_THREAD_DIMENSIONS", 0, "dimensions count workgroups");
    word.set("ORDER_MODE", 1, "always");
    let wave = facts.wave;
    word.set("CS_W32_EN", u32::from(wave == 32), Why::around(wave, &["the shader runs in waves of ", ""]));
    Some(word)
}
