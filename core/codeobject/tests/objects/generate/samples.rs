//! The samples: `samples/code_objects`. Their code was assembled with `llvm-mc`; `textured.elf` has register values only.

use super::elf::Elf;
use super::{Form, Pipeline, Stage, compute, graphics};

const GFX1030: super::Chip = (0x36, "gfx1030", Some("gfx10.3"));
const GFX1100: super::Chip = (0x41, "gfx1100", Some("gfx11"));

/// A compute shader that stores a push constant.
///
/// ```text
/// s_getpc_b64 s[4:5]
/// s_mov_b32 s4, s1
/// s_load_dwordx4 s[8:11], s[4:5], null
/// v_lshlrev_b32_e32 v1, 2, v0
/// v_mov_b32_e32 v0, s2
/// s_waitcnt lgkmcnt(0)
/// buffer_store_dword v0, v1, s[8:11], s3 offen
/// s_endpgm
/// ```
const FILL: &[u32] = &[
    0xbe84_1f00,
    0xbe84_0301,
    0xf408_0202,
    0xfa00_0000,
    0x3402_0082,
    0x7e00_0202,
    0xbf8c_c07f,
    0xe070_1000,
    0x0302_0001,
    0xbf81_0000,
];

/// A primitive shader: `s_mov_b32 s0, 0`, `exp pos0 v0, v1, v2, v3 done`, `exp prim v4, off, off, off done`, `s_endpgm`.
const VERTEX: &[u32] = &[0xbe80_0080, 0xf800_08cf, 0x0302_0100, 0xf800_0941, 0x0000_0004, 0xbfb0_0000];

/// A pixel shader that interpolates one component.
///
/// ```text
/// s_mov_b32 m0, s4
/// lds_param_load v2, attr0.x
/// v_interp_p10_f32 v3, v2, v0, v2
/// v_interp_p2_f32 v3, v2, v1, v3
/// exp mrt0 v3, v3, v3, v3 done
/// s_endpgm
/// ```
const PIXEL: &[u32] = &[
    0xbefd_0004,
    0xce00_0002,
    0xcd00_0003,
    0x040a_0102,
    0xcd01_0003,
    0x040e_0302,
    0xf800_080f,
    0x0303_0303,
    0xbfb0_0000,
];

/// A compute shader whose root is: table of set 0 at `set`, push constants at `push` and after it.
fn fill(set: u32, push: u32, hash: u64) -> Elf {
    let user_data = vec![0x1000_0000, set, push, push + 1];
    let pipeline = Pipeline {
        stages: vec![Stage { name: "cs", user_data, code: FILL.to_vec() }],
        limit: set.max(push + 1) + 1,
        unknown: None,
        hash,
        ..compute(GFX1030)
    };
    pipeline.object(GFX1030, Form::Named)
}

/// A vertex and a pixel shader.
fn lit(form: Form) -> Elf {
    let shaders = vec![("vertex", &["gs"][..]), ("pixel", &["ps"][..])];
    let mut pipeline = Pipeline { unknown: None, ..graphics(GFX1100, "Ngg", shaders, &["gs", "ps"]) };
    pipeline.registers[2].1.push(("NUM_INTERP", 2));
    pipeline.registers.push(("SPI_VS_OUT_CONFIG".to_owned(), vec![("VS_EXPORT_COUNT", 1)]));
    pipeline.stages[0].code = VERTEX.to_vec();
    pipeline.stages[1].code = PIXEL.to_vec();
    if form == Form::Words {
        // A register that no table has.
        pipeline.unknown = Some((0xa2aa, 0x10));
        pipeline.registers[1].1[0].1 = 2;
    }
    pipeline.object(GFX1100, form)
}

/// Every sample with its name.
pub fn all() -> Vec<(&'static str, Elf)> {
    vec![
        ("fill.elf", fill(0, 1, 0x1b2c_3d4e_5f60_7182)),
        ("fill_moved.elf", fill(4, 5, 0x2c3d_4e5f_6071_8293)),
        ("lit_named.elf", lit(Form::Named)),
        ("lit_words.elf", lit(Form::Words)),
        ("textured.elf", super::llpc::named("a8_target")),
    ]
}
