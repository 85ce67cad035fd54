//! A whole file: every part is read, defects are recorded, the rest is kept.

use super::container::{self, Container, FourCc, Part, md5};
use super::error::Fault;
use super::metadata::{self, Dx, Reflection};
use super::module::Module;
use super::parts::{self, CompilerVersion, DebugInfo, ProgramHeader, RootSignature, ShaderHash, Sources};
use super::psv::{self, Psv};
use super::rdat::{self, Rdat};
use super::signature::{self, Element};
use crate::findings::{self, Rule};

/// A program part: its header, its module, and its metadata.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Program {
    /// The part it was read from: `DXIL`, or `ILDB` where there is no other.
    pub part: FourCc,
    /// Its header.
    pub header: ProgramHeader,
    /// Its module.
    pub module: Module,
    /// The `dx.*` metadata.
    pub dx: Dx,
}

/// A DXIL container, or a program without one, read. Serialised as the file's bytes.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(try_from = "Vec<u8>", into = "Vec<u8>"))]
pub struct Dxil {
    file: Vec<u8>,
    /// Header and parts.
    pub container: Container,
    /// Faults, in the order in which they occurred.
    pub faults: Vec<Fault>,
    /// The program.
    pub program: Option<Program>,
    /// The program with debug information, where the file has it beside the other.
    pub debug: Option<Program>,
    /// Feature bits.
    pub features: Option<u64>,
    /// Registers that go in.
    pub input: Option<Vec<Element>>,
    /// Registers that come out.
    pub output: Option<Vec<Element>>,
    /// Patch constants, or outputs of each primitive.
    pub patch: Option<Vec<Element>>,
    /// Pipeline state validation.
    pub psv: Option<Psv>,
    /// Runtime data.
    pub rdat: Option<Rdat>,
    /// The hash that names the PDB: whether sources went into it, and its bytes.
    pub hash: Option<(bool, [u8; 16])>,
    /// The PDB's name.
    pub debug_name: Option<String>,
    /// The compiler of a library.
    pub compiler: Option<CompilerVersion>,
    /// The root signature.
    pub root_signature: Option<RootSignature>,
    /// Sources that a PDB keeps.
    pub sources: Option<Sources>,
    /// Contents of a newer PDB, including its sources.
    pub debug_info: Option<(DebugInfo, Sources)>,
    /// Resources and types that the reflection part names, where it can be read.
    pub reflection: Option<Reflection>,
}

impl TryFrom<Vec<u8>> for Dxil {
    type Error = Fault;

    fn try_from(file: Vec<u8>) -> Result<Self, Fault> {
        Dxil::read(file)
    }
}

impl From<Dxil> for Vec<u8> {
    fn from(dxil: Dxil) -> Self {
        dxil.file
    }
}

impl Dxil {
    /// Reads a file.
    ///
    /// Errors: what makes the container unreadable as a whole. What is broken inside one part is in
    /// [`Dxil::faults`], and the other parts are read.
    pub fn read(file: Vec<u8>) -> Result<Dxil, Fault> {
        if file.starts_with(&super::bitcode::MAGIC) {
            return Dxil::read_bare(file);
        }
        let mut faults = Vec::new();
        let container = container::read(&file, &mut faults)?;
        let mut out = Dxil::of(file, container, faults);
        out.read_parts();
        Ok(out)
    }

    /// A file of which only the container is read.
    pub(super) fn of(file: Vec<u8>, container: Container, faults: Vec<Fault>) -> Dxil {
        Dxil {
            file,
            container,
            faults,
            program: None,
            debug: None,
            features: None,
            input: None,
            output: None,
            patch: None,
            psv: None,
            rdat: None,
            hash: None,
            debug_name: None,
            compiler: None,
            root_signature: None,
            sources: None,
            debug_info: None,
            reflection: None,
        }
    }

    /// The file's bytes.
    pub fn file(&self) -> &[u8] {
        &self.file
    }

    /// Whether the program is bytecode of shader model 5 or before.
    pub fn is_old_bytecode(&self) -> bool {
        self.program.is_none() && (self.container.part(b"SHEX").is_some() || self.container.part(b"SHDR").is_some())
    }

    /// The bitcode of a program.
    pub fn bitcode(&self, program: &Program) -> &[u8] {
        let start = program.header.bitcode as usize;
        self.file.get(start..start.saturating_add(program.header.size as usize)).unwrap_or_default()
    }

    /// Whether nothing that was read is broken so that a converter should not see it.
    pub fn is_sound(&self) -> bool {
        self.faults.iter().all(|fault| fault.rule.severity != findings::Severity::Error)
    }

    /// Whether all of the reflection part can be read, beside the metadata that [`Dxil::reflection`] is read from. A
    /// converter decodes the whole module.
    pub fn has_whole_reflection(&self) -> bool {
        let is_whole = |part: &Part| {
            let mut faults = Vec::new();
            let data = self.container.data(&self.file, part, findings::BITCODE_RANGE);
            let module = parts::program(data, &mut faults)
                .and_then(|(_, bitcode)| Module::parse(bitcode.all(), bitcode.place(0)));
            module.is_ok_and(|module| !module.attributes.has_open_text())
                && faults.iter().all(|fault| fault.rule.severity != findings::Severity::Error)
        };
        self.reflection.is_some() && self.container.parts.iter().filter(|part| part.name.0 == *b"STAT").all(is_whole)
    }

    fn read_parts(&mut self) {
        let file = std::mem::take(&mut self.file);
        let parts = std::mem::take(&mut self.container.parts);
        // Beside bytecode STAT is a table of counts; beside DXIL it is a module with the reflection.
        let has_bytecode = parts.iter().any(|part| matches!(&part.name.0, b"SHEX" | b"SHDR"));
        let names: &[&[u8; 4]] = if has_bytecode { &[b"DXIL", b"ILDB"] } else { &[b"DXIL", b"ILDB", b"STAT"] };
        for name in names {
            if let Some(part) = parts.iter().find(|part| part.name.0 == **name) {
                let mut faults = Vec::new();
                if let Err(fault) = self.read_program(&file, part, &mut faults) {
                    faults.push(fault);
                }
                self.faults.extend(faults.into_iter().map(|fault| fault.within(part.name)));
            }
        }
        for part in &parts {
            self.read_part(&file, part);
        }
        (self.file, self.container.parts) = (file, parts);
        self.note_hash();
        self.note_alignment();
        if self.program.is_none() && !self.faults.iter().any(|fault| fault.part.is_some_and(|p| p.0 == *b"DXIL")) {
            let found: Vec<String> = self.container.parts.iter().map(|part| part.name.to_string()).collect();
            let found = found.join(", ");
            let fault = if self.is_old_bytecode() {
                let message = format!("old DXBC shader (shader model 5 or earlier), not DXIL; parts: {found}");
                Fault::at_byte(findings::OLD_BYTECODE, 0, message)
            } else {
                Fault::at_byte(findings::NO_PROGRAM, 0, format!("no program in this container (parts: {found})"))
            };
            self.faults.push(fault);
        }
    }

    /// Reads a program part. `Err` is what makes it unreadable; what is broken in it beside that is added to `faults`.
    fn read_program(&mut self, file: &[u8], part: &Part, faults: &mut Vec<Fault>) -> Result<(), Fault> {
        let data = self.container.data(file, part, findings::BITCODE_RANGE);
        let (header, bitcode) = parts::program(data, faults)?;
        if part.name.0 == *b"STAT" {
            let module = Module::parse_metadata(bitcode.all(), bitcode.place(0))?;
            note_newer_blocks(&module, &header, faults);
            self.reflection = Some(metadata::reflection(&module, faults));
            return Ok(());
        }
        let module = Module::parse(bitcode.all(), bitcode.place(0))?;
        let dx = metadata::read(&module, faults);
        note_newer_blocks(&module, &header, faults);
        let program = Program { part: part.name, header, module, dx };
        if self.program.is_none() {
            self.program = Some(program);
        } else {
            self.debug = Some(program);
        }
        Ok(())
    }

    fn read_part(&mut self, file: &[u8], part: &Part) {
        let data = |rule: &'static Rule| self.container.data(file, part, rule);
        let kind = self.program.as_ref().map_or(16, |program| program.header.kind);
        let mut faults = Vec::new();
        let small = findings::SMALL_PART_SIZE;
        /// Keeps what was read; what is broken becomes a fault.
        macro_rules! keep {
            ($field:ident, $read:expr) => {
                match $read {
                    Ok(value) => self.$field = Some(value),
                    Err(fault) => faults.push(fault),
                }
            };
        }
        match &part.name.0 {
            b"SFI0" => keep!(features, parts::features(data(small))),
            b"ISG1" | b"ISGN" => keep!(input, signature::read(data(findings::BAD_SIGNATURE), part.name)),
            b"OSG1" | b"OSG5" | b"OSGN" => keep!(output, signature::read(data(findings::BAD_SIGNATURE), part.name)),
            b"PSG1" | b"PCSG" => keep!(patch, signature::read(data(findings::BAD_SIGNATURE), part.name)),
            b"PSV0" => keep!(psv, psv::read(data(findings::BAD_PSV), kind)),
            b"RDAT" => keep!(rdat, rdat::read(data(findings::BAD_RDAT), &mut faults)),
            b"HASH" => keep!(hash, parts::hash(data(small))),
            b"ILDN" => keep!(debug_name, parts::debug_name(data(small))),
            b"VERS" => keep!(compiler, parts::compiler(data(small))),
            b"RTS0" => keep!(root_signature, parts::root_signature(data(findings::BAD_ROOT_SIGNATURE))),
            b"SRCI" => keep!(sources, parts::sources(data(findings::BAD_SOURCES))),
            b"PDBI" => keep!(debug_info, parts::debug_info(data(findings::BAD_SOURCES), &mut faults)),
            _ => {}
        }
        self.faults.extend(faults.into_iter().map(|fault| fault.within(part.name)));
    }

    /// The hash of a HASH part, compared with the bitcode that it may be of.
    pub fn shader_hash(&self) -> Option<ShaderHash> {
        let (includes_source, stored) = self.hash?;
        let mut programs = [&self.debug, &self.program].into_iter().flatten();
        let matches = programs.any(|program| md5(self.bitcode(program)) == stored);
        Some(ShaderHash { md5: super::hex(&stored), includes_source, matches })
    }

    fn note_hash(&mut self) {
        if self.container.digest.state == container::DigestState::Valid {
            return;
        }
        let message = format!(
            "the digest is {}: {} stored, {} computed",
            self.container.digest.state,
            super::hex(&self.container.digest.stored),
            super::hex(&self.container.digest.computed)
        );
        self.faults.push(Fault::at_byte(findings::DIGEST, 4, message));
    }

    /// From validator 1.7 on, sizes are multiples of 4, but for PRIV.
    fn note_alignment(&mut self) {
        let validator = self.program.as_ref().map(|program| program.dx.validator.unwrap_or((1, 0)));
        if validator.is_none_or(|validator| validator < (1, 7)) {
            return;
        }
        for part in &self.container.parts {
            if !part.size.is_multiple_of(4) && part.name.0 != *b"PRIV" {
                let message = format!("unaligned part: {} bytes", part.size);
                let fault = Fault::at_byte(findings::UNALIGNED_PART, u64::from(part.offset) + 4, message);
                self.faults.push(fault.within(part.name));
            }
        }
    }
}

/// Notes blocks that the program's LLVM does not have.
pub(super) fn note_newer_blocks(module: &Module, header: &ProgramHeader, faults: &mut Vec<Fault>) {
    for id in &module.unknown_blocks {
        let message = format!("produced by a newer LLVM: block {id}");
        faults.push(Fault::at_byte(findings::NEWER_LLVM, header.bitcode, message));
    }
}
