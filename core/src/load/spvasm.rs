//! SPIR-V assembly text, by SPIRV-Tools: in, and out again for reading.

use std::path::Path;

use spirv_tools::TargetEnv;
use spirv_tools::assembler::{self, Assembler, AssemblerOptions, DisassembleOptions};

use super::Loaded;
use super::error::Problem;
use crate::spirv::Module;

pub(super) fn load(_path: &Path, bytes: Vec<u8>) -> Result<Loaded, Problem> {
    let text = String::from_utf8(bytes).map_err(|e| Problem::NotUtf8 { offset: e.utf8_error().valid_up_to() })?;
    let env = declared_version(&text);
    let binary = assembler::create(Some(env))
        .assemble(&text, AssemblerOptions { preserve_numeric_ids: true })
        .map_err(|error| {
            let message = super::validate::message_of(&error);
            let at = error.diagnostic.map_or((0, 0), |d| (d.line, d.column));
            Problem::Assembly { line: at.0 + 1, column: at.1 + 1, message }
        })?;
    Ok(Loaded::Module { words: binary.as_words().to_vec(), source: Some(text), includes: Vec::new() })
}

/// The environment whose SPIR-V version a `; Version: 1.N` comment names; 1.6 without one.
fn declared_version(text: &str) -> TargetEnv {
    let comment = text.lines().take_while(|line| line.starts_with(';')).find_map(|l| l.strip_prefix("; Version: "));
    match comment.map(str::trim) {
        Some("1.0") => TargetEnv::Universal_1_0,
        Some("1.1") => TargetEnv::Universal_1_1,
        Some("1.2") => TargetEnv::Universal_1_2,
        Some("1.3") => TargetEnv::Universal_1_3,
        Some("1.4") => TargetEnv::Universal_1_4,
        Some("1.5") => TargetEnv::Universal_1_5,
        _ => TargetEnv::Universal_1_6,
    }
}

/// The module as text: no header, one line an instruction (but for strings that hold line breaks), friendly names.
///
/// Fails with SPIRV-Tools' message where the module was changed into something it cannot read.
pub fn disassemble(module: &Module) -> Result<String, String> {
    let options = DisassembleOptions {
        print: false,
        color: false,
        indent: true,
        show_byte_offset: false,
        no_header: true,
        use_friendly_names: true,
        comment: false,
    };
    assembler::create(Some(TargetEnv::Universal_1_6))
        .disassemble(module.words(), options)
        .map_err(|error| super::validate::message_of(&error))
        .map(Option::unwrap_or_default)
}
