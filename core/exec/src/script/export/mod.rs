//! A program with what a run of it takes, as a script; and what it leaves, as the checks of that script.

mod buffers;
mod draw;
mod expected;
mod required;
mod text;

use std::collections::BTreeMap;

use crate::gpu::{DescriptorOf, GpuError, Starting, StartingContents, StartingDescriptor, StartingImage};
pub use expected::Tolerated;
use lanescope_amber::script::command::{Run, RunKind};
use lanescope_amber::script::pipeline::{
    Attachment, BoundBuffer, BoundSampler, BufferRole, DescriptorKind, Pipeline, PipelineKind, SamplerPlace,
    SpecConstant,
};
use lanescope_amber::script::state::{AddressMode, BorderColor, CompareOp, Filter, Sampler, Viewport};
use lanescope_amber::script::{
    Buffer, BufferForm, Dimension, Line, Shader, ShaderCode, ShaderSource, ShaderStage, Size,
};
use lanescope_amber::types::{DataType, Numbers};
use lanescope_amber::{Check, Command, Expect, Number, Script};
use lanescope_model::program::{Program, StageKind};
use lanescope_run::inputs::{Inputs, SamplerState};
pub use text::{
    ConstantType, ShaderText, constants, has_end, has_glsl_target, is_same_of_another_version, without_names,
};

const LINE: Line = Line(0);
/// The part of a pixel by which pictures are moved: the least step that devices place vertices in.
const STEP: f32 = 1.0 / 256.0;
/// Why a buffer is of words.
const WORDS: &str = "its bytes are not those of its type's numbers, or have no one type";
/// The name of the pipeline.
const PIPELINE: &str = "program";

/// Why a program has no script.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// It cannot be run.
    #[error(transparent)]
    Gpu(#[from] GpuError),
    /// What a script, or a run of one, does not have.
    #[error("{0}")]
    NotExpressible(String),
}

/// A script without its checks.
#[derive(Debug, Clone)]
pub struct Exported {
    /// The script.
    pub script: Script,
    /// What is otherwise than in a run of the program.
    pub notes: Vec<String>,
    /// Names of the buffers that the program may write.
    pub written: Vec<String>,
    /// A sampler filters.
    filtered: bool,
}

/// A script in the making.
struct Exporting {
    script: Script,
    pipeline: Pipeline,
    before: Vec<Command>,
    notes: Vec<String>,
    written: Vec<String>,
    names: Vec<String>,
}

/// The script that runs a program: `texts` are its stages' shaders, `start` is everything that the run starts with.
///
/// # Errors
/// What a script cannot state, or what no run of a script has.
pub fn export(
    program: &Program,
    texts: Vec<ShaderText>,
    start: &Starting,
    groups: [u32; 3],
    inputs: &Inputs,
) -> Result<Exported, ExportError> {
    let is_graphics = start.draw.is_some();
    let kind = if is_graphics { PipelineKind::Graphics } else { PipelineKind::Compute };
    let mut out = Exporting {
        script: Script::default(),
        pipeline: Pipeline::new(LINE, kind, PIPELINE.to_owned()),
        before: Vec::new(),
        notes: Vec::new(),
        written: Vec::new(),
        names: vec![PIPELINE.to_owned()],
    };
    let not = ExportError::NotExpressible;
    out.shaders(program, texts).map_err(not)?;
    let sized =
        program.pipeline.iter().flat_map(|pipeline| &pipeline.stages).find(|stage| stage.subgroup_size.is_some());
    if let Some(stage) = sized {
        return Err(not(format!(
            "the required subgroup size of the {} shader: a run of a script chooses it",
            stage.stage
        )));
    }
    for descriptor in &start.descriptors {
        let declared = &descriptor.declared;
        let place = format!("set {}, binding {}", declared.set, declared.binding);
        out.descriptor(descriptor).map_err(|why| not(format!("{} at {place}: {why}", declared.of)))?;
    }
    out.push_constants(start);
    let run = match &start.draw {
        Some(draw) => out.draw(program.pipeline.as_deref(), draw, &inputs.draw).map_err(not)?,
        None => RunKind::Compute { groups },
    };
    let Exporting { mut script, pipeline, before, mut notes, written, .. } = out;
    let (requirements, unnamed) = required::requirements(program, &pipeline);
    script.requirements = requirements;
    notes.extend(unnamed);
    script.commands = before;
    script.commands.push(Command::Run(Run { line: LINE, timed: false, pipeline: pipeline.name.clone(), kind: run }));
    script.pipelines.push(pipeline);
    let filtered = start.descriptors.iter().filter_map(|one| one.declared.sampler).any(|sampler| sampler.is_linear());
    Ok(Exported { script, notes, written, filtered })
}

impl Exported {
    /// The same script with its picture moved by a part of a pixel, in each direction: devices place vertices in such steps.
    /// Empty where nothing is drawn.
    pub fn moved(&self) -> Vec<Script> {
        let by = |[x, y]: [f32; 2]| {
            let mut script = self.script.clone();
            let pipeline = script.pipelines.first_mut().filter(|pipeline| pipeline.kind == PipelineKind::Graphics)?;
            let [width, height] = pipeline.framebuffer_size().map(|side| side as f32);
            let whole = Viewport { line: LINE, at: [0.0; 2], size: [width, height], min_depth: None, max_depth: None };
            let own = pipeline.viewport.take().unwrap_or(whole);
            let at = [own.at[0] + x * STEP, own.at[1] + y * STEP];
            pipeline.viewport = Some(Viewport { at, ..own });
            Some(script)
        };
        [[-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]].into_iter().filter_map(by).collect()
    }

    /// The script with checks of everything that the program may have written. `left` are the contents of buffers after the
    /// run, `moved` those after the runs of [`Exported::moved`]: what changes with the picture is not checked, and said in
    /// the notes.
    ///
    /// # Errors
    /// Contents that no check states.
    pub fn expecting(
        &mut self,
        left: &BTreeMap<String, Vec<u8>>,
        moved: &[BTreeMap<String, Vec<u8>>],
        tolerated: Tolerated,
    ) -> Result<Script, ExportError> {
        let mut script = self.script.clone();
        let tolerated = Tolerated { filtered: tolerated.filtered || self.filtered, ..tolerated };
        for buffer in &self.written {
            let (Some(declared), Some(bytes)) = (self.script.buffer(buffer), left.get(buffer)) else {
                return Err(ExportError::NotExpressible(format!("what the run leaves in `{buffer}` is not known")));
            };
            let mut sized = declared.clone();
            if let BufferForm::Attachment { .. } = declared.form {
                let [width, height] = self.script.pipelines.first().map(Pipeline::framebuffer_size).unwrap_or_default();
                sized.form = BufferForm::Elements { packing: None, size: Size::Area { width, height } };
            }
            let others: Vec<&[u8]> = moved.iter().filter_map(|left| Some(left.get(buffer)?.as_slice())).collect();
            let made = expected::expected((&self.script, &sized), bytes, &others, tolerated);
            let made = made.map_err(ExportError::NotExpressible)?;
            let expect = |check: Check| Command::Expect(Expect { line: LINE, buffer: buffer.clone(), check });
            script.commands.extend(made.checks.into_iter().map(expect));
            self.notes.extend(made.notes.iter().map(|note| format!("`{buffer}`: {note}")));
        }
        Ok(script)
    }
}

impl Exporting {
    fn unused(&mut self, name: &str) -> String {
        let name = buffers::unused(name, &self.names);
        self.names.push(name.clone());
        name
    }

    fn shaders(&mut self, program: &Program, texts: Vec<ShaderText>) -> Result<(), String> {
        for (stage, text) in program.stages.iter().zip(texts) {
            let kind = stage_of(stage.stage).ok_or_else(|| format!("a {} shader", stage.stage))?;
            let name = self.unused(&format!("{}_shader", kind.name()));
            let target = Some(text.target(kind)?);
            let mut code = text.text.clone();
            if !code.ends_with('\n') {
                code.push('\n');
            }
            let code = ShaderCode::Given { format: text.format, target, source: ShaderSource::Text(code) };
            self.script.shaders.push(Shader { line: LINE, stage: kind, name: name.clone(), code });
            let entry = (stage.entry != "main").then(|| stage.entry.clone());
            let constants = text.constants.into_iter().filter_map(constant).collect();
            self.pipeline.shaders.push(Attachment { line: LINE, shader: name, stage: None, entry, constants });
        }
        Ok(())
    }

    fn push_constants(&mut self, start: &Starting) {
        if start.push_constants.is_empty() {
            return;
        }
        let name = self.unused("push_constants");
        buffers::add(&mut self.script, &name, &start.push_constants, start.push_shape.as_ref());
        self.pipeline.buffers.push(BoundBuffer { line: LINE, buffers: vec![name], role: BufferRole::PushConstant });
    }

    fn descriptor(&mut self, one: &StartingDescriptor) -> Result<(), String> {
        let declared = &one.declared;
        let plain = declared.variable.as_deref().and_then(buffers::identifier);
        let plain = plain.unwrap_or_else(|| format!("set{}_binding{}", declared.set, declared.binding));
        let (set, binding) = (declared.set, declared.binding);
        let sampler = declared.sampler.map(|own| self.sampler(own)).transpose()?;
        if declared.of == DescriptorOf::Sampler {
            let samplers = vec![sampler.unwrap_or_default(); declared.count as usize];
            let place = SamplerPlace::Descriptor { set, binding };
            self.pipeline.samplers.push(BoundSampler { line: LINE, samplers, place });
            return Ok(());
        }
        let mut names = Vec::new();
        for (element, contents) in one.contents.iter().enumerate() {
            let numbered = if one.contents.len() > 1 { format!("{plain}_{element}") } else { plain.clone() };
            let name = self.unused(&numbered);
            let is_of_words = self.contents(&name, one, contents)?;
            if is_of_words && declared.writable {
                self.notes.push(format!("`{name}` is of words, which are compared exactly: {WORDS}"));
            }
            if declared.writable {
                self.written.push(name.clone());
            }
            names.push(name);
        }
        let kind = kind_of(declared.of).ok_or_else(|| "a sampler".to_owned())?;
        let role = BufferRole::Descriptor {
            kind,
            sampler,
            set,
            binding,
            mip_level: None,
            dynamic_offsets: Vec::new(),
            offsets: Vec::new(),
            ranges: Vec::new(),
        };
        self.pipeline.buffers.push(BoundBuffer { line: LINE, buffers: names, role });
        Ok(())
    }

    /// Adds what a descriptor contains. Says whether that is of words, where the shader has another type or none.
    fn contents(&mut self, name: &str, one: &StartingDescriptor, contents: &StartingContents) -> Result<bool, String> {
        if let Some(image) = &contents.image {
            let buffer = self.image(name, image, &contents.bytes)?;
            self.script.buffers.push(buffer);
            return Ok(false);
        }
        let Some(format) = one.declared.format else {
            return Ok(buffers::add(&mut self.script, name, &contents.bytes, one.shape.as_ref()));
        };
        let ty = DataType::Format(buffers::format_of(format.name().unwrap_or_default())?);
        let buffer = buffers::buffer(&self.script, name, ty, &contents.bytes);
        self.script.buffers.push(buffer.ok_or_else(|| format!("contents of {format}"))?);
        Ok(false)
    }

    fn image(&self, name: &str, image: &StartingImage, texels: &[u8]) -> Result<Buffer, String> {
        if image.levels > 1 {
            let why = "a script has contents of one; `lanescope export --first-level` writes the first one, `--buffer SET:BINDING=FILE.png` another image";
            return Err(format!("{} mip levels: {why}", image.levels));
        }
        if image.layers > 1 {
            return Err(format!("{} layers", image.layers));
        }
        let ty = DataType::Format(buffers::format_of(&image.format)?);
        let dimension = match image.dimensions {
            1 => Dimension::One,
            3 => Dimension::Three,
            _ => Dimension::Two,
        };
        let buffer = buffers::buffer(&self.script, name, ty, texels);
        let buffer = buffer.ok_or_else(|| format!("texels of {}, which are not whole numbers", image.format))?;
        let form =
            BufferForm::Image { is_format: true, dimension, extent: image.size, mip_levels: None, samples: None };
        Ok(Buffer { form, ..buffer })
    }

    /// The name of a sampler like this one. Images have one level, so nothing is said of levels of detail.
    ///
    /// Errors: a state that a script has no word for.
    fn sampler(&mut self, own: SamplerState) -> Result<String, String> {
        let [magnified, minified] = own.filter.map(|filter| filter.name());
        let [u, v, w] = own.address.map(|mode| mode.name());
        let like = Sampler {
            mag_filter: Some(word(Filter::ALL, Filter::name, magnified)?),
            min_filter: Some(word(Filter::ALL, Filter::name, minified)?),
            address: [
                Some(word(AddressMode::ALL, AddressMode::name, u)?),
                Some(word(AddressMode::ALL, AddressMode::name, v)?),
                Some(word(AddressMode::ALL, AddressMode::name, w)?),
            ],
            border: match own.has_border() {
                true => Some(word(BorderColor::ALL, BorderColor::name, own.border.name())?),
                false => None,
            },
            normalized: own.unnormalized.then_some(false),
            compare: own.compare.map(|_| true),
            compare_op: own.compare.map(|op| word(CompareOp::ALL, CompareOp::name, op.name())).transpose()?,
            ..Sampler::default()
        };
        let known =
            self.script.samplers.iter().find(|known| Sampler { name: String::new(), ..(*known).clone() } == like);
        if let Some(known) = known {
            return Ok(known.name.clone());
        }
        let compares = if own.compare.is_some() { "_compare" } else { "" };
        let name = self.unused(&format!("{}{compares}", like.mag_filter.map_or("sampler", Filter::name)));
        self.script.samplers.push(Sampler { name: name.clone(), ..like });
        Ok(name)
    }
}

/// The word of a script for a state of Vulkan.
fn word<T: Copy>(all: &[T], name: impl Fn(T) -> &'static str, wanted: Option<&str>) -> Result<T, String> {
    let found = all.iter().copied().find(|one| wanted.is_some_and(|wanted| name(*one).eq_ignore_ascii_case(wanted)));
    found.ok_or_else(|| format!("a sampler with {}", wanted.unwrap_or("a state without a name")))
}

fn constant((id, ty, bits): (u32, ConstantType, u32)) -> Option<SpecConstant> {
    let (name, value) = match ty {
        ConstantType::Int => match bits as i32 {
            value @ ..0 => ("int32", Number::Negative(value.into())),
            value => ("int32", Number::Unsigned(value as u64)),
        },
        ConstantType::Uint => ("uint32", Number::Unsigned(bits.into())),
        ConstantType::Float => ("float", Number::Float(f32::from_bits(bits).into())),
    };
    Some(SpecConstant { id, ty: Numbers::named(name)?, value })
}

fn stage_of(stage: StageKind) -> Option<ShaderStage> {
    Some(match stage {
        StageKind::Vertex => ShaderStage::Vertex,
        StageKind::Fragment => ShaderStage::Fragment,
        StageKind::Geometry => ShaderStage::Geometry,
        StageKind::TessEval => ShaderStage::TessEval,
        StageKind::TessControl => ShaderStage::TessControl,
        StageKind::Compute => ShaderStage::Compute,
        _ => return None,
    })
}

fn kind_of(of: DescriptorOf) -> Option<DescriptorKind> {
    Some(match of {
        DescriptorOf::UniformBuffer => DescriptorKind::Uniform,
        DescriptorOf::StorageBuffer => DescriptorKind::Storage,
        DescriptorOf::SampledImage => DescriptorKind::SampledImage,
        DescriptorOf::CombinedImageSampler => DescriptorKind::CombinedImageSampler,
        DescriptorOf::StorageImage => DescriptorKind::StorageImage,
        DescriptorOf::UniformTexelBuffer => DescriptorKind::UniformTexelBuffer,
        DescriptorOf::StorageTexelBuffer => DescriptorKind::StorageTexelBuffer,
        DescriptorOf::Sampler => return None,
    })
}
