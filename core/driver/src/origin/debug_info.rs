//! Origins from the driver's own debug information.
//!
//! Started with `RADV_DEBUG=nirdebuginfo`, Mesa 26.1 writes into its text `ACO IR` where the instructions that follow come
//! from: `// 0x4c8 a.frag:7:0`, a byte offset into the SPIR-V module and its line, or `// (null):0:0`. Mesa 25.0 writes
//! lines of its own NIR there (`// :21:0`), which point to no source, and 22.3 has no such setting.
//!
//! The text is from before scheduling and register allocation, and the setting changes the schedule. So instructions are
//! matched by what these steps keep: the operation, its constants, attributes and export targets. An origin counts where
//! all instructions of such a kind agree on it, and the assembly holds as many of that kind.

use std::collections::{BTreeMap, BTreeSet};

use super::super::isa::{IsaFacts, Operand, OperandKind};
use lanescope_spirv::Module;

/// The first version of Mesa whose debug information holds offsets into the SPIR-V module.
pub const FIRST_MAJOR: u16 = 26;

/// The value of `RADV_DEBUG` that asks for it.
pub const SETTING: &str = "nirdebuginfo";

/// The name of the text that holds it.
pub const TEXT: &str = "ACO IR";

/// Words before the first instruction of a module.
const HEADER: usize = 5;

/// What scheduling and register allocation keep of an instruction: its operation, and the operands that are not registers,
/// in alphabetical order.
type Kind = (String, Vec<String>);

/// The SPIR-V instructions (by index) that instructions of the assembly come from, by the assembly's index. `text` is the
/// driver's `ACO IR` of the same shader with debug information; nothing where it holds none.
pub fn origins(module: &Module, text: &str, facts: &IsaFacts) -> BTreeMap<u32, u32> {
    let by_offset = by_offset(module);
    let mut origins: BTreeMap<Kind, (u64, BTreeSet<Option<u32>>)> = BTreeMap::new();
    for (kind, offset) in instructions(text) {
        let of = origins.entry(kind).or_default();
        of.0 += 1;
        of.1.insert(offset.and_then(|offset| by_offset.get(&offset).copied()));
    }
    let mut listed: BTreeMap<Kind, (u64, Vec<u32>)> = BTreeMap::new();
    for (index, instruction) in (0u32..).zip(&facts.instructions) {
        for (name, operands) in instruction.each() {
            let of = listed.entry(kind(&name, operands.iter().filter_map(word))).or_default();
            of.0 += u64::from(instruction.times());
            of.1.push(index);
        }
    }
    let mut out: BTreeMap<u32, u32> = BTreeMap::new();
    let mut unclear = BTreeSet::new();
    for (kind, (count, indices)) in listed {
        let from = origins.get(&kind).filter(|of| of.0 == count && of.1.len() == 1);
        let from = from.and_then(|of| of.1.first().copied().flatten()).filter(|_| !is_move(&kind.0));
        for index in indices {
            match from {
                // The two instructions of a pair may come from different ones.
                Some(from) if out.get(&index).is_none_or(|other| *other == from) => _ = out.insert(index, from),
                _ => _ = unclear.insert(index),
            }
        }
    }
    out.retain(|index, _| !unclear.contains(index));
    out
}

/// The index of the instruction at each byte offset.
fn by_offset(module: &Module) -> BTreeMap<u64, u32> {
    let mut words = HEADER;
    let mut out = BTreeMap::new();
    for inst in module.insts() {
        out.insert(words as u64 * 4, inst.index.0);
        words += inst.words.len();
    }
    out
}

/// The instructions of `ACO IR`, each with the offset that the debug information gives.
fn instructions(text: &str) -> impl Iterator<Item = (Kind, Option<u64>)> {
    let mut offset = None;
    text.lines().filter_map(move |line| {
        let line = line.strip_prefix('\t')?.trim();
        if let Some(comment) = line.strip_prefix("// ") {
            let first = comment.split(' ').next().and_then(|word| word.strip_prefix("0x"));
            offset = first.and_then(|digits| u64::from_str_radix(digits, 16).ok());
            return None;
        }
        let operation = line.rsplit_once(" = ").map_or(line, |(_, operation)| operation);
        let mut words = operation.split([' ', ',']).filter(|word| !word.is_empty());
        let name = words.next()?;
        Some((kind(name, words.filter(|word| is_kept(word)).map(str::to_owned)), offset))
    })
}

/// Whether a word is a constant, an attribute or an export target. Zeros are not: offsets of zero are printed by one side
/// only.
fn is_kept(word: &str) -> bool {
    if matches!(word, "0" | "1d" | "2d" | "3d") {
        return false;
    }
    let number = word.strip_prefix('-').unwrap_or(word).starts_with(|first: char| first.is_ascii_digit());
    number && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.'))
        || ["attr", "mrt", "pos", "param"].iter().any(|prefix| {
            word.strip_prefix(prefix).is_some_and(|rest| rest.starts_with(|first: char| first.is_ascii_digit()))
        })
}

/// An operand as `ACO IR` prints it, where it is one that is kept.
fn word(operand: &Operand) -> Option<String> {
    match &operand.kind {
        OperandKind::Attribute { attribute, channel } => {
            let channel = lanescope_base::ids::Component(*channel).letter();
            Some(format!("attr{attribute}.{channel}"))
        }
        OperandKind::Literal(text) | OperandKind::Word(text) => Some(text.clone()).filter(|text| is_kept(text)),
        OperandKind::Registers(_) | OperandKind::Label(_) => None,
    }
}

fn kind(name: &str, words: impl Iterator<Item = String>) -> Kind {
    let mut words: Vec<String> = words.collect();
    words.sort();
    (operation(name), words)
}

/// The operation without its encoding, and without how its operands are tied to registers.
fn operation(name: &str) -> String {
    let mut name = name.strip_prefix("p_").filter(|rest| rest.starts_with("v_")).unwrap_or(name);
    for suffix in ["_e64_dpp", "_e32", "_e64", "_dpp", "_sdwa", "_rtz"] {
        name = name.strip_suffix(suffix).unwrap_or(name);
    }
    let tied = TIED.iter().find_map(|(tied, plain)| {
        let rest = name.strip_prefix(tied)?;
        (rest.is_empty() || rest.starts_with('_')).then(|| format!("{plain}{rest}"))
    });
    tied.unwrap_or_else(|| name.to_owned())
}

/// Operations that register allocation chooses for another one: the result is an operand, a constant has its own place, or
/// the result is the high half of a register.
const TIED: [(&str, &str); 7] = [
    ("v_fmac", "v_fma"),
    ("v_fmamk", "v_fma"),
    ("v_fmaak", "v_fma"),
    ("v_mac", "v_mad"),
    ("v_madmk", "v_mad"),
    ("v_madak", "v_mad"),
    ("v_fma_mixhi", "v_fma_mixlo"),
];

/// Copies between registers appear and vanish with register allocation.
fn is_move(operation: &str) -> bool {
    ["v_mov", "s_mov", "v_swap", "p_", "s_nop", "s_waitcnt", "s_delay"]
        .iter()
        .any(|prefix| operation.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::super::super::isa::read;
    use super::*;
    use lanescope_model::program::StageKind;
    use lanescope_spirv::{InstId, Lines};

    /// What Mesa 26.1.6 makes for gfx1030 of [`SHADER`]: the assembly without, the other text with debug information.
    const ASSEMBLY: &str =
        include_str!("../../tests/data/isa_samples/mesa-26.1.6/traced.original.whole.fragment.gfx1030.s");
    const ACO_IR: &str =
        include_str!("../../tests/data/isa_samples/mesa-26.1.6/traced.debug.fragment.gfx1030.aco_ir.txt");
    /// Made from `traced.frag` with lines, by glslang.
    const SHADER: &[u8] = include_bytes!("../../tests/data/isa_samples/mesa-26.1.6/traced.frag.spv");

    #[test]
    fn instructions_map_to_the_spirv_in_debug_information() {
        let words = SHADER.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]));
        let module = Module::parse(words.collect()).expect("a module");
        let facts = read(ASSEMBLY, StageKind::Fragment);
        let found = origins(&module, ACO_IR, &facts);
        let lines = Lines::of(&module);
        let mut text = String::new();
        for (index, from) in &found {
            let inst = module.inst(InstId(*from));
            let line = lines.line(inst.index).expect("a line").line;
            let _ = writeln!(text, "{:<20} {line} {}", facts.instructions[*index as usize].mnemonic, inst.name());
        }
        let expected = "\
            s_load_dwordx8       9 OpImageSampleImplicitLod\n\
            s_load_dwordx4       9 OpImageSampleImplicitLod\n\
            image_sample         9 OpImageSampleImplicitLod\n\
            v_fmac_f32_e32       8 OpDot\n\
            v_fmac_f32_e32       7 OpExtInst\n\
            v_fmamk_f32          8 OpDot\n\
            v_fmac_f32_e32       7 OpExtInst\n\
            v_rsq_f32_e32        7 OpExtInst\n\
            v_fma_mixlo_f16      10 OpVectorTimesScalar\n\
            v_fma_mixhi_f16      10 OpVectorTimesScalar\n\
            v_fma_mixlo_f16      10 OpVectorTimesScalar\n\
            v_fma_mixhi_f16      10 OpVectorTimesScalar\n";
        // Of the two multiplications one belongs to line 7 and one to line 8: the two cannot be distinguished.
        assert_eq!(text, expected);
        assert!(origins(&module, "", &facts).is_empty());
    }

    #[test]
    fn operations_lose_their_encoding() {
        for (name, expected) in [
            ("v_mul_f32_e32", "v_mul_f32"),
            ("p_v_fma_mixlo_f16_rtz", "v_fma_mixlo_f16"),
            ("v_fmac_f32_e64_dpp", "v_fma_f32"),
            ("v_fmamk_f32", "v_fma_f32"),
            ("v_mac_f32", "v_mad_f32"),
            ("p_create_vector", "p_create_vector"),
        ] {
            assert_eq!(operation(name), expected);
        }
    }

    #[test]
    fn a_comment_holds_until_the_next_one() {
        let text = "BB0\n\t// 0x40 a.frag:7:0\n\t v1: %5 = v_mul_f32 0.5, %4\n\t v1: %6 = v_rcp_f32 (kill)%5\n\t// (null):0:0\n\texp %6 mrt0\n";
        let found: Vec<_> = instructions(text).collect();
        let of = |name: &str, words: &[&str]| (name.to_owned(), words.iter().map(|word| (*word).to_owned()).collect());
        assert_eq!(
            found,
            [(of("v_mul_f32", &["0.5"]), Some(0x40)), (of("v_rcp_f32", &[]), Some(0x40)), (of("exp", &["mrt0"]), None)]
        );
    }
}
