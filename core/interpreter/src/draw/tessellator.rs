//! The fixed tessellator: points of a patch's domain, and what they form.
//!
//! Points are placed as Direct3D 11 specifies, in units of 1/65536: hardware and software devices share it, and it is one
//! of the placements that Vulkan's chapter on tessellation allows. How points are joined is left to implementations:
//! between two rings the point that is behind along the edge goes on first.

use crate::stages::{Domain, Form, Spacing, Tessellation};

/// 1 in units of a coordinate.
const ONE: i64 = 1 << 16;
const HALF: i64 = ONE / 2;
/// The greatest level.
const MOST: f32 = 64.0;

/// A tessellated patch.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Tessellated {
    /// `TessCoord`.
    pub points: Vec<[f32; 3]>,
    /// The points of each primitive.
    pub indices: Vec<u32>,
}

/// What the primitives of a tessellated patch are.
pub(crate) fn form(modes: Tessellation) -> Form {
    match modes.domain {
        _ if modes.points => Form::Points,
        Some(Domain::Isolines) => Form::Lines,
        _ => Form::Triangles,
    }
}

/// Tessellates a patch: levels of its edges and of its inside. No points where one of its edges is not drawn.
pub(crate) fn tessellate(modes: Tessellation, outer: [f32; 4], inner: [f32; 2]) -> Tessellated {
    let spacing = modes.spacing.unwrap_or(Spacing::Equal);
    let domain = modes.domain.unwrap_or(Domain::Triangles);
    let edges = match domain {
        Domain::Triangles => 3,
        Domain::Quads => 4,
        Domain::Isolines => 2,
    };
    let mut mesh = Mesh::default();
    // A level that is NaN is not above 0.
    if outer.iter().take(edges).all(|level| *level > 0.0) {
        match domain {
            Domain::Triangles => mesh.triangle(spacing, outer, inner[0]),
            Domain::Quads => mesh.quad(spacing, outer, inner),
            Domain::Isolines => mesh.isolines(spacing, outer),
        }
    }
    let Mesh { points, mut indices } = mesh;
    if modes.points {
        indices = (0..points.len() as u32).collect();
    } else if domain != Domain::Isolines && modes.clockwise != Some(true) {
        // In Vulkan v points down: what is made counter-clockwise with v up is clockwise.
        indices.as_chunks_mut::<3>().0.iter_mut().for_each(|triangle| triangle.swap(1, 2));
    }
    let coordinate = |[u, v]: [i64; 2]| {
        let [u, v] = [u, v].map(|part| part as f32 / ONE as f32);
        [u, v, if domain == Domain::Triangles { 1.0 - u - v } else { 0.0 }]
    };
    Tessellated { points: points.into_iter().map(coordinate).collect(), indices }
}

/// The subdivision of an edge.
#[derive(Debug, Clone, Copy)]
struct Division {
    /// Segments.
    segments: u32,
    odd: bool,
    /// Points of one half.
    half: i64,
    /// Where the subdivision is between two whole ones: the share of the finer one, the inverses of their segments, and
    /// the point that the coarser one lacks.
    share: i64,
    inverse: [i64; 2],
    split: i64,
}

impl Division {
    /// The subdivision that a level asks for.
    fn new(spacing: Spacing, level: f32) -> Division {
        let level = clamped(spacing, level);
        let level = if spacing == Spacing::Equal { level.ceil() } else { level };
        let fixed = (f64::from(level) * ONE as f64).round() as i64;
        let odd = match spacing {
            Spacing::Equal => fixed / ONE % 2 == 1,
            Spacing::FractionalOdd => true,
            Spacing::FractionalEven => false,
        };
        let mut half = (fixed + 1) / 2;
        if odd {
            half += HALF;
        }
        let (floor, ceil) = (half / ONE, (half + ONE - 1) / ONE);
        let split = match (floor == ceil, odd) {
            (true, _) => ceil + 1,
            (false, true) if floor == 1 => 0,
            (false, true) => without_top_bit(floor - 1) * 2 + 1,
            (false, false) => without_top_bit(floor) * 2 + 1,
        };
        let segments = [floor, ceil].map(|half| half * 2 - i64::from(odd));
        let inverse = segments.map(|count| (2 * ONE + count) / (2 * count.max(1)));
        Division { segments: segments[1] as u32, odd, half: ceil, share: half - floor * ONE, inverse, split }
    }

    /// The place of a point.
    fn place(&self, point: u32) -> i64 {
        let mut point = i64::from(point);
        let flips = point >= self.half;
        if flips {
            point = 2 * self.half - point - i64::from(self.odd);
        }
        if point == self.half {
            return HALF;
        }
        let coarse = if point > self.split { point - 1 } else { point };
        let [coarse, fine] = [coarse * self.inverse[0], point * self.inverse[1]];
        let place = (coarse * (ONE - self.share) + fine * self.share + HALF) >> 16;
        if flips { ONE - place } else { place }
    }
}

fn without_top_bit(value: i64) -> i64 {
    if value <= 0 { 0 } else { value & !(1 << value.ilog2()) }
}

/// A level within the limits of a spacing.
fn clamped(spacing: Spacing, level: f32) -> f32 {
    match spacing {
        Spacing::Equal => level.clamp(1.0, MOST),
        Spacing::FractionalEven => level.clamp(2.0, MOST),
        Spacing::FractionalOdd => level.clamp(1.0, MOST - 1.0),
    }
}

/// Levels of the inside: more than 1 where any other level is.
fn insides<const N: usize>(spacing: Spacing, outer: &[f32], inner: [f32; N]) -> [Division; N] {
    // The least is taken of a level that is NaN.
    let inner = inner.map(|level| clamped(spacing, if level.is_nan() { 1.0 } else { level }));
    let any = outer.iter().chain(&inner).any(|level| clamped(spacing, *level) > 1.0);
    inner.map(|level| Division::new(spacing, if any { level.max(1.0 + 1.0 / ONE as f32) } else { level }))
}

#[derive(Default)]
struct Mesh {
    points: Vec<[i64; 2]>,
    indices: Vec<u32>,
}

impl Mesh {
    fn add(&mut self, point: [i64; 2]) -> u32 {
        self.points.push(point);
        self.points.len() as u32 - 1
    }

    /// Adds the sides of a ring, counter-clockwise with v up. `point` gives a point of a side by its number from its
    /// first corner, of so many segments.
    fn ring<const N: usize>(&mut self, segments: [u32; N], point: impl Fn(usize, u32) -> [i64; 2]) -> [Vec<u32>; N] {
        let mut sides: [Vec<u32>; N] = std::array::from_fn(|_| Vec::new());
        for (side, list) in sides.iter_mut().enumerate() {
            list.extend((0..segments[side]).map(|at| self.add(point(side, at))));
        }
        for side in 0..N {
            let next = sides[(side + 1) % N].first().copied();
            sides[side].extend(next);
        }
        sides
    }

    /// Fills the strip between a side and the one inside of it, which runs the same way.
    fn stitch(&mut self, outside: &[u32], inside: &[u32]) {
        let (Some(a), Some(b)) = (outside.len().checked_sub(1), inside.len().checked_sub(1)) else { return };
        let (mut i, mut j) = (0, 0);
        while i < a || j < b {
            // Shares of the side: the inner one begins and ends a segment later.
            let outer_next = (i + 1) * (b + 2);
            let inner_next = (j + 2) * a;
            if j == b || (i < a && outer_next <= inner_next) {
                self.indices.extend([outside[i], outside[i + 1], inside[j]]);
                i += 1;
            } else {
                self.indices.extend([outside[i], inside[j + 1], inside[j]]);
                j += 1;
            }
        }
    }

    fn triangle(&mut self, spacing: Spacing, outer: [f32; 4], inner: f32) {
        let outer = [outer[0], outer[1], outer[2]];
        let [inside] = insides(spacing, &outer, [inner]);
        let edges = outer.map(|level| Division::new(spacing, level));
        // u = 0, then v = 0, then w = 0.
        let mut ring = self.ring(edges.map(|edge| edge.segments), |side, at| {
            let edge = &edges[side];
            let at = if side == 1 { at } else { edge.segments - at };
            let along = edge.place(at);
            [[0, along], [along, 0], [along, ONE - along]][side]
        });
        let mut left = inside.segments;
        if left == 1 {
            self.indices.extend([ring[0][0], ring[1][0], ring[2][0]]);
            return;
        }
        let mut first = 0;
        while left > 1 {
            (left, first) = (left - 2, first + 1);
            let next = if left == 0 {
                let third = (ONE + 1) / 3;
                let middle = self.add([third; 2]);
                [vec![middle], vec![middle], vec![middle]]
            } else {
                let across = (inside.place(first) * (2 * ONE / 3) + HALF) >> 16;
                self.ring([left; 3], |side, at| {
                    let at = if side == 1 { first + at } else { first + left - at };
                    let along = inside.place(at) - (across + 1) / 2;
                    [[across, along], [along, across], [along, ONE - along - across]][side]
                })
            };
            for (outside, inside) in ring.iter().zip(&next) {
                self.stitch(outside, inside);
            }
            ring = next;
        }
        if left == 1 {
            self.indices.extend([ring[0][0], ring[1][0], ring[2][0]]);
        }
    }

    fn quad(&mut self, spacing: Spacing, outer: [f32; 4], inner: [f32; 2]) {
        let [across, up] = insides(spacing, &outer, inner);
        let edges = outer.map(|level| Division::new(spacing, level));
        // u = 0, v = 0, u = 1, v = 1.
        let ring = self.ring(edges.map(|edge| edge.segments), |side, at| {
            let edge = &edges[side];
            let along = edge.place(if matches!(side, 1 | 2) { at } else { edge.segments - at });
            [[0, along], [along, 0], [ONE, along], [along, ONE]][side]
        });
        if across.segments == 1 || up.segments == 1 {
            let [a, b, c, d] = [0, 1, 2, 3].map(|side| ring[side][0]);
            self.indices.extend([a, b, c, a, c, d]);
            return;
        }
        // The points inside are a grid.
        let (columns, rows) = (across.segments - 1, up.segments - 1);
        let first = self.points.len() as u32;
        for row in 1..=rows {
            for column in 1..=columns {
                self.add([across.place(column), up.place(row)]);
            }
        }
        let at = |column: u32, row: u32| first + row * columns + column;
        let inner: [Vec<u32>; 4] = [
            (0..rows).rev().map(|row| at(0, row)).collect(),
            (0..columns).map(|column| at(column, 0)).collect(),
            (0..rows).map(|row| at(columns - 1, row)).collect(),
            (0..columns).rev().map(|column| at(column, rows - 1)).collect(),
        ];
        for (outside, inside) in ring.iter().zip(&inner) {
            self.stitch(outside, inside);
        }
        for row in 1..rows {
            for column in 1..columns {
                let [a, b] = [at(column - 1, row - 1), at(column, row - 1)];
                let [c, d] = [at(column, row), at(column - 1, row)];
                self.indices.extend([a, b, c, a, c, d]);
            }
        }
    }

    fn isolines(&mut self, spacing: Spacing, outer: [f32; 4]) {
        let (lines, along) = (Division::new(Spacing::Equal, outer[0]), Division::new(spacing, outer[1]));
        for line in 0..lines.segments {
            let points: Vec<u32> =
                (0..=along.segments).map(|at| self.add([along.place(at), lines.place(line)])).collect();
            self.indices.extend(points.windows(2).flatten());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn modes(domain: Domain, spacing: Spacing) -> Tessellation {
        Tessellation { domain: Some(domain), spacing: Some(spacing), ..Tessellation::default() }
    }

    /// Twice the area of the triangles in the domain, which all face the same way.
    fn area(patch: &Tessellated) -> f64 {
        let corner = |index: u32| patch.points[index as usize].map(f64::from);
        let triangles = patch.indices.as_chunks::<3>().0.iter().map(|triangle| {
            let [a, c, b] = triangle.map(corner);
            let area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
            assert!(area >= -1e-9, "turned: {triangle:?} {a:?} {b:?} {c:?}");
            area
        });
        triangles.sum()
    }

    const SPACINGS: [Spacing; 3] = [Spacing::Equal, Spacing::FractionalEven, Spacing::FractionalOdd];
    const LEVELS: [f32; 9] = [0.5, 1.0, 1.5, 2.0, 2.75, 3.0, 7.25, 16.0, 64.0];

    #[test]
    fn primitives_cover_the_domain_once() {
        for spacing in SPACINGS {
            for (number, first) in LEVELS.into_iter().enumerate() {
                for second in LEVELS {
                    for third in [1.0, 5.5, f32::INFINITY] {
                        let outer = [first, second, third, LEVELS[(number + 3) % 9]];
                        let name = format!("{spacing:?} {outer:?}");
                        let inner = [second, third];
                        let triangle = tessellate(modes(Domain::Triangles, spacing), outer, inner);
                        assert!((area(&triangle) - 1.0).abs() < 1e-6, "{name}: {}", area(&triangle));
                        let quad = tessellate(modes(Domain::Quads, spacing), outer, inner);
                        assert!((area(&quad) - 2.0).abs() < 1e-6, "{name}: {}", area(&quad));
                    }
                }
            }
        }
    }

    #[test]
    fn whole_levels_give_known_counts() {
        let counts = |domain, spacing, outer, inner| {
            let patch = tessellate(modes(domain, spacing), outer, inner);
            (patch.points.len(), patch.indices.len())
        };
        let (equal, even, odd) = (Spacing::Equal, Spacing::FractionalEven, Spacing::FractionalOdd);
        assert_eq!(counts(Domain::Triangles, equal, [1.0; 4], [1.0; 2]), (3, 3));
        assert_eq!(counts(Domain::Triangles, equal, [3.0; 4], [3.0; 2]), (12, 39));
        assert_eq!(counts(Domain::Triangles, equal, [1.0, 1.0, 2.0, 0.0], [1.0; 2]), (5, 12), "an inside of 2");
        assert_eq!(counts(Domain::Triangles, odd, [1.0, 1.0, 2.0, 0.0], [1.0; 2]).0, 8, "an inside of 3");
        assert_eq!(counts(Domain::Triangles, even, [1.0; 4], [1.0; 2]), (7, 18));
        assert_eq!(counts(Domain::Quads, equal, [1.0; 4], [1.0; 2]), (4, 6));
        assert_eq!(counts(Domain::Quads, equal, [4.0; 4], [4.0, 4.0]), (25, 96));
        assert_eq!(counts(Domain::Isolines, equal, [3.0, 4.0, 0.0, 0.0], [0.0; 2]), (15, 24));
        for level in [0.0, -1.0, f32::NAN] {
            assert_eq!(counts(Domain::Quads, equal, [1.0, 1.0, level, 1.0], [1.0; 2]), (0, 0));
        }
        let points = Tessellation { points: true, ..modes(Domain::Quads, equal) };
        assert_eq!(tessellate(points, [2.0; 4], [2.0; 2]).indices, (0..9).collect::<Vec<u32>>());
    }

    #[test]
    fn edges_are_symmetric_and_their_points_in_order() {
        for spacing in SPACINGS {
            for level in LEVELS {
                let edge = Division::new(spacing, level);
                let places: Vec<i64> = (0..=edge.segments).map(|at| edge.place(at)).collect();
                assert_eq!((places[0], places[places.len() - 1]), (0, ONE), "{spacing:?} {level}");
                assert!(places.windows(2).all(|pair| pair[0] <= pair[1]), "{spacing:?} {level} {places:?}");
                assert!(places.iter().zip(places.iter().rev()).all(|(a, b)| a + b == ONE), "{spacing:?} {level}");
            }
        }
        // Between 1 and 3 segments the two outer ones grow.
        let narrow = |level| Division::new(Spacing::FractionalOdd, level).place(1);
        assert!(narrow(1.1) < narrow(2.0) && narrow(2.0) < narrow(2.9));
        assert_eq!(Division::new(Spacing::Equal, 4.0).place(1), ONE / 4);
    }

    #[test]
    fn counter_clockwise_triangles_are_turned() {
        let patch = |clockwise| {
            let modes = Tessellation { clockwise: Some(clockwise), ..modes(Domain::Triangles, Spacing::Equal) };
            tessellate(modes, [1.0; 4], [1.0; 2]).indices
        };
        assert_eq!((patch(false), patch(true)), (vec![0, 2, 1], vec![0, 1, 2]));
    }
}
