//! The registers that fill user SGPRs before a wave starts: SPI_SHADER_USER_DATA_* and COMPUTE_USER_DATA_*.
//!
//! A compiler does not know the values. Under these addresses it writes what each SGPR is to hold (`.registers` of PAL
//! metadata 2.x; `.user_data_reg_map` from 3.0 on): a dword of the pipeline layout's root, or one of PAL's reserved values. The
//! driver writes the values themselves.

use std::borrow::Cow;

use super::{Field, From, Known, Register};
use crate::guessed_layout::Holds;
use lanescope_base::ids::Hex;
use lanescope_model::program::StageKind;
use lanescope_model::target::Target;

/// The user data registers of a hardware stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UserDataRegisters {
    /// The hardware stage as PAL metadata names it: `ps`.
    pub stage: &'static str,
    /// Name of the first one without its number.
    pub name: &'static str,
    /// Dword address of the first one.
    pub first: u32,
    /// Their number.
    pub count: u32,
    /// The chips that have them, by how their LLVM names begin.
    chips: &'static [&'static str],
}

const fn row(
    stage: &'static str,
    name: &'static str,
    (first, count): (u32, u32),
    chips: &'static [&'static str],
) -> UserDataRegisters {
    UserDataRegisters { stage, name, first, count, chips }
}

/// All of them. GFX9 has the user data of merged shaders in the registers of their first half.
const ALL: [UserDataRegisters; 7] = [
    row("ps", "SPI_SHADER_USER_DATA_PS", (0x2c0c, 32), &["gfx9", "gfx10", "gfx11", "gfx12"]),
    row("vs", "SPI_SHADER_USER_DATA_VS", (0x2c4c, 32), &["gfx9", "gfx10"]),
    row("gs", "SPI_SHADER_USER_DATA_GS", (0x2c8c, 32), &["gfx10", "gfx11", "gfx12"]),
    row("gs", "SPI_SHADER_USER_DATA_ES", (0x2ccc, 32), &["gfx9"]),
    row("hs", "SPI_SHADER_USER_DATA_HS", (0x2d0c, 32), &["gfx10", "gfx11", "gfx12"]),
    row("hs", "SPI_SHADER_USER_DATA_LS", (0x2d4c, 32), &["gfx9"]),
    row("cs", "COMPUTE_USER_DATA", (0x2e40, 16), &["gfx9", "gfx10", "gfx11", "gfx12"]),
];

impl UserDataRegisters {
    /// Those of a chip, by its LLVM name.
    pub fn of_chip(chip: &str) -> impl Iterator<Item = &'static UserDataRegisters> {
        ALL.iter().filter(move |range| range.chips.iter().any(|own| chip.starts_with(own)))
    }

    /// Those that fill the user SGPRs of a fragment, compute or task shader, or of a vertex shader that the rasterizer
    /// follows.
    pub fn of_stage(target: Target, stage: StageKind) -> Option<&'static UserDataRegisters> {
        let hardware = match stage {
            StageKind::Fragment => "ps",
            StageKind::Vertex if target.ip().always_primitive_shaders => "gs",
            StageKind::Vertex => "vs",
            StageKind::Compute | StageKind::Task => "cs",
            _ => return None,
        };
        UserDataRegisters::of_chip(target.name()).find(|range| range.stage == hardware)
    }

    /// Name and dword address of the register of an SGPR, if there is one.
    pub fn of_sgpr(&self, sgpr: u32) -> Option<(String, u32)> {
        (sgpr < self.count).then(|| (format!("{}_{sgpr}", self.name), self.first + sgpr))
    }

    /// The SGPR of a register, by its dword address.
    pub fn sgpr_at(&self, address: u64) -> Option<u32> {
        let sgpr = u32::try_from(address.checked_sub(u64::from(self.first))?).ok()?;
        (sgpr < self.count).then_some(sgpr)
    }
}

/// What the compiler writes for each SGPR of a vertex, fragment, compute or task shader; nothing where that is not known. An SGPR that
/// is not mapped has no register here.
pub(super) fn registers(target: Target, stage: StageKind, known: &Known) -> Vec<Register> {
    let (Some(range), Some(data)) = (UserDataRegisters::of_stage(target, stage), &known.user_data) else {
        return Vec::new();
    };
    let register = |(sgpr, holds): (u32, Holds)| {
        if matches!(holds, Holds::Workgroup { dword } if dword > 0) {
            return None;
        }
        let (name, address) = range.of_sgpr(sgpr)?;
        let why = why(holds, data.what(sgpr));
        Some(Register {
            target,
            stage,
            entry: None,
            name: Cow::Owned(name),
            address: Hex(u64::from(address)),
            value: Some(Hex(u64::from(holds.mapped()))),
            from: if matches!(stage, StageKind::Vertex | StageKind::Fragment) { From::Packed } else { From::Compute },
            unknown: None,
            driver_value: None,
            fields: vec![Field {
                name: Cow::Borrowed(DATA),
                lsb: 0,
                width: 32,
                value: Some(holds.mapped()),
                why: why.into(),
            }],
        })
    };
    (0..).zip(data.sgprs()).filter_map(register).collect()
}

/// The field of these registers.
pub const DATA: &str = "DATA";

fn why(holds: Holds, what: Option<&str>) -> String {
    let meaning = match holds {
        Holds::GlobalTable => "the driver's internal table",
        Holds::Workgroup { .. } => "address of the number of workgroups",
        Holds::Entry { .. } => what.unwrap_or("a dword of the root"),
        Holds::SpillTable => "address of dwords without a register",
        Holds::ViewId => "index of the view",
        Holds::VertexBufferTable => "address of the descriptors of vertex buffers",
        Holds::BaseVertex => "added to each index of a vertex",
        Holds::BaseInstance => "added to each index of an instance",
        Holds::DrawIndex => "number of the draw in an indirect draw",
    };
    format!("{}: {meaning}", holds.text())
}
