//! Image instructions on a wave.

use super::access::{Context, Found, Memory, Touch, beyond_object};
use super::derivative::NO_LANE;
use super::wave::Wave;
use crate::access_log::{LoggedFilter, LoggedKind};
use crate::code::ImageOp;
use crate::event::EventKind;
use crate::image::{Format, Image, ImageObject, Lookup, Numeric, Sampler, Texels, cube_face, dimensions, on_face};
use crate::kernels::float::{Half, Real};
use crate::kernels::int::{ones, sign_extend};
use crate::memory::{OFFSET_BITS, OFFSET_MASK};
use crate::program::{DerivativeGroup, Program};
use crate::race::Way;
use lanescope_spirv::enums::{Dim, Op};
use lanescope_spirv::facts;

/// A program with the images and samplers that its handles name.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Images<'a> {
    pub program: &'a Program,
    /// Sorted by object.
    pub all: &'a [ImageObject],
}

impl<'a> Images<'a> {
    /// The image object of a handle.
    fn object(self, handle: u64) -> Option<&'a ImageObject> {
        let index = u32::try_from(handle).ok()?;
        let at = self.all.binary_search_by_key(&index, |image| image.object).ok()?;
        self.all.get(at)
    }
}

/// The offset of a texel in an image's bytes; absent where it is not inside.
fn texel_offset(image: &Image, format: &Format, level: u32, layer: u32, at: [u32; 3]) -> Option<u64> {
    let size = image.level_size(level);
    if level >= image.levels || layer >= image.layers || at.iter().zip(size).any(|(&at, size)| at >= size) {
        return None;
    }
    let texels = |level: u32| image.level_size(level).iter().map(|&d| u64::from(d)).product::<u64>();
    let before: u64 = (0..level).map(|level| texels(level) * u64::from(image.layers)).sum();
    let [w, h, _] = size.map(u64::from);
    let [x, y, z] = at.map(u64::from);
    Some((before + u64::from(layer) * texels(level) + (z * h + y) * w + x) * u64::from(format.bytes()))
}

/// The texels of an image, with their accesses recorded.
struct Reader<'a> {
    wave: &'a Wave,
    way: Way,
    memory: &'a mut Memory,
    program: &'a Program,
    context: &'a Context,
    found: &'a mut Vec<Found>,
    lane: usize,
    object: usize,
    image: &'a Image,
    format: &'a Format,
    /// Texels that were read.
    texels: Vec<(u64, u32)>,
}

impl Texels for Reader<'_> {
    fn texel(&mut self, level: u32, layer: u32, at: [u32; 3]) -> [u64; 4] {
        let bytes = self.format.bytes();
        let offset = texel_offset(self.image, self.format, level, layer, at);
        let found = offset.and_then(|offset| {
            let range = usize::try_from(offset).ok()?..usize::try_from(offset + u64::from(bytes)).ok()?;
            Some((offset, self.format.decode(self.memory.objects[self.object].bytes().get(range)?)))
        });
        let Some((offset, texel)) = found else {
            self.found.push(beyond_object(&self.memory.objects[self.object], self.lane, offset.unwrap_or(OFFSET_MASK)));
            return [0; 4];
        };
        let touch =
            Touch { object: self.object, offset, bytes, reads: true, writes: false, same: false, way: self.way };
        self.memory.record(self.program, self.context, self.lane, touch, self.found);
        if self.memory.log.is_some() {
            self.texels.push((offset, bytes));
        }
        texel
    }
}

/// A component as a result of a width: components are 32-bit floats or integers.
fn narrow(op: &ImageOp, component: u64) -> u64 {
    match (op.is_float, op.bits) {
        (true, 16) => Half::of(f32::load(component).wide()).store(),
        (true, 64) => f32::load(component).wide().store(),
        _ => component & ones(u64::from(op.bits)),
    }
}

/// A component of a width as a 32-bit float or an integer.
fn widen(op: &ImageOp, component: u64, numeric: Numeric) -> u64 {
    match (op.is_float, op.bits) {
        (true, 16) => f32::of(Half::load(component).wide()).store(),
        (true, 64) => f32::of(f64::load(component)).store(),
        (false, bits) if numeric == Numeric::Sint => sign_extend(component, bits) as u64,
        _ => component,
    }
}

/// Runs an image instruction.
pub(crate) fn run(
    wave: &mut Wave,
    memory: &mut Memory,
    images: Images<'_>,
    context: &Context,
    op: &ImageOp,
    found: &mut Vec<Found>,
) {
    let mask = wave.exec();
    for lane in mask.iter() {
        let handles = wave.regs[op.image as usize * mask.lanes + lane];
        let (image, sampler) = (handles >> OFFSET_BITS, handles & OFFSET_MASK);
        let Some((object_of, (image, format))) = images.object(image).and_then(|o| Some((o, o.image.as_ref()?))) else {
            found.push(Found::new(EventKind::NullPointer, lane, None));
            if op.op != Op::ImageWrite {
                set(wave, op, lane, [0; 4]);
            }
            continue;
        };
        let index = object_of.object as usize;
        let result = match op.op {
            Op::ImageWrite => {
                write(wave, memory, (images.program, context), op, lane, (index, image, format), found);
                continue;
            }
            Op::ImageTexelPointer => {
                let (layer, at) = integer_place(wave, op, lane);
                let offset = at.and_then(|at| texel_offset(image, format, 0, layer, at));
                let pointer = (index as u64) << OFFSET_BITS | offset.unwrap_or(OFFSET_MASK);
                wave.regs[op.value.0 as usize * mask.lanes + lane] = pointer;
                continue;
            }
            Op::ImageQuerySize | Op::ImageQuerySizeLod | Op::ImageQueryLevels | Op::ImageQuerySamples => {
                query(wave, op, lane, image)
            }
            _ => {
                if op.is_implicit() && images.program.derivatives != DerivativeGroup::Lanes {
                    divergent(wave, lane, found);
                }
                let sampler = images.object(sampler).and_then(|o| o.sampler.as_ref());
                let fallback = Sampler::default();
                let request = request(wave, images.program, op, lane, image, format, sampler.unwrap_or(&fallback));
                let mut reader = Reader {
                    wave: &*wave,
                    way: op.way,
                    memory,
                    program: images.program,
                    context,
                    found,
                    lane,
                    object: index,
                    image,
                    format,
                    texels: Vec::new(),
                };
                let filter = filter(op, &request);
                let result = read(&mut reader, op, request);
                let Reader { texels, .. } = reader;
                memory.log_filtered((wave, lane, context.pc), (LoggedKind::Load, filter), index, texels);
                result
            }
        };
        set(wave, op, lane, result);
    }
}

fn set(wave: &mut Wave, op: &ImageOp, lane: usize, components: [u64; 4]) {
    let lanes = wave.lanes.invocations.len();
    let (dst, n) = op.value;
    for (at, component) in (0..n as usize).zip(components) {
        let value = if op.op == Op::ImageTexelPointer { component } else { narrow(op, component) };
        wave.regs[(dst as usize + at) * lanes + lane] = value;
    }
}

/// Integer coordinates of a lane: layer, and x, y, z if none is negative.
fn integer_place(wave: &Wave, op: &ImageOp, lane: usize) -> (u32, Option<[u32; 3]>) {
    let lanes = wave.lanes.invocations.len();
    let (first, n) = op.coordinate;
    let component = |at: u32| {
        let bits = wave.regs[(first + at) as usize * lanes + lane];
        u32::try_from(sign_extend(bits, op.coordinate_bits)).ok()
    };
    let cube = op.ty.dim == Dim::DimCube as u32;
    // The third component of a cube's coordinate is face and layer.
    let dims = if cube { 2 } else { dimensions(op.ty.dim).unwrap_or(1) as u32 };
    let mut at = [0; 3];
    for d in 0..dims.min(n) {
        match component(d) {
            Some(value) => at[d as usize] = value,
            None => return (0, None),
        }
    }
    let layer = if (op.ty.arrayed || cube) && n > dims { component(dims).unwrap_or(u32::MAX) } else { 0 };
    (layer, Some(at))
}

fn query(wave: &Wave, op: &ImageOp, lane: usize, image: &Image) -> [u64; 4] {
    let lanes = wave.lanes.invocations.len();
    match op.op {
        Op::ImageQueryLevels => [u64::from(image.levels), 0, 0, 0],
        Op::ImageQuerySamples => [1, 0, 0, 0],
        _ => {
            let level =
                if op.op == Op::ImageQuerySizeLod { wave.regs[op.coordinate.0 as usize * lanes + lane] } else { 0 };
            let cube = op.ty.dim == Dim::DimCube as u32;
            let dims = if cube { 2 } else { dimensions(op.ty.dim).unwrap_or(1) };
            let size = image.level_size(u32::try_from(level).unwrap_or(u32::MAX));
            let mut out = [0; 4];
            for (out, size) in out.iter_mut().zip(size).take(dims) {
                *out = u64::from(size);
            }
            if op.ty.arrayed {
                out[dims] = u64::from(if cube { image.layers / 6 } else { image.layers });
            }
            out
        }
    }
}

fn write(
    wave: &Wave,
    memory: &mut Memory,
    (program, context): (&Program, &Context),
    op: &ImageOp,
    lane: usize,
    (object, image, format): (usize, &Image, &Format),
    found: &mut Vec<Found>,
) {
    if wave.is_helper(lane) {
        return;
    }
    let lanes = wave.lanes.invocations.len();
    let (layer, at) = integer_place(wave, op, lane);
    let Some(offset) = at.and_then(|at| texel_offset(image, format, 0, layer, at)) else {
        found.push(beyond_object(&memory.objects[object], lane, OFFSET_MASK));
        return;
    };
    let mut components = [0; 4];
    for (at, component) in (0..op.value.1 as usize).zip(&mut components) {
        *component = widen(op, wave.regs[(op.value.0 as usize + at) * lanes + lane], format.numeric);
    }
    let (bytes, len) = format.encode(components);
    let target = &mut memory.objects[object];
    let start = usize::try_from(offset).unwrap_or(usize::MAX);
    let mut same = false;
    if let Some(place) = target.range_mut(start..start.saturating_add(len)) {
        same = *place == bytes[..len];
        place.copy_from_slice(&bytes[..len]);
    }
    let touch = Touch { object, offset, bytes: len as u32, reads: false, writes: true, same, way: op.way };
    memory.record(program, context, lane, touch, found);
    memory.log((wave, lane, context.pc), LoggedKind::Store, object, [(offset, len as u32)]);
}

/// What a lane reads.
enum Request<'a> {
    /// A texel: level, layer, coordinate.
    Texel(u32, u32, Option<[u32; 3]>),
    Sample(Lookup<'a>),
}

fn request<'a>(
    wave: &Wave,
    program: &Program,
    op: &ImageOp,
    lane: usize,
    image: &'a Image,
    format: &'a Format,
    sampler: &'a Sampler,
) -> Request<'a> {
    let lanes = wave.lanes.invocations.len();
    let get = |slot: u32| wave.regs[slot as usize * lanes + lane];
    let offset = op.offset.map_or([0; 3], |(slot, n)| {
        let mut out = [0; 3];
        for (at, out) in (0..n).zip(&mut out) {
            *out = sign_extend(get(slot + at), 32) as i32;
        }
        out
    });
    if matches!(op.op, Op::ImageRead | Op::ImageFetch) {
        let level = op.lod.map_or(0, |(slot, _)| u32::try_from(get(slot)).unwrap_or(u32::MAX));
        let (layer, at) = integer_place(wave, op, lane);
        let moved = at.map(|at| [0, 1, 2].map(|d| at[d].checked_add_signed(offset[d])));
        let inside = moved.and_then(|[x, y, z]| Some([x?, y?, z?]));
        return Request::Texel(level, layer, inside);
    }
    let real =
        |slot: u32| if op.coordinate_bits == 16 { f32::of(Half::load(get(slot)).wide()) } else { f32::load(get(slot)) };
    let (layer, coordinate, faces) = place(op, image, &real);
    let lod = match (op.lod, op.gradients) {
        (Some((slot, true)), _) => real(slot),
        (Some((slot, false)), _) => sign_extend(get(slot), 32) as f32,
        (None, Some((dx, dy))) => {
            let n = dimensions(op.ty.dim).unwrap_or(1) as u32;
            let row = |first: u32| [0, 1, 2].map(|d| if d < n { real(first + d) } else { 0.0 });
            detail(image, row(dx), row(dy))
        }
        (None, None) if op.is_implicit() && program.derivatives != DerivativeGroup::Lanes => {
            implicit(wave, op, lane, image)
        }
        _ => 0.0,
    };
    let lod = lod + op.bias.map_or(0.0, &real);
    let dims = if faces { 2 } else { dimensions(op.ty.dim).unwrap_or(1) };
    Request::Sample(Lookup {
        image,
        format,
        sampler,
        dimensions: dims,
        layer,
        cube: faces,
        coordinate,
        lod,
        offset,
        reference: op.extra.filter(|_| facts(op.op).compares).map(|slot| f32::load(get(slot))),
    })
}

/// Layer and coordinate of a lookup, and whether it is on a face of a cube.
fn place(op: &ImageOp, image: &Image, real: &impl Fn(u32) -> f32) -> (u32, [f32; 3], bool) {
    let (first, n) = op.coordinate;
    let dims = dimensions(op.ty.dim).unwrap_or(1) as u32;
    let mut at = [0.0; 3];
    for d in 0..dims.min(n) {
        at[d as usize] = real(first + d);
    }
    if op.projected && n > dims {
        let q = real(first + dims);
        at = at.map(|value| value / q);
    }
    let layer = if op.ty.arrayed && n > dims { real(first + dims).round_ties_even().max(0.0) as u32 } else { 0 };
    if op.ty.dim == Dim::DimCube as u32 {
        let (face, [s, t]) = cube_face(at);
        return (layer.saturating_mul(6).saturating_add(face), [s, t, 0.0], true);
    }
    (layer.min(image.layers - 1), at, false)
}

/// The level of detail of differences of coordinates.
fn detail(image: &Image, dx: [f32; 3], dy: [f32; 3]) -> f32 {
    let length =
        |v: [f32; 3]| (0..3).map(|d| v[d] * image.size[d] as f32).map(|value| value * value).sum::<f32>().sqrt();
    length(dx).max(length(dy)).log2()
}

/// Reports a quad of which a lane is missing or inactive.
fn divergent(wave: &Wave, lane: usize, found: &mut Vec<Found>) {
    let mask = wave.exec();
    let quad = wave.lanes.quads.get(lane).copied().unwrap_or([NO_LANE; 4]);
    if quad.iter().any(|&other| other == NO_LANE || mask.bits >> other & 1 == 0) {
        found.push(Found::new(EventKind::DivergentDerivative, lane, None));
    }
}

/// The level of detail by the coordinates of the quad. Those of a cube are on the face of the lane's own one.
fn implicit(wave: &Wave, op: &ImageOp, lane: usize, image: &Image) -> f32 {
    let quad = wave.lanes.quads.get(lane).copied().unwrap_or([NO_LANE; 4]);
    if quad.contains(&NO_LANE) {
        return 0.0;
    }
    let lanes = wave.lanes.invocations.len();
    let cube = op.ty.dim == Dim::DimCube as u32;
    let of_lane = |lane: usize| {
        let real = |slot: u32| {
            let bits = wave.regs[slot as usize * lanes + lane];
            if op.coordinate_bits == 16 { f32::of(Half::load(bits).wide()) } else { f32::load(bits) }
        };
        if cube { [0, 1, 2].map(|d| real(op.coordinate.0 + d)) } else { place(op, image, &real).1 }
    };
    let (face, _) = cube_face(of_lane(lane));
    let at = |corner: usize| {
        let coordinate = of_lane(usize::from(quad[corner]));
        if cube {
            let [s, t] = on_face(face, coordinate);
            [s, t, 0.0]
        } else {
            coordinate
        }
    };
    let difference = |a: [f32; 3], b: [f32; 3]| [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
    let origin = at(0);
    detail(image, difference(origin, at(1)), difference(origin, at(2)))
}

/// How a request samples; absent where it names a texel.
fn filter(op: &ImageOp, request: &Request<'_>) -> Option<LoggedFilter> {
    match (request, op.op) {
        (Request::Texel(..), _) => None,
        (Request::Sample(_), Op::ImageGather | Op::ImageDrefGather) => Some(LoggedFilter::Gather),
        (Request::Sample(lookup), _) => Some(lookup.filter()),
    }
}

fn read(reader: &mut Reader<'_>, op: &ImageOp, request: Request<'_>) -> [u64; 4] {
    match request {
        Request::Texel(level, layer, Some(at)) => reader.texel(level, layer, at),
        Request::Texel(_, _, None) => {
            reader.found.push(beyond_object(&reader.memory.objects[reader.object], reader.lane, OFFSET_MASK));
            [0; 4]
        }
        Request::Sample(lookup) => match op.op {
            Op::ImageGather => {
                let lanes = reader.wave.lanes.invocations.len();
                let component = op.extra.map_or(0, |slot| reader.wave.regs[slot as usize * lanes + reader.lane]);
                lookup.gather(reader, usize::try_from(component).unwrap_or(0))
            }
            Op::ImageDrefGather => lookup.gather(reader, 0),
            _ => lookup.sample(reader),
        },
    }
}
