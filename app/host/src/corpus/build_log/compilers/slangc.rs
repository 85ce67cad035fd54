//! What the flags of the Slang compiler mean here: most go to the compiler as they are.

use std::path::Path;

use lanescope_core::load::stage_of_name;
use lanescope_core::program::StageKind;

use super::{Files, Reader};
use crate::worker::FileFlags;

/// Flags that go to the compiler, alone.
const PASSED: [&str; 15] = [
    "-O0",
    "-O1",
    "-O2",
    "-O3",
    "-matrix-layout-row-major",
    "-matrix-layout-column-major",
    "-emit-spirv-directly",
    "-emit-spirv-via-glsl",
    "-force-glsl-scalar-layout",
    "-fvk-use-scalar-layout",
    "-fvk-use-gl-layout",
    "-fvk-use-c-layout",
    "-fvk-invert-y",
    "-fvk-use-dx-position-w",
    "-ignore-capabilities",
];

/// Flags that go to the compiler with the words that follow them: their number.
const PASSED_WITH_VALUES: [(&str, usize); 9] = [
    ("-profile", 1),
    ("-capability", 1),
    ("-fp-mode", 1),
    ("-std", 1),
    ("-fvk-b-shift", 2),
    ("-fvk-s-shift", 2),
    ("-fvk-t-shift", 2),
    ("-fvk-u-shift", 2),
    ("-fvk-bind-globals", 2),
];

/// Flags that do not change the code. The names of entry points are kept here, and debug information is asked for.
const SILENT: [&str; 9] =
    ["-g", "-g0", "-g1", "-g2", "-g3", "-fvk-use-entrypoint-name", "-warnings-as-errors", "-v", "-version"];

/// Files that are written.
const OUTPUTS: [&str; 3] = ["-o", "-depfile", "-reflection-json"];

/// Reads the arguments.
///
/// # Errors
/// A flag that is not known, a target that is not SPIR-V, entry points of several stages.
pub fn read(reader: &mut Reader<'_>) -> Result<Files, String> {
    let (mut entries, mut stage, mut files) = (Vec::new(), None, Vec::new());
    let (mut target, mut output) = (None, None);
    while let Some(word) = reader.word() {
        if SILENT.contains(&word) || reader.common(word)? {
            continue;
        }
        if PASSED.contains(&word) {
            reader.conversion.slang_args.push(word.to_owned());
        } else if let Some((_, count)) = PASSED_WITH_VALUES.iter().find(|(flag, _)| *flag == word) {
            reader.conversion.slang_args.push(word.to_owned());
            for _ in 0..*count {
                let value = reader.value(word, "")?.to_owned();
                reader.conversion.slang_args.push(value);
            }
        } else if OUTPUTS.contains(&word) {
            let value = reader.value(word, "")?;
            output = if word == "-o" { Some(value) } else { output };
        } else if word == "-target" {
            target = Some(reader.value(word, "")?);
        } else if word == "-entry" {
            entries.push(reader.value(word, "")?.to_owned());
        } else if word == "-stage" {
            let named = stage_of(reader.value(word, "")?)?;
            if stage.is_some_and(|stage| stage != named) {
                return Err("entry points of several stages in one command".to_owned());
            }
            stage = Some(named);
        } else if word.starts_with('-') {
            return Err(format!("unknown flag `{word}`"));
        } else {
            files.push(reader.path(word));
        }
    }
    // Without a target, the name of the output chooses it.
    let is_spirv = match (target, output) {
        (Some(target), _) => ["spirv", "spirv-asm", "spirv-assembly"].contains(&target),
        (None, Some(output)) => [".spv", ".spv-asm"].iter().any(|end| output.ends_with(end)),
        (None, None) => files.is_empty(),
    };
    if !is_spirv {
        return Err(
            "neither -target spirv nor an output that ends in .spv: the command does not compile for Vulkan".to_owned()
        );
    }
    let flags = FileFlags { conversion: reader.conversion.clone(), entries, stage };
    match files.iter().find(|path| !is_slang(path)) {
        Some(path) => Err(format!("compiles {}; expected a name that ends in .slang", path.display())),
        None => Ok(files.into_iter().map(|path| (path, flags.clone())).collect()),
    }
}

fn is_slang(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("slang"))
}

/// A stage as Slang names it: by Vulkan's names, and some by Direct3D's.
fn stage_of(text: &str) -> Result<StageKind, String> {
    match text {
        "vertex" => Ok(StageKind::Vertex),
        "hull" | "tesscontrol" => Ok(StageKind::TessControl),
        "domain" | "tesseval" => Ok(StageKind::TessEval),
        "geometry" => Ok(StageKind::Geometry),
        "fragment" | "pixel" => Ok(StageKind::Fragment),
        "compute" => Ok(StageKind::Compute),
        "amplification" => Ok(StageKind::Task),
        other => stage_of_name(other).ok_or_else(|| format!("unknown stage `{other}`")),
    }
}
