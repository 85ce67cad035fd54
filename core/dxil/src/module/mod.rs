//! A module of LLVM 3.7 bitcode: types, values, functions, metadata, with the place of each in the file.
//!
//! Values are numbered as the bitcode numbers them: globals and functions in the order of their records, then the
//! module's constants; inside a function its arguments, its constants, and each instruction with a result continue from
//! there. [`Module::value`] takes such a number and its function.

mod attributes;
mod constant;
mod function;
mod instruction;
mod layout;
mod metadata;
mod names;
mod read;
mod types;

pub use attributes::Attributes;
pub use constant::Constant;
pub use function::{Attachment, BasicBlock, Body, DebugLocation};
pub use instruction::{Atomic, BinaryOp, Call, CastOp, Instruction, Kind, Operand, Predicate};
pub(crate) use layout::DataLayout;
pub use metadata::{Metadata, Node, NodeKind};
pub use names::Names;
pub(crate) use names::symbol;
pub use types::{Type, TypeId, Types};

use super::error::Fault;
use super::ops::Tables;

/// A value's number, in the module or in one function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct ValueId(pub u32);

/// Index of a basic block in its function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockId(pub u32);

/// Number of a metadata node or string.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MetadataId(pub u32);

/// A value: its type, and what it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Value {
    /// Its type; of a global, a pointer to what it holds.
    pub ty: TypeId,
    /// Its kind.
    pub kind: ValueKind,
}

/// Kinds of values. Numbers are indices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueKind {
    /// Into [`Module::globals`].
    Global(u32),
    /// Into [`Module::functions`].
    Function(u32),
    /// An alias, which DXIL does not have.
    Alias,
    /// Into [`Module::constants`], for values of the module, or [`Body::constants`], for those of a function.
    Constant(u32),
    /// The function's argument.
    Argument(u32),
    /// Into [`Body::instructions`].
    Instruction(u32),
}

/// A global variable.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Global {
    /// Type of what it holds.
    pub ty: TypeId,
    /// Its address space: 3 is groupshared.
    pub address_space: u32,
    /// Whether it never changes.
    pub constant: bool,
    /// Its initial value, if it is defined here.
    pub initial: Option<ValueId>,
    /// Its linkage's number.
    pub linkage: u64,
    /// Its alignment in bytes, 0 where none is requested.
    pub align: u32,
    /// Its number as a value.
    pub value: ValueId,
    /// Start of its record: a bit of the file.
    pub place: u64,
}

/// A function, declared or defined.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Function {
    /// Its type: [`Type::Function`].
    pub ty: TypeId,
    /// Its attribute list, for [`Attributes::of_function`]; 0 for none.
    pub attributes: u32,
    /// Its linkage's number.
    pub linkage: u64,
    /// Its number as a value.
    pub value: ValueId,
    /// Start of its record: a bit of the file.
    pub place: u64,
    /// Its code, if it is defined here.
    pub body: Option<Box<Body>>,
}

/// A module.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Module {
    /// `dxil-ms-dx`.
    pub triple: String,
    /// The layout string.
    pub data_layout: String,
    /// Types.
    pub types: Types,
    /// Attribute lists of functions and calls.
    pub attributes: Attributes,
    /// Global variables.
    pub globals: Vec<Global>,
    /// Functions, in the order of their records.
    pub functions: Vec<Function>,
    /// Constants that the whole module sees.
    pub constants: Vec<Constant>,
    /// Values that the whole module sees, by number.
    pub values: Vec<Value>,
    /// Names of those values.
    pub names: Names,
    /// Metadata.
    pub metadata: Metadata,
    /// Block ids that no LLVM 3.7 writes and that were skipped.
    pub unknown_blocks: Vec<u32>,
    /// The op tables that the numbers of its ops are looked up in.
    pub tables: Tables,
}

impl Module {
    /// Reads bitcode whose first byte lies at `base` in the file.
    ///
    /// Errors: the first thing that is not as LLVM 3.7 writes it, with its bit in the file.
    pub fn parse(bitcode: &[u8], base: u64) -> Result<Module, Fault> {
        read::module(bitcode, base, false)
    }

    /// Like [`Module::parse`], for the metadata only: attributes and names of values are skipped.
    pub(crate) fn parse_metadata(bitcode: &[u8], base: u64) -> Result<Module, Fault> {
        read::module(bitcode, base, true)
    }

    /// The value of a number, inside a function or, without one, in the module.
    #[inline]
    pub fn value(&self, body: Option<&Body>, id: ValueId) -> Option<Value> {
        let index = id.0 as usize;
        match self.values.get(index) {
            Some(value) => Some(*value),
            None => body?.values.get(index - self.values.len()).copied(),
        }
    }

    /// The constant that a value is.
    #[inline]
    pub fn constant<'m>(&'m self, body: Option<&'m Body>, id: ValueId) -> Option<&'m Constant> {
        let ValueKind::Constant(index) = self.value(body, id)?.kind else { return None };
        if (id.0 as usize) < self.values.len() {
            self.constants.get(index as usize)
        } else {
            body?.constants.get(index as usize)
        }
    }

    /// The integer that a value is, sign-extended; 0 for a null of integer type.
    #[inline]
    pub fn integer(&self, body: Option<&Body>, id: ValueId) -> Option<i64> {
        let value = self.value(body, id)?;
        let Some(Type::Integer(_)) = self.types.get(value.ty) else { return None };
        match self.constant(body, id)? {
            Constant::Integer(value) => Some(*value),
            Constant::Null => Some(0),
            _ => None,
        }
    }

    /// The function that a value is.
    #[inline]
    pub fn function(&self, id: ValueId) -> Option<&Function> {
        let ValueKind::Function(index) = self.value(None, id)?.kind else { return None };
        self.functions.get(index as usize)
    }

    /// A name of a value of the module, escaped where it is not plain text; empty where it has none.
    #[inline]
    pub fn name(&self, id: ValueId) -> &str {
        self.names.of(id.0)
    }

    /// The name of a function.
    pub fn function_name(&self, function: &Function) -> &str {
        self.name(function.value)
    }

    /// Functions that have a body, with their bodies.
    pub fn defined(&self) -> impl Iterator<Item = (&Function, &Body)> {
        self.functions.iter().filter_map(|function| Some((function, function.body.as_deref()?)))
    }
}

#[cfg(test)]
mod tests;
