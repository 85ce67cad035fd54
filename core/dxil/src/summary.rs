//! The report's section about one container.

use super::container::{DigestState, FourCc};
use super::file::{Dxil, Program};
use super::metadata::{EntryPoint, Resource, TypeAnnotation};
use super::names::{self, Name};
use super::parts::{CompilerVersion, DebugInfo, RootSignature, ShaderHash, Sources};
use super::pdb::Pdb;
use super::psv::Psv;
use super::rdat::Rdat;
use super::root_places::{PlacedResource, placed};
use super::signature::Element;
use super::uses::{OpUse, TableUsed};
use lanescope_base::converted::{ConvertedEntry, DescriptorBinding};

/// One container: its parts and their contents.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Summary {
    /// Index of its file in the report's `inputs`.
    pub input: usize,
    /// The file is a program without a container: no parts, so no signatures, no pipeline state validation, no hash.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "std::ops::Not::not", default))]
    pub bare_bitcode: bool,
    /// The container; of bare bitcode empty.
    pub container: ContainerSummary,
    /// The program's shader model: `6.8`; absent without a program that can be read.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub shader_model: Option<String>,
    /// The program's kind: `pixel`, `library`.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub kind: Option<Name>,
    /// DXIL version: `1.8`.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub dxil_version: Option<String>,
    /// Version of the validator that it was compiled for.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub validator_version: Option<String>,
    /// The compiler, as the program names it.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub compiler: Option<String>,
    /// The compiler's version, from the library's VERS part.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub compiler_version: Option<CompilerVersion>,
    /// The hash that names the PDB.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub shader_hash: Option<ShaderHash>,
    /// The PDB's name.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub debug_name: Option<String>,
    /// Entry points, with their metadata.
    pub entry_points: Vec<EntryPoint>,
    /// The signature parts.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "SignatureParts::is_empty", default))]
    pub signatures: SignatureParts,
    /// Pipeline state validation.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub psv: Option<Psv>,
    /// Runtime data.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub rdat: Option<Rdat>,
    /// Resources.
    pub resources: Vec<Resource>,
    /// Features that the program needs, from its own part.
    pub features: Vec<Name>,
    /// The ops that the program calls, stable ones first, each with its calls.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty", default))]
    pub ops: Vec<OpUse>,
    /// The op tables that they are read with, if those are not the ones of this build.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub op_table: Option<TableUsed>,
    /// The program's shader flags, from its metadata.
    pub flags: Vec<Name>,
    /// The root signature.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub root_signature: Option<RootSignature>,
    /// Where it is, if the pipeline gives it: it applies instead of one in the container.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub root_signature_from: Option<String>,
    /// Where it has the resources that the shader declares.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty", default))]
    pub root_places: Vec<PlacedResource>,
    /// Structures, as the source has them.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty", default))]
    pub types: Vec<TypeAnnotation>,
    /// Sources.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub sources: Option<Sources>,
    /// The PDB that was read: the file itself, or the one in PRIV.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub pdb: Option<Pdb>,
    /// Information of a PDB about the program.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub debug_info: Option<DebugInfo>,
    /// Contents of the bitcode.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub module: Option<ModuleSummary>,
    /// Contents of the bitcode with debug information, if there is one besides the other.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub debug_module: Option<ModuleSummary>,
    /// Conversion results of the entry points.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty", default))]
    pub conversions: Vec<ConvertedEntry>,
    /// Mapping of the registers.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty", default))]
    pub bindings: Vec<DescriptorBinding>,
    /// Further containers of the same pipeline, in the order of the inputs.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty", default))]
    pub others: Vec<Summary>,
}

impl Summary {
    /// This container, and the others of its pipeline.
    pub fn all(&self) -> impl Iterator<Item = &Summary> {
        std::iter::once(self).chain(&self.others)
    }

    /// Makes lists of the columns that outputs can write of those that they never write, which earlier versions stored.
    pub fn list_written_columns(&mut self) {
        let signatures = &mut self.signatures;
        let written = |element: &mut Element| element.used = names::without(&element.mask, &element.used);
        signatures.output.iter_mut().for_each(written);
        match self.kind.as_deref() {
            Some("domain") => {}
            Some(_) => signatures.patch.iter_mut().for_each(written),
            // Whether a shader of an unknown kind reads its patch constants or writes them is not known.
            None => signatures.patch.iter_mut().for_each(|element| element.used = "".into()),
        }
        self.others.iter_mut().for_each(Summary::list_written_columns);
    }
}

/// Header and parts.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ContainerSummary {
    /// The digest as it is stored.
    pub hash: String,
    /// State of the digest.
    pub digest: DigestState,
    /// The digest that the contents have.
    pub computed_hash: String,
    /// Whether the digest marks a shader model that is not released.
    pub preview: bool,
    /// What D3D12 does with a container that has this digest.
    #[cfg_attr(feature = "serde", serde(default))]
    pub runtime: String,
    /// The container's size in bytes.
    pub bytes: u32,
    /// The parts, in the order of the table.
    pub parts: Vec<PartSummary>,
}

/// One part.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct PartSummary {
    /// Its name.
    pub fourcc: String,
    /// Offset of its header in the file.
    pub offset: u32,
    /// Size of its data in bytes; the header takes 8 more.
    pub bytes: u32,
    /// Contents, in a few words.
    pub about: String,
}

/// The signature parts. Absent ones are empty.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SignatureParts {
    /// Registers that go in.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty", default))]
    pub input: Vec<Element>,
    /// Registers that come out.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty", default))]
    pub output: Vec<Element>,
    /// Patch constants, or outputs of each primitive.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty", default))]
    pub patch: Vec<Element>,
}

impl SignatureParts {
    /// Whether no part has an element.
    pub fn is_empty(&self) -> bool {
        self.input.is_empty() && self.output.is_empty() && self.patch.is_empty()
    }
}

/// Counts of the contents of bitcode.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ModuleSummary {
    /// Bytes of bitcode.
    pub bytes: u32,
    /// Types.
    pub types: usize,
    /// Global variables.
    pub globals: usize,
    /// Functions that have a body.
    pub functions: usize,
    /// Functions that are declared only: ops and intrinsics.
    pub declarations: usize,
    /// Instructions of all functions.
    pub instructions: usize,
    /// Pieces of metadata of the module.
    pub metadata: usize,
    /// Instructions whose line in the source is known.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "is_zero", default))]
    pub located: usize,
}

/// Contents of parts, by name.
const ABOUT: &[(&[u8; 4], &str)] = &[
    (b"SFI0", "feature bits"),
    (b"ISG1", "input signature"),
    (b"OSG1", "output signature"),
    (b"PSG1", "patch constant or primitive signature"),
    (b"PSV0", "pipeline state validation"),
    (b"RDAT", "runtime data"),
    (b"VERS", "compiler version"),
    (b"STAT", "reflection"),
    (b"HASH", "hash of the bitcode"),
    (b"ILDN", "name of the PDB"),
    (b"ILDB", "program with debug information"),
    (b"DXIL", "program"),
    (b"RTS0", "root signature"),
    (b"SRCI", "sources"),
    (b"PDBI", "debug information of a PDB"),
    (b"PRIV", "private data"),
    (b"RDEF", "resource definitions"),
    (b"SHEX", "bytecode of shader model 5"),
    (b"SHDR", "bytecode of shader model 4"),
    (b"ISGN", "input signature of shader model 5"),
    (b"OSGN", "output signature of shader model 5"),
    (b"OSG5", "output signature of shader model 5"),
    (b"PCSG", "patch constants of shader model 5"),
];

/// Contents of a part by name; empty for an unknown name.
fn about(part: FourCc) -> &'static str {
    ABOUT.iter().find(|(name, _)| **name == part.0).map_or("", |(_, about)| about)
}

impl Dxil {
    /// The report's section.
    pub fn summary(&self, input: usize) -> Summary {
        let digest = &self.container.digest;
        let parts = self.container.parts.iter().map(|part| PartSummary {
            fourcc: part.name.to_string(),
            offset: part.offset,
            bytes: part.size,
            about: match &part.name.0 {
                b"STAT" if self.is_old_bytecode() => "statistics of shader model 5".to_owned(),
                b"PRIV" if self.has_private_pdb() => "private data: a PDB".to_owned(),
                _ => about(part.name).to_owned(),
            },
        });
        let program = self.program.as_ref();
        let dotted = |(major, minor): (u32, u32)| format!("{major}.{minor}");
        let dx = program.map(|program| &program.dx);
        let old = self.bytecode();
        let reflected = self.reflection.as_ref().map(|reflection| &reflection.types);
        let private = self.private.as_deref();
        let debug_info = self.debug_info.as_ref().or(private.and_then(|private| private.debug_info.as_ref()));
        let types = reflected.filter(|types| !types.is_empty()).or(dx.map(|dx| &dx.types));
        Summary {
            input,
            bare_bitcode: self.is_bare(),
            container: ContainerSummary {
                hash: super::hex(&digest.stored),
                digest: digest.state,
                computed_hash: super::hex(&digest.computed),
                preview: digest.state == DigestState::Preview,
                runtime: digest.state.accepted(self.is_preview()).to_owned(),
                bytes: self.container.size,
                parts: parts.collect(),
            },
            shader_model: program.map(|program| program.header.model()).or(old.as_ref().map(|old| old.model.clone())),
            kind: old.map(|old| old.kind).or(self.kind.map(|kind| names::of(names::KIND, kind))),
            dxil_version: dx.and_then(|dx| dx.version).map(dotted),
            validator_version: dx.and_then(|dx| dx.validator).map(dotted),
            compiler: dx.and_then(|dx| dx.compiler.clone()),
            compiler_version: self.compiler.clone(),
            shader_hash: self.shader_hash(),
            debug_name: self.debug_name.clone(),
            entry_points: dx.map(|dx| dx.entries.clone()).unwrap_or_default(),
            signatures: SignatureParts {
                input: self.input.clone().unwrap_or_default(),
                output: self.output.clone().unwrap_or_default(),
                patch: self.patch.clone().unwrap_or_default(),
            },
            psv: self.psv.as_ref().map(Psv::described),
            rdat: self.rdat.clone(),
            resources: self.resources(),
            features: names::of_bits(names::FEATURES, self.features.unwrap_or(0)).0,
            ops: self.ops(input).uses,
            op_table: TableUsed::of(self.tables()),
            flags: names::shader_flags(dx.map_or(0, |dx| dx.flags)),
            root_signature: self.applied_root_signature().cloned(),
            root_signature_from: self.root_signature_from().map(str::to_owned),
            root_places: self
                .applied_root_signature()
                .zip(self.psv.as_ref())
                .map_or_else(Vec::new, |(r, p)| placed(r, p)),
            types: types.cloned().unwrap_or_default(),
            sources: self.source_list(),
            pdb: self.pdb.as_ref().or(private.and_then(|private| private.pdb.as_ref())).cloned(),
            debug_info: debug_info.map(|(info, _)| info.clone()),
            module: program.map(module_summary),
            debug_module: self.debug_program().map(module_summary),
            conversions: Vec::new(),
            bindings: Vec::new(),
            others: Vec::new(),
        }
    }

    /// The program's resources. Their names are taken out of released programs; reflection still has them.
    pub fn resources(&self) -> Vec<Resource> {
        let mut out = self.program.as_ref().map(|program| program.dx.resources.0.clone()).unwrap_or_default();
        let reflected = self.reflection.as_ref().map(|reflection| &reflection.resources);
        let named = reflected.into_iter().chain(self.debug_program().map(|debug| &debug.dx.resources));
        for resources in named {
            for resource in out.iter_mut().filter(|resource| resource.name.is_empty()) {
                if let Some(other) = resources.get(&resource.class, resource.id) {
                    resource.name.clone_from(&other.name);
                }
            }
        }
        out
    }
}

#[cfg(feature = "serde")]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

fn module_summary(program: &Program) -> ModuleSummary {
    let module = &program.module;
    let functions = module.defined().count();
    let instructions = || module.defined().flat_map(|(_, body)| &body.instructions);
    ModuleSummary {
        bytes: program.header.size,
        types: module.types.all().len(),
        globals: module.globals.len(),
        functions,
        declarations: module.functions.len() - functions,
        instructions: instructions().count(),
        metadata: module.metadata.len(),
        located: instructions().filter(|instruction| instruction.location.is_some()).count(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    /// A file whose programs cannot be read, though their headers can.
    fn without_bitcode(mut file: Vec<u8>) -> Dxil {
        for at in 0..file.len() {
            if file[at..].starts_with(&crate::bitcode::MAGIC) {
                file[at..at + 4].fill(0);
            }
        }
        Dxil::read(file).expect("the container is well formed")
    }

    #[test]
    fn a_kind_is_read_without_its_program() {
        for (name, kind) in [("tessellated_patch.ds.dxil", "domain"), ("brick_wall.ms.dxil", "mesh")] {
            let whole = testing::file(name);
            let broken = without_bitcode(whole.clone().into());
            assert!(broken.program.is_none() && broken.faults.len() > whole.faults.len());
            let (whole, broken) = (whole.summary(0), broken.summary(0));
            assert_eq!((broken.kind.as_deref(), &broken.signatures), (Some(kind), &whole.signatures));
            let bare = testing::file(name);
            let bare = bare.bitcode(bare.program.as_ref().expect("a program")).to_vec();
            assert_eq!(Dxil::read(bare).expect("reads").summary(0).kind.as_deref(), Some(kind));
        }
    }

    /// What earlier versions stored of outputs is turned into what is stored now; of patch constants, nothing is said
    /// where it is not known which side they are of.
    #[test]
    fn columns_that_are_never_written_become_those_that_can_be() {
        for name in ["tessellated_patch.ds.dxil", "brick_wall.ms.dxil", "lit_surface.vs.dxil"] {
            let new = testing::file(name).summary(0);
            let is_read = new.kind.as_deref() == Some("domain");
            let mut old = new.clone();
            let signatures = &mut old.signatures;
            let patch = signatures.patch.iter_mut().filter(|_| !is_read);
            for element in signatures.output.iter_mut().chain(patch) {
                element.used = names::without(&element.mask, &element.used);
            }
            assert_ne!(old, new, "{name}");
            let mut unknown = Summary { kind: None, ..old.clone() };
            old.list_written_columns();
            assert_eq!(old, new, "{name}");
            unknown.list_written_columns();
            assert_eq!(unknown.signatures.output, new.signatures.output, "{name}");
            assert!(unknown.signatures.patch.iter().all(|element| element.used.is_empty()), "{name}");
        }
    }
}
