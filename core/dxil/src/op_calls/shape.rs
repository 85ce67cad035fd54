//! Whether a function's type is the prototype of an op, and with which overloads.

use crate::module::{Type, TypeId, Types};
use crate::ops::{CALLEE_PREFIX, Op, Operand, Overload, Scalar, Tables, TypeSymbol};

/// Experimental ops as they were before a compiler changed them in place.
const EARLIER: &[Earlier] = &[
    Earlier::list(14, "March 2026", &["handle", "offset", "stride", "layout"]),
    Earlier::list(20, "March 2026", &["matrix", "handle", "offset", "stride", "layout"]),
    Earlier::list(25, "March 2026", &["matrix", "inputVector", "interpretation"]),
    Earlier::list(
        26,
        "March 2026",
        &["matrix", "inputVector", "inputInterpretation", "biasVector", "biasInterpretation"],
    ),
    Earlier::list(
        26,
        "July 2026",
        &["matrix", "isOutputSigned", "inputVector", "inputInterpretation", "biasVector", "biasInterpretation"],
    ),
    Earlier::list(27, "March 2026", &["matrix", "handle", "offset", "stride", "layout"]),
    Earlier::list(28, "July 2026", &["matrix", "memory", "offset", "stride", "layout"]),
    Earlier::list(31, "July 2026", &["vector", "handle", "offset", "align"]),
    Earlier { name: Some(("IsDebuggerPresent", "isDebuggerPresent")), ..Earlier::list(34, "July 2026", &[]) },
];

/// When the public preview compiler of shader model 6.10 was built, and its name: what was replaced after that is what it
/// writes.
const PREVIEW: (&str, &str) = ("July 2026", "the 1.10.2605 preview");

struct Earlier {
    index: u16,
    until: &'static str,
    operands: &'static [&'static str],
    /// The op's name and its callee's, where they were others.
    name: Option<(&'static str, &'static str)>,
}

impl Earlier {
    const fn list(index: u16, until: &'static str, operands: &'static [&'static str]) -> Earlier {
        Earlier { index, until, operands, name: None }
    }
}

/// The earlier forms of an op.
fn earlier(op: &Op) -> impl Iterator<Item = &'static Earlier> {
    // What an op of another table was earlier is known only if it is an op of the bundled ones too.
    let is_known = Tables::bundled().slot(op.opcode).is_some_and(|own| own.name == op.name);
    let (experimental, index) = (op.is_experimental(), op.opcode.index());
    EARLIER.iter().filter(move |earlier| is_known && experimental && earlier.index == index)
}

/// The name that an op had when its callee was this one, and until when.
pub fn earlier_name(op: &Op, callee: &str) -> Option<(&'static str, &'static str)> {
    let class = callee.strip_prefix(CALLEE_PREFIX)?.split('.').next()?;
    earlier(op).find_map(|earlier| earlier.name.filter(|(_, of)| *of == class).map(|(name, _)| (name, earlier.until)))
}

/// A time until which an op had another form, in words: `July 2026, as in the 1.10.2605 preview`.
pub fn before(until: &str) -> String {
    let (time, compiler) = PREVIEW;
    if until == time { format!("{until}, as in {compiler}") } else { until.to_owned() }
}

/// How a call's function matches an op.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fit {
    /// The operands' names after the opcode, where a known list fits.
    pub operands: Option<OperandNames>,
    /// When the list that fits was replaced; absent for the one of the database.
    pub until: Option<&'static str>,
    /// The type of each overload dimension, where it could be derived.
    pub overloads: [Option<TypeId>; 4],
}

/// Names of the operands after the opcode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OperandNames(List);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum List {
    /// Names of the database.
    Today(&'static [Operand]),
    /// Names of an earlier compiler.
    Earlier(&'static [&'static str]),
}

impl OperandNames {
    /// The name of the operand at a place after the opcode.
    pub fn get(self, at: usize) -> Option<&'static str> {
        match self.0 {
            List::Today(operands) => operands.get(at).map(|operand| operand.name.as_str()),
            List::Earlier(names) => names.get(at).copied(),
        }
    }
}

/// Compares a function's type with an op's prototype: the database's, then earlier ones.
pub fn fit(types: &Types, function_type: TypeId, op: &'static Op) -> Fit {
    let mut fit = Fit { operands: None, until: None, overloads: [None; 4] };
    let Some(Type::Function { vararg: false, result, parameters }) = types.get(function_type) else { return fit };
    let Some((_, parameters)) = parameters.split_first() else { return fit };
    let today = op.operands.get(1..).unwrap_or_default();
    let result = (op.returns, *result);
    let shape = Shape::of(types, result, today.iter().map(|operand| operand.type_symbol), parameters);
    fit.overloads = shape.overloads;
    if shape.all {
        return Fit { operands: Some(OperandNames(List::Today(today))), ..fit };
    }
    for earlier in earlier(op).filter(|earlier| earlier.name.is_none()) {
        // Operands that there are today have the types of today, and what is gone was a number.
        let type_of = |name: &&str| {
            let found = today.iter().find(|operand| operand.name == **name);
            found.map_or(TypeSymbol::I32, |operand| operand.type_symbol)
        };
        let shape = Shape::of(types, result, earlier.operands.iter().map(type_of), parameters);
        if shape.all {
            let operands = Some(OperandNames(List::Earlier(earlier.operands)));
            return Fit { operands, until: Some(earlier.until), overloads: shape.overloads };
        }
    }
    fit
}

/// Whether an overload dimension allows a type.
pub fn allows(overload: &Overload, types: &Types, ty: TypeId) -> bool {
    match types.get(ty) {
        Some(Type::Vector(_, of)) => scalar(types, *of).is_some_and(|scalar| overload.vector_of.contains(&scalar)),
        _ => scalar(types, ty).is_some_and(|scalar| overload.scalar.contains(&scalar)),
    }
}

/// The overload suffix in a callee's name: `f32`, `v4i16`. Names of structures are not derived: compilers mangle them.
pub fn suffix(types: &Types, ty: TypeId) -> Option<String> {
    match types.get(ty)? {
        Type::Vector(count, of) => Some(format!("v{count}{}", suffix(types, *of)?)),
        _ => match scalar(types, ty)? {
            Scalar::Udt | Scalar::Object => None,
            scalar => Some(scalar.name().to_owned()),
        },
    }
}

fn scalar(types: &Types, ty: TypeId) -> Option<Scalar> {
    Some(match types.get(ty)? {
        Type::Half => Scalar::F16,
        Type::Float => Scalar::F32,
        Type::Double => Scalar::F64,
        Type::Integer(1) => Scalar::I1,
        Type::Integer(8) => Scalar::I8,
        Type::Integer(16) => Scalar::I16,
        Type::Integer(32) => Scalar::I32,
        Type::Integer(64) => Scalar::I64,
        Type::Pointer(..) => Scalar::Udt,
        Type::Struct { .. } | Type::Opaque(_) => Scalar::Object,
        _ => return None,
    })
}

/// A prototype under comparison.
struct Shape<'t> {
    types: &'t Types,
    overloads: [Option<TypeId>; 4],
    all: bool,
}

impl<'t> Shape<'t> {
    /// Compares a result and parameters with what stands for them in a prototype.
    fn of(
        types: &'t Types,
        result: (TypeSymbol, TypeId),
        symbols: impl ExactSizeIterator<Item = TypeSymbol> + Clone,
        parameters: &[TypeId],
    ) -> Shape<'t> {
        let mut shape = Shape { types, overloads: [None; 4], all: symbols.len() == parameters.len() };
        let pairs = std::iter::once(result).chain(symbols.zip(parameters.iter().copied()));
        // Types that depend on the overload are compared once the overload is known.
        for derived in [false, true] {
            for (symbol, ty) in pairs.clone().filter(|(symbol, _)| is_derived(*symbol) == derived) {
                shape.all &= shape.fits(symbol, ty);
            }
        }
        shape
    }

    fn fits(&mut self, symbol: TypeSymbol, ty: TypeId) -> bool {
        use TypeSymbol as S;
        let Some(found) = self.types.get(ty) else { return false };
        match symbol {
            S::Void => *found == Type::Void,
            S::Half => *found == Type::Half,
            S::Float => *found == Type::Float,
            S::Double => *found == Type::Double,
            S::I1 => *found == Type::Integer(1),
            S::I8 | S::U8 => *found == Type::Integer(8),
            S::I16 => *found == Type::Integer(16),
            S::I32 | S::U32 => *found == Type::Integer(32),
            S::I64 => *found == Type::Integer(64),
            S::Int2 => matches!(found, Type::Vector(2, of) if self.is(*of, &Type::Integer(32))),
            S::FloatPointer => matches!(found, Type::Pointer(of, _) if self.is(*of, &Type::Float)),
            S::Overload | S::Object | S::Dimension0 => self.bind(0, ty),
            S::Dimension1 => self.bind(1, ty),
            S::Dimension2 => self.bind(2, ty),
            S::Dimension3 => self.bind(3, ty),
            S::Udt => matches!(found, Type::Pointer(..)) && self.bind(0, ty),
            S::Groupshared1 => match found {
                Type::Pointer(of, 3) => self.bind(1, *of),
                _ => false,
            },
            S::ResRet | S::CBufRet => {
                let prefix = if symbol == S::ResRet { "dx.types.ResRet." } else { "dx.types.CBufRet." };
                let named = self.types.struct_name(ty).is_some_and(|name| name.starts_with(prefix));
                match found {
                    Type::Struct { members, .. } if named => {
                        members.first().copied().is_some_and(|first| self.bind(0, first))
                    }
                    _ => false,
                }
            }
            S::OverloadI1 => self.is_wide(ty, 1),
            S::OverloadI32 => self.is_wide(ty, 32),
            S::Element => match self.overload().map(|of| self.types.get(of)) {
                Some(Some(Type::Vector(_, of))) => *of == ty,
                Some(_) => false,
                None => true,
            },
            S::Vec4 => matches!(found, Type::Vector(4, of) if self.bind(0, *of)),
            S::Vec9 => matches!(found, Type::Vector(9, of) if self.bind(0, *of)),
            S::SamplePos => self.named(ty, "SamplePos"),
            S::Dimensions => self.named(ty, "Dimensions"),
            S::FourI32 => self.named(ty, "fouri32"),
            S::HitObject => self.named(ty, "HitObject"),
            S::I32Carry => self.named(ty, "i32c"),
            S::NodeHandle => self.named(ty, "NodeHandle"),
            S::NodeInfo => self.named(ty, "NodeInfo"),
            S::NodeRecordHandle => self.named(ty, "NodeRecordHandle"),
            S::NodeRecordInfo => self.named(ty, "NodeRecordInfo"),
            S::Handle => self.named(ty, "Handle"),
            S::ResBind => self.named(ty, "ResBind"),
            S::ResourceProperties => self.named(ty, "ResourceProperties"),
            S::SplitDouble => self.named(ty, "splitdouble"),
            S::TwoI32 => self.named(ty, "twoi32"),
            // A table says more than this build knows: nothing is compared.
            S::Unknown => true,
        }
    }

    fn is(&self, ty: TypeId, expected: &Type) -> bool {
        self.types.get(ty) == Some(expected)
    }

    fn overload(&self) -> Option<TypeId> {
        self.overloads.first().copied().flatten()
    }

    /// Takes a type for an overload dimension, or compares it with the one that was taken.
    fn bind(&mut self, dimension: usize, ty: TypeId) -> bool {
        let types = self.types;
        match self.overloads.get_mut(dimension) {
            Some(Some(taken)) => *taken == ty || types.get(*taken) == types.get(ty),
            Some(slot) => {
                *slot = Some(ty);
                true
            }
            None => false,
        }
    }

    /// Whether a type is an integer of so many bits, or a vector of them as wide as the overload.
    fn is_wide(&self, ty: TypeId, bits: u32) -> bool {
        let lanes = match self.overload().and_then(|of| self.types.get(of)) {
            Some(Type::Vector(count, _)) => Some(*count),
            _ => None,
        };
        match (self.types.get(ty), lanes) {
            (Some(Type::Integer(found)), None) => *found == bits,
            (Some(Type::Vector(count, of)), Some(lanes)) => *count == lanes && self.is(*of, &Type::Integer(bits)),
            _ => false,
        }
    }

    /// Whether a type is `dx.types.NAME`, or what LLVM calls a second one of that name.
    fn named(&self, ty: TypeId, name: &str) -> bool {
        let rest = self.types.struct_name(ty).and_then(|found| found.strip_prefix("dx.types.")?.strip_prefix(name));
        rest.is_some_and(|rest| {
            rest.is_empty() || rest.strip_prefix('.').is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit()))
        })
    }
}

fn is_derived(symbol: TypeSymbol) -> bool {
    matches!(symbol, TypeSymbol::OverloadI1 | TypeSymbol::OverloadI32 | TypeSymbol::Element)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::op_calls::calls;
    use crate::testing::{modules, sample};

    #[test]
    fn every_call_of_the_samples_matches_its_op() {
        let mut fitted = 0;
        for (name, module) in modules() {
            for call in calls(&module) {
                let op = call.op().unwrap_or_else(|| panic!("{name}: {} is no op", call.callee));
                let fit = call.fit.expect("an op has a fit");
                assert!(fit.operands.is_some() && fit.until.is_none(), "{name}: {} as {}", call.callee, op.name);
                for (overload, ty) in op.overloads.iter().zip(fit.overloads) {
                    let ty = ty.unwrap_or_else(|| panic!("{name}: {}: an overload is not derived", call.callee));
                    assert!(allows(overload, &module.types, ty), "{name}: {}", call.callee);
                }
                fitted += 1;
            }
        }
        assert!(fitted > 400, "{fitted}");
    }

    #[test]
    fn derives_overload_from_the_type() {
        let module = sample("preview_matrix.cs.dxil");
        let overloads: Vec<String> = calls(&module)
            .into_iter()
            .filter(|call| call.callee.contains("GetElement"))
            .map(|call| {
                let overloads = call.fit.expect("an op has a fit").overloads;
                let names: Vec<_> = overloads.iter().flatten().map(|ty| module.types.name(*ty)).collect();
                format!("{}: {}", call.callee, names.join(", "))
            })
            .collect();
        insta::assert_snapshot!(overloads.join("\n"));
    }
}
