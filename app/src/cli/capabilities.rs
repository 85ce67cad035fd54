//! `lanescope doctor --features` and `--capabilities`: capabilities of SPIR-V on a device, and in this program.

use std::io::{self, Write};
use std::time::Duration;

use lanescope_core::chip::Chip;
use lanescope_core::driver::CompileOptions;
use lanescope_core::gpu::{Coverage, OfferedCapabilities, coverage};
use schemars::JsonSchema;
use serde::Serialize;

use super::{CliError, json};
use crate::cli::streams;
use lanescope_host::drivers;
use lanescope_host::worker::{Launch, Limits, Reply, Request, WorkerError};
use lanescope_text::{self as text, Style};

/// What a device offers.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Features {
    /// The version of this form: 1.
    schema: u32,
    /// The chip, where one was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    chip: Option<Chip>,
    #[serde(flatten)]
    offered: OfferedCapabilities,
}

/// What is shown of each capability.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Shown {
    /// The version of this form: 1.
    schema: u32,
    /// By number.
    capabilities: Vec<Coverage>,
}

/// Prints what a chip or a device offers of each capability; the first device where neither is named.
pub fn features(chip: Option<Chip>, device: Option<&str>, as_json: bool) -> Result<(), CliError> {
    let with = CompileOptions { chip, device: device.map(str::to_owned), ..CompileOptions::default() };
    let offered = ask(with)?;
    if as_json {
        json::print(&Features { schema: 1, chip, offered })?;
        return Ok(());
    }
    on_stdout(|out, style| text::write_offered(&offered, out, style))
}

/// Asks in a child whose environment is that of the chip.
fn ask(with: CompileOptions) -> Result<OfferedCapabilities, WorkerError> {
    let limits = Limits { time: Duration::from_secs(20), ..Limits::default() };
    let mut started = drivers::start(&with, &Launch { limits, ..Launch::default() }, &|_| {})?;
    let request = Request::Capabilities(Box::new(with));
    match started.client.ask(&request)? {
        Reply::Capabilities(offered) => Ok(*offered),
        _ => Err(WorkerError::Protocol { doing: request.doing(), what: "unexpected reply".to_owned() }),
    }
}

/// Prints what is shown of each capability.
pub fn capabilities(as_json: bool) -> Result<(), CliError> {
    let capabilities = coverage();
    if as_json {
        json::print(&Shown { schema: 1, capabilities })?;
        return Ok(());
    }
    on_stdout(|out, style| text::write_coverage(&capabilities, out, style))
}

fn on_stdout(write: impl FnOnce(&mut dyn Write, Style) -> io::Result<()>) -> Result<(), CliError> {
    let (mut out, style) = streams::styled();
    write(&mut out, style)?;
    Ok(out.flush()?)
}
