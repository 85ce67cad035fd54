//! What the flags of the DirectX shader compiler mean here: most go to the compiler as they are.

use lanescope_core::load::hlsl_profile;
use lanescope_core::options::HlslCompiler;

use super::{Files, Reader};
use crate::worker::FileFlags;

/// Flags that go to the compiler: what it optimizes, and what it accepts.
const PASSED: [&str; 16] = [
    "-O0",
    "-O1",
    "-O2",
    "-O3",
    "-Od",
    "-Zpr",
    "-Zpc",
    "-Gis",
    "-Ges",
    "-Gec",
    "-Gfa",
    "-Gfp",
    "-all-resources-bound",
    "-all_resources_bound",
    "-enable-16bit-types",
    "-no-warnings",
];

/// Flags that do not change the code: debug information, parts of the container, messages.
const SILENT: [&str; 12] = [
    "-nologo",
    "-Zi",
    "-Zs",
    "-Zss",
    "-Zsb",
    "-Qembed_debug",
    "-Qstrip_debug",
    "-Qstrip_reflect",
    "-Qstrip_priv",
    "-WX",
    "-Cc",
    "-Ni",
];

/// Files that are written; the name follows, in the same word or the next one.
const OUTPUTS: [&str; 6] = ["-Fo", "-Fc", "-Fh", "-Fd", "-Fe", "-Fre"];

/// Reads the arguments.
///
/// # Errors
/// A flag that is not known.
pub fn read(reader: &mut Reader<'_>) -> Result<Files, String> {
    let (mut entry, mut files) = (None, Vec::new());
    reader.conversion.hlsl_compiler = HlslCompiler::Dxc;
    while let Some(word) = reader.word() {
        if SILENT.contains(&word) || reader.common(word)? {
            continue;
        }
        if PASSED.contains(&word) || word.starts_with("-Wno-") {
            reader.conversion.dxc_args.push(word.to_owned());
        } else if word == "-HV" {
            let value = reader.value(word, "")?.to_owned();
            reader.conversion.dxc_args.extend(["-HV".to_owned(), value]);
        } else if let Some(output) = OUTPUTS.iter().find(|output| word.starts_with(**output)) {
            reader.value(output, word.strip_prefix(output).unwrap_or_default())?;
        } else if let Some(rest) = word.strip_prefix("-T") {
            let profile = reader.value("-T", rest)?.to_owned();
            hlsl_profile(&profile)?;
            reader.conversion.profile = Some(profile);
        } else if let Some(rest) = word.strip_prefix("-E") {
            entry = Some(reader.value("-E", rest)?.to_owned());
        } else if word.starts_with('-') {
            return Err(format!("unknown flag `{word}`"));
        } else {
            files.push(reader.path(word));
        }
    }
    if reader.conversion.profile.is_none() {
        return Err("no profile (-T)".to_owned());
    }
    let flags = FileFlags {
        conversion: reader.conversion.clone(),
        entries: entry.into_iter().collect(),
        ..FileFlags::default()
    };
    match files.iter().find(|path| path.extension().is_none_or(|extension| !extension.eq_ignore_ascii_case("hlsl"))) {
        Some(path) => Err(format!("compiles {}; expected a name that ends in .hlsl", path.display())),
        None => Ok(files.into_iter().map(|path| (path, flags.clone())).collect()),
    }
}
