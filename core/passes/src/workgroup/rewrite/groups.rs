//! Modules whose workgroups are swizzled in tiles: `WorkgroupId` is computed from the launch order (`group_tile`).
//!
//! The size of the dispatch is a constant of the module: it is for dispatches of that size alone.

use std::collections::BTreeSet;

use super::form::Sum;
use super::input::new_input;
use super::{RewriteError, variables};
use crate::workgroup::group_tile::applies;
use crate::workgroup::{TILE_SIDES, declared_size};
use lanescope_base::ids::Id;
use lanescope_model::program::{Program, StageKind};
use lanescope_spirv::edit::{Editor, isolated, ungrouped};
use lanescope_spirv::enums::{BuiltIn, Op, StorageClass};
use lanescope_spirv::{EntryPoint, Module};

/// What follows from a workgroup's id.
const MOVED: [BuiltIn; 2] = [BuiltIn::WorkgroupId, BuiltIn::GlobalInvocationId];

/// The program with the workgroups of its compute shaders in tiles of this side, for dispatches of so many groups. A shader
/// that does not read which workgroup it is stays as it is.
///
/// # Errors
/// [`RewriteError::NoWorkgroup`] without a compute shader, [`RewriteError::Groups`] where a dispatch of this size has no such
/// tiles, [`RewriteError::NoLayout`] without a size of the workgroup, and what a change of the module can end with.
pub fn rewrite_groups(program: &Program, tile: u32, groups: [u32; 3]) -> Result<Program, RewriteError> {
    let slice = u64::from(groups[0]) * u64::from(groups[1]);
    if !TILE_SIDES.contains(&tile) || !applies(tile, groups) || slice > u64::from(u32::MAX) {
        return Err(RewriteError::Groups { tile, groups });
    }
    let mut program = program.clone();
    let stages: Vec<_> = program.stages.iter().filter(|stage| stage.stage == StageKind::Compute).cloned().collect();
    if stages.is_empty() {
        return Err(RewriteError::NoWorkgroup);
    }
    for stage in stages {
        let Some(loaded) = program.modules.get_mut(stage.module) else { continue };
        if let Some(module) = swizzled(&loaded.module, stage.entry_index, tile, groups)? {
            loaded.module = module;
            loaded.source = None;
            loaded.includes.clear();
        }
    }
    Ok(program)
}

/// One entry point's groups swizzled; none where it reads no id of its workgroup.
fn swizzled(module: &Module, index: usize, tile: u32, groups: [u32; 3]) -> Result<Option<Module>, RewriteError> {
    let Some(entry) = module.entry_points().get(index) else { return Ok(None) };
    let found = variables(module, entry, &MOVED)?;
    if found.is_empty() {
        return Ok(None);
    }
    let size = declared_size(module, entry).ok_or_else(|| RewriteError::NoLayout {
        entry: entry.name.clone(),
        findings: "its size is not known".to_owned(),
    })?;
    let ids: BTreeSet<Id> = found.iter().map(|variable| variable.id).collect();
    let ungrouped = ungrouped(module)?;
    let module = ungrouped.as_ref().unwrap_or(module);
    let apart = isolated(module, index, &ids)?;
    let module = apart.as_ref().unwrap_or(module);
    let Some(entry) = module.entry_points().get(index) else { return Ok(None) };
    let mut editor = Editor::new(module);
    editor.privatise(&ids, &BTreeSet::new())?;
    let mut enter = Vec::new();
    let Some(start) = editor.function_start(entry.function) else { return Ok(None) };
    let code = filled(&mut editor, entry, (tile, groups, size), &found, &mut enter);
    editor.insert_before(start, &code);
    editor.change_interface(index, |id| ids.contains(&id), &enter);
    Ok(Some(editor.finish()?))
}

/// Code that computes the ids, and puts them into the variables.
fn filled(
    editor: &mut Editor<'_>,
    entry: &EntryPoint,
    (tile, groups, size): (u32, [u32; 3], [u32; 3]),
    variables: &[super::Variable],
    enter: &mut Vec<(Id, StorageClass)>,
) -> Vec<u32> {
    let (uint, mut code) = (editor.int(32, false), Vec::new());
    let uvec3 = editor.vector(uint, 3);
    let launched = new_input(editor, BuiltIn::WorkgroupId, "launched_workgroup_id", enter).load(editor, &mut code);
    let [gx, gy, gz] = [0, 1, 2].map(|at| editor.value(&mut code, Op::CompositeExtract, uint, &[launched.0, at]));
    let mut sum = Sum { editor, code: &mut code, uint };
    let rows = sum.times(gy, groups[0]);
    let launch = sum.add(rows, gx);
    let [x, y] = swizzle(&mut sum, launch, tile, groups);
    let group = editor.compose(&mut code, uvec3, &[x, y, gz]);
    for variable in variables {
        let value = match variable.built_in {
            BuiltIn::GlobalInvocationId => {
                let local = super::input::input(editor, entry, BuiltIn::LocalInvocationId, "local_id", enter);
                let local = local.load(editor, &mut code);
                let size = size.map(|side| editor.u32(side));
                let size = editor.compose(&mut code, uvec3, &size);
                let first = editor.value(&mut code, Op::IMul, uvec3, &[group.0, size.0]);
                editor.value(&mut code, Op::IAdd, uvec3, &[first.0, local.0])
            }
            _ => group,
        };
        let value = if variable.signed { editor.value(&mut code, Op::Bitcast, variable.ty, &[value.0]) } else { value };
        editor.store(&mut code, variable.id, value);
    }
    code
}

/// The id of the group that is launched as number `f` of its slice: the closed form of `group_tile::group_id`.
fn swizzle(s: &mut Sum<'_, '_>, f: Id, side: u32, [width, height, _]: [u32; 3]) -> [Id; 2] {
    let [tiles_x, tiles_y] = [width / side, height / side];
    let [tiled_x, tiled_y] = [tiles_x * side, tiles_y * side];
    let (tiled, right, below) = (tiled_x * tiled_y, (width - tiled_x) * tiled_y, height - tiled_y);

    let (tile, inside) = (s.div(f, side * side), s.modulo(f, side * side));
    let (column, row) = (s.modulo(tile, tiles_x), s.div(tile, tiles_x));
    let mut id = [(column, 0), (row, 1)].map(|(tile, shift)| {
        let (first, place) = (s.times(tile, side), s.even_bits(inside, shift, side.trailing_zeros()));
        s.add(first, place)
    });
    if right > 0 {
        let g = s.less(f, tiled);
        let (columns, rest) = (width - tiled_x, s.minus(f, tiled));
        let x = s.modulo(rest, columns);
        let other = [s.plus(x, tiled_x), s.div(rest, columns)];
        id = s.choose(g, id, other);
    }
    if below > 0 {
        let g = s.less(f, tiled + right);
        let rest = s.minus(f, tiled + right);
        let y = s.modulo(rest, below);
        let other = [s.div(rest, below), s.plus(y, tiled_y)];
        id = s.choose(g, id, other);
    }
    id
}
