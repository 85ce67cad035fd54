//! Types, read from their instructions.

use super::enums::{FPEncoding, Op, StorageClass};
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
    /// A floating-point number of IEEE 754's encoding.
    Float {
        /// Width in bits.
        bits: u32,
    },
    /// A floating-point number of another encoding, such as `bfloat16`.
    OtherFloat {
        /// Width in bits.
        bits: u32,
        /// The number of its encoding.
        encoding: u32,
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

/// How long an array is in one dimension.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dimension {
    /// A constant.
    Length(u64),
    /// A constant whose value is not known here.
    Unevaluated,
    /// It is known only at run time.
    Runtime,
}

/// What arrays, of any number of dimensions, are arrays of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Peeled {
    /// The type, which is no array.
    pub element: Id,
    /// The dimensions, the outermost one first; none where the type was no array.
    pub dimensions: Vec<Dimension>,
}

impl Peeled {
    /// The number of elements, as large as it fits: a length whose value is not known counts as 1, one that is known
    /// only at run time as `runtime`.
    pub fn count(&self, runtime: u64) -> u64 {
        let length = |dimension: &Dimension| match dimension {
            Dimension::Length(length) => *length,
            Dimension::Unevaluated => 1,
            Dimension::Runtime => runtime,
        };
        self.dimensions.iter().map(length).fold(1, u64::saturating_mul)
    }

    /// Whether a dimension is known only at run time.
    pub fn is_runtime(&self) -> bool {
        self.dimensions.contains(&Dimension::Runtime)
    }
}

/// Dimensions of an array that are followed: as many as structures may be nested in SPIR-V, which has no limit of its
/// own for arrays. In a broken module, an array may contain itself.
const MAX_DIMENSIONS: usize = 255;

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
            Op::TypeFloat => match self.words.get(3) {
                None => Type::Float { bits: self.word_at(2) },
                Some(&encoding) => Type::OtherFloat { bits: self.word_at(2), encoding },
            },
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

    /// A type without its arrays; absent where it is an array of more dimensions than are followed, or one that contains
    /// itself.
    pub fn peeled(&self, ty: Id) -> Option<Peeled> {
        let mut out = Peeled { element: ty, dimensions: Vec::new() };
        loop {
            let (element, dimension) = match self.ty(out.element) {
                Some(Type::Array { element, length }) => {
                    let length = self.constant(length);
                    (element, length.map_or(Dimension::Unevaluated, |length| Dimension::Length(length.bits)))
                }
                Some(Type::RuntimeArray { element }) => (element, Dimension::Runtime),
                _ => return Some(out),
            };
            if out.dimensions.len() == MAX_DIMENSIONS {
                return None;
            }
            out.element = element;
            out.dimensions.push(dimension);
        }
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
            Some(Type::OtherFloat { bits, encoding }) => other_float_name(bits, encoding),
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

/// `bfloat16`, `floate4m3`: the names of GLSL, without their ending.
fn other_float_name(bits: u32, encoding: u32) -> String {
    match (FPEncoding::from_u32(encoding), bits) {
        (Some(FPEncoding::BFloat16KHR), 16) => "bfloat16".to_owned(),
        (Some(FPEncoding::Float8E4M3EXT), 8) => "floate4m3".to_owned(),
        (Some(FPEncoding::Float8E5M2EXT), 8) => "floate5m2".to_owned(),
        _ => format!("float{bits} of encoding {encoding}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings_other_than_ieee_are_types_of_their_own() {
        let encodings =
            [FPEncoding::BFloat16KHR, FPEncoding::Float8E4M3EXT, FPEncoding::Float8E5M2EXT].map(|e| e as u32);
        let rows = [(1, 16, encodings[0]), (2, 8, encodings[1]), (3, 8, encodings[2]), (4, 16, 99)];
        let insts =
            rows.iter().flat_map(|(id, bits, encoding)| [4 << 16 | Op::TypeFloat as u32, *id, *bits, *encoding]);
        // A specialization constant with the bits of 1.5 as `bfloat16`, which are 1.9375 as an IEEE half.
        let constant = [4 << 16 | Op::SpecConstant as u32, 1, 6, 0x3fc0];
        let plain = [3 << 16 | Op::TypeFloat as u32, 5, 16];
        let head = [0x0723_0203, 0x0001_0600, 0, 9, 0];
        let decoration = [4 << 16 | Op::Decorate as u32, 6, 1, 0];
        let words = head.into_iter().chain(decoration).chain(insts).chain(plain).chain(constant).collect();
        let module = Module::parse(words).expect("a module");
        let names: Vec<String> = (1..=5).map(|id| module.type_name(Id(id))).collect();
        assert_eq!(names, ["bfloat16", "floate4m3", "floate5m2", "float16 of encoding 99", "float16"]);
        assert_eq!(module.ty(Id(1)), Some(Type::OtherFloat { bits: 16, encoding: encodings[0] }));
        assert_eq!(module.ty(Id(5)), Some(Type::Float { bits: 16 }));
        let declared = &module.spec_constants()[0];
        assert_eq!((declared.type_name.as_str(), declared.value.as_str()), ("bfloat16", "0x3fc0"));
        // Its name stands for no type of which a value could be given by its text.
        assert!(!crate::specialise::is_value_of("bfloat16", "1.5"));
    }

    #[test]
    fn arrays_end_or_are_not_peeled() {
        let array = |id, element, length| [4 << 16 | Op::TypeArray as u32, id, element, length];
        let runtime = |id, element| [3 << 16 | Op::TypeRuntimeArray as u32, id, element];
        let int = [4 << 16 | Op::TypeInt as u32, 1, 64, 0];
        // Its value is 2 to the power of 33, and more than 32 bits.
        let long = [5 << 16 | Op::Constant as u32, 1, 2, 0, 2];
        // No value is known of this one.
        let quotient = [6 << 16 | Op::SpecConstantOp as u32, 1, 3, Op::UDiv as u32, 2, 20];
        let own =
            [array(9, 9, 2).to_vec(), runtime(10, 10).to_vec(), array(11, 12, 2).to_vec(), runtime(12, 11).to_vec()];
        let chain = (100..=355).flat_map(|id| array(id + 1, if id == 100 { 1 } else { id }, 3));
        let head = vec![0x0723_0203, 0x0001_0600, 0, 400, 0];
        let words = [head, int.to_vec(), long.to_vec(), quotient.to_vec(), array(4, 1, 2).to_vec()];
        let more = [array(5, 4, 3).to_vec(), runtime(6, 5).to_vec(), own.concat(), chain.collect()];
        let module = Module::parse([words.concat(), more.concat()].concat()).expect("a module");
        let peeled = |id: u32| module.peeled(Id(id)).map(|of| (of.element.0, of.count(4), of.is_runtime()));
        assert_eq!(peeled(1), Some((1, 1, false)));
        assert_eq!(peeled(4), Some((1, 1 << 33, false)));
        assert_eq!(peeled(5), Some((1, 1 << 33, false)));
        assert_eq!(peeled(6), Some((1, 1 << 35, true)));
        let all = module.peeled(Id(6)).map(|of| of.dimensions);
        assert_eq!(all, Some(vec![Dimension::Runtime, Dimension::Unevaluated, Dimension::Length(1 << 33)]));
        assert_eq!([9, 10, 11, 12, 356].map(peeled), [None; 5], "some contain themselves, one is too deep");
        assert_eq!(peeled(355), Some((1, 1, false)));
    }
}
