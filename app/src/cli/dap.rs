//! `lanescope dap`: the debug adapter.

use std::io;
use std::path::Path;
use std::process::ExitCode;

use clap::{Args, Command, FromArgMatches as _};
use lanescope_dap::launched::{Guard, Launched, Launcher};
use lanescope_dap::server::Ended;
use lanescope_host::debugging::report::Before;
use lanescope_host::flags::members::Flag;
use lanescope_host::watchdog::Limits;
use lanescope_text::problems;

use super::debug::Debug;
use super::debug_start::Started;
use super::streams;

pub const EXAMPLES: &str = "\
Examples:
  lanescope dap                         an editor starts it, and steps a shader
  lanescope dap --stdio                 the same, for clients that pass this option

It serves the debugger of `lanescope debug` on standard input and output. Arguments of a launch have the names of its flags. \
The page Debug adapter of the manual has the set-up of several editors.

Exit status: 0 the editor disconnected, 1 the editor is gone, 2 it cannot start, or a limit of the session was exceeded.";

/// Arguments of `dap`.
#[derive(Debug, Args)]
pub struct Dap {
    /// Use standard input and output (default)
    #[arg(long)]
    stdio: bool,
}

impl Dap {
    pub fn run(&self) -> ExitCode {
        match lanescope_dap::serve(io::stdin(), io::stdout(), CommandLine) {
            Ok(Ended::AsAsked) => ExitCode::SUCCESS,
            Ok(Ended::Early) => ExitCode::from(1),
            Err(error) => {
                streams::error(&error.to_string());
                ExitCode::from(2)
            }
        }
    }
}

/// Starts sessions as `lanescope debug` does.
struct CommandLine;

impl CommandLine {
    fn command() -> Command {
        Debug::augment_args(Command::new("debug")).no_binary_name(true).disable_help_flag(true)
    }
}

impl Launcher for CommandLine {
    fn flags(&self) -> Vec<Flag> {
        Flag::all(&CommandLine::command())
    }

    fn launch(&mut self, words: &[String], guard: &dyn Guard) -> Result<Launched, String> {
        let matches = CommandLine::command().try_get_matches_from(words).map_err(|error| refused(&error))?;
        let debug = Debug::from_arg_matches(&matches).map_err(|error| refused(&error))?;
        let loading = debug.analysis.loading();
        let limits = (!loading.is_in_process()).then(|| loading.own_limits());
        let watch = |limits: Limits| guard.watch(limits, "debug");
        let mut loader = loading.loader();
        let started = debug.start(&mut loader, &|| limits.map(watch)).map_err(|error| error.to_string())?;
        let Started { launch, mut session, before, has_errors, .. } = started;
        debug.set_breakpoints(&mut session).map_err(|error| error.to_string())?;
        let problems = |before: &Before| problems(Path::new(&before.script), &before.failures, &before.findings);
        Ok(Launched {
            launch,
            session,
            files: debug.analysis.files().to_vec(),
            before: before.as_ref().map(problems).unwrap_or_default(),
            has_errors: has_errors || before.is_some_and(|before| before.is_broken()),
            chose_lane: debug.lane.is_some() || debug.invocation.is_some(),
            limits,
        })
    }
}

/// What the parser of the command line says, without the parts that are about a command line.
pub(super) fn refused(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let end = ["\n\nUsage", "\n\nFor more information"].iter().filter_map(|mark| text.find(mark)).min();
    let text = text.get(..end.unwrap_or(text.len())).unwrap_or(&text);
    text.strip_prefix("error: ").unwrap_or(text).trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_are_those_of_debug() {
        let flags = CommandLine.flags();
        let is = |name: &str| flags.iter().find(|flag| flag.name == name).map(|flag| (flag.has_value, flag.is_list));
        assert_eq!(is("lane"), Some((true, false)));
        assert_eq!(is("zeros"), Some((false, false)));
        assert_eq!(is("buffer"), Some((true, true)));
        assert_eq!(is("help"), None);
    }

    #[test]
    fn errors_are_those_of_the_command_line() {
        for (words, why) in [
            (
                &["--lane=x", "--", "a.comp"][..],
                "invalid value 'x' for '--lane <W.L>': invalid lane `x`: expected WAVE.LANE",
            ),
            (&["--lane=0.1", "--invocation=0,0,0", "--", "a.comp"], "cannot be used with"),
        ] {
            let error = CommandLine::command().try_get_matches_from(words).map(|_| ()).expect_err(why);
            let text = refused(&error);
            assert!(text.contains(why) && !text.contains("Usage") && !text.contains('\u{1b}'), "{text}");
        }
    }
}
