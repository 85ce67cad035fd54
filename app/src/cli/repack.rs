//! `lanescope repack`: an AMD code object with another mapping of user data.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use lanescope_core::codeobject::{CodeObject, Layout, Repacked, guessed_places, places, repack};
use lanescope_core::ids::Hash64;
use lanescope_core::load::{LoadOptions, MAX_FILE, file_types};
use lanescope_core::options::Options;
use lanescope_core::pipeline::{RootNode, pipe};
use lanescope_core::program::Format;
use lanescope_core::text_format::counted;
use lanescope_host::drivers::partial;
use lanescope_host::files::{read_at_most, text_at_most};
use lanescope_host::safe_write::write_file;
use lanescope_text::{self as text, plain};
use serde::Deserialize;

use super::args::{GuessArgs, of_database};
use super::loading::Loading;
use super::{CliError, Verdict, serious, streams, tell_findings};

pub const EXAMPLES: &str = "\
Examples:
  lanescope repack code_objects/fill.elf --layout inputs/fill_layout.json -o moved.elf
                                        the same code for a pipeline with another root layout
  lanescope repack code_objects/lit_words.elf --layout inputs/lit_layout.json -o moved_words.elf
                                        the same for the older form of metadata: words of registers
  lanescope repack code_objects/fill.elf --from inputs/old.pipe --layout inputs/new.pipe -o b.elf
                                        from one pipeline's root layout to another's
  lanescope repack code_objects/fill.elf --layout inputs/new.pipe -o c.elf
                                        from the layout guessed for the pipeline's shaders to its own

The files are in the folder samples.

The layout is JSON: `entries` has the new dword in the root for each one that the object maps, and \
`internal_pipeline_hash`, which may be left out, the two words of the new pipeline's hash:
  {\"entries\": {\"0\": 4, \"1\": 5}, \"internal_pipeline_hash\": [\"0x1122334455667788\", \"0x99aabbccddeeff00\"]}

Or it is a .pipe file, with --from: each entry goes where the second pipeline has what the first one has there. A table whose \
descriptors are elsewhere is refused. The pipeline's hash stays.

Or it is the application's shaders or pipeline, without --from: the object was compiled ahead, with the layout guessed for them \
(`lanescope guess-layout`, whose rules --guessed-layout, --dynamic-uniform, --dynamic-storage and --guessed-color set). Refused: a guess that does \
not fit, and an object whose SGPRs do not hold what the guess says.

Only the PAL metadata changes: the mapping, .user_data_limit and the hash. Code, symbols and all other metadata stay; the result is \
read back and compared. Refused: entries that the code reads from the spill table, two entries in one place, entries from 160 on, \
objects that are not linked yet.

Exit status: 0 written, 2 unusable input, a refused layout or an existing file.";

/// Largest file with a layout, in bytes.
const MAX_LAYOUT: u64 = 1 << 20;

/// Arguments of `repack`.
#[derive(Debug, Args)]
pub struct Repack {
    /// AMD code object of the amdpal ABI
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// New entry of user data for each entry of the object (JSON); the pipeline with the new root layout (.pipe, with --from);
    /// or the application's shaders or pipeline, for which the object was compiled with a guessed layout
    #[arg(long, value_name = "FILE", num_args = 1.., required = true)]
    layout: Vec<PathBuf>,

    /// Pipeline with the root layout that the object was compiled for (.pipe)
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,

    #[command(flatten)]
    guess: GuessArgs,

    #[command(flatten)]
    loading: Loading,

    /// File to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,

    /// Overwrite an existing file
    #[arg(long)]
    force: bool,
}

/// The file of `--layout`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct LayoutFile {
    /// The new entry of each entry.
    entries: BTreeMap<u64, u64>,
    /// The new hash of the pipeline.
    #[serde(default)]
    internal_pipeline_hash: Option<[Hash64; 2]>,
}

impl LayoutFile {
    fn read(path: &Path) -> Result<Layout, CliError> {
        let text = text_at_most(path, MAX_LAYOUT).map_err(CliError::Unusable)?;
        let unusable = |error| CliError::Unusable(format!("{}: {error}", path.display()));
        let LayoutFile { entries, internal_pipeline_hash } = serde_json::from_str(&text).map_err(unusable)?;
        Ok(Layout { entries, hash: internal_pipeline_hash.map(|hash| hash.map(|word| word.0)) })
    }
}

/// The files in a message.
fn named(files: &[PathBuf]) -> String {
    files.iter().map(|file| file.display().to_string()).collect::<Vec<_>>().join(", ")
}

/// The root layout of a `.pipe` file.
fn root_layout(path: &Path) -> Result<Vec<RootNode>, CliError> {
    let name = path.display().to_string();
    let bytes = read_at_most(path, MAX_FILE).map_err(CliError::Unusable)?;
    let file = pipe::read(&name, &bytes).map_err(|fault| CliError::Unusable(format!("{name}: {fault}")))?;
    let nodes = file.pipeline.layout.nodes;
    if nodes.is_empty() {
        return Err(CliError::Unusable(format!("{name}: no user data nodes")));
    }
    Ok(nodes)
}

impl Repack {
    /// The new place of each entry.
    fn layout(&self, object: &CodeObject) -> Result<Layout, CliError> {
        let is = |format: Format| move |path: &PathBuf| file_types::format_by_name(path) == Some(format);
        match (&self.from, self.layout.as_slice()) {
            (None, [only]) if only.extension().is_some_and(|extension| extension == "json") => LayoutFile::read(only),
            (None, files) => self.guessed(object, files),
            (Some(from), [only]) if is(Format::Pipe)(only) => {
                let (first, second) = (root_layout(from)?, root_layout(only)?);
                let entries = places(object, &from.display().to_string(), &first, &second)
                    .map_err(|why| CliError::Unusable(format!("{}: {why}", only.display())))?;
                Ok(Layout { entries, hash: None })
            }
            (Some(_), files) => {
                let names = named(files);
                Err(CliError::Unusable(format!("{names}: expected one .pipe file with --from")))
            }
        }
    }

    /// From the layout that is guessed for shaders to that of their application.
    fn guessed(&self, object: &CodeObject, files: &[PathBuf]) -> Result<Layout, CliError> {
        let names = named(files);
        let (files, pipeline) = of_database(files.to_vec());
        let wanted = LoadOptions { pipeline, ..LoadOptions::default() };
        let program = self.loading.loader().load(&files, &wanted)?.program;
        let GuessArgs { auto_layout, dynamic_uniform, dynamic_storage, guessed_color } = self.guess;
        let own = Options { auto_layout, dynamic_uniform, dynamic_storage, guessed_color, ..Options::default() };
        let options = program.options(&own);
        let options = Options { target: object.header.target.unwrap_or(options.target), ..options };
        let stages = partial(&program, &options, &mut Vec::new());
        let entries = guessed_places(object, &stages).map_err(|why| CliError::Unusable(format!("{names}: {why}")))?;
        Ok(Layout { entries, hash: None })
    }

    pub fn run(&self) -> Result<Verdict, CliError> {
        let name = self.file.display().to_string();
        let bytes = read_at_most(&self.file, MAX_FILE).map_err(CliError::Unusable)?;
        let before = CodeObject::read(&name, &bytes).map_err(|why| CliError::Unusable(format!("{name}: {why}")))?;
        let layout = self.layout(&before)?;
        let repacked = repack(&name, &bytes, &layout).map_err(|why| CliError::Unusable(format!("{name}: {why}")))?;
        write_file(&self.output, &repacked.bytes, self.force)?;
        self.print(&bytes, &before, &repacked)?;
        tell_findings(serious(&repacked.object.findings));
        Ok(Verdict::Clean)
    }

    fn print(&self, bytes: &[u8], before: &CodeObject, repacked: &Repacked) -> std::io::Result<()> {
        let (mut out, style) = streams::styled();
        let changed = if repacked.bytes == bytes { "; the file is the same".to_owned() } else { String::new() };
        writeln!(out, "moved  {}{changed}", counted(repacked.moved, "user SGPR"))?;
        if let Some(limit) = limit(&repacked.object) {
            writeln!(out, "limit  {limit}")?;
        }
        writeln!(out, "wrote  {}", plain(&self.output.display().to_string()))?;
        text::write_remap(before, &repacked.object, &mut out, style)?;
        out.flush()
    }
}

fn limit(object: &CodeObject) -> Option<u64> {
    object.pipelines.first()?.user_data_limit
}
