//! The selection, shared by all tabs and saved in the session.

pub use lanescope_core::findings::ListingLine as Listed;
use lanescope_core::program::StageKind;
use serde::{Deserialize, Serialize};

/// A scalar or a variable of the interface between two stages, named by its place as written.
///
/// Places survive a recompilation, ids do not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Varying {
    /// Location as written.
    pub location: u32,
    /// Component as written; absent for the whole location.
    pub component: Option<u8>,
}

/// The selection: the same in every tab.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Selection {
    /// A varying.
    pub varying: Option<Varying>,
    /// An invocation of the workgroup.
    pub invocation: Option<[u32; 3]>,
    /// A register, by name.
    pub register: Option<String>,
    /// A line of a listing.
    #[serde(default)]
    pub listed: Option<Listed>,
    /// How often a line was gone to: who asks for the same one again wants to see it again.
    #[serde(skip)]
    pub gone: u32,
    /// Instructions of a module. Not kept: they are others once a file has changed.
    #[serde(skip)]
    pub code: Option<Code>,
    /// The stage that is in front in tabs that show one stage at a time. Not kept: a program begins with its first text.
    #[serde(skip)]
    pub stage: Option<StageKind>,
}

/// The line of a listing that was visited last.
pub type Gone = (Option<Listed>, u32);

impl Selection {
    /// Nothing selected; the stage in front stays there.
    pub fn cleared(&self) -> Selection {
        Selection { stage: self.stage, ..Selection::default() }
    }

    /// The same selection, with another stage in front.
    pub fn at_stage(&self, stage: StageKind) -> Selection {
        Selection { stage: Some(stage), ..self.clone() }
    }

    /// The same selection, at this line of a listing.
    pub fn at_line(&self, listed: Listed) -> Selection {
        Selection { listed: Some(listed), gone: self.gone.wrapping_add(1), ..self.clone() }
    }

    /// The line that was gone to, and the how manieth time that was.
    pub fn gone(&self) -> Gone {
        (self.listed, self.gone)
    }
}

/// Instructions of a SPIR-V module: what a line of its source, of its listing, or of the assembly that a driver's
/// compiler made of it represents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Code {
    /// Index of the module.
    pub module: usize,
    /// The instructions, by index, in order.
    pub instructions: Vec<u32>,
}

impl Code {
    /// Whether one of these instructions is of it.
    pub fn holds(&self, module: usize, mut instructions: impl Iterator<Item = u32>) -> bool {
        self.module == module && instructions.any(|instruction| self.instructions.binary_search(&instruction).is_ok())
    }
}
