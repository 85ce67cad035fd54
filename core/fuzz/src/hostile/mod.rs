//! Hostile inputs, generated from a seed and a size: files that are small for the work they cause, or broken in one
//! place. A class is named after what is hard about its inputs; the same seed and size give the same input.

mod containers;
mod foz;
mod glsl;
mod names;
mod pipe;
mod random;
mod spirv;
mod trial;

use std::io;
use std::path::{Path, PathBuf};

pub use random::Random;
pub use trial::{Ending, Outcome, trial};

/// A kind of hostile input.
pub struct Class {
    /// Its name.
    pub name: &'static str,
    /// The difficulty of the input.
    pub about: &'static str,
    /// A size that takes moments.
    pub small: usize,
    /// A size that is meant to hurt.
    pub large: usize,
    /// Makes an input of a size.
    pub make: fn(&mut Random, usize) -> Input,
}

/// Files to open. The first is the one that is named; others are those that it includes.
pub struct Input {
    /// Paths relative to a folder of their own, and contents.
    pub files: Vec<(PathBuf, Vec<u8>)>,
}

impl Input {
    /// One file.
    fn one(name: &str, bytes: impl Into<Vec<u8>>) -> Input {
        Input { files: vec![(name.into(), bytes.into())] }
    }

    /// Writes the files into a folder; the path of the first.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn write(&self, folder: &Path) -> io::Result<PathBuf> {
        for (name, bytes) in &self.files {
            let path = folder.join(name);
            std::fs::create_dir_all(path.parent().unwrap_or(folder))?;
            std::fs::write(path, bytes)?;
        }
        self.files.first().map(|(name, _)| folder.join(name)).ok_or_else(|| io::Error::other("an input without files"))
    }
}

const fn class(
    name: &'static str,
    about: &'static str,
    [small, large]: [usize; 2],
    make: fn(&mut Random, usize) -> Input,
) -> Class {
    Class { name, about, small, large, make }
}

/// Every class.
pub const CLASSES: &[Class] = &[
    class("glsl-nesting", "brackets, blocks or calls nested so deep", [40, 100_000], glsl::nesting),
    class("glsl-expression", "one expression of so many operators", [2_000, 2_000_000], glsl::expression),
    class("glsl-macros", "macros that each use the one before twice", [10, 64], glsl::macros),
    class("glsl-includes", "a tree of includes so deep, of two branches each", [3, 40], glsl::includes),
    class("glsl-arrays", "arrays of so many elements in each lane, nested and copied", [256, 1 << 22], glsl::arrays),
    class("spirv-no-ops", "a module of so many words that do nothing", [20_000, 1 << 26], spirv::no_ops),
    class("spirv-entry-points", "so many entry points", [50, 60_000], spirv::entry_points),
    class("spirv-functions", "so many functions, each called once", [200, 100_000], spirv::functions),
    class("spirv-calls", "a chain of so many calls", [200, 100_000], spirv::calls),
    class("spirv-private", "so many variables, each stored to by a function of a chain", [100, 20_000], spirv::private),
    class("spirv-selections", "so many selections in a row", [200, 100_000], spirv::selections),
    class("spirv-nested-selections", "so many selections, each in the one before", [50, 20_000], spirv::nested),
    class("spirv-variables", "so many variables with bindings", [200, 60_000], spirv::variables),
    class("spirv-constants", "so many specialization constants", [200, 100_000], spirv::constants),
    class("spirv-types", "types that hold each other, so many levels", [20, 10_000], spirv::types),
    class("spirv-ids", "ids and sizes near the limits of their words", [20, 1_000], spirv::ids),
    class("pipe-modules", "a description that lists one module so many times", [3, 400], pipe::modules),
    class("pipe-sections", "a description of so many sections", [200, 100_000], pipe::sections),
    class("foz-empty", "a database of so many empty objects", [200, 100_000], foz::empty),
    class("foz-deflated", "a database of so many objects that inflate a thousandfold", [20, 100_000], foz::deflated),
    class("cut", "a sample cut short, so many bytes taken away", [100, 5_000], containers::cut),
    class("flipped", "a sample with so many bits flipped", [4, 400], containers::flipped),
    class(
        "dxbc",
        "bytecode of shader model 5 with all its parts, so many signature rows",
        [8, 5_000],
        containers::dxbc,
    ),
    class("mesh-rows", "a signed mesh shader whose signature rows differ in so many places", [1, 40], containers::mesh),
    class("names", "a file whose name has so many odd characters", [20, 100], names::odd),
];

impl Class {
    /// The class of a name.
    pub fn named(name: &str) -> Option<&'static Class> {
        CLASSES.iter().find(|class| class.name == name)
    }

    /// The input of a seed.
    pub fn input(&self, seed: u64, size: usize) -> Input {
        (self.make)(&mut Random::new(seed), size)
    }
}
