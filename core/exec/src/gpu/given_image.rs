//! The image of a descriptor before it is made: as large as usual, or as its contents say.

use super::GpuError;
use super::formats::{self, GivenFormat, TexelFormat};
use super::images::{Extent, storage_format};
use super::resources::{Binding, ImageType, Kind, Resources};
use lanescope_amber::types::ImageFormat as TexelLayout;
use lanescope_model::program::Program;
use lanescope_pipeline::vulkan::VkFormat;
use lanescope_run::Blob;
use lanescope_run::inputs::{Content, ImageContents, Inputs};
use lanescope_spirv::enums::{Dim, ImageFormat};
use lanescope_spirv::shape::ScalarKind;

/// The longest side and the most layers that every device has, in one and two dimensions, then in three.
const MOST: [u32; 2] = [4096, 256];
/// The most bytes of an image that is given.
const MOST_BYTES: u64 = 64 << 20;

/// An image before it is made.
pub(super) struct Planned<'i> {
    pub extent: Extent,
    /// SPIR-V's name of its texels, or of what the interpreter widens them to.
    pub format: ImageFormat,
    /// How texels lie in memory that are widened.
    pub widened: Option<TexelLayout>,
    /// Texels that are given.
    pub given: Option<&'i [u8]>,
}

/// The image of a descriptor.
///
/// # Errors
/// Contents of another dimension, format or size than the descriptor takes.
pub(super) fn plan<'i>(
    binding: &Binding,
    element: u32,
    ty: ImageType,
    inputs: &'i Inputs,
) -> Result<Planned<'i>, GpuError> {
    let storage = matches!(binding.kind, Kind::StorageImage(_));
    let usual = if storage { storage_format(ty)? } else { formats::sampled(ty.kind, ty.depth) };
    let content = inputs.given(binding.set, binding.binding, element);
    let name = || inputs.names.name(binding.set, binding.binding, element, binding.is_array);
    if matches!(content, Some(Content::Bytes(_) | Content::Image(_))) && ty.multisampled {
        return Err(GpuError::Unusable(format!("{} is a multisampled image; its contents cannot be set", name())));
    }
    let (extent, given, (format, widened)) = match content {
        Some(Content::Image(contents)) => {
            let of = || {
                let GivenFormat { texel, name, widened, .. } = format_of(contents, ty, usual, storage)?;
                check(contents, ty, storage)?;
                let extent = Extent::given(contents.size, contents.layers, contents.levels, texel);
                let (needed, found) = (extent.all_bytes(), contents.texels.0.len() as u64);
                if needed > MOST_BYTES {
                    return Err(format!("{needed} bytes of texels: at most {MOST_BYTES} are taken"));
                }
                match needed == found {
                    true => Ok((extent, Some(contents.texels.0.as_slice()), (name, widened))),
                    false => Err(format!("{found} bytes of texels; an image of this size has {needed}")),
                }
            };
            of().map_err(|why| GpuError::Unusable(format!("{}: {why}", name())))?
        }
        Some(Content::Bytes(Blob(bytes))) => {
            (Extent::of(ty, usual, storage), Some(bytes.as_slice()), (image_format(ty, storage), None))
        }
        Some(Content::Size(_)) | None => (Extent::of(ty, usual, storage), None, (image_format(ty, storage), None)),
    };
    Ok(Planned { extent, format, widened, given })
}

/// A texel buffer before it is made.
pub(super) struct PlannedTexels {
    pub format: TexelFormat,
    /// SPIR-V's name of its texels, or of what the interpreter widens them to.
    pub name: ImageFormat,
    /// How texels lie in memory that are widened.
    pub widened: Option<TexelLayout>,
}

/// The texels of a texel buffer: as usual, or of the format that its contents state.
///
/// # Errors
/// Contents of another format than the descriptor takes, or with a part of a texel at their end.
pub(super) fn plan_texels(
    binding: &Binding,
    element: u32,
    ty: ImageType,
    inputs: &Inputs,
) -> Result<PlannedTexels, GpuError> {
    let storage = matches!(binding.kind, Kind::StorageTexel(_));
    let usual = if storage { storage_format(ty)? } else { formats::sampled(ty.kind, false) };
    let planned = |given: GivenFormat| PlannedTexels { format: given.texel, name: given.name, widened: given.widened };
    let Some(Content::Image(contents)) = inputs.given(binding.set, binding.binding, element) else {
        let name = image_format(ty, storage);
        return Ok(PlannedTexels { format: usual, name, widened: None });
    };
    let of = || {
        let found = format_of(contents, ty, usual, storage)?;
        if found.is_depth() {
            return Err("a buffer has no depths".to_owned());
        }
        let (texel, bytes) = (u64::from(found.texel.texel.bytes()), contents.texels.0.len() as u64);
        let texels: u64 = contents.size.iter().map(|side| u64::from(*side)).product();
        match texels.saturating_mul(texel) == bytes && bytes > 0 {
            true => Ok(planned(found)),
            false => Err(format!("{bytes} bytes; {texels} texels have {}", texels.saturating_mul(texel))),
        }
    };
    let name = || inputs.names.name(binding.set, binding.binding, element, binding.is_array);
    of().map_err(|why| GpuError::Unusable(format!("{}: {why}", name())))
}

/// An image of a program with the pixels of a picture, in the format that the shader reads. `rgba` has four bytes for each
/// pixel, row by row.
///
/// # Errors
/// A descriptor that is not an image of two dimensions, or whose texels hold no such pixels.
pub fn image_of_rgba8(
    program: &Program,
    (set, binding): (u32, u32),
    size: [u32; 2],
    rgba: &[u8],
) -> Result<ImageContents, String> {
    let resources = resources_of(program).map_err(|error| error.to_string())?;
    let found = resources.bindings.iter().find(|known| (known.set, known.binding) == (set, binding));
    let (ty, storage) = match found.map(|found| &found.kind) {
        Some(Kind::StorageImage(ty)) => (*ty, true),
        Some(Kind::Sampled(ty) | Kind::Combined(ty)) => (*ty, false),
        _ => return Err("it is not an image".to_owned()),
    };
    if !matches!(ty.dim, Dim::Dim2D | Dim::DimRect) || ty.multisampled {
        return Err("a picture fills an image of two dimensions with one sample".to_owned());
    }
    let usual = if storage {
        storage_format(ty).map_err(|error| error.to_string())?
    } else {
        formats::sampled(ty.kind, ty.depth)
    };
    let mut texels = Vec::new();
    for pixel in rgba.as_chunks::<4>().0 {
        usual
            .put_pixel(*pixel, &mut texels)
            .ok_or_else(|| format!("texels of {} hold no pixels of a picture", name_of(usual)))?;
    }
    Ok(ImageContents { size: [size[0], size[1], 1], layers: 1, levels: 1, format: None, texels: Blob(texels) })
}

fn resources_of(program: &Program) -> Result<Resources, GpuError> {
    let stages = program.stages.iter();
    let entries = stages.filter_map(|stage| {
        let module = program.module_of(stage);
        Some((module, module.entry_points().get(stage.entry_index)?))
    });
    Resources::of(&entries.collect::<Vec<_>>())
}

/// A storage image for which the shader declares no format, and which is given texels of another one than a run binds such an
/// image with: its name and the format.
pub(super) fn of_other_format(program: &Program, inputs: &Inputs) -> Option<(String, VkFormat)> {
    let resources = resources_of(program).ok()?;
    resources.bindings.iter().find_map(|binding| {
        let (Kind::StorageImage(ty) | Kind::StorageTexel(ty)) = binding.kind else { return None };
        let usual = storage_format(ty).ok().filter(|_| ty.format == ImageFormat::Unknown)?;
        let all = inputs.buffers.iter().filter(|given| (given.set, given.binding) == (binding.set, binding.binding));
        all.into_iter().find_map(|given| match &given.content {
            Content::Image(ImageContents { format: Some(format), .. }) if *format != name_of(usual) => {
                let element = given.element.unwrap_or(0);
                Some((inputs.names.name(binding.set, binding.binding, element, binding.is_array), *format))
            }
            _ => None,
        })
    })
}

/// The size of a texel of a format that images and texel buffers can be given in.
pub fn texel_bytes(format: VkFormat) -> Option<u32> {
    formats::of(format).map(|found| found.texel.texel.bytes())
}

/// Vulkan's name of a format.
fn name_of(format: TexelFormat) -> VkFormat {
    VkFormat(format.format.as_raw())
}

/// The format of given texels.
fn format_of(
    contents: &ImageContents,
    ty: ImageType,
    usual: TexelFormat,
    storage: bool,
) -> Result<GivenFormat, String> {
    let Some(format) = contents.format else {
        return Ok(GivenFormat { texel: usual, name: image_format(ty, storage), kind: ty.kind, widened: None });
    };
    let found = formats::of(format).filter(|found| !storage || found.widened.is_none());
    let found = found.ok_or_else(|| {
        let of = if storage { " of a storage image" } else { "" };
        format!("texels of format {format}{of} are not supported")
    })?;
    if storage && ty.format != ImageFormat::Unknown && found.texel.format != usual.format {
        return Err(format!("texels of format {format}; the shader declares {}", name_of(usual)));
    }
    // Depths are read as other numbers are, and compared where the shader says so. Only a shader that declares 64 bits reads
    // so many.
    let is_wide = matches!(found.name, ImageFormat::R64i | ImageFormat::R64ui) && found.name != ty.format;
    if is_wide || found.kind != ty.kind || (ty.depth && !found.is_depth()) || (storage && found.is_depth()) {
        return Err(format!(
            "texels of format {format} are not what the shader reads: expected a format like {}",
            name_of(usual)
        ));
    }
    Ok(found)
}

/// Refuses sizes that no such image has.
fn check(contents: &ImageContents, ty: ImageType, storage: bool) -> Result<(), String> {
    let ImageContents { size: [x, y, z], layers, levels, .. } = *contents;
    let (dimensions, what) = match ty.dim {
        Dim::Dim1D => (y == 1 && z == 1, "one dimension"),
        Dim::Dim3D => (true, "three dimensions"),
        Dim::DimCube => (x == y && z == 1, "square faces"),
        _ => (z == 1, "two dimensions"),
    };
    if !dimensions {
        return Err(format!("{x}×{y}×{z} texels; the shader's image has {what}"));
    }
    let most = if ty.dim == Dim::Dim3D { MOST[1] } else { MOST[0] };
    if [x, y, z].iter().any(|side| !(1..=most).contains(side)) {
        return Err(format!("{x}×{y}×{z} texels: each side is 1 to {most}"));
    }
    let fits = match (ty.dim, ty.arrayed) {
        (Dim::DimCube, true) => layers > 0 && layers.is_multiple_of(6),
        (Dim::DimCube, false) => layers == 6,
        (Dim::Dim3D, _) | (_, false) => layers == 1,
        (_, true) => layers > 0,
    };
    if !fits || layers > MOST[1] {
        return Err(format!("{layers} layers, which the shader's image does not have"));
    }
    let all = if storage { 1 } else { 32 - x.max(y).max(z).leading_zeros() };
    match (1..=all).contains(&levels) {
        true => Ok(()),
        false => Err(format!("{levels} levels: there are 1 to {all}")),
    }
}

/// The format of the texels that [`formats`] chooses, by SPIR-V's name.
pub(super) fn image_format(ty: ImageType, storage: bool) -> ImageFormat {
    match (storage, ty.format, ty.kind) {
        (true, ImageFormat::Unknown, ScalarKind::Float) => ImageFormat::Rgba32f,
        (true, ImageFormat::Unknown, ScalarKind::Int) | (false, _, ScalarKind::Int) => ImageFormat::Rgba32i,
        (true, ImageFormat::Unknown, ScalarKind::Uint) | (false, _, ScalarKind::Uint) => ImageFormat::Rgba32ui,
        (true, format, _) => format,
        (false, _, ScalarKind::Float) if ty.depth => ImageFormat::R32f,
        (false, _, ScalarKind::Float) => ImageFormat::Rgba8,
    }
}
