//! Pipelines.

use super::tokens::Token;
use super::{Named, Read, Reader, quoted};
use crate::script::ShaderStage;
use crate::script::pipeline::{
    Argument, Attachment, BoundBuffer, BoundSampler, BoundStructure, BufferRole, DescriptorKind, KernelValue, Pipeline,
    PipelineKind, Rate, SamplerPlace, ShaderOptions, SpecConstant, Subgroup, SubgroupSize, VertexData,
};
use crate::script::state::PolygonMode;
use crate::types::{Numbers, Scalar};

impl Reader<'_> {
    pub(super) fn pipeline(&mut self) -> Read<()> {
        let line = self.line();
        let kind = self.one_of("a kind of pipeline", PipelineKind::ALL, PipelineKind::name)?;
        let name = self.word("the name of a pipeline")?.to_owned();
        self.end()?;
        self.contents(Pipeline::new(line, kind, name))
    }

    pub(super) fn derived_pipeline(&mut self) -> Read<()> {
        let line = self.line();
        let name = self.word("the name of a pipeline")?.to_owned();
        self.keyword("FROM")?;
        let (parent, index) = self.known_name(Named::Pipeline)?;
        self.end()?;
        let mut pipeline = Pipeline::new(line, self.script.pipelines[index].kind, name);
        pipeline.parent = Some(parent);
        self.contents(pipeline)
    }

    fn contents(&mut self, mut out: Pipeline) -> Read<()> {
        while let Some(word) = self.in_block("PIPELINE")? {
            self.statement_of(&mut out, word)?;
        }
        self.declare(Named::Pipeline, out.name.clone(), self.script.pipelines.len())?;
        self.script.pipelines.push(out);
        self.end()
    }

    fn statement_of(&mut self, out: &mut Pipeline, word: &str) -> Read<()> {
        match word {
            "ATTACH" => self.attach(out),
            "SHADER_OPTIMIZATION" => {
                let options = self.shader_options(word)?;
                out.optimizations.push(options);
                self.end()
            }
            "COMPILE_OPTIONS" => {
                let options = self.shader_options(word)?;
                out.compile_options.push(options);
                self.end()
            }
            "SUBGROUP" => self.subgroup(out),
            "FRAMEBUFFER_SIZE" => {
                out.framebuffer = Some([self.positive("a width")?, self.positive("a height")?]);
                self.end()
            }
            "VIEWPORT" => {
                out.viewport = Some(self.viewport()?);
                self.end()
            }
            "POLYGON_MODE" => {
                out.polygon_mode = Some(self.one_of("a polygon mode", PolygonMode::ALL, PolygonMode::name)?);
                self.end()
            }
            "PATCH_CONTROL_POINTS" => {
                out.patch_control_points = Some(self.positive("a count of control points")?);
                self.end()
            }
            "DEPTH" => self.depth(out),
            "STENCIL" => self.stencil(out),
            "BLEND" => self.blend(out),
            "BIND" => self.bind(out),
            "VERTEX_DATA" => self.vertex_data(out),
            "INDEX_DATA" => {
                out.index_data = Some(self.known_name(Named::Buffer)?.0);
                self.end()
            }
            "SET" => self.kernel_value(out),
            _ => self.ray_statement(out, word),
        }
    }

    fn attach(&mut self, out: &mut Pipeline) -> Read<()> {
        let line = self.line();
        let (shader, index) = self.known_name(Named::Shader)?;
        let stages = ShaderStage::ALL;
        let stage = if self.eat("TYPE")? { Some(self.one_of("a stage", stages, ShaderStage::name)?) } else { None };
        let entry = if self.eat("ENTRY_POINT")? { Some(self.word("an entry point")?.to_owned()) } else { None };
        if stage.is_some() && entry.is_none() {
            return Err(self.wrong("ENTRY_POINT after TYPE", self.tokens.peek()?.called()));
        }
        let stage_of = stage.unwrap_or(self.script.shaders[index].stage);
        if stage_of == ShaderStage::Multi {
            return Err(self.wrong("TYPE with another stage for a multi shader", self.tokens.peek()?.called()));
        }
        let mut constants = Vec::new();
        while self.eat("SPECIALIZE")? {
            constants.push(self.constant()?);
        }
        out.shaders.push(Attachment { line, shader, stage, entry, constants });
        self.end()
    }

    fn constant(&mut self) -> Read<SpecConstant> {
        let id = self.count("the number of a constant")?;
        self.keyword("AS")?;
        let ty = self.scalar()?;
        if !matches!(ty.scalar, Scalar::Int32 | Scalar::Uint32 | Scalar::Float) {
            return Err(self.wrong("int32, uint32 or float", quoted(&ty.to_string())));
        }
        let value = self.number("a number")?;
        if !ty.scalar.is_float() && value.integer().is_none() {
            return Err(self.wrong(format!("a number of {ty}"), quoted(&value.to_string())));
        }
        Ok(SpecConstant { id, ty, value })
    }

    fn scalar(&mut self) -> Read<Numbers> {
        let name = self.word("a type")?;
        let numbers = Numbers::named(name).filter(|of| (of.rows, of.columns, of.array) == (1, 1, false));
        numbers.ok_or_else(|| self.wrong("the type of one number", quoted(name)))
    }

    fn shader_options(&mut self, block: &str) -> Read<ShaderOptions> {
        let line = self.line();
        let (shader, _) = self.known_name(Named::Shader)?;
        self.end()?;
        let mut options = Vec::new();
        while let Some(option) = self.in_block(block)? {
            options.push(option.to_owned());
        }
        Ok(ShaderOptions { line, shader, options })
    }

    fn subgroup(&mut self, out: &mut Pipeline) -> Read<()> {
        let line = self.line();
        let (shader, _) = self.known_name(Named::Shader)?;
        let mut own = Subgroup { line, shader, fully_populated: None, varying_size: None, required_size: None };
        while let Some(word) = self.in_block("SUBGROUP")? {
            match word {
                "FULLY_POPULATED" => own.fully_populated = Some(self.switch(word)?),
                "VARYING_SIZE" => own.varying_size = Some(self.switch(word)?),
                "REQUIRED_SIZE" => {
                    own.required_size =
                        Some(match self.tokens.peek()? {
                            Token::Number(_) => SubgroupSize::Lanes(self.positive("a count of lanes")?),
                            _ => self.one_of("a count of lanes", &[SubgroupSize::Min, SubgroupSize::Max], |size| {
                                match size {
                                    SubgroupSize::Min => "MIN",
                                    _ => "MAX",
                                }
                            })?,
                        });
                }
                other => return Err(self.wrong("FULLY_POPULATED, VARYING_SIZE, REQUIRED_SIZE or END", quoted(other))),
            }
        }
        out.subgroups.push(own);
        self.end()
    }

    fn vertex_data(&mut self, out: &mut Pipeline) -> Read<()> {
        let line = self.line();
        let (buffer, _) = self.known_name(Named::Buffer)?;
        self.keyword("LOCATION")?;
        let location = self.count("a location")?;
        let mut own = VertexData { line, buffer, location, rate: None, format: None, offset: None, stride: None };
        while let Some(option) = self.option()? {
            match option {
                "RATE" => own.rate = Some(self.one_of("a rate", Rate::ALL, Rate::name)?),
                "FORMAT" => own.format = Some(self.image_format()?),
                "OFFSET" => own.offset = Some(self.count("an offset in bytes")?),
                "STRIDE" => own.stride = Some(self.positive("a stride in bytes")?),
                other => return Err(self.wrong("RATE, FORMAT, OFFSET or STRIDE", quoted(other))),
            }
        }
        out.vertex_data.push(own);
        self.end()
    }

    fn argument(&mut self) -> Read<Argument> {
        Ok(match self.one_of("an argument", &["ARG_NAME", "ARG_NUMBER"], |word| word)? {
            "ARG_NAME" => Argument::Name(self.word("the name of an argument")?.to_owned()),
            _ => Argument::Number(self.count("the number of an argument")?),
        })
    }

    fn kernel_value(&mut self, out: &mut Pipeline) -> Read<()> {
        let line = self.line();
        self.keyword("KERNEL")?;
        let argument = self.argument()?;
        self.keyword("AS")?;
        let (ty, value) = (self.scalar()?, self.number("a number")?);
        if !ty.scalar.is_float() && value.integer().is_none() {
            return Err(self.wrong(format!("a number of {ty}"), quoted(&value.to_string())));
        }
        out.arguments.push(KernelValue { line, argument, ty, value });
        self.end()
    }

    fn bind(&mut self, out: &mut Pipeline) -> Read<()> {
        let line = self.line();
        let all = ["BUFFER", "BUFFER_ARRAY", "SAMPLER", "SAMPLER_ARRAY", "ACCELERATION_STRUCTURE"];
        match self.one_of("what is bound", &all, |word| word)? {
            word @ ("BUFFER" | "BUFFER_ARRAY") => {
                let buffers = self.names(Named::Buffer, word == "BUFFER_ARRAY")?;
                let role = self.role(buffers.len())?;
                out.bind(BoundBuffer { line, buffers, role });
            }
            word @ ("SAMPLER" | "SAMPLER_ARRAY") => {
                let samplers = self.names(Named::Sampler, word == "SAMPLER_ARRAY")?;
                let place = if self.eat("KERNEL")? {
                    SamplerPlace::Argument(self.argument()?)
                } else {
                    let (set, binding) = self.descriptor()?;
                    SamplerPlace::Descriptor { set, binding }
                };
                out.samplers.push(BoundSampler { line, samplers, place });
            }
            _ => {
                let (structure, _) = self.known_name(Named::TopLevel)?;
                let (set, binding) = self.descriptor()?;
                out.structures.push(BoundStructure { line, structure, set, binding });
            }
        }
        self.end()
    }

    /// One name, or the names of an array.
    fn names(&mut self, named: Named, is_array: bool) -> Read<Vec<String>> {
        let mut out = vec![self.known_name(named)?.0];
        while is_array && !matches!(self.tokens.peek()?, Token::Word("AS" | "KERNEL" | "DESCRIPTOR_SET")) {
            out.push(self.known_name(named)?.0);
        }
        if is_array && out.len() < 2 {
            return Err(self.wrong("two names or more", "one"));
        }
        Ok(out)
    }

    fn descriptor(&mut self) -> Read<(u32, u32)> {
        self.keyword("DESCRIPTOR_SET")?;
        let set = self.count("a descriptor set")?;
        self.keyword("BINDING")?;
        Ok((set, self.count("a binding")?))
    }

    /// What buffers are bound as.
    fn role(&mut self, buffers: usize) -> Read<BufferRole> {
        if !self.eat("AS")? {
            self.keyword("KERNEL")?;
            return Ok(BufferRole::Argument { kind: None, argument: self.argument()? });
        }
        let attachment = match self.tokens.peek()? {
            Token::Word("color") => {
                self.tokens.next()?;
                self.keyword("LOCATION")?;
                Some(BufferRole::Color { location: self.count("a location")?, mip_level: self.mip_level()? })
            }
            Token::Word("depth_stencil") => Some(BufferRole::DepthStencil),
            Token::Word("resolve") => Some(BufferRole::Resolve),
            Token::Word("push_constant") => Some(BufferRole::PushConstant),
            _ => None,
        };
        match attachment {
            Some(_) if buffers > 1 => Err(self.wrong("a descriptor for an array", "an attachment or push constants")),
            Some(color @ BufferRole::Color { .. }) => Ok(color),
            Some(other) => self.tokens.next().map(|_| other),
            None => self.bound_descriptor(buffers),
        }
    }

    fn mip_level(&mut self) -> Read<Option<u32>> {
        if self.eat("BASE_MIP_LEVEL")? { self.count("a mip level").map(Some) } else { Ok(None) }
    }

    fn bound_descriptor(&mut self, buffers: usize) -> Read<BufferRole> {
        let kind = self.one_of(
            "color, depth_stencil, resolve, push_constant or a descriptor",
            DescriptorKind::ALL,
            DescriptorKind::name,
        )?;
        let sampler = match kind {
            DescriptorKind::CombinedImageSampler => {
                self.keyword("SAMPLER")?;
                Some(self.known_name(Named::Sampler)?.0)
            }
            _ => None,
        };
        if self.eat("KERNEL")? {
            return match sampler {
                None => Ok(BufferRole::Argument { kind: Some(kind), argument: self.argument()? }),
                Some(_) => Err(self.wrong("DESCRIPTOR_SET after a combined image sampler", "`KERNEL`")),
            };
        }
        let (set, binding) = self.descriptor()?;
        let mip_level = if kind.is_image() { self.mip_level()? } else { None };
        let (mut dynamic_offsets, mut offsets, mut ranges) = (Vec::new(), Vec::new(), Vec::new());
        if kind.is_dynamic() {
            self.keyword("OFFSET")?;
            for _ in 0..buffers {
                dynamic_offsets.push(self.count("an offset in bytes")?);
            }
        }
        if kind.is_plain() && self.eat("DESCRIPTOR_OFFSET")? {
            for _ in 0..buffers {
                offsets.push(self.wide_count("an offset in bytes")?);
            }
        }
        if kind.is_plain() && self.eat("DESCRIPTOR_RANGE")? {
            for _ in 0..buffers {
                ranges.push(self.wide_count("a range in bytes")?);
            }
        }
        Ok(BufferRole::Descriptor { kind, sampler, set, binding, mip_level, dynamic_offsets, offsets, ranges })
    }
}
