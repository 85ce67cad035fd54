//! Facts from an instruction's encoding where the disassembler's text lacks them.
//!
//! LLVM prints two things wrongly, of every version that Mesa 22.3 to 26.2 is built with:
//! * The lanes of a DPP instruction in VOP3 encoding (`v_fma_mixlo_f16_e64_dpp`, from GFX11 on; LLVM 21 and 22):
//!   `quad_perm:[2,2,2,0]` for `[2,2,2,2]`, and `/* Invalid dpp_ctrl value */` for `[1,1,3,3]`.
//! * The half that `v_interp_p2_f16` writes on GFX10 (`op_sel:[0,0,0,1]` is missing).
//!
//! So where the text carries an encoding, that counts.

use super::Instruction;

/// The source operand that means "see the DPP word".
const DPP16: u32 = 0xfa;
/// The last control that is a permutation of a quad.
const LAST_QUAD_PERM: u32 = 0xff;

/// The lanes that each lane of a quad reads, where an instruction moves in the quad.
pub(super) fn quad_perm(instruction: &Instruction) -> Option<[u8; 4]> {
    match dpp_control(instruction) {
        Some(control) => (control <= LAST_QUAD_PERM)
            .then(|| [0, 2, 4, 6].map(|at| u8::try_from(control >> at & 3).unwrap_or_default())),
        None => printed(instruction),
    }
}

/// The control of a DPP instruction's encoding: two words (VOP1, VOP2, VOPC), or three (VOP3).
fn dpp_control(instruction: &Instruction) -> Option<u32> {
    if !instruction.mnemonic.ends_with("_dpp") {
        return None;
    }
    let words = words(instruction)?;
    let (source, last) = match words.as_slice() {
        [first, last] => (first & 0x1ff, last),
        [_, second, last] => (second & 0x1ff, last),
        _ => return None,
    };
    (source == DPP16).then_some(last >> 8 & 0x1ff)
}

fn printed(instruction: &Instruction) -> Option<[u8; 4]> {
    let text = instruction.modifier("quad_perm")?.strip_prefix('[')?.strip_suffix(']')?;
    let lanes: Vec<u8> =
        text.split(',').map(|lane| lane.trim().parse().ok().filter(|l| *l < 4)).collect::<Option<_>>()?;
    lanes.try_into().ok()
}

/// Whether a 16-bit interpolation writes the high half of its destination.
pub(super) fn interpolates_to_high_half(instruction: &Instruction) -> bool {
    // The last bit of `op_sel` in VOP3: bit 14.
    let is = instruction.mnemonic == "v_interp_p2_f16";
    is && words(instruction).and_then(|words| words.first().copied()).is_some_and(|word| word & 1 << 14 != 0)
}

fn words(instruction: &Instruction) -> Option<Vec<u32>> {
    let words = instruction.words.split_ascii_whitespace().map(|word| u32::from_str_radix(word, 16).ok());
    words.collect::<Option<Vec<u32>>>().filter(|words| !words.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::read;
    use lanescope_model::program::StageKind;

    fn first(text: &str) -> Instruction {
        read(text, StageKind::Fragment).instructions.swap_remove(0)
    }

    #[test]
    fn lanes_are_taken_from_the_encoding() {
        for (text, lanes) in [
            ("\tv_mov_b32_dpp v1, v2 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf\n", Some([1, 0, 3, 2])),
            (
                "\tv_fma_mixlo_f16_e64_dpp v13, v9, v3, v12 quad_perm:[2,2,2,0] fi:1 ; cc21000d 043206fa ff04aa09\n",
                Some([2; 4]),
            ),
            (
                "\tv_fma_mixlo_f16_e64_dpp v14, v10, v11, neg(0) /* Invalid dpp_ctrl value */ row_mask:0xf ; cc21000e 820216fa ff0cf50a\n",
                Some([1, 1, 3, 3]),
            ),
            (
                "\tv_subrev_f32_dpp v4, v4, v4 quad_perm:[0,0,2,2] row_mask:0xf ; 060808fa ff08a004\n",
                Some([0, 0, 2, 2]),
            ),
            ("\tv_add_u32_dpp v1, v2, v3 row_mirror row_mask:0xf bank_mask:0xf ; 680206fa ff014002\n", None),
            ("\tv_mov_b32_e32 v1, v2 ; 7e020302\n", None),
        ] {
            assert_eq!(quad_perm(&first(text)), lanes, "{text}");
        }
    }

    #[test]
    fn the_half_that_an_interpolation_writes_is_taken_from_the_encoding() {
        let high = first("\tv_interp_p2_f16 v3, v1, attr1.x, v4 high ; d75a4003 04120301\n");
        let low = first("\tv_interp_p2_f16 v3, v1, attr1.x, v2 ; d75a0003 040a0201\n");
        assert!(interpolates_to_high_half(&high) && !interpolates_to_high_half(&low));
    }
}
