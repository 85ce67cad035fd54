//! `lanescope repack`: an AMD code object with another mapping of user data.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use lanescope_core::codeobject::{CodeObject, Layout, Repacked, places, repack};
use lanescope_core::ids::Hash64;
use lanescope_core::load::{MAX_FILE, file_types};
use lanescope_core::pipeline::{RootNode, pipe};
use lanescope_core::program::Format;
use lanescope_core::text_format::counted;
use lanescope_host::files::{read_at_most, text_at_most};
use lanescope_host::safe_write::write_file;
use lanescope_text::{self as text, plain};
use serde::Deserialize;

use super::{CliError, Verdict, serious, streams, tell_findings};

pub const EXAMPLES: &str = "\
Examples:
  lanescope repack code_objects/fill.elf --layout inputs/fill_layout.json -o moved.elf
                                        the same code for a pipeline with another root layout
  lanescope repack code_objects/lit_words.elf --layout inputs/lit_layout.json -o moved_words.elf
                                        the same for the older form of metadata: words of registers
  lanescope repack code_objects/fill.elf --from inputs/old.pipe --layout inputs/new.pipe -o b.elf
                                        from one pipeline's root layout to another's

The files are in the folder samples.

The layout is JSON: `entries` has the new dword in the root for each one that the object maps, and \
`internal_pipeline_hash`, which may be left out, the two words of the new pipeline's hash:
  {\"entries\": {\"0\": 4, \"1\": 5}, \"internal_pipeline_hash\": [\"0x1122334455667788\", \"0x99aabbccddeeff00\"]}

Or it is a .pipe file, with --from: each entry goes where the second pipeline has what the first one has there. A table whose \
descriptors are elsewhere is refused. The pipeline's hash stays.

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

    /// New entry of user data for each entry of the object (JSON), or the pipeline with the new root layout (.pipe, with
    /// --from)
    #[arg(long, value_name = "FILE")]
    layout: PathBuf,

    /// Pipeline with the root layout that the object was compiled for (.pipe)
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,

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
        let layout = self.layout.display();
        let is_pipe = file_types::format_by_name(&self.layout) == Some(Format::Pipe);
        match &self.from {
            None if is_pipe => Err(CliError::Unusable(format!(
                "{layout}: --from is missing: the .pipe file with the root layout that the object was compiled for"
            ))),
            None => LayoutFile::read(&self.layout),
            Some(_) if !is_pipe => Err(CliError::Unusable(format!("{layout}: expected a .pipe file with --from"))),
            Some(from) => {
                let (first, second) = (root_layout(from)?, root_layout(&self.layout)?);
                let entries = places(object, &from.display().to_string(), &first, &second)
                    .map_err(|why| CliError::Unusable(format!("{layout}: {why}")))?;
                Ok(Layout { entries, hash: None })
            }
        }
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
