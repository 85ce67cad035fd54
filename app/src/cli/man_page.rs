//! Manual pages: clap's sections, with the examples and the text after them unchanged.

use std::io::{self, Write};

use clap_mangen::Man;

/// Writes a command's page, called by that name.
pub fn write(command: clap::Command, name: &str, out: &mut dyn Write) -> io::Result<()> {
    let mut command = command.display_name(name.to_owned());
    let usage = command.render_usage().to_string();
    let after = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let source = concat!("lanescope ", env!("CARGO_PKG_VERSION"));
    let has_commands = command.get_subcommands().any(|command| !command.is_hide_set());
    let page = Man::new(command).title(name.to_uppercase()).source(source);
    page.render_title(out)?;
    page.render_name_section(out)?;
    writeln!(out, ".SH SYNOPSIS\n.nf")?;
    for line in usage.trim_start_matches("Usage:").lines() {
        writeln!(out, "{}", literal(line.trim()))?;
    }
    writeln!(out, ".fi")?;
    page.render_description_section(out)?;
    page.render_options_section(out)?;
    if has_commands {
        page.render_subcommands_section(out)?;
    }
    notes(&after, out)
}

/// What follows a command's flags: indented lines as they are, others as paragraphs.
fn notes(text: &str, out: &mut dyn Write) -> io::Result<()> {
    let mut section = "";
    let mut is_literal = false;
    for line in text.lines() {
        let (heading, line) = match line.strip_prefix("Exit status: ") {
            Some(rest) => ("EXIT STATUS", rest),
            None if line == "Examples:" => ("EXAMPLES", ""),
            None => ("", line),
        };
        let literal_now = line.starts_with(' ');
        if is_literal && !literal_now {
            writeln!(out, ".fi")?;
        }
        let prose_after_examples = section == "EXAMPLES" && !literal_now && !line.is_empty();
        if !heading.is_empty() || prose_after_examples {
            section = if heading.is_empty() { "NOTES" } else { heading };
            writeln!(out, ".SH \"{section}\"")?;
        } else if line.is_empty() && section != "EXAMPLES" {
            writeln!(out, ".PP")?;
        }
        if literal_now && !is_literal {
            writeln!(out, ".nf")?;
        }
        is_literal = literal_now;
        if !line.is_empty() {
            writeln!(out, "{}", literal(line))?;
        }
    }
    if is_literal { writeln!(out, ".fi") } else { Ok(()) }
}

/// Escapes a line for roff as plain text, with hyphens that can be copied.
fn literal(line: &str) -> String {
    let line = line.replace('\\', "\\e").replace('-', "\\-");
    if line.starts_with(['.', '\'']) { format!("\\&{line}") } else { line }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_indented_lines() {
        let text =
            "Examples:\n  x --a  b\n         c\n\nOne.\nTwo \\n:\n  { \"a\": 1 }\n.Three.\n\nExit status: 0 a,\n1 b.";
        let mut out = Vec::new();
        notes(text, &mut out).expect("memory takes every write");
        let expected = [
            ".SH \"EXAMPLES\"",
            ".nf",
            "  x \\-\\-a  b",
            "         c",
            ".fi",
            ".SH \"NOTES\"",
            "One.",
            "Two \\en:",
            ".nf",
            "  { \"a\": 1 }",
            ".fi",
            "\\&.Three.",
            ".PP",
            ".SH \"EXIT STATUS\"",
            "0 a,",
            "1 b.",
            "",
        ];
        assert_eq!(String::from_utf8_lossy(&out), expected.join("\n"));
    }
}
