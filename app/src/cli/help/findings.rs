//! `lanescope help findings` and `lanescope help CODE`: the codes of findings, by area, and the explanation of one.

use std::io::{self, Write};

use lanescope_core::findings::{AREAS, Rule};

use lanescope_text::write_prose;

const HEAD: &str = "A finding is a violation of a rule, or a fact worth knowing, in a file that can be read. Findings \
                    of severity error make the exit status 1. `lanescope help CODE` explains a code, with an \
                    example.";

/// A sample with a finding.
const SAMPLE: &str = "
Worked sample
  lanescope inspect missing_input.vert missing_input.frag

  > P002

  The report ends with its findings, each with its place in the shader. `lanescope help P002`
  explains this one. In the window, the tab Findings lists them. The files are in the folder
  samples.
";

/// Writes every code with its line, under the heading of its area.
pub fn list(out: &mut dyn Write) -> io::Result<()> {
    write_prose("", HEAD, out)?;
    for area in AREAS {
        writeln!(out, "\n{}:", area.title)?;
        for rule in area.rules {
            write_prose(&format!("  {}  {:7}  ", rule.code, rule.severity), rule.about, out)?;
        }
    }
    out.write_all(SAMPLE.as_bytes())
}

/// Writes what a code means, an example that raises it, and what to do about it.
pub fn explain(rule: &Rule, out: &mut dyn Write) -> io::Result<()> {
    write_prose(&format!("{}  {}  ", rule.code, rule.severity), rule.about, out)?;
    writeln!(out, "\nMeaning:")?;
    write_prose("  ", rule.meaning, out)?;
    writeln!(out, "\nExample:")?;
    for line in rule.example.text().lines() {
        // Lines of files stay as they are.
        if line.starts_with(' ') {
            writeln!(out, "  {line}")?;
        } else {
            write_prose("  ", line, out)?;
        }
    }
    writeln!(out, "\nWhat to do:")?;
    write_prose("  ", rule.remedy, out)
}
