//! The command line: one file per command.

mod args;
mod bisect;
mod capabilities;
mod code_object;
mod corpus;
mod cost;
mod csv;
mod dap;
mod debug;
mod debug_place;
mod debug_record;
mod debug_start;
mod deferred;
mod diff;
mod doctor;
mod draw;
mod driver_args;
mod explicit_flags;
mod export;
#[cfg(test)]
mod extension_tests;
mod foz;
mod generate;
mod graph;
mod graph_json;
mod graph_start;
mod guess_layout;
mod help;
mod hunt;
mod input_args;
mod inspect;
mod isa;
mod link_desc;
mod loading;
mod lsp;
mod man_page;
mod mcp;
mod on_device;
mod opcodes;
mod predicted;
mod probe;
mod reduce;
mod repack;
mod response;
mod rewrite;
mod run;
mod run_graph;
mod run_script;
mod sarif;
mod schema;
mod sign;
mod size;
mod slots;
mod sodb;
mod spec_args;
mod stepper;
mod streams;
#[cfg(feature = "tui")]
mod tui;
mod variants;
mod watch;
mod window;
mod workspace;

use std::io::{self, Write as _};
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};
use lanescope_core::findings::{Finding, Severity};

use deferred::Deferred;

use lanescope_host::json;
use lanescope_host::safe_write::NotWritten;
use lanescope_workbench::about::BUILD;

/// Shows what a GPU driver does to a shader's layout.
///
#[cfg_attr(feature = "window", doc = "Without a command it opens the window.")]
#[cfg_attr(not(feature = "window"), doc = "Without a command it opens the inspector in the terminal.")]
#[derive(Debug, Parser)]
#[command(name = "lanescope", version, long_version = BUILD, args_conflicts_with_subcommands = true, disable_help_subcommand = true)]
#[command(after_help = help::EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    window: window::Files,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Analyzes shaders and prints the report
    #[command(after_help = inspect::EXAMPLES)]
    Inspect(Deferred<inspect::Inspect>),
    /// Prints the report again whenever a file changes
    #[command(after_help = watch::EXAMPLES)]
    Watch(Deferred<watch::WatchFiles>),
    /// Serves an editor: diagnostics, hints and explanations while a shader is edited
    #[command(after_help = lsp::EXAMPLES)]
    Lsp(Deferred<lsp::Lsp>),
    /// Serves the debugger of an editor: steps shaders in the interpreter over the Debug Adapter Protocol
    #[command(after_help = dap::EXAMPLES)]
    Dap(Deferred<dap::Dap>),
    /// Serves an agent: what the other commands find, as tools of the Model Context Protocol
    #[command(after_help = mcp::EXAMPLES)]
    Mcp(Deferred<mcp::Mcp>),
    /// Draws a picture of the layout into an SVG or PNG file
    #[command(after_help = draw::EXAMPLES)]
    Draw(Deferred<draw::Draw>),
    /// Opens the inspector in this terminal: no display required
    #[cfg(feature = "tui")]
    #[command(after_help = tui::EXAMPLES)]
    Tui(Deferred<tui::Tui>),
    /// Shows a work graph: nodes, edges, records, violated rules
    #[command(after_help = graph::EXAMPLES)]
    Graph(Deferred<graph::Graph>),
    /// Writes shaders rewritten with the packing and the workgroup layout
    #[command(after_help = rewrite::EXAMPLES)]
    Rewrite(Deferred<rewrite::Rewrite>),
    /// Counts attribute slots of many pipelines, before and after packing
    #[command(after_help = slots::EXAMPLES)]
    Slots(Deferred<slots::Slots>),
    /// Measures whole libraries of pipelines: sums, comparisons, rows for other programs
    #[command(after_help = corpus::EXAMPLES)]
    Corpus(Deferred<corpus::Corpus>),
    /// Runs a program on a Vulkan device and shows what it wrote
    #[command(after_help = run::EXAMPLES)]
    Run(Deferred<run::Run>),
    /// Counts cache lines and LDS passes of a compute shader in each workgroup layout; what a pipeline's interface costs
    #[command(after_help = cost::EXAMPLES)]
    Cost(Deferred<cost::CostOf>),
    /// Writes a program, what it runs with and what it leaves as an Amber script: for a report of a driver's error
    #[command(after_help = export::EXAMPLES)]
    Export(Deferred<export::Export>),
    /// Steps a shader in the interpreter, forwards and backwards
    #[command(after_help = debug::EXAMPLES)]
    Debug(Deferred<debug::Debug>),
    /// Measures which lane of a device runs which invocation of a workgroup
    #[command(after_help = probe::EXAMPLES)]
    Probe(Deferred<probe::Probe>),
    /// Makes a program smaller while a condition holds: a compiler crashes, results differ, a number is exceeded
    #[command(after_help = reduce::EXAMPLES)]
    Reduce(Deferred<reduce::Reduce>),
    /// Tries compilers and devices with many programs, and keeps what they do wrong
    #[command(after_help = hunt::EXAMPLES)]
    Hunt(Deferred<hunt::Hunt>),
    /// Finds the step that changed something: an option, a driver, a group of lines, a commit
    #[command(after_help = bisect::EXAMPLES)]
    Bisect(Deferred<bisect::Bisect>),
    /// Compares two programs or two reports, section by section
    #[command(after_help = diff::EXAMPLES)]
    Diff(Deferred<diff::Diff>),
    /// Prints assembly and statistics from drivers' compilers
    #[command(after_help = isa::EXAMPLES)]
    Isa(Deferred<isa::Isa>),
    /// Guesses pipeline layouts from shaders alone, and measures what speculative compiles with them save
    #[command(name = "guess-layout", alias = "partial", after_help = guess_layout::EXAMPLES)]
    GuessLayout(Deferred<guess_layout::GuessLayout>),
    /// Lists the pipelines of a Fossilize database, or writes one
    #[command(after_help = foz::EXAMPLES)]
    Foz(Deferred<foz::Foz>),
    /// Prints the output linkage of D3D12's partial graphics programs, from the shaders of a pipeline
    #[command(name = "link-desc", after_help = link_desc::EXAMPLES)]
    LinkDesc(Deferred<link_desc::LinkDesc>),
    /// Writes an AMD code object with another mapping of user data
    #[command(after_help = repack::EXAMPLES)]
    Repack(Deferred<repack::Repack>),
    /// Writes a DXIL container with another digest
    #[command(after_help = sign::EXAMPLES)]
    Sign(Deferred<sign::Sign>),
    /// Lists a D3D12 state object database, or writes some of its groups to a new one
    #[command(after_help = sodb::EXAMPLES)]
    Sodb(Deferred<sodb::Sodb>),
    /// Lists the DXIL ops, and rewrites opcodes in LLVM IR and tests
    #[command(after_help = opcodes::EXAMPLES)]
    Opcodes(Deferred<opcodes::Opcodes>),
    /// Lists what this machine offers, and what is missing
    #[command(after_help = doctor::EXAMPLES)]
    Doctor(Deferred<doctor::Doctor>),
    /// Explains a command or a topic, with a worked example
    #[command(after_help = help::HELP_EXAMPLES)]
    Help(Deferred<help::Help>),
    /// Prints the JSON Schema of what a command writes for scripts
    #[command(after_help = schema::EXAMPLES)]
    Schema(Deferred<schema::SchemaOf>),
    /// Writes a script that completes this program's arguments in a shell
    #[command(after_help = generate::COMPLETIONS_EXAMPLES)]
    Completions(Deferred<generate::Completions>),
    /// Writes the manual pages
    #[command(after_help = generate::MAN_EXAMPLES)]
    Man(Deferred<generate::Man>),
    /// Hosts compilers and devices for a parent process
    #[command(hide = true)]
    Worker,
    /// Carries out a call of an agent for a server
    #[command(name = lanescope_mcp::calls::COMMAND, hide = true)]
    McpCall,
}

/// The outcome of a command, as an exit status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    /// 0: no errors.
    Clean,
    /// 1: findings of severity error.
    Findings,
}

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
enum CliError {
    /// 2: the command or its input could not be used.
    #[error("{0}")]
    Unusable(String),
    /// 3: something requested is missing.
    #[error("{0}")]
    Missing(String),
    /// Output could not be written; a closed pipe is not an error.
    #[error("{0}")]
    Output(#[from] io::Error),
}

impl From<NotWritten> for CliError {
    fn from(error: NotWritten) -> Self {
        let hint = if matches!(error, NotWritten::Exist(_)) { " (use --force to overwrite)" } else { "" };
        CliError::Unusable(format!("{error}{hint}"))
    }
}

/// Writes findings to stderr, if stdout has other contents.
fn tell_findings<'f>(findings: impl IntoIterator<Item = &'f Finding>) {
    for finding in findings {
        let place = finding.place.as_ref().map(|place| format!(" ({place})")).unwrap_or_default();
        let found = format!("{} {}: {}{place}", finding.severity, finding.code, finding.message);
        streams::tell(&lanescope_text::plain(&found));
    }
}

/// Findings that decide the exit status, or explain an unexpected result.
fn serious(findings: &[Finding]) -> impl Iterator<Item = &Finding> {
    findings.iter().filter(|finding| finding.severity != Severity::Note)
}

/// Parses the arguments, runs the command, and returns the exit status.
pub fn main() -> ExitCode {
    let arguments = match response::expanded(std::env::args_os()) {
        Ok(arguments) => arguments,
        Err(why) => {
            streams::error(&why.to_string());
            return ExitCode::from(2);
        }
    };
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version are not errors; clap knows which stream each goes to, and a closed one is not an error
            // here.
            streams::parsed(&error);
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    let result = match cli.command {
        None => window::open_window(&cli.window, &help::command_names(&Cli::command())),
        Some(Command::Inspect(inspect)) => inspect.run(),
        #[cfg(feature = "tui")]
        Some(Command::Tui(tui)) => tui.run(),
        Some(Command::Watch(watch)) => watch.run(),
        Some(Command::Lsp(lsp)) => return lsp.run(),
        Some(Command::Dap(dap)) => return dap.run(),
        Some(Command::Mcp(mcp)) => return mcp.run(),
        Some(Command::Draw(draw)) => draw.run(),
        Some(Command::Graph(graph)) => graph.run(),
        Some(Command::Rewrite(rewrite)) => rewrite.run(),
        Some(Command::Slots(slots)) => slots.run(),
        Some(Command::Corpus(corpus)) => corpus.run(),
        Some(Command::Run(run)) => run.run(),
        Some(Command::Cost(cost)) => cost.run(),
        Some(Command::Export(export)) => export.run(),
        Some(Command::Debug(debug)) => debug.run(),
        Some(Command::Probe(probe)) => probe.run(),
        Some(Command::Reduce(reduce)) => reduce.run(),
        Some(Command::Hunt(hunt)) => hunt.run(),
        Some(Command::Bisect(bisect)) => bisect.run(),
        Some(Command::Diff(diff)) => diff.run(),
        Some(Command::Isa(isa)) => isa.run(),
        Some(Command::GuessLayout(guess)) => guess.run(),
        Some(Command::Foz(foz)) => foz.run(),
        Some(Command::LinkDesc(linkage)) => linkage.run(),
        Some(Command::Repack(repack)) => repack.run(),
        Some(Command::Sign(sign)) => sign.run(),
        Some(Command::Sodb(sodb)) => sodb.run(),
        Some(Command::Opcodes(opcodes)) => opcodes.run(),
        Some(Command::Doctor(doctor)) => doctor.run(),
        Some(Command::Help(help)) => help.run(&mut Cli::command()),
        Some(Command::Schema(schema)) => schema.run(),
        Some(Command::Completions(completions)) => completions.run(Cli::command()),
        Some(Command::Man(man)) => man.run(Cli::command()),
        Some(Command::McpCall) => return mcp::call(),
        Some(Command::Worker) => return lanescope_host::worker::serve(),
    };
    // What standard output's buffer still held at the end would be lost silently.
    let result = result.and_then(|verdict| Ok(io::stdout().flush().map(|()| verdict)?));
    match result {
        Ok(Verdict::Clean) => ExitCode::SUCCESS,
        Ok(Verdict::Findings) => ExitCode::from(1),
        Err(CliError::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            streams::error(&error.to_string());
            ExitCode::from(match error {
                CliError::Missing(_) => 3,
                CliError::Unusable(_) | CliError::Output(_) => 2,
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }

    /// Names and flags of a command that two of its arguments have, with those of its subcommands. clap looks for these in
    /// builds for debugging only.
    fn taken_twice(command: &mut clap::Command, out: &mut Vec<String>) {
        command.build();
        let mut seen = std::collections::BTreeSet::new();
        for argument in command.get_arguments() {
            let flag = argument.get_long().map(|long| format!("--{long}"));
            for name in [Some(argument.get_id().to_string()), flag].into_iter().flatten() {
                if !seen.insert(name.clone()) {
                    out.push(format!("{} {name}", command.get_name()));
                }
            }
        }
        command.get_subcommands_mut().for_each(|command| taken_twice(command, out));
    }

    #[test]
    fn every_flag_is_of_one_argument() {
        let mut found = Vec::new();
        taken_twice(&mut Cli::command(), &mut found);
        assert_eq!(found, [""; 0]);
        let twice =
            clap::Command::new("twice").arg(clap::Arg::new("a").long("one")).arg(clap::Arg::new("a").long("one"));
        taken_twice(&mut clap::Command::new("of").subcommand(twice), &mut found);
        assert_eq!(found, ["twice a", "twice --one"]);
    }

    #[test]
    fn accepts_earlier_flag_names_and_hides_them() {
        for (line, flag) in [
            ("rewrite a.vert --out d", "--out "),
            ("run a.comp --out d --fill 7", "--fill"),
            ("run a.dxil --mode free", "--mode"),
            ("run a.dxil --mode step", "--mode"),
            ("isa a.frag --out d --of packed --apart", "--of "),
            ("isa a.frag --apart", "--apart"),
            ("foz a.vert --out a.foz --compress --force", "--out "),
            ("man --out d --force", "--out "),
            ("opcodes --map 4=5 d --write --patch p.patch", "--patch"),
            ("guess-layout a.frag --words --gap 3 --fill 2", "--words"),
            ("partial a.frag --auto-layout sequential --gap 3", "--gap"),
        ] {
            let words: Vec<&str> = ["lanescope"].into_iter().chain(line.split(' ')).collect();
            assert!(Cli::try_parse_from(&words).is_ok(), "{line}");
            let mut command = Cli::command();
            let command = command.find_subcommand_mut(words[1]).expect(line);
            let help = command.render_long_help().to_string();
            assert!(!help.contains(flag), "{line}: {flag} is listed\n{help}");
        }
    }

    #[test]
    fn every_command_that_writes_takes_output() {
        for line in [
            "rewrite a.vert -o d",
            "run a.comp -o d",
            "isa a.frag -o d --force",
            "foz a.vert -o a.foz",
            "sodb a.sodb key -o b.sodb",
            "repack a.elf --layout a.json -o b.elf",
            "export --amber a.comp -o a.amber",
            "man -o d",
            "draw a.frag --view packing -o a.svg",
            "diff a.frag b.frag --format svg -o d",
            "opcodes --map 4=5 d --write -o p.patch",
            "opcodes numeric a.ll -o b.ll",
        ] {
            for line in [line.to_owned(), line.replace(" -o ", " --output ")] {
                let parsed = Cli::try_parse_from(["lanescope"].into_iter().chain(line.split(' ')));
                assert!(parsed.is_ok(), "{line}: {:?}", parsed.err());
            }
        }
    }
}
