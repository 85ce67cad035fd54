//! Bytes of a run as buffers of a script.

use std::ops::ControlFlow;

use lanescope_amber::bytes::{Contents, numbers};
use lanescope_amber::script::{Buffer, BufferForm, Initializer, Line, Script, Size};
use lanescope_amber::types::layout::{Member, Packing, Struct};
use lanescope_amber::types::{DataType, ImageFormat, Numbers, Scalar};
use lanescope_run::Shape;
use lanescope_spirv::shape::{self, ScalarKind, path};

/// The most numbers of an element that a structure names.
const MAX_MEMBERS: usize = 1024;

/// A number of an element: its offset, its type, and its name.
struct Leaf {
    offset: u32,
    scalar: Scalar,
    name: String,
}

/// Adds a buffer with these bytes: of the type that `shape` says, where its numbers make the same bytes again, else of
/// words. Says whether it is of words although the shader has another type there, or none that is known.
pub(super) fn add(script: &mut Script, name: &str, bytes: &[u8], shape: Option<&Shape>) -> bool {
    for (ty, structure) in shape.map(|shape| typed(shape, bytes.len(), name)).unwrap_or_default() {
        script.structs.extend(structure.clone());
        if let Some(buffer) = buffer(script, name, ty, bytes) {
            script.buffers.push(buffer);
            return false;
        }
        if structure.is_some() {
            script.structs.pop();
        }
    }
    let scalar = if bytes.len().is_multiple_of(4) { Scalar::Uint32 } else { Scalar::Uint8 };
    let words = buffer(script, name, numbers_of(scalar, 1), bytes);
    script.buffers.extend(words);
    !shape.is_some_and(is_of_words)
}

/// A buffer of a type, if its numbers make these bytes.
pub(super) fn buffer(script: &Script, name: &str, ty: DataType, bytes: &[u8]) -> Option<Buffer> {
    let layout = script.layout(&ty, Packing::Std430).ok()?;
    if layout.segments.is_empty() {
        return None;
    }
    let data = numbers(bytes, &layout)?;
    let elements = u32::try_from(bytes.len() / layout.size.max(1) as usize).ok()?;
    let is_one_type = layout.segments.iter().all(|one| one.scalar == layout.segments[0].scalar);
    let (size, initializer) = match data.first() {
        Some(first) if is_one_type && data.len() > 1 && data.iter().all(|one| one == first) => {
            (Size::Elements(elements), Initializer::Fill(*first))
        }
        _ => (Size::OfData, Initializer::Data(data)),
    };
    let form = BufferForm::Elements { packing: None, size };
    let out = Buffer { line: Line(0), name: name.to_owned(), form, ty, initializer };
    let same = script.contents(&out).is_ok_and(|contents| contents == Contents::Bytes(bytes.to_vec()));
    same.then_some(out)
}

fn numbers_of(scalar: Scalar, rows: u8) -> DataType {
    DataType::Numbers(Numbers { scalar, rows, columns: 1, array: false })
}

fn is_of_words(shape: &Shape) -> bool {
    match shape {
        // What they are is not followed.
        Shape::Words { .. } => false,
        Shape::Scalar(scalar) | Shape::Vector { scalar, .. } => *scalar == shape::Scalar::WORD,
        Shape::Matrix { .. } => false,
        Shape::Array { element, .. } => is_of_words(element),
        Shape::Struct { members } => members.iter().all(|member| is_of_words(&member.shape)),
    }
}

/// Types that bytes of a shape may have, the plainest first.
fn typed(shape: &Shape, bytes: usize, name: &str) -> Vec<(DataType, Option<Struct>)> {
    let (element, stride) = element(shape, bytes);
    let Some(mut leaves) = leaves(element, stride) else { return Vec::new() };
    leaves.sort_by_key(|leaf| leaf.offset);
    let mut out = Vec::new();
    let Some(first) = leaves.first().map(|leaf| leaf.scalar) else { return out };
    let size = first.size();
    let is_even = (0..).zip(&leaves).all(|(index, leaf)| leaf.scalar == first && leaf.offset == index * size);
    if is_even {
        let count = leaves.len() as u32;
        match (count, stride) {
            (2 | 4, stride) if stride == count * size => out.push((numbers_of(first, count as u8), None)),
            (3, stride) if stride == 4 * size => out.push((numbers_of(first, 3), None)),
            (count, stride) if stride == count * size => out.push((numbers_of(first, 1), None)),
            _ => {}
        }
    }
    let ty = format!("type_of_{name}");
    let structure = Struct { line: Line(0), name: ty.clone(), stride: Some(stride), members: members(leaves) };
    out.push((DataType::Struct(ty), Some(structure)));
    out
}

/// The shape that repeats in some bytes, and the bytes from one to the next.
fn element(shape: &Shape, bytes: usize) -> (&Shape, u32) {
    let (mut shape, mut stride) = (shape, u32::try_from(bytes).unwrap_or(u32::MAX));
    loop {
        match shape {
            Shape::Struct { members } => match members.as_slice() {
                [only] if only.offset == 0 => shape = &only.shape,
                _ => return (shape, stride),
            },
            // What follows an array is another element of it only where nothing else does.
            Shape::Array { element, stride: own, .. } if *own > 0 && bytes.is_multiple_of(*own as usize) => {
                (shape, stride) = (element, *own);
            }
            _ => return (shape, stride),
        }
    }
}

/// The numbers of an element; none where there are too many, or one that a script has no type for.
fn leaves(element: &Shape, stride: u32) -> Option<Vec<Leaf>> {
    let mut out = Some(Vec::new());
    element.visit(u64::from(stride), |steps, leaf| {
        let place = path(steps);
        let scalar = scalar_of(leaf.scalar);
        for (index, offset) in leaf.offsets().enumerate() {
            let (Some(all), Some(scalar), Ok(offset)) = (&mut out, scalar, u32::try_from(offset)) else {
                out = None;
                return ControlFlow::Break(());
            };
            if all.len() == MAX_MEMBERS {
                out = None;
                return ControlFlow::Break(());
            }
            let column = leaf.column.map(|column| format!("_{column}")).unwrap_or_default();
            let row = if leaf.count > 1 { format!("_{index}") } else { String::new() };
            all.push(Leaf { offset, scalar, name: format!("{place}{column}{row}") });
        }
        ControlFlow::Continue(())
    });
    out
}

fn scalar_of(scalar: shape::Scalar) -> Option<Scalar> {
    Some(match (scalar.kind, scalar.bits) {
        (ScalarKind::Float, 16) => Scalar::Float16,
        (ScalarKind::Float, 32) => Scalar::Float,
        (ScalarKind::Float, 64) => Scalar::Double,
        (ScalarKind::Int, 8) => Scalar::Int8,
        (ScalarKind::Int, 16) => Scalar::Int16,
        (ScalarKind::Int, 32) => Scalar::Int32,
        (ScalarKind::Int, 64) => Scalar::Int64,
        (ScalarKind::Uint, 8) => Scalar::Uint8,
        (ScalarKind::Uint, 16) => Scalar::Uint16,
        (ScalarKind::Uint, 32) => Scalar::Uint32,
        (ScalarKind::Uint, 64) => Scalar::Uint64,
        _ => return None,
    })
}

fn members(leaves: Vec<Leaf>) -> Vec<Member> {
    let mut names: Vec<String> = Vec::new();
    let mut out = Vec::new();
    for leaf in leaves {
        let name = unused(&identifier(&leaf.name).unwrap_or_else(|| "number".to_owned()), &names);
        names.push(name.clone());
        out.push(Member { name, ty: numbers_of(leaf.scalar, 1), offset: Some(leaf.offset), matrix_stride: None });
    }
    out
}

/// A text as a name of a script.
pub(super) fn identifier(text: &str) -> Option<String> {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let name: String = text.chars().map(plain).collect();
    let name = name.trim_matches('_').to_owned();
    name.starts_with(|c: char| c.is_ascii_alphabetic()).then_some(name)
}

/// A name that is not among others.
pub(super) fn unused(name: &str, others: &[String]) -> String {
    let numbered = (2u32..).map(|number| format!("{name}_{number}"));
    let mut all = std::iter::once(name.to_owned()).chain(numbered);
    all.find(|name| !others.contains(name)).unwrap_or_else(|| name.to_owned())
}

/// The format of an image by Vulkan's name, if a script has it.
pub(super) fn format_of(name: &str) -> Result<ImageFormat, String> {
    ImageFormat::named(name).ok_or_else(|| format!("the format {name}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_a_script() {
        assert_eq!(identifier("lights[3].color").as_deref(), Some("lights_3__color"));
        assert_eq!((identifier("_"), identifier("3d"), identifier("")), (None, None, None));
        assert_eq!(unused("a", &["a".to_owned(), "a_2".to_owned()]), "a_3");
    }

    #[test]
    fn bytes_that_a_type_does_not_make_are_words() {
        let float = shape::Scalar { kind: ScalarKind::Float, bits: 32 };
        let field = |name: &str, offset, shape| shape::Field { name: name.to_owned(), offset, shape };
        let block = Shape::Struct {
            members: vec![
                field("count", 0, Shape::Scalar(shape::Scalar::WORD)),
                field("scale", 8, Shape::Scalar(float)),
            ],
        };
        let mut script = Script::default();
        let plain: Vec<u8> = [7u32, 0, 0.5f32.to_bits(), 0].iter().flat_map(|word| word.to_le_bytes()).collect();
        assert!(!add(&mut script, "a", &plain, Some(&block)));
        assert_eq!((script.structs[0].stride, script.buffers[0].ty.to_string().as_str()), (Some(16), "type_of_a"));
        let mut padded = plain.clone();
        padded[5] = 1;
        assert!(add(&mut script, "b", &padded, Some(&block)), "bytes between the members are not zero");
        assert_eq!((script.structs.len(), script.buffers[1].ty.to_string().as_str()), (1, "uint32"));
        let vectors =
            Shape::Array { element: Box::new(Shape::Vector { scalar: float, count: 3 }), count: None, stride: 16 };
        assert!(!add(&mut script, "c", &plain, Some(&vectors)));
        assert_eq!(script.buffers[2].ty.to_string(), "vec3<float>");
    }
}
