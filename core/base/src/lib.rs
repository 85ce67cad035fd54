//! Types that every crate of Lanescope uses: [`ids`] (numbers with units), [`stage`] (shader stages), [`findings`]
//! (violated rules and their table), [`converted`] (what a conversion to SPIR-V did to entry points and registers),
//! [`half`] (16-bit floats), [`grid`] (sizes of three dimensions), [`text_format`] (counts and sizes as text),
//! [`foreign`] (text of files and compilers, for every output).
//!
//! Nothing here reads a file or knows a format.

#![forbid(unsafe_code)]

mod blob;
pub mod converted;
pub mod files;
pub mod findings;
pub mod foreign;
mod format;
pub mod grid;
pub mod half;
pub mod ids;
pub mod name;
mod named_enum;
pub mod stage;
mod target_env;
pub mod text_format;
mod text_schema;
mod wave;

pub use blob::Blob;
pub use format::Format;
pub use stage::StageKind;
pub use target_env::TargetEnv;
pub use wave::WaveChoice;
