//! Reader of `dx.*` metadata: versions, shader model, entry points, resources, annotations.

mod annotations;
mod cursor;
mod entry;
mod node;
mod resource;

pub use annotations::{Field, TypeAnnotation};
pub use entry::{Domain, EntryPoint, Geometry, Hull, Mesh, Properties, SignatureElement, Signatures};
pub use resource::{Resource, Resources};

use cursor::{Cursor, Steps};

use super::error::Fault;
use super::module::Module;
use super::names;
use crate::findings;

/// Names that the validator lets through in a program.
const KNOWN: &[&str] = &[
    "dx.version",
    "dx.valver",
    "dx.shaderModel",
    "dx.entryPoints",
    "dx.resources",
    "dx.typeAnnotations",
    "dx.viewIdState",
    "dx.dxrPayloadAnnotations",
    "dx.targetTypes",
    "llvm.ident",
    "llvm.module.flags",
];
/// Names beside them that parts with debug information or reflection have.
const KNOWN_ELSEWHERE: &[&str] = &[
    "dx.counters",
    "dx.source.contents",
    "dx.source.defines",
    "dx.source.mainFileName",
    "dx.source.args",
    "dx.binding.table",
    "llvm.dbg.cu",
];

/// The most arguments of the compiler, and macros, that are kept.
const MOST_ARGUMENTS: usize = 1024;

/// The shader model that the metadata names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct ShaderModel {
    /// Shader kind; 6 is a library.
    pub kind: u32,
    /// Major version.
    pub major: u32,
    /// Minor version.
    pub minor: u32,
}

/// The contents of the `dx.*` metadata.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Dx {
    /// DXIL version.
    pub version: Option<(u32, u32)>,
    /// Version of the validator that the program was compiled for.
    pub validator: Option<(u32, u32)>,
    /// Shader model.
    pub model: Option<ShaderModel>,
    /// Entry points, without the first one of a library, which stands for the library itself.
    pub entries: Vec<EntryPoint>,
    /// Flags of a library, or of the only entry point.
    pub flags: u64,
    /// Resources of the module.
    pub resources: Resources,
    /// Annotations of structures.
    pub types: Vec<TypeAnnotation>,
    /// The numbers of the view-id state.
    pub view_id: Vec<u32>,
    /// The compiler, from `llvm.ident`.
    pub compiler: Option<String>,
    /// Names of the sources, and sizes of their contents, of a part with debug information.
    pub sources: Vec<(String, usize)>,
    /// The source passed to the compiler.
    pub main_source: Option<String>,
    /// Arguments of the compiler.
    pub arguments: Vec<String>,
    /// Macros passed to the compiler.
    pub defines: Vec<String>,
    /// Named metadata that has no place in a program.
    pub unknown: Vec<String>,
}

/// Reflection beyond the program: names, which released programs lack.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reflection {
    /// Resources of the module.
    pub resources: Resources,
    /// Structures with their members.
    pub types: Vec<TypeAnnotation>,
}

/// Reads the metadata. What is malformed is left out and added to `faults`.
pub(crate) fn read(module: &Module, faults: &mut Vec<Fault>) -> Dx {
    let mut out = Dx::default();
    let steps = Steps::of(module);
    let root = Cursor::new(module, &steps);
    out.version = version(&root, "dx.version", true, faults);
    out.validator = version(&root, "dx.valver", false, faults);
    match shader_model(&root) {
        Ok(model) => out.model = Some(model),
        Err(fault) => faults.push(fault),
    }
    match module.metadata.of_name("dx.entryPoints") {
        None => faults.push(missing(&root, "dx.entryPoints", 0)),
        Some(nodes) => {
            let library = out.model.is_some_and(|model| model.kind == 6);
            for (index, id) in nodes.iter().enumerate() {
                match entry::read(&root.at(*id), out.model) {
                    Ok(entry) if library && index == 0 => out.flags = entry.properties.flags,
                    Ok(entry) => out.entries.push(entry),
                    Err(fault) => faults.push(fault),
                }
            }
            if let (false, Some(only)) = (library, out.entries.first()) {
                out.flags = only.properties.flags;
            }
            if !library && nodes.len() != 1 {
                let message = format!("dx.entryPoints has {} entries, expected 1", nodes.len());
                faults.push(Fault::at_bit(findings::MISSING_METADATA, root.place(), message));
            }
        }
    }
    out.resources = resources(&root, faults);
    out.types = annotations(&root, faults);
    if let Some([node, ..]) = module.metadata.of_name("dx.viewIdState") {
        match annotations::view_id(&root.at(*node)) {
            Ok(numbers) => out.view_id = numbers,
            Err(fault) => faults.push(fault),
        }
    }
    out.compiler = module.metadata.of_name("llvm.ident").and_then(|nodes| root.at(*nodes.first()?).text(0).ok());
    for id in module.metadata.of_name("dx.source.contents").unwrap_or_default() {
        let source = root.at(*id);
        if let (Ok(name), Ok(contents)) = (source.text(0), source.bytes(1)) {
            out.sources.push((name, contents.len()));
        }
    }
    let list = |name: &str| -> Vec<String> {
        let node = module.metadata.of_name(name).and_then(|nodes| nodes.first());
        let list = node.map(|node| root.at(*node));
        list.iter().flat_map(|list| (0..list.len().min(MOST_ARGUMENTS)).filter_map(|at| list.text(at).ok())).collect()
    };
    out.main_source = list("dx.source.mainFileName").into_iter().next();
    out.arguments = list("dx.source.args");
    out.defines = list("dx.source.defines");
    let unknown = module.metadata.named().map(|(name, _)| name).filter(|name| !is_known(name));
    out.unknown = unknown.take(64).map(str::to_owned).collect();
    out
}

/// Reads what a part with reflection says beyond the program. What is malformed is left out and added to `faults`.
pub(crate) fn reflection(module: &Module, faults: &mut Vec<Fault>) -> Reflection {
    let steps = Steps::of(module);
    let root = Cursor::new(module, &steps);
    Reflection { resources: resources(&root, faults), types: annotations(&root, faults) }
}

fn resources(root: &Cursor<'_>, faults: &mut Vec<Fault>) -> Resources {
    let Some([node, ..]) = root.module.metadata.of_name("dx.resources") else { return Resources::default() };
    resource::read(&root.at(*node)).unwrap_or_else(|fault| {
        faults.push(fault);
        Resources::default()
    })
}

fn annotations(root: &Cursor<'_>, faults: &mut Vec<Fault>) -> Vec<TypeAnnotation> {
    let mut out = Vec::new();
    // One node of types, one of functions.
    for id in root.module.metadata.of_name("dx.typeAnnotations").unwrap_or_default().iter().take(2) {
        if let Err(fault) = annotations::read(&root.at(*id), &mut out) {
            faults.push(fault);
        }
    }
    out
}

fn is_known(name: &str) -> bool {
    KNOWN.contains(&name) || KNOWN_ELSEWHERE.contains(&name)
}

fn missing(root: &Cursor<'_>, name: &str, found: usize) -> Fault {
    let message = if found == 0 { format!("missing {name}") } else { format!("{name} has {found} nodes, expected 1") };
    Fault::at_bit(findings::MISSING_METADATA, root.place(), message)
}

/// The only node of a name.
fn single<'m>(root: &Cursor<'m>, name: &str) -> Result<Cursor<'m>, Fault> {
    match root.module.metadata.of_name(name) {
        Some([node]) => Ok(root.at(*node)),
        other => Err(missing(root, name, other.map_or(0, <[_]>::len))),
    }
}

fn version(root: &Cursor<'_>, name: &str, required: bool, faults: &mut Vec<Fault>) -> Option<(u32, u32)> {
    if !required && root.module.metadata.of_name(name).is_none() {
        return None;
    }
    let read = || -> Result<(u32, u32), Fault> {
        let node = single(root, name)?;
        Ok((node.number(0)?, node.number(1)?))
    };
    read().map_err(|fault| faults.push(fault)).ok()
}

fn shader_model(root: &Cursor<'_>) -> Result<ShaderModel, Fault> {
    let node = single(root, "dx.shaderModel")?;
    let name = node.text(0)?;
    let kind = names::MODEL_KIND.iter().find(|(word, _)| *word == name).map(|(_, kind)| *kind);
    let kind = kind.ok_or_else(|| node.bad(&format!("unknown shader kind `{name}`")))?;
    Ok(ShaderModel { kind, major: node.number(1)?, minor: node.number(2)? })
}
