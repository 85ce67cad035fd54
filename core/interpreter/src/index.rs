//! Indices into a decoded program and the registers that it runs on.

/// Index of a scalar in the register file.
pub(crate) type Slot = u32;

/// Index of an instruction of [`Code`](crate::code::Code).
pub(crate) type Pc = u32;
