//! The closed forms: from a hardware thread's index to its invocation, and back.

use super::{Layout, Macro, Micro};
use lanescope_base::ids::{Lane, Thread, Wave};

/// The most invocations that a workgroup is laid out for: 64 times what any common device runs.
pub const MAX_INVOCATIONS: u32 = 65_536;

/// The four closed forms of a map.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Row-major: ids are as the hardware counts.
    RowMajor,
    /// 2x2 quads, row-major.
    Quads,
    /// Strips 8 wide, each row-major.
    Block8,
    /// Strips 8 wide, each of 2x2 quads.
    Block8Quads,
}

/// A one-to-one map between the threads and the invocations of a workgroup.
///
/// With h the thread: z = h div (X·Y), t = h mod (X·Y); the form says where t lies in x and y. z is never changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LaneMap {
    form: Form,
    size: [u32; 3],
}

impl LaneMap {
    /// The map of a decision, or none where it would not be one-to-one, has no invocation, or more than
    /// [`MAX_INVOCATIONS`].
    ///
    /// 2x2 needs X and Y even; strips need X to be a multiple of 8; both together need both.
    pub fn new(micro: Micro, macro_tile: Macro, size: [u32; 3]) -> Option<LaneMap> {
        let form = match (micro == Micro::Quads, macro_tile == Macro::Block8) {
            (false, false) => Form::RowMajor,
            (true, false) => Form::Quads,
            (false, true) => Form::Block8,
            (true, true) => Form::Block8Quads,
        };
        let [x, y, _] = size;
        let one_to_one = match form {
            Form::RowMajor => true,
            Form::Quads => x % 2 == 0 && y % 2 == 0,
            Form::Block8 => x % 8 == 0,
            Form::Block8Quads => x % 8 == 0 && y % 2 == 0,
        };
        let invocations = size.iter().try_fold(1u32, |n, &d| n.checked_mul(d))?;
        ((1..=MAX_INVOCATIONS).contains(&invocations) && one_to_one).then_some(LaneMap { form, size })
    }

    /// The closed form.
    pub fn form(&self) -> Form {
        self.form
    }

    /// X, Y, Z.
    pub fn size(&self) -> [u32; 3] {
        self.size
    }

    /// Number of threads, and of invocations.
    pub fn len(&self) -> u32 {
        // `new` has seen that the product fits.
        self.size[0] * self.size[1] * self.size[2]
    }

    /// Never: a map has at least one thread.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The invocation that a thread runs; none for a thread that the group does not have.
    pub fn invocation(&self, thread: Thread) -> Option<[u32; 3]> {
        (thread.0 < self.len()).then(|| self.invocation_of(thread.0))
    }

    /// The thread that runs an invocation; none for an id outside the group.
    pub fn thread(&self, id: [u32; 3]) -> Option<Thread> {
        let [size_x, size_y, _] = self.size;
        if id.iter().zip(self.size).any(|(&i, size)| i >= size) {
            return None;
        }
        let [x, y, z] = id;
        let t = match self.form {
            Form::RowMajor => y * size_x + x,
            Form::Quads => 4 * ((y / 2) * (size_x / 2) + x / 2) + 2 * (y % 2) + x % 2,
            Form::Block8 => 8 * ((x / 8) * size_y + y) + x % 8,
            Form::Block8Quads => 16 * ((x / 8) * (size_y / 2) + y / 2) + 4 * ((x % 8) / 2) + 2 * (y % 2) + x % 2,
        };
        Some(Thread(z * size_x * size_y + t))
    }

    /// Whether some thread runs another invocation than the one that the hardware counts it as.
    pub fn moves(&self) -> bool {
        let row_major = LaneMap { form: Form::RowMajor, ..*self };
        self.form != Form::RowMajor && (0..self.len()).any(|h| self.invocation_of(h) != row_major.invocation_of(h))
    }

    /// The id as the hardware delivers it, before any remap (subgroup ids before graphics IP 10.3 need it).
    pub fn hardware_id(&self, thread: Thread) -> Option<[u32; 3]> {
        LaneMap { form: Form::RowMajor, ..*self }.invocation(thread)
    }

    /// The invocations in thread order.
    pub fn invocations(&self) -> Vec<[u32; 3]> {
        (0..self.len()).map(|h| self.invocation_of(h)).collect()
    }

    /// `h` is below `len`, so no sum or product here passes it.
    fn invocation_of(&self, h: u32) -> [u32; 3] {
        let [size_x, size_y, _] = self.size;
        let (z, t) = (h / (size_x * size_y), h % (size_x * size_y));
        let [x, y] = match self.form {
            Form::RowMajor => [t % size_x, t / size_x],
            Form::Quads => {
                let (q, width) = (t / 4, size_x / 2);
                [2 * (q % width) + t % 2, 2 * (q / width) + (t / 2) % 2]
            }
            Form::Block8 => {
                let q = t / 8;
                [8 * (q / size_y) + t % 8, q % size_y]
            }
            Form::Block8Quads => {
                let (q, height) = (t / 16, size_y / 2);
                [8 * (q / height) + 2 * ((t / 4) % 4) + t % 2, 2 * (q % height) + (t / 2) % 2]
            }
        };
        [x, y, z]
    }
}

impl Layout {
    /// The map between threads and invocations, where the layout has one.
    pub fn lane_map(&self) -> Option<LaneMap> {
        self.lanes.as_ref()?;
        LaneMap::new(self.micro, self.macro_tile, self.size)
    }

    /// The wave of a thread and its lane there. `SubgroupId` and `SubgroupLocalInvocationId` are these two.
    pub fn wave_and_lane(&self, thread: Thread) -> (Wave, Lane) {
        let wave = self.wave.max(1);
        (Wave(thread.0 / wave), Lane(thread.0 % wave))
    }
}

/// `(z·Y + y)·X + x`: an invocation's row-major index.
///
/// `LocalInvocationIndex` is this of the remapped id in compute and task shaders; a mesh shader's stays the hardware
/// thread's index.
pub fn row_major_index(size: [u32; 3], id: [u32; 3]) -> u64 {
    let [size_x, size_y, _] = size.map(u64::from);
    let [x, y, z] = id.map(u64::from);
    // Saturates for ids outside any group that can be laid out.
    z.saturating_mul(size_y).saturating_add(y).saturating_mul(size_x).saturating_add(x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const MICROS: [Micro; 3] = [Micro::None, Micro::Linear, Micro::Quads];

    /// Each invocation once, and the inverse leads back.
    fn is_one_to_one(map: LaneMap) -> bool {
        let mut seen = vec![false; map.len() as usize];
        map.invocations().iter().enumerate().all(|(h, &id)| {
            let inside = id.iter().zip(map.size()).all(|(&i, size)| i < size);
            inside
                && !std::mem::replace(&mut seen[row_major_index(map.size(), id) as usize], true)
                && map.thread(id) == Some(Thread(h as u32))
                && map.invocation(Thread(h as u32)) == Some(id)
        })
    }

    #[test]
    fn allowed_forms_are_injective() {
        for x in 1..=64 {
            for y in 1..=32 {
                for micro in MICROS {
                    for macro_tile in [Macro::None, Macro::Block8] {
                        let needs_even = micro == Micro::Quads;
                        let needs_eight = macro_tile == Macro::Block8;
                        let valid = (!needs_even || (x % 2 == 0 && y % 2 == 0)) && (!needs_eight || x % 8 == 0);
                        let map = LaneMap::new(micro, macro_tile, [x, y, 2]);
                        assert_eq!(map.is_some(), valid, "{x}x{y} {micro} {macro_tile}");
                        assert!(map.is_none_or(is_one_to_one), "{x}x{y} {micro} {macro_tile}");
                    }
                }
            }
        }
    }

    #[test]
    fn some_tiles_leave_every_thread_its_invocation() {
        let moves = |micro, macro_tile, x, y| LaneMap::new(micro, macro_tile, [x, y, 3]).map(|map| map.moves());
        assert_eq!(moves(Micro::None, Macro::None, 16, 4), Some(false));
        assert_eq!(moves(Micro::None, Macro::Block8, 8, 4), Some(false));
        assert_eq!(moves(Micro::None, Macro::Block8, 16, 4), Some(true));
        assert_eq!(moves(Micro::None, Macro::Block8, 64, 1), Some(false));
        assert_eq!(moves(Micro::Quads, Macro::None, 2, 8), Some(false));
        assert_eq!(moves(Micro::Quads, Macro::None, 4, 2), Some(true));
        assert_eq!(moves(Micro::Quads, Macro::Block8, 8, 2), Some(true));
    }

    #[test]
    fn invocations_outside_have_no_lane() {
        let map = LaneMap::new(Micro::Quads, Macro::None, [6, 4, 2]).expect("even");
        assert_eq!(map.invocation(Thread(47)), Some([5, 3, 1]));
        assert_eq!(map.invocation(Thread(48)), None);
        assert_eq!(map.thread([6, 0, 0]), None);
        assert_eq!(map.thread([0, 0, u32::MAX]), None);
        assert_eq!(map.hardware_id(Thread(27)), Some([3, 0, 1]));
    }

    #[test]
    fn rejects_sizes_that_cannot_be_laid_out() {
        let too_large = [[1 << 31, 1, 1], [u32::MAX; 3], [65_537, 1, 1], [256, 256, 2], [0, 8, 1], [8, 0, u32::MAX]];
        for size in too_large {
            assert_eq!(LaneMap::new(Micro::None, Macro::None, size), None, "{size:?}");
        }
        assert!(LaneMap::new(Micro::None, Macro::None, [256, 256, 1]).is_some_and(is_one_to_one));
    }

    #[test]
    fn finds_the_bits_of_a_lane_within_a_wave() {
        for size_x in [8, 16, 40] {
            let strips = LaneMap::new(Micro::None, Macro::Block8, [size_x, 16, 1]).expect("a multiple of 8");
            let both = LaneMap::new(Micro::Quads, Macro::Block8, [size_x, 16, 1]).expect("a multiple of 8, even");
            for lane in 0..64 {
                assert_eq!(strips.invocation(Thread(lane)), Some([lane % 8, lane / 8, 0]));
                let bit = |n: u32| lane >> n & 1;
                let x = bit(3) << 2 | bit(2) << 1 | bit(0);
                let y = bit(5) << 2 | bit(4) << 1 | bit(1);
                assert_eq!(both.invocation(Thread(lane)), Some([x, y, 0]));
            }
        }
    }

    proptest! {
        #[test]
        fn lays_out_any_size_injectively_or_rejects_it(
            size in [1u32..200, 1u32..100, 1u32..8], micro in 0usize..3, block in any::<bool>()
        ) {
            let macro_tile = if block { Macro::Block8 } else { Macro::None };
            if let Some(map) = LaneMap::new(MICROS[micro], macro_tile, size) {
                prop_assert!(is_one_to_one(map));
            }
        }

        #[test]
        fn handles_huge_sizes(size: [u32; 3], id: [u32; 3], h: u32) {
            for micro in MICROS {
                if let Some(map) = LaneMap::new(micro, Macro::Block8, size) {
                    let _ = (map.thread(id), map.invocation(Thread(h)));
                }
            }
            let _ = row_major_index(size, id);
        }
    }
}
