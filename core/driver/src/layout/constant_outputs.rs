//! The scalars to which the stage before the rasterizer writes one constant and nothing else, as its module shows it: of
//! vectors and scalars that are stored whole or by constant indices.

use std::collections::{BTreeMap, BTreeSet};

use lanescope_base::ids::Id;
use lanescope_model::program::{Program, StageKind};
use lanescope_passes::packing::{InterfaceScalar, Packing};
use lanescope_spirv::enums::Op;
use lanescope_spirv::{Constant, Inst, Module, Type};

/// What is stored to each component: its value, or none where that is not one constant.
type Stored = BTreeMap<u8, Option<Constant>>;

/// Instructions that use an id, or make it.
type Uses<'m> = BTreeMap<Id, Vec<Inst<'m>>>;

/// The scalars, by location and component as authored.
pub(super) fn constant_outputs(program: &Program, packing: &Packing) -> BTreeSet<(u32, u8)> {
    let before = program.stages.iter().filter(|s| s.stage.is_graphics() && s.stage != StageKind::Fragment);
    // Kinds of stages are in the order in which they run.
    let Some(module) = before.max_by_key(|stage| stage.stage).and_then(|stage| program.modules.get(stage.module))
    else {
        return BTreeSet::new();
    };
    let module = &module.module;
    let scalars = packing.interface.iter().filter(|scalar| scalar.bits == 32);
    let scalars: Vec<_> = scalars.filter_map(|scalar| Some((scalar.output_id?, scalar))).collect();
    let variables = uses(module, scalars.iter().map(|(id, _)| *id).collect());
    let chains = variables.values().flatten().filter(|inst| inst.is_access_chain()).filter_map(Inst::result);
    let chains = uses(module, chains.collect());
    let stored: BTreeMap<Id, Option<Stored>> =
        variables.iter().map(|(id, uses)| (*id, stored(module, *id, uses, &chains))).collect();
    let is_constant = |(id, scalar): &&(Id, &InterfaceScalar)| {
        let component = scalar.part.map_or(scalar.component, |part| part.component).0;
        let stored = stored.get(id).and_then(|stored| stored.as_ref()?.get(&component));
        matches!(stored, Some(Some(_)))
    };
    let own = scalars.iter().filter(is_constant);
    own.map(|(_, scalar)| (scalar.location.0, scalar.component.0)).collect()
}

/// What is stored to a variable; none of one that is no scalar or vector, or that is used otherwise.
fn stored(module: &Module, variable: Id, own: &[Inst<'_>], chains: &Uses<'_>) -> Option<Stored> {
    let count = match module.ty(module.pointee(variable)?)? {
        Type::Vector { count, .. } => u8::try_from(count).ok()?,
        Type::Int { .. } | Type::Float { .. } => 1,
        _ => return None,
    };
    let mut out = Stored::new();
    for inst in own {
        match inst.op()? {
            // A value that it has from the beginning is not looked at.
            Op::Variable if inst.words_from(4).is_empty() => {}
            Op::Load | Op::Name | Op::Decorate | Op::EntryPoint => {}
            Op::Store if inst.id_at(1) == variable => {
                (0..count).for_each(|index| add(&mut out, index, element(module, inst.id_at(2), index, count)));
            }
            _ if inst.is_access_chain() && inst.id_at(3) == variable => {
                let pointer = inst.result()?;
                component(module, inst, count, chains.get(&pointer)?, &mut out)?;
            }
            _ => return None,
        }
    }
    Some(out)
}

/// What is stored through a pointer to a component.
fn component(module: &Module, chain: &Inst<'_>, count: u8, own: &[Inst<'_>], out: &mut Stored) -> Option<()> {
    let [index] = chain.words_from(4) else { return None };
    let index = u8::try_from(module.constant(Id(*index))?.as_u32()?).ok().filter(|index| *index < count)?;
    let pointer = chain.result()?;
    for inst in own {
        match inst.op()? {
            _ if inst.result() == Some(pointer) => {}
            Op::Load | Op::Name => {}
            Op::Store if inst.id_at(1) == pointer => add(out, index, module.constant(inst.id_at(2))),
            _ => return None,
        }
    }
    Some(())
}

/// The instructions that may use ids, or that make them.
fn uses(module: &Module, ids: BTreeSet<Id>) -> Uses<'_> {
    let mut out: Uses<'_> = ids.iter().map(|id| (*id, Vec::new())).collect();
    for inst in module.insts() {
        let mut found: BTreeSet<Id> = inst.result().filter(|id| ids.contains(id)).into_iter().collect();
        module.for_each_possible_id(&inst, |used| found.extend(Some(used).filter(|used| ids.contains(used))));
        found.into_iter().for_each(|id| out.entry(id).or_default().push(inst));
    }
    out
}

/// A component of a value that is made of constants.
fn element(module: &Module, value: Id, index: u8, count: u8) -> Option<Constant> {
    if count == 1 {
        return module.constant(value);
    }
    let made = module.def(value)?;
    match made.op()? {
        Op::CompositeConstruct if made.words_from(3).len() == usize::from(count) => {
            module.constant(Id(*made.words_from(3).get(usize::from(index))?))
        }
        _ => module.constant_element(value, index.into()),
    }
}

/// Two stores of one constant are as one.
fn add(out: &mut Stored, index: u8, value: Option<Constant>) {
    let known = out.entry(index).or_insert(value);
    if *known != value {
        *known = None;
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{packing, program};
    use super::*;

    #[test]
    fn only_what_is_stored_as_one_constant_is_one() {
        let of = |vertex: &str| {
            let fragment = "layout(location = 0) in vec4 a;\nlayout(location = 1) in float b;\n\
                layout(location = 0) out vec4 o;\nvoid main() { o = a + b; }\n";
            let vertex = format!(
                "layout(location = 0) in vec4 p;\nlayout(location = 0) out vec4 a;\n\
                 layout(location = 1) out float b;\nvoid main() {{ gl_Position = p; {vertex} }}\n"
            );
            let program = lanescope_testing::program(&[("vert", &vertex), ("frag", fragment)]);
            let report = lanescope_report::analyse(&program, &Default::default()).expect("is analysed");
            let found = constant_outputs(&program, &report.packing.expect("an interface"));
            found.into_iter().map(|(location, component)| format!("{location}.{component}")).collect::<Vec<_>>()
        };
        assert_eq!(of("a = vec4(1.0, p.x, 2.0, p.y); b = 3.0;"), ["0.0", "0.2", "1.0"]);
        assert_eq!(of("a = p; a.z = 2.0; b = p.x;"), [""; 0], "the vector is stored too");
        assert_eq!(of("a.x = 1.0; a.y = p.x; a.zw = p.xy; b = p.x; b = 3.0;"), ["0.0"]);
        assert_eq!(
            of("a = vec4(1.0); if (p.x > 0.0) { a = vec4(1.0, 2.0, 1.0, 1.0); } b = 1.0;"),
            ["0.0", "0.2", "0.3", "1.0"]
        );
        assert_eq!(of("a = p; a[int(p.x)] = 2.0; b = 1.0;"), ["1.0"]);
    }

    #[test]
    fn the_samples_have_their_constants() {
        let found = constant_outputs(&program("lit_surface"), &packing("lit_surface"));
        assert_eq!(found, (0..4).map(|component| (4, component)).collect());
    }
}
