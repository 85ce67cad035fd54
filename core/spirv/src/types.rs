//! Types, read from their instructions.

use super::enums::{Op, StorageClass};
use super::module::{Inst, Module};
use lanescope_base::ids::Id;

/// A type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Type<'m> {
    /// `void`.
    Void,
    /// `bool`.
    Bool,
    /// An integer.
    Int {
        /// Width in bits.
        bits: u32,
        /// Whether it is signed.
        signed: bool,
    },
    /// A floating-point number.
    Float {
        /// Width in bits.
        bits: u32,
    },
    /// A vector.
    Vector {
        /// Type of a component.
        component: Id,
        /// Number of components.
        count: u32,
    },
    /// A matrix.
    Matrix {
        /// Type of a column.
        column: Id,
        /// Number of columns.
        count: u32,
    },
    /// An array.
    Array {
        /// Type of an element.
        element: Id,
        /// The constant that contains its length.
        length: Id,
    },
    /// An array whose length is known only at run time.
    RuntimeArray {
        /// Type of an element.
        element: Id,
    },
    /// A structure.
    Struct {
        /// Ids of its members' types.
        members: &'m [u32],
    },
    /// A pointer.
    Pointer {
        /// Its storage class.
        class: Option<StorageClass>,
        /// The pointee type.
        pointee: Id,
    },
    /// Any other type.
    Other(Op),
}

impl<'m> Inst<'m> {
    /// Whether it declares a variable, typed or untyped.
    pub fn is_variable(&self) -> bool {
        matches!(self.op(), Some(Op::Variable | Op::UntypedVariableKHR))
    }

    /// The type that it declares, if it declares one.
    pub fn ty(&self) -> Option<Type<'m>> {
        Some(match self.op()? {
            Op::TypeVoid => Type::Void,
            Op::TypeBool => Type::Bool,
            Op::TypeInt => Type::Int { bits: self.word_at(2), signed: self.word_at(3) != 0 },
            Op::TypeFloat => Type::Float { bits: self.word_at(2) },
            Op::TypeVector => Type::Vector { component: self.id_at(2), count: self.word_at(3) },
            Op::TypeMatrix => Type::Matrix { column: self.id_at(2), count: self.word_at(3) },
            Op::TypeArray => Type::Array { element: self.id_at(2), length: self.id_at(3) },
            Op::TypeRuntimeArray => Type::RuntimeArray { element: self.id_at(2) },
            Op::TypeStruct => Type::Struct { members: self.words_from(2) },
            Op::TypePointer => Type::Pointer { class: StorageClass::from_u32(self.word_at(2)), pointee: self.id_at(3) },
            op if self.result().is_some() && self.result_type().is_none() => Type::Other(op),
            _ => return None,
        })
    }
}

impl Module {
    /// The type that an id names, if it names one.
    #[inline]
    pub fn ty(&self, id: Id) -> Option<Type<'_>> {
        self.def(id)?.ty()
    }

    /// The pointee type of a pointer value or a pointer type. An untyped pointer has one where it is a variable that
    /// names the type of its data.
    pub fn pointee(&self, id: Id) -> Option<Id> {
        let inst = self.def(id)?;
        if inst.op() == Some(Op::UntypedVariableKHR) {
            return inst.words.get(4).map(|&word| Id(word));
        }
        let ty = inst.result_type().unwrap_or(id);
        match self.ty(ty)? {
            Type::Pointer { pointee, .. } => Some(pointee),
            _ => None,
        }
    }

    /// The storage class of a pointer value, typed or not.
    pub fn pointer_class(&self, pointer: Id) -> Option<StorageClass> {
        let ty = self.def(self.type_of(pointer)?)?;
        match ty.op()? {
            Op::TypePointer | Op::TypeUntypedPointerKHR => StorageClass::from_u32(ty.word_at(2)),
            _ => None,
        }
    }

    /// Whether a pointer value names no type of what it points to.
    pub fn is_untyped_pointer(&self, pointer: Id) -> bool {
        let ty = self.type_of(pointer).and_then(|ty| self.def(ty));
        ty.is_some_and(|ty| ty.op() == Some(Op::TypeUntypedPointerKHR))
    }

    /// The length of an array type; absent where it is not a constant that can be evaluated.
    pub fn array_length(&self, length: Id) -> Option<u32> {
        self.constant(length).and_then(|c| c.as_u32())
    }

    /// The type's name as shading languages write it: `float32`, `uint16`, `vec3 of float32`.
    pub fn type_name(&self, id: Id) -> String {
        self.type_name_within(id, 8)
    }

    fn type_name_within(&self, id: Id, depth: u32) -> String {
        let Some(depth) = depth.checked_sub(1) else { return "…".to_owned() };
        match self.ty(id) {
            Some(Type::Void) => "void".to_owned(),
            Some(Type::Bool) => "bool".to_owned(),
            Some(Type::Int { bits, signed }) => format!("{}{bits}", if signed { "int" } else { "uint" }),
            Some(Type::Float { bits }) => format!("float{bits}"),
            Some(Type::Vector { component, count }) => format!("{}x{count}", self.type_name_within(component, depth)),
            Some(Type::Matrix { column, count }) => {
                format!("{count} columns of {}", self.type_name_within(column, depth))
            }
            Some(Type::Array { element, length }) => {
                let length = self.array_length(length).map_or("?".to_owned(), |n| n.to_string());
                format!("{}[{length}]", self.type_name_within(element, depth))
            }
            Some(Type::RuntimeArray { element }) => format!("{}[]", self.type_name_within(element, depth)),
            Some(Type::Struct { .. }) => self.name(id).map_or_else(|| format!("struct %{id}"), str::to_owned),
            Some(Type::Pointer { pointee, .. }) => format!("pointer to {}", self.type_name_within(pointee, depth)),
            Some(Type::Other(op)) => format!("{op:?}"),
            None => format!("%{id}"),
        }
    }
}
