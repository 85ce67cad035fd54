//! Fuzz targets for all readers: what each target does with its input, and its limits.
//!
//! All targets are one program, since each would link the same foreign compilers: see [`TARGETS`].

#![forbid(unsafe_code)]
#![allow(missing_docs, reason = "a target is its name")]

// A run of each sample, for seeds.
#[path = "../../pictures/src/gallery/graph_run.rs"]
#[allow(dead_code, reason = "one of its runs is a seed")]
mod made_up;

mod compilers;
mod debugging;
mod dxil;
mod graphs;
pub mod hostile;
mod interpret;
mod kept;
mod memory;
mod objects;
mod pipelines;
mod programs;
mod results;
mod seeds;
mod spirv;
mod texts;

pub use dxil::selector;
pub use kept::sessions;
pub use made_up::graph_run;
pub use memory::{Bound, held};
pub use programs::{embedded, program};
pub use seeds::{Seed, seeds};

use memory::bounded;

/// A reader, and what it may hold for an input.
pub struct Target {
    /// Its name.
    pub name: &'static str,
    /// The function that runs an input.
    pub read: fn(&[u8]),
    /// Its memory limit.
    pub bound: Bound,
}

const fn target(name: &'static str, read: fn(&[u8])) -> Target {
    Target { name, read, bound: Bound::USUAL }
}

/// Every target.
pub const TARGETS: &[Target] = &[
    target("container", dxil::container),
    target("bitstream", dxil::bitstream),
    target("runtime", dxil::part),
    target("whole", dxil::whole),
    target("opcodes", texts::opcodes),
    // One statement may reserve a whole table.
    Target { name: "optable", read: texts::optable, bound: Bound { times: 64, beside: 96 << 20 } },
    target("spirv", spirv::words),
    target("spvasm", spirv::assembly),
    target("module", compilers::module),
    target("glsl", compilers::glsl),
    target("hlsl", compilers::hlsl),
    target("wgsl", compilers::wgsl),
    target("shader_test", compilers::shader_test),
    target("amber", compilers::amber),
    target("dxil", compilers::dxil),
    Target { name: "interpret", read: interpret::words, bound: Bound { times: 256, beside: 96 << 20 } },
    target("pipe", pipelines::pipe),
    target("foz", pipelines::foz),
    Target { name: "code_object", read: objects::code_object, bound: Bound { times: 256, beside: 16 << 20 } },
    // SQLite's page cache and schema are beside what an input takes.
    Target { name: "sodb", read: pipelines::sodb, bound: Bound { times: 256, beside: 96 << 20 } },
    target("report", kept::report),
    target("run", kept::run),
    target("stored", kept::stored),
    target("session", kept::session),
    target("records", graphs::records),
    target("csv", graphs::csv),
    target("overrides", graphs::overrides),
    target("roots", graphs::roots),
    target("condition", graphs::condition),
    target("isa", texts::isa),
    target("rows", results::rows),
    target("filter", results::filter),
    Target { name: "commands", read: debugging::commands, bound: Bound { times: 256, beside: 96 << 20 } },
];

impl Target {
    /// The target of a name.
    pub fn named(name: &str) -> Option<&'static Target> {
        TARGETS.iter().find(|target| target.name == name)
    }

    /// Reads an input, and panics if that takes too much memory or too long.
    pub fn run(&self, data: &[u8]) {
        bounded(data, &self.bound, self.read);
    }

    /// Reads an input, and panics if that takes too much memory.
    pub fn run_untimed(&self, data: &[u8]) {
        held(data, &self.bound, self.read);
    }
}
