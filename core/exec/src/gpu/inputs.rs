//! Contents of the descriptors of a run.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::addressed::Addressed;
use lanescope_passes::run::{Blob, ResourceNames};

/// What fills the descriptors.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Inputs {
    /// The seed of every content that is not given.
    pub fill: u64,
    /// Every content that is not given is zero.
    #[serde(default)]
    pub zeros: bool,
    /// Buffers and images that are given.
    pub buffers: Vec<Given>,
    /// The location of the vertex attribute that is the position, where the program is not to decide it by itself
    /// ([`super::position_of`]).
    #[serde(default)]
    pub position: Option<u32>,
    /// Buffers that the shaders reach by addresses: a run of a program knows them from its conversion.
    #[serde(skip)]
    pub addressed: Vec<Addressed>,
    /// Registers that name what is read back. Two programs that are compared take those of the first.
    #[serde(default)]
    pub names: ResourceNames,
}

/// A buffer or an image that is given.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Given {
    /// Descriptor set.
    pub set: u32,
    /// Binding.
    pub binding: u32,
    /// The element of an array of descriptors; where absent, every element that is not given by itself.
    #[serde(default)]
    pub element: Option<u32>,
    /// What of it is given.
    pub content: Content,
}

impl Inputs {
    /// What is given for a descriptor: for its element, or for the whole of it.
    pub fn given(&self, set: u32, binding: u32, element: u32) -> Option<&Content> {
        let of = |wanted: Option<u32>| {
            self.buffers.iter().find(|given| (given.set, given.binding, given.element) == (set, binding, wanted))
        };
        of(Some(element)).or_else(|| of(None)).map(|given| &given.content)
    }
}

/// What of a buffer is given; of an image its contents are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Content {
    /// Its size in bytes; its contents are as usual.
    Size(u64),
    /// Its size and its contents.
    Bytes(Blob),
}
