//! AMD code objects: ELF files with the machine code of a pipeline and what a driver needs beside it, as LLPC, LLVM and
//! Mesa write them (amdpal, amdhsa and mesa3d ABI).
//!
//! ```text
//! bytes ──elf──▶ header, sections, symbols
//!         notes──▶ MessagePack tree ──metadata──▶ pipelines: shaders, hardware stages, user data, semantics
//!                  pairs            ──registers─▶ registers by field, where the chip has a table
//! object, registers of the model ───predicted─▶ what agrees, and what differs
//! object, guessed layout ──guessed──▶ new places ──repack──▶ the object with another mapping; remapped: the bytes that change
//! ```
//!
//! An object is untrusted: what is read of it is limited by its size and by fixed limits, and a part that cannot be read is
//! a finding. What is not understood is kept: unknown keys are in the tree, unknown registers have their number only.
//!
//! Facts are those of LLVM's AMDGPUUsage, of PAL's pipeline ABI (metadata 2.x and 3.x) and of LLPC's writer.
//!
//! ```
//! use lanescope_codeobject::CodeObject;
//!
//! let why = CodeObject::read("a.elf", b"\x7fELF").expect_err("ends after the magic");
//! assert_eq!(why.to_string(), "ELF header is damaged: expected 64 bytes, found 4");
//! ```

#![forbid(unsafe_code)]

mod chip;
mod compare;
mod elf;
mod findings;
mod guessed;
mod metadata;
mod notes;
mod predicted;
mod registers;
mod remapped;
mod repack;
mod root_layout;
mod semantics;
mod tables;
mod user_data;
mod value;

use lanescope_base::ids::{Bytes, Hash64, hash};
use lanescope_passes::findings::Finding;
use schemars::JsonSchema;
use serde::Serialize;

pub use compare::{Comparison, Difference, Part, Section as ComparedSection, compare};
pub use elf::{Abi, Header, NotAnObject, Section, Symbol};
pub use guessed::{NotGuessed, guessed_places};
pub use lanescope_base::files::is_code_object;
pub use metadata::{HardwareStage, Pipeline, Shader, Stage};
pub use notes::{Content, Note, NoteField};
pub use predicted::{Cause, Counts, FieldResult, PlaceResult, Predicted, Prediction, Side, Verdict};
pub use registers::{Form, Register, RegisterField};
pub use remapped::{MetadataChange, falls, growth, metadata_changes, metadata_table};
pub use repack::{Layout, Refused, Repacked, repack};
pub use root_layout::{NoPlace, places};
pub use semantics::Semantic;
pub use tables::{
    comparison_table, form_text, pipeline_table, registers_table, remap_table, sections_table, semantics_table,
    shaders_table, stages_table, symbols_table, user_data_table,
};
pub use user_data::{Holds, UserData, UserSgpr};
pub use value::{Malformed, Value};

use findings::Findings;

/// A code object.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct CodeObject {
    /// The size of the file.
    pub bytes: Bytes,
    /// XXH3 of the file.
    pub hash: Hash64,
    /// What the ELF header says.
    pub header: Header,
    /// The sections, without the null section.
    pub sections: Vec<Section>,
    /// The symbols, without the null symbol.
    pub symbols: Vec<Symbol>,
    /// The notes.
    pub notes: Vec<Note>,
    /// The pipelines of PAL metadata: one, or none.
    pub pipelines: Vec<Pipeline>,
    /// Register values, in the order of the file.
    pub registers: Vec<Register>,
    /// What is damaged, and which rules are broken.
    pub findings: Vec<Finding>,
}

impl CodeObject {
    /// Reads a code object. `name` is what findings call the file.
    ///
    /// # Errors
    /// Bytes that are not a 64-bit little-endian ELF file for AMD GPUs with a whole header.
    pub fn read(name: &str, bytes: &[u8]) -> Result<CodeObject, NotAnObject> {
        let mut findings = Findings::of(name);
        let elf::Contents { header, sections, symbols, notes, config } = elf::read(bytes, &mut findings)?;
        let notes = notes::read(&notes, bytes, &mut findings);
        let known = registers::Known::of(header.target);
        let mut registers = Vec::new();
        let mut pipelines = Vec::new();
        for note in &notes {
            match &note.content {
                Content::Metadata { tree } => {
                    let place = note.place();
                    let roots = metadata::pipelines(tree, &place, &mut findings);
                    for (root, place) in roots {
                        registers.extend(known.in_pipeline(root, &place, &mut findings));
                        pipelines.push(Pipeline::of(root, &place, &header, &symbols, &mut findings));
                    }
                }
                Content::Pairs { pairs } => registers.extend(known.in_pairs(pairs, Form::Pairs)),
                _ => {}
            }
        }
        if let Some(config) = config {
            registers.extend(known.in_config(config, &mut findings));
        }
        let hash = hash(bytes);
        let bytes = Bytes(bytes.len() as u64);
        let findings = findings.done();
        Ok(CodeObject { bytes, hash, header, sections, symbols, notes, pipelines, registers, findings })
    }

    /// What is known of the chip, in words: `gfx1030 (Navi 21)`, `chip 0xff`.
    pub fn chip(&self) -> String {
        match (&self.header.chip, self.header.target) {
            (Some(chip), Some(target)) => format!("{chip} ({})", target.info().about),
            (Some(chip), None) => chip.clone(),
            (None, _) => format!("chip {:#x}", self.header.flags.0 & u64::from(chip::MASK)),
        }
    }
}
