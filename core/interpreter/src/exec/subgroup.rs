//! Subgroup and quad operations, across the active lanes of a wave.

use super::access::Found;
use super::wave::Wave;
use crate::code::{Slot, SubgroupDetail, SubgroupOp};
use crate::event::EventKind;
use crate::kernels::{Kernel2, Mask, lanes_of};
use lanescope_spirv::enums::{GroupOperation, Op};

/// Runs a subgroup operation.
pub(crate) fn subgroup(wave: &mut Wave, op: &SubgroupOp, found: &mut Vec<Found>) {
    let mask = wave.exec();
    let lanes = mask.lanes;
    let first = mask.bits.trailing_zeros() as usize;
    let value = |wave: &Wave, lane: usize| wave.regs[op.value as usize * lanes + lane];
    let argument = |wave: &Wave, lane: usize| op.argument.map_or(0, |slot| wave.regs[slot as usize * lanes + lane]);
    match op.op {
        Op::GroupNonUniformElect => set(wave, op.dst, mask, |lane| u64::from(lane == first)),
        Op::GroupNonUniformAll => {
            let all = mask.iter().all(|lane| value(wave, lane) != 0);
            set(wave, op.dst, mask, |_| u64::from(all));
        }
        Op::GroupNonUniformAny => {
            let any = mask.iter().any(|lane| value(wave, lane) != 0);
            set(wave, op.dst, mask, |_| u64::from(any));
        }
        Op::GroupNonUniformAllEqual => {
            let mut equal = true;
            for scalar in 0..op.n {
                let at = (op.value + scalar) as usize * lanes;
                equal &= mask.iter().all(|lane| same(wave.regs[at + lane], wave.regs[at + first], op.detail));
            }
            set(wave, op.dst, mask, |_| u64::from(equal));
        }
        Op::GroupNonUniformBallot => {
            let ballot = ballot(wave, op.value, mask);
            set(wave, op.dst, mask, |_| ballot & 0xffff_ffff);
            set(wave, op.dst + 1, mask, |_| ballot >> 32);
            set(wave, op.dst + 2, mask, |_| 0);
            set(wave, op.dst + 3, mask, |_| 0);
        }
        Op::GroupNonUniformInverseBallot => {
            let bits: Vec<u64> = mask.iter().map(|lane| bits_of(wave, op.value, lane) >> lane & 1).collect();
            set_each(wave, op.dst, mask, &bits);
        }
        Op::GroupNonUniformBallotBitExtract => {
            let extract = |lane| {
                let at = argument(wave, lane);
                if at < 64 { bits_of(wave, op.value, lane) >> at & 1 } else { 0 }
            };
            let bits: Vec<u64> = mask.iter().map(extract).collect();
            set_each(wave, op.dst, mask, &bits);
        }
        Op::GroupNonUniformBallotBitCount => {
            let all = Mask::all(lanes).bits;
            let count = |lane: usize| {
                let below = (1u64 << lane) - 1;
                let counted = match op.detail {
                    SubgroupDetail::Group(GroupOperation::InclusiveScan) => below | 1 << lane,
                    SubgroupDetail::Group(GroupOperation::ExclusiveScan) => below,
                    _ => all,
                };
                u64::from((bits_of(wave, op.value, lane) & all & counted).count_ones())
            };
            let counts: Vec<u64> = mask.iter().map(count).collect();
            set_each(wave, op.dst, mask, &counts);
        }
        Op::GroupNonUniformBallotFindLSB | Op::GroupNonUniformBallotFindMSB => {
            let all = Mask::all(lanes).bits;
            let find = |lane| match bits_of(wave, op.value, lane) & all {
                // No bit is set: undefined.
                0 => 0xffff_ffff,
                bits if op.op == Op::GroupNonUniformBallotFindLSB => u64::from(bits.trailing_zeros()),
                bits => u64::from(63 - bits.leading_zeros()),
            };
            let indices: Vec<u64> = mask.iter().map(find).collect();
            set_each(wave, op.dst, mask, &indices);
        }
        Op::GroupNonUniformQuadAllKHR | Op::GroupNonUniformQuadAnyKHR => {
            let all = op.op == Op::GroupNonUniformQuadAllKHR;
            let vote = |lane: usize| {
                let quad = mask.bits & 0xf << (lane & !3);
                let mut members = lanes_of(quad);
                u64::from(if all {
                    members.all(|lane| value(wave, lane) != 0)
                } else {
                    members.any(|lane| value(wave, lane) != 0)
                })
            };
            let votes: Vec<u64> = mask.iter().map(vote).collect();
            set_each(wave, op.dst, mask, &votes);
        }
        _ => match op.combine {
            Some((f, identity)) => reduce(wave, op, mask, f, identity),
            None => exchange(wave, op, mask, found),
        },
    }
}

fn same(a: u64, b: u64, detail: SubgroupDetail) -> bool {
    match detail {
        SubgroupDetail::Floats(bits @ (16 | 32 | 64)) => {
            !super::is_nan(a, bits as u8) && (a == b || (a | b) & (u64::MAX >> (65 - bits)) == 0)
        }
        _ => a == b,
    }
}

fn set(wave: &mut Wave, dst: Slot, mask: Mask, f: impl Fn(usize) -> u64) {
    for lane in mask.iter() {
        wave.regs[dst as usize * mask.lanes + lane] = f(lane);
    }
}

/// Writes one value for each active lane.
fn set_each(wave: &mut Wave, dst: Slot, mask: Mask, values: &[u64]) {
    for (lane, &value) in mask.iter().zip(values) {
        wave.regs[dst as usize * mask.lanes + lane] = value;
    }
}

/// Active lanes whose value is true.
fn ballot(wave: &Wave, value: Slot, mask: Mask) -> u64 {
    mask.iter().filter(|lane| wave.regs[value as usize * mask.lanes + lane] != 0).fold(0, |all, lane| all | 1 << lane)
}

/// The first 64 bits of a ballot in four registers.
fn bits_of(wave: &Wave, value: Slot, lane: usize) -> u64 {
    let lanes = wave.lanes.invocations.len();
    let word = |at: usize| wave.regs[(value as usize + at) * lanes + lane] & 0xffff_ffff;
    word(0) | word(1) << 32
}

/// Operations that read another lane's value.
fn exchange(wave: &mut Wave, op: &SubgroupOp, mask: Mask, found: &mut Vec<Found>) {
    let lanes = mask.lanes;
    let quad = matches!(op.op, Op::GroupNonUniformQuadBroadcast | Op::GroupNonUniformQuadSwap);
    // By active lane: the lane that is read.
    let mut sources = Vec::with_capacity(lanes);
    for lane in mask.iter() {
        let argument = op.argument.map_or(0, |slot| wave.regs[slot as usize * lanes + lane]);
        let own = lane as u64;
        let source = match op.op {
            Op::GroupNonUniformBroadcastFirst => Some(u64::from(mask.bits.trailing_zeros())),
            Op::GroupNonUniformShuffleXor => Some(own ^ argument),
            Op::GroupNonUniformShuffleUp => own.checked_sub(argument),
            Op::GroupNonUniformShuffleDown => own.checked_add(argument),
            Op::GroupNonUniformRotateKHR => {
                let size = match op.detail {
                    SubgroupDetail::Cluster(size) => u64::from(size).min(lanes as u64),
                    _ => lanes as u64,
                };
                Some(own & !(size - 1) | own.wrapping_add(argument) & (size - 1))
            }
            Op::GroupNonUniformQuadBroadcast => Some(own & !3 | argument & 3),
            Op::GroupNonUniformQuadSwap => Some(own ^ ((argument & 3) + 1).min(3)),
            _ => Some(argument),
        };
        let inside = source.and_then(|source| usize::try_from(source).ok()).filter(|&source| source < lanes);
        let active = inside.filter(|&source| mask.bits >> source & 1 != 0);
        if active.is_none() {
            // A shift beyond the subgroup is how scans are written: its result is not used.
            let shift = matches!(op.op, Op::GroupNonUniformShuffleUp | Op::GroupNonUniformShuffleDown);
            if !shift || inside.is_some() {
                let kind = if quad { EventKind::DivergentDerivative } else { EventKind::InactiveLane };
                found.push(Found::new(kind, lane, None));
            }
        }
        sources.push(active);
    }
    for scalar in 0..op.n {
        let from = (op.value + scalar) as usize * lanes;
        let values: Vec<u64> = sources.iter().map(|source| source.map_or(0, |lane| wave.regs[from + lane])).collect();
        set_each(wave, op.dst + scalar, mask, &values);
    }
}

/// Reductions and scans. Values are combined in the order of lanes.
fn reduce(wave: &mut Wave, op: &SubgroupOp, mask: Mask, f: Kernel2, identity: u64) {
    let lanes = mask.lanes;
    let one = Mask::all(1);
    let combine = |a: u64, b: u64| {
        let mut out = [0];
        f(&mut out, &[a], &[b], one);
        out[0]
    };
    use GroupOperation as G;
    let SubgroupDetail::Group(operation) = op.detail else { return };
    let partitions =
        [G::PartitionedReduceEXT, G::PartitionedInclusiveScanEXT, G::PartitionedExclusiveScanEXT].contains(&operation);
    // By active lane: the lanes that it is combined with.
    let members: Vec<u64> = mask
        .iter()
        .map(|lane| match op.argument {
            Some(size) if operation == G::ClusteredReduce => {
                let size = wave.regs[size as usize * lanes + lane].clamp(1, lanes as u64) as usize;
                let cluster = Mask::all(size).bits << (lane / size * size);
                mask.bits & cluster
            }
            Some(partition) if partitions => mask.bits & bits_of(wave, partition, lane),
            _ => mask.bits,
        })
        .collect();
    let is_inclusive = matches!(operation, G::InclusiveScan | G::PartitionedInclusiveScanEXT);
    let is_exclusive = matches!(operation, G::ExclusiveScan | G::PartitionedExclusiveScanEXT);
    for scalar in 0..op.n {
        let at = (op.value + scalar) as usize * lanes;
        let values = &wave.regs[at..at + lanes];
        let total = |bits: u64| lanes_of(bits).map(|lane| values[lane]).reduce(combine).unwrap_or(identity);
        let mut out = Vec::with_capacity(lanes);
        // Lanes of one set get one result, which is computed once.
        let mut known: Vec<(u64, u64)> = Vec::new();
        for (lane, &set) in mask.iter().zip(&members) {
            let below = (1u64 << lane) - 1;
            out.push(if is_inclusive {
                total(set & (below | 1 << lane))
            } else if is_exclusive {
                total(set & below)
            } else {
                match known.iter().find(|(other, _)| *other == set) {
                    Some(&(_, value)) => value,
                    None => {
                        let value = total(set);
                        known.push((set, value));
                        value
                    }
                }
            });
        }
        set_each(wave, op.dst + scalar, mask, &out);
    }
}
