//! Waves of fragments: their inputs from the raster, their outputs into attachments.

use std::sync::Arc;

use super::output::{self, Blend, Channel, DepthBias, DepthTest};
use super::primitive::{Primitive, Weights, interpolate};
use super::raster::{Fragment, Raster};
use super::stream::Links;
use crate::code::{Interpolant, Interpolate, InterpolateAt};
use crate::exec::wave::{Lanes, Wave};
use crate::kernels::float::{Half, Real};
use crate::memory::Object;
use crate::program::{At, InterfaceScalar, Interpolation, Program};
use crate::stages::Rate;
use lanescope_spirv::enums::BuiltIn;

/// A colour attachment: four 32-bit components for each sample.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ColorAttachment {
    /// The location.
    pub location: u32,
    /// The bits that every sample starts with.
    pub clear: [u32; 4],
    /// What its format holds.
    pub channels: [Channel; 4],
    /// How outputs are combined with what it holds; absent where they replace it.
    pub blend: Option<Blend>,
    /// The channels that are written.
    pub mask: [bool; 4],
}

impl ColorAttachment {
    /// An attachment of 32-bit channels that outputs replace.
    pub fn plain(location: u32, clear: [u32; 4]) -> ColorAttachment {
        ColorAttachment { location, clear, channels: [Channel::Full; 4], blend: None, mask: [true; 4] }
    }
}

/// The fragments of a draw.
#[derive(Debug, Clone)]
pub struct FragmentCall {
    /// Where they are.
    pub raster: Arc<Raster>,
    /// Colour attachments. An output without one is dropped.
    pub colors: Vec<ColorAttachment>,
    /// What attachments hold instead of their clear values, by location and of the depth: row by row, the samples of a
    /// pixel together, 16 bytes each.
    pub contents: Vec<(Option<u32>, Arc<[u8]>)>,
    /// The depth that every sample starts with, where there is a depth attachment: its first component. The others are 0, 0
    /// and 1, as a shader samples them.
    pub depth: Option<f32>,
    /// What is added to depths, but not to a shader's own.
    pub bias: Option<DepthBias>,
    /// The depth test. Without one only a shader's own depths are written.
    pub test: Option<DepthTest>,
    /// The samples that may be written, as bits.
    pub sample_mask: u32,
    /// Lanes of a wave: a power of two from 4 to 64.
    pub wave: u32,
    /// The only wave that runs; absent for all of them.
    pub only: Option<u32>,
}

/// What a lane of a wave of fragments is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct FragmentAt {
    /// The pixel: column and row.
    pub pixel: [u32; 2],
    /// The primitive of the draw, from 0.
    pub triangle: u32,
    /// Whether it is a helper invocation.
    pub helper: bool,
    /// The sample that it is shaded at, where the shader runs for each sample.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sample: Option<u32>,
    /// The samples that it covers, as bits.
    pub coverage: u32,
}

/// Fragments in waves.
#[derive(Debug)]
pub(crate) struct FragmentWork {
    pub call: FragmentCall,
    /// The objects of the colour attachments, in their order.
    pub colors: Vec<usize>,
    /// The object of the depth.
    pub depth: Option<usize>,
    links: Links,
}

impl FragmentWork {
    pub fn new(program: &Program, call: FragmentCall, colors: Vec<usize>, depth: Option<usize>) -> FragmentWork {
        let links = Links::new(program, &call.raster.stream);
        FragmentWork { call, colors, depth, links }
    }

    /// The fragments of a wave.
    fn all(&self, group: u64, size: usize) -> &[Fragment] {
        let fragments = &self.call.raster.fragments;
        let first = usize::try_from(group).unwrap_or(usize::MAX).saturating_mul(size).min(fragments.len());
        &fragments[first..(first + size).min(fragments.len())]
    }

    pub fn lanes(&self, group: u64, size: usize) -> Lanes {
        let all = self.all(group, size);
        let helper = |(lane, fragment): (usize, &Fragment)| u64::from(fragment.coverage == 0) << lane;
        let helpers = all.iter().enumerate().map(helper).fold(0, |all, one| all | one);
        super::first_lanes(size, all.len(), helpers)
    }

    /// What a lane is.
    pub fn at(&self, group: u64, lane: usize, wave: &Wave) -> Option<FragmentAt> {
        let fragment = self.all(group, wave.lanes.invocations.len()).get(lane)?;
        Some(FragmentAt {
            pixel: fragment.pixel,
            triangle: self.call.raster.number_of(fragment.triangle),
            helper: wave.helpers >> lane & 1 == 1,
            sample: fragment.sample,
            coverage: fragment.coverage,
        })
    }

    /// The pixel and the primitive of a lane.
    pub fn pixel(&self, group: u64, lane: usize, size: usize) -> Option<([u32; 2], u32)> {
        let fragment = self.all(group, size).get(lane)?;
        Some((fragment.pixel, self.call.raster.number_of(fragment.triangle)))
    }

    pub fn fill(&self, program: &Program, group: u64, lanes: &Lanes, regs: &mut [u64]) {
        let raster = &*self.call.raster;
        let size = lanes.invocations.len();
        for (lane, fragment) in self.all(group, size).iter().enumerate() {
            let Some(primitive) = raster.primitives.get(fragment.triangle as usize) else { continue };
            let mut places = Places::of(fragment, primitive, raster);
            places.own.z += self.bias(primitive);
            for input in &program.inputs {
                if let Some(values) = places.builtin(input.builtin, fragment, (primitive, raster)) {
                    for (slot, value) in (input.slot..input.slot + input.n).zip(values) {
                        regs[slot as usize * size + lane] = value;
                    }
                }
            }
            for (at, scalar) in program.varyings.iter().enumerate() {
                let Some(values) = self.values(primitive, at, scalar) else { continue };
                regs[scalar.slot as usize * size + lane] = places.value(scalar, values);
            }
        }
    }

    /// The values of an input at the vertices of a primitive.
    fn values(&self, primitive: &Primitive, at: usize, scalar: &InterfaceScalar) -> Option<[u64; 3]> {
        let (stream, column) = (&self.call.raster.stream, self.links.column(at)?);
        Some(match scalar.rate {
            Rate::Vertex => primitive.vertices.map(|vertex| stream.value(vertex, column)),
            Rate::Primitive => [stream.own_value(primitive.number, column); 3],
        })
    }

    /// Interpolates an input at another place of the pixel, for the lanes of the exec mask.
    pub fn interpolate(&self, program: &Program, group: u64, wave: &mut Wave, op: &Interpolate) {
        let raster = &*self.call.raster;
        let mask = wave.exec();
        let size = mask.lanes;
        for (lane, fragment) in self.all(group, size).iter().enumerate() {
            let Some(primitive) = raster.primitives.get(fragment.triangle as usize) else { continue };
            if mask.bits >> lane & 1 == 0 {
                continue;
            }
            let pixel = fragment.pixel.map(f64::from);
            let register = |slot: u32| wave.regs[slot as usize * size + lane];
            let [x, y] = match op.place {
                InterpolateAt::Centroid => inside(fragment, raster),
                InterpolateAt::Sample(slot) => location(register(slot) as u32, raster),
                InterpolateAt::Offset(slot) => {
                    [slot, slot + 1].map(|slot| 0.5 + f32::load(register(slot)).wide().clamp(-16.0, 16.0))
                }
            };
            let weights = primitive.weights([pixel[0] + x, pixel[1] + y], raster.size);
            let first = match op.input {
                Interpolant::Slot(slot) => u64::from(slot),
                Interpolant::Pointer(slot) => register(slot),
            };
            for scalar in 0..op.n {
                wave.regs[(op.dst + scalar) as usize * size + lane] = 0;
            }
            for (number, scalar) in program.varyings.iter().enumerate() {
                let at = u64::from(scalar.slot).checked_sub(first).filter(|at| *at < u64::from(op.n));
                let Some(at) = at.and_then(|at| u32::try_from(at).ok()) else { continue };
                let Some(values) = self.values(primitive, number, scalar) else { continue };
                let value = value(scalar, values, &weights);
                wave.regs[(op.dst + at) as usize * size + lane] = value;
            }
        }
    }

    pub fn finish(&self, program: &Program, group: u64, wave: &Wave, objects: &mut [Object]) {
        let raster = &*self.call.raster;
        let size = wave.lanes.invocations.len();
        let samples = raster.samples();
        let builtin = |wanted| program.output_builtins.iter().find(|output| output.builtin == wanted);
        let (mask, depth) = (builtin(BuiltIn::SampleMask), builtin(BuiltIn::FragDepth));
        for (lane, fragment) in self.all(group, size).iter().enumerate() {
            if (wave.helpers | wave.killed) >> lane & 1 == 1 {
                continue;
            }
            let register = |slot: u32| wave.regs[slot as usize * size + lane];
            let chosen = mask.map_or(u32::MAX, |mask| register(mask.slot) as u32);
            let pixel = fragment.pixel[1] * raster.size[0] + fragment.pixel[0];
            let covered = fragment.coverage & chosen & self.call.sample_mask;
            for sample in (0..samples).filter(|sample| covered >> sample & 1 == 1) {
                let at = u64::from(pixel * samples + sample) * 16;
                let own = depth.map(|depth| f32::load(register(depth.slot)));
                if !self.test(fragment, (sample, at), own, objects) {
                    continue;
                }
                for (attachment, object) in self.call.colors.iter().zip(&self.colors) {
                    let Some(object) = objects.get_mut(*object) else { continue };
                    let mut output = [None; 4];
                    for one in program.outputs.iter().filter(|one| one.location == attachment.location) {
                        if let Some(word) = output.get_mut(one.component as usize) {
                            *word = Some(component(one, register(one.slot)) as u32);
                        }
                    }
                    if output == [None; 4] {
                        continue;
                    }
                    let place = |channel: u64| at + channel * 4;
                    let before = [0, 1, 2, 3].map(|channel| object.read(place(channel), 4).unwrap_or(0) as u32);
                    let ColorAttachment { channels, blend, mask, .. } = attachment;
                    let after = output::written(output, before, *channels, blend.as_ref(), *mask);
                    for (channel, word) in (0..).zip(after) {
                        object.write(place(channel), 4, u64::from(word));
                    }
                }
            }
        }
    }

    /// What is added to the depths of a primitive.
    fn bias(&self, primitive: &Primitive) -> f64 {
        self.call.bias.as_ref().map_or(0.0, |bias| primitive.depth_bias(bias, self.call.raster.size))
    }

    /// Whether a sample passes the depth test; its depth is written as the test says. `own` is the shader's depth.
    fn test(&self, fragment: &Fragment, (sample, at): (u32, u64), own: Option<f32>, objects: &mut [Object]) -> bool {
        let Some(object) = self.depth.and_then(|at| objects.get_mut(at)) else { return true };
        let raster = &*self.call.raster;
        // Beyond the viewport's range, where a bias or the shader sets them, depths are undefined without
        // depthClampZeroOne, and cut to 0 to 1 with it.
        let Some(test) = self.call.test else {
            if let Some(own) = own {
                object.write(at, 4, own.clamp(0.0, 1.0).store());
            }
            return true;
        };
        let depth = own.unwrap_or_else(|| {
            let primitive = raster.primitives.get(fragment.triangle as usize);
            let [x, y] = location(sample, raster);
            let place = [f64::from(fragment.pixel[0]) + x, f64::from(fragment.pixel[1]) + y];
            primitive.map_or(0.0, |primitive| (primitive.weights(place, raster.size).z + self.bias(primitive)) as f32)
        });
        let depth = depth.clamp(0.0, 1.0);
        let before = f32::load(object.read(at, 4).unwrap_or(0));
        let passes = test.compare.of(depth, before);
        if passes && test.write {
            object.write(at, 4, depth.store());
        }
        passes
    }
}

/// An output as a component of an attachment, which has 32 bits.
fn component(output: &InterfaceScalar, value: u64) -> u64 {
    match (output.is_float, output.bits) {
        (true, 16) => f32::of(Half::load(value).wide()).store(),
        _ => value & 0xffff_ffff,
    }
}

/// The centre of a pixel.
const MIDDLE: [f64; 2] = [0.5, 0.5];

/// The place of a sample in its pixel; the centre where there is no such sample.
fn location(sample: u32, raster: &Raster) -> [f64; 2] {
    raster.locations.get(sample as usize).copied().unwrap_or(MIDDLE)
}

/// The centre of a pixel whose samples are all covered, else the first sample that is.
fn inside(fragment: &Fragment, raster: &Raster) -> [f64; 2] {
    let all = (1u64 << raster.locations.len()) - 1;
    match u64::from(fragment.coverage) {
        0 => MIDDLE,
        coverage if coverage == all => MIDDLE,
        coverage => location(coverage.trailing_zeros(), raster),
    }
}

/// A scalar at weights, from its values at the vertices.
fn value(scalar: &InterfaceScalar, values: [u64; 3], weights: &Weights) -> u64 {
    let weights = match scalar.interpolation {
        Interpolation::Flat => return values[0],
        Interpolation::Perspective => weights.perspective,
        Interpolation::Linear => weights.linear,
    };
    match scalar.bits {
        16 => Half::of(interpolate(values.map(|value| Half::load(value).wide()), weights)).store(),
        _ => f32::of(interpolate(values.map(|value| f32::load(value).wide()), weights)).store(),
    }
}

/// The weights of a primitive at the places of a fragment.
struct Places {
    position: [f64; 2],
    own: Weights,
    center: Weights,
    centroid: Weights,
    sample: Weights,
    front: bool,
}

impl Places {
    fn of(fragment: &Fragment, primitive: &Primitive, raster: &Raster) -> Places {
        let pixel = fragment.pixel.map(f64::from);
        let at = |[x, y]: [f64; 2]| primitive.weights([pixel[0] + x, pixel[1] + y], raster.size);
        let sample = fragment.sample.map_or(MIDDLE, |sample| location(sample, raster));
        let (center, centroid, sampled) = (at(MIDDLE), at(inside(fragment, raster)), at(sample));
        let position = [pixel[0] + sample[0], pixel[1] + sample[1]];
        Places { position, own: sampled, center, centroid, sample: sampled, front: primitive.front }
    }

    fn value(&self, scalar: &InterfaceScalar, values: [u64; 3]) -> u64 {
        if let Some(vertex) = scalar.vertex {
            return values.get(vertex as usize).copied().unwrap_or(0);
        }
        let weights = match scalar.at {
            At::Center => &self.center,
            At::Centroid => &self.centroid,
            At::Sample => &self.sample,
        };
        value(scalar, values, weights)
    }

    fn builtin(
        &self,
        builtin: BuiltIn,
        fragment: &Fragment,
        (primitive, raster): (&Primitive, &Raster),
    ) -> Option<[u64; 4]> {
        let float = |value: f64| f32::of(value).store();
        let scalar = |value: u64| Some([value, 0, 0, 0]);
        match builtin {
            BuiltIn::FragCoord => {
                let [x, y] = self.position;
                Some([x, y, self.own.z, self.own.w].map(float))
            }
            BuiltIn::FrontFacing => scalar(u64::from(self.front)),
            BuiltIn::HelperInvocation => scalar(u64::from(fragment.coverage == 0)),
            BuiltIn::SampleId => scalar(u64::from(fragment.sample.unwrap_or(0))),
            BuiltIn::SamplePosition => {
                let [x, y] = raster.locations[fragment.sample.unwrap_or(0) as usize % raster.locations.len()];
                Some([float(x), float(y), 0, 0])
            }
            BuiltIn::SampleMask => scalar(u64::from(fragment.coverage)),
            BuiltIn::PrimitiveId => scalar(u64::from(primitive.id)),
            BuiltIn::PointCoord => {
                let [x, y] = primitive.point_coord(self.position).map(float);
                Some([x, y, 0, 0])
            }
            BuiltIn::BaryCoordKHR => {
                let [a, b, c] = self.center.perspective.map(float);
                Some([a, b, c, 0])
            }
            BuiltIn::BaryCoordNoPerspKHR => {
                let [a, b, c] = self.center.linear.map(float);
                Some([a, b, c, 0])
            }
            _ => None,
        }
    }
}
