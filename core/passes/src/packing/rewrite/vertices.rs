//! Inputs of one value per vertex, in tessellation control and geometry shaders: each read is rebuilt in its place from
//! the packed inputs of the vertex that it names, so that vertices that are not read are not touched.

use std::collections::BTreeSet;

use super::consumer::{Call, Consumer, Values, chain, leads_to};
use super::values::Node;
use super::{RewriteError, sides::Moved};
use lanescope_base::ids::Id;
use lanescope_spirv::edit::Escape;
use lanescope_spirv::enums::{Op, StorageClass};
use lanescope_spirv::{InstId, Module, Type};

/// Maximum number of vectors that are rebuilt, in all reads of a module.
const MAX_REBUILT: usize = 1 << 18;

/// The loads from these variables.
pub(super) fn reads(module: &Module, variables: &BTreeSet<Id>) -> Vec<Call> {
    let functions = module.functions().iter().flat_map(|f| module.insts_in(f.insts.clone()));
    let loads = functions.filter(|inst| inst.op() == Some(Op::Load)).filter_map(|inst| {
        let (variable, indices) = chain(module, inst.id_at(3))?;
        variables.contains(&variable).then_some(Call { inst: inst.index, variable, indices })
    });
    loads.collect()
}

/// Puts code in the place of each read.
pub(super) fn rebuild(consumer: &mut Consumer<'_, '_>, reads: &[Call]) -> Result<(), RewriteError> {
    let mut left = MAX_REBUILT;
    for read in reads {
        let module = consumer.editor.module();
        let inst = module.inst(read.inst);
        let (Some(result), Some(ty)) = (inst.result(), inst.result_type()) else { continue };
        let Some((moved, nodes)) = consumer.nodes.get(&read.variable).cloned() else { continue };
        let vertices = if read.indices.is_empty() { moved.vertices.unwrap_or(1) as usize } else { 1 };
        left = left.checked_sub(nodes.len().saturating_mul(vertices)).ok_or_else(|| {
            RewriteError::from(Escape::at(&inst, format!("more than {MAX_REBUILT} vectors would be read again")))
        })?;
        let mut at = Rebuild { consumer, moved, nodes: &nodes, inst: read.inst, code: Vec::new() };
        let value = match read.indices.split_first() {
            Some((&vertex, path)) => at.part(vertex, path, ty)?,
            None => at.every_vertex(ty)?,
        };
        let mut code = at.code;
        consumer.editor.value_as(&mut code, result, Op::CopyObject, ty, &[value.0]);
        consumer.editor.replace(read.inst, code);
    }
    Ok(())
}

/// One read that is rebuilt.
struct Rebuild<'r, 'a, 'm> {
    consumer: &'r mut Consumer<'a, 'm>,
    moved: &'a Moved,
    nodes: &'r [Node],
    inst: InstId,
    code: Vec<u32>,
}

impl Rebuild<'_, '_, '_> {
    /// The whole input: an array of vertices.
    fn every_vertex(&mut self, ty: Id) -> Result<Id, RewriteError> {
        let mut vertices = Vec::new();
        for vertex in 0..self.moved.vertices.unwrap_or(0) {
            let vertex = self.consumer.editor.u32(vertex);
            vertices.push(self.value(vertex, &mut Vec::new(), self.moved.ty, &mut Values::new())?);
        }
        let operands: Vec<u32> = vertices.iter().map(|id| id.0).collect();
        Ok(self.consumer.editor.value(&mut self.code, Op::CompositeConstruct, ty, &operands))
    }

    /// The part of one vertex that indices select.
    fn part(&mut self, vertex: Id, path: &[Id], ty: Id) -> Result<Id, RewriteError> {
        let module = self.consumer.editor.module();
        let steps: Vec<Option<u32>> =
            path.iter().map(|&index| module.constant(index).and_then(|c| c.as_u32())).collect();
        let loaded = &mut Values::new();
        if let Some(fixed) = steps.iter().copied().collect::<Option<Vec<u32>>>() {
            // One step further than a vector is a component.
            if let Some(node) = self.nodes.iter().find(|node| node.path.len() < fixed.len() && leads_to(&steps, node)) {
                let node = node.clone();
                let vector = self.value(vertex, &mut node.path.clone(), node.ty, loaded)?;
                let component = fixed.get(node.path.len()).copied().unwrap_or_default();
                return Ok(self.consumer.editor.value(
                    &mut self.code,
                    Op::CompositeExtract,
                    ty,
                    &[vector.0, component],
                ));
            }
            return self.value(vertex, &mut fixed.clone(), ty, loaded);
        }
        // The whole vertex, then the element that the indices mean. All of it stays used, as the hardware's compiler
        // has it for dynamic indices: a second rewrite finds what the first one found.
        let scratch = self.consumer.scratch(self.moved.id, self.moved);
        for node in self.nodes {
            let value = self.value(vertex, &mut node.path.clone(), node.ty, loaded)?;
            let editor = &mut self.consumer.editor;
            let place = editor.part(&mut self.code, StorageClass::Private, scratch, &node.path, node.ty);
            editor.store(&mut self.code, place, value);
        }
        let editor = &mut self.consumer.editor;
        let pointer = editor.pointer(StorageClass::Private, ty);
        let operands: Vec<u32> = std::iter::once(scratch).chain(path.iter().copied()).map(|id| id.0).collect();
        let chosen = editor.value(&mut self.code, Op::AccessChain, pointer, &operands);
        Ok(editor.load(&mut self.code, ty, chosen))
    }

    /// A part of one vertex, of any type: its vectors from the packed inputs, zero where nothing of them is passed.
    fn value(&mut self, vertex: Id, path: &mut Vec<u32>, ty: Id, loaded: &mut Values) -> Result<Id, RewriteError> {
        let module = self.consumer.editor.module();
        if let Some(node) = self.nodes.iter().find(|node| node.path == *path).cloned() {
            let mut whole = |this: &mut Consumer<'_, '_>, code: &mut Vec<u32>, index: usize| {
                if let Some(&known) = loaded.get(&index) {
                    return known;
                }
                let (id, ty) = (this.declared[index].id, this.declared[index].ty);
                let pointer = this.editor.pointer(StorageClass::Input, ty);
                let at = this.editor.value(code, Op::AccessChain, pointer, &[id.0, vertex.0]);
                let value = this.editor.load(code, ty, at);
                loaded.insert(index, value);
                value
            };
            let found = self.consumer.node(&mut self.code, self.moved, &node, None, &mut whole)?;
            return Ok(found.unwrap_or_else(|| self.consumer.editor.null(node.ty)));
        }
        let parts: Vec<Id> = match module.ty(ty) {
            Some(Type::Struct { members }) => members.iter().map(|&member| Id(member)).collect(),
            Some(Type::Matrix { column, count }) => vec![column; count as usize],
            Some(Type::Array { element, length }) => {
                vec![element; module.array_length(length).unwrap_or(0).min(crate::liveness::MAX_LEAVES) as usize]
            }
            _ => return Err(Escape::at(&module.inst(self.inst), "reads a type other than the declared one").into()),
        };
        let mut values = Vec::new();
        for (index, part) in (0u32..).zip(parts) {
            path.push(index);
            values.push(self.value(vertex, path, part, loaded)?.0);
            path.pop();
        }
        Ok(self.consumer.editor.value(&mut self.code, Op::CompositeConstruct, ty, &values))
    }
}
