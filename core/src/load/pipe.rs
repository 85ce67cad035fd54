//! LLPC's `.pipe` text: its shaders become modules.

use std::path::{Component, Path, PathBuf};

use super::described::Described;
use super::error::Problem;
use super::{Loaded, file, glsl, spirv, spvasm};
use crate::findings;
use crate::pipeline::pipe::{self, Form, LibraryFile, PipeFile, Shader, Source};
use crate::pipeline::{Library, Pipeline};
use crate::program::StageKind;

pub(super) fn load(path: &Path, bytes: Vec<u8>) -> Result<Loaded, Problem> {
    let (name, folder) = (path.to_string_lossy().into_owned(), path.parent().unwrap_or(Path::new("")));
    let PipeFile { pipeline, shaders, libraries } = pipe::read(&name, &bytes).map_err(Problem::Description)?;
    drop(bytes);
    let mut described = Described::of(pipeline);
    for (stage, shader) in shaders.into_iter().enumerate() {
        give(&mut described, stage, shader, folder, &name);
    }
    for library in libraries {
        link(&mut described, &library, folder, &name);
    }
    Ok(Loaded::Described(Box::new(described)))
}

/// Makes a stage's module of its text or file.
fn give(described: &mut Described, stage: usize, shader: Shader, folder: &Path, name: &str) {
    let Some(kind) = described.pipeline.stages.get(stage).map(|stage| stage.stage) else { return };
    let made = match shader.source {
        Source::Text(text) => make(shader.form, kind, text, shader.line, folder, name).map_err(|p| p.to_string()),
        Source::File { name: file_name, line } => match beside(folder, &file_name) {
            Ok(path) => match file::read(&path) {
                Ok(bytes) => of_file(shader.form, kind, &path, bytes).map_err(|p| format!("{}: {p}", path.display())),
                Err(problem) => {
                    let message = format!("{}: {problem}", path.display());
                    let place = Some(format!("{name}, line {line}"));
                    let missing = findings::PIPE_MISSING_FILE.at(Some(kind), place, message);
                    return described.pipeline.findings.push(missing);
                }
            },
            Err(why) => {
                let place = Some(format!("{name}, line {line}"));
                return described.pipeline.findings.push(findings::PIPE_PATH_OUTSIDE.at(Some(kind), place, why));
            }
        },
    };
    described.give(stage, made, &shader.constants, findings::PIPE_STAGE_UNUSABLE, name);
}

/// SPIR-V of a text that begins after a line of the description.
fn make(form: Form, stage: StageKind, text: String, line: u32, folder: &Path, name: &str) -> Result<Loaded, Problem> {
    match form {
        Form::Glsl => glsl::compile_text(text, stage, glsl::Language::Glsl, line, folder, Path::new(name)),
        Form::Hlsl => glsl::compile_text(text, stage, glsl::Language::Hlsl, line, folder, Path::new(name)),
        Form::Spvasm | Form::Spv => spvasm::load(Path::new(name), text.into_bytes()).map_err(|problem| match problem {
            // Lines of the file, not of the section.
            Problem::Assembly { line: within, column, message } => {
                Problem::Assembly { line: within + line as usize, column, message }
            }
            problem => problem,
        }),
    }
}

fn of_file(form: Form, stage: StageKind, path: &Path, bytes: Vec<u8>) -> Result<Loaded, Problem> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let text = |bytes: Vec<u8>| {
        String::from_utf8(bytes).map_err(|error| Problem::NotUtf8 { offset: error.utf8_error().valid_up_to() })
    };
    let mut loaded = match form {
        Form::Spv if matches!(bytes.first_chunk(), Some([3, 2, 0x23, 7] | [7, 0x23, 2, 3])) => spirv::load(path, bytes),
        Form::Spv => {
            let found = bytes.iter().take(4).rev().fold(0u32, |word, byte| word << 8 | u32::from(*byte));
            Err(Problem::Parse(crate::spirv::ParseError::Magic { found }))
        }
        Form::Spvasm => spvasm::load(path, bytes),
        Form::Glsl => glsl::compile_text(text(bytes)?, stage, glsl::Language::Glsl, 0, folder, path),
        Form::Hlsl => glsl::compile_text(text(bytes)?, stage, glsl::Language::Hlsl, 0, folder, path),
    }?;
    if let Loaded::Module { includes, .. } = &mut loaded {
        includes.push(path.to_owned());
    }
    Ok(loaded)
}

/// A file of the description's folder; why a name leads elsewhere, if it does.
fn beside(folder: &Path, name: &str) -> Result<PathBuf, String> {
    let outside = |why: &str| Err(format!("`{name}` {why}; files are read from the description's folder only"));
    let drive = name.as_bytes().get(1) == Some(&b':') || name.starts_with('\\');
    if drive || Path::new(name).is_absolute() {
        return outside("is an absolute path");
    }
    let mut depth = 0i32;
    for part in Path::new(name).components() {
        depth += match part {
            Component::Normal(_) => 1,
            Component::ParentDir => -1,
            _ => 0,
        };
        if depth < 0 {
            return outside("leaves the folder");
        }
    }
    let path = folder.join(name);
    // A link may lead out of the folder where the name does not.
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    if let (Ok(real), Ok(root)) = (path.canonicalize(), folder.canonicalize())
        && !real.starts_with(&root)
    {
        return outside("leads out of the folder");
    }
    Ok(path)
}

/// Adds what a library file describes: its stages, and state that is not given yet.
fn link(described: &mut Described, library: &LibraryFile, folder: &Path, name: &str) {
    let place = Some(format!("{name}, line {}", library.line));
    let path = match beside(folder, &library.name) {
        Ok(path) => path,
        Err(why) => return described.pipeline.findings.push(findings::PIPE_PATH_OUTSIDE.at(None, place, why)),
    };
    let read = file::read(&path).map_err(|problem| problem.to_string());
    let inner_name = path.to_string_lossy().into_owned();
    let read = read.and_then(|bytes| pipe::read(&inner_name, &bytes).map_err(|fault| fault.to_string()));
    let inner = match read {
        Ok(inner) => inner,
        Err(why) => {
            let missing = findings::PIPE_MISSING_FILE.at(None, place, format!("{}: {why}", path.display()));
            return described.pipeline.findings.push(missing);
        }
    };
    if !inner.libraries.is_empty() {
        let message = format!("{} is a list of libraries itself, which are not followed", path.display());
        described.pipeline.findings.push(findings::PIPE_DEPTH_LIMIT.at(None, place, message));
    }
    let first = described.pipeline.stages.len();
    let inner_folder = path.parent().unwrap_or(Path::new("")).to_owned();
    described.pipeline.origin.libraries.push(Library {
        hash: None,
        name: Some(library.name.clone()),
        parts: vec![library.part.clone()],
    });
    merge(&mut described.pipeline, inner.pipeline, &library.name);
    let known = described.modules.len();
    for (stage, shader) in inner.shaders.into_iter().enumerate() {
        give(described, first + stage, shader, &inner_folder, &inner_name);
    }
    for module in described.modules.iter_mut().skip(known) {
        module.includes.push(path.clone().into_os_string());
    }
}

/// Takes what `from` says and `into` does not.
fn merge(into: &mut Pipeline, from: Pipeline, name: &str) {
    let place = |text: &str| format!("{name}, {text}");
    into.stages.extend(from.stages.into_iter().map(|mut stage| {
        stage.from = place(&stage.from);
        stage
    }));
    if into.layout.is_empty() {
        into.layout = from.layout;
        into.layout.from = into.layout.from.as_deref().map(place);
    }
    let (mine, theirs) = (&mut into.state, from.state);
    fn take<T>(mine: &mut Option<T>, theirs: Option<T>) {
        if mine.is_none() {
            *mine = theirs;
        }
    }
    take(&mut mine.vertex_input, theirs.vertex_input);
    take(&mut mine.topology, theirs.topology);
    take(&mut mine.patch_control_points, theirs.patch_control_points);
    take(&mut mine.raster, theirs.raster);
    take(&mut mine.multisample, theirs.multisample);
    take(&mut mine.attachments, theirs.attachments);
    into.settings.extend(from.settings.into_iter().map(|mut setting| {
        setting.from = place(&setting.from);
        setting
    }));
    into.kept.extend(from.kept);
    into.findings.extend(from.findings);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_inside_the_folder() {
        let folder = tempfile::tempdir().expect("a folder");
        let inner = folder.path().join("inner");
        std::fs::create_dir(&inner).expect("writable");
        std::fs::write(folder.path().join("x.spv"), "x").expect("writable");
        for (name, inside) in [
            ("a.spv", true),
            ("sub/a.spv", true),
            ("sub/../a.spv", true),
            ("../x.spv", false),
            ("sub/../../x.spv", false),
            ("/etc/passwd", false),
            ("C:\\a.spv", false),
            ("\\\\host\\a.spv", false),
        ] {
            assert_eq!(beside(&inner, name).is_ok(), inside, "{name}");
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(folder.path().join("x.spv"), inner.join("link.spv")).expect("links");
            assert!(beside(&inner, "link.spv").expect_err("leads out").contains("leads out"));
        }
    }
}
