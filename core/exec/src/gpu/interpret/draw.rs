//! The fixed scene in the interpreter: vertices, triangles, fragments, attachments.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::super::GpuError;
use super::super::attachments::CLEAR_DEPTH;
use super::super::inputs::Inputs;
use super::super::pipeline::Stages;
use super::super::position;
use super::super::raster::{drawn, writes_depth};
use super::super::resources::Resources;
use super::super::scene::{self, CLEAR, SAMPLES, SIDE, Slot, VERTICES};
use super::inputs::{AllFilled, fill};
use super::{Before, Launch, Waves, decode, findings, finish, not_launched};
use crate::gpu::addressed::takes_addresses;
use lanescope_base::ids::Hex;
use lanescope_base::text_format::counted;
use lanescope_interpreter::draw::{Attribute, ColorAttachment, FragmentCall, Raster, VertexCall};
use lanescope_interpreter::{self as interpreter, LaneMap, Machine};
use lanescope_model::program::{Program, StageKind};
use lanescope_passes::run::types::ScalarKind;
use lanescope_passes::run::{AttachmentRun, DescribedRun, Dispatch, Run, order_dependence};
use lanescope_spirv::enums::StorageClass;

/// Widths of components that attributes and outputs may have: 16-bit ones have 32 bits outside of the shaders.
const BITS: [u32; 2] = [16, 32];

/// What of a draw runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DrawPlace {
    /// All fragments, after all vertices.
    All,
    /// The wave with the last fragment that covers a pixel, after all vertices. Without a pixel the one in the middle of
    /// the picture, or the first one that is covered.
    Pixel(Option<[u32; 2]>),
    /// The wave of a vertex.
    Vertex(u32),
}

/// The waves of a draw, as text.
pub(super) fn map(vertices: u64, fragments: u32) -> String {
    let vertices = counted(usize::try_from(vertices).unwrap_or(usize::MAX), "wave");
    format!(
        "{vertices} of vertices, {} of fragments in 2×2 quads, in the order of triangles",
        counted(fragments as usize, "wave")
    )
}

/// Says that a described pipeline is drawn with the default state.
pub(super) fn left_of(program: &Program, run: &mut Run) {
    let is_draw = program.stages.iter().any(|stage| stage.stage.is_graphics());
    if is_draw && program.pipeline.is_some() {
        let left = vec![
            "vertex input, rasterization, depth and blend state: the interpreter draws with the default state"
                .to_owned(),
        ];
        run.described = Some(DescribedRun { taken: Vec::new(), left });
    }
}

/// A draw before anything runs.
struct Call<'p> {
    stages: Stages<'p>,
    filled: AllFilled,
    attributes: Vec<Attribute>,
}

impl Launch {
    /// Places a vertex and a fragment shader on the fixed scene (see [`super::super::scene`]): four samples for each
    /// pixel, without culling, depth test and blending. Vertices run here, unless they are what is asked for. The program
    /// has its specialization constants set.
    ///
    /// # Errors
    /// [`GpuError::Unsupported`] with the stage or the instruction that the interpreter does not implement; a pixel that
    /// no fragment covers; what [`Launch::new`] fails with; vertices that do not end within `limit` or the steps of the
    /// options.
    pub fn draw(
        program: &Program,
        wave: u32,
        place: DrawPlace,
        inputs: &Inputs,
        options: interpreter::Options,
        limit: Duration,
    ) -> Result<Launch, GpuError> {
        let Call { stages, mut filled, attributes } = Call::new(program, place, inputs)?;
        let entry = |kind| stages.get(kind).ok_or_else(|| GpuError::Unusable(format!("a {kind} shader is needed")));
        let (module, vertex) = entry(StageKind::Vertex)?;
        let vertices = decode(module, vertex)?;
        // An instruction that is not implemented is an error before anything runs.
        let fragment = stages.get(StageKind::Fragment).map(|(module, entry)| decode(module, entry)).transpose()?;
        let count = VERTICES.len() as u32;
        let only = match place {
            DrawPlace::Vertex(at) if at >= count => {
                return Err(GpuError::Unusable(format!("vertex {at}: the scene has {count} vertices")));
            }
            DrawPlace::Vertex(at) => Some(at / wave.max(1)),
            _ => None,
        };
        let call = VertexCall { count, attributes, wave, only };
        let machine = Machine::vertices(vertices, &filled.inputs, call, &options).map_err(not_launched)?;
        if let DrawPlace::Vertex(at) = place {
            let chosen = (0, at % wave.max(1));
            return Ok(launched(machine, (&stages, vertex.name.clone()), filled, inputs, chosen));
        }
        let fragment = fragment.ok_or_else(|| GpuError::Unusable("a fragment shader is needed".to_owned()))?;
        let ran = finish(&machine, &vertex.name, Instant::now(), limit)?;
        if !ran.is_finished() {
            let steps = options.max_steps;
            return Err(GpuError::NotRun(format!("`{}`: the vertices do not end within {steps} steps", vertex.name)));
        }
        let before = Before {
            entry: vertex.name.clone(),
            findings: findings(&ran, &inputs.names),
            waves: u64::from(count.div_ceil(wave.max(1))),
            steps: ran.steps(),
            lane_steps: ran.lane_steps(),
        };
        filled.take(&ran);
        let raster = Raster::new(&ran, &fragment, [SIDE; 2], SAMPLES).map_err(not_launched)?;
        let (only, lane) = match place {
            DrawPlace::Pixel(pixel) => {
                let number = covering(&raster, pixel)?;
                (Some(number / wave.max(1)), number % wave.max(1))
            }
            _ => (None, 0),
        };
        let (module, fragment_entry) = entry(StageKind::Fragment)?;
        let outputs = scene::slots(module, fragment_entry, StorageClass::Output, &BITS)?;
        let depth = writes_depth(&stages).then_some(CLEAR_DEPTH);
        let colors = outputs.iter().map(|slot| ColorAttachment { location: slot.location, clear: clear(slot.kind) });
        let call = FragmentCall { raster: Arc::clone(&raster), colors: colors.collect(), depth, wave, only };
        let machine = Machine::fragments(fragment, &filled.inputs, call, &options).map_err(not_launched)?;
        let attachments = attachments(&outputs, depth.is_some());
        let launch = launched(machine, (&stages, fragment_entry.name.clone()), filled, inputs, (0, lane));
        Ok(Launch { attachments, raster: Some(raster), before: Some(before), ..launch })
    }
}

impl<'p> Call<'p> {
    fn new(program: &'p Program, place: DrawPlace, inputs: &Inputs) -> Result<Call<'p>, GpuError> {
        let known = [StageKind::Vertex, StageKind::Fragment];
        if let Some(stage) = program.stages.iter().find(|stage| !known.contains(&stage.stage)) {
            let why = format!("the interpreter does not run {} shaders (`{}`)", stage.stage, stage.entry);
            return Err(GpuError::Unsupported(why));
        }
        let stages = match place {
            // A vertex shader alone can be debugged.
            DrawPlace::Vertex(_) => Stages::of(program, &known)?,
            _ => drawn(program)?,
        };
        if let Some((_, _, entry)) = stages.all.iter().find(|(_, module, _)| takes_addresses(module)) {
            let why =
                format!("`{}` uses buffer device addresses from its inputs, which a run cannot provide", entry.name);
            return Err(GpuError::NotRun(why));
        }
        let filled = fill(&Resources::of(&stages.entries())?, inputs)?;
        let slots = stages.slots(StageKind::Vertex, StorageClass::Input, &BITS)?;
        let can_be = |location: &u32| slots.iter().any(|slot| slot.location == *location && position::can_be(slot));
        let position = inputs.position.filter(can_be).or_else(|| position::position_of(program));
        let attributes = slots.iter().map(|slot| attribute(slot, position, inputs.fill)).collect();
        Ok(Call { stages, filled, attributes })
    }
}

/// The values of an attribute, as its format gives them to the shader.
fn attribute(slot: &Slot, position: Option<u32>, seed: u64) -> Attribute {
    let place = (Some(slot.location) == position).then_some(slot.components == 4);
    let one = match slot.kind {
        ScalarKind::Float => 1f32.to_bits(),
        _ => 1,
    };
    let of = |vertex: usize| {
        let values = scene::values(vertex, slot.location, slot.kind, place, seed);
        let mut out = [0, 0, 0, one];
        for (out, value) in out.iter_mut().zip(values).take(slot.components as usize) {
            *out = scene::word(slot.kind, value);
        }
        out
    };
    Attribute { location: slot.location, values: (0..VERTICES.len()).map(of).collect() }
}

/// The number of the last fragment that covers a pixel.
fn covering(raster: &Raster, pixel: Option<[u32; 2]>) -> Result<u32, GpuError> {
    let nothing = || {
        let why = "no fragment covers a pixel: the vertex shader places all triangles outside of the picture";
        GpuError::Unusable(why.to_owned())
    };
    let middle = [SIDE / 2; 2];
    let chosen = match pixel {
        Some(pixel) => pixel,
        None if raster.at(middle).is_empty() => raster.first_pixel().ok_or_else(nothing)?,
        None => middle,
    };
    let [x, y] = chosen;
    if x >= SIDE || y >= SIDE {
        return Err(GpuError::Unusable(format!("pixel {x},{y}: the picture has {SIDE}×{SIDE} pixels")));
    }
    if let Some(last) = raster.at(chosen).last() {
        return Ok(last.number);
    }
    let [fx, fy] = raster.first_pixel().ok_or_else(nothing)?;
    let count = raster.covered_pixels();
    Err(GpuError::Unusable(format!(
        "pixel {x},{y}: no fragment covers it; {} covered, the first one is {fx},{fy}",
        if count == 1 { "1 pixel is".to_owned() } else { format!("{count} pixels are") }
    )))
}

fn clear(kind: ScalarKind) -> [u32; 4] {
    match kind {
        ScalarKind::Float => CLEAR.0.map(f32::to_bits),
        _ => CLEAR.1,
    }
}

/// The attachments of outputs, before anything is known of their contents.
fn attachments(outputs: &[Slot], depth: bool) -> Vec<AttachmentRun> {
    let row = |name: String, location, kind| AttachmentRun {
        name,
        location,
        size: [SIDE, SIDE],
        samples: SAMPLES,
        kind,
        bytes: u64::from(SIDE * SIDE * SAMPLES) * 16,
        hash: Hex(0),
    };
    let colors = outputs.iter().map(|slot| row(format!("color{}", slot.location), Some(slot.location), slot.kind));
    colors.chain(depth.then(|| row("depth".to_owned(), None, ScalarKind::Float))).collect()
}

fn launched(
    machine: Machine,
    (stages, entry): (&Stages<'_>, String),
    filled: AllFilled,
    inputs: &Inputs,
    chosen: (u32, u32),
) -> Launch {
    let waves = machine.lane_map();
    let lanes = LaneMap { subgroup_size: waves.first().map_or(1, Vec::len) as u32, waves };
    let how = match machine.program().stage() {
        StageKind::Fragment => "2×2 quads in the order of triangles",
        _ => "consecutive vertices",
    };
    let mut order_dependent = Vec::new();
    for why in stages.all.iter().flat_map(|(_, module, entry)| order_dependence(module, entry)) {
        if !order_dependent.contains(&why) {
            order_dependent.push(why);
        }
    }
    Launch {
        entry,
        dispatch: Dispatch { groups: machine.groups(), reason: "the waves of a draw".to_owned() },
        waves: Waves { lanes, how: how.to_owned() },
        names: inputs.names.clone(),
        raster: None,
        chosen,
        buffers: filled.buffers,
        images: filled.images,
        attachments: Vec::new(),
        order_dependent,
        before: None,
        machine,
    }
}
