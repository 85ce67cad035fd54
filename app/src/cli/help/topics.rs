//! Topics that are written from the program's own tables; all others are pages of the manual.

use std::io::{self, Write};

use lanescope_core::findings::{RULES, SAYS_WHAT_IS};
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
    Topic { name: "findings", about: "What does each finding's code mean?", write: findings },
    Topic { name: "targets", about: "By which names are chips known?", write: targets },
];

fn findings(out: &mut dyn Write) -> io::Result<()> {
    let head = format!(
        "A finding is something wrong or worth knowing in a shader that can be read. Lines of {} say what was found, all \
         others the rule that is broken. Errors make the exit status 1.",
        SAYS_WHAT_IS.map(|letter| format!("{letter}…")).join(", ")
    );
    write_prose("", &head, out)?;
    writeln!(out)?;
    for rule in RULES {
        write_prose(&format!("  {}  {:7}  ", rule.code, rule.severity), rule.about, out)?;
    }
    out.write_all(FINDINGS_SAMPLE.as_bytes())
}

/// A sample with a finding.
const FINDINGS_SAMPLE: &str = "
Worked sample
  lanescope inspect missing_input.vert missing_input.frag

  > P002

  The report ends with its findings, each with its place in the shader. In the window they are the
  tab Findings. The files are those of the folder samples.
";

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
