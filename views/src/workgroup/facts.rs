//! What one invocation of a layout is: its thread, its wave, its lane, its quad, and by which formula.

use lanescope_core::workgroup::{Layout, Macro, Micro};

/// One invocation's place in the hardware.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Facts {
    pub(super) id: [u32; 3],
    /// Index in the group: `wave * wave size + lane`.
    pub(super) thread: u32,
    pub(super) wave: u32,
    pub(super) lane: u32,
    /// Four threads in a row, counted through the group.
    pub(super) quad: u32,
}

impl Facts {
    /// The facts of thread `thread`, which runs `id`.
    pub(super) fn new(layout: &Layout, thread: u32, id: [u32; 3]) -> Self {
        let wave = layout.wave.max(1);
        Facts { id, thread, wave: thread / wave, lane: thread % wave, quad: thread / 4 }
    }

    /// The facts of an invocation, if the layout has it.
    pub(super) fn of(layout: &Layout, id: [u32; 3]) -> Option<Self> {
        let thread = layout.lanes.as_ref()?.iter().position(|other| *other == id)?;
        Some(Facts::new(layout, u32::try_from(thread).ok()?, id))
    }

    /// How the invocation follows from the thread: what is computed, by which formula, and with which numbers.
    pub(super) fn formula(&self, layout: &Layout) -> Vec<Formula> {
        let [width, height, _] = layout.size.map(|side| u64::from(side.max(1)));
        let (h, slice) = (u64::from(self.thread), width * height);
        let t = h % slice;
        let [x, y, z] = self.id;
        let (half_width, half_height) = ((width / 2).max(1), (height / 2).max(1));
        let line = |what, letters, numbers: String, value: u64| Formula { what, letters, numbers, value };
        let mut lines = vec![
            line("z", "h div X·Y", format!("{h} div {slice}"), z.into()),
            line("t", "h mod X·Y", format!("{h} mod {slice}"), t),
        ];
        let (x, y) = (u64::from(x), u64::from(y));
        match (layout.macro_tile, layout.micro) {
            (Macro::Block8, Micro::Quads) => {
                let q = t / 16;
                let numbers = format!("8·{} + 2·{} + {}", q / half_height, t / 4 % 4, t % 2);
                lines.push(line("q", "t div 16", format!("{t} div 16"), q));
                lines.push(line("x", "8·(q div Y/2) + 2·(t div 4 mod 4) + t mod 2", numbers, x));
                let numbers = format!("2·{} + {}", q % half_height, t / 2 % 2);
                lines.push(line("y", "2·(q mod Y/2) + t div 2 mod 2", numbers, y));
            }
            (Macro::Block8, _) => {
                let q = t / 8;
                lines.push(line("q", "t div 8", format!("{t} div 8"), q));
                lines.push(line("x", "8·(q div Y) + t mod 8", format!("8·{} + {}", q / height, t % 8), x));
                lines.push(line("y", "q mod Y", format!("{q} mod {height}"), y));
            }
            (Macro::None, Micro::Quads) => {
                let q = t / 4;
                lines.push(line("q", "t div 4", format!("{t} div 4"), q));
                lines.push(line("x", "2·(q mod X/2) + t mod 2", format!("2·{} + {}", q % half_width, t % 2), x));
                let numbers = format!("2·{} + {}", q / half_width, t / 2 % 2);
                lines.push(line("y", "2·(q div X/2) + t div 2 mod 2", numbers, y));
            }
            (Macro::None, _) => {
                lines.push(line("x", "t mod X", format!("{t} mod {width}"), x));
                lines.push(line("y", "t div X", format!("{t} div {width}"), y));
            }
        }
        lines
    }
}

/// One step of the way from a thread to its invocation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Formula {
    /// What is computed: `x`.
    pub(super) what: &'static str,
    /// The formula: `t mod X`.
    pub(super) letters: &'static str,
    /// The same with numbers: `39 mod 8`.
    pub(super) numbers: String,
    /// What comes out.
    pub(super) value: u64,
}

/// Which thread runs each invocation of one z slice: index `y * X + x`.
pub(super) struct Slice {
    pub(super) width: u32,
    pub(super) height: u32,
    threads: Vec<Option<u32>>,
}

impl Slice {
    /// The slice, or none where the layout has no map or the slice is larger than `most` cells.
    pub(super) fn new(layout: &Layout, z: u32, most: u64) -> Option<Self> {
        let [width, height, _] = layout.size;
        let cells = u64::from(width) * u64::from(height);
        let lanes = layout.lanes.as_ref()?;
        if cells > most {
            return None;
        }
        let mut threads = vec![None; usize::try_from(cells).ok()?];
        for (thread, [x, y, at_z]) in lanes.iter().enumerate() {
            if *at_z == z && *x < width && *y < height {
                let at = u64::from(*y) * u64::from(width) + u64::from(*x);
                // In range: x and y were checked, and the product is below `cells`.
                if let Some(place) = threads.get_mut(at as usize) {
                    *place = u32::try_from(thread).ok();
                }
            }
        }
        Some(Slice { width, height, threads })
    }

    /// The thread that runs (x, y).
    pub(super) fn thread(&self, x: u32, y: u32) -> Option<u32> {
        if x >= self.width {
            return None;
        }
        let at = u64::from(y) * u64::from(self.width) + u64::from(x);
        self.threads.get(usize::try_from(at).ok()?).copied().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gallery;

    #[test]
    fn formulas_end_in_the_invocation_they_explain() {
        let layouts = [
            gallery::quads_8x8(),
            gallery::strips_16x16(64),
            gallery::large_layout(),
            gallery::layout([6, 4, 2], 32, Micro::Quads, Macro::None),
            gallery::layout([5, 6, 7], 32, Micro::None, Macro::None),
        ];
        for layout in layouts {
            for id in layout.lanes.clone().expect("a map") {
                let facts = Facts::of(&layout, id).expect("every invocation is somewhere");
                assert_eq!(facts.wave * layout.wave + facts.lane, facts.thread);
                let formula = facts.formula(&layout);
                for line in &formula {
                    assert_eq!(value_of(&line.numbers), line.value, "{line:?}");
                }
                for (what, value) in ["x", "y", "z"].into_iter().zip(id) {
                    assert!(formula.iter().any(|line| line.what == what && line.value == u64::from(value)), "{id:?}");
                }
            }
        }
        assert_eq!(Facts::of(&gallery::quads_8x8(), [8, 0, 0]), None);
    }

    /// The value of `8·1 + 2·3 + 1`, `4 mod 3` or `7 div 2`.
    fn value_of(text: &str) -> u64 {
        let number = |text: &str| text.trim().parse::<u64>().expect("a number");
        if let Some((a, b)) = text.split_once(" mod ") {
            return number(a) % number(b);
        }
        if let Some((a, b)) = text.split_once(" div ") {
            return number(a) / number(b);
        }
        text.split(" + ").map(|term| term.split('·').map(number).product::<u64>()).sum()
    }

    #[test]
    fn a_slice_finds_threads_of_its_z_only() {
        let layout = gallery::layout([6, 4, 2], 32, Micro::Quads, Macro::None);
        let slice = Slice::new(&layout, 1, 1 << 16).expect("small");
        assert_eq!(slice.thread(0, 0), Some(24));
        assert_eq!(slice.thread(5, 3), Some(47));
        assert_eq!(slice.thread(6, 0), None);
        assert_eq!(slice.thread(0, 4), None);
        assert!(Slice::new(&layout, 1, 23).is_none());
    }
}
