//! Records cut into batches: what fits the ring by the worst case, and how it is dispatched.

use lanescope_base::grid;
use lanescope_passes::graph::{Launch, Node};
use lanescope_run::graph::Cut;

/// The converter reads a record's number as x + 32768 y.
const ROW: u64 = 32768;
/// The most workgroups along an axis that every device takes.
pub(super) const MAX_AXIS: u64 = 65535;
/// Records that run as one group in a node that is launched by threads.
pub(super) const THREADS: u64 = 32;

/// What one record starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Grid {
    /// Groups along each axis.
    pub groups: [u32; 3],
    /// Groups in all.
    pub volume: u64,
    /// Passes of the converter's loop over a dynamic grid: the product of the axes, each but the last rounded up to a
    /// power of two.
    pub passes: u64,
}

impl Grid {
    /// The grid that is the same for every record.
    pub fn fixed(groups: [u32; 3]) -> Grid {
        let volume = grid::saturating_volume(groups);
        Grid { groups, volume, passes: volume }
    }

    /// The grid that a record asks for, in so many components.
    pub fn dynamic(groups: [u32; 3], components: u32) -> Grid {
        let (volume, passes) = (grid::saturating_volume(groups), grid::rounded_volume(groups, components));
        Grid { groups, volume, passes }
    }
}

/// Records that run together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Piece {
    /// Their indices in the job.
    pub records: Which,
    /// Groups that run: threads of a thread node.
    pub launches: u64,
    /// How.
    pub shape: PieceShape,
}

/// Which records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Which {
    /// Those from one index to before another.
    Range(u64, u64),
    /// These.
    List(Vec<u32>),
}

/// How a piece is dispatched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PieceShape {
    /// Over the records, with so many workgroups for each.
    Records { per_group: u64, width: u32 },
    /// One record, over a part of its grid: the first group, and how many there are along each axis.
    Grid([u32; 3], [u32; 3]),
}

impl Which {
    pub fn len(&self) -> u64 {
        match self {
            Which::Range(from, to) => to - from,
            Which::List(list) => list.len() as u64,
        }
    }

    pub fn iter(&self) -> Box<dyn Iterator<Item = u64> + '_> {
        match self {
            Which::Range(from, to) => Box::new(*from..*to),
            Which::List(list) => Box::new(list.iter().map(|index| u64::from(*index))),
        }
    }
}

impl Which {
    /// Runs of indices as the first and how many; empty where they follow those of the pieces before.
    pub fn runs(&self) -> Vec<[u32; 2]> {
        let Which::List(list) = self else { return Vec::new() };
        let mut out: Vec<[u32; 2]> = Vec::new();
        for index in list {
            match out.last_mut() {
                Some([first, count]) if first.checked_add(*count) == Some(*index) => *count += 1,
                _ => out.push([*index, 1]),
            }
        }
        out
    }
}

impl Piece {
    /// The record of the job that a launch's number stands for: its place among the piece's.
    pub fn record(&self, number: u32) -> Option<u32> {
        let number = if matches!(self.shape, PieceShape::Grid(..)) { 0 } else { number };
        match &self.records {
            Which::Range(from, to) => {
                let at = from.checked_add(u64::from(number)).filter(|at| at < to)?;
                u32::try_from(at).ok()
            }
            Which::List(list) => list.get(number as usize).copied(),
        }
    }

    /// Whether it is a part of a record's grid, after the first one: what the parts before left in the record stays.
    pub fn goes_on(&self) -> bool {
        matches!(self.shape, PieceShape::Grid(base, _) if base != [0; 3])
    }
}

/// One of the two dispatches of a piece: workgroups, and the first record.
pub(super) type Dispatch = ([u32; 3], u32);

impl Piece {
    /// The dispatches: whole rows, then the rest.
    pub fn dispatches(&self) -> Vec<Dispatch> {
        let (per_group, width) = match self.shape {
            PieceShape::Grid(_, groups) => return vec![(groups, 0)],
            PieceShape::Records { per_group, width } => (per_group, width),
        };
        let groups = self.records.len().div_ceil(per_group.max(1));
        let (rows, rest) = (groups / ROW, groups % ROW);
        let mut out = Vec::new();
        if rows > 0 {
            out.push(([ROW as u32, rows as u32, width], 0));
        }
        if rest > 0 {
            out.push(([rest as u32, 1, width], (rows * ROW * per_group) as u32));
        }
        out
    }
}

/// The most pieces of one node's records: each is device work of its own.
const MAX_PIECES: u64 = 1 << 18;

/// What bounds a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Room {
    /// Bytes of one half of the ring.
    pub half: u64,
    /// Bytes that a batch takes in addition to what its launches may write.
    pub fixed: u64,
    /// Bytes of input that a record takes.
    pub record: u64,
    /// Every pass of a loop over a grid has a workgroup: a loop with more than one pass may lose groups.
    pub full_width: bool,
}

/// A record that may write more than there is room for, or that takes more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TooLarge {
    /// Bytes that one record may need.
    pub needed: u64,
    /// Bytes that there are.
    pub available: u64,
}

/// Cuts a node's records. `grids` are those of the records, one for all where there is only one.
pub(super) fn cut(node: &Node, count: u64, grids: &[Grid], room: Room, by: &Cut) -> Result<Vec<Piece>, TooLarge> {
    let each = node.bound.payload.saturating_add(node.bound.listed);
    let launches = room.half.saturating_sub(room.fixed).checked_div(each).unwrap_or(u64::MAX);
    let input = room.half.saturating_sub(INPUT_FIXED).checked_div(room.record).unwrap_or(u64::MAX);
    // Numbers of records are 32-bit; so many rows of workgroups are there.
    let most = by.batch.unwrap_or(u64::MAX).min(input).min((ROW * MAX_AXIS).min(1 << 30)).max(1);
    let one = |volume: u64| each.saturating_mul(volume).saturating_add(room.fixed);
    let too_large = |volume: u64| TooLarge { needed: one(volume), available: room.half };
    if input == 0 {
        return Err(TooLarge { needed: room.record + INPUT_FIXED, available: room.half });
    }
    let ranges = |size: u64, launches: &dyn Fn(u64) -> u64, shape: PieceShape| {
        let size = size.max(1);
        let pieces = (0..count.div_ceil(size)).map(|at| {
            let (from, to) = (at * size, (at * size + size).min(count));
            Piece { records: Which::Range(from, to), launches: launches(to - from), shape }
        });
        pieces.collect::<Vec<_>>()
    };
    if count.div_ceil(most.min(launches.max(1)).max(1)) > MAX_PIECES && launches > 0 && by.batch.is_none() {
        return Err(too_large(count.div_ceil(MAX_PIECES)));
    }
    match node.launch {
        Launch::Thread => {
            let most = most.min(launches);
            if most == 0 {
                return Err(too_large(1));
            }
            Ok(ranges(most, &|records| records, PieceShape::Records { per_group: THREADS, width: 1 }))
        }
        Launch::Coalescing => {
            let per_group = u64::from(node.records_per_launch());
            let most = most.min(launches.saturating_mul(per_group));
            if most == 0 {
                return Err(too_large(1));
            }
            // Groups are full but for the last of a batch; a smaller group is a batch of its own.
            let most = match by.coalesce {
                Some(few) => most.min(u64::from(few.max(1)).min(per_group)),
                None if most >= per_group => most / per_group * per_group,
                None => most,
            };
            let groups = move |records: u64| records.div_ceil(per_group);
            Ok(ranges(most, &groups, PieceShape::Records { per_group, width: 1 }))
        }
        Launch::Broadcasting | Launch::Mesh => {
            let widths = Widths { full: room.full_width, asked: by.width.map(u64::from) };
            broadcast(count, grids, launches, most, widths, &too_large, &ranges)
        }
    }
}

/// Workgroups for a record's grid.
#[derive(Clone, Copy)]
struct Widths {
    full: bool,
    asked: Option<u64>,
}

impl Widths {
    /// How many, for a loop of so many passes; `None` where no dispatch has enough.
    fn of(self, passes: u64) -> Option<u32> {
        let width = match self.asked {
            // Some devices cut any loop at as many passes as an axis has workgroups.
            Some(asked) if !self.full => asked.min(MAX_AXIS).max(passes.div_ceil(MAX_AXIS)),
            Some(asked) => asked.min(MAX_AXIS).max(passes),
            None => passes,
        };
        (width <= MAX_AXIS).then_some(width.max(1) as u32)
    }
}

/// Words, offsets and alignment in front of the records.
const INPUT_FIXED: u64 = 512;

type Ranges<'r> = dyn Fn(u64, &dyn Fn(u64) -> u64, PieceShape) -> Vec<Piece> + 'r;

fn broadcast(
    count: u64,
    grids: &[Grid],
    launches: u64,
    most: u64,
    widths: Widths,
    too_large: &dyn Fn(u64) -> TooLarge,
    ranges: &Ranges<'_>,
) -> Result<Vec<Piece>, TooLarge> {
    if let [grid] = grids
        && count != 1
    {
        if grid.volume == 0 {
            return Ok(Vec::new());
        }
        if launches == 0 {
            return Err(too_large(1));
        }
        let most = most.min(launches / grid.volume);
        if most == 0 {
            let each = grid.volume.div_ceil(launches);
            if each.saturating_mul(count) > MAX_PIECES {
                return Err(too_large(grid.volume.div_ceil(MAX_PIECES)));
            }
            return Ok((0..count as u32).flat_map(|index| parts(index, grid, launches)).collect());
        }
        let volume = grid.volume;
        return Ok(match widths.of(grid.passes) {
            Some(width) => ranges(most, &|records| records * volume, PieceShape::Records { per_group: 1, width }),
            None => ranges(1, &|_| volume, PieceShape::Grid([0; 3], grid.groups)),
        });
    }
    // The largest first, so that records of a piece start about as many groups.
    let mut order: Vec<u32> = (0..grids.len().min(count as usize) as u32).collect();
    let of = |index: u32| grids.get(index as usize).copied().unwrap_or(Grid::fixed([0; 3]));
    order.retain(|index| of(*index).volume > 0);
    order.sort_by_key(|index| (std::cmp::Reverse(of(*index).passes), *index));
    let mut out: Vec<Piece> = Vec::new();
    for index in order {
        let grid = of(index);
        if launches == 0 {
            return Err(too_large(1));
        }
        if grid.volume / launches > MAX_PIECES || out.len() as u64 > MAX_PIECES {
            return Err(too_large(grid.volume.div_ceil(MAX_PIECES)));
        }
        let Some(own) = widths.of(grid.passes).filter(|_| grid.volume <= launches) else {
            out.extend(parts(index, &grid, launches));
            continue;
        };
        if let Some(Piece { records: Which::List(list), launches: sum, shape: PieceShape::Records { width, .. } }) =
            out.last_mut()
            && u64::from(own) * 2 > u64::from(*width)
            && (list.len() as u64) < most
            && *sum + grid.volume <= launches
        {
            list.push(index);
            *sum += grid.volume;
            continue;
        }
        let shape = PieceShape::Records { per_group: 1, width: own };
        out.push(Piece { records: Which::List(vec![index]), launches: grid.volume, shape });
    }
    Ok(out)
}

/// One record's grid in parts of at most so many groups: halves of halves, along the longest axis.
fn parts(index: u32, grid: &Grid, launches: u64) -> Vec<Piece> {
    let mut left = vec![([0u32; 3], grid.groups)];
    let mut out = Vec::new();
    while let Some((base, groups)) = left.pop() {
        let volume = Grid::fixed(groups).volume;
        let axis = (0..3).max_by_key(|axis| groups[*axis]).unwrap_or(0);
        if volume <= launches || groups[axis] < 2 {
            let records = Which::List(vec![index]);
            out.push(Piece { records, launches: volume, shape: PieceShape::Grid(base, groups) });
            continue;
        }
        let (mut first, mut second, mut after) = (groups, groups, base);
        first[axis] = groups[axis] / 2;
        second[axis] = groups[axis] - first[axis];
        after[axis] = base[axis] + first[axis];
        left.push((after, second));
        left.push((base, first));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(launch: Launch, payload: u64) -> Node {
        let mut node = super::super::testing::node(launch);
        node.bound.payload = payload;
        node
    }

    fn room(half: u64) -> Room {
        Room { half, fixed: 0, record: 4, full_width: true }
    }

    #[test]
    fn whole_rows_come_before_the_rest() {
        let piece = |records: u64, per_group: u64| Piece {
            records: Which::Range(0, records),
            launches: records,
            shape: PieceShape::Records { per_group, width: 3 },
        };
        let one = |x, first| vec![([x, 1, 3], first)];
        assert_eq!(piece(0, 1).dispatches(), []);
        assert_eq!(piece(33, 32).dispatches(), one(2, 0));
        assert_eq!(piece(32768, 1).dispatches(), vec![([32768, 1, 3], 0)]);
        assert_eq!(piece(40000 * 32, 32).dispatches(), vec![([32768, 1, 3], 0), ([7232, 1, 3], 1_048_576)]);
    }

    #[test]
    fn launches_are_those_of_records() {
        let shape = PieceShape::Records { per_group: 1, width: 1 };
        let piece = Piece { records: Which::Range(40, 43), launches: 3, shape };
        assert_eq!([0, 2, 3].map(|number| piece.record(number)), [Some(40), Some(42), None]);
        let piece = Piece { records: Which::List(vec![7, 3]), ..piece };
        assert_eq!([1, 2].map(|number| piece.record(number)), [Some(3), None]);
        let part = Piece { shape: PieceShape::Grid([0, 4, 0], [8, 4, 1]), ..piece };
        assert_eq!(part.record(99), Some(7), "its workgroups are one record's");
    }

    #[test]
    fn a_dynamic_grid_is_rounded_as_the_loop_reads_it() {
        let passes = |groups, components| Grid::dynamic(groups, components).passes;
        assert_eq!(passes([37, 1, 1], 1), 37);
        assert_eq!(passes([3, 2, 1], 2), 8);
        assert_eq!(passes([3, 3, 2], 3), 32);
        assert_eq!(passes([0, 3, 2], 3), 0);
        assert_eq!(Grid::dynamic([5, 1, 1], 1).volume, 5);
    }

    #[test]
    fn pieces_fit_the_worst_case_and_cover_every_record() {
        for (launch, payload, half, count) in [
            (Launch::Thread, 128, 4096, 1000u64),
            (Launch::Coalescing, 64, 1 << 20, 777),
            (Launch::Broadcasting, 16, 1 << 14, 100),
        ] {
            let node = node(launch, payload);
            let grids = [Grid::fixed([3, 1, 1])];
            let pieces = cut(&node, count, &grids, room(half), &Cut::default()).expect("it fits");
            let all: Vec<u64> = pieces.iter().flat_map(|piece| piece.records.iter().collect::<Vec<_>>()).collect();
            assert_eq!(all, (0..count).collect::<Vec<_>>(), "{launch}");
            assert!(pieces.iter().all(|piece| piece.launches * payload <= half), "{launch}");
        }
        let huge = cut(&node(Launch::Thread, 8192), 5, &[], room(4096), &Cut::default());
        assert_eq!(huge, Err(TooLarge { needed: 8192, available: 4096 }));
    }

    #[test]
    fn a_grid_that_does_not_fit_is_run_in_parts() {
        let node = node(Launch::Broadcasting, 64);
        let pieces = cut(&node, 1, &[Grid::fixed([10, 3, 2])], room(1000), &Cut::default()).expect("it fits");
        let mut seen = std::collections::BTreeSet::new();
        for piece in &pieces {
            let PieceShape::Grid(base, groups) = piece.shape else { panic!("{piece:?}") };
            assert!(piece.launches * 64 <= 1000);
            for (x, y, z) in
                (0..groups[0]).flat_map(|x| (0..groups[1]).flat_map(move |y| (0..groups[2]).map(move |z| (x, y, z))))
            {
                assert!(seen.insert([base[0] + x, base[1] + y, base[2] + z]));
            }
        }
        assert_eq!(seen.len(), 60);
        let first = pieces.iter().position(|piece| !piece.goes_on());
        assert_eq!((first, pieces.iter().filter(|piece| piece.goes_on()).count()), (Some(0), pieces.len() - 1));
    }

    #[test]
    fn requested_width_is_used_only_where_no_group_is_lost() {
        let width = |full, asked, passes| Widths { full, asked }.of(passes);
        assert_eq!([1, 8, 20, 1 << 20].map(|asked| width(true, Some(asked), 8)), [8, 8, 20, 65535].map(Some));
        assert_eq!([1, 8, 20].map(|asked| width(false, Some(asked), 8)), [1, 8, 20].map(Some));
        assert_eq!([None, Some(1)].map(|asked| width(true, asked, 70_000)), [None, None]);
        assert_eq!([None, Some(1)].map(|asked| width(false, asked, 70_000)), [None, Some(2)]);
        // Records that run as wide as one another run together.
        let grids = [8, 3, 1].map(|x| Grid::dynamic([x, 1, 1], 1));
        let by = Cut { width: Some(8), ..Cut::default() };
        let pieces = cut(&node(Launch::Broadcasting, 0), 3, &grids, room(1 << 20), &by).expect("it fits");
        assert_eq!(pieces.len(), 1);
        assert_eq!(pieces[0].shape, PieceShape::Records { per_group: 1, width: 8 });
    }

    #[test]
    fn batches_equal_grids_and_skips_empty_ones() {
        let asked = [[1, 1], [64, 1], [0, 1], [60, 1], [300, 300], [2, 1]];
        let grids: Vec<Grid> = asked.iter().map(|[x, y]| Grid::dynamic([*x, *y, 1], 2)).collect();
        let pieces = cut(&node(Launch::Broadcasting, 0), 6, &grids, room(1 << 20), &Cut::default()).expect("it fits");
        let shapes: Vec<_> = pieces.iter().map(|piece| (piece.records.clone(), piece.shape)).collect();
        let records = |width| PieceShape::Records { per_group: 1, width };
        assert_eq!(
            shapes,
            [
                (Which::List(vec![4]), PieceShape::Grid([0; 3], [300, 300, 1])),
                (Which::List(vec![1, 3]), records(64)),
                (Which::List(vec![5]), records(2)),
                (Which::List(vec![0]), records(1)),
            ]
        );
    }
}
