//! Types of buffers as a DXIL container declares them. Converted to SPIR-V, a structured buffer is words.

use lanescope_dxil::Dxil;
use lanescope_dxil::metadata::{Resource, TypeAnnotation};
use lanescope_dxil::module::{Type, TypeId, Types};

use lanescope_passes::graph::natural_layout;
use lanescope_spirv::shape::{Field, ScalarKind, Shape};

/// How deep types nest.
const MAX_DEPTH: usize = 16;

/// The contents of a structured buffer: elements of the type that the program declares. `None` where the program does not
/// have the type, or one of another size.
pub(super) fn buffer_shape(dxil: &Dxil, resource: &Resource) -> Option<Shape> {
    let program = dxil.program.as_ref()?;
    let types = &program.module.types;
    let stride = resource.stride.filter(|stride| *stride > 0)?;
    let mut ty = program.module.value(None, resource.value?)?.ty;
    // A pointer to the resource, or to an array of them.
    for _ in 0..MAX_DEPTH {
        ty = match types.get(ty)? {
            Type::Pointer(to, _) | Type::Array(_, to) => *to,
            _ => break,
        };
    }
    let of = match types.get(ty)? {
        Type::Struct { members, .. } if types.struct_name(ty)?.starts_with("class.") => *members.first()?,
        _ => return None,
    };
    let (mut element, bytes) = natural_layout(types, of)?;
    if bytes != u64::from(stride) {
        return None;
    }
    let reflected = dxil.reflection.as_ref().map(|reflection| &reflection.types);
    let annotations = reflected.filter(|types| !types.is_empty()).unwrap_or(&program.dx.types);
    annotate(&mut element, types, of, annotations, MAX_DEPTH);
    let elements = Shape::Array { element: Box::new(element), count: None, stride };
    Some(Shape::Struct { members: vec![Field { name: "data".to_owned(), offset: 0, shape: elements }] })
}

/// Gives members the names and the signs that the container's reflection has for them.
fn annotate(shape: &mut Shape, types: &Types, ty: TypeId, annotations: &[TypeAnnotation], depth: usize) {
    if depth == 0 {
        return;
    }
    match (shape, types.get(ty)) {
        (Shape::Array { element, .. }, Some(Type::Array(_, of))) => {
            annotate(element, types, *of, annotations, depth - 1)
        }
        (Shape::Struct { members }, Some(Type::Struct { members: own, .. })) => {
            let known = types.struct_name(ty).and_then(|name| annotations.iter().find(|other| other.name == name));
            let fields = known.map(|known| known.fields.as_slice()).filter(|fields| fields.len() == members.len());
            for (at, (member, ty)) in members.iter_mut().zip(own).enumerate() {
                if let Some(field) = fields.and_then(|fields| fields.get(at)) {
                    if !field.name.is_empty() {
                        member.name.clone_from(&field.name);
                    }
                    if field.component_type.as_ref().is_some_and(|ty| ty.starts_with("int")) {
                        make_signed(&mut member.shape);
                    }
                }
                annotate(&mut member.shape, types, *ty, annotations, depth - 1);
            }
        }
        _ => {}
    }
}

/// Makes the integers of a member signed.
fn make_signed(shape: &mut Shape) {
    match shape {
        Shape::Scalar(scalar) | Shape::Vector { scalar, .. } | Shape::Matrix { scalar, .. } => {
            if scalar.kind == ScalarKind::Uint {
                scalar.kind = ScalarKind::Int;
            }
        }
        Shape::Array { element, .. } => make_signed(element),
        Shape::Struct { .. } | Shape::Words { .. } => {}
    }
}
