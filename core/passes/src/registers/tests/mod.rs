//! Tests of register values: rules of single fields, whole examples, values from SPIR-V, and properties.

mod examples;
mod fields;
pub(crate) mod fixtures;
mod from_spirv;
mod properties;
mod rules;
