//! Operations on the lanes of a wave, one function for each opcode and width.
//!
//! A kernel gets slices of whole components: `n` components of `lanes` values each, one `u64` for each lane with the
//! value's bits zero-extended. Booleans are 0 or 1. With a full mask a kernel is one loop over all of them.

pub(crate) mod compose;
pub(crate) mod convert;
pub(crate) mod float;
pub(crate) mod half;
pub(crate) mod int;
pub(crate) mod logic;
pub(crate) mod math;

/// Lanes of a wave that take part, as bits, and the number of lanes of the wave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Mask {
    /// Bit l: lane l takes part.
    pub bits: u64,
    /// Lanes of the wave, 1 to 64.
    pub lanes: usize,
}

impl Mask {
    /// All lanes.
    pub fn all(lanes: usize) -> Mask {
        Mask { bits: u64::MAX >> (64 - lanes.clamp(1, 64)), lanes }
    }

    /// Whether all lanes take part.
    #[inline(always)]
    pub fn is_full(self) -> bool {
        self.bits == u64::MAX >> (64 - self.lanes.clamp(1, 64))
    }

    /// The lanes that take part, in order.
    #[inline(always)]
    pub fn iter(self) -> Lanes {
        Lanes(self.bits)
    }
}

/// The set bits of a mask.
pub(crate) struct Lanes(u64);

impl Iterator for Lanes {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let lane = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some(lane)
    }
}

/// Lanes of a set of bits.
pub(crate) fn lanes_of(bits: u64) -> Lanes {
    Lanes(bits)
}

/// One operand.
pub(crate) type Kernel1 = fn(&mut [u64], &[u64], Mask);
/// Two operands.
pub(crate) type Kernel2 = fn(&mut [u64], &[u64], &[u64], Mask);
/// Three operands.
pub(crate) type Kernel3 = fn(&mut [u64], &[u64], &[u64], &[u64], Mask);
/// One lane: all scalars of the operands, one after the other, to all scalars of the result.
pub(crate) type LaneKernel = fn(&[u64], &mut [u64]);

#[inline(always)]
pub(crate) fn apply1(d: &mut [u64], a: &[u64], mask: Mask, f: impl Fn(u64) -> u64) {
    if mask.is_full() {
        for (d, &a) in d.iter_mut().zip(a) {
            *d = f(a);
        }
    } else {
        for (d, a) in d.chunks_exact_mut(mask.lanes).zip(a.chunks_exact(mask.lanes)) {
            for lane in mask.iter() {
                d[lane] = f(a[lane]);
            }
        }
    }
}

#[inline(always)]
pub(crate) fn apply2(d: &mut [u64], a: &[u64], b: &[u64], mask: Mask, f: impl Fn(u64, u64) -> u64) {
    if mask.is_full() {
        for ((d, &a), &b) in d.iter_mut().zip(a).zip(b) {
            *d = f(a, b);
        }
    } else {
        let operands = a.chunks_exact(mask.lanes).zip(b.chunks_exact(mask.lanes));
        for (d, (a, b)) in d.chunks_exact_mut(mask.lanes).zip(operands) {
            for lane in mask.iter() {
                d[lane] = f(a[lane], b[lane]);
            }
        }
    }
}

#[inline(always)]
pub(crate) fn apply3(d: &mut [u64], a: &[u64], b: &[u64], c: &[u64], mask: Mask, f: impl Fn(u64, u64, u64) -> u64) {
    if mask.is_full() {
        for (((d, &a), &b), &c) in d.iter_mut().zip(a).zip(b).zip(c) {
            *d = f(a, b, c);
        }
    } else {
        let operands = a.chunks_exact(mask.lanes).zip(b.chunks_exact(mask.lanes)).zip(c.chunks_exact(mask.lanes));
        for (d, ((a, b), c)) in d.chunks_exact_mut(mask.lanes).zip(operands) {
            for lane in mask.iter() {
                d[lane] = f(a[lane], b[lane], c[lane]);
            }
        }
    }
}

/// A kernel of one operand from an expression over bits.
macro_rules! kernel1 {
    (|$a:ident| $e:expr) => {{
        fn kernel(d: &mut [u64], a: &[u64], mask: $crate::kernels::Mask) {
            $crate::kernels::apply1(
                d,
                a,
                mask,
                #[inline(always)]
                |$a: u64| -> u64 { $e },
            );
        }
        kernel as $crate::kernels::Kernel1
    }};
}

/// A kernel of two operands from an expression over bits.
macro_rules! kernel2 {
    (|$a:ident, $b:ident| $e:expr) => {{
        fn kernel(d: &mut [u64], a: &[u64], b: &[u64], mask: $crate::kernels::Mask) {
            $crate::kernels::apply2(
                d,
                a,
                b,
                mask,
                #[inline(always)]
                |$a: u64, $b: u64| -> u64 { $e },
            );
        }
        kernel as $crate::kernels::Kernel2
    }};
}

/// A kernel of three operands from an expression over bits.
macro_rules! kernel3 {
    (|$a:ident, $b:ident, $c:ident| $e:expr) => {{
        fn kernel(d: &mut [u64], a: &[u64], b: &[u64], c: &[u64], mask: $crate::kernels::Mask) {
            $crate::kernels::apply3(
                d,
                a,
                b,
                c,
                mask,
                #[inline(always)]
                |$a: u64, $b: u64, $c: u64| -> u64 { $e },
            );
        }
        kernel as $crate::kernels::Kernel3
    }};
}

pub(crate) use {kernel1, kernel2, kernel3};
