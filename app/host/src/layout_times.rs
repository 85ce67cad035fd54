//! Times of a workgroup's layouts on a device, beside the counts of their accesses.
//!
//! ```text
//! Program ──layouts──▶ a module for each (rewritten ids) ──child: device──▶ Timing ──▶ costs in waves of the device ──▶ Cost
//! ```

use std::time::Duration;

use lanescope_core::cost::{Cost, Layout, Settings, TimedOrder};
use lanescope_core::gpu::{
    DerivativeSupport, DeviceOptions, GpuError, GroupStarts, Inputs, chosen_device, default_dispatch, group_starts,
    probe, time_programs,
};
use lanescope_core::interpreter::Options as Limits;
use lanescope_core::load::check_rewritten;
use lanescope_core::options::{Derivatives, DerivativesBy, Options};
use lanescope_core::program::{LoadedModule, Program};
use lanescope_core::run::{Probe, Repeat, Timing};
use lanescope_core::workgroup::rewrite::{native_groups, rewrite_as, rewrite_groups};
use lanescope_core::workgroup::{Macro, Micro, TILE_SIDES};
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
    /// By order of workgroups, in the layout that the device has without a rewritten module; row-major is the first.
    pub orders: Vec<TimedOrder>,
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
        let workgroup = Workgroup::of(&self.program, &self.options);
        let workgroup = workgroup.map_err(|why| NotTimed::Unusable(why.to_string()))?;
        let device = chosen_device(&self.device)?;
        // Derivatives are taken in one way in all layouts, or they could not be compared.
        let by = match device.derivatives.takes(&native_groups(&workgroup.program)) {
            true => DerivativesBy::Native,
            false if device.subgroup_quads => DerivativesBy::Quad,
            false => DerivativesBy::Shuffle,
        };
        let groups = match workgroup.options.groups {
            Some(groups) => Some(groups),
            None => default_dispatch(&workgroup.program, &self.inputs)?.map(|dispatch| dispatch.groups),
        };
        let variants = Variants::of(&workgroup, by, &device.derivatives, groups);
        let timing = time_programs(&self.device, &variants.programs(), groups, &self.inputs, &self.repeat)?;
        let (times, orders) = variants.times();
        let tiled = groups.filter(|_| !orders.is_empty());
        Ok(TimedLayouts { timing, times, orders, notes: self.notes(&workgroup, by, tiled) })
    }

    /// What limits the times, measured with small shaders. `groups` are those of a dispatch whose orders are timed.
    fn notes(&self, workgroup: &Workgroup, by: DerivativesBy, groups: Option<[u32; 3]>) -> Vec<String> {
        let Workgroup { size, has_own_quads, .. } = *workgroup;
        let invocations = size.iter().fold(1, |product: u32, side| product.saturating_mul(*side));
        let derivatives = if has_own_quads { Derivatives::Quads } else { Derivatives::None };
        let mut notes = match by {
            DerivativesBy::Native => vec![lane_order(&probe(&self.device, size, derivatives), derivatives)],
            // In one row of invocations, four lanes of which are a quad.
            by => vec![
                computed(&workgroup.program, by),
                lane_order(&probe(&self.device, [invocations, 1, 1], Derivatives::None), Derivatives::None),
            ],
        };
        notes.extend(groups.map(|groups| start_order(&group_starts(&self.device, groups, invocations))));
        notes
    }
}

/// What is timed, or why it is not.
struct Variants {
    /// By layout.
    layouts: Vec<Result<Program, String>>,
    /// The layout that the device has without a rewritten module; the orders are of it.
    own: Option<usize>,
    /// By side of the tiles of workgroups.
    orders: Vec<(u32, Result<Program, String>)>,
}

impl Variants {
    fn of(workgroup: &Workgroup, by: DerivativesBy, device: &DerivativeSupport, groups: Option<[u32; 3]>) -> Variants {
        let Workgroup { program, options, layouts, has_own_quads, .. } = workgroup;
        let options = Options { derivatives_by: by, ..options.clone() };
        let own = layouts.iter().position(|layout| is_own(layout, *has_own_quads) && layout.map.is_ok());
        let made = |(at, layout): (usize, &Layout)| match Some(at) == own && by == DerivativesBy::Native {
            true => Ok(program.clone()),
            false => laid_out(program, &options, layout, device),
        };
        let layouts: Vec<_> = layouts.iter().enumerate().map(made).collect();
        let base = own.and_then(|own| layouts.get(own)?.as_ref().ok()).zip(groups);
        let orders = base.map(|(program, groups)| tiled(program, groups)).unwrap_or_default();
        Variants { layouts, own, orders }
    }

    fn all(&self) -> impl Iterator<Item = &Result<Program, String>> {
        self.layouts.iter().chain(self.orders.iter().map(|(_, program)| program))
    }

    /// The programs, in the order in which they are timed.
    fn programs(&self) -> Vec<&Program> {
        self.all().filter_map(|made| made.as_ref().ok()).collect()
    }

    /// For each layout and order: the index of its program, or why it has none.
    fn times(&self) -> (Vec<Result<usize, String>>, Vec<TimedOrder>) {
        let mut places = 0..;
        let place = |made: &Result<Program, String>| match made {
            Ok(_) => Ok(places.next().unwrap_or(0)),
            Err(why) => Err(why.clone()),
        };
        let mut times: Vec<Result<usize, String>> = self.all().map(place).collect();
        let tiled = times.split_off(self.layouts.len());
        let own = self.own.and_then(|own| times.get(own)).filter(|_| !tiled.is_empty());
        let row_major = own.map(|time| TimedOrder { tile: None, time: time.clone() });
        let tiles = self.orders.iter().zip(tiled).map(|((tile, _), time)| TimedOrder { tile: Some(*tile), time });
        let orders = row_major.into_iter().chain(tiles).collect();
        (times, orders)
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

/// Which derivatives the device does not take, and how all layouts compute them.
fn computed(program: &Program, by: DerivativesBy) -> String {
    let groups: Vec<&str> = native_groups(program).iter().map(|group| group.name()).collect();
    let groups = groups.join(", ");
    format!(
        "the device does not take derivatives of the shader's groups ({groups}): they are computed with {by} operations in all \
         layouts"
    )
}

/// Whether the device starts workgroups in the order that the orders assume, by a small shader with as many invocations.
fn start_order(measured: &Result<GroupStarts, GpuError>) -> String {
    match measured {
        Err(why) => format!("whether the device starts workgroups in the order of their ids is not known: {why}"),
        Ok(starts) => {
            let [x, y, z] = starts.groups;
            let found = match starts.distances() {
                [_, 0] => "all started so".to_owned(),
                [middle, most] => format!("half started at most {middle} places from there, all at most {most}"),
            };
            format!(
                "orders assume that workgroups start in the order of their ids: of {x}×{y}×{z} of a small shader, {found}"
            )
        }
    }
}

/// The program with the ids of a layout, which it computes.
fn laid_out(
    program: &Program,
    options: &Options,
    layout: &Layout,
    device: &DerivativeSupport,
) -> Result<Program, String> {
    layout.map.as_ref().map_err(Clone::clone)?;
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
    checked(program, made.program)
}

/// Whether a device gives a workgroup that layout without a rewritten module.
fn is_own(layout: &Layout, has_own_quads: bool) -> bool {
    let own = if has_own_quads { Micro::Quads } else { Micro::None };
    (layout.micro, layout.macro_tile) == (own, Macro::None)
}

/// The program with its workgroups in tiles of each side that the dispatch has more than one of along x and y.
fn tiled(program: &Program, groups: [u32; 3]) -> Vec<(u32, Result<Program, String>)> {
    let sides = TILE_SIDES.into_iter().filter(|side| groups[0] / side > 1 && groups[1] / side > 1);
    let made = |side| match rewrite_groups(program, side, groups) {
        // Without a change it would be timed as row-major.
        Ok(made) if made == *program => Err("the shader does not read which workgroup it is".to_owned()),
        Ok(made) => checked(program, made),
        Err(why) => Err(why.to_string()),
    };
    sides.map(|side| (side, made(side))).collect()
}

/// A rewritten program, if it is as valid as the given one.
fn checked(program: &Program, made: Program) -> Result<Program, String> {
    for (given, loaded) in program.modules.iter().zip(&made.modules) {
        if given.module != loaded.module && !program.modules.iter().any(LoadedModule::is_invalid) {
            check_rewritten(&loaded.module, &given.validity()).map_err(|why| why.to_string())?;
        }
    }
    Ok(made)
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
        cost.measure(&self.timing, &self.times, &self.orders, &self.notes);
        Ok(cost)
    }
}
