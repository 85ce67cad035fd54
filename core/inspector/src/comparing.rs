//! Two reports side by side: the choice of a partner, and both sides.

use lanescope_core::codeobject::CodeObject;
use lanescope_core::compare::Side;

/// What the program that is shown can be compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Partner {
    /// Itself under the second setting.
    SecondSetting,
    /// Another program that is open, by its number.
    Program(u64),
    /// The variants of its source, all of them.
    Variants,
    /// One of these: the number of its program (see [`ComparedVariants::programs`](crate::tasks::ComparedVariants)).
    Variant(usize),
}

/// An AMD code object of a comparison.
#[derive(Debug, Clone, Copy)]
pub struct ObjectSide<'a> {
    /// The object.
    pub object: &'a CodeObject,
    /// Its disassembly, or why there is none.
    pub listing: Result<&'a str, &'a str>,
}

/// Both sides of a comparison. The second one is compared with the first.
#[derive(Debug, Clone, Copy)]
pub struct Comparing<'a> {
    /// Every possible partner, with its name.
    pub partners: &'a [(Partner, String)],
    /// The chosen partner.
    pub with: Option<Partner>,
    /// Names of both sides.
    pub names: [&'a str; 2],
    /// Names of both sides with their program, for headings: `tile.comp, second setting`.
    pub titles: [&'a str; 2],
    /// Both sides, once a partner was chosen.
    pub sides: Option<[Side<'a>; 2]>,
    /// The AMD code object that the program is compared with, instead of sides: by its registers.
    pub object: Option<&'a CodeObject>,
    /// Both AMD code objects, where both sides are one, instead of sides.
    pub objects: Option<[ObjectSide<'a>; 2]>,
    /// Which side is the program that is shown.
    pub shown: usize,
    /// Differs whenever a side does: revisions, and numbers of compile results.
    pub key: [u64; 4],
    /// A side is being compiled.
    pub compiling: bool,
    /// Whether the compile results of one of them are outdated.
    pub stale: bool,
}

impl Comparing<'_> {
    /// No comparison.
    pub const NOTHING: Comparing<'static> = Comparing {
        partners: &[],
        with: None,
        names: ["", ""],
        titles: ["", ""],
        sides: None,
        object: None,
        objects: None,
        shown: 1,
        key: [0; 4],
        compiling: false,
        stale: false,
    };
}
