//! `lanescope mcp`: the tools of an agent.

mod answers;
mod opened;

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, Command};
use lanescope_core::findings::Rule;
use lanescope_host::flags::members::Flag;
use lanescope_mcp::calls;
use lanescope_mcp::roots::Roots;
use lanescope_mcp::server::Server;
use lanescope_mcp::tools::arguments::Allowed;
use lanescope_mcp::tools::{Offered, TOOLS, Tool, ToolFlag};

use super::debug::Debug;
use super::diff::Diff;
use super::inspect::Inspect;
use super::isa::Isa;
use super::loading::memory;
use super::on_device::seconds;
use super::reduce::Reduce;
use super::run::Run;
use super::{help, streams};

pub const EXAMPLES: &str = "\
Examples:
  lanescope mcp --root work_graphs      an agent starts it, and asks about the shaders in that folder
  lanescope mcp --root work_graphs -I inputs --allow-run
                                        it may also read another folder, and run shaders on devices

It serves the Model Context Protocol on standard input and output. The page Agents of the manual has the set-up of several \
clients, the tools, and what is refused.

Exit status: 0 the client closed its stream, 2 it cannot start.";

/// Arguments of `mcp`.
#[derive(Debug, Args)]
pub struct Mcp {
    /// The workspace: paths are relative to it, and files are read and written below it only [default: the current folder]
    #[arg(long, value_name = "DIR", default_value = ".", hide_default_value = true)]
    root: PathBuf,

    /// Another folder whose files may be read (may be repeated)
    #[arg(short = 'I', long, value_name = "DIR")]
    allow_read: Vec<PathBuf>,

    /// Run shaders on devices where a call asks for it; without it they run in the interpreter only
    #[arg(long)]
    allow_run: bool,

    /// Time limit in seconds of what a call does, as of the command with the same name
    #[arg(long, value_name = "SECONDS", value_parser = seconds, help_heading = "Limits")]
    timeout: Option<Duration>,

    /// Memory limit of what a call does, in bytes or with K, M or G
    #[arg(long, value_name = "SIZE", value_parser = memory, help_heading = "Limits")]
    memory: Option<u64>,

    /// Use standard input and output (default)
    #[arg(long)]
    stdio: bool,
}

impl Mcp {
    pub fn run(&self) -> ExitCode {
        match self.serve() {
            Ok(()) => ExitCode::SUCCESS,
            Err(why) => {
                streams::error(&why);
                ExitCode::from(2)
            }
        }
    }

    fn serve(&self) -> Result<(), String> {
        let roots = Roots::new(&self.root, &self.allow_read)?;
        let limits = [
            self.timeout.map(|time| format!("--timeout={}", time.as_secs_f64())),
            self.memory.map(|memory| format!("--memory={memory}")),
        ];
        let limits = limits.into_iter().flatten().collect();
        let allowed = Allowed { roots, run: self.allow_run, limits };
        let server = Server::new(offered(), allowed, explain);
        lanescope_mcp::serve(io::stdin(), io::stdout(), server).map_err(|error| error.to_string())
    }
}

/// Carries out a call that a server sends: the hidden command.
pub fn call() -> ExitCode {
    calls::serve(answers::answer)
}

/// What a finding means, as `lanescope help CODE` writes it.
fn explain(rule: &Rule) -> String {
    let mut out = Vec::new();
    // Memory can be written.
    let _ = help::explain(rule, &mut out);
    String::from_utf8_lossy(&out).into_owned()
}

/// The tools, with the flags of their commands and the schemas of their results.
fn offered() -> Vec<Offered> {
    TOOLS.iter().map(|tool| Offered { tool, flags: flags(tool), result: answers::schema(tool) }).collect()
}

/// The flags of a tool's command.
fn flags(tool: &Tool) -> Vec<ToolFlag> {
    let Some(command) = tool.command.and_then(command) else { return Vec::new() };
    let shown = Flag::shown(&command);
    let of = |flag: Flag| {
        let argument = command.get_arguments().find(|argument| argument.get_long() == Some(&flag.name))?;
        let values = if flag.has_value { argument.get_possible_values() } else { Vec::new() };
        Some(ToolFlag {
            help: argument.get_help().map(ToString::to_string).unwrap_or_default(),
            value_name: argument.get_value_names().unwrap_or_default().join(" "),
            values: values.iter().map(|value| value.get_name().to_owned()).collect(),
            flag,
        })
    };
    shown.into_iter().filter_map(of).collect()
}

/// The arguments of a command, without a word for the program and without its help.
fn command(name: &str) -> Option<Command> {
    let command = Command::new("lanescope");
    let command = match name {
        "inspect" => Inspect::augment_args(command),
        "isa" => Isa::augment_args(command),
        "diff" => Diff::augment_args(command),
        "run" => Run::augment_args(command),
        "debug" => Debug::augment_args(command),
        "reduce" => Reduce::augment_args(command),
        _ => return None,
    };
    Some(command.no_binary_name(true).disable_help_flag(true))
}

#[cfg(test)]
mod tests {
    use lanescope_mcp::tools::arguments::{MIXED, READ, REFUSED, WRITTEN};
    use lanescope_mcp::tools::schema;

    use super::*;

    /// Every flag with a file in its value is judged: it is read, written, read here, or refused.
    #[test]
    fn flags_with_paths_are_known() {
        for offered in offered() {
            for flag in &offered.flags {
                let name = flag.flag.name.as_str();
                let has_path = flag
                    .value_name
                    .split(|c: char| !c.is_alphanumeric())
                    .any(|word| ["FILE", "DIR", "PATH"].contains(&word));
                let is_known = READ.contains(&name)
                    || WRITTEN.contains(&name)
                    || MIXED.contains(&name)
                    // A breakpoint is at a line of a file that was loaded.
                    || name == "break"
                    || REFUSED.iter().any(|(refused, _)| *refused == name);
                assert!(is_known || !has_path, "{}: --{name} {}", offered.tool.name, flag.value_name);
            }
        }
    }

    #[test]
    fn what_a_tool_lists_exists_and_is_not_refused() {
        for offered in offered() {
            for name in offered.tool.listed.iter().chain(offered.tool.required) {
                assert!(offered.flag(name).is_some(), "{}: --{name}", offered.tool.name);
                assert!(REFUSED.iter().all(|(refused, _)| refused != name), "{}: --{name}", offered.tool.name);
            }
            assert_eq!(offered.tool.command.is_some(), !offered.flags.is_empty(), "{}", offered.tool.name);
            let schema = schema::output(&offered);
            assert!(schema["properties"]["result"].is_object(), "{}", offered.tool.name);
        }
        let all: Vec<String> =
            offered().iter().flat_map(|one| one.flags.iter().map(|one| one.flag.name.clone())).collect();
        for name in READ.iter().chain(&WRITTEN).chain(&MIXED).chain(REFUSED.iter().map(|(name, _)| name)) {
            assert!(all.iter().any(|known| known == name), "--{name} is not a flag any more");
        }
    }
}
