//! Fossilize databases: recorded pipelines with everything that they refer to, each under a key.
//!
//! A database is opened by reading the headers of its entries only; what an entry holds is read when it is requested,
//! within bounds that are checked before anything is allocated. A defect of one object does not keep the others
//! from being read.
//!
//! Facts are those of Fossilize's format versions 5 and 6.

mod base64;
mod copy;
mod database;
mod index;
mod json;
mod list;
mod member;
mod module;
mod names;
mod objects;
mod open;
mod payload;
pub mod pnext;
pub mod samplers;
mod state;
mod varint;
mod write;

#[cfg(test)]
mod tests;

pub use copy::copy;
pub use database::Database;
pub use index::{Place, looks_like};
pub use list::{Listing, Row, RowStage};
pub use names::names_of_places;
pub use open::{Opened, OpenedStage, open, stage_flags_of};
pub use write::{Writer, module_hash, text_hash};

use std::fmt;

use lanescope_base::named_enum;

named_enum!(
    serde if feature = "serde";
    /// Kinds of entries. The order is that of the tags, from 0.
    #[non_exhaustive]
    Tag {
        /// The application that was recorded.
        Application = "application info",
        /// A sampler.
        Sampler = "sampler",
        /// A descriptor set layout.
        SetLayout = "descriptor set layout",
        /// A pipeline layout.
        PipelineLayout = "pipeline layout",
        /// A shader module.
        Module = "shader module",
        /// A render pass.
        RenderPass = "render pass",
        /// A graphics pipeline.
        Graphics = "graphics pipeline",
        /// A compute pipeline.
        Compute = "compute pipeline",
        /// The application that used an object.
        Link = "application link",
        /// A ray tracing pipeline.
        RayTracing = "ray tracing pipeline",
        /// Free text.
        Bucket = "bucket info",
    }
);

impl Tag {
    /// The tag of a number.
    pub fn of(number: u64) -> Option<Tag> {
        Tag::ALL.get(usize::try_from(number).ok()?).copied()
    }

    /// Its number.
    pub fn number(self) -> u64 {
        self as u64
    }

    /// Whether it is a pipeline.
    pub fn is_pipeline(self) -> bool {
        matches!(self, Tag::Graphics | Tag::Compute | Tag::RayTracing)
    }

    /// The kind of pipeline in lists and selectors; absent for other objects.
    pub fn kind(self) -> Option<&'static str> {
        match self {
            Tag::Graphics => Some("graphics"),
            Tag::Compute => Some("compute"),
            Tag::RayTracing => Some("ray_tracing"),
            _ => None,
        }
    }

    /// The members of the payload's object that contain objects of the kind.
    fn keys(self) -> &'static [&'static str] {
        match self {
            Tag::Application => &["applicationInfo"],
            Tag::Sampler => &["samplers"],
            Tag::SetLayout => &["setLayouts"],
            Tag::PipelineLayout => &["pipelineLayouts"],
            Tag::Module => &["shaderModules"],
            Tag::RenderPass => &["renderPasses", "renderPasses2"],
            Tag::Graphics => &["graphicsPipelines"],
            Tag::Compute => &["computePipelines"],
            Tag::Link => &["link"],
            Tag::RayTracing => &["raytracingPipelines"],
            Tag::Bucket => &[],
        }
    }
}

/// The pipelines' tags, in the order in which they are listed.
pub const PIPELINES: [Tag; 3] = [Tag::Graphics, Tag::Compute, Tag::RayTracing];

/// An object's key as databases write it: 16 digits, no `0x`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(pub u64);

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl std::str::FromStr for Key {
    type Err = String;

    fn from_str(text: &str) -> Result<Key, String> {
        let digits = text.strip_prefix("0x").unwrap_or(text);
        let plain = !digits.is_empty() && digits.len() <= 16 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        let value = plain.then(|| u64::from_str_radix(digits, 16).ok()).flatten();
        value.map(Key).ok_or_else(|| format!("`{text}` is not a hash: expected up to 16 hexadecimal digits"))
    }
}
