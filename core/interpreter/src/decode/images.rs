//! Image instructions.

use super::{Decoder, Operation, Result};

impl Decoder<'_> {
    /// Decodes an instruction of this kind; false if it is of another one.
    pub(super) fn image(&mut self, _op: &Operation<'_>) -> Result<bool> {
        Ok(false)
    }
}
