//! The stages of a program, each with its analysis.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use super::{Liveness, Shapes};
use lanescope_model::program::{Program, Stage, StageKind};

/// Every stage of a program that is analysed, in its order, each analysed once for all passes.
pub struct Stages<'p> {
    program: &'p Program,
    stages: Vec<(&'p Stage, Liveness<'p>)>,
}

impl<'p> Stages<'p> {
    /// The stages of a program. Computed lazily.
    pub fn of(program: &'p Program) -> Stages<'p> {
        let mut shapes: BTreeMap<usize, Arc<OnceLock<Shapes<'p>>>> = BTreeMap::new();
        let analysed = |stage: &'p Stage| {
            let module = &program.modules.get(stage.module)?.module;
            let shapes = shapes.entry(stage.module).or_default();
            let entry = module.entry_points().get(stage.entry_index)?;
            Some((stage, Liveness::sharing(module, entry, Arc::clone(shapes))))
        };
        Stages { program, stages: program.stages.iter().filter_map(analysed).collect() }
    }

    /// The program.
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// The first stage of that kind.
    pub fn first(&self, kind: StageKind) -> Option<&Liveness<'p>> {
        self.of_kind(kind).next().map(|(_, liveness)| liveness)
    }

    /// All stages, in their order.
    pub fn iter(&self) -> impl Iterator<Item = (&'p Stage, &Liveness<'p>)> {
        self.stages.iter().map(|(stage, liveness)| (*stage, liveness))
    }

    /// The stages of that kind.
    pub fn of_kind(&self, kind: StageKind) -> impl Iterator<Item = (&'p Stage, &Liveness<'p>)> {
        self.iter().filter(move |(stage, _)| stage.stage == kind)
    }
}
