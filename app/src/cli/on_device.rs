//! Arguments of commands that use a device, and how long they wait for it.

use std::time::Duration;

use clap::{Args, ValueEnum};
use lanescope_core::gpu::{DeviceOptions, interpret};
use lanescope_core::run::graph::{GraphCommand, GraphRun, Growing};

use super::CliError;
use super::loading::Loading;
use lanescope_host::worker::{Client, Reply, Request, SET_UP, run_graph};

/// Which device, and how it is used.
#[derive(Debug, Args)]
pub struct OnDevice {
    /// Part of the device's name, or its index in the list of `lanescope doctor`; `run` and
    /// `export` accept `interpreter`: compute, vertex and fragment shaders without a device
    #[arg(long, value_name = "NAME|INDEX", help_heading = "Device")]
    device: Option<String>,

    /// Enable the validation layer; its errors fail the run
    #[arg(long, help_heading = "Device")]
    validate: bool,
}

/// Default time limit of a device.
pub const TIME: Duration = Duration::from_secs(10);

/// A device and its time limit.
#[derive(Debug)]
pub struct Device(DeviceOptions);

/// Output format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    Text,
    Json,
}

impl OnDevice {
    /// The device of this name or index, else the first.
    pub fn new(device: Option<String>, validate: bool) -> OnDevice {
        OnDevice { device, validate }
    }

    /// The device, else the interpreter.
    pub fn or_interpreter(&self) -> OnDevice {
        let device = self.device.clone().unwrap_or_else(|| interpret::NAME.to_owned());
        OnDevice { device: Some(device), validate: self.validate }
    }

    /// The device, with this time to work.
    pub fn within(&self, timeout: Duration) -> Device {
        Device(DeviceOptions {
            device: self.device.clone(),
            validate: self.validate,
            timeout,
            ..DeviceOptions::default()
        })
    }

    /// The device, with the limits set by flags.
    pub fn limited(&self, loading: &Loading) -> Device {
        self.within(loading.time_or(TIME)).with_memory(loading.own_memory())
    }
}

impl Device {
    /// The first device, with this time to work.
    pub fn first(timeout: Duration) -> Device {
        Device(DeviceOptions { timeout, ..DeviceOptions::default() })
    }

    /// The interpreter, with this time to work.
    pub fn interpreter(timeout: Duration) -> Device {
        Device(DeviceOptions { device: Some(interpret::NAME.to_owned()), timeout, ..DeviceOptions::default() })
    }

    pub fn options(&self) -> DeviceOptions {
        self.0.clone()
    }

    /// The same device, with so many bytes for a run.
    #[must_use]
    pub fn with_memory(self, memory: u64) -> Device {
        Device(DeviceOptions { memory, ..self.0 })
    }

    /// The same device with another time to work.
    pub fn within(&self, timeout: Duration) -> Device {
        Device(DeviceOptions { timeout, ..self.0.clone() })
    }

    /// Sends a request to the child, and kills it if the device does not finish in time: an endless shader on a
    /// software device keeps the whole child busy. `runs` is the number of device runs that the request needs.
    pub fn ask(&self, child: &mut Client, request: &Request, runs: u32) -> Result<Reply, CliError> {
        Ok(child.ask_within(request, self.0.timeout.saturating_mul(runs).saturating_add(SET_UP))?)
    }

    /// Runs a work graph; the limit applies to each submission. `growing` is empty, or the run to resume from. `lead`
    /// decides how the run continues each time it pauses.
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

/// Parses a time limit in seconds.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|error| format!("expected a number of seconds: {error}"))?;
    match seconds > 0.0 && seconds <= 86_400.0 {
        true => Ok(Duration::from_secs_f64(seconds)),
        false => Err("expected more than 0 and at most 86400 seconds".to_owned()),
    }
}
