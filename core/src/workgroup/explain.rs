//! Why one invocation runs where it runs: the closed form with its numbers.

use super::Layout;
use super::lanes::{Form, row_major_index};
use super::quad::quad_of;
use crate::ids::{Lane, Thread, Wave};
use crate::program::StageKind;

/// Where an invocation runs, and the arithmetic that says so.
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
    /// The id as the hardware delivers it, before any remap. A mesh shader's `GlobalInvocationId` is made of this one.
    pub hardware_id: [u32; 3],
    /// `LocalInvocationIndex`: row-major of the invocation; the thread's own index in a mesh shader.
    pub local_index: u32,
    /// The formulas, one a line, each with its numbers.
    pub lines: Vec<String>,
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

    let mut lines = vec![
        format!("h = wave · {} + lane = {wave} · {} + {lane} = {h}", layout.wave, layout.wave),
        format!("z = h div (X·Y) = {h} div {slice} = {z}; t = h mod (X·Y) = {t}"),
    ];
    lines.extend(match map.form() {
        Form::RowMajor => {
            vec![format!("x = t mod X = {t} mod {size_x} = {x}"), format!("y = t div X = {t} div {size_x} = {y}")]
        }
        Form::Quads => {
            let (q, width) = (t / 4, size_x / 2);
            vec![
                format!("q = t div 4 = {q}"),
                format!("x = 2·(q mod (X div 2)) + t mod 2 = 2·({q} mod {width}) + {} = {x}", t % 2),
                format!("y = 2·(q div (X div 2)) + (t div 2) mod 2 = 2·({q} div {width}) + {} = {y}", t / 2 % 2),
            ]
        }
        Form::Block8 => {
            let q = t / 8;
            vec![
                format!("q = t div 8 = {q}"),
                format!("x = 8·(q div Y) + t mod 8 = 8·({q} div {size_y}) + {} = {x}", t % 8),
                format!("y = q mod Y = {q} mod {size_y} = {y}"),
            ]
        }
        Form::Block8Quads => {
            let (q, height) = (t / 16, size_y / 2);
            vec![
                format!("q = t div 16 = {q}"),
                format!(
                    "x = 8·(q div (Y div 2)) + 2·((t div 4) mod 4) + t mod 2 = 8·({q} div {height}) + 2·{} + {} = {x}",
                    t / 4 % 4,
                    t % 2
                ),
                format!("y = 2·(q mod (Y div 2)) + (t div 2) mod 2 = 2·({q} mod {height}) + {} = {y}", t / 2 % 2),
            ]
        }
    });
    let row_major = row_major_index(map.size(), invocation);
    let local_index = if layout.stage == StageKind::Mesh {
        lines.push(format!("LocalInvocationIndex = h = {h} (mesh shaders keep the hardware's)"));
        h
    } else {
        lines.push(format!(
            "LocalInvocationIndex = (z·Y + y)·X + x = ({z}·{size_y} + {y})·{size_x} + {x} = {row_major}"
        ));
        // Below the map's length, which is 32-bit.
        u32::try_from(row_major).ok()?
    };
    Some(Explanation { invocation, thread, wave, lane, quad, quad_place, hardware_id, local_index, lines })
}
