//! Vertex and index buffers that are given: which vertices a draw takes of them, and what attributes read there.

use super::GpuError;
use super::scene::{self, Slot, VERTICES};
use super::vertices::{Numbers, channels};
use lanescope_base::half;
use lanescope_interpreter::draw::{Attribute, VertexOrder};
use lanescope_model::program::{Program, StageKind};
use lanescope_pipeline::{Pipeline, VertexAttribute, VertexBinding};
use lanescope_run::inputs::{AttributeOf, DrawInputs, Vertices};
use lanescope_spirv::enums::StorageClass;
use lanescope_spirv::shape::ScalarKind;

/// The highest index that every device takes.
const HIGHEST_INDEX: u32 = (1 << 24) - 1;

/// Vertices of the scene.
pub(super) const SCENE: u32 = VERTICES.len() as u32;

/// The attributes that a program's vertex shader reads; empty for a program without one.
///
/// # Errors
/// An attribute of a type that draws do not have.
pub fn attributes_of(program: &Program) -> Result<Vec<AttributeOf>, GpuError> {
    let Some(stage) = program.stage(StageKind::Vertex) else { return Ok(Vec::new()) };
    let module = program.module_of(stage);
    let Some(entry) = module.entry_points().get(stage.entry_index) else { return Ok(Vec::new()) };
    let slots = scene::slots(module, entry, StorageClass::Input, &[16, 32])?;
    let attribute =
        |Slot { location, kind, components, name, .. }: Slot| AttributeOf { location, name, kind, components };
    Ok(slots.into_iter().map(attribute).collect())
}

/// Whether primitives restart at the highest index: only where there are indices, in strips and fans.
pub(super) fn restarts(draw: &DrawInputs, pipeline: Option<&Pipeline>, is_strip: bool) -> bool {
    let wanted = pipeline.and_then(|pipeline| pipeline.state.primitive_restart) == Some(true);
    draw.indices.is_some() && is_strip && wanted
}

/// The indices of a draw, from the first one on; absent without an index buffer.
fn indices(draw: &DrawInputs) -> Option<&[u32]> {
    let indices = draw.indices.as_ref()?;
    let first = draw.first as usize;
    indices.values.get(first..first + draw.count(SCENE) as usize)
}

/// The highest vertex that a draw reads; absent where it draws none.
fn highest(draw: &DrawInputs, restarts: bool) -> Option<u32> {
    if draw.instances() == 0 {
        return None;
    }
    match (indices(draw), &draw.indices) {
        (Some(values), Some(all)) => {
            let restart = restarts.then(|| all.bits.highest());
            let read = values.iter().filter(|value| Some(**value) != restart);
            read.max().map(|value| value.saturating_add(draw.vertex_offset))
        }
        _ => (draw.first + draw.count(SCENE)).checked_sub(1).filter(|_| draw.count(SCENE) > 0),
    }
}

/// Refuses draws that read what is not there.
///
/// # Errors
/// What [`DrawInputs::check`] refuses; an attribute that no buffer has, or in a format that does not fit; a vertex or an
/// instance past the end of a buffer.
pub(super) fn check(draw: &DrawInputs, slots: &[Slot], restarts: bool) -> Result<(), GpuError> {
    draw.check(SCENE).map_err(GpuError::Unusable)?;
    let Some(highest) = highest(draw, restarts) else { return Ok(()) };
    if highest > HIGHEST_INDEX {
        return Err(GpuError::Unusable(format!("vertex {highest}: the highest one is {HIGHEST_INDEX}")));
    }
    let Some(vertices) = &draw.vertices else {
        if highest >= SCENE && !slots.is_empty() {
            let why = format!("vertex {highest}: the scene has {SCENE} vertices; give vertices to draw others");
            return Err(GpuError::Unusable(why));
        }
        return Ok(());
    };
    let last_instance = draw.first_instance + draw.instances().saturating_sub(1);
    slots.iter().try_for_each(|slot| fits(vertices, slot, highest, last_instance)).map_err(GpuError::Unusable)
}

/// An attribute, its binding and the bytes of its buffer.
fn place(vertices: &Vertices, location: u32) -> Result<(&VertexAttribute, &VertexBinding, &[u8]), String> {
    let attribute = vertices.input.attributes.iter().find(|attribute| attribute.location == location);
    let attribute = attribute.ok_or_else(|| format!("the vertices have no attribute at location {location}"))?;
    let missing = || format!("vertex binding {} is not declared", attribute.binding);
    let binding = vertices.input.bindings.iter().find(|binding| binding.binding == attribute.binding);
    let buffer = vertices.buffers.iter().find(|buffer| buffer.binding == attribute.binding);
    let (binding, buffer) = binding.zip(buffer).ok_or_else(missing)?;
    Ok((attribute, binding, &buffer.bytes.0))
}

fn fits(vertices: &Vertices, slot: &Slot, highest: u32, last_instance: u32) -> Result<(), String> {
    let location = slot.location;
    let (attribute, binding, bytes) = place(vertices, location)?;
    let Some((channels, numbers)) = channels(attribute.format) else {
        return Err(format!("attributes of format {} are not supported", attribute.format));
    };
    if numbers.kind() != slot.kind {
        return Err(format!("format {} does not fit the attribute at location {location}", attribute.format));
    }
    if binding.divisor.is_some_and(|divisor| divisor != 1) {
        return Err(format!("vertex binding {} has a divisor, which is not supported", binding.binding));
    }
    let (what, last) = match binding.rate.0 {
        0 => ("vertex", highest),
        1 => ("instance", last_instance),
        rate => return Err(format!("vertex binding {} has the input rate {rate}", binding.binding)),
    };
    let size: u64 = channels.iter().map(|(_, bits)| u64::from(*bits) / 8).sum();
    let end = u64::from(last) * u64::from(binding.stride) + u64::from(attribute.offset) + size;
    match end <= bytes.len() as u64 {
        true => Ok(()),
        false => Err(format!(
            "{what} {last} ends at byte {end} of vertex binding {}, which has {} bytes",
            binding.binding,
            bytes.len()
        )),
    }
}

/// Which vertices of which instances a draw has, in order.
pub(super) fn order(draw: &DrawInputs, restarts: bool) -> VertexOrder {
    if draw.indices.is_none() && draw.first == 0 && draw.first_instance == 0 && draw.instances() == 1 {
        return VertexOrder::default();
    }
    let restart = draw.indices.as_ref().filter(|_| restarts).map(|indices| indices.bits.highest());
    // The vertices of an instance, in runs.
    let mut runs: Vec<Vec<u32>> = vec![Vec::new()];
    let mut add = |vertex: Option<u32>| match (vertex, runs.last_mut()) {
        (Some(vertex), Some(run)) => run.push(vertex),
        _ => runs.push(Vec::new()),
    };
    match indices(draw) {
        Some(values) => values.iter().for_each(|value| {
            add((Some(*value) != restart).then(|| value.saturating_add(draw.vertex_offset)));
        }),
        None => (draw.first..draw.first + draw.count(SCENE)).for_each(|vertex| add(Some(vertex))),
    }
    let mut out = VertexOrder { base: [base_vertex(draw), draw.first_instance], ..VertexOrder::default() };
    for instance in draw.first_instance..draw.first_instance + draw.instances() {
        for run in &runs {
            out.runs.push(run.len() as u32);
            out.places.extend(run.iter().map(|vertex| [*vertex, instance]));
        }
    }
    out
}

/// `BaseVertex`: the first vertex, or of an indexed draw what is added to each index.
fn base_vertex(draw: &DrawInputs) -> u32 {
    if draw.indices.is_some() { draw.vertex_offset } else { draw.first }
}

/// How many invocations a draw has.
pub(super) fn invocations(draw: &DrawInputs, order: &VertexOrder) -> u32 {
    match order.runs.is_empty() {
        _ if draw.instances() == 0 => 0,
        true => draw.count(SCENE),
        false => order.places.len() as u32,
    }
}

/// The values of an attribute for each invocation of a draw that was checked.
pub(super) fn attribute(vertices: &Vertices, slot: &Slot, order: &VertexOrder, count: u32) -> Attribute {
    let location = slot.location;
    let Ok((attribute, binding, bytes)) = place(vertices, location) else {
        return Attribute { location, values: Vec::new() };
    };
    let (channels, numbers) = channels(attribute.format).unwrap_or_default();
    let one = if slot.kind == ScalarKind::Float { 1f32.to_bits() } else { 1 };
    let read = |number: u32| {
        let [vertex, instance] = order.places.get(number as usize).copied().unwrap_or([number, 0]);
        let row = if binding.rate.0 == 1 { instance } else { vertex };
        let mut at = row as usize * binding.stride as usize + attribute.offset as usize;
        let mut out = [0, 0, 0, one];
        for (channel, bits) in &channels {
            let width = (*bits / 8) as usize;
            let word = bytes
                .get(at..at + width)
                .unwrap_or(&[])
                .iter()
                .rev()
                .fold(0, |word, byte| word << 8 | u32::from(*byte));
            out[*channel] = decode(word, *bits, numbers);
            at += width;
        }
        out
    };
    Attribute { location, values: (0..count).map(read).collect() }
}

/// The bits of a shader's 32-bit number from those of a channel.
fn decode(word: u32, bits: u32, numbers: Numbers) -> u32 {
    let all = ((1u64 << bits) - 1) as f64;
    let signed = (word << (32 - bits)) as i32 >> (32 - bits);
    let float = |value: f64| (value as f32).to_bits();
    match numbers {
        Numbers::Unorm => float(f64::from(word) / all),
        Numbers::Snorm => float((f64::from(signed) / (all / 2.0).floor()).max(-1.0)),
        Numbers::Uscaled => float(f64::from(word)),
        Numbers::Sscaled => float(f64::from(signed)),
        Numbers::Uint => word,
        Numbers::Sint => signed as u32,
        Numbers::Sfloat if bits == 16 => float(half::value(word as u16)),
        Numbers::Sfloat => word,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanescope_pipeline::VertexInput;
    use lanescope_pipeline::vulkan::{InputRate, VkFormat};
    use lanescope_run::Blob;
    use lanescope_run::inputs::{IndexBits, Indices, VertexBuffer};

    fn slot(location: u32, kind: ScalarKind) -> Slot {
        Slot { location, kind, bits: 32, components: 4, name: None }
    }

    /// Two bindings: three vertices of R16G16_SNORM at offset 4 of 8 bytes, two instances of R8G8B8A8_UINT.
    fn vertices() -> Vertices {
        let attribute = |location, binding, name: &str, offset| VertexAttribute {
            location,
            binding,
            format: VkFormat::named(name).expect("a format"),
            offset,
        };
        let binding = |binding, stride, rate| VertexBinding { binding, stride, rate: InputRate(rate), divisor: None };
        let buffer = |binding, bytes: &[u8]| VertexBuffer { binding, bytes: Blob(bytes.to_vec()) };
        let mut first = [0; 24];
        for (vertex, at) in [4, 12, 20].into_iter().enumerate() {
            first[at..at + 4].copy_from_slice(&[0xff, 0x7f, vertex as u8, 0]);
        }
        Vertices {
            input: VertexInput {
                from: "a test".to_owned(),
                bindings: vec![binding(0, 8, 0), binding(1, 4, 1)],
                attributes: vec![attribute(0, 0, "R16G16_SNORM", 4), attribute(2, 1, "R8G8B8A8_UINT", 0)],
            },
            buffers: vec![buffer(0, &first), buffer(1, &[1, 2, 3, 4, 5, 6, 7, 8])],
        }
    }

    #[test]
    fn attributes_are_read_by_vertex_and_instance() {
        let indices = Some(Indices { bits: IndexBits::Short, values: vec![2, 0xffff, 0] });
        let draw = DrawInputs { vertices: Some(vertices()), indices, instances: Some(2), ..DrawInputs::default() };
        let slots = [slot(0, ScalarKind::Float), slot(2, ScalarKind::Uint)];
        assert!(check(&draw, &slots, true).is_ok());
        let order = order(&draw, true);
        assert_eq!(order.places, [[2, 0], [0, 0], [2, 1], [0, 1]]);
        assert_eq!((order.runs.as_slice(), invocations(&draw, &order)), (&[1, 1, 1, 1][..], 4));
        let given = draw.vertices.as_ref().expect("vertices");
        let one = 1f32.to_bits();
        let second = ((2.0 / 32767.0) as f32).to_bits();
        let read = attribute(given, &slots[0], &order, 4);
        assert_eq!(read.values[..2], [[one, second, 0, one], [one, 0, 0, one]]);
        let read = attribute(given, &slots[1], &order, 4);
        assert_eq!((read.values[0], read.values[2]), ([1, 2, 3, 4], [5, 6, 7, 8]));
    }

    #[test]
    fn draws_of_no_instance_have_no_invocation() {
        let indices = Some(Indices { bits: IndexBits::Word, values: vec![0, 1, 2] });
        for given in
            [DrawInputs::default(), DrawInputs { vertices: Some(vertices()), indices, ..DrawInputs::default() }]
        {
            let draw = DrawInputs { instances: Some(0), ..given };
            assert_eq!(invocations(&draw, &order(&draw, true)), 0);
            // Nothing is read past the end of a buffer.
            let draw = DrawInputs { first_instance: 9, ..draw };
            assert!(check(&draw, &[slot(2, ScalarKind::Uint)], true).is_ok());
        }
    }

    #[test]
    fn what_is_not_there_is_refused() {
        let draw = DrawInputs { vertices: Some(vertices()), ..DrawInputs::default() };
        let refused = |draw: &DrawInputs, slot: Slot, why: &str| {
            let found = check(draw, &[slot], false);
            assert!(found.as_ref().is_err_and(|error| error.to_string().contains(why)), "{why}: {found:?}");
        };
        refused(&draw, slot(1, ScalarKind::Float), "no attribute at location 1");
        refused(&draw, slot(0, ScalarKind::Int), "does not fit");
        let far = DrawInputs { count: Some(4), ..draw.clone() };
        refused(&far, slot(0, ScalarKind::Float), "vertex 3 ends at byte 32 of vertex binding 0, which has 24 bytes");
        let many = DrawInputs { instances: Some(3), ..draw.clone() };
        refused(&many, slot(2, ScalarKind::Uint), "instance 2");
        let indices = Some(Indices { bits: IndexBits::Word, values: vec![0, 9] });
        refused(&DrawInputs { indices, ..draw }, slot(0, ScalarKind::Float), "vertex 9");
        let scene = DrawInputs { count: Some(19), ..DrawInputs::default() };
        refused(&scene, slot(0, ScalarKind::Float), "the scene has 18 vertices");
        assert!(check(&scene, &[], false).is_ok(), "nothing is read of them");
    }

    #[test]
    fn channels_decode_to_what_shaders_see() {
        let float = |value: f32| value.to_bits();
        assert_eq!(decode(255, 8, Numbers::Unorm), float(1.0));
        assert_eq!(decode(0x80, 8, Numbers::Snorm), float(-1.0));
        assert_eq!(decode(0xff, 8, Numbers::Sint), u32::MAX);
        assert_eq!(decode(0xfffe, 16, Numbers::Sscaled), float(-2.0));
        assert_eq!(decode(0x3c00, 16, Numbers::Sfloat), float(1.0));
        assert_eq!(decode(0x3f80_0000, 32, Numbers::Sfloat), float(1.0));
    }
}
