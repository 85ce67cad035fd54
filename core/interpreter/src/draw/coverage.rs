//! The samples that a primitive covers: a triangle is clipped in homogeneous coordinates, snapped to 1/256 of a pixel, with the
//! top-left rule.

/// Weights of a triangle's vertices: a point of its plane in clip space.
type Weights = [f64; 3];

/// Parts of a pixel that positions are rounded to: 8 bits, as most devices have.
const SUBPIXELS: f64 = 256.0;
/// Positions beyond this many half sides of the picture are clipped.
const GUARD: f64 = 256.0;
/// The greatest coordinate, in units of 1/256 of a pixel.
const FARTHEST: f64 = (1 << 29) as f64;
/// The least w.
pub(super) const LEAST_W: f64 = 1e-6;

/// The standard locations of the samples of a pixel, if any.
pub(crate) fn sample_locations(samples: u32) -> Option<&'static [[f64; 2]]> {
    Some(match samples {
        1 => &[[0.5, 0.5]],
        2 => &[[0.75, 0.75], [0.25, 0.25]],
        4 => &[[0.375, 0.125], [0.875, 0.375], [0.125, 0.625], [0.625, 0.875]],
        8 => &[
            [0.5625, 0.3125],
            [0.4375, 0.6875],
            [0.8125, 0.5625],
            [0.3125, 0.1875],
            [0.1875, 0.8125],
            [0.0625, 0.4375],
            [0.6875, 0.9375],
            [0.9375, 0.0625],
        ],
        _ => return None,
    })
}

/// The part of a polygon with a distance of 0 or more. `distances` are those of the triangle's vertices.
fn clip(polygon: &[Weights], distances: [f64; 3]) -> Vec<Weights> {
    let distance = |weights: &Weights| (0..3).map(|at| weights[at] * distances[at]).sum::<f64>();
    let mut out = Vec::new();
    for (at, from) in polygon.iter().enumerate() {
        let to = &polygon[(at + 1) % polygon.len()];
        let (a, b) = (distance(from), distance(to));
        if a >= 0.0 {
            out.push(*from);
        }
        if (a >= 0.0) != (b >= 0.0) {
            let share = a / (a - b);
            out.push([0, 1, 2].map(|at| from[at] + share * (to[at] - from[at])));
        }
    }
    out
}

/// A convex polygon, in units of 1/256 of a pixel.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Coverage {
    /// Triangles with a positive area, clockwise with y down.
    parts: Vec<[[i64; 2]; 3]>,
}

impl Coverage {
    /// The part of a triangle inside of the view volume and of planes of its own, given by the distances of its vertices.
    /// `position` is in clip coordinates; the picture has `size` pixels.
    pub fn new(position: &[[f64; 4]; 3], planes: &[[f64; 3]], size: [u32; 2]) -> Coverage {
        let of = |f: &dyn Fn(&[f64; 4]) -> f64| [f(&position[0]), f(&position[1]), f(&position[2])];
        let mut polygon = vec![[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let own = [
            of(&|p| p[3] - LEAST_W),
            of(&|p| p[2]),
            of(&|p| p[3] - p[2]),
            of(&|p| GUARD * p[3] - p[0]),
            of(&|p| GUARD * p[3] + p[0]),
            of(&|p| GUARD * p[3] - p[1]),
            of(&|p| GUARD * p[3] + p[1]),
        ];
        for distances in own.iter().chain(planes) {
            if !distances.iter().all(|distance| distance.is_finite()) {
                return Coverage { parts: Vec::new() };
            }
            polygon = clip(&polygon, *distances);
        }
        let snapped = polygon.iter().map(|weights| {
            let at = |axis: usize| (0..3).map(|v| weights[v] * position[v][axis]).sum::<f64>();
            let w = at(3);
            [0, 1].map(|axis| snap((at(axis) / w * 0.5 + 0.5) * f64::from(size[axis])))
        });
        Coverage::snapped(&snapped.collect::<Vec<_>>())
    }

    /// A convex polygon, in pixels.
    pub fn polygon(corners: &[[f64; 2]]) -> Coverage {
        Coverage::snapped(&corners.iter().map(|corner| corner.map(snap)).collect::<Vec<_>>())
    }

    fn snapped(snapped: &[[i64; 2]]) -> Coverage {
        let mut parts = Vec::new();
        for at in 2..snapped.len() {
            let [a, b, c] = [snapped[0], snapped[at - 1], snapped[at]];
            match edge(a, b, c) {
                0 => {}
                area if area > 0 => parts.push([a, b, c]),
                _ => parts.push([a, c, b]),
            }
        }
        Coverage { parts }
    }

    /// The pixels that it may cover: first and last column, first and last row.
    pub fn bounds(&self, size: [u32; 2]) -> Option<[[u32; 2]; 2]> {
        let all = || self.parts.iter().flatten();
        let mut out = [[0; 2]; 2];
        for axis in 0..2 {
            let least = all().map(|at| at[axis]).min()?.div_euclid(SUBPIXELS as i64).max(0);
            let most = all().map(|at| at[axis]).max()?.div_euclid(SUBPIXELS as i64).min(i64::from(size[axis]) - 1);
            if least > most {
                return None;
            }
            out[axis] = [least as u32, most as u32];
        }
        Some(out)
    }

    /// The samples of a pixel that are covered, as bits.
    pub fn samples(&self, [x, y]: [u32; 2], locations: &[[f64; 2]]) -> u32 {
        let mut covered = 0;
        for (number, location) in locations.iter().enumerate() {
            let unit = SUBPIXELS as i64;
            let at = [
                i64::from(x) * unit + (location[0] * SUBPIXELS) as i64,
                i64::from(y) * unit + (location[1] * SUBPIXELS) as i64,
            ];
            let inside = |part: &[[i64; 2]; 3]| {
                (0..3).all(|side| {
                    let (a, b) = (part[side], part[(side + 1) % 3]);
                    let value = edge(a, b, at);
                    // An edge belongs to the triangle if it is a top or a left one.
                    let owns = b[1] < a[1] || (b[1] == a[1] && b[0] > a[0]);
                    value > 0 || (value == 0 && owns)
                })
            };
            covered |= u32::from(self.parts.iter().any(inside)) << number;
        }
        covered
    }
}

/// A coordinate in units of 1/256 of a pixel. Where w is small beside the coordinates, clipping is not exact: what is far
/// outside is moved to where areas do not overflow.
fn snap(pixels: f64) -> i64 {
    (pixels * SUBPIXELS).round_ties_even().clamp(-FARTHEST, FARTHEST) as i64
}

/// Twice the area of a triangle, positive where it is clockwise with y down.
fn edge(a: [i64; 2], b: [i64; 2], c: [i64; 2]) -> i64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: [u32; 2] = [8, 8];

    fn covered(all: &[[[f64; 4]; 3]]) -> Vec<u32> {
        let one = sample_locations(1).expect("locations");
        let parts: Vec<Coverage> = all.iter().map(|position| Coverage::new(position, &[], SIZE)).collect();
        (0..64).map(|at| parts.iter().map(|part| part.samples([at % 8, at / 8], one)).sum()).collect()
    }

    #[test]
    fn triangles_that_share_an_edge_cover_each_pixel_once() {
        let corner = |x: f64, y: f64| [x, y, 0.5, 1.0];
        let (a, b, c, d) = (corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0));
        assert_eq!(covered(&[[a, b, c], [a, c, d]]), vec![1; 64]);
        assert_eq!(covered(&[[c, b, a], [c, a, d]]), vec![1; 64], "whichever way they face");
        // Perspective and a shared edge that crosses the near plane.
        let behind = [0.3, 0.2, -0.5, -1.0];
        for at in covered(&[[a, b, behind], [a, behind, d]]) {
            assert!(at <= 1);
        }
    }

    #[test]
    fn clips_at_the_near_and_far_planes_and_at_own_ones() {
        let position = [[-4.0, -4.0, 0.5, 1.0], [12.0, -4.0, 0.5, 1.0], [-4.0, 12.0, 0.5, 1.0]];
        assert_eq!(covered(&[position]), vec![1; 64]);
        let outside = position.map(|[x, y, _, w]| [x, y, -0.1, w]);
        assert_eq!(covered(&[outside]), vec![0; 64]);
        // Distance x: the right half.
        let half = Coverage::new(&position, &[position.map(|p| p[0])], SIZE);
        let one = sample_locations(1).expect("locations");
        assert_eq!((half.samples([3, 4], one), half.samples([4, 4], one)), (0, 1));
        assert_eq!(half.bounds(SIZE), Some([[4, 7], [0, 7]]));
        let nothing = Coverage::new(&position.map(|p| [f64::NAN, p[1], p[2], p[3]]), &[], SIZE);
        assert_eq!(nothing.bounds(SIZE), None);
    }

    #[test]
    fn positions_of_any_magnitude_have_a_coverage() {
        let magnitudes = [0.0, 1e-40, 1.0, -1.0, 3e38, -3e38, 1e-6, 7e20];
        for at in 0..magnitudes.len().pow(4) {
            let value = |place: usize| magnitudes[at / magnitudes.len().pow(place as u32 % 4) % magnitudes.len()];
            let corner = |first: usize| [value(first), value(first + 1), value(first + 2), value(first + 3)];
            _ = Coverage::new(&[corner(0), corner(1), corner(2)], &[], SIZE).bounds(SIZE);
        }
    }

    #[test]
    fn samples_have_standard_locations() {
        let four = sample_locations(4).expect("locations");
        // The left half of pixel 0: samples 0 and 2.
        let left = |edge: f64| {
            let x = edge / 4.0 - 1.0;
            [[-1.0, -1.0, 0.5, 1.0], [x, -1.0, 0.5, 1.0], [x, 40.0, 0.5, 1.0]]
        };
        let wide = [[-20.0, -1.0, 0.5, 1.0], [left(0.5)[1][0], -1.0, 0.5, 1.0], [left(0.5)[1][0], 40.0, 0.5, 1.0]];
        assert_eq!(Coverage::new(&wide, &[], SIZE).samples([0, 0], four), 0b0101);
        assert_eq!(sample_locations(3), None);
    }
}
