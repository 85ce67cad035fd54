//! Times of a workgroup's layouts on a device, beside the counts of their accesses.
//!
//! ```text
//! Program ──layouts──▶ a module for each (rewritten ids) ──child: device──▶ Timing ──▶ costs in waves of the device ──▶ Cost
//! ```

use std::time::Duration;

use lanescope_core::cost::{Cost, Layout, Settings};
use lanescope_core::gpu::{
    DerivativeSupport, DeviceOptions, GpuError, Inputs, chosen_device, default_dispatch, probe, time_programs,
};
use lanescope_core::interpreter::Options as Limits;
use lanescope_core::load::check_rewritten;
use lanescope_core::options::{Derivatives, DerivativesBy, Options};
use lanescope_core::program::{LoadedModule, Program};
use lanescope_core::run::{Probe, Repeat, Timing};
use lanescope_core::workgroup::rewrite::{native_groups, rewrite_as};
use lanescope_core::workgroup::{Macro, Micro};
use serde::{Deserialize, Serialize};

use crate::costs::{CostFailure, Workgroup, costs};
use crate::worker::SET_UP;

/// Layouts to time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TimeRequest {
    /// The program, as it was loaded.
    pub program: Program,
    /// All options.
    pub options: Options,
    /// Which device, and how it is used.
    pub device: DeviceOptions,
    /// Contents of the descriptors.
    pub inputs: Inputs,
    /// How often.
    pub repeat: Repeat,
}

/// What a device took for them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TimedLayouts {
    /// The times.
    pub timing: Timing,
    /// By layout: the index of its times, or why it was not timed.
    pub times: Vec<Result<usize, String>>,
    /// What limits them.
    pub notes: Vec<String>,
}

/// Why no layout was timed.
#[derive(Debug, thiserror::Error)]
pub enum NotTimed {
    /// The program.
    #[error("{0}")]
    Unusable(String),
    /// The device.
    #[error("{0}")]
    Device(#[from] GpuError),
}

impl TimeRequest {
    /// How long a child may take for it: what is run first, all rounds, and the last submission.
    pub fn limit(&self) -> Duration {
        self.device.timeout.saturating_mul(Repeat::TIME_LIMITS + 12).saturating_add(SET_UP)
    }

    /// Times the layouts in this process.
    ///
    /// # Errors
    /// A program without exactly one compute shader; a device that cannot run it, or does not in time.
    pub fn timed(&self) -> Result<TimedLayouts, NotTimed> {
        if self.device.is_interpreter() {
            let why = "the interpreter's time says nothing of layouts: choose a device".to_owned();
            return Err(NotTimed::Unusable(why));
        }
        // Derivatives are the device's own in all layouts, or they could not be compared.
        let options = Options { derivatives_by: DerivativesBy::Native, ..self.options.clone() };
        let workgroup = Workgroup::of(&self.program, &options).map_err(|why| NotTimed::Unusable(why.to_string()))?;
        let Workgroup { program, options, size, layouts, has_own_quads } = &workgroup;
        let device = chosen_device(&self.device)?;
        let made: Vec<Result<Program, String>> = layouts
            .iter()
            .map(|layout| laid_out(program, options, layout, *has_own_quads, &device.derivatives))
            .collect();
        let programs: Vec<&Program> = made.iter().filter_map(|one| one.as_ref().ok()).collect();
        let mut places = 0..;
        let times = made.iter().map(|one| one.as_ref().map(|_| places.next().unwrap_or(0)).map_err(Clone::clone));
        let times = times.collect();
        let groups = match options.groups {
            Some(groups) => Some(groups),
            None => default_dispatch(program, &self.inputs)?.map(|dispatch| dispatch.groups),
        };
        let timing = time_programs(&self.device, &programs, groups, &self.inputs, &self.repeat)?;
        let derivatives = if *has_own_quads { Derivatives::Quads } else { Derivatives::None };
        let notes = vec![lane_order(&probe(&self.device, *size, derivatives), derivatives)];
        Ok(TimedLayouts { timing, times, notes })
    }
}

/// Whether the device runs invocations in the lanes that the layouts assume, by a small shader of the same size.
fn lane_order(probed: &Result<Probe, GpuError>, derivatives: Derivatives) -> String {
    let order = if derivatives == Derivatives::Quads { "in quads of 2×2" } else { "row by row" };
    match probed {
        Err(why) => format!("whether the device's lanes run invocations {order} is not known: {why}"),
        Ok(probe) if probe.derivatives != derivatives => {
            format!(
                "whether the device's lanes run invocations {order} is not known: {}",
                probe.not_measured.join("; ")
            )
        }
        Ok(probe) if !probe.contradictions.is_empty() => {
            format!(
                "whether the device's lanes run invocations {order} is not known: {}",
                probe.contradictions.join("; ")
            )
        }
        Ok(probe) if probe.disagreements.is_empty() => {
            format!("lanes run invocations {order}: measured with a small shader of this size")
        }
        Ok(probe) => format!(
            "lanes do not run invocations {order}: {} of {} were measured elsewhere, so the layouts are others than named",
            probe.disagreements.len(),
            probe.lanes.len()
        ),
    }
}

/// The program in a layout: as it is where the device lays it out so itself, else with ids that it computes.
fn laid_out(
    program: &Program,
    options: &Options,
    layout: &Layout,
    has_own_quads: bool,
    device: &DerivativeSupport,
) -> Result<Program, String> {
    layout.map.as_ref().map_err(Clone::clone)?;
    let own = if has_own_quads { Micro::Quads } else { Micro::None };
    if (layout.micro, layout.macro_tile) == (own, Macro::None) {
        return Ok(program.clone());
    }
    let made = rewrite_as(program, options, layout.micro, layout.macro_tile).map_err(|why| why.to_string())?;
    let groups = native_groups(&made.program);
    if !device.takes(&groups) {
        let names: Vec<&str> = groups.iter().map(|group| group.name()).collect();
        return Err(format!("the device does not have its derivative groups: {}", names.join(", ")));
    }
    if !made.stages.iter().any(|stage| stage.changed) {
        let why: Vec<&str> = made.stages.iter().map(|stage| stage.why.as_str()).collect();
        return Err(why.join("; "));
    }
    for (given, loaded) in program.modules.iter().zip(&made.program.modules) {
        if given.module != loaded.module && !program.modules.iter().any(LoadedModule::is_invalid) {
            check_rewritten(&loaded.module, &given.validity()).map_err(|why| why.to_string())?;
        }
    }
    Ok(made.program)
}

impl TimedLayouts {
    /// The accesses of the same program, counted in waves of the device, with these times.
    ///
    /// # Errors
    /// Those of [`costs`].
    pub fn beside_costs(
        &self,
        program: &Program,
        options: &Options,
        inputs: &Inputs,
        settings: &Settings,
        limits: Limits,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<Cost, CostFailure> {
        let settings = Settings { wave: Some(self.timing.subgroup), ..*settings };
        let mut cost = costs(program, options, inputs, &settings, limits, stop)?;
        cost.measure(&self.timing, &self.times, &self.notes);
        Ok(cost)
    }
}
