//! The topics that `lanescope help` explains: a page each, most of them a text in `assets/help`.

use std::io::{self, Write};

use lanescope_core::options::ConversionSwitch;
use lanescope_core::target::TARGETS;

use crate::cli::text::write_prose;

/// One page.
pub struct Topic {
    /// What a user types.
    pub name: &'static str,
    /// What it is about, for the list of topics.
    pub about: &'static str,
    page: Page,
}

enum Page {
    Text(&'static str),
    /// Written from the program's own tables.
    Written(fn(&mut dyn Write) -> io::Result<()>),
}

macro_rules! text {
    ($name:literal, $about:literal) => {
        Topic {
            name: $name,
            about: $about,
            page: Page::Text(include_str!(concat!("../../../../assets/help/", $name, ".txt"))),
        }
    };
}

/// Every topic, in the order in which they are listed.
pub const TOPICS: &[Topic] = &[
    text!("packing", "how fragment inputs share attribute slots"),
    text!("swizzle", "which lane runs which invocation of a workgroup"),
    text!("registers", "the register values that follow"),
    text!("drivers", "what compilers that ship make of a shader"),
    text!("partial", "layouts that a driver can guess, and what that saves"),
    Topic { name: "dxil", about: "DXIL and HLSL: opening, converting, running", page: Page::Written(dxil) },
    text!("graphs", "work graphs: drawing, checking, stepping"),
    Topic {
        name: "findings",
        about: "every finding's code; `help CODE` explains one",
        page: Page::Written(super::findings::list),
    },
    Topic { name: "targets", about: "the chips, by any of their names", page: Page::Written(targets) },
];

impl Topic {
    /// Writes the page.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        match self.page {
            Page::Text(text) => out.write_all(text.as_bytes()),
            Page::Written(write) => write(out),
        }
    }
}

fn dxil(out: &mut dyn Write) -> io::Result<()> {
    out.write_all(include_str!("../../../../assets/help/dxil.txt").as_bytes())?;
    for switch in ConversionSwitch::ALL {
        write_prose(&format!("    {:22}  ", switch.name()), switch.about(), out)?;
    }
    out.write_all(include_str!("../../../../assets/help/hlsl.txt").as_bytes())
}

fn targets(out: &mut dyn Write) -> io::Result<()> {
    let head = "Every flag that takes a chip takes any of these names; case, blanks, - and _ do not matter. --chip also \
                takes any other name that Mesa's AMD driver knows. Chips without `driver only` have register tables. \
                `lanescope doctor` lists the chips that this machine's drivers compile for.";
    write_prose("", head, out)?;
    writeln!(out)?;
    for row in TARGETS {
        writeln!(out, "  {:8}  {:36}  {}", row.name, row.aliases.join(", "), row.about)?;
    }
    Ok(())
}
