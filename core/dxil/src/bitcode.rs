//! Bitcode without its container: a program alone, as `llvm-as` and a DXIL part's data from its bitcode on are.
//!
//! What a container says beside the program (signatures, PSV0, hashes) is absent. Shader model and kind are those of
//! the module's own metadata.

use super::container::{Container, Digest, FourCc};
use super::error::Fault;
use super::file::{Dxil, Program, note_newer_blocks};
use super::metadata::{self, ShaderModel};
use super::module::Module;
use super::parts::ProgramHeader;
use crate::findings;

/// Magic of LLVM bitcode.
pub const MAGIC: [u8; 4] = [b'B', b'C', 0xc0, 0xde];

impl Dxil {
    /// Whether the file is a program without a container.
    pub fn is_bare(&self) -> bool {
        self.file().starts_with(&MAGIC)
    }

    /// Reads bitcode that has no container.
    ///
    /// Errors: bitcode that cannot be read, or that has no `dx.shaderModel`, so that it is not DXIL.
    pub(super) fn read_bare(file: Vec<u8>) -> Result<Dxil, Fault> {
        let module = Module::parse(&file, 0)?;
        let mut faults = Vec::new();
        let dx = metadata::read(&module, &mut faults);
        let Some(ShaderModel { kind, major, minor }) = dx.model else {
            let message = "LLVM bitcode without a readable `dx.shaderModel`: it is not DXIL".to_owned();
            return Err(Fault::at_byte(findings::NO_PROGRAM, 0, message));
        };
        let size = u32::try_from(file.len()).unwrap_or(u32::MAX);
        let dxil = dx.version.unwrap_or((1, 0));
        let header = ProgramHeader { major, minor, kind, dxil, bitcode: 0, size };
        let container = Container { version: (1, 0), size: 0, digest: Digest::absent(), parts: Vec::new() };
        if module.defined().next().is_none() {
            let message = "no function has a body: the reflection of a program (a STAT part), not the program";
            faults.push(Fault::at_byte(findings::NO_PROGRAM, 0, message.to_owned()));
        }
        note_newer_blocks(&module, &header, &mut faults);
        let mut out = Dxil::of(file, container, faults);
        out.kind = Some(kind);
        out.program = Some(Program { part: FourCc(*b"DXIL"), header, module, dx });
        Ok(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    #[test]
    fn program_reads_the_same_with_and_without_container() {
        for name in ["lit_surface.ps.dxil", "lantern_rays.lib.dxil", "brick_wall.ms.dxil"] {
            let whole = testing::file(name);
            let program = whole.program.as_ref().expect("a program");
            let bare = Dxil::read(whole.bitcode(program).to_vec()).expect("reads");
            assert!(bare.is_bare() && !whole.is_bare() && bare.is_sound(), "{name}");
            let (bare_summary, summary) = (bare.summary(0), whole.summary(0));
            assert_eq!(bare_summary.shader_model, summary.shader_model, "{name}");
            assert_eq!(bare_summary.kind, summary.kind, "{name}");
            assert_eq!(bare_summary.entry_points, summary.entry_points, "{name}");
            assert!(bare.psv.is_none() && bare.input.is_none() && bare_summary.container.parts.is_empty(), "{name}");
        }
    }

    #[test]
    fn marks_reflection_only_bitcode() {
        let whole = testing::file("lit_surface.ps.dxil");
        let part = whole.container.part(b"STAT").expect("reflection");
        let data = &whole.file()[part.data_offset() as usize..][..part.size as usize];
        let bare = Dxil::read(data[24..].to_vec()).expect("reads");
        assert!(bare.faults.iter().any(|fault| fault.message.contains("STAT")));
    }

    #[test]
    fn rejects_bitcode_that_is_not_dxil() {
        let whole = testing::file("lit_surface.ps.dxil");
        let bitcode = whole.bitcode(whole.program.as_ref().expect("a program")).to_vec();
        for length in [4, 8, 40, bitcode.len() / 2] {
            assert!(Dxil::read(bitcode[..length].to_vec()).is_err(), "{length}");
        }
    }
}
