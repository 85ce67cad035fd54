//! `lanescope help`: a command's help, or a topic's.

mod findings;
mod topics;

use std::ffi::OsStr;
use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use clap::Args;
use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use lanescope_core::findings::rule;

use self::topics::TOPICS;
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
  lanescope help packing                what packing is, with a worked sample; swizzle, registers,
                                        drivers, partial, dxil, graphs, findings and targets are
                                        topics too

The files are those of the folder samples.";

pub const HELP_EXAMPLES: &str = "\
Examples:
  lanescope help packing                a topic's page
  lanescope help P002                   what a finding's code means, an example, and what to do
  lanescope help inspect                a command's flags, as lanescope inspect --help prints them";

/// What `help` takes.
#[derive(Debug, Args)]
pub struct Help {
    /// A command or a topic
    #[arg(value_name = "TOPIC", value_parser = TopicParser, hide_possible_values = true)]
    topic: Option<String>,
}

/// Takes any word, since commands are topics too; completions offer the topics.
#[derive(Debug, Clone)]
struct TopicParser;

impl TypedValueParser for TopicParser {
    type Value = String;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(TOPICS.iter().map(|topic| PossibleValue::new(topic.name).help(topic.about))))
    }
}

impl Help {
    pub fn run(&self, command: &mut clap::Command) -> Result<Verdict, CliError> {
        let mut out = anstream::AutoStream::auto(io::stdout().lock());
        match self.topic.as_deref() {
            None => {
                write!(out, "{}", command.render_long_help().ansi())?;
                writeln!(out, "\nTopics, each with a worked sample:")?;
                for topic in TOPICS {
                    writeln!(out, "  lanescope help {:9}  {}", topic.name, topic.about)?;
                }
            }
            Some(name) => {
                let topic = TOPICS.iter().find(|topic| topic.name == name);
                let found = command.find_subcommand_mut(name).filter(|found| !found.is_hide_set());
                match (topic, found) {
                    (Some(topic), found) => {
                        topic.write(&mut out)?;
                        if found.is_some() {
                            writeln!(out, "\nlanescope {name} --help lists the command's flags.")?;
                        }
                    }
                    (None, Some(found)) => {
                        let mut found = found.clone().bin_name(format!("lanescope {name}"));
                        write!(out, "{}", found.render_long_help().ansi())?;
                    }
                    (None, None) => match rule(name) {
                        Some(rule) => findings::explain(rule, &mut out)?,
                        None => return Err(unknown(name, command)),
                    },
                }
            }
        }
        out.flush()?;
        Ok(Verdict::Clean)
    }
}

/// The error for a name that help does not know.
fn unknown(name: &str, command: &clap::Command) -> CliError {
    let topics: Vec<&str> = TOPICS.iter().map(|topic| topic.name).collect();
    let (commands, topics) = (command_names(command).join(", "), topics.join(", "));
    CliError::Unusable(format!(
        "no help for `{name}`; the commands are {commands}; the topics {topics}; codes of findings are topics too"
    ))
}

/// The commands that a user may type.
pub fn command_names(command: &clap::Command) -> Vec<String> {
    command.get_subcommands().filter(|c| !c.is_hide_set()).map(|c| c.get_name().to_owned()).collect()
}
