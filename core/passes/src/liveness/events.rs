//! What happens to a memory in a frame: its stores, and the calls that lead to frames which store into it.
//!
//! A call is not noted for each memory that is stored to somewhere below it, which would take memory for each pair of
//! the two: frames that one call leads to make a tree, so a store's frame says which calls lead to it.

use std::ops::Range;

use super::frames::{FrameId, Frames};
use super::links::Stored;
use lanescope_spirv::InstId;

/// The effect of an instruction on a memory, seen from one frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// It stores: an index among the memory's stores.
    Store(usize),
    /// It calls a frame that stores, or calls one that does.
    Call(FrameId),
}

/// The frames as trees: each below the one that calls it, where only one call leads to it.
#[derive(Debug, Default)]
pub struct CallTree {
    /// By frame: its place in an order in which the frames below it follow it, in the order of the calls.
    places: Vec<u32>,
    /// By frame: the place after the last frame below it.
    ends: Vec<u32>,
    /// By frame: the one at the top of its tree.
    roots: Vec<FrameId>,
    /// The frames that others call, by caller, then in the order of the calls.
    callees: Vec<FrameId>,
    /// By frame: where its callees start.
    starts: Vec<u32>,
}

impl CallTree {
    /// The trees of so many frames. `caller` is the only caller of a frame, which comes before the frame.
    pub fn of(count: usize, caller: impl Fn(FrameId) -> Option<FrameId>) -> CallTree {
        let caller = |frame: usize| caller(frame as FrameId).map(|caller| caller as usize).filter(|&c| c < frame);
        let mut sizes = vec![1u32; count];
        let mut starts = vec![0u32; count + 1];
        for frame in (0..count).rev() {
            if let Some(caller) = caller(frame) {
                sizes[caller] += sizes[frame];
                starts[caller + 1] += 1;
            }
        }
        for frame in 0..count {
            starts[frame + 1] += starts[frame];
        }
        let mut tree = CallTree {
            places: vec![0; count],
            ends: vec![0; count],
            roots: vec![0; count],
            callees: vec![0; starts.last().map_or(0, |end| *end as usize)],
            starts,
        };
        // By frame: the place of its next callee, and where that one is listed.
        let mut next = vec![(0u32, 0u32); count];
        let mut top = 0;
        for frame in 0..count {
            let place = match caller(frame) {
                Some(caller) => {
                    let (place, listed) = next[caller];
                    tree.callees[listed as usize] = frame as FrameId;
                    tree.roots[frame] = tree.roots[caller];
                    next[caller] = (place + sizes[frame], listed + 1);
                    place
                }
                None => {
                    tree.roots[frame] = frame as FrameId;
                    top += sizes[frame];
                    top - sizes[frame]
                }
            };
            (tree.places[frame], tree.ends[frame]) = (place, place + sizes[frame]);
            next[frame] = (place + 1, tree.starts[frame]);
        }
        tree
    }

    /// A frame's place in the order.
    pub fn place(&self, frame: FrameId) -> u32 {
        self.places.get(frame as usize).copied().unwrap_or(0)
    }

    /// The places of a frame and of those below it.
    fn places(&self, frame: FrameId) -> Range<u32> {
        self.place(frame)..self.ends.get(frame as usize).copied().unwrap_or(0)
    }

    /// Whether only calls that are each the only one of their frame lead from a frame down to another, or to itself.
    pub fn leads_to(&self, frame: FrameId, below: FrameId) -> bool {
        self.places(frame).contains(&self.place(below))
    }

    /// The frame at the top of a frame's tree.
    pub fn root(&self, frame: FrameId) -> FrameId {
        self.roots.get(frame as usize).copied().unwrap_or(frame)
    }

    /// The frames right below one, in the order of their calls.
    fn callees(&self, frame: FrameId) -> &[FrameId] {
        let at = frame as usize;
        let range = self.starts.get(at).zip(self.starts.get(at + 1)).map(|(start, end)| *start as usize..*end as usize);
        range.and_then(|range| self.callees.get(range)).unwrap_or(&[])
    }
}

/// Effects on a memory in a part of a frame, from the last one back.
pub struct Events<'l, 'm> {
    frames: &'l Frames<'m>,
    /// The memory's stores in that part, and the index of the first of them.
    own: &'l [Stored],
    first: usize,
    /// Its stores in the frames below the calls of that part.
    below: &'l [Stored],
    callees: &'l [FrameId],
}

impl<'l, 'm> Events<'l, 'm> {
    /// `stores` are the memory's, sorted by the place of their frame, then by instruction.
    pub fn of(frames: &'l Frames<'m>, stores: &'l [Stored], frame: FrameId, part: Range<u32>) -> Events<'l, 'm> {
        let tree = frames.tree();
        let place = tree.place(frame);
        let before =
            |inst: u32| stores.partition_point(|store| (tree.place(store.frame), store.inst.0) < (place, inst));
        let (first, end) = (before(part.start), before(part.end));
        let callees = tree.callees(frame);
        let called =
            |inst: u32| callees.partition_point(|&callee| call(frames, callee).is_some_and(|call| call.0 < inst));
        let callees = callees.get(called(part.start)..called(part.end)).unwrap_or(&[]);
        let below = match callees {
            [first, .., last] | [first @ last] => tree.place(*first)..tree.places(*last).end,
            [] => 0..0,
        };
        let at = |place: u32| stores.partition_point(|store| tree.place(store.frame) < place);
        Events {
            frames,
            own: stores.get(first..end).unwrap_or(&[]),
            first,
            below: stores.get(at(below.start)..at(below.end)).unwrap_or(&[]),
            callees,
        }
    }

    /// The last frame below a call that stores.
    fn callee(&self) -> Option<FrameId> {
        let tree = self.frames.tree();
        let place = tree.place(self.below.last()?.frame);
        let at = self.callees.partition_point(|&callee| tree.place(callee) <= place).checked_sub(1)?;
        self.callees.get(at).copied()
    }
}

impl Iterator for Events<'_, '_> {
    type Item = Event;

    fn next(&mut self) -> Option<Event> {
        let callee = self.callee();
        let called = callee.and_then(|callee| call(self.frames, callee));
        if let Some((store, rest)) = self.own.split_last()
            && called.is_none_or(|call| call < store.inst)
        {
            self.own = rest;
            return Some(Event::Store(self.first + rest.len()));
        }
        let callee = callee?;
        let tree = self.frames.tree();
        let left = self.below.partition_point(|store| tree.place(store.frame) < tree.place(callee));
        self.below = self.below.get(..left)?;
        Some(Event::Call(callee))
    }
}

/// The call that leads to a frame.
fn call(frames: &Frames<'_>, frame: FrameId) -> Option<InstId> {
    frames.callers(frame).first().map(|&(_, call)| call)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_below_a_frame_follow_it() {
        // 0 calls 1 and 2; 1 calls 3 and 5, 2 calls 4; several call 6, which calls 7.
        let callers = [None, Some(0), Some(0), Some(1), Some(2), Some(1), None, Some(6)];
        let tree = CallTree::of(callers.len(), |frame| callers[frame as usize]);
        let places: Vec<u32> = (0..8).map(|frame| tree.place(frame)).collect();
        assert_eq!(places, [0, 1, 4, 2, 5, 3, 6, 7]);
        assert_eq!((tree.callees(0), tree.callees(1), tree.callees(7)), (&[1, 2][..], &[3, 5][..], &[][..]));
        assert!(tree.leads_to(0, 4) && tree.leads_to(1, 5) && tree.leads_to(3, 3));
        assert!(!tree.leads_to(1, 4) && !tree.leads_to(0, 7) && !tree.leads_to(3, 1));
        assert_eq!((tree.root(5), tree.root(7)), (0, 6));
    }
}
