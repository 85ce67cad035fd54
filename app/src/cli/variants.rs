//! `lanescope diff --variants`: the variants of one program, each against the first one, and what each macro changes.

use std::io::{self, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

use lanescope_core::options::Options;
use lanescope_core::program::Program;
use lanescope_core::report::Report;

use super::args::{OptionArgs, some_stage};
use super::driver_args::AskDrivers;
use super::{CliError, Verdict, diff, json};
use crate::cli::streams;
use lanescope_host::corpus::Progress;
use lanescope_host::reports;
use lanescope_host::variants::{Compared, Compiled, Variant, Variants};
use lanescope_host::worker::Loader;
use lanescope_text as text;

/// What is compared, and how.
pub struct Request<'a> {
    /// The files of the program.
    pub files: Vec<PathBuf>,
    /// The file of variants.
    pub variants: &'a Path,
    pub options: &'a OptionArgs,
    pub ask: &'a AskDrivers,
    pub all: bool,
}

impl Request<'_> {
    /// Compiles and compares.
    ///
    /// # Errors
    /// A file of variants that is wrong; no variant compiles; something requested is missing.
    pub fn run(&self, as_json: bool) -> Result<Verdict, CliError> {
        if let Some(report) = reports::only_report(&self.files) {
            let why = "--variants: a report is not compiled (expected source files)";
            return Err(CliError::Unusable(format!("{}: {why}", report.display())));
        }
        self.options.check_target()?;
        let variants = Variants::read(self.variants).map_err(CliError::Unusable)?;
        let compiled = self.compile(&variants)?;
        if let Some(why) = compiled.none_usable() {
            return Err(CliError::Unusable(why));
        }
        let of = Compared { variants: &variants, files: &self.files, file: self.variants, all: self.all };
        let page = compiled.page(&of);
        let driver_failed = compiled.reports().any(|report| report.findings.iter().any(diff::is_failure));
        if as_json {
            json::print(&page)?;
        } else {
            let (mut out, style) = streams::styled();
            text::write_variants(&page, &mut out, style)?;
            out.flush()?;
        }
        Ok(if page.equal && !driver_failed { Verdict::Clean } else { Verdict::Findings })
    }

    fn compile(&self, variants: &Variants) -> Result<Compiled, CliError> {
        let mut loader = self.options.loading().loader();
        let mut out = Compiled::default();
        let to = io::stderr();
        let mut progress = Progress::new(to.is_terminal().then_some(to), variants.all.len() as u64);
        for variant in &variants.all {
            let failed = match self.add(variant, &mut loader, &mut out) {
                Ok(()) => false,
                Err(CliError::Unusable(why)) => {
                    out.fail(why);
                    true
                }
                Err(other) => {
                    progress.end();
                    return Err(other);
                }
            };
            progress.add(1, u64::from(failed));
        }
        progress.end();
        Ok(out)
    }

    /// Compiles a variant, and analyses it unless an equal one is known.
    fn add(&self, variant: &Variant, loader: &mut Loader, out: &mut Compiled) -> Result<(), CliError> {
        let wanted = variant.wanted(self.options.wanted());
        let program = loader.load(&self.files, &wanted)?.program;
        out.add(program, wanted, |program, wanted| {
            let mut options = self.options.options_for(program);
            (options.dxil, options.entry) = (wanted.conversion, wanted.entries);
            self.report(program, &options)
        })
    }

    fn report(&self, program: &Program, options: &Options) -> Result<Report, CliError> {
        let report = lanescope_core::analyse(program, options);
        let mut report = report.map_err(|error| CliError::Unusable(error.to_string()))?;
        some_stage(program, &report)?;
        if self.ask.names_one() {
            self.ask.ask(program, options, self.options.loading(), &mut report)?;
        }
        Ok(report)
    }
}
