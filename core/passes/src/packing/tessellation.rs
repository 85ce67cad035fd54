//! The interface between the tessellation stages. LLPC packs nothing there: the locations that are read are renumbered.

use super::Interpolation;
use super::interface::{Arrayed, Interface};
use super::link::{Consumer, Linkage, Producer};
use crate::liveness::{LeafSet, Liveness, Stages};
use lanescope_base::ids::Id;
use lanescope_model::program::StageKind;
use lanescope_spirv::Type;
use lanescope_spirv::enums::StorageClass;

impl Linkage {
    /// The interface from a tessellation control to an evaluation shader, where both were loaded: what there is for each
    /// vertex, then what there is for the patch, where there is something. Their locations are numbered apart.
    pub fn tessellation(stages: &Stages<'_>) -> Vec<Linkage> {
        let side = |per_patch: bool| {
            let live = stages.first(StageKind::TessEval)?;
            let mut producer = Producer::of(stages, &[StageKind::TessControl])?;
            let mut interface = Interface::of(live, StorageClass::Input, Arrayed::PerVertex);
            for interface in [&mut interface, &mut producer.interface] {
                let Interface { variables, scalars } = interface;
                scalars.retain(|scalar| variables[scalar.variable].per_vertex.is_none() == per_patch);
                for scalar in scalars {
                    (scalar.interpolation, scalar.centroid, scalar.sample) =
                        (Interpolation::Uninterpolated, false, false);
                }
            }
            producer.find_written();
            let mut consumer = Consumer::of(StageKind::TessEval, live, interface);
            if per_patch {
                for (variable, used) in consumer.interface.variables.iter().zip(&mut consumer.used) {
                    *used = whole_members(live, variable.ty, used);
                }
            }
            let is_empty = consumer.interface.scalars.is_empty() && producer.interface.scalars.is_empty();
            (!is_empty).then_some(Linkage { consumer, producer: Some(producer), behind_geometry: false, per_patch })
        };
        [false, true].into_iter().filter_map(side).collect()
    }
}

/// What a driver's compiler keeps of a patch's variable that is read: all of it, or of a block each member that is read.
fn whole_members(live: &Liveness<'_>, ty: Id, used: &LeafSet) -> LeafSet {
    let shapes = live.shapes();
    let members = match live.module().ty(ty) {
        Some(Type::Struct { members }) => members.len() as u32,
        _ => return if used.is_empty() { LeafSet::default() } else { shapes.all(ty) },
    };
    let mut out = LeafSet::default();
    let ranges = (0..members).map(|member| shapes.range(ty, [member]));
    ranges.filter(|range| !used.within(range.clone()).is_empty()).for_each(|range| {
        out.add(&LeafSet::range(range));
    });
    out
}
