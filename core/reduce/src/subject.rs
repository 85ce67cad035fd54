//! What becomes smaller.

use std::hash::{DefaultHasher, Hash};
use std::sync::{Arc, OnceLock};

use lanescope_spirv::enums::Op;
use lanescope_spirv::{Inst, Module};

use crate::change::{Change, Prepared};
use crate::passes::{PASSES, Pass};
use crate::search::Reducible;

/// The parts of a program that become smaller together.
#[derive(Debug, Clone)]
pub struct Subject {
    /// The modules.
    pub modules: Vec<Module>,
    /// Workgroups of a dispatch, where one is given.
    pub groups: Option<[u32; 3]>,
    /// Inputs of a run that are given (the others have default contents), by their places.
    pub inputs: Vec<String>,
    /// The modules as changes are tried on them, once that was asked.
    prepared: Vec<OnceLock<Option<Arc<Prepared>>>>,
}

impl PartialEq for Subject {
    fn eq(&self, other: &Subject) -> bool {
        (&self.modules, self.groups, &self.inputs) == (&other.modules, other.groups, &other.inputs)
    }
}

/// One thing to try on a subject.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Edit {
    /// A change of a module.
    Module(usize, Change),
    /// A smaller dispatch.
    Groups([u32; 3]),
    /// Default contents for an input that was given.
    Input(String),
}

/// How large a subject is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Size {
    /// Instructions in functions, apart from those that only give a function its shape: `OpFunction`,
    /// `OpFunctionParameter`, `OpFunctionEnd`, `OpLabel`, and `OpVariable`.
    pub code: usize,
    /// All instructions.
    pub instructions: usize,
}

impl Subject {
    /// A subject of modules, the dispatch and the places of inputs.
    pub fn new(modules: Vec<Module>, groups: Option<[u32; 3]>, inputs: Vec<String>) -> Subject {
        let prepared = modules.iter().map(|_| OnceLock::new()).collect();
        Subject { modules, groups, inputs, prepared }
    }

    /// A module with changes.
    fn changed(&self, index: usize, changes: &[&Change]) -> Option<Module> {
        let module = self.modules.get(index)?;
        let prepare = || Prepared::of(module).map(Arc::new);
        match self.prepared.get(index) {
            Some(prepared) => prepared.get_or_init(prepare).as_ref()?.applied(changes),
            None => prepare()?.applied(changes),
        }
    }

    /// How large it is.
    pub fn size(&self) -> Size {
        let is_code = |inst: &Inst<'_>| {
            use Op::*;
            !matches!(inst.op(), Some(Function | FunctionParameter | FunctionEnd | Label | Variable))
        };
        let code = |module: &Module| {
            let functions = module.functions().iter();
            functions.flat_map(|function| module.insts_in(function.insts.clone())).filter(is_code).count()
        };
        Size { code: self.modules.iter().map(code).sum(), instructions: self.modules.iter().map(Module::len).sum() }
    }
}

/// One step of a round: a pass over all modules, or over what the program runs with.
#[derive(Clone, Copy)]
pub enum Step {
    /// A pass over the modules.
    Modules(&'static Pass),
    /// The inputs and the dispatch of a run.
    Run,
}

impl Reducible for Subject {
    type Edit = Edit;
    type Step = Step;

    fn steps(&self) -> Vec<Step> {
        std::iter::once(Step::Run).chain(PASSES.iter().map(Step::Modules)).collect()
    }

    fn name(step: Step) -> &'static str {
        match step {
            Step::Modules(pass) => pass.name,
            Step::Run => "run",
        }
    }

    fn edits(&self, step: Step) -> Vec<Edit> {
        match step {
            Step::Modules(pass) => {
                let of_module = |(index, module)| {
                    let changes = (pass.find)(module);
                    changes.into_iter().map(move |change| Edit::Module(index, change))
                };
                self.modules.iter().enumerate().flat_map(of_module).collect()
            }
            Step::Run => {
                let inputs = self.inputs.iter().cloned().map(Edit::Input);
                inputs.chain(smaller(self.groups).into_iter().map(Edit::Groups)).collect()
            }
        }
    }

    fn with(&self, edits: &[Edit]) -> Option<Subject> {
        let mut out = self.clone();
        for index in 0..self.modules.len() {
            let of_module = |edit: &'_ Edit| matches!(edit, Edit::Module(of, _) if *of == index);
            let changes: Vec<&Change> = edits
                .iter()
                .filter(|edit| of_module(edit))
                .filter_map(|edit| match edit {
                    Edit::Module(_, change) => Some(change),
                    _ => None,
                })
                .collect();
            if !changes.is_empty() {
                out.modules[index] = self.changed(index, &changes)?;
                if let Some(prepared) = out.prepared.get_mut(index) {
                    *prepared = OnceLock::new();
                }
            }
        }
        for edit in edits {
            match edit {
                Edit::Module(..) => {}
                Edit::Groups(groups) => out.groups = Some(*groups),
                Edit::Input(place) => out.inputs.retain(|input| input != place),
            }
        }
        (out != *self).then_some(out)
    }

    fn hash_into(&self, hasher: &mut DefaultHasher) {
        self.modules.iter().for_each(|module| module.words().hash(hasher));
        (&self.groups, &self.inputs).hash(hasher);
    }
}

/// Smaller dispatches, the smallest one first.
fn smaller(groups: Option<[u32; 3]>) -> Vec<[u32; 3]> {
    let Some(groups) = groups.filter(|groups| *groups != [1; 3]) else { return Vec::new() };
    let mut out = vec![[1; 3]];
    for axis in 0..3 {
        for size in [1, groups[axis] / 2] {
            let mut one = groups;
            one[axis] = size.max(1);
            if one != groups && !out.contains(&one) {
                out.push(one);
            }
        }
    }
    out
}
