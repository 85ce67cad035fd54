//! Facts of lane map cells: thread, wave, lane and quad of each invocation.

use lanescope_core::workgroup::Layout;

/// One invocation's place in the hardware.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facts {
    /// Its id in the group.
    pub id: [u32; 3],
    /// Index in the group: `wave * wave size + lane`.
    pub thread: u32,
    /// Its wave.
    pub wave: u32,
    /// Its lane in the wave.
    pub lane: u32,
    /// Four threads in a row, counted through the group.
    pub quad: u32,
}

impl Facts {
    /// The facts of thread `thread`, which runs `id`.
    pub fn new(layout: &Layout, thread: u32, id: [u32; 3]) -> Self {
        let wave = layout.wave.max(1);
        Facts { id, thread, wave: thread / wave, lane: thread % wave, quad: thread / 4 }
    }
}

/// Which thread runs each invocation of one z slice: index `y * X + x`.
pub(crate) struct Slice {
    pub(crate) width: u32,
    pub(crate) height: u32,
    threads: Vec<Option<u32>>,
}

impl Slice {
    /// The slice, or `None` if the layout has no map or the slice is larger than `most` cells.
    pub(crate) fn new(layout: &Layout, z: u32, most: u64) -> Option<Self> {
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
    pub(crate) fn thread(&self, x: u32, y: u32) -> Option<u32> {
        if x >= self.width {
            return None;
        }
        let at = u64::from(y) * u64::from(self.width) + u64::from(x);
        self.threads.get(usize::try_from(at).ok()?).copied().flatten()
    }
}

#[cfg(test)]
mod tests {
    use lanescope_core::workgroup::{Macro, Micro};

    use super::*;
    use crate::gallery;

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
