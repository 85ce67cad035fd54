//! Names and what they mean: values in registers, and variables that lead to memory.

use super::super::{Debugger, Shape, describe};
use super::{Chosen, CommandError, Session, command};
use crate::program::{Program, ResourceKind, Shown};
use crate::value::{MAX_ELEMENTS, MAX_ELEMENTS_IN_LIST, Value};
use lanescope_base::ids::Id;
use lanescope_spirv::enums::{Decoration, Op, StorageClass};

/// What a name with indices means.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Target {
    pub(super) id: Id,
    pub(super) path: Vec<u32>,
    /// It is in memory, the same for all lanes.
    pub(super) memory: bool,
}

/// What a variable is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// A variable of the function, or a value with a name in it.
    Local,
    /// A variable of the module that each invocation has for itself.
    Private,
    /// An input with a location.
    Input,
    /// A built-in input.
    BuiltIn,
    /// An output.
    Output,
    /// A workgroup variable, a payload, or an output that invocations share.
    Workgroup,
    /// Push constants.
    PushConstants,
    /// A buffer of a descriptor.
    Buffer,
}

/// A variable in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// Its name in the source, or `%12`.
    pub name: String,
    /// Its type.
    pub ty: String,
    /// What it is for.
    pub group: Group,
    /// Where it is.
    pub target: Target,
}

impl Target {
    /// Whether it is in memory, the same for all lanes.
    pub fn is_in_memory(&self) -> bool {
        self.memory
    }

    /// The id, and the indices in it.
    pub fn id_and_path(&self) -> (Id, &[u32]) {
        (self.id, &self.path)
    }

    /// A part of it.
    #[must_use]
    pub fn child(&self, index: u32) -> Target {
        let mut path = self.path.clone();
        path.push(index);
        Target { path, ..*self }
    }

    /// The value in a lane.
    pub(super) fn value(&self, debugger: &Debugger, lane: Chosen) -> Option<Value> {
        match self.memory {
            true => debugger.memory(self.id, &self.path),
            false => debugger.value_at(lane.wave, lane.lane, (self.id, &self.path), MAX_ELEMENTS),
        }
    }
}

impl Session {
    /// What a name with indices means where the chosen wave is.
    pub(super) fn target(&self, text: &str) -> Result<Target, CommandError> {
        self.find(text, self.wave_state().map_or(Id(0), |wave| wave.place.function))
    }

    /// What a name with indices means in a function: a value in registers first, then a variable that leads to memory.
    ///
    /// # Errors
    /// A name that the program does not have there.
    pub fn find(&self, text: &str, function: Id) -> Result<Target, CommandError> {
        let (name, mut path) = command::path(text);
        let program = self.debugger.machine().program();
        let in_registers = |id: &Id| program.values.contains_key(id);
        if let Some(id) = describe::find(program, function, name).filter(in_registers) {
            return Ok(Target { id, path, memory: false });
        }
        let found = describe::find_memory(program, name).ok_or_else(|| CommandError::NoName(name.to_owned()));
        let (id, member) = found?;
        path.splice(0..0, member);
        Ok(Target { id, path, memory: true })
    }

    /// A value in a lane.
    pub fn value(&self, target: &Target, lane: Chosen) -> Option<Value> {
        target.value(&self.debugger, lane)
    }

    /// A value in a lane as `print` prints it.
    pub fn text_of(&self, target: &Target, lane: Chosen) -> String {
        let value = self.value(target, lane).map(|value| value.to_string());
        value.unwrap_or_else(|| "no value: an index is out of bounds".to_owned())
    }

    /// A value in a lane as `info locals` prints it: of a large one the first elements, and how many follow. Absent where
    /// an index is out of bounds.
    pub fn short_text_of(&self, target: &Target, lane: Chosen) -> Option<String> {
        let value = match target.memory {
            true => self.debugger.memory(target.id, &target.path),
            false => self.debugger.value_at(lane.wave, lane.lane, (target.id, &target.path), MAX_ELEMENTS_IN_LIST),
        };
        value.map(|value| value.to_string())
    }

    /// What a value consists of. Absent where an index is out of bounds.
    pub fn shape(&self, target: &Target) -> Option<Shape> {
        self.debugger.shape(target.id, &target.path)
    }

    /// The variables of a function and of the module, and values with a name.
    pub fn variables(&self, function: Id) -> Vec<Listed> {
        let program = self.debugger.machine().program();
        let listed = |variable: describe::Variable, memory: bool| Listed {
            group: group(program, variable.id),
            name: variable.name,
            ty: variable.ty,
            target: Target { id: variable.id, path: Vec::new(), memory },
        };
        let registers = describe::variables(program, function).into_iter().map(|variable| listed(variable, false));
        let memory = describe::memory_variables(program).into_iter().map(|variable| listed(variable, true));
        registers.chain(memory).collect()
    }
}

fn group(program: &Program, id: Id) -> Group {
    if let Some(resource) = program.resources.iter().find(|resource| resource.id == id) {
        return match resource.kind {
            ResourceKind::Descriptor { .. } => Group::Buffer,
            ResourceKind::PushConstants => Group::PushConstants,
            ResourceKind::Workgroup { .. } | ResourceKind::Output { .. } => Group::Workgroup,
        };
    }
    let module = program.module();
    let class = module.def(id).filter(|inst| inst.op() == Some(Op::Variable)).map(|inst| inst.word_at(3));
    let is = |wanted: StorageClass| class == Some(wanted as u32);
    let is_builtin = || {
        let block = module.pointee(id);
        module.decoration(id, None, Decoration::BuiltIn).is_some()
            || block.is_some_and(|block| module.decoration(block, Some(0), Decoration::BuiltIn).is_some())
    };
    match program.values.get(&id) {
        Some(Shown::Variable(..)) if is(StorageClass::Input) && is_builtin() => Group::BuiltIn,
        Some(Shown::Variable(..)) if is(StorageClass::Input) => Group::Input,
        Some(Shown::Variable(..)) if is(StorageClass::Output) => Group::Output,
        Some(Shown::Variable(..)) if is(StorageClass::Private) => Group::Private,
        _ => Group::Local,
    }
}
