//! What a value consists of, without its contents: a client asks for the parts that it shows.

use super::{Debugger, memory};
use crate::program::Shown;
use crate::types::{Kind, Ty};
use lanescope_base::ids::Id;

/// The type of a value, and its parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shape {
    /// The type, as it is named in lists of variables.
    pub ty: String,
    /// The parts.
    pub children: Children,
}

/// The parts of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Children {
    /// A scalar has none.
    None,
    /// Components, columns, elements or descriptors, by index.
    Indexed(u64),
    /// Members: their names, in order.
    Named(Vec<String>),
}

impl Debugger {
    /// What the value at a path of indices in an id consists of: of a value in registers, or of a variable that leads to
    /// memory. Absent where the id is neither, or the path leads out of it.
    pub fn shape(&self, id: Id, path: &[u32]) -> Option<Shape> {
        let program = &self.machine.setup.program;
        let (ty, elements) = match program.values.get(&id) {
            Some(Shown::Value(_, ty) | Shown::Variable(_, ty)) => {
                let element = |ty: Ty, &index: &u32| program.types.element(ty, index).map(|(_, element)| element);
                (path.iter().try_fold(*ty, element)?, None)
            }
            None => memory::shape(&self.machine, id, path)?,
        };
        Some(self.shape_of(ty, elements))
    }

    /// `elements` is the number of elements of an array whose type does not have it.
    fn shape_of(&self, ty: Ty, elements: Option<u64>) -> Shape {
        let program = &self.machine.setup.program;
        let (types, module) = (&program.types, &program.module);
        let id = types.info(ty).id;
        let children = match types.kind_of(ty) {
            Kind::Struct { members, .. } => {
                let name = |at: u32| {
                    let name = module.member_name(id, at).filter(|name| !name.is_empty());
                    name.map_or_else(|| format!("[{at}]"), str::to_owned)
                };
                Children::Named((0..members.len() as u32).map(name).collect())
            }
            Kind::RuntimeArray { .. } => Children::Indexed(elements.unwrap_or(0)),
            _ => match types.count(ty) {
                0 => Children::None,
                count => Children::Indexed(u64::from(count)),
            },
        };
        Shape { ty: module.type_name(id), children }
    }
}
