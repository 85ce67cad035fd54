//! A triangle on the screen: weights of its vertices at a point, and interpolation.

/// A triangle.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Triangle {
    /// Its first vertex.
    pub first: u32,
    /// The inverse of the matrix of x, y and w of its vertices.
    inverse: [[f64; 3]; 3],
    /// z and w of its vertices.
    depth: [[f64; 2]; 3],
    pub front: bool,
    /// Whether a part of it is outside of the view volume.
    pub clipped: bool,
}

/// The weights of a triangle's vertices at a point.
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

impl Triangle {
    /// The triangle of three vertices in clip coordinates; absent where it is seen from the side.
    pub fn new(first: u32, position: &[[f64; 4]; 3]) -> Option<Triangle> {
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
        let clipped = position.iter().any(|[x, y, z, w]| x.abs().max(y.abs()) > *w || *z < 0.0 || *z > *w);
        // Counter-clockwise faces are front faces; y points down.
        Some(Triangle { first, inverse, depth, front: determinant < 0.0, clipped })
    }

    /// The weights at a point, in pixels of a picture of a size.
    pub fn weights(&self, at: [f64; 2], size: [u32; 2]) -> Weights {
        let [x, y] = [0, 1].map(|axis| at[axis] / f64::from(size[axis]) * 2.0 - 1.0);
        // Weights of the vertices' clip coordinates whose sum is x, y, z, 1.
        let weight = self.inverse.map(|row| row[0] * x + row[1] * y + row[2]);
        let w: f64 = weight.iter().sum();
        Weights {
            perspective: weight.map(|weight| weight / w),
            linear: [0, 1, 2].map(|v| weight[v] * self.depth[v][1]),
            z: (0..3).map(|v| weight[v] * self.depth[v][0]).sum(),
            w,
        }
    }
}

/// The value at weights.
pub(crate) fn interpolate(values: [f64; 3], weights: [f64; 3]) -> f64 {
    // The difference from one vertex: equal values stay what they are.
    values[0] + weights[1] * (values[1] - values[0]) + weights[2] * (values[2] - values[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_follow_perspective() {
        // Clip coordinates (-1, -1), (1, -1), (-1, 1) times w.
        let of = |x: f64, y: f64, w: f64| [x * w, y * w, 0.25 * w, w];
        let triangle = Triangle::new(0, &[of(-1.0, -1.0, 1.0), of(1.0, -1.0, 3.0), of(-1.0, 1.0, 1.0)]);
        let triangle = triangle.expect("an area");
        assert!(!triangle.front, "clockwise with y down");
        let middle = triangle.weights([4.0, 0.0], [8, 8]);
        assert!((middle.linear[1] - 0.5).abs() < 1e-12 && middle.linear[2].abs() < 1e-12);
        assert!((middle.perspective[1] - 0.25).abs() < 1e-12, "{middle:?}");
        assert!((middle.z - 0.25).abs() < 1e-12 && (middle.w - 2.0 / 3.0).abs() < 1e-12);
        assert_eq!(interpolate([7.0, 7.0, 7.0], middle.perspective), 7.0);
        let flipped = Triangle::new(0, &[of(1.0, -1.0, 1.0), of(-1.0, -1.0, 1.0), of(-1.0, 1.0, 1.0)]);
        assert!(flipped.expect("an area").front);
        assert_eq!(Triangle::new(0, &[[0.0; 4]; 3]), None);
    }
}
