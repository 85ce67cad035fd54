//! Op tables of DXIL that are read from files: a table in JSON, DXC's sources, or a build of DXC.

use std::path::Path;

use lanescope_dxil::ops::read::{Reading, Text, Texts, read};
use lanescope_dxil::ops::{PrivateFeature, Tables};
use lanescope_model::options::Conversion;

use super::error::Problem;
use super::file;

/// Bytes of one file; DXC's largest has half a million.
const LARGEST: u64 = 32 << 20;

/// Where files are in a folder: in a folder of sources, in one of a build, or beside each other.
const JSON: &[&str] = &["dxil-opcodes.json"];
const HCTDB: &[&str] = &["utils/hct/hctdb.py", "hctdb.py"];
const OPERATIONS: &[&str] = &["lib/DXIL/tmp/DxilOperations.cpp", "lib/DXIL/DxilOperations.cpp", "DxilOperations.cpp"];
const INSTRUCTIONS: &[&str] =
    &["include/dxc/DXIL/tmp/DxilInstructions.h", "include/dxc/DXIL/DxilInstructions.h", "DxilInstructions.h"];
const SHADER_MODEL: &[&str] =
    &["include/dxc/DXIL/tmp/DxilShaderModel.h", "include/dxc/DXIL/DxilShaderModel.h", "DxilShaderModel.h"];
const CONSTANTS: &[&str] =
    &["include/dxc/DXIL/tmp/DxilConstants.h", "include/dxc/DXIL/DxilConstants.h", "DxilConstants.h"];

/// The tables that options want.
pub(super) fn wanted(conversion: &Conversion) -> Result<Tables, Problem> {
    let tables = match &conversion.opcode_table {
        Some(path) => read_opcode_table(Path::new(path))?.tables,
        None => Tables::bundled(),
    };
    match &conversion.feature_names {
        Some(path) => with_feature_names(tables, Path::new(path)),
        None => Ok(tables),
    }
}

/// Tables with the names of private partitions that a file has.
///
/// # Errors
///
/// The file cannot be read, or is not of the form, or names what cannot be named.
pub fn with_feature_names(tables: Tables, path: &Path) -> Result<Tables, Problem> {
    let of = |why: String| Problem::OpcodeTable { path: path.display().to_string(), why };
    let Text { text, .. } = text(path).map_err(of)?;
    let named = PrivateFeature::list_from_json(&text).and_then(|named| tables.with_private(named));
    named.map_err(|why| of(format!("expected names of features as JSON: {why}")))
}

/// Reads the op tables of a file or a folder.
///
/// # Errors
///
/// A file cannot be read, none is of a known form, or one is not understood where that decides numbers of ops.
pub fn read_opcode_table(path: &Path) -> Result<Reading, Problem> {
    let of = |why: String| Problem::OpcodeTable { path: path.display().to_string(), why };
    let texts = if path.is_dir() { texts_of_folder(path) } else { texts_of_file(path) }.map_err(of)?;
    read(&texts).map_err(|unreadable| of(unreadable.to_string()))
}

fn texts_of_folder(folder: &Path) -> Result<Texts, String> {
    let first = |names: &[&str]| -> Result<Option<Text>, String> {
        for name in names {
            if folder.join(name).is_file() {
                let path = file::in_folder(folder, name).map_err(|why| format!("{name} {why}"))?;
                return text(&path).map(Some);
            }
        }
        Ok(None)
    };
    let texts = Texts {
        json: first(JSON)?,
        hctdb: first(HCTDB)?,
        operations: first(OPERATIONS)?,
        instructions: first(INSTRUCTIONS)?,
        shader_model: first(SHADER_MODEL)?,
        constants: first(CONSTANTS)?,
    };
    if texts.json.is_none() && texts.hctdb.is_none() && texts.operations.is_none() {
        let names = [JSON, HCTDB, OPERATIONS].concat().join(", ");
        return Err(format!("expected one of these files in the folder: {names}"));
    }
    Ok(texts)
}

fn texts_of_file(path: &Path) -> Result<Texts, String> {
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
    let (mut texts, one) = (Texts::default(), || text(path).map(Some));
    match extension.as_deref() {
        Some("json") => texts.json = one()?,
        Some("py") => texts.hctdb = one()?,
        Some("cpp") => texts.operations = one()?,
        Some("td") => {
            let why = "LLVM's DXIL.td has no names of operands and few ops; `lanescope opcodes diff` compares it";
            return Err(why.to_owned());
        }
        _ => return Err("expected a folder, or a file .json, .py (hctdb.py) or .cpp (DxilOperations.cpp)".to_owned()),
    }
    Ok(texts)
}

/// Reads one text of a table's sources.
///
/// # Errors
///
/// The file cannot be read, is too large, or is not UTF-8.
pub fn text(path: &Path) -> Result<Text, String> {
    let name = path.display();
    let size = path.metadata().map_err(|error| format!("{name}: cannot be read: {error}"))?.len();
    if size > LARGEST {
        return Err(format!("{name}: has {size} bytes; at most {LARGEST} are read"));
    }
    let bytes = file::read_named(path).map_err(|problem| format!("{name}: {problem}"))?;
    let text = String::from_utf8(bytes)
        .map_err(|error| format!("{name}: byte {}: not UTF-8", error.utf8_error().valid_up_to()))?;
    Ok(Text { name: path.to_string_lossy().into_owned(), text })
}
