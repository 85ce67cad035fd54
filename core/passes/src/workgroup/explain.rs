//! Why one invocation runs where it runs: the closed form with its numbers.

use std::fmt;

use super::Layout;
use super::lanes::{Form, row_major_index};
use super::quad::quad_of;
use lanescope_base::ids::{Lane, Thread, Wave};
use lanescope_model::program::StageKind;

/// The place of an invocation, and the arithmetic for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explanation {
    /// `LocalInvocationId`.
    pub invocation: [u32; 3],
    /// The hardware thread that runs it.
    pub thread: Thread,
    /// The thread's wave: `SubgroupId`.
    pub wave: Wave,
    /// Its lane there: `SubgroupLocalInvocationId`.
    pub lane: Lane,
    /// Its quad in the group: four threads each. A derivative group only where the layout has derivatives.
    pub quad: u32,
    /// Its place in the quad, 0 to 3.
    pub quad_place: u32,
    /// The id as the hardware delivers it, before any remap. A mesh shader's `GlobalInvocationId` is computed from this
    /// one.
    pub hardware_id: [u32; 3],
    /// `LocalInvocationIndex`: row-major of the invocation; the thread's own index in a mesh shader.
    pub local_index: u32,
    /// The way from wave and lane to the invocation, step by step.
    pub steps: Vec<Step>,
}

/// One step of the arithmetic: `x = t mod X = 39 mod 8 = 7`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// Name of the result: `x`.
    pub what: &'static str,
    /// The formula: `t mod X`.
    pub formula: &'static str,
    /// The same with numbers: `39 mod 8`.
    pub numbers: String,
    /// The result.
    pub value: u32,
}

impl Explanation {
    /// What follows from the hardware thread, in waves of so many lanes: names with formulas, and values.
    pub fn facts(&self, wave_size: u32) -> [(&'static str, String); 4] {
        let h = self.thread;
        [
            ("hardware thread h", h.to_string()),
            ("wave = h div wave size", format!("{h} div {wave_size} = {}", self.wave)),
            ("lane = h mod wave size", format!("{h} mod {wave_size} = {}", self.lane)),
            ("quad = h div 4", format!("{}, place {} of 4", self.quad, self.quad_place)),
        ]
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {} = {} = {}", self.what, self.formula, self.numbers, self.value)
    }
}

/// Explains one invocation; none for an id outside the group, or where the layout has no lanes.
pub fn explain(layout: &Layout, invocation: [u32; 3]) -> Option<Explanation> {
    let map = layout.lane_map()?;
    let thread = map.thread(invocation)?;
    let hardware_id = map.hardware_id(thread)?;
    let (wave, lane) = layout.wave_and_lane(thread);
    let (quad, quad_place) = quad_of(thread);
    let [size_x, size_y, _] = map.size();
    let [x, y, z] = invocation;
    let h = thread.0;
    let slice = size_x * size_y;
    let t = h % slice;

    let step = |what, formula, numbers: String, value| Step { what, formula, numbers, value };
    let mut steps = vec![
        step("h", "wave · wave size + lane", format!("{wave}·{} + {lane}", layout.wave), h),
        step("z", "h div X·Y", format!("{h} div {slice}"), z),
        step("t", "h mod X·Y", format!("{h} mod {slice}"), t),
    ];
    match map.form() {
        Form::RowMajor => {
            steps.push(step("x", "t mod X", format!("{t} mod {size_x}"), x));
            steps.push(step("y", "t div X", format!("{t} div {size_x}"), y));
        }
        Form::Quads => {
            let (q, width) = (t / 4, size_x / 2);
            steps.push(step("q", "t div 4", format!("{t} div 4"), q));
            let numbers = format!("2·{} + {}", q % width, t % 2);
            steps.push(step("x", "2·(q mod X/2) + t mod 2", numbers, x));
            let numbers = format!("2·{} + {}", q / width, t / 2 % 2);
            steps.push(step("y", "2·(q div X/2) + t div 2 mod 2", numbers, y));
        }
        Form::Block8 => {
            let q = t / 8;
            steps.push(step("q", "t div 8", format!("{t} div 8"), q));
            steps.push(step("x", "8·(q div Y) + t mod 8", format!("8·{} + {}", q / size_y, t % 8), x));
            steps.push(step("y", "q mod Y", format!("{q} mod {size_y}"), y));
        }
        Form::Block8Quads => {
            let (q, height) = (t / 16, size_y / 2);
            steps.push(step("q", "t div 16", format!("{t} div 16"), q));
            let numbers = format!("8·{} + 2·{} + {}", q / height, t / 4 % 4, t % 2);
            steps.push(step("x", "8·(q div Y/2) + 2·(t div 4 mod 4) + t mod 2", numbers, x));
            let numbers = format!("2·{} + {}", q % height, t / 2 % 2);
            steps.push(step("y", "2·(q mod Y/2) + t div 2 mod 2", numbers, y));
        }
    }
    let local_index = if layout.stage == StageKind::Mesh {
        steps.push(step("LocalInvocationIndex", "h in mesh shaders", h.to_string(), h));
        h
    } else {
        // Below the map's length, which is 32-bit.
        let index = u32::try_from(row_major_index(map.size(), invocation)).ok()?;
        let numbers = format!("({z}·{size_y} + {y})·{size_x} + {x}");
        steps.push(step("LocalInvocationIndex", "(z·Y + y)·X + x", numbers, index));
        index
    };
    Some(Explanation { invocation, thread, wave, lane, quad, quad_place, hardware_id, local_index, steps })
}
