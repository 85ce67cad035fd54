//! A device's own map from invocations to lanes, as measured, compared with the predicted one.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use lanescope_base::ids::Thread;
use lanescope_model::options::Derivatives;
use lanescope_passes::workgroup::{Axis, LaneMap, Precision, difference, quad_of, row_major_index};

/// What the probe measured on one device for one workgroup.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Probe {
    /// The device's name.
    pub device: String,
    /// X, Y, Z in invocations.
    pub size: [u32; 3],
    /// The least and the greatest subgroup size that the device offers.
    pub subgroup_range: [u32; 2],
    /// The subgroup size that the shader ran with.
    pub subgroup_size: u32,
    /// `NumSubgroups`, as the first invocation reads it.
    pub subgroups: u32,
    /// The requested derivative group.
    pub wanted_derivatives: Derivatives,
    /// The derivative group that the shader ran with: none where the device takes no derivatives in compute.
    pub derivatives: Derivatives,
    /// Whether the four lanes of a quad were measured (subgroup quad operations).
    pub quads: bool,
    /// The invocations, in the order of their `LocalInvocationIndex`.
    pub lanes: Vec<Measured>,
    /// The closed form's map from threads to invocations, for the measured subgroup size.
    pub predicted: Vec<[u32; 3]>,
    /// Where the two differ.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub disagreements: Vec<Disagreement>,
    /// Values of the device that cannot all be right, whatever was predicted.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub contradictions: Vec<String>,
    /// What the device lacks, so that it was not measured.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub not_measured: Vec<String>,
}

impl Probe {
    /// How many subgroups ran: `SubgroupId`s that some invocation has.
    pub fn subgroups_run(&self) -> usize {
        self.lanes.iter().map(|lane| lane.subgroup).collect::<BTreeSet<_>>().len()
    }

    /// The device takes coarse derivatives as fine ones, which SPIR-V allows (`OpDPdxCoarse`).
    pub fn coarse_is_fine(&self) -> bool {
        let is_fine = |slopes: Slopes| (slopes.coarse_x, slopes.coarse_y) == (slopes.fine_x, slopes.fine_y);
        !self.lanes.is_empty() && self.lanes.iter().all(|lane| lane.slopes.is_some_and(is_fine))
    }
}

/// Where one invocation ran.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Measured {
    /// `LocalInvocationId`.
    pub id: [u32; 3],
    /// `LocalInvocationIndex`.
    pub index: u32,
    /// `SubgroupId`.
    pub subgroup: u32,
    /// `SubgroupLocalInvocationId`.
    pub lane: u32,
    /// Which of all invocations, in the order of an atomic counter, it was. Not compared: it may change between runs.
    pub order: u32,
    /// The `LocalInvocationIndex` of the quad's four lanes, by subgroup quad operations.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub quad: Option<[u32; 4]>,
    /// The derivatives of `index²`, where the device takes derivatives in compute.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub slopes: Option<Slopes>,
}

/// The derivatives of `LocalInvocationIndex²`: no two lanes of a quad have the same value, nor two pairs the same
/// difference, so each names the lanes that it was taken from.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Slopes {
    /// `dFdxFine`.
    pub fine_x: f32,
    /// `dFdyFine`.
    pub fine_y: f32,
    /// `dFdxCoarse`.
    pub coarse_x: f32,
    /// `dFdyCoarse`.
    pub coarse_y: f32,
}

/// One thing that was measured otherwise than predicted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Disagreement {
    /// The invocation.
    pub id: [u32; 3],
    /// `index`, `subgroup`, `lane`, `quad`, or the derivative: `dFdxFine`.
    pub what: String,
    /// What was predicted.
    pub predicted: String,
    /// What was measured.
    pub measured: String,
}

/// Compares measured lanes with a map for a subgroup size.
///
/// `derivatives` says whether derivatives were taken; the map says where. A coarse one may be the fine one of its lane.
pub fn disagreements(map: &LaneMap, wave: u32, derivatives: Derivatives, lanes: &[Measured]) -> Vec<Disagreement> {
    let mut out = Vec::new();
    let wave = wave.max(1);
    let index_of = |thread: u32| map.invocation(Thread(thread)).map(|id| row_major_index(map.size(), id));
    for lane in lanes {
        let mut note = |what: &str, predicted: String, measured: String| {
            if predicted != measured {
                out.push(Disagreement { id: lane.id, what: what.to_owned(), predicted, measured });
            }
        };
        let Some(thread) = map.thread(lane.id) else {
            note("id", "an invocation of the group".to_owned(), format!("{:?}", lane.id));
            continue;
        };
        note("index", row_major_index(map.size(), lane.id).to_string(), lane.index.to_string());
        note("subgroup", (thread.0 / wave).to_string(), lane.subgroup.to_string());
        note("lane", (thread.0 % wave).to_string(), lane.lane.to_string());
        let (quad, place) = quad_of(thread);
        let members = [0, 1, 2, 3].map(|i| index_of(quad.saturating_mul(4).saturating_add(i)));
        // The last quad of a group whose size is not a multiple of 4 has lanes without an invocation: undefined.
        let [Some(a), Some(b), Some(c), Some(d)] = members else { continue };
        let members = [a, b, c, d];
        if let Some(quad) = lane.quad {
            note("quad", format!("{members:?}"), format!("{quad:?}"));
        }
        if let (Some(slopes), true) = (lane.slopes, derivatives != Derivatives::None) {
            let square = |i: u32| {
                let index = members[i as usize & 3] as f32;
                index * index
            };
            let expected = |axis, precision| {
                let (to, from) = difference(axis, precision, place);
                (square(to) - square(from)).to_string()
            };
            note("dFdxFine", expected(Axis::X, Precision::Fine), slopes.fine_x.to_string());
            note("dFdyFine", expected(Axis::Y, Precision::Fine), slopes.fine_y.to_string());
            let coarse = [(Axis::X, "dFdxCoarse", slopes.coarse_x), (Axis::Y, "dFdyCoarse", slopes.coarse_y)];
            for (axis, what, measured) in coarse {
                if measured.to_string() != expected(axis, Precision::Fine) {
                    note(what, expected(axis, Precision::Coarse), measured.to_string());
                }
            }
        }
    }
    out
}

/// What one invocation reads of its group's subgroups.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Subgroups {
    /// `NumSubgroups`.
    pub count: u32,
    /// `SubgroupSize`.
    pub size: u32,
}

/// Values that contradict each other: what `read` says of each of the lanes, in their order, and where the lanes ran.
pub fn contradictions(lanes: &[Measured], read: &[Subgroups]) -> Vec<String> {
    let mut out = Vec::new();
    let (Some(first), Some(first_lane)) = (read.first(), lanes.first()) else { return out };
    for (what, of) in
        [("NumSubgroups", (|read| read.count) as fn(&Subgroups) -> u32), ("SubgroupSize", |read| read.size)]
    {
        let other = read.iter().zip(lanes).find(|(read, _)| of(read) != of(first));
        out.extend(other.map(|(read, lane)| {
            format!("{what} is {} in {}, but {} in {}", of(first), place(first_lane.id), of(read), place(lane.id))
        }));
    }
    let ids: BTreeSet<u32> = lanes.iter().map(|lane| lane.subgroup).collect();
    if u32::try_from(ids.len()).ok() != Some(first.count) {
        let ids = listed(&ids);
        out.push(format!("NumSubgroups is {}, but the invocations ran in subgroups {ids}", first.count));
    } else if let Some(lane) = lanes.iter().find(|lane| lane.subgroup >= first.count) {
        out.push(format!("NumSubgroups is {}, but SubgroupId is {} in {}", first.count, lane.subgroup, place(lane.id)));
    }
    let beyond = lanes.iter().zip(read).find(|(lane, read)| lane.lane >= read.size);
    out.extend(beyond.map(|(lane, read)| {
        let (size, id) = (read.size, place(lane.id));
        format!("SubgroupSize is {size}, but SubgroupLocalInvocationId is {} in {id}", lane.lane)
    }));
    let mut places: BTreeMap<(u32, u32), [u32; 3]> = BTreeMap::new();
    for lane in lanes {
        let (subgroup, at) = (lane.subgroup, lane.lane);
        if let Some(other) = places.insert((subgroup, at), lane.id) {
            out.push(format!("{} and {} both are lane {at} of subgroup {subgroup}", place(other), place(lane.id)));
            break;
        }
    }
    out
}

/// Numbers as ranges: `0 to 2, 5`.
fn listed(all: &BTreeSet<u32>) -> String {
    let mut ranges: Vec<[u32; 2]> = Vec::new();
    for &number in all {
        match ranges.last_mut() {
            Some([_, last]) if last.checked_add(1) == Some(number) => *last = number,
            _ => ranges.push([number, number]),
        }
    }
    let text = |[first, last]: &[u32; 2]| if first == last { first.to_string() } else { format!("{first} to {last}") };
    let shown: Vec<String> = ranges.iter().take(RANGES_AT_MOST).map(text).collect();
    format!("{}{}", shown.join(", "), if ranges.len() > RANGES_AT_MOST { ", …" } else { "" })
}

/// An invocation.
fn place([x, y, z]: [u32; 3]) -> String {
    format!("({x}, {y}, {z})")
}

/// Ranges of numbers that are named.
const RANGES_AT_MOST: usize = 8;

#[cfg(test)]
mod tests {
    use super::*;
    use lanescope_passes::workgroup::{Macro, Micro};

    /// The lanes of a device that does exactly what the map says.
    fn obedient(map: &LaneMap, wave: u32) -> Vec<Measured> {
        let index = |t: u32| row_major_index(map.size(), map.invocation(Thread(t)).expect("inside")) as u32;
        let mut lanes: Vec<_> = (0..map.len())
            .map(|t| {
                let members = [0, 1, 2, 3].map(|i| index(t / 4 * 4 + i));
                let square = |i: u32| (members[i as usize] * members[i as usize]) as f32;
                let slope = |axis, precision| {
                    let (to, from) = difference(axis, precision, t % 4);
                    square(to) - square(from)
                };
                Measured {
                    id: map.invocation(Thread(t)).expect("inside"),
                    index: index(t),
                    subgroup: t / wave,
                    lane: t % wave,
                    order: 0,
                    quad: Some(members),
                    slopes: Some(Slopes {
                        fine_x: slope(Axis::X, Precision::Fine),
                        fine_y: slope(Axis::Y, Precision::Fine),
                        coarse_x: slope(Axis::X, Precision::Coarse),
                        coarse_y: slope(Axis::Y, Precision::Coarse),
                    }),
                }
            })
            .collect();
        lanes.sort_by_key(|lane| lane.index);
        lanes
    }

    #[test]
    fn predicted_map_agrees_except_for_other_wave_sizes() {
        for micro in [Micro::None, Micro::Quads] {
            let map = LaneMap::new(micro, Macro::None, [8, 4, 2]).expect("even");
            let lanes = obedient(&map, 8);
            assert_eq!(disagreements(&map, 8, Derivatives::Quads, &lanes), [], "{micro}");
            let found = disagreements(&map, 16, Derivatives::Quads, &lanes);
            assert!(found.iter().all(|d| d.what == "subgroup" || d.what == "lane") && !found.is_empty());
        }
    }

    #[test]
    fn counts_that_do_not_fit_what_ran_are_contradictions() {
        let map = LaneMap::new(Micro::None, Macro::None, [20, 1, 1]).expect("a map");
        let lanes = obedient_rows(&map, 8);
        let read = |count, size| vec![Subgroups { count, size }; lanes.len()];
        assert!(contradictions(&lanes, &read(3, 8)).is_empty());
        let found = contradictions(&lanes, &read(2, 8));
        assert_eq!(found, ["NumSubgroups is 2, but the invocations ran in subgroups 0 to 2"]);
        let mut differ = read(3, 8);
        differ[7].count = 4;
        assert_eq!(contradictions(&lanes, &differ), ["NumSubgroups is 3 in (0, 0, 0), but 4 in (7, 0, 0)"]);
        let found = contradictions(&lanes, &read(3, 4));
        assert_eq!(found, ["SubgroupSize is 4, but SubgroupLocalInvocationId is 4 in (4, 0, 0)"]);
        let mut twice = lanes.clone();
        twice[9].lane = 0;
        assert_eq!(contradictions(&twice, &read(3, 8)), ["(8, 0, 0) and (9, 0, 0) both are lane 0 of subgroup 1"]);
        let mut far = lanes.clone();
        far.iter_mut().filter(|lane| lane.subgroup == 2).for_each(|lane| lane.subgroup = 7);
        assert_eq!(contradictions(&far, &read(3, 8)), ["NumSubgroups is 3, but SubgroupId is 7 in (16, 0, 0)"]);
        assert!(contradictions(&[], &[]).is_empty());
    }

    /// The lanes of a row-major map, of which nothing else was measured.
    fn obedient_rows(map: &LaneMap, wave: u32) -> Vec<Measured> {
        let lane = |index: u32| Measured {
            id: map.invocation(Thread(index)).expect("inside"),
            index,
            subgroup: index / wave,
            lane: index % wave,
            order: 0,
            quad: None,
            slopes: None,
        };
        (0..map.len()).map(lane).collect()
    }

    #[test]
    fn coarse_derivatives_may_be_fine_ones() {
        let map = LaneMap::new(Micro::Quads, Macro::None, [4, 2, 1]).expect("even");
        let mut lanes = obedient(&map, 8);
        for slopes in lanes.iter_mut().filter_map(|lane| lane.slopes.as_mut()) {
            (slopes.coarse_x, slopes.coarse_y) = (slopes.fine_x, slopes.fine_y);
        }
        assert_eq!(disagreements(&map, 8, Derivatives::Quads, &lanes), []);
        lanes[5].slopes.as_mut().expect("slopes").coarse_x += 1.0;
        let found = disagreements(&map, 8, Derivatives::Quads, &lanes);
        assert_eq!(
            found.iter().map(|found| (found.id, found.what.as_str())).collect::<Vec<_>>(),
            [([1, 1, 0], "dFdxCoarse")]
        );
    }

    #[test]
    fn every_disagreement_is_listed_with_both_values() {
        let rows = LaneMap::new(Micro::None, Macro::None, [4, 2, 1]).expect("small");
        let quads = LaneMap::new(Micro::Quads, Macro::None, [4, 2, 1]).expect("even");
        let found = disagreements(&quads, 8, Derivatives::Quads, &obedient(&rows, 8));
        let of = |id: [u32; 3]| -> Vec<String> {
            let lines = found.iter().filter(|d| d.id == id);
            lines.map(|d| format!("{} {} {}", d.what, d.predicted, d.measured)).collect()
        };
        assert_eq!(
            of([2, 0, 0]),
            [
                "lane 4 2",
                "quad [2, 3, 6, 7] [0, 1, 2, 3]",
                "dFdyFine 32 4",
                "dFdxCoarse 5 1",
                "dFdyCoarse 32 4",
                "dFdxFine 5 5"
            ]
            .into_iter()
            .filter(|line| *line != "dFdxFine 5 5")
            .collect::<Vec<_>>()
        );
        // The corner is where both maps have it.
        assert!(of([0, 0, 0]).iter().all(|line| !line.starts_with("lane")));
    }
}
