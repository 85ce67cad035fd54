//! Images.

use crate::code::Slot;
use crate::error::LaunchError;
use crate::exec::access::{Context, Found, Memory};
use crate::exec::wave::Wave;
use crate::machine::Setup;

/// An image operation.
#[derive(Debug, Clone)]
pub(crate) struct ImageOp {
    pub dst: Slot,
}

/// An image: plain texels.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Image {
    /// The descriptor set.
    pub set: u32,
    /// The binding.
    pub binding: u32,
    /// The array element.
    pub element: u32,
    /// Texels.
    pub texels: Vec<u8>,
}

impl Image {
    pub(crate) fn check(&self) -> Result<(), LaunchError> {
        Ok(())
    }
}

/// A sampler.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Sampler {
    /// The descriptor set.
    pub set: u32,
    /// The binding.
    pub binding: u32,
    /// The array element.
    pub element: u32,
}

/// An image in memory.
#[derive(Debug, Clone)]
pub(crate) struct ImageObject {}

impl ImageObject {
    pub fn new(_object: u32, _image: Option<&Image>, _sampler: Option<&Sampler>) -> ImageObject {
        ImageObject {}
    }
}

pub(crate) fn run(
    _wave: &mut Wave,
    _memory: &mut Memory,
    _setup: &Setup,
    _context: &Context,
    op: &ImageOp,
    _found: &mut Vec<Found>,
) {
    let _ = op.dst;
}
