//! Quads: which four lanes differ from each other in a derivative.

use lanescope_base::ids::Thread;

/// Precision of a derivative.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Precision {
    /// One difference for all four lanes.
    Coarse,
    /// One difference a row, or a column.
    Fine,
}

/// The direction of a derivative.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Axis {
    /// Along x.
    X,
    /// Along y.
    Y,
}

/// A thread's quad in its group, and its place there (0 to 3). Waves contain whole quads.
///
/// Under 2x2 tiles places 0, 1, 2, 3 hold (2i, 2j), (2i+1, 2j), (2i, 2j+1), (2i+1, 2j+1) of one z; under linear
/// derivative groups they hold four consecutive local invocation indices, the first a multiple of 4.
pub fn quad_of(thread: Thread) -> (u32, u32) {
    (thread.0 / 4, thread.0 % 4)
}

/// The places in the quad whose values are subtracted, for the lane at `place`: the derivative is the first one's
/// value less the second one's.
pub fn difference(axis: Axis, precision: Precision, place: u32) -> (u32, u32) {
    match (axis, precision) {
        (Axis::X, Precision::Coarse) => (1, 0),
        (Axis::Y, Precision::Coarse) => (2, 0),
        (Axis::X, Precision::Fine) => ((place & 2) + 1, place & 2),
        (Axis::Y, Precision::Fine) => ((place & 1) + 2, place & 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_lanes_that_a_derivative_subtracts() {
        for (axis, precision, expected) in [
            (Axis::X, Precision::Coarse, [(1, 0), (1, 0), (1, 0), (1, 0)]),
            (Axis::Y, Precision::Coarse, [(2, 0), (2, 0), (2, 0), (2, 0)]),
            (Axis::X, Precision::Fine, [(1, 0), (1, 0), (3, 2), (3, 2)]),
            (Axis::Y, Precision::Fine, [(2, 0), (3, 1), (2, 0), (3, 1)]),
        ] {
            assert_eq!(
                [0, 1, 2, 3].map(|place| difference(axis, precision, place)),
                expected,
                "{axis:?} {precision:?}"
            );
        }
    }
}
