//! Draws: vertices, attachments, and what clears them.

use super::{Done, Execute, Runner, Stop};
use lanescope_amber::check::texels;
use lanescope_amber::script::command::{RunKind, Topology as ScriptTopology};
use lanescope_amber::script::pipeline::{BufferRole, Pipeline, Rate};
use lanescope_amber::types::format::Mode;
use lanescope_amber::types::{DataType, ImageFormat, Scalar};
use lanescope_pipeline::vulkan::{InputRate, VkFormat};
use lanescope_pipeline::{VertexAttribute, VertexBinding, VertexInput};
use lanescope_run::Blob;
use lanescope_run::inputs::{
    AttachmentContents, DrawInputs, IndexBits, Indices, Topology, VertexBuffer, Vertices, Viewport,
};

/// The most cells of a grid.
const MAX_CELLS: u64 = 1 << 16;

impl<X: Execute> Runner<'_, X> {
    /// What a command draws.
    pub(super) fn draw(&self, line: u32, pipeline: &Pipeline, kind: &RunKind) -> Done<DrawInputs, X> {
        let size = pipeline.framebuffer_size();
        let viewport = pipeline.viewport.as_ref().map(|own| Viewport {
            at: own.at,
            size: own.size,
            depth: [own.min_depth.unwrap_or(0.0), own.max_depth.unwrap_or(1.0)],
        });
        let mut out = DrawInputs { size: Some(size), viewport, ..DrawInputs::default() };
        match kind {
            RunKind::DrawRect { at, size: sides } => {
                let [x0, y0, x1, y1] = corners(*at, *sides, size);
                out.topology = Some(topology(ScriptTopology::TriangleStrip));
                out.vertices = Some(positions(&[[x0, y1], [x0, y0], [x1, y1], [x1, y0]]));
            }
            RunKind::DrawGrid { at, size: sides, cells } => {
                if u64::from(cells[0]) * u64::from(cells[1]) > MAX_CELLS {
                    return Err(Stop::not_possible(line, format!("DRAW_GRID of more than {MAX_CELLS} cells")));
                }
                out.topology = Some(topology(ScriptTopology::TriangleList));
                out.vertices = Some(positions(&grid(corners(*at, *sides, size), *cells)));
            }
            RunKind::DrawArray { topology: own, indexed, start, count, start_instance, instances } => {
                out.topology = Some(topology(*own));
                out.vertices = Some(self.vertices(pipeline)?);
                out.indices = if *indexed { Some(self.indices(line, pipeline)?) } else { None };
                out.first = start.unwrap_or(0);
                out.count = *count;
                out.first_instance = start_instance.unwrap_or(0);
                out.instances = *instances;
                if out.count.is_none() && !*indexed {
                    // As many as the first buffer has elements, whatever the strides.
                    let first = pipeline.vertex_data.first().and_then(|data| self.elements(&data.buffer));
                    let rest = first.and_then(|elements| elements.checked_sub(out.first)).filter(|rest| *rest > 0);
                    out.count = Some(rest.ok_or_else(|| Stop::not_possible(line, "DRAW_ARRAY without vertices"))?);
                }
            }
            RunKind::Compute { .. } | RunKind::Rays { .. } => {}
        }
        out.attachments = self.attachments(line, pipeline)?;
        Ok(out)
    }

    fn elements(&self, buffer: &str) -> Option<u32> {
        let size = self.layouts.get(buffer)?.size.max(1);
        u32::try_from(self.buffers.get(buffer)?.bytes.len()).ok().map(|bytes| bytes / size)
    }

    /// The vertex buffers, a binding for each attribute.
    fn vertices(&self, pipeline: &Pipeline) -> Done<Vertices, X> {
        let mut out = Vertices::default();
        out.input.from = format!("line {}", pipeline.line.0);
        for (binding, data) in (0..).zip(&pipeline.vertex_data) {
            let not = |why: &str| Stop::not_possible(data.line.0, format!("VERTEX_DATA {}: {why}", data.buffer));
            let buffer = self.script.buffer(&data.buffer).ok_or_else(|| not("it is not declared"))?;
            let held = self.buffers.get(data.buffer.as_str()).ok_or_else(|| not("it is not declared"))?;
            let ty = data.format.as_ref().unwrap_or(&buffer.ty);
            let format = ty.format_name().and_then(|name| VkFormat::named(&name));
            let format = format.ok_or_else(|| not("its type is not a format of attributes"))?;
            let size = self.script.layout(ty, buffer.packing()).map_err(|why| not(&why))?.size;
            let stride = data.stride.unwrap_or(size);
            let rate = InputRate(i32::from(data.rate == Some(Rate::Instance)));
            out.input.bindings.push(VertexBinding { binding, stride, rate, divisor: None });
            let offset = data.offset.unwrap_or(0);
            out.input.attributes.push(VertexAttribute { location: data.location, binding, format, offset });
            self.give(data.line.0, held.bytes.len())?;
            out.buffers.push(VertexBuffer { binding, bytes: Blob(held.bytes.clone()) });
        }
        Ok(out)
    }

    fn indices(&self, line: u32, pipeline: &Pipeline) -> Done<Indices, X> {
        let not = |why: &str| Err(Stop::not_possible(line, format!("INDEXED: {why}")));
        let Some(name) = &pipeline.index_data else { return not("the pipeline has no INDEX_DATA") };
        let (Some(buffer), Some(held)) = (self.script.buffer(name), self.buffers.get(name.as_str())) else {
            return not("the buffer is not declared");
        };
        let scalar = match &buffer.ty {
            DataType::Numbers(numbers) if (numbers.rows, numbers.columns) == (1, 1) => numbers.scalar,
            DataType::Format(format) => match format.to_string().as_str() {
                "R16_UINT" => Scalar::Uint16,
                "R32_UINT" => Scalar::Uint32,
                _ => return not("indices are of 16 or 32 bits"),
            },
            _ => return not("indices are of 16 or 32 bits"),
        };
        // An index has 32 bits here, whatever it has there.
        let wider = if matches!(scalar, Scalar::Uint16 | Scalar::Int16) { 2 } else { 1 };
        self.give(line, held.bytes.len() * wider)?;
        let values: (IndexBits, Vec<u32>) = match scalar {
            Scalar::Uint16 | Scalar::Int16 => {
                let words = held.bytes.as_chunks::<2>().0.iter();
                (IndexBits::Short, words.map(|word| u32::from(u16::from_le_bytes(*word))).collect())
            }
            Scalar::Uint32 | Scalar::Int32 => {
                (IndexBits::Word, held.bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect())
            }
            _ => return not("indices are of 16 or 32 bits"),
        };
        Ok(Indices { bits: values.0, values: values.1 })
    }

    /// What the attachments hold. A color attachment that a script does not bind has nothing that it checks.
    fn attachments(&self, line: u32, pipeline: &Pipeline) -> Done<Vec<AttachmentContents>, X> {
        let mut out = Vec::new();
        for bound in &pipeline.buffers {
            let location = match bound.role {
                BufferRole::Color { location, .. } => Some(location),
                BufferRole::DepthStencil => None,
                BufferRole::Resolve => return Err(Stop::not_possible(bound.line.0, "BIND BUFFER … AS resolve")),
                _ => continue,
            };
            let Some(name) = bound.buffers.first() else { continue };
            let (Some(buffer), Some(held)) = (self.script.buffer(name), self.buffers.get(name.as_str())) else {
                continue;
            };
            let not = |why: String| Stop::not_possible(bound.line.0, format!("attachment `{name}`: {why}"));
            if buffer.samples() > 1 {
                return Err(not("SAMPLES above 1".to_owned()));
            }
            let Some(format) = &buffer.ty.image_format() else { return Err(not("it has no format".to_owned())) };
            let tests_depth = pipeline.depth.as_ref().is_some_and(|depth| depth.test == Some(true));
            if location.is_none() && tests_depth && !format.to_string().starts_with("D32_SFLOAT") {
                return Err(not(format!("the depth test of {format}: a run tests depths of D32_SFLOAT")));
            }
            if location.is_none() && pipeline.stencil.iter().any(|stencil| stencil.test == Some(true)) {
                return Err(Stop::not_possible(bound.line.0, "the stencil test with contents of the attachment"));
            }
            if held.extent.is_none() {
                return Err(not("it has no WIDTH and HEIGHT".to_owned()));
            }
            let size = format.size().max(1) as usize;
            let level = super::drawn_level(&bound.role).unwrap_or(0);
            let (Some(extent), Some(held)) = (held.extent_of(level), held.level(level)) else {
                return Err(not(format!("BASE_MIP_LEVEL {level}: it has {} levels", held.levels())));
            };
            if extent[..2] != pipeline.framebuffer_size() {
                return Err(Stop::not_possible(
                    line,
                    format!("attachment `{name}` of another size than the framebuffer"),
                ));
            }
            // A texel has four words here.
            self.give(bound.line.0, (held.len() / size).saturating_mul(16))?;
            let mut bytes = Vec::with_capacity(held.len() / size * 16);
            for texel in held.chunks_exact(size) {
                let words = texels::words(texel, format).filter(|words| texels::bytes(*words, format).is_some());
                let words = words.ok_or_else(|| not(format!("format {format}")))?;
                bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
            }
            out.push(AttachmentContents { location, bytes: Blob(bytes), per_pixel: false });
        }
        Ok(out)
    }

    /// Clears the attachments of a pipeline.
    pub(super) fn clear(&mut self, line: u32, pipeline: &str) -> Done<(), X> {
        let clear = self.clears.get(pipeline).copied().unwrap_or_default();
        let Some(pipeline) = self.script.resolved(pipeline) else {
            return Err(Stop::not_possible(line, format!("no pipeline `{pipeline}`")));
        };
        for bound in &pipeline.buffers {
            let is_color = match bound.role {
                BufferRole::Color { .. } => true,
                BufferRole::DepthStencil => false,
                _ => continue,
            };
            let Some(name) = bound.buffers.first() else { continue };
            let Some(format) = &self.script.buffer(name).and_then(|buffer| buffer.ty.image_format()) else { continue };
            let words = match is_color {
                true => clear.color.map(|byte| (f32::from(byte) / 255.0).to_bits()),
                false => [clear.depth.to_bits(), 0, 0, 0],
            };
            // Of integers a color of 255 has no meaning but 0.
            let is_zero = || clear.color.iter().take(format.components.len()).all(|byte| *byte == 0);
            let texel = match is_integer(format) {
                true => is_zero().then(|| vec![0; format.size() as usize]),
                false => texels::bytes(words, format),
            };
            let is_stencil = !is_color && clear.stencil != 0;
            let Some(texel) = texel.filter(|texel| !texel.is_empty() && !is_stencil) else {
                return Err(Stop::not_possible(line, format!("CLEAR of an attachment of format {format}")));
            };
            let level = super::drawn_level(&bound.role).unwrap_or(0);
            if let Some(bytes) = self.buffers.get_mut(name.as_str()).and_then(|held| held.level_mut(level)) {
                *bytes = texel.repeat(bytes.len() / texel.len());
            }
        }
        Ok(())
    }
}

fn is_integer(format: &ImageFormat) -> bool {
    let is_color = !format.is_depth_stencil();
    is_color && format.components.iter().any(|one| matches!(one.mode, Mode::Uint | Mode::Sint))
}

fn topology(topology: ScriptTopology) -> Topology {
    Topology::named(topology.name()).unwrap_or_default()
}

/// The edges of a rectangle of pixels, from -1 to 1 in the framebuffer: left, upper, right, lower.
fn corners(at: [u32; 2], sides: [u32; 2], size: [u32; 2]) -> [f32; 4] {
    let [x, y] = [0, 1].map(|axis| at[axis] as f32 / size[axis] as f32 * 2.0 - 1.0);
    let [width, height] = [0, 1].map(|axis| sides[axis] as f32 / size[axis] as f32 * 2.0);
    [x, y, x + width, y + height]
}

/// Two triangles for each cell, row by row.
fn grid([x, y, right, lower]: [f32; 4], [columns, rows]: [u32; 2]) -> Vec<[f32; 2]> {
    let (width, height) = ((right - x) / columns as f32, (lower - y) / rows as f32);
    let mut out = Vec::new();
    for row in 0..rows {
        for column in 0..columns {
            let [x0, x1] = [column, column + 1].map(|column| x + width * column as f32);
            let [y0, y1] = [row, row + 1].map(|row| y + height * row as f32);
            out.extend([[x1, y1], [x0, y1], [x0, y0], [x1, y1], [x0, y0], [x1, y0]]);
        }
    }
    out
}

/// Positions of two numbers at location 0.
fn positions(all: &[[f32; 2]]) -> Vertices {
    let format = VkFormat::named("R32G32_SFLOAT").unwrap_or_default();
    let input = VertexInput {
        from: "DRAW".to_owned(),
        bindings: vec![VertexBinding { binding: 0, stride: 8, rate: InputRate(0), divisor: None }],
        attributes: vec![VertexAttribute { location: 0, binding: 0, format, offset: 0 }],
    };
    let bytes = all.iter().flatten().flat_map(|number| number.to_le_bytes()).collect();
    Vertices { input, buffers: vec![VertexBuffer { binding: 0, bytes: Blob(bytes) }] }
}
