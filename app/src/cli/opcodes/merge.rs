//! What a merge of two branches of op tables has to decide.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use lanescope_core::dxil::ops::merge::{Conflict, Intrinsics, merge, merge_intrinsics};
use lanescope_core::findings::Severity;
use lanescope_core::foreign::plain;
use lanescope_core::load::opcode_table_text;

use super::super::{CliError, Verdict};
use super::tables;
use crate::cli::streams;

/// The numbers of intrinsics in a folder of DXC's sources.
const INTRINSICS: &str = "utils/hct/hlsl_intrinsic_opcodes.json";

#[derive(Debug, Args)]
pub struct Merge {
    /// Tables that both started from: a JSON file, hctdb.py, or a folder of DXC's sources
    #[arg(value_name = "BASE")]
    base: PathBuf,

    /// Tables of one branch
    #[arg(value_name = "OURS")]
    ours: PathBuf,

    /// Tables of the other branch, whose ops are renumbered
    #[arg(value_name = "THEIRS")]
    theirs: PathBuf,
}

impl Merge {
    pub fn run(&self) -> Result<Verdict, CliError> {
        let of = |path: &Path| tables::read(path).map(|reading| reading.tables);
        let mut found = merge(of(&self.base)?, of(&self.ours)?, of(&self.theirs)?);
        let intrinsics = [&self.base, &self.ours, &self.theirs].map(|path| path.join(INTRINSICS));
        let has_intrinsics = intrinsics.iter().all(|path| path.is_file());
        if has_intrinsics {
            let [base, ours, theirs] = intrinsics.each_ref().map(|path| read(path));
            let (base, ours, theirs) = (base?, ours?, theirs?);
            for (side, of) in [("ours", &ours), ("theirs", &theirs)] {
                let own = of.check().into_iter();
                found.extend(own.map(|one| Conflict { text: format!("intrinsics of {side}: {}", one.text), ..one }));
            }
            let both = merge_intrinsics(&base, &ours, &theirs).into_iter();
            found.extend(both.map(|one| Conflict { text: format!("intrinsics: {}", one.text), ..one }));
        }
        let mut out = streams::plain();
        for conflict in &found {
            writeln!(out, "{}: {}", conflict.severity, plain(&conflict.text))?;
        }
        let pairs: Vec<String> =
            found.iter().filter_map(|one| one.renumber.map(|(from, to)| format!(" --map {from:#}={to:#}"))).collect();
        if !pairs.is_empty() {
            writeln!(out, "tests of theirs: lanescope opcodes{} DIR", pairs.concat())?;
        }
        if found.is_empty() {
            writeln!(out, "no number and no name has two ops")?;
        }
        if !has_intrinsics {
            writeln!(out, "intrinsics are not compared: {INTRINSICS} is not in all three folders")?;
        }
        out.flush()?;
        let wrong = found.iter().any(|conflict| conflict.severity == Severity::Error);
        Ok(if wrong { Verdict::Findings } else { Verdict::Clean })
    }
}

fn read(path: &Path) -> Result<Intrinsics, CliError> {
    let text = opcode_table_text(path).map_err(CliError::Unusable)?;
    Intrinsics::read(&text.text).map_err(|why| CliError::Unusable(format!("{}: {why}", path.display())))
}
