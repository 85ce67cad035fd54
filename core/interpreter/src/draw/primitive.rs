//! A primitive on the screen: weights of its vertices at a point, and interpolation.

use super::coverage::Coverage;
use super::output::DepthBias;

/// A primitive that is rasterised.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Primitive {
    /// Its number in the draw.
    pub number: u32,
    /// `PrimitiveId`.
    pub id: u32,
    /// Its vertices: a line has its second one twice, a point has one.
    pub vertices: [u32; 3],
    shape: Shape,
    /// Whether it faces to the front, where counter-clockwise triangles do. Lines and points do.
    pub front: bool,
    /// Whether a part of it is outside of the view volume.
    pub clipped: bool,
}

#[derive(Debug, Clone, PartialEq)]
enum Shape {
    Triangle {
        /// The inverse of the matrix of x, y and w of its vertices.
        inverse: [[f64; 3]; 3],
        /// z and w of its vertices.
        depth: [[f64; 2]; 3],
    },
    /// The part of a line that is not clipped.
    Line {
        /// In pixels.
        ends: [[f64; 2]; 2],
        /// The share of the second vertex at the ends.
        shares: [f64; 2],
        /// z/w and 1/w at the ends.
        depth: [[f64; 2]; 2],
    },
    /// A square.
    Point {
        center: [f64; 2],
        side: f64,
        /// z/w and 1/w.
        depth: [f64; 2],
    },
}

/// The weights of a primitive's vertices at a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Weights {
    /// With perspective.
    pub perspective: [f64; 3],
    /// Linear on the screen.
    pub linear: [f64; 3],
    /// z/w.
    pub z: f64,
    /// 1/w.
    pub w: f64,
}

/// Whether a position is outside of the view volume.
fn is_outside(&[x, y, z, w]: &[f64; 4]) -> bool {
    x.abs().max(y.abs()) > w || z < 0.0 || z > w
}

impl Primitive {
    /// The triangle of three vertices in clip coordinates; absent where it is seen from the side.
    pub fn triangle(number: u32, vertices: [u32; 3], position: &[[f64; 4]; 3]) -> Option<Primitive> {
        let [a, b, c] = position.map(|[x, y, _, w]| [x, y, w]);
        let cross = |p: [f64; 3], q: [f64; 3]| {
            [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]]
        };
        let rows = [cross(b, c), cross(c, a), cross(a, b)];
        let determinant: f64 = (0..3).map(|at| a[at] * rows[0][at]).sum();
        if !determinant.is_normal() {
            return None;
        }
        let inverse = rows.map(|row| row.map(|value| value / determinant));
        let depth = position.map(|[_, _, z, w]| [z, w]);
        let clipped = position.iter().any(is_outside);
        // Counter-clockwise faces are front faces; y points down.
        let shape = Shape::Triangle { inverse, depth };
        Some(Primitive { number, id: number, vertices, shape, front: determinant < 0.0, clipped })
    }

    /// The line of two vertices, one pixel wide, with what it covers of a picture. `planes` are those of its own, by the
    /// distances of its vertices.
    pub fn line(
        number: u32,
        vertices: [u32; 2],
        position: &[[f64; 4]; 2],
        planes: &[[f64; 2]],
        size: [u32; 2],
    ) -> Option<(Primitive, Coverage)> {
        let [from, to] = *position;
        let own = [
            [0, 1].map(|at| position[at][3] - super::coverage::LEAST_W),
            [from[2], to[2]],
            [from[3] - from[2], to[3] - to[2]],
            [from[3] - from[0], to[3] - to[0]],
            [from[3] + from[0], to[3] + to[0]],
            [from[3] - from[1], to[3] - to[1]],
            [from[3] + from[1], to[3] + to[1]],
        ];
        let mut shares = [0.0f64, 1.0];
        for [a, b] in own.iter().chain(planes).copied() {
            if !a.is_finite() || !b.is_finite() || (a < 0.0 && b < 0.0) {
                return None;
            }
            if a < 0.0 {
                shares[0] = shares[0].max(a / (a - b));
            } else if b < 0.0 {
                shares[1] = shares[1].min(a / (a - b));
            }
        }
        if shares[0] >= shares[1] {
            return None;
        }
        let at = |share: f64| [0, 1, 2, 3].map(|axis| from[axis] + share * (to[axis] - from[axis]));
        let clipped = shares.map(at);
        let ends = clipped.map(|[x, y, _, w]| pixels([x / w, y / w], size));
        let depth = clipped.map(|[_, _, z, w]| [z / w, 1.0 / w]);
        let along = [ends[1][0] - ends[0][0], ends[1][1] - ends[0][1]];
        let length = along[0].hypot(along[1]);
        if !length.is_normal() {
            return None;
        }
        let [x, y] = along.map(|part| part / length * 0.5);
        let corner = |end: usize, side: f64| [ends[end][0] - y * side, ends[end][1] + x * side];
        let coverage = Coverage::polygon(&[corner(0, -1.0), corner(1, -1.0), corner(1, 1.0), corner(0, 1.0)]);
        let vertices = [vertices[0], vertices[1], vertices[1]];
        let clipped = shares != [0.0, 1.0];
        let shape = Shape::Line { ends, shares, depth };
        Some((Primitive { number, id: number, vertices, shape, front: true, clipped }, coverage))
    }

    /// The point of a vertex, a square of `side` pixels, with what it covers of a picture; absent where it is outside of
    /// the view volume.
    pub fn point(
        number: u32,
        vertex: u32,
        position: &[f64; 4],
        side: f64,
        size: [u32; 2],
    ) -> Option<(Primitive, Coverage)> {
        let [x, y, z, w] = *position;
        if position.iter().any(|part| !part.is_finite()) || w < super::coverage::LEAST_W || is_outside(position) {
            return None;
        }
        let center = pixels([x / w, y / w], size);
        let half = side * 0.5;
        let corner = |dx: f64, dy: f64| [center[0] + dx * half, center[1] + dy * half];
        let corners = [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
        let shape = Shape::Point { center, side, depth: [z / w, 1.0 / w] };
        let point = Primitive { number, id: number, vertices: [vertex; 3], shape, front: true, clipped: false };
        Some((point, Coverage::polygon(&corners)))
    }

    /// The weights at a point, in pixels of a picture of a size.
    pub fn weights(&self, at: [f64; 2], size: [u32; 2]) -> Weights {
        match &self.shape {
            Shape::Triangle { inverse, depth } => {
                let [x, y] = [0, 1].map(|axis| at[axis] / f64::from(size[axis]) * 2.0 - 1.0);
                // Weights of the vertices' clip coordinates whose sum is x, y, z, 1.
                let weight = inverse.map(|row| row[0] * x + row[1] * y + row[2]);
                let w: f64 = weight.iter().sum();
                Weights {
                    perspective: weight.map(|weight| weight / w),
                    linear: [0, 1, 2].map(|v| weight[v] * depth[v][1]),
                    z: (0..3).map(|v| weight[v] * depth[v][0]).sum(),
                    w,
                }
            }
            Shape::Line { ends, shares, depth } => {
                let along = [0, 1].map(|axis| ends[1][axis] - ends[0][axis]);
                let dot: f64 = (0..2).map(|axis| (at[axis] - ends[0][axis]) * along[axis]).sum();
                let screen = dot / (along[0] * along[0] + along[1] * along[1]);
                let mix = |a: f64, b: f64, share: f64| a + share * (b - a);
                let [z, w] = [0, 1].map(|part| mix(depth[0][part], depth[1][part], screen));
                let share = |part: f64| mix(shares[0], shares[1], part);
                let (linear, perspective) = (share(screen), share(screen * depth[1][1] / w));
                Weights {
                    perspective: [1.0 - perspective, perspective, 0.0],
                    linear: [1.0 - linear, linear, 0.0],
                    z,
                    w,
                }
            }
            Shape::Point { depth: [z, w], .. } => {
                Weights { perspective: [1.0, 0.0, 0.0], linear: [1.0, 0.0, 0.0], z: *z, w: *w }
            }
        }
    }

    /// What a depth bias adds, for depths of 32-bit floating point. Lines and points have none.
    pub fn depth_bias(&self, bias: &DepthBias, size: [u32; 2]) -> f64 {
        let Shape::Triangle { depth, .. } = &self.shape else { return 0.0 };
        let greatest = depth.iter().map(|[z, w]| (z / w).abs() as f32).fold(0.0, f32::max);
        // The least difference at the exponent of that depth.
        let exponent = (greatest.to_bits() >> 23) as i32 - 127 - 23;
        let least = f64::from(exponent).exp2();
        let z = |x: f64, y: f64| self.weights([x, y], size).z;
        let slope = (z(1.0, 0.0) - z(0.0, 0.0)).abs().max((z(0.0, 1.0) - z(0.0, 0.0)).abs());
        let added = slope * f64::from(bias.slope) + least * f64::from(bias.constant);
        let clamp = f64::from(bias.clamp);
        match clamp {
            clamp if clamp > 0.0 => added.min(clamp),
            clamp if clamp < 0.0 => added.max(clamp),
            _ => added,
        }
    }

    /// The place in a point, from 0, 0 at its left upper corner to 1, 1; 0 in other primitives.
    pub fn point_coord(&self, at: [f64; 2]) -> [f64; 2] {
        match &self.shape {
            Shape::Point { center, side, .. } => [0, 1].map(|axis| 0.5 + (at[axis] - center[axis]) / side),
            _ => [0.0; 2],
        }
    }
}

/// The place of normalized device coordinates in a picture.
fn pixels(at: [f64; 2], size: [u32; 2]) -> [f64; 2] {
    [0, 1].map(|axis| (at[axis] * 0.5 + 0.5) * f64::from(size[axis]))
}

/// The value at weights.
pub(crate) fn interpolate(values: [f64; 3], weights: [f64; 3]) -> f64 {
    // The difference from one vertex: equal values stay what they are.
    values[0] + weights[1] * (values[1] - values[0]) + weights[2] * (values[2] - values[0])
}

#[cfg(test)]
mod tests {
    use super::super::coverage::sample_locations;
    use super::*;

    #[test]
    fn weights_follow_perspective() {
        // Clip coordinates (-1, -1), (1, -1), (-1, 1) times w.
        let of = |x: f64, y: f64, w: f64| [x * w, y * w, 0.25 * w, w];
        let corners = [of(-1.0, -1.0, 1.0), of(1.0, -1.0, 3.0), of(-1.0, 1.0, 1.0)];
        let triangle = Primitive::triangle(0, [0, 1, 2], &corners).expect("an area");
        assert!(!triangle.front, "clockwise with y down");
        let middle = triangle.weights([4.0, 0.0], [8, 8]);
        assert!((middle.linear[1] - 0.5).abs() < 1e-12 && middle.linear[2].abs() < 1e-12);
        assert!((middle.perspective[1] - 0.25).abs() < 1e-12, "{middle:?}");
        assert!((middle.z - 0.25).abs() < 1e-12 && (middle.w - 2.0 / 3.0).abs() < 1e-12);
        assert_eq!(interpolate([7.0, 7.0, 7.0], middle.perspective), 7.0);
        let flipped = Primitive::triangle(0, [0, 1, 2], &[corners[1], corners[0], corners[2]]);
        assert!(flipped.expect("an area").front);
        assert_eq!(Primitive::triangle(0, [0, 1, 2], &[[0.0; 4]; 3]), None);
        // The same along a line between the first two.
        let (line, _) = Primitive::line(0, [0, 1], &[corners[0], corners[1]], &[], [8, 8]).expect("a line");
        let on_line = line.weights([4.0, 0.0], [8, 8]);
        for (a, b) in on_line.perspective.iter().zip(middle.perspective) {
            assert!((a - b).abs() < 1e-12, "{on_line:?}");
        }
        assert!((on_line.w - middle.w).abs() < 1e-12);
    }

    #[test]
    fn points_and_lines_cover_their_pixels() {
        let one = sample_locations(1).expect("locations");
        let covered = |coverage: &Coverage| -> Vec<u32> {
            (0..64).filter(|at| coverage.samples([at % 8, at / 8], one) != 0).collect()
        };
        // The square of 2x2 pixels in the middle.
        let (point, coverage) = Primitive::point(0, 5, &[0.0, 0.0, 0.5, 1.0], 2.0, [8, 8]).expect("a point");
        assert_eq!(covered(&coverage), [27, 28, 35, 36]);
        assert_eq!(point.point_coord([3.5, 4.5]), [0.25, 0.75]);
        assert_eq!(Primitive::point(0, 5, &[1.5, 0.0, 0.5, 1.0], 8.0, [8, 8]), None);
        // Half of the row 2, from the left edge on: the other half is behind a plane of its own.
        let y = 2.5 / 4.0 - 1.0;
        let ends = [[-3.0, y, 0.5, 1.0], [1.0, y, 0.5, 1.0]];
        let (line, coverage) = Primitive::line(0, [3, 4], &ends, &[[3.0, -1.0]], [8, 8]).expect("a line");
        assert_eq!(covered(&coverage), [16, 17, 18, 19]);
        assert_eq!((line.vertices, line.clipped), ([3, 4, 4], true));
        assert!((line.weights([2.0, 2.5], [8, 8]).linear[1] - 0.625).abs() < 1e-12);
        let outside = [[-3.0, 2.0, 0.5, 1.0], [1.0, 2.0, 0.5, 1.0]];
        assert_eq!(Primitive::line(0, [3, 4], &outside, &[], [8, 8]), None);
    }
}
