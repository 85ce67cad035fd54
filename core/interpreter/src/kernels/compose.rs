//! Operations that mix the components of one lane: vectors, matrices, packing. Each gets the scalars of its operands
//! one after the other, then literals such as sizes.

use super::LaneKernel;
use super::float::{Real, dot_of, pick};
use super::int::{ones, sign_extend};
use lanescope_spirv::enums::{GlslStd450Op as Gl, Op};

/// The kernel of a matrix operation of a width. Literals: rows, columns, and of `OpMatrixTimesMatrix` the right
/// matrix's columns.
pub(crate) fn matrix(op: Op, bits: u32) -> Option<LaneKernel> {
    match op {
        Op::MatrixTimesVector => {
            fn kernel<T: Real>(input: &[u64], out: &mut [u64]) {
                let Some((values, &[rows, columns])) = input.split_last_chunk() else { return };
                let (matrix, vector) = values.split_at((rows * columns) as usize);
                times_vector::<T>(matrix, vector, rows as usize, out);
            }
            pick!(kernel, bits, LaneKernel)
        }
        Op::VectorTimesMatrix => {
            fn kernel<T: Real>(input: &[u64], out: &mut [u64]) {
                let Some((values, &[rows, _])) = input.split_last_chunk() else { return };
                let (vector, matrix) = values.split_at(rows as usize);
                for (out, column) in out.iter_mut().zip(matrix.chunks_exact(rows as usize)) {
                    *out = dot_of::<T>(vector, column).store();
                }
            }
            pick!(kernel, bits, LaneKernel)
        }
        Op::MatrixTimesMatrix => {
            fn kernel<T: Real>(input: &[u64], out: &mut [u64]) {
                let Some((values, &[rows, columns])) = input.split_last_chunk() else { return };
                let (left, right) = values.split_at((rows * columns) as usize);
                let columns = right.chunks_exact(columns as usize);
                for (out, column) in out.chunks_exact_mut(rows as usize).zip(columns) {
                    times_vector::<T>(left, column, rows as usize, out);
                }
            }
            pick!(kernel, bits, LaneKernel)
        }
        Op::OuterProduct => {
            fn kernel<T: Real>(input: &[u64], out: &mut [u64]) {
                let Some((values, &[rows, _])) = input.split_last_chunk() else { return };
                let (left, right) = values.split_at(rows as usize);
                for (out, &b) in out.chunks_exact_mut(rows as usize).zip(right) {
                    for (out, &a) in out.iter_mut().zip(left) {
                        *out = (T::load(a) * T::load(b)).store();
                    }
                }
            }
            pick!(kernel, bits, LaneKernel)
        }
        _ => None,
    }
}

fn times_vector<T: Real>(matrix: &[u64], vector: &[u64], rows: usize, out: &mut [u64]) {
    for (row, out) in out.iter_mut().enumerate() {
        // From the last column on, as Mesa does.
        let columns = matrix.chunks_exact(rows).zip(vector).rev();
        let mut products = columns.map(|(column, &v)| T::load(column[row]) * T::load(v));
        let last = products.next().unwrap_or(T::of(0.0));
        *out = products.fold(last, |sum, product| product + sum).store();
    }
}

/// The minor of a matrix of `n` columns, without a column and a row.
fn minor(matrix: &[f64], n: usize, column: usize, row: usize) -> Vec<f64> {
    let inside = |at: &usize| at / n != column && at % n != row;
    (0..n * n).filter(inside).map(|at| matrix[at]).collect()
}

fn determinant(matrix: &[f64], n: usize) -> f64 {
    match n {
        0 => 1.0,
        1 => matrix[0],
        _ => (0..n)
            .map(|column| {
                let sign = if column % 2 == 0 { 1.0 } else { -1.0 };
                sign * matrix[column * n] * determinant(&minor(matrix, n, column, 0), n - 1)
            })
            .sum(),
    }
}

/// The kernel of a function of GLSL.std.450 on whole vectors or matrices of a width.
pub(crate) fn glsl(op: Gl, bits: u32) -> Option<LaneKernel> {
    macro_rules! vectors {
        (|$input:ident, $out:ident| $e:expr) => {{
            fn kernel<T: Real>($input: &[u64], $out: &mut [u64]) {
                $e
            }
            pick!(kernel, bits, LaneKernel)
        }};
    }
    match op {
        Gl::Length => vectors!(|input, out| out[0] = dot_of::<T>(input, input).root().store()),
        Gl::Distance => vectors!(|input, out| {
            let (a, b) = input.split_at(input.len() / 2);
            let difference: Vec<u64> = a.iter().zip(b).map(|(&a, &b)| (T::load(a) - T::load(b)).store()).collect();
            out[0] = dot_of::<T>(&difference, &difference).root().store();
        }),
        Gl::Cross => vectors!(|input, out| {
            let &[a0, a1, a2, b0, b1, b2] = input else { return };
            let product = |a: u64, b: u64, c: u64, d: u64| (T::load(a) * T::load(b) - T::load(c) * T::load(d)).store();
            out.copy_from_slice(&[product(a1, b2, a2, b1), product(a2, b0, a0, b2), product(a0, b1, a1, b0)]);
        }),
        Gl::Normalize => vectors!(|input, out| {
            let length = dot_of::<T>(input, input).root();
            for (out, &a) in out.iter_mut().zip(input) {
                *out = (T::load(a) / length).store();
            }
        }),
        Gl::FaceForward => vectors!(|input, out| {
            let n = input.len() / 3;
            let turn = dot_of::<T>(&input[2 * n..], &input[n..2 * n]) < T::of(0.0);
            for (out, &a) in out.iter_mut().zip(input) {
                *out = if turn { a } else { (-T::load(a)).store() };
            }
        }),
        Gl::Reflect => vectors!(|input, out| {
            let (incident, normal) = input.split_at(input.len() / 2);
            let double = T::of(2.0) * dot_of::<T>(normal, incident);
            for ((out, &i), &n) in out.iter_mut().zip(incident).zip(normal) {
                *out = (T::load(i) - double * T::load(n)).store();
            }
        }),
        Gl::Refract => vectors!(|input, out| {
            let Some((&eta, vectors)) = input.split_last() else { return };
            let eta = T::load(eta);
            let (incident, normal) = vectors.split_at(vectors.len() / 2);
            let cosine = dot_of::<T>(normal, incident);
            let k = T::of(1.0) - eta * eta * (T::of(1.0) - cosine * cosine);
            let factor = eta * cosine + if k < T::of(0.0) { T::of(0.0) } else { k.root() };
            for ((out, &i), &n) in out.iter_mut().zip(incident).zip(normal) {
                let bent = eta * T::load(i) - factor * T::load(n);
                *out = if k < T::of(0.0) { T::of(0.0) } else { bent }.store();
            }
        }),
        Gl::Determinant => vectors!(|input, out| {
            let values: Vec<f64> = input.iter().map(|&a| T::load(a).wide()).collect();
            out[0] = T::of(determinant(&values, values.len().isqrt())).store();
        }),
        Gl::MatrixInverse => vectors!(|input, out| {
            let values: Vec<f64> = input.iter().map(|&a| T::load(a).wide()).collect();
            let n = values.len().isqrt();
            let whole = determinant(&values, n);
            for (at, out) in out.iter_mut().enumerate() {
                let (column, row) = (at / n, at % n);
                let sign = if (column + row) % 2 == 0 { 1.0 } else { -1.0 };
                *out = T::of(sign * determinant(&minor(&values, n, row, column), n - 1) / whole).store();
            }
        }),
        // Fraction, then whole part.
        Gl::Modf | Gl::ModfStruct => vectors!(|input, out| {
            let n = input.len();
            for (at, &a) in input.iter().enumerate() {
                let value = T::load(a).wide();
                let fraction = if value.is_infinite() { 0.0 } else { value - value.trunc() };
                out[at] = T::of(fraction.copysign(value)).store();
                out[n + at] = T::of(value.trunc()).store();
            }
        }),
        // Significand, then exponent as a 32-bit number.
        Gl::Frexp | Gl::FrexpStruct => vectors!(|input, out| {
            let n = input.len();
            for (at, &a) in input.iter().enumerate() {
                let (significand, exponent) = frexp(T::load(a).wide());
                out[at] = T::of(significand).store();
                out[n + at] = u64::from(exponent as u32);
            }
        }),
        _ => None,
    }
}

/// A significand of magnitude 0.5 to 1 and an exponent of 2; zero, infinity and NaN have exponent 0.
fn frexp(value: f64) -> (f64, i32) {
    if value == 0.0 || !value.is_finite() {
        return (value, 0);
    }
    let (value, bias) = if value.is_normal() { (value, 0) } else { (value * 2f64.powi(64), -64) };
    let bits = value.to_bits();
    let exponent = (bits >> 52 & 0x7ff) as i32 - 1022;
    (f64::from_bits(bits & !(0x7ff << 52) | 1022 << 52), exponent + bias)
}

/// The kernel of a packing function, whose widths are fixed.
pub(crate) fn packing(op: Gl) -> Option<LaneKernel> {
    fn pack(input: &[u64], width: u32, low: f32, scale: f32) -> u64 {
        let mut out = 0;
        for (at, &a) in input.iter().enumerate() {
            let value = f32::load(a);
            let value = if value.is_nan() { 0.0 } else { value.clamp(low, 1.0) };
            let units = (value * scale).round_ties_even() as i32;
            out |= (units as u32 as u64 & ones(u64::from(width))) << (at as u32 * width);
        }
        out
    }
    fn unpack(input: &[u64], out: &mut [u64], signed: bool, scale: f32) {
        let width = 32 / out.len() as u32;
        for (at, out) in out.iter_mut().enumerate() {
            let bits = input[0] >> (at as u32 * width) & ones(u64::from(width));
            let units = if signed { sign_extend(bits, width) as f32 } else { bits as f32 };
            *out = (units / scale).max(-1.0).store();
        }
    }
    Some(match op {
        Gl::PackSnorm4x8 => |input, out| out[0] = pack(input, 8, -1.0, 127.0),
        Gl::PackUnorm4x8 => |input, out| out[0] = pack(input, 8, 0.0, 255.0),
        Gl::PackSnorm2x16 => |input, out| out[0] = pack(input, 16, -1.0, 32_767.0),
        Gl::PackUnorm2x16 => |input, out| out[0] = pack(input, 16, 0.0, 65_535.0),
        Gl::UnpackSnorm4x8 => |input, out| unpack(input, out, true, 127.0),
        Gl::UnpackUnorm4x8 => |input, out| unpack(input, out, false, 255.0),
        Gl::UnpackSnorm2x16 => |input, out| unpack(input, out, true, 32_767.0),
        Gl::UnpackUnorm2x16 => |input, out| unpack(input, out, false, 65_535.0),
        Gl::PackHalf2x16 => |input, out| {
            let halves = input.iter().map(|&a| u64::from(super::half::from_f32(f32::load(a))));
            out[0] = halves.enumerate().fold(0, |all, (at, half)| all | half << (16 * at));
        },
        Gl::UnpackHalf2x16 => |input, out| {
            for (at, out) in out.iter_mut().enumerate() {
                *out = f64::from(super::half::to_f32((input[0] >> (16 * at)) as u16)).store();
                *out = f32::of(f64::load(*out)).store();
            }
        },
        Gl::PackDouble2x32 => |input, out| out[0] = input[0] | input[1] << 32,
        Gl::UnpackDouble2x32 => |input, out| {
            out[0] = input[0] & 0xffff_ffff;
            out[1] = input[0] >> 32;
        },
        _ => return None,
    })
}

/// One lane of an integer dot product. Literals: components, width of one, whether the left and the right vector are
/// signed, width of the result, whether an accumulator of that width follows the vectors.
pub(crate) fn integer_dot(input: &[u64], out: &mut [u64]) {
    let Some((values, &[n, width, left, right, result, accumulates])) = input.split_last_chunk() else { return };
    let n = n as usize;
    let value = |bits: u64, signed: u64| {
        if signed != 0 { i128::from(sign_extend(bits, width as u32)) } else { i128::from(bits) }
    };
    let products = (0..n).map(|at| value(values[at], left).wrapping_mul(value(values[n + at], right)));
    let mut sum = products.fold(0i128, i128::wrapping_add);
    if accumulates != 0 {
        let signed = left != 0 || right != 0;
        let acc = values[2 * n];
        let acc = if signed { i128::from(sign_extend(acc, result as u32)) } else { i128::from(acc) };
        let (low, high) =
            if signed { (-(1i128 << (result - 1)), (1i128 << (result - 1)) - 1) } else { (0, (1i128 << result) - 1) };
        // Only the last addition saturates: the product is taken modulo the result's width.
        let product = sum as u64 & ones(result);
        let product = if signed { i128::from(sign_extend(product, result as u32)) } else { i128::from(product) };
        sum = (product + acc).clamp(low, high);
    }
    out[0] = sum as u64 & ones(result);
}

/// One lane of `OpBitcast` between components of different widths. Literals: width of an operand's component, width
/// of a result's component.
pub(crate) fn bitcast(input: &[u64], out: &mut [u64]) {
    let Some((values, &[from, to])) = input.split_last_chunk() else { return };
    for (at, out) in out.iter_mut().enumerate() {
        let bit = at as u64 * to;
        *out = if from >= to {
            values.get((bit / from) as usize).map_or(0, |value| value >> (bit % from) & ones(to))
        } else {
            let parts = (0..to / from).map(|part| (part * from, values.get((bit / from + part) as usize)));
            parts.fold(0, |all, (shift, value)| all | value.copied().unwrap_or(0) << shift)
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn floats<const N: usize>(values: [f32; N]) -> [u64; N] {
        values.map(Real::store)
    }

    #[test]
    fn multiplies_matrices_by_columns() {
        // Columns (1, 2), (3, 4), (5, 6): 2 rows, 3 columns.
        let mut input = floats([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 1.0, 10.0, 100.0]).to_vec();
        input.extend([2, 3]);
        let mut out = [0; 2];
        matrix(Op::MatrixTimesVector, 32).expect("an operation")(&input, &mut out);
        assert_eq!(out, floats([531.0, 642.0]));
        let mut input = floats([1.0, 10.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0]).to_vec();
        input.extend([2, 3]);
        let mut out = [0; 3];
        matrix(Op::VectorTimesMatrix, 32).expect("an operation")(&input, &mut out);
        assert_eq!(out, floats([21.0, 43.0, 65.0]));
    }

    #[test]
    fn inverts_matrices() {
        let mut out = [0; 4];
        glsl(Gl::MatrixInverse, 32).expect("a function")(&floats([4.0, 2.0, 7.0, 6.0]), &mut out);
        assert_eq!(out, floats([0.6, -0.2, -0.7, 0.4]));
        let mut out = [0];
        let unit = [2.0, 0.0, 0.0, 0.0, 0.0, 3.0, 0.0, 0.0, 0.0, 0.0, 5.0, 0.0, 0.0, 0.0, 0.0, 7.0];
        glsl(Gl::Determinant, 32).expect("a function")(&floats(unit), &mut out);
        assert_eq!(out, floats([210.0]));
    }

    #[test]
    fn splits_floats() {
        for (value, expected) in
            [(1.0, (0.5, 1)), (-6.0, (-0.75, 3)), (f64::from_bits(1), (0.5, -1073)), (0.0, (0.0, 0))]
        {
            assert_eq!(frexp(value), expected, "{value:e}");
        }
        let mut out = [0; 2];
        glsl(Gl::Modf, 32).expect("a function")(&floats([-1.25]), &mut out);
        assert_eq!(out, floats([-0.25, -1.0]));
    }

    #[test]
    fn packs_and_unpacks() {
        let mut out = [0];
        packing(Gl::PackSnorm4x8).expect("a function")(&floats([1.0, -1.0, 0.0, 2.0]), &mut out);
        assert_eq!(out[0], 0x7f00_817f);
        let mut four = [0; 4];
        packing(Gl::UnpackSnorm4x8).expect("a function")(&[0x7f00_8081], &mut four);
        assert_eq!(four, floats([-1.0, -1.0, 0.0, 1.0]));
        packing(Gl::PackHalf2x16).expect("a function")(&floats([1.0, -2.0]), &mut out);
        assert_eq!(out[0], 0xc000_3c00);
        let mut two = [0; 2];
        packing(Gl::UnpackHalf2x16).expect("a function")(&out, &mut two);
        assert_eq!(two, floats([1.0, -2.0]));
    }

    #[test]
    fn dots_of_integers_saturate_with_an_accumulator() {
        let mut out = [0];
        integer_dot(&[0xff, 2, 3, 4, 2, 8, 1, 1, 32, 0], &mut out);
        assert_eq!(out[0], 5, "-1 * 3 + 2 * 4");
        integer_dot(&[127, 127, 0x7fff_ffff, 1, 8, 1, 1, 32, 1], &mut out);
        assert_eq!(out[0], 0x7fff_ffff);
    }

    #[test]
    fn bitcasts_between_widths() {
        let mut out = [0; 2];
        bitcast(&[0x1122_3344_5566_7788, 64, 32], &mut out);
        assert_eq!(out, [0x5566_7788, 0x1122_3344]);
        let mut out = [0];
        bitcast(&[0x88, 0x77, 8, 16], &mut out);
        assert_eq!(out, [0x7788]);
    }
}
