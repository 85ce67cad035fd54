//! `lanescope help`: a command's help, or a topic's.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use clap::Args;
use lanescope_core::findings::RULES;
use lanescope_core::target::TARGETS;

use super::{CliError, Verdict};

/// How `error:` looks where colour is wanted.
pub const ERROR: Style = AnsiColor::Red.on_default().bold();

pub const EXAMPLES: &str = "\
Examples:
  lanescope                             the window, with the samples to choose from
  lanescope lit_surface.vert lit_surface.frag
                                        the window, with a pipeline
  lanescope tile_16x16.comp --compare odd_size.comp
                                        the window, with two programs compared
  lanescope inspect lit_surface.vert lit_surface.frag
                                        the same as text
  lanescope doctor                      what this machine offers
  lanescope help findings               every finding's code, and what it means

The files are those of the folder samples.";

/// What `help` takes.
#[derive(Debug, Args)]
pub struct Help {
    /// A command, or `findings`, or `targets`
    topic: Option<String>,
}

impl Help {
    pub fn run(&self, command: &mut clap::Command) -> Result<Verdict, CliError> {
        let mut out = anstream::AutoStream::auto(io::stdout().lock());
        match self.topic.as_deref() {
            None => write!(out, "{}", command.render_long_help().ansi())?,
            Some("findings") => findings(&mut out)?,
            Some("targets") => targets(&mut out)?,
            Some(topic) => match command.find_subcommand_mut(topic).filter(|found| !found.is_hide_set()) {
                Some(found) => {
                    let mut found = found.clone().bin_name(format!("lanescope {topic}"));
                    write!(out, "{}", found.render_long_help().ansi())?;
                }
                None => {
                    let commands = command_names(command).join(", ");
                    let message = format!("no help for `{topic}`; there is {commands}, findings, targets");
                    return Err(CliError::Unusable(message));
                }
            },
        }
        out.flush()?;
        Ok(Verdict::Clean)
    }
}

/// The commands that a user may type.
pub fn command_names(command: &clap::Command) -> Vec<String> {
    command.get_subcommands().filter(|c| !c.is_hide_set()).map(|c| c.get_name().to_owned()).collect()
}

fn findings(out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "Findings are rules that a readable shader breaks. Errors make the exit status 1.\n")?;
    for rule in RULES {
        writeln!(out, "  {}  {:7}  {}", rule.code, rule.severity, rule.about)?;
    }
    Ok(())
}

fn targets(out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "Every flag that takes a chip takes any of these names, in any case.\n")?;
    for row in TARGETS {
        writeln!(out, "  {:8}  {:18}  {}", row.name, row.aliases.join(", "), row.about)?;
    }
    Ok(())
}
