//! Functions as if they were inlined: one *frame* for each call path.
//!
//! Drivers inline everything, so one call's demand on its arguments is independent of another's. Each call gets a
//! frame of its own, with a *node* for every instruction of its function; what comes before every function has one
//! node. Recursive calls, deep ones and those that would need too many nodes share one frame per function.

use std::collections::BTreeMap;

use super::events::CallTree;
use super::pointer::{self, Pointer};
use super::reach::Reach;
use lanescope_base::ids::Id;
use lanescope_spirv::enums::Op;
use lanescope_spirv::{EntryPoint, Function, InstId, Module};

/// Index of a frame.
pub type FrameId = u32;

/// Index of an instruction in a frame (or before every function).
pub type Node = u32;

/// Maximum depth of calls before they share frames.
const MAX_DEPTH: u32 = 64;

/// Nodes there may be before calls share frames: as many for each instruction, and some for small modules.
const NODES_PER_INST: usize = 4;
const MIN_NODES: usize = 1 << 16;

/// A function, reached by one call; or by several, where it is shared.
#[derive(Debug)]
struct Frame<'m> {
    function: &'m Function,
    /// The node of the function's first instruction.
    base: Node,
    depth: u32,
    shared: bool,
    callers: Vec<(FrameId, InstId)>,
}

/// Every frame of an entry point; the first is the entry point's own.
#[derive(Debug)]
pub struct Frames<'m> {
    frames: Vec<Frame<'m>>,
    callees: BTreeMap<(FrameId, InstId), FrameId>,
    /// Instructions before the first function.
    globals: u32,
    /// Those of them before the first type, constant or variable: they have no node. Nodes count from there.
    header: u32,
    nodes: usize,
    tree: CallTree,
}

/// A place in memory, and the frame whose variable it is in.
#[derive(Debug, Clone)]
pub struct Place {
    /// The frame of the variable or parameter; any for what comes before every function.
    pub frame: FrameId,
    /// The variable (or a shared frame's parameter) and the way into it.
    pub pointer: Pointer,
}

impl<'m> Frames<'m> {
    /// Follows the calls of an entry point.
    pub fn of(module: &'m Module, entry: &EntryPoint, reach: &Reach<'m>) -> Frames<'m> {
        let globals = module.functions().first().map_or(module.len() as u32, |f| f.insts.start);
        let header = module.header().min(globals);
        let nodes = (globals - header) as usize;
        let (frames, callees, tree) = (Vec::new(), BTreeMap::new(), CallTree::default());
        let mut out = Frames { frames, callees, globals, header, nodes, tree };
        let functions: BTreeMap<Id, &'m Function> = reach.functions().map(|f| (f.id, f)).collect();
        let calls: BTreeMap<Id, Vec<(InstId, Id)>> = functions.values().map(|f| (f.id, calls(reach, f))).collect();
        let mut shared: BTreeMap<Id, FrameId> = BTreeMap::new();
        let Some(first) = functions.get(&entry.function) else { return out };
        out.push(first, 0, false);
        let most = module.len().saturating_mul(NODES_PER_INST).max(MIN_NODES);
        let mut at = 0;
        while let Some((id, depth, is_shared)) = out.frames.get(at).map(|f| (f.function.id, f.depth, f.shared)) {
            let frame = at as FrameId;
            for &(call, callee) in calls.get(&id).map_or(&[][..], Vec::as_slice) {
                let Some(function) = functions.get(&callee) else { continue };
                let fits = out.nodes.saturating_add(function.insts.len()) <= most;
                let own = fits && !is_shared && depth < MAX_DEPTH && !out.is_inside(frame, callee);
                let target = match shared.get(&callee) {
                    _ if own => out.push(function, depth + 1, false),
                    Some(&target) => target,
                    None => *shared.entry(callee).or_insert(out.push(function, depth, true)),
                };
                if let Some(target) = out.frames.get_mut(target as usize) {
                    target.callers.push((frame, call));
                }
                out.callees.insert((frame, call), target);
            }
            at += 1;
        }
        out.tree = CallTree::of(out.frames.len(), |frame| match out.callers(frame) {
            [(caller, _)] => Some(*caller),
            _ => None,
        });
        out
    }

    fn push(&mut self, function: &'m Function, depth: u32, shared: bool) -> FrameId {
        self.frames.push(Frame { function, base: self.nodes as Node, depth, shared, callers: Vec::new() });
        self.nodes = self.nodes.saturating_add(function.insts.len());
        (self.frames.len() - 1) as FrameId
    }

    /// Whether a frame is one of a function, or lies in a call of it.
    fn is_inside(&self, frame: FrameId, function: Id) -> bool {
        let mut next = Some(frame);
        while let Some(frame) = next.and_then(|frame| self.frames.get(frame as usize)) {
            if frame.function.id == function {
                return true;
            }
            next = frame.callers.first().map(|&(caller, _)| caller);
        }
        false
    }

    /// Every frame, with its function.
    pub fn iter(&self) -> impl Iterator<Item = (FrameId, &'m Function)> + '_ {
        (0..).zip(&self.frames).map(|(id, frame)| (id, frame.function))
    }

    /// The function of a frame.
    pub fn function(&self, frame: FrameId) -> Option<&'m Function> {
        self.frames.get(frame as usize).map(|frame| frame.function)
    }

    /// Number of nodes.
    pub fn nodes(&self) -> usize {
        self.nodes
    }

    /// The node of an instruction, seen from a frame. Absent for instructions of other functions.
    pub fn node(&self, frame: FrameId, inst: InstId) -> Option<Node> {
        if inst.0 < self.globals {
            return inst.0.checked_sub(self.header);
        }
        let frame = self.frames.get(frame as usize)?;
        frame.function.insts.contains(&inst.0).then(|| frame.base + (inst.0 - frame.function.insts.start))
    }

    /// The frame of a call's target.
    pub fn callee(&self, frame: FrameId, call: InstId) -> Option<FrameId> {
        self.callees.get(&(frame, call)).copied()
    }

    /// The calls of a frame: one, but for shared frames and the entry point's.
    pub fn callers(&self, frame: FrameId) -> &[(FrameId, InstId)] {
        self.frames.get(frame as usize).map_or(&[], |frame| &frame.callers)
    }

    /// Frames below the only one that calls each.
    pub fn tree(&self) -> &CallTree {
        &self.tree
    }

    /// Follows a pointer to the variable it points into, through the arguments of frames that only one call leads to.
    pub fn resolve(&self, module: &Module, frame: FrameId, pointer: Id) -> Option<Place> {
        let mut place = Place { frame, pointer: pointer::resolve(module, pointer)? };
        for _ in 0..=MAX_DEPTH {
            let base = module.inst(place.pointer.base);
            let Some(function) = self.function(place.frame).filter(|_| base.op() == Some(Op::FunctionParameter)) else {
                break;
            };
            let [(caller, call)] = self.callers(place.frame) else { break };
            let argument = argument(module, *call, parameter_place(module, function, place.pointer.base)?);
            let Pointer { base, mut path } = pointer::resolve(module, argument)?;
            path.append(&mut place.pointer.path);
            place = Place { frame: *caller, pointer: Pointer { base, path } };
        }
        Some(place)
    }
}

fn calls(reach: &Reach<'_>, function: &Function) -> Vec<(InstId, Id)> {
    let calls = reach.insts_of(function).filter(|inst| inst.op() == Some(Op::FunctionCall));
    calls.map(|call| (call.index, call.id_at(3))).collect()
}

/// A parameter's place among its function's.
pub fn parameter_place(module: &Module, function: &Function, parameter: InstId) -> Option<usize> {
    let insts = module.insts_in(function.insts.clone()).take_while(|inst| inst.op() != Some(Op::Label));
    insts.filter(|inst| inst.op() == Some(Op::FunctionParameter)).position(|inst| inst.index == parameter)
}

/// The argument of a call for a parameter.
pub fn argument(module: &Module, call: InstId, place: usize) -> Id {
    module.inst(call).id_at(place.saturating_add(4))
}
