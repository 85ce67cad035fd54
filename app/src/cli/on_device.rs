//! Arguments of commands that use a device, and how long they wait for it.

use std::time::Duration;

use clap::{Args, ValueEnum};
use lanescope_core::gpu::DeviceOptions;
use lanescope_core::run::graph::{GraphCommand, GraphRun, Growing};

use super::CliError;
use crate::worker::{Client, Reply, Request, SET_UP, run_graph};

/// Which device, and how it is used.
#[derive(Debug, Args)]
pub struct OnDevice {
    /// Part of the device's name, or its index in `lanescope doctor`'s list
    #[arg(long, value_name = "NAME|INDEX", help_heading = "Device")]
    device: Option<String>,

    /// Run under the validation layer; an error that it reports fails the run
    #[arg(long, help_heading = "Device")]
    validate: bool,
}

/// How long a device may work, where nothing else is said.
pub const TIME: Duration = Duration::from_secs(10);

/// A device, and how long it may work.
#[derive(Debug)]
pub struct Device(DeviceOptions);

/// How to print what was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    Text,
    Json,
}

impl OnDevice {
    /// The device, with this time to work.
    pub fn within(&self, timeout: Duration) -> Device {
        Device(DeviceOptions { device: self.device.clone(), validate: self.validate, timeout })
    }
}

impl Device {
    pub fn options(&self) -> DeviceOptions {
        self.0.clone()
    }

    /// Asks the child, and ends it where the device does not answer in time: a shader without end on a software device
    /// keeps the whole child busy.
    /// `runs` is how often the device works for an answer.
    pub fn ask(&self, child: &mut Client, request: &Request, runs: u32) -> Result<Reply, CliError> {
        Ok(child.ask_within(request, self.0.timeout.saturating_mul(runs).saturating_add(SET_UP))?)
    }

    /// Runs a work graph; the limit is for each piece of the device's work. `growing` is empty, or the run that it goes on
    /// from. `lead` says how it goes on where it stands.
    pub fn run_graph(
        &self,
        child: &mut Client,
        growing: Growing,
        request: &Request,
        mut lead: impl FnMut(&Growing) -> GraphCommand,
    ) -> Result<GraphRun, CliError> {
        let limit = self.0.timeout.saturating_add(SET_UP);
        let news = |growing: &Growing, stands: bool| stands.then(|| lead(growing));
        Ok(run_graph(growing, request, limit, |request, limit, tell| child.ask_telling(request, limit, tell), news)?)
    }
}

/// Reads a time limit in seconds.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|error| format!("a number of seconds was expected: {error}"))?;
    match seconds > 0.0 && seconds <= 86_400.0 {
        true => Ok(Duration::from_secs_f64(seconds)),
        false => Err("more than 0 and at most 86400 seconds were expected".to_owned()),
    }
}
