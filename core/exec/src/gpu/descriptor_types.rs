//! The descriptors of SPIR-V's opaque types.

use ash::vk;

use super::resources::{ImageType, Kind};
use lanescope_base::ids::Id;
use lanescope_spirv::enums::{Dim, ImageFormat, Op};
use lanescope_spirv::shape::ScalarKind;
use lanescope_spirv::{Module, Type};

/// A sampler or an image: its kind, and whether the type allows writes.
pub(super) fn opaque(module: &Module, ty: Id) -> Result<(Kind, bool), String> {
    let inst = module.def(ty).ok_or("a descriptor without a type")?;
    match inst.op() {
        Some(Op::TypeSampler) => Ok((Kind::SAMPLER, false)),
        Some(Op::TypeSampledImage) => {
            let image = image_type(module, inst.id_at(2))?;
            let buffer = image.dim == Dim::DimBuffer;
            Ok((if buffer { Kind::UniformTexel(image) } else { Kind::Combined(image) }, false))
        }
        Some(Op::TypeImage) => {
            let image = image_type(module, ty)?;
            let sampled = inst.word_at(7) == 1;
            Ok(match (sampled, image.dim == Dim::DimBuffer) {
                (true, true) => (Kind::UniformTexel(image), false),
                (true, false) => (Kind::Sampled(image), false),
                (false, true) => (Kind::StorageTexel(image), true),
                (false, false) => (Kind::StorageImage(image), true),
            })
        }
        _ => Err(format!("a descriptor of type {}", inst.name())),
    }
}

/// The descriptor of a type that no run binds: acceleration structures, input attachments, and images of 64-bit integers without
/// their format.
pub(super) fn layout_only(module: &Module, ty: Id) -> Option<vk::DescriptorType> {
    let inst = module.def(ty)?;
    match inst.op()? {
        Op::TypeAccelerationStructureKHR => Some(vk::DescriptorType::ACCELERATION_STRUCTURE_KHR),
        Op::TypeImage if inst.word_at(3) == Dim::DimSubpassData as u32 => Some(vk::DescriptorType::INPUT_ATTACHMENT),
        Op::TypeSampledImage => Some(match layout_only(module, inst.id_at(2))? {
            vk::DescriptorType::SAMPLED_IMAGE => vk::DescriptorType::COMBINED_IMAGE_SAMPLER,
            other => other,
        }),
        Op::TypeImage if matches!(module.ty(inst.id_at(2)), Some(Type::Int { bits: 64, .. })) => {
            let is_buffer = inst.word_at(3) == Dim::DimBuffer as u32;
            Some(match (inst.word_at(7) == 1, is_buffer) {
                (true, true) => vk::DescriptorType::UNIFORM_TEXEL_BUFFER,
                (true, false) => vk::DescriptorType::SAMPLED_IMAGE,
                (false, true) => vk::DescriptorType::STORAGE_TEXEL_BUFFER,
                (false, false) => vk::DescriptorType::STORAGE_IMAGE,
            })
        }
        _ => None,
    }
}

pub(super) fn image_type(module: &Module, ty: Id) -> Result<ImageType, String> {
    let inst = module.def(ty).ok_or("an image without a type")?;
    if inst.word_at(3) == Dim::DimSubpassData as u32 {
        return Err("an input attachment".to_owned());
    }
    let format = ImageFormat::from_u32(inst.word_at(8)).unwrap_or(ImageFormat::Unknown);
    // The format says how wide 64-bit integers are in memory, which only storage images have.
    let is_wide = inst.word_at(7) == 2 && matches!(format, ImageFormat::R64i | ImageFormat::R64ui);
    let width = if is_wide { 64 } else { 32 };
    let kind = match module.ty(inst.id_at(2)) {
        Some(Type::Float { .. }) => ScalarKind::Float,
        Some(Type::Int { signed: true, bits }) if bits == width => ScalarKind::Int,
        Some(Type::Int { signed: false, bits }) if bits == width => ScalarKind::Uint,
        _ => return Err(format!("an image of {}", module.type_name(inst.id_at(2)))),
    };
    let dim = Dim::from_u32(inst.word_at(3)).ok_or("an image of unknown dimension")?;
    if !matches!(dim, Dim::Dim1D | Dim::Dim2D | Dim::Dim3D | Dim::DimCube | Dim::DimBuffer) {
        return Err("an image dimension other than 1D, 2D, 3D, Cube and Buffer".to_owned());
    }
    Ok(ImageType {
        dim,
        depth: inst.word_at(4) == 1,
        arrayed: inst.word_at(5) != 0,
        multisampled: inst.word_at(6) != 0,
        kind,
        format,
    })
}
