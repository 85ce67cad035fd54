//! Prepares nodes: converted, rewritten, with numbered slots and laid-out local root arguments.

use std::collections::BTreeMap;

use super::coherence;
use super::parents;
use super::rewrite::{self, FIRST_SLOT_SPEC, LIMIT_SPECS, Reach, StateSupport};
use lanescope_dxil::Dxil;
use lanescope_dxil::parts::Parameter;
use lanescope_dxil::root_signature;
use lanescope_load::{NodeFunction, check, node_modules};
use lanescope_model::options::SpecValue;
use lanescope_passes::graph::{Element, Launch, Node, WorkGraph};
use lanescope_run::graph::RootValue;
use lanescope_spirv::Module;
use serde::{Deserialize, Serialize};

/// The most slots that the counters of one batch have.
const MAX_SLOTS: u64 = 1 << 20;
/// The most runs of elements that a question whether an output is valid is compared with.
const MAX_RUNS: usize = 1024;

/// A node that can run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct NodePlan {
    /// Its module, its specialization constants not set yet.
    pub module: Module,
    /// As above, taking payload and list together; none where it allocates nothing, or where it was not requested.
    pub together: Option<Module>,
    /// Its module notes which launch wrote what, at the place of a record shifted so far: see [`super::parents`].
    pub noted: Option<u32>,
    /// How many slots its outputs have, output by output, element by element.
    pub slots: u32,
    /// The first slot of each output.
    pub bases: Vec<u32>,
    /// Whether it allocates per thread with targets that differ from thread to thread.
    pub divergent: bool,
    /// The parameters of its local root signature.
    pub local: Vec<Parameter>,
}

/// How a pipeline of a node is specialised.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Variant {
    /// Records come from the host, at a stride.
    pub entry: bool,
    /// Where they are is said in device memory.
    pub described: bool,
    /// The dispatch is the grid of one record.
    pub grid: bool,
}

/// Every node of a graph, ready or refused, and the questions that keep their wrong answer.
pub(super) struct Plans {
    pub nodes: Vec<Result<NodePlan, String>>,
    /// By node: the converter's full output, where the reason of a failure leaves something out.
    pub details: Vec<Option<String>>,
    /// Functions whose questions whether an output is valid are always answered with `true`.
    pub always_valid: Vec<String>,
}

/// Makes every node of a graph ready. `fast`: also for devices that change 64 bits at once.
pub(super) fn plans(graph: &WorkGraph, dxil: &Dxil, fast: bool) -> Plans {
    let locals: Vec<Result<Vec<Parameter>, String>> = graph.nodes.iter().map(local_parameters).collect();
    let none = Vec::new();
    let functions: Vec<NodeFunction<'_>> = graph
        .nodes
        .iter()
        .zip(&locals)
        .map(|(node, local)| NodeFunction { function: &node.function, local: local.as_ref().unwrap_or(&none) })
        .collect();
    let converted = node_modules(dxil, &functions);
    let nodes = graph.nodes.iter().enumerate().zip(converted.modules).zip(locals);
    let planned = nodes.map(|(((index, node), module), local)| match module {
        Ok(module) => (local.and_then(|local| one(graph, index, node, module, local, fast)), None),
        Err(failure) => (Err(failure.why), failure.details),
    });
    let (nodes, details) = planned.unzip();
    Plans { nodes, details, always_valid: converted.always_valid }
}

fn local_parameters(node: &Node) -> Result<Vec<Parameter>, String> {
    match &node.local_root_signature {
        None => Ok(Vec::new()),
        Some(bytes) => root_signature(bytes)
            .map(|signature| signature.parameters)
            .map_err(|why| format!("its local root signature: {why}")),
    }
}

fn one(
    graph: &WorkGraph,
    index: usize,
    node: &Node,
    module: Module,
    local: Vec<Parameter>,
    fast: bool,
) -> Result<NodePlan, String> {
    if node.launch == Launch::Mesh {
        return Err("graphics nodes are not supported, only compute nodes".to_owned());
    }
    let slots: u64 = node.outputs.iter().map(|output| u64::from(output.elements)).sum();
    if slots > MAX_SLOTS {
        return Err(format!("its outputs have {slots} elements; the limit is {MAX_SLOTS}"));
    }
    let mut bases = Vec::new();
    let mut next = 0;
    for output in &node.outputs {
        bases.push(next);
        next += output.elements;
    }
    let reach: Vec<Reach> = (0..node.outputs.len()).map(|output| reach(graph, index, output)).collect();
    if reach.iter().any(|reach| reach.present.len() > MAX_RUNS) {
        return Err(format!("an output array has more than {MAX_RUNS} gaps"));
    }
    let divergent = rewrite::allocates_divergently(&module);
    let module = if coherence::is_shared(node) { coherence::widened(&module)? } else { module };
    // A GPU-driven run has no words to note launches in.
    let shift = parents::shift(node).filter(|_| !fast);
    let rewritten = |taking: StateSupport| {
        let (module, noted) = rewrite::rewritten(&module, &reach, taking, shift)?;
        check(&module)
            .map_err(|why| format!("internal error: the rewritten module is invalid: {why}; please report it"))?;
        Ok::<_, String>((module, noted))
    };
    let together = if fast && next > 0 { Some(rewritten(StateSupport::Together)?.0) } else { None };
    let (module, noted) = rewritten(StateSupport::Apart)?;
    Ok(NodePlan { module, together, noted: shift.filter(|_| noted), slots: next, bases, divergent, local })
}

/// The elements of an output that have a node.
fn reach(graph: &WorkGraph, node: usize, output: usize) -> Reach {
    let mut out = Reach::default();
    let Some(is) = graph.nodes.get(node).and_then(|node| node.outputs.get(output)) else { return out };
    let array = graph.arrays.binary_search_by(|array| array.name.as_str().cmp(&is.target.name));
    let members = array.ok().and_then(|at| graph.arrays.get(at)).map_or(&[][..], |array| &array.nodes);
    for member in members {
        let Some(index) = graph.nodes.get(*member).map(|node| node.id.index) else { continue };
        let Some(element) = index.checked_sub(is.target.index).filter(|element| *element < is.elements) else {
            continue;
        };
        if *member == node {
            out.own = Some(element);
        }
        match out.present.last_mut() {
            Some([_, last]) if *last == element || last.checked_add(1) == Some(element) => *last = element,
            _ => out.present.push([element, element]),
        }
    }
    out
}

impl NodePlan {
    /// The element that a slot stands for.
    pub fn element(&self, slot: u32) -> Option<Element> {
        let output = self.bases.partition_point(|base| *base <= slot).checked_sub(1)?;
        // Outputs without elements have the base of the next one.
        Some(Element { output, element: slot - self.bases.get(output)? })
    }

    /// The module with every constant set. With limits, payload and list are taken together.
    pub fn specialised(
        &self,
        node: &Node,
        variant: Variant,
        bases: &[u32],
        limits: Option<[u32; 4]>,
    ) -> Result<Module, String> {
        let mut values: BTreeMap<u32, SpecValue> = BTreeMap::new();
        let mut set = |id: u32, value: String| drop(values.insert(id, SpecValue(value)));
        let size = match node.launch {
            Launch::Thread => [super::batching::THREADS as u32, 1, 1],
            _ => node.threads,
        };
        (0..).zip(size).for_each(|(id, value)| set(id, value.to_string()));
        set(3, variant.entry.to_string());
        set(4, variant.described.to_string());
        if node.launch == Launch::Broadcasting {
            set(5, (node.has_dynamic_grid() && !variant.grid).to_string());
            set(6, variant.grid.to_string());
            let grid = node.grid.or(node.max_grid).unwrap_or([1; 3]);
            (7..).zip(grid).for_each(|(id, value)| set(id, value.to_string()));
        }
        (FIRST_SLOT_SPEC..).zip(bases).for_each(|(id, base)| set(id, base.to_string()));
        let module = match (&self.together, limits) {
            (Some(together), Some(limits)) => {
                LIMIT_SPECS.iter().zip(limits).for_each(|((_, id), limit)| set(*id, limit.to_string()));
                together
            }
            _ => &self.module,
        };
        module.specialised(&values).map_err(|error| error.to_string())
    }

    /// The bytes of a node's local root arguments. `address` says where a buffer is.
    pub fn arguments(&self, values: &[RootValue], address: impl Fn(&str) -> Option<u64>) -> Result<Vec<u8>, String> {
        let mut out: Vec<u8> = Vec::new();
        let mut left = values.iter();
        for (at, parameter) in self.local.iter().enumerate() {
            if parameter.kind == "constants" {
                for _ in 0..parameter.constants.unwrap_or(0) {
                    match left.next() {
                        Some(RootValue::Word(word)) => out.extend(word.to_le_bytes()),
                        other => return Err(format!("parameter {at}: expected a constant, found {}", shown(other))),
                    }
                }
                continue;
            }
            out.resize(out.len().next_multiple_of(8), 0);
            match left.next() {
                Some(RootValue::Buffer(name)) => {
                    let address = address(name).ok_or_else(|| format!("there is no buffer `{name}`"))?;
                    out.extend(address.to_le_bytes());
                }
                other => return Err(format!("parameter {at}: expected a buffer address, found {}", shown(other))),
            }
        }
        match left.count() {
            0 => Ok(out),
            more => Err(format!("{more} more values than parameters in its local root signature")),
        }
    }
}

fn shown(value: Option<&RootValue>) -> String {
    match value {
        None => "nothing".to_owned(),
        Some(RootValue::Word(word)) => format!("the word {word}"),
        Some(RootValue::Buffer(name)) => format!("the buffer `{name}`"),
    }
}
