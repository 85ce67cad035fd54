//! A whole file: every part is read, defects are recorded, the rest is kept.

use super::bytecode::Bytecode;
use super::bytes::Bytes;
use super::container::{self, Container, DigestState, FourCc, Part, md5};
use super::error::Fault;
use super::metadata::{self, Dx, EntryPoint, Reflection};
use super::module::Module;
use super::names;
use super::ops::Tables;
use super::parts::{self, CompilerVersion, DebugInfo, ProgramHeader, RootSignature, ShaderHash, Sources};
use super::pdb::{self, Pdb};
use super::psv::{self, Psv};
use super::rdat::{self, Rdat};
use super::signature::{self, Element};
use crate::findings::{self, Rule};

/// The kind of a library.
const LIBRARY: u32 = 6;
/// The kind of a program that cannot be read.
const NO_KIND: u32 = 16;

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
    /// The number of the program's kind in its header, also where the program itself cannot be read.
    pub(crate) kind: Option<u32>,
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
    /// The PDB that the container was in, where the file is one.
    pub pdb: Option<Pdb>,
    /// The container of the PDB in PRIV (`dxc -Qpdb_in_private`).
    pub private: Option<Box<Dxil>>,
    /// The whole file, where that is a PDB.
    outer: Option<Vec<u8>>,
    /// The op tables that its calls are read with.
    tables: Tables,
    /// The root signature that the pipeline gives it.
    given_root: Option<GivenRoot>,
}

/// A root signature that is not in the container.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct GivenRoot {
    /// Where it is.
    pub from: String,
    /// It, serialised.
    bytes: Vec<u8>,
    pub root: RootSignature,
}

impl TryFrom<Vec<u8>> for Dxil {
    type Error = Fault;

    /// Reads a file that was serialised: the op tables that it is read with stand before it.
    fn try_from(file: Vec<u8>) -> Result<Self, Fault> {
        if let Some((from, root, file)) = stored_root(&file) {
            let dxil = Dxil::try_from(file.to_vec())?;
            return dxil.with_root_signature(from, root).map_err(|why| Fault::at_byte(findings::MAGIC, 0, why));
        }
        let Some((text, start)) = stored_tables(&file) else { return Dxil::read(file) };
        let tables = Tables::from_json(text).map_err(|why| Fault::at_byte(findings::MAGIC, 0, why))?;
        Ok(Dxil::read(file.get(start..).unwrap_or_default().to_vec())?.with_tables(tables))
    }
}

impl From<Dxil> for Vec<u8> {
    fn from(dxil: Dxil) -> Self {
        let tables = dxil.tables.to_json();
        let mut file = dxil.outer.unwrap_or(dxil.file);
        let length = |bytes: &[u8]| (bytes.len() as u64).to_le_bytes();
        if let Some(tables) = tables {
            file = [WITH_TABLES, &length(tables.as_bytes()), tables.as_bytes(), &file].concat();
        }
        if let Some(GivenRoot { from, bytes, .. }) = dxil.given_root {
            let (from, before) = (from.as_bytes(), [length(from.as_bytes()), length(&bytes)]);
            file = [WITH_ROOT, before.as_flattened(), from, &bytes, &file].concat();
        }
        file
    }
}

/// Reads a root signature from the bytes that D3D12 serialises: a container with the part RTS0, or that part alone.
///
/// # Errors
/// What is not as the format says, and where.
pub fn root_signature(bytes: &[u8]) -> Result<RootSignature, String> {
    if !bytes.starts_with(b"DXBC") {
        return RootSignature::parse(bytes).map_err(|fault| fault.to_string());
    }
    let dxil = Dxil::read(bytes.to_vec()).map_err(|fault| fault.to_string())?;
    dxil.root_signature.ok_or_else(|| "its container has no root signature".to_owned())
}

/// What a file starts with that is serialised with the root signature of its pipeline: the lengths of its place and of
/// itself follow in 8 bytes each, then both.
const WITH_ROOT: &[u8] = b"lanescope root signature\0";

/// The place of the root signature before a file, it, and the file.
fn stored_root(file: &[u8]) -> Option<(&str, &[u8], &[u8])> {
    let (lengths, rest) = file.strip_prefix(WITH_ROOT)?.split_first_chunk::<16>()?;
    let length = |at: usize| usize::try_from(u64::from_le_bytes(lengths[at..at + 8].try_into().ok()?)).ok();
    let (from, rest) = rest.split_at_checked(length(0)?)?;
    let (root, file) = rest.split_at_checked(length(8)?)?;
    Some((std::str::from_utf8(from).ok()?, root, file))
}

/// What a file starts with that is serialised with op tables: their length follows in 8 bytes, and their text.
const WITH_TABLES: &[u8] = b"lanescope op tables\0";

/// The text of the tables before a file, and where the file starts.
fn stored_tables(file: &[u8]) -> Option<(&str, usize)> {
    let (length, rest) = file.strip_prefix(WITH_TABLES)?.split_first_chunk::<8>()?;
    let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
    let text = std::str::from_utf8(rest.get(..length)?).ok()?;
    Some((text, file.len() - rest.len() + length))
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
        if file.starts_with(&pdb::MAGIC) {
            return Dxil::read_pdb(file);
        }
        let mut out = Dxil::read_container(file, None)?;
        out.read_private();
        Ok(out)
    }

    /// The same file with its calls read with other op tables than those of the program itself.
    #[must_use]
    pub fn with_tables(mut self, tables: Tables) -> Dxil {
        self.tables = tables;
        for program in [&mut self.program, &mut self.debug].into_iter().flatten() {
            program.module.tables = tables;
        }
        self.private = self.private.map(|private| Box::new(private.with_tables(tables)));
        self
    }

    /// The same file in a pipeline that gives it a root signature: serialised, or in a container. `from` says where that is.
    /// It is used instead of the container's own (D3D12, `D3D12_GRAPHICS_PIPELINE_STATE_DESC`).
    ///
    /// # Errors
    /// What is not as the format says, and where.
    pub fn with_root_signature(mut self, from: &str, bytes: &[u8]) -> Result<Dxil, String> {
        let root = root_signature(bytes)?;
        self.given_root = Some(GivenRoot { from: from.to_owned(), bytes: bytes.to_vec(), root });
        Ok(self)
    }

    /// The root signature that applies: the pipeline's, else that of the container.
    pub fn applied_root_signature(&self) -> Option<&RootSignature> {
        self.given_root.as_ref().map(|given| &given.root).or(self.root_signature.as_ref())
    }

    /// Where the root signature of the pipeline is, where that is the one which applies.
    pub fn root_signature_from(&self) -> Option<&str> {
        self.given_root.as_ref().map(|given| given.from.as_str())
    }

    /// The op tables that its calls are read with.
    pub fn tables(&self) -> Tables {
        self.tables
    }

    fn read_pdb(file: Vec<u8>) -> Result<Dxil, Fault> {
        let (pdb, container) = pdb::read(pdb::bytes(&file, 0))?;
        let mut out = Dxil::read_container(container, Some(pdb))?;
        out.outer = Some(file);
        Ok(out)
    }

    /// The PDB in PRIV: the part's name and its bytes. Other bytes there are nobody's but the author's.
    fn private_pdb(&self) -> Option<(FourCc, Bytes<'_>)> {
        let part = self.container.part(b"PRIV")?;
        let data = self.container.data(&self.file, part, findings::BAD_PDB);
        data.all().starts_with(&pdb::MAGIC).then_some((part.name, data))
    }

    /// Whether PRIV holds a PDB, of this shader or not.
    pub(crate) fn has_private_pdb(&self) -> bool {
        self.private_pdb().is_some()
    }

    fn read_private(&mut self) {
        let Some((name, data)) = self.private_pdb() else { return };
        match pdb::read(data).and_then(|(pdb, container)| Dxil::read_container(container, Some(pdb))) {
            Ok(inner) => {
                if let Some((own, other)) = self.other_hash(&inner) {
                    let message = format!("the PDB is of the shader with the hash {other}; this one has {own}");
                    self.faults.push(Fault::at_byte(findings::OTHER_PDB, data.place(0), message).within(name));
                    return;
                }
                let broken = inner.faults.iter().filter(|fault| fault.rule.severity == findings::Severity::Error);
                let broken = broken.map(|fault| {
                    let message = format!("the container of its PDB: {fault}");
                    Fault::at_byte(findings::BAD_PDB, data.place(0), message).within(name)
                });
                self.faults.extend(broken.collect::<Vec<_>>());
                self.private = Some(Box::new(inner));
            }
            Err(fault) => self.faults.push(fault.within(name)),
        }
    }

    /// The hashes of the shader and of its PDB, where both have one and they differ.
    fn other_hash(&self, inner: &Dxil) -> Option<(String, String)> {
        let of_part = |dxil: &Dxil| dxil.hash.map(|(_, hash)| super::hex(&hash));
        let named = || Some(inner.pdb.as_ref()?.hash.clone()).filter(|hash| !hash.is_empty());
        let (own, other) = (of_part(self)?, of_part(inner).or_else(named)?);
        (own != other).then_some((own, other))
    }

    fn read_container(file: Vec<u8>, pdb: Option<Pdb>) -> Result<Dxil, Fault> {
        let mut faults = Vec::new();
        let container = container::read(&file, &mut faults)?;
        let mut out = Dxil::of(file, container, faults);
        out.pdb = pdb;
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
            kind: None,
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
            given_root: None,
            sources: None,
            debug_info: None,
            reflection: None,
            pdb: None,
            private: None,
            outer: None,
            tables: Tables::bundled(),
        }
    }

    /// The container's bytes, from which offsets count: the file's, or those in the stream of a PDB.
    pub fn file(&self) -> &[u8] {
        &self.file
    }

    /// Whether the program is a library, with any number of entry points.
    pub fn is_library(&self) -> bool {
        self.program.as_ref().is_some_and(|program| program.header.kind == LIBRARY)
    }

    /// The name of an entry point of the program, as the source has it.
    pub fn entry_name<'e>(&'e self, entry: &'e EntryPoint) -> &'e str {
        let function = entry.function.as_deref().unwrap_or(&entry.name);
        let rdat = self.rdat.as_ref().and_then(|rdat| rdat.functions.iter().find(|other| other.name == function));
        rdat.map_or(&entry.name, |rdat| &rdat.unmangled)
    }

    /// Whether the program is bytecode of shader model 5 or before.
    pub fn is_old_bytecode(&self) -> bool {
        self.program.is_none() && (self.container.part(b"SHEX").is_some() || self.container.part(b"SHDR").is_some())
    }

    /// Whether the container is the contents of a PDB, which no runtime loads: it has sources, and no program beside
    /// the one with debug information.
    pub fn is_of_pdb(&self) -> bool {
        let has = |name: &[u8; 4]| self.container.part(name).is_some();
        self.pdb.is_some() || ((has(b"SRCI") || has(b"PDBI")) && !has(b"DXIL"))
    }

    /// The program with debug information, where there is one beside the other: in the container, or in its PDB.
    pub fn debug_program(&self) -> Option<&Program> {
        let private = self.private.as_deref();
        let of_pdb = private.and_then(|private| private.debug.as_ref().or(private.program.as_ref()));
        self.debug.as_ref().or(of_pdb.filter(|program| program.part.0 == *b"ILDB"))
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
        self.kind = self.header_kind(&file, &parts);
        let kind = self.kind.unwrap_or(NO_KIND);
        let stage = match Bytecode::read(&parts, &file).filter(|_| self.program.is_none()) {
            Some(old) => old.kind,
            None => names::of(names::KIND, kind),
        };
        for part in &parts {
            self.read_part(&file, part, kind, &stage);
        }
        (self.file, self.container.parts) = (file, parts);
        self.note_hash();
        self.note_alignment();
        if self.program.is_none() && !self.faults.iter().any(|fault| fault.part.is_some_and(|p| p.0 == *b"DXIL")) {
            let found: Vec<String> = self.container.parts.iter().map(|part| part.name.to_string()).collect();
            let found = found.join(", ");
            let fault = if self.is_of_pdb() {
                let message = format!("the PDB has no program, only what belongs to one (parts: {found})");
                Fault::at_byte(findings::SLIM_PDB, 0, message)
            } else if self.is_old_bytecode() {
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

    /// The program's kind, as its header has it, also where the program cannot be read.
    fn header_kind(&self, file: &[u8], parts: &[Part]) -> Option<u32> {
        let of_part = |part| parts::program_kind(&self.container.data(file, part, findings::BITCODE_RANGE));
        let mut programs = parts.iter().filter(|part| matches!(&part.name.0, b"DXIL" | b"ILDB"));
        self.program.as_ref().map(|program| program.header.kind).or_else(|| programs.find_map(of_part))
    }

    /// Reads a part beside the program. `kind` is the program's kind, `stage` its name, or that of bytecode.
    fn read_part(&mut self, file: &[u8], part: &Part, kind: u32, stage: &str) {
        let data = |rule: &'static Rule| self.container.data(file, part, rule);
        let signature = || signature::read(data(findings::BAD_SIGNATURE), part.name, stage);
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
            b"ISG1" | b"ISGN" => keep!(input, signature()),
            b"OSG1" | b"OSG5" | b"OSGN" => keep!(output, signature()),
            b"PSG1" | b"PCSG" => keep!(patch, signature()),
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
        // The hash is of the program without debug information, unless sources went into it.
        let has_it = self.program.as_ref().is_some_and(|program| program.part.0 == *b"DXIL");
        let matches = (matches || has_it).then_some(matches);
        Some(ShaderHash { md5: super::hex(&stored), includes_source, matches })
    }

    fn note_hash(&mut self) {
        if self.container.digest.state == DigestState::Valid || self.is_of_pdb() {
            return;
        }
        let digest = &self.container.digest;
        let (state, stored) = (digest.state, super::hex(&digest.stored));
        let message = match state {
            DigestState::Debug => format!("the digest is debug: {stored}, the debug variant of the contents' hash"),
            _ => format!("the digest is {state}: {stored} stored, {} computed", super::hex(&digest.computed)),
        };
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
