//! Control flow: branches, calls, returns.

use super::move_slots;
use super::wave::{Frame, Status, Wave};
use crate::code::{Code, Edge, Tables};
use crate::kernels::Mask;
use crate::program::Program;

/// Copies what phi instructions take along an edge, for these lanes.
fn take(wave: &mut Wave, edge: &Edge, mask: u64, scratch: &mut Vec<u64>) {
    let mask = Mask { bits: mask, lanes: wave.exec().lanes };
    if !edge.overlaps {
        for &(dst, src, n) in &edge.moves {
            move_slots(&mut wave.regs, dst, src, n, mask);
        }
        return;
    }
    // All sources are read before any destination is written.
    scratch.clear();
    for &(_, src, n) in &edge.moves {
        scratch.extend_from_slice(&wave.regs[src as usize * mask.lanes..(src as usize + n as usize) * mask.lanes]);
    }
    let mut at = 0;
    for &(dst, _, n) in &edge.moves {
        for scalar in 0..n as usize {
            for lane in mask.iter() {
                wave.regs[(dst as usize + scalar) * mask.lanes + lane] = scratch[at + scalar * mask.lanes + lane];
            }
        }
        at += n as usize * mask.lanes;
    }
}

/// Sends the running lanes along edges by a choice for each lane.
fn diverge(wave: &mut Wave, tables: &Tables, choices: &[(u32, u64)], scratch: &mut Vec<u64>) {
    if let &[(edge, _)] = choices {
        let edge = &tables.edges[edge as usize];
        take(wave, edge, wave.mask, scratch);
        wave.jump(edge.target);
        return;
    }
    for &(edge, mask) in choices {
        let edge = &tables.edges[edge as usize];
        take(wave, edge, mask, scratch);
        wave.arrive(edge.target, mask);
    }
    wave.mask = 0;
    wave.pick();
}

/// Runs a control flow instruction; false if it is of another kind.
pub(crate) fn control(wave: &mut Wave, program: &Program, code: &Code, scratch: &mut Vec<u64>) -> bool {
    let tables = &program.tables;
    match *code {
        Code::Branch { edge } => {
            let edge = &tables.edges[edge as usize];
            if !edge.moves.is_empty() {
                take(wave, edge, wave.mask, scratch);
            }
            wave.jump(edge.target);
        }
        Code::BranchIf { condition, yes, no } => {
            let mask = wave.exec();
            let values = &wave.regs[condition as usize * mask.lanes..(condition as usize + 1) * mask.lanes];
            let mut taken = 0;
            for (lane, &value) in values.iter().enumerate() {
                taken |= (value & 1) << lane;
            }
            taken &= mask.bits;
            let rest = mask.bits & !taken;
            match (taken, rest) {
                (_, 0) => diverge(wave, tables, &[(yes, taken)], scratch),
                (0, _) => diverge(wave, tables, &[(no, rest)], scratch),
                _ => diverge(wave, tables, &[(yes, taken), (no, rest)], scratch),
            }
        }
        Code::Switch { value, switch } => {
            let mask = wave.exec();
            let switch = &tables.switches[switch as usize];
            let mut choices: Vec<(u32, u64)> = Vec::new();
            for lane in mask.iter() {
                let value = wave.regs[value as usize * mask.lanes + lane];
                let case = switch.cases.binary_search_by_key(&value, |&(literal, _)| literal);
                let edge = case.map_or(switch.default, |at| switch.cases[at].1);
                match choices.iter_mut().find(|(chosen, _)| *chosen == edge) {
                    Some((_, lanes)) => *lanes |= 1 << lane,
                    None => choices.push((edge, 1 << lane)),
                }
            }
            diverge(wave, tables, &choices, scratch);
        }
        Code::Return => leave(wave, program, true),
        Code::ReturnValue { dst, src, n } => {
            let mask = wave.exec();
            move_slots(&mut wave.regs, dst, src, n, mask);
            leave(wave, program, true);
        }
        Code::Call { call: index } => {
            let call = &tables.calls[index as usize];
            let mask = wave.exec();
            for &(dst, src, n) in &call.arguments {
                move_slots(&mut wave.regs, dst, src, n, mask);
            }
            wave.frames.push(Frame {
                function: call.function,
                waiting: Vec::new(),
                returned: 0,
                return_pc: wave.pc + 1,
                call: Some(index),
            });
            wave.pc = program.functions[call.function as usize].start;
        }
        Code::Kill | Code::Unreachable => {
            wave.alive &= !wave.mask;
            wave.killed |= wave.mask;
            leave(wave, program, false);
        }
        _ => return false,
    }
    true
}

/// Takes the running lanes out of the innermost function, and goes on with lanes that are left in it or that have
/// returned from it.
fn leave(wave: &mut Wave, program: &Program, returns: bool) {
    if returns && let Some(frame) = wave.frames.last_mut() {
        frame.returned |= wave.mask;
    }
    wave.mask = 0;
    while !wave.pick() {
        let Some(frame) = wave.frames.pop() else { break };
        let Some(call) = frame.call.and_then(|call| program.tables.calls.get(call as usize)) else { break };
        if frame.returned != 0 {
            wave.mask = frame.returned;
            wave.pc = frame.return_pc;
            let mask = wave.exec();
            let (result, n) = program.functions[call.function as usize].result;
            move_slots(&mut wave.regs, call.dst, result, n.min(call.n), mask);
            return;
        }
    }
    if wave.mask == 0 {
        wave.status = Status::Done;
        wave.alive = 0;
    }
}
