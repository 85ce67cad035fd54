//! Derivatives: differences within a quad.

use super::access::Found;
use super::wave::Wave;
use crate::code::{Derivative, DerivativeKind};
use crate::event::EventKind;
use crate::kernels::float::{Half, Real};

/// A lane of a quad that the wave does not have.
pub(crate) const NO_LANE: u8 = u8::MAX;

/// Runs a derivative. The quad's lanes are in the order top left, top right, bottom left, bottom right. A lane that is
/// missing or inactive is reported, and has the value of its register. Without a derivative group there are no quads.
pub(crate) fn derivative(wave: &mut Wave, op: &Derivative, found: &mut Vec<Found>) {
    let mask = wave.exec();
    let lanes = mask.lanes;
    for scalar in 0..op.n {
        if op.kind == DerivativeKind::Zero {
            let dst = (op.dst + scalar) as usize * lanes;
            mask.iter().for_each(|lane| wave.regs[dst + lane] = 0);
            continue;
        }
        let at = (op.a + scalar) as usize * lanes;
        for lane in mask.iter() {
            let quad = wave.lanes.quads.get(lane).copied().unwrap_or([NO_LANE; 4]);
            if scalar == 0 && quad.iter().any(|&lane| lane == NO_LANE || mask.bits >> lane & 1 == 0) {
                found.push(Found::new(EventKind::DivergentDerivative, lane, None));
            }
            let value = |at_quad: usize| match quad[at_quad] {
                NO_LANE => wave.regs[at + lane],
                other => wave.regs[at + usize::from(other)],
            };
            let own = quad.iter().position(|&other| usize::from(other) == lane).unwrap_or(0);
            let (row, column) = if op.coarse { (0, 0) } else { (own & 2, own & 1) };
            let x = difference(op.bits, value(row), value(row + 1));
            let y = difference(op.bits, value(column), value(column + 2));
            wave.regs[(op.dst + scalar) as usize * lanes + lane] = match op.kind {
                DerivativeKind::X => x,
                DerivativeKind::Y => y,
                DerivativeKind::Width => width(op.bits, x, y),
                DerivativeKind::Zero => 0,
            };
        }
    }
}

fn difference(bits: u32, from: u64, to: u64) -> u64 {
    fn of<T: Real>(from: u64, to: u64) -> u64 {
        (T::load(to) - T::load(from)).store()
    }
    match bits {
        16 => of::<Half>(from, to),
        32 => of::<f32>(from, to),
        _ => of::<f64>(from, to),
    }
}

fn width(bits: u32, x: u64, y: u64) -> u64 {
    fn of<T: Real>(x: u64, y: u64) -> u64 {
        let magnitude = |value: T| if value < T::of(0.0) { -value } else { value };
        (magnitude(T::load(x)) + magnitude(T::load(y))).store()
    }
    match bits {
        16 => of::<Half>(x, y),
        32 => of::<f32>(x, y),
        _ => of::<f64>(x, y),
    }
}
