//! `lanescope help`: a page of the manual, a topic's, or a command's flags.

mod findings;
mod topics;

use std::ffi::OsStr;
use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use clap::Args;
use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use lanescope_core::findings::rule;

pub(super) use self::findings::explain;
use self::topics::TOPICS;
use super::{CliError, Verdict};
use lanescope_text::{markdown, write_prose};
use lanescope_workbench::manual;

/// Style of `error:`.
pub const ERROR: Style = AnsiColor::Red.on_default().bold();

pub const EXAMPLES: &str = "\
Examples:
  lanescope                             the window, with the last session or the samples
  lanescope lit_surface.vert lit_surface.frag
                                        the window, with a pipeline
  lanescope tile_16x16.comp --compare odd_size.comp
                                        the window, with two programs compared
  lanescope inspect lit_surface.vert lit_surface.frag
                                        the same as text
  lanescope doctor                      what this machine offers
  lanescope help packing                a page of the manual, with a worked example
  lanescope help                        all pages of the manual

`@FILE` stands for the arguments in FILE (`lanescope help source-files`). For the inputs of corpus, slots and \
guess-layout it is a list of files.

The files are in the folder samples.";

pub const HELP_EXAMPLES: &str = "\
Examples:
  lanescope help packing                a page of the manual
  lanescope help graph                  the page that explains a command, with its usage at the end
  lanescope help inspect                the flags of a command without a page of its own
  lanescope help P002                   what a finding code means, an example, and what to do
  lanescope help targets                the accepted chip names

`lanescope COMMAND --help` always prints the command's flags.";

/// Arguments of `help`.
#[derive(Debug, Args)]
pub struct Help {
    /// A page of the manual, a topic or a command
    #[arg(value_name = "NAME", value_parser = TopicParser, hide_possible_values = true)]
    topic: Option<String>,
}

/// Accepts any word, because commands have help too; completions offer pages and topics.
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
        let value = |(name, about): (&'static str, String)| PossibleValue::new(name).help(about);
        Some(Box::new(listed().map(value)))
    }
}

/// What can be named beside commands, with what it is about.
fn listed() -> impl Iterator<Item = (&'static str, String)> {
    let pages = manual::PAGES.iter().map(|page| (page.name, page.question()));
    pages.chain(TOPICS.iter().map(|topic| (topic.name, topic.about.to_owned())))
}

impl Help {
    pub fn run(&self, command: &mut clap::Command) -> Result<Verdict, CliError> {
        let (mut out, _) = crate::cli::streams::styled();
        match self.topic.as_deref() {
            None => write_list(command, &mut out)?,
            Some(name) => write_named(name, command, &mut out)?,
        }
        out.flush()?;
        Ok(Verdict::Clean)
    }
}

/// Writes the program's help, and what else `help` explains.
fn write_list(command: &mut clap::Command, out: &mut dyn Write) -> Result<(), CliError> {
    write!(out, "{}", command.render_long_help().ansi())?;
    writeln!(out, "\nPages of the manual, with the questions that they answer:")?;
    for (name, about) in listed() {
        write_prose(&format!("  lanescope help {name:15}  "), &about, out)?;
    }
    Ok(())
}

/// Writes the first of these that has the name: a page of the manual, a topic, a command's flags.
fn write_named(name: &str, command: &mut clap::Command, out: &mut dyn Write) -> Result<(), CliError> {
    if let Some(page) = manual::find(name) {
        markdown::write(page.text, out)?;
        if let Some(of) = page.command {
            write_usage(of, command, out)?;
        }
    } else if let Some(topic) = TOPICS.iter().find(|topic| topic.name == name) {
        (topic.write)(out)?;
    } else if let Some(mut found) = subcommand(name, command) {
        write!(out, "{}", found.render_long_help().ansi())?;
    } else if let Some(rule) = rule(name) {
        explain(rule, out)?;
    } else {
        let names: Vec<&str> = listed().map(|(name, _)| name).collect();
        let (commands, names) = (command_names(command).join(", "), names.join(", "));
        return Err(CliError::Unusable(format!(
            "no help for `{name}`; the commands are {commands}; the pages and topics are {names}; finding codes are \
             topics too"
        )));
    }
    Ok(())
}

/// Writes a command's usage line, and where its flags are.
fn write_usage(name: &str, command: &mut clap::Command, out: &mut dyn Write) -> io::Result<()> {
    let Some(mut found) = subcommand(name, command) else { return Ok(()) };
    writeln!(out, "\n{}", found.render_usage().ansi())?;
    writeln!(out, "`lanescope {name} --help` lists the flags.")
}

/// A command that a user may type.
fn subcommand(name: &str, command: &mut clap::Command) -> Option<clap::Command> {
    let found = command.find_subcommand_mut(name).filter(|found| !found.is_hide_set())?;
    Some(found.clone().bin_name(format!("lanescope {name}")))
}

/// The commands that a user may type.
pub fn command_names(command: &clap::Command) -> Vec<String> {
    command.get_subcommands().filter(|c| !c.is_hide_set()).map(|c| c.get_name().to_owned()).collect()
}
