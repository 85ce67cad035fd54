//! Topics that are written from the program's own tables; all others are pages of the manual.

use std::io::{self, Write};

use lanescope_core::chip::{Chip, Vendor};

use lanescope_text::write_prose;

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
                other names of Mesa's AMD driver. Layout and registers are computed for AMD's chips, --target; those \
                without `driver only` have register tables. Drivers compile for the chips of all vendors, --chip. \
                `lanescope doctor` lists the chips that this machine's drivers compile for.";
    write_prose("", head, out)?;
    for vendor in Vendor::ALL {
        writeln!(out, "\n{}", vendor.title())?;
        for chip in Chip::all().filter(|chip| chip.vendor() == *vendor) {
            writeln!(out, "  {:10}  {:36}  {}", chip.name(), chip.aliases().join(", "), chip.about())?;
        }
    }
    Ok(())
}
