//! `lanescope opcodes`: the DXIL op tables, and opcodes in text.

mod diff;
mod explain;
mod history;
mod list;
mod merge;
mod patch;
mod renumber;
mod stabilise;
mod tables;
mod translate;

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use lanescope_core::dxil::ops::{FeatureId, Opcode, ShaderKind, TableKind, Version, by_name};

use super::{CliError, Verdict};
use lanescope_host::flags::choices::one_of;

/// Largest size of a text in bytes; a larger file is not a test.
const LARGEST: u64 = 64 << 20;

pub const EXAMPLES: &str = "\
Examples:
  lanescope opcodes                                  both tables
  lanescope opcodes rayquery cluster                 ops with both words in name, class or group
  lanescope opcodes dx.op.loadInput.f32              the ops of a callee
  lanescope opcodes 0x80000005                       one op with its operands
  lanescope opcodes explain -2147483615              the bits of a number
  lanescope opcodes history IsDebuggerPresent        what a number or a name was before
  lanescope opcodes --feature 0x8000 --format json   the experimental table
  lanescope opcodes --since 6.8 --stage compute      ops introduced with shader model 6.8 or later
  lanescope opcodes symbolic inputs/llvm/wave.ll     `i32 4` as `i32 dx.op.LoadInput`
  lanescope opcodes numeric inputs/llvm/wave.ll      and back, byte for byte
  lanescope opcodes --map 0x80000001=312 inputs/llvm
                                                     the diff that renumbers an op in a folder
  lanescope opcodes --map 0x80000001=312 inputs/llvm --write
                                                     the same in the files, with opcodes.patch

The files are in the folder samples.

The diff goes to stdout, skipped calls and files with the reason to stderr. Hidden files, links, patches and \
files with NUL bytes are skipped. `patch -R -p1 < opcodes.patch` undoes a write.

Exit status: 0 done, 2 unusable input or an existing file.";

/// Arguments of `opcodes`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, disable_help_subcommand = true)]
pub struct Opcodes {
    #[command(subcommand)]
    translate: Option<Translate>,

    /// Words or a number to search for; with --map, files and folders
    #[arg(value_name = "TEXT|PATH", allow_negative_numbers = true)]
    words: Vec<PathBuf>,

    /// List one table: 0x0000 (stable) or 0x8000 (experimental)
    #[arg(long, value_name = "ID", value_parser = feature, conflicts_with = "map")]
    feature: Option<FeatureId>,

    /// List ops introduced with this shader model or later
    #[arg(long, value_name = "MODEL", conflicts_with = "map")]
    since: Option<Version>,

    /// List ops that may be called in this kind of shader (`compute`, `closesthit`, …)
    #[arg(
        long,
        value_name = "KIND",
        conflicts_with = "map",
        value_parser = one_of(ShaderKind::ALL, ShaderKind::name),
        hide_possible_values = true,
    )]
    stage: Option<ShaderKind>,

    /// Output format
    #[arg(long, value_enum, default_value = "text", conflicts_with = "map")]
    format: Format,

    #[command(flatten)]
    table: tables::TableArg,

    /// Renumber an op's calls in all text files of the paths (may be repeated; names or numbers)
    #[arg(long, value_name = "OLD=NEW", value_parser = pair, allow_hyphen_values = true, requires = "words", help_heading = "Renumbering")]
    map: Vec<(Opcode, Opcode)>,

    /// Write the files; without this flag, only the diff is printed
    #[arg(long, requires = "map", help_heading = "Renumbering")]
    write: bool,

    /// New file for the diff of the written changes
    #[arg(
        short,
        long,
        alias = "patch",
        value_name = "FILE",
        default_value = "opcodes.patch",
        requires = "write",
        help_heading = "Renumbering"
    )]
    output: PathBuf,
}

#[derive(Debug, Subcommand)]
enum Translate {
    /// Prints a text with its literal opcodes as names: `i32 dx.op.LoadInput`
    Symbolic(translate::File),
    /// Prints a text with op names as literal opcodes (reverses `symbolic`)
    Numeric(translate::File),
    /// Draws the 32 bits of a number, with its op
    Explain(explain::Explain),
    /// Lists what differs between two op tables, by the rules for changing them
    #[command(after_help = DIFF)]
    Diff(diff::Diff),
    /// Lists what a number or a name was in the versions of DXC's table
    History(history::History),
    /// Plans how experimental ops become stable, and renumbers their calls
    Stabilise(stabilise::Stabilise),
    /// Lists what a merge of two branches of op tables has to decide
    #[command(after_help = DIFF)]
    Merge(merge::Merge),
}

const DIFF: &str = "\
Exit status: 0 no error, 1 a rule is broken, 2 unusable input.";

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
}

impl Opcodes {
    pub fn run(&self) -> Result<Verdict, CliError> {
        match &self.translate {
            Some(Translate::Diff(diff)) => return diff.run(),
            Some(Translate::History(history)) => history.run()?,
            Some(Translate::Stabilise(stabilise)) => stabilise.run()?,
            Some(Translate::Merge(merge)) => return merge.run(),
            Some(Translate::Explain(explain)) => explain.run()?,
            Some(Translate::Symbolic(file)) => file.symbolic()?,
            Some(Translate::Numeric(file)) => file.numeric()?,
            None if self.map.is_empty() => list::run(self)?,
            None => renumber::run(&self.map, &self.words, self.write.then_some(self.output.as_path()))?,
        }
        Ok(Verdict::Clean)
    }
}

/// Parses the FeatureID of a table.
fn feature(text: &str) -> Result<FeatureId, String> {
    let feature: FeatureId = text.parse()?;
    match TableKind::of(feature) {
        Some(_) => Ok(feature),
        None => Err(format!("no table with FeatureID {feature}: expected 0x0000 (stable) or 0x8000 (experimental)")),
    }
}

/// Parses `OLD=NEW`: numbers in any form, or names.
fn pair(text: &str) -> Result<(Opcode, Opcode), String> {
    let (old, new) = text.split_once('=').ok_or("expected OLD=NEW")?;
    Ok((number(old.trim())?, number(new.trim())?))
}

fn number(text: &str) -> Result<Opcode, String> {
    let named = || by_name(text).filter(|op| !op.reserved).map(|op| op.opcode);
    Opcode::parse(text).or_else(named).ok_or_else(|| format!("`{text}` is neither a 32-bit number nor an op's name"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_pairs_of_numbers_or_names() {
        let moved = Ok((Opcode(0x8000_0001), Opcode(312)));
        for text in ["GetGroupWaveIndex=312", "-2147483647=0x138", "0x80000001 = 312"] {
            assert_eq!(pair(text), moved, "{text}");
        }
        assert!(pair("4").is_err_and(|error| error.contains("OLD=NEW")));
        assert!(pair("4=Nothing").is_err_and(|error| error.contains("`Nothing`")));
        assert!(pair("ReservedE0=4").is_err(), "the name of a hole means nothing");
    }
}
