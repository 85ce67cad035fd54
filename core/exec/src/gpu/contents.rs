//! Initial contents of buffers, without a device: the same bytes wherever a program runs.

use super::formats::Texel;
use super::resources::{Binding, OPEN_ELEMENTS, PushConstants, Resources};
use super::{GpuError, MAX_BUFFER};
use lanescope_run::fill::Source;
use lanescope_run::inputs::{Content, ImageContents, Inputs};
use lanescope_run::{Blob, BufferRun, Shape, hash};
use lanescope_spirv::shape::{Scalar, ScalarKind};

/// Texels of a texel buffer.
pub(super) const TEXELS: u64 = 1024;
/// What one run's descriptors may hold in all: the process that runs it has a memory limit.
pub(super) const MAX_TOTAL: u64 = 512 << 20;
/// What one run may bring back in all: it travels in one message.
pub(super) const MAX_READ_BACK: u64 = 96 << 20;

/// A buffer before it is made.
pub(super) struct Filled {
    /// Its name in the run.
    pub name: String,
    /// The bytes that it starts with.
    pub contents: Vec<u8>,
    /// What is reported of it, where a shader may write it.
    pub report: Option<BufferRun>,
}

/// The size of a block's buffer in bytes, where nothing gives one.
pub(super) fn block_bytes(shape: &Shape, uniform: bool, limit: u64) -> u64 {
    let open = shape.open_end().map_or(0, |(offset, stride)| {
        // Large elements are fewer, so that the buffer stays within its limit.
        let stride = u64::from(stride.max(1));
        let elements = OPEN_ELEMENTS.min((limit.min(MAX_BUFFER / 4) / stride).max(1));
        offset.saturating_add(stride.saturating_mul(elements))
    });
    // A uniform block's size counts in units of 16 bytes.
    let unit = if uniform { 16 } else { 4 };
    shape.bytes().max(open).max(1).checked_next_multiple_of(unit).unwrap_or(u64::MAX)
}

/// A buffer with that many bytes where nothing gives its size: what is given, zeros, or a pattern.
///
/// # Errors
/// Given contents that are shorter than the block, or more bytes than `limit`.
pub(super) fn buffer(
    binding: &Binding,
    source: Source,
    shape: &Shape,
    bytes: u64,
    limit: u64,
    inputs: &Inputs,
    zeros: bool,
) -> Result<Filled, GpuError> {
    let name = inputs.names.name(binding.set, binding.binding, source.element, binding.is_array);
    let given = inputs.given(binding.set, binding.binding, source.element);
    let bytes = match given {
        Some(Content::Size(bytes)) => *bytes,
        Some(Content::Bytes(Blob(bytes))) => bytes.len() as u64,
        // Of a texel buffer: others were checked with the resources.
        Some(Content::Image(image)) => image.texels.0.len() as u64,
        None => bytes,
    };
    let least = shape.bytes().max(shape.open_end().map_or(0, |(offset, stride)| offset + u64::from(stride)));
    // A constant buffer ends where its container states; what follows in its block is padding.
    let stated = inputs.names.constant_bytes(binding.set, binding.binding).unwrap_or(least).min(least);
    if bytes < stated.min(limit) {
        return Err(GpuError::Unusable(format!("{name}: {bytes} bytes of contents; its block has {stated}")));
    }
    let bytes = bytes.max(least.min(limit));
    if bytes > limit.min(MAX_BUFFER) {
        let what = format!("{name} (bytes)");
        return Err(GpuError::TooLarge { what, needed: bytes, limit: limit.min(MAX_BUFFER) });
    }
    let contents = match given {
        Some(Content::Bytes(Blob(given)) | Content::Image(ImageContents { texels: Blob(given), .. })) => {
            let mut contents = given.clone();
            contents.resize(usize::try_from(bytes).unwrap_or(given.len()), 0);
            contents
        }
        _ if zeros => vec![0; usize::try_from(bytes).unwrap_or(0)],
        _ => source.block(shape, bytes),
    };
    let report = binding.writable.then(|| BufferRun {
        name: name.clone(),
        register: inputs.names.register(binding.set, binding.binding).map(str::to_owned),
        variable: binding.variable.clone(),
        set: binding.set,
        binding: binding.binding,
        element: source.element,
        bytes,
        hash: hash(&contents),
        shape: inputs.names.declared(binding.set, binding.binding).unwrap_or(shape).clone(),
    });
    Ok(Filled { name, contents, report })
}

/// The push constants: what is given over what fills the rest.
///
/// # Errors
/// Given bytes past the end of the block, or where an address is.
pub(super) fn push_constants(resources: &Resources, inputs: &Inputs) -> Result<Vec<u8>, GpuError> {
    let mut out = match &resources.push_constants {
        Some(PushConstants { block, .. }) if inputs.zeros => vec![0; usize::try_from(block.bytes()).unwrap_or(0)],
        Some(PushConstants { block, .. }) => PushConstants::source(inputs).block(&block.shape, block.bytes()),
        None => Vec::new(),
    };
    inputs.put_push_constants(&mut out).map_err(GpuError::Unusable)?;
    Ok(out)
}

/// A texel buffer, with at most `most` texels.
///
/// # Errors
/// More bytes given than that.
pub(super) fn texels(
    binding: &Binding,
    source: Source,
    texel: Texel,
    most: u64,
    inputs: &Inputs,
    zeros: bool,
) -> Result<Filled, GpuError> {
    let size = u64::from(texel.bytes()).max(1);
    let given = inputs.given(binding.set, binding.binding, source.element);
    let is_filled = matches!(given, None | Some(Content::Size(_)));
    let bytes = match given {
        Some(Content::Size(bytes)) => *bytes,
        Some(Content::Bytes(Blob(bytes))) => bytes.len() as u64,
        Some(Content::Image(image)) => image.texels.0.len() as u64,
        None => size * TEXELS.min(most),
    };
    let shape = texel_shape(size, bytes / size);
    let mut filled = buffer(binding, source, &shape, bytes, most.saturating_mul(size), inputs, zeros)?;
    if is_filled && !zeros {
        let whole = filled.contents.len();
        filled.contents.clear();
        texel.fill(source, 0, bytes / size, &mut filled.contents);
        filled.contents.resize(whole, 0);
    }
    Ok(filled)
}

/// How texels of that many bytes are listed: each one by itself where it is smaller than a word, else as words.
fn texel_shape(size: u64, texels: u64) -> Shape {
    let count = |numbers: u64| u32::try_from(numbers).unwrap_or(u32::MAX);
    match size {
        1 | 2 => Shape::Array {
            element: Box::new(Shape::Scalar(Scalar { kind: ScalarKind::Uint, bits: size as u32 * 8 })),
            count: Some(count(texels)),
            stride: size as u32,
        },
        _ => Shape::Words { count: count(texels.saturating_mul(size) / 4) },
    }
}

/// Refuses contents that are too large in all, of buffers and of what is read back.
///
/// # Errors
/// [`GpuError::TooLarge`].
pub(super) fn check_total(bytes: u64) -> Result<(), GpuError> {
    if bytes > MAX_TOTAL {
        let what = "the descriptors' contents (bytes)".to_owned();
        return Err(GpuError::TooLarge { what, needed: bytes, limit: MAX_TOTAL });
    }
    Ok(())
}

/// The same of what is read back.
///
/// # Errors
/// [`GpuError::TooLarge`].
pub(super) fn check_read_back(bytes: u64) -> Result<(), GpuError> {
    if bytes > MAX_READ_BACK {
        let what = "read-back data (bytes)".to_owned();
        return Err(GpuError::TooLarge { what, needed: bytes, limit: MAX_READ_BACK });
    }
    Ok(())
}
