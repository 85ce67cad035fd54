//! Amber scripts: one of their pipelines, with its shaders.

mod state;

use std::path::Path;

use super::described::{Described, Origin};
use super::error::Problem;
use super::included::SourceOrigin;
use super::{LoadOptions, Loaded, glsl, spirv, spvasm, validate};
use crate::findings;
use lanescope_amber::script::pipeline::{
    Attachment, Pipeline as ScriptPipeline, PipelineKind as ScriptKind, SubgroupSize,
};
use lanescope_amber::script::{Shader, ShaderCode, ShaderFormat, ShaderSource, ShaderStage};
use lanescope_amber::{Script, read};
use lanescope_model::program::{Format, StageKind};
use lanescope_pipeline::{Constant, Fault, Kept, Pipeline, PipelineKind, StageDescription};

/// The vertex shader of `PASSTHROUGH`.
const PASSTHROUGH: &str = "#version 430\nlayout(location = 0) in vec4 position;\n\
                           void main() { gl_Position = position; }\n";

/// The most names of pipelines that a message lists.
const NAMED: usize = 8;

pub(super) fn load(path: &Path, bytes: Vec<u8>, wanted: &LoadOptions) -> Result<Loaded, Problem> {
    let name = path.to_string_lossy().into_owned();
    let script = read(&bytes).map_err(|error| {
        let message = format!("expected {}, found {}", error.expected, error.found);
        Problem::Description(Fault { rule: findings::AMBER_SYNTAX, place: format!("line {}", error.line), message })
    })?;
    drop(bytes);
    let chosen = chosen(&script, wanted.pipeline.as_deref())?;
    let mut pipeline = Pipeline::new(Format::Amber, kind(chosen.kind));
    state::describe(&script, &chosen, &mut pipeline);
    let attached = attached(&script, &chosen);
    pipeline.stages =
        attached.iter().map(|(stage, one, shader)| described_stage(&chosen, *stage, one, shader)).collect();
    pipeline.kept = kept(&chosen);
    let mut described = Described::of(pipeline);
    for (index, (stage, one, shader)) in attached.into_iter().enumerate() {
        let number = script.shaders.iter().position(|other| other.name == shader.name).unwrap_or_default();
        let origin = Origin::Part(number);
        if !described.knows(&origin) {
            let made = module(&script, shader, stage, path, wanted);
            described.made(origin.clone(), made.map_err(|problem| problem.to_string()));
        }
        let constants: Vec<Vec<u8>> = one.constants.iter().map(|one| one.bits().to_le_bytes().to_vec()).collect();
        described.give(index, &origin, &constants, findings::AMBER_STAGE_UNUSABLE, &name);
    }
    Ok(Loaded::Described(Box::new(described)))
}

/// The pipeline of that name, or the only one.
fn chosen(script: &Script, name: Option<&str>) -> Result<ScriptPipeline, Problem> {
    let all = &script.pipelines;
    let names = || {
        let names: Vec<&str> = all.iter().take(NAMED).map(|one| one.name.as_str()).collect();
        names.join(", ") + if all.len() > NAMED { ", …" } else { "" }
    };
    let name = match (name, all.as_slice()) {
        (_, []) => return Err(Problem::NoStage { why: "the script has no pipeline".to_owned() }),
        (Some(name), _) => name,
        (None, [only]) => &only.name,
        (None, _) => return Err(Problem::ManyNamedPipelines { count: all.len(), names: names() }),
    };
    script.resolved(name).ok_or_else(|| Problem::NamedPipelineMissing { name: name.to_owned(), names: names() })
}

fn kind(kind: ScriptKind) -> PipelineKind {
    match kind {
        ScriptKind::Compute => PipelineKind::Compute,
        ScriptKind::Graphics => PipelineKind::Graphics,
        ScriptKind::RayTracing => PipelineKind::RayTracing,
    }
}

/// The stage of a shader; none of a module with several.
fn stage_of(stage: ShaderStage) -> Option<StageKind> {
    Some(match stage {
        ShaderStage::Vertex => StageKind::Vertex,
        ShaderStage::Fragment => StageKind::Fragment,
        ShaderStage::Geometry => StageKind::Geometry,
        ShaderStage::TessEval => StageKind::TessEval,
        ShaderStage::TessControl => StageKind::TessControl,
        ShaderStage::Compute => StageKind::Compute,
        ShaderStage::RayGeneration => StageKind::RayGeneration,
        ShaderStage::AnyHit => StageKind::AnyHit,
        ShaderStage::ClosestHit => StageKind::ClosestHit,
        ShaderStage::Miss => StageKind::Miss,
        ShaderStage::Intersection => StageKind::Intersection,
        ShaderStage::Callable => StageKind::Callable,
        ShaderStage::Multi => return None,
    })
}

/// The shaders of a pipeline, in pipeline order; those of ray tracing are in its groups.
fn attached<'s>(script: &'s Script, chosen: &ScriptPipeline) -> Vec<(StageKind, Attachment, &'s Shader)> {
    let mut all = chosen.shaders.clone();
    for group in &chosen.rays.groups {
        for shader in &group.shaders {
            if !all.iter().any(|known| known.shader == *shader) {
                let (line, shader) = (group.line, shader.clone());
                all.push(Attachment { line, shader, stage: None, entry: None, constants: Vec::new() });
            }
        }
    }
    let mut out: Vec<_> = all
        .into_iter()
        .filter_map(|one| {
            let shader = script.shader(&one.shader)?;
            Some((stage_of(one.stage.unwrap_or(shader.stage))?, one, shader))
        })
        .collect();
    out.sort_by_key(|(stage, ..)| *stage);
    out
}

fn described_stage(chosen: &ScriptPipeline, stage: StageKind, one: &Attachment, shader: &Shader) -> StageDescription {
    let form = match &shader.code {
        ShaderCode::Passthrough => "passthrough",
        ShaderCode::Given { format: ShaderFormat::Glsl, .. } => "GLSL",
        ShaderCode::Given { format: ShaderFormat::Hlsl, .. } => "HLSL",
        ShaderCode::Given { format: ShaderFormat::SpirvAsm, .. } => "SPIR-V text",
        ShaderCode::Given { format: ShaderFormat::SpirvHex, .. } => "SPIR-V words",
        ShaderCode::Given { format: ShaderFormat::SpirvBin, .. } => "SPIR-V",
        ShaderCode::Given { format: ShaderFormat::OpenClC, .. } => "OpenCL C",
    };
    let own = chosen.subgroups.iter().rfind(|own| own.shader == one.shader);
    let constants = (0..).zip(&one.constants).map(|(index, constant)| Constant {
        id: constant.id,
        offset: 4 * index,
        size: 4,
        value: None,
        wrong_size: false,
        bytes: constant.bits().to_le_bytes().iter().map(|byte| format!("{byte:02x}")).collect(),
    });
    StageDescription {
        stage,
        entry: one.entry.clone().unwrap_or_else(|| "main".to_owned()),
        entry_assumed: false,
        module: None,
        shader: form.to_owned(),
        from: format!("line {}", one.line.0),
        subgroup_size: own.and_then(|own| match own.required_size {
            Some(SubgroupSize::Lanes(lanes)) => Some(lanes),
            _ => None,
        }),
        flags: Vec::new(),
        constants: constants.collect(),
        settings: Vec::new(),
    }
}

/// What has no place in a description, as written.
fn kept(chosen: &ScriptPipeline) -> Vec<Kept> {
    let named = |name, list: &[lanescope_amber::script::pipeline::ShaderOptions]| -> Vec<Kept> {
        let kept = |one: &lanescope_amber::script::pipeline::ShaderOptions| Kept {
            from: format!("line {}", one.line.0),
            name: format!("{name} {}", one.shader),
            text: one.options.join(" "),
        };
        list.iter().map(kept).collect()
    };
    let mut out = named("SHADER_OPTIMIZATION", &chosen.optimizations);
    out.extend(named("COMPILE_OPTIONS", &chosen.compile_options));
    for one in &chosen.subgroups {
        let switch = |on: bool| if on { "on" } else { "off" };
        let full = one.fully_populated.map(|on| format!("FULLY_POPULATED {}", switch(on)));
        let varying = one.varying_size.map(|on| format!("VARYING_SIZE {}", switch(on)));
        let size = match one.required_size {
            Some(SubgroupSize::Min) => Some("REQUIRED_SIZE MIN".to_owned()),
            Some(SubgroupSize::Max) => Some("REQUIRED_SIZE MAX".to_owned()),
            _ => None,
        };
        let text: Vec<String> = [full, varying, size].into_iter().flatten().collect();
        if !text.is_empty() {
            let (from, name) = (format!("line {}", one.line.0), format!("SUBGROUP {}", one.shader));
            out.push(Kept { from, name, text: text.join(" ") });
        }
    }
    out
}

/// The module of a shader.
fn module(
    script: &Script,
    shader: &Shader,
    stage: StageKind,
    path: &Path,
    wanted: &LoadOptions,
) -> Result<Loaded, Problem> {
    let ShaderCode::Given { format, source, .. } = &shader.code else { return passthrough(wanted) };
    let (text, after) = match source {
        ShaderSource::Text(text) => (text, shader.line.0),
        ShaderSource::VirtualFile(wanted) => match script.files.iter().find(|file| file.path == *wanted) {
            Some(file) => (&file.text, file.line.0.saturating_sub(1)),
            None => return Err(Problem::NotAShader { why: format!("no VIRTUAL_FILE `{wanted}`") }),
        },
        ShaderSource::File(file) => {
            return Err(Problem::NotAShader { why: format!("`{file}` is another file; open it by itself") });
        }
    };
    match format {
        ShaderFormat::Glsl => {
            // A zero byte ends a text of C; a space is as wrong to the compiler.
            let text = text.replace('\0', " ");
            glsl::compile_text(text, stage, after, SourceOrigin::in_document(wanted.folder_of(path), path), wanted)
        }
        ShaderFormat::SpirvAsm => spvasm::load_part(text.clone(), after, wanted),
        ShaderFormat::SpirvHex => spirv::load(words(text, after)?, wanted),
        other => Err(Problem::NotAShader { why: format!("{other} in a script does not become SPIR-V") }),
    }
}

/// The bytes of a module that is written as words.
fn words(text: &str, after: u32) -> Result<Vec<u8>, Problem> {
    let mut out = Vec::new();
    for (line, number) in text.lines().zip(after as usize + 1..) {
        for word in line.split_whitespace() {
            let digits = word.strip_prefix("0x").unwrap_or(word);
            let value = u32::from_str_radix(digits, 16).map_err(|_| {
                let found: String = word.chars().take(20).collect();
                let message = format!("expected a word in hexadecimal, found `{found}`");
                Problem::Assembly { line: number, column: line.find(word).unwrap_or(0) + 1, message }
            })?;
            out.extend(value.to_le_bytes());
        }
    }
    Ok(out)
}

/// The shader is not of the file, so it has no source.
fn passthrough(wanted: &LoadOptions) -> Result<Loaded, Problem> {
    let stage = StageKind::Vertex;
    let module = glsl::compile_own(PASSTHROUGH, stage).map_err(|log| Problem::Glsl { stage, log })?;
    Ok(Loaded::Module(Box::new(validate::loaded(module.words().to_vec(), wanted)?)))
}

#[cfg(test)]
mod tests;
