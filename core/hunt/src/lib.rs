//! Programs that try compilers.
//!
//! ```text
//! number ──generate──▶ sources ──(a front end)──▶ modules ──alter──▶ modules that mean the same
//! ```
//!
//! * [`generate`]: shaders by number: kernels whose results every compiler has to agree about, kernels and pipelines for
//!   compilers alone.
//! * [`alter`]: changes of a module that keep its meaning: control flow around instructions, other ways to compute a value.
//! * [`exact`]: whether two compilers have to agree about each bit of a module's results.
//!
//! Nothing here reads a file or starts a compiler: the same number gives the same program.

#![forbid(unsafe_code)]

pub mod alter;
pub mod exact;
pub mod generate;
#[cfg(test)]
mod testing;
