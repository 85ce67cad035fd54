//! 8- and 16-bit varyings as 32-bit ones, converted at both ends: devices without 16-bit interfaces can run the result.

use std::collections::{BTreeMap, BTreeSet};

use super::plan::{self, Base, PackedVariable, Part, Slot};
use super::sides::{Moved, check_shared, loses_sample, moved};
use super::{RewriteError, consumer, producer, replace, values};
use crate::liveness::{MAX_LEAVES, Shapes, Stages};
use crate::packing::PRODUCERS;
use crate::packing::interface::{Interface, Scalar};
use crate::packing::link::{Consumer, Linkage, Producer};
use lanescope_base::ids::Id;
use lanescope_model::options::ProducerChoice;
use lanescope_model::program::{Program, StageKind};
use lanescope_spirv::edit::Editor;
use lanescope_spirv::enums::{Capability, Op, StorageClass};
use lanescope_spirv::{Module, Type};

/// Name prefix of widened variables, followed by the location.
const WIDE: &str = "wide";

/// The program with every narrow varying between stages widened that packs; absent if there is none.
pub(super) fn widen(program: &Program) -> Result<Option<Program>, RewriteError> {
    let stages = Stages::of(program);
    let to_fragment = Linkage::of(&stages, ProducerChoice::Auto);
    let inner = Linkage::inner(&stages);
    let alone = if to_fragment.is_none() { Producer::of(&stages, &PRODUCERS) } else { None };
    let linkages = || to_fragment.iter().chain(&inner);
    let producers = || linkages().filter_map(|linkage| linkage.producer.as_ref()).chain(&alone);
    if let Some(mesh) = producers().find(|producer| producer.stage == StageKind::Mesh) {
        let sides = linkages().map(|linkage| &linkage.consumer.interface).chain([&mesh.interface]);
        if let Some(scalar) = sides.flat_map(|side| &side.scalars).find(|scalar| scalar.bits < 32) {
            // A mesh shader's outputs are memory that other invocations see: they cannot be kept back to the end.
            return Err(RewriteError::Type { variable: (*scalar.name).to_owned() });
        }
    }
    let mut out = program.clone();
    let mut any = false;
    for consumer in linkages().map(|linkage| &linkage.consumer) {
        any |= widen_inputs(&mut out, consumer)?;
    }
    for producer in producers() {
        any |= widen_outputs(&mut out, producer)?;
    }
    Ok(any.then_some(out))
}

fn widen_inputs(out: &mut Program, consumer: &Consumer) -> Result<bool, RewriteError> {
    let Some(stage) = out.stage(consumer.stage).cloned() else { return Ok(false) };
    let wide = Wide::of(&consumer.interface, out.module_of(&stage))?;
    if wide.moved.is_empty() {
        return Ok(false);
    }
    check_shared(out.module_of(&stage), &stage, &wide.moved)?;
    let inputs = consumer::Inputs {
        prefix: WIDE,
        moved: &wide.moved,
        variables: &wide.variables,
        slots: &wide.slots,
        loses_sample: loses_sample(&consumer.interface, &wide.moved, &wide.variables),
    };
    replace(out, &stage, |module, entry| without_capability(consumer::rewrite(module, entry, &inputs)?))?;
    Ok(true)
}

fn widen_outputs(out: &mut Program, producer: &Producer) -> Result<bool, RewriteError> {
    let Some(stage) = out.stage(producer.stage).cloned() else { return Ok(false) };
    let interface = &producer.interface;
    let wide = Wide::of(interface, out.module_of(&stage))?;
    let is_kept = |scalar: &Scalar| scalar.captured || scalar.stream != producer.raster_stream;
    let named = |moved: &&Moved| interface.scalars.iter().any(|s| is_kept(s) && variable(interface, s) == moved.id);
    if let Some(captured) = wide.moved.iter().find(named) {
        return Err(RewriteError::Captured { variable: captured.name.clone() });
    }
    if wide.moved.is_empty() {
        return Ok(false);
    }
    check_shared(out.module_of(&stage), &stage, &wide.moved)?;
    let parts: BTreeMap<Slot, Part> = wide.slots.iter().map(|(part, slot)| (*slot, *part)).collect();
    let outputs = producer::Outputs {
        prefix: WIDE,
        stage: producer.stage,
        stream: producer.raster_stream,
        moved: &wide.moved,
        kept: &[],
        variables: &wide.variables,
        parts: &parts,
    };
    replace(out, &stage, |module, entry| without_capability(producer::rewrite(module, entry, &outputs)?))?;
    Ok(true)
}

fn variable(interface: &Interface, scalar: &Scalar) -> Id {
    interface.variables[scalar.variable].id
}

/// The narrow variables of one side, and the wide ones in their place.
#[derive(Default)]
struct Wide {
    moved: Vec<Moved>,
    variables: Vec<PackedVariable>,
    slots: BTreeMap<Part, Slot>,
}

impl Wide {
    fn of(interface: &Interface, module: &Module) -> Result<Wide, RewriteError> {
        let mut out = Wide::default();
        let shapes = Shapes::of(module);
        let narrow: BTreeSet<usize> =
            interface.scalars.iter().filter(|scalar| scalar.bits < 32).map(|scalar| scalar.variable).collect();
        let scalars: BTreeMap<Part, &Scalar> = plan::parts(interface).collect();
        for index in narrow {
            let moved = moved(interface, index);
            let nodes = values::nodes(module, &shapes, moved.ty);
            let nodes = nodes.ok_or_else(|| RewriteError::Type { variable: moved.name.clone() })?;
            debug_assert!(nodes.len() <= MAX_LEAVES as usize);
            for node in nodes {
                let parts = (0..node.count).flat_map(|c| [0, 1].map(|dword| (moved.id, node.leaf + c, dword)));
                for (part, scalar) in parts.filter_map(|part| Some((part, *scalars.get(&part)?))) {
                    out.add(part, scalar, plan::mode(interface, scalar), node.leaf);
                }
            }
            out.moved.push(moved);
        }
        Ok(out)
    }

    /// Gives a scalar its place as written: after the one before it in its vector, or in a variable of its own.
    fn add(&mut self, part: Part, scalar: &Scalar, mode: plan::Mode, first_leaf: u32) {
        let (location, component) = (scalar.place.location.0, u32::from(scalar.place.component.0));
        let base = Base { float: scalar.float, signed: scalar.signed, bits: 32 };
        let starts = part.1 == first_leaf && part.2 == 0;
        let last = self.variables.len().checked_sub(1);
        let index = match self.variables.last_mut() {
            Some(v) if !starts && v.location == location && v.component + v.count == component => {
                v.count += 1;
                last.unwrap_or_default()
            }
            _ => {
                self.variables.push(PackedVariable { location, component, count: 1, base, mode });
                self.variables.len() - 1
            }
        };
        self.slots.insert(part, (index, component - self.variables[index].component));
    }
}

/// Without the capability for 16-bit interfaces, where no input or output needs it any more.
fn without_capability(module: Module) -> Result<Module, RewriteError> {
    let is_interface = |class: u32| class == StorageClass::Input as u32 || class == StorageClass::Output as u32;
    let needed = module.globals().any(|inst| {
        let pointee = || inst.result_type().and_then(|ty| module.pointee(ty));
        inst.op() == Some(Op::Variable)
            && is_interface(inst.word_at(3))
            && pointee().is_some_and(|ty| is_narrow(&module, ty))
    });
    if needed {
        return Ok(module);
    }
    let mut editor = Editor::new(&module);
    for inst in module.insts().take_while(|inst| inst.op() == Some(Op::Capability)) {
        if inst.word_at(1) == Capability::StorageInputOutput16 as u32 {
            editor.replace(inst.index, Vec::new());
        }
    }
    Ok(editor.finish()?)
}

/// Whether a type holds numbers of less than 32 bits.
fn is_narrow(module: &Module, ty: Id) -> bool {
    let (mut work, mut seen) = (vec![ty], BTreeSet::new());
    while let Some(ty) = work.pop() {
        if !seen.insert(ty) {
            continue;
        }
        match module.ty(ty) {
            Some(Type::Int { bits, .. } | Type::Float { bits } | Type::OtherFloat { bits, .. }) if bits < 32 => {
                return true;
            }
            Some(Type::Vector { component, .. }) => work.push(component),
            Some(Type::Matrix { column, .. }) => work.push(column),
            Some(Type::Array { element, .. } | Type::RuntimeArray { element }) => work.push(element),
            Some(Type::Struct { members }) => work.extend(members.iter().map(|&member| Id(member))),
            _ => {}
        }
    }
    false
}
