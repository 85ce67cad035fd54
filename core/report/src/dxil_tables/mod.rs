//! A DXIL container as facts and tables: parts, signatures, ops with their calls, and the reflection, part by part.

mod direct3d;
mod linkage;
mod ops;
mod parts;
mod reflection;
mod section;

pub use direct3d::{partial_program_table, root_place_table};
pub use linkage::{late_link_table, linkage_table};
pub use ops::{op_calls_table, op_use_table, site_table};
pub use parts::{part_table, signature_table};
pub use reflection::{function_table, resource_table, resources, sections};
pub use section::Section;
