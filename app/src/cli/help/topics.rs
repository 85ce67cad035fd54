//! Topics that are written from the program's own tables; all others are pages of the manual.

use std::io::{self, Write};

use lanescope_core::target::TARGETS;

use crate::cli::text::write_prose;

/// One topic.
pub struct Topic {
    /// What a user types.
    pub name: &'static str,
    /// What it is about, for the list of topics.
    pub about: &'static str,
    /// Writes its page.
    pub write: fn(&mut dyn Write) -> io::Result<()>,
}

/// Every topic, in the order in which they are listed.
pub const TOPICS: &[Topic] = &[
    Topic {
        name: "findings",
        about: "What does each finding code mean? (`help CODE` explains one)",
        write: super::findings::list,
    },
    Topic { name: "targets", about: "Which chip names are accepted?", write: targets },
];

fn targets(out: &mut dyn Write) -> io::Result<()> {
    let head = "Each flag for a chip accepts these names; case, spaces, - and _ are ignored. --chip also accepts \
                other names of Mesa's AMD driver. Chips without `driver only` have register tables. `lanescope \
                doctor` lists the chips that this machine's drivers compile for.";
    write_prose("", head, out)?;
    writeln!(out)?;
    for row in TARGETS {
        writeln!(out, "  {:8}  {:36}  {}", row.name, row.aliases.join(", "), row.about)?;
    }
    Ok(())
}
