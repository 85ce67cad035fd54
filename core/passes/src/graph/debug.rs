//! Types of parameters from debug information.

use std::collections::BTreeMap;

use super::model::TypeSource;
use super::records::Typed;
use lanescope_dxil::module::{Metadata, MetadataId, Module, NodeKind};
use lanescope_spirv::shape::{Field, Scalar, ScalarKind, Shape};

/// Codes of debug records.
mod code {
    pub const SUBRANGE: u32 = 13;
    pub const BASIC_TYPE: u32 = 15;
    pub const DERIVED_TYPE: u32 = 17;
    pub const COMPOSITE_TYPE: u32 = 18;
    pub const SUBROUTINE_TYPE: u32 = 19;
    pub const SUBPROGRAM: u32 = 21;
    pub const TEMPLATE_TYPE: u32 = 25;
    pub const TEMPLATE_VALUE: u32 = 26;
    pub const LOCAL_VARIABLE: u32 = 28;
}

/// Tags of DWARF.
mod tag {
    pub const ARRAY: u64 = 0x01;
    pub const CLASS: u64 = 0x02;
    pub const ENUMERATION: u64 = 0x04;
    pub const MEMBER: u64 = 0x0d;
    pub const STRUCTURE: u64 = 0x13;
    pub const TYPEDEF: u64 = 0x16;
    pub const INHERITANCE: u64 = 0x1c;
    pub const CONST: u64 = 0x26;
    pub const ARGUMENT: u64 = 0x101;
}

/// How deep types nest.
const MAX_DEPTH: usize = 16;
/// The most types that are followed in a module.
const MAX_STEPS: usize = 1 << 16;

/// A parameter of a node function.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Parameter {
    /// Its name; empty where it has none.
    pub name: String,
    /// Its type's name: `NodeOutput<Record>`.
    kind: String,
    /// What its records hold.
    pub record: Option<Typed>,
}

/// The parameters of the functions of a module.
#[derive(Debug, Default)]
pub(super) struct DebugTypes {
    functions: BTreeMap<String, Vec<Parameter>>,
}

/// The parameters of one function.
pub(super) struct Parameters<'d>(&'d [Parameter]);

impl<'d> Parameters<'d> {
    fn nth(&self, index: usize, is: impl Fn(&str) -> bool) -> Option<&'d Parameter> {
        self.0.iter().filter(|parameter| is(&parameter.kind)).nth(index)
    }

    /// The parameter of an input.
    pub fn input(&self, index: usize) -> Option<&'d Parameter> {
        self.nth(index, |kind| kind.contains("NodeInput"))
    }

    /// The parameter of an output.
    pub fn output(&self, index: usize) -> Option<&'d Parameter> {
        self.nth(index, |kind| kind.contains("NodeOutput"))
    }
}

impl DebugTypes {
    /// Reads the functions of a module; empty without debug information.
    pub fn of(module: &Module) -> DebugTypes {
        let mut reader = Reader { module, metadata: &module.metadata, steps: MAX_STEPS };
        let mut out = DebugTypes::default();
        for (id, node) in module.metadata.nodes() {
            if node.kind == NodeKind::Debug(code::SUBPROGRAM)
                && let Some((name, parameters)) = reader.function(id)
            {
                out.functions.entry(name).or_insert(parameters);
            }
        }
        out
    }

    /// The parameters of a function.
    pub fn parameters(&self, function: &str) -> Parameters<'_> {
        Parameters(self.functions.get(function).map(Vec::as_slice).unwrap_or_default())
    }
}

struct Reader<'m> {
    module: &'m Module,
    metadata: &'m Metadata,
    steps: usize,
}

impl<'m> Reader<'m> {
    fn numbers(&self, id: MetadataId, code: u32) -> Option<&'m [u64]> {
        let node = self.metadata.node(id)?;
        (node.kind == NodeKind::Debug(code)).then_some(())?;
        self.metadata.numbers(id)
    }

    /// An operand that names metadata: its number plus 1, or 0.
    fn reference(numbers: &[u64], at: usize) -> Option<MetadataId> {
        u32::try_from(*numbers.get(at)?).ok()?.checked_sub(1).map(MetadataId)
    }

    fn text(&self, numbers: &[u64], at: usize) -> String {
        Self::reference(numbers, at).and_then(|id| self.metadata.text(id)).unwrap_or_default()
    }

    fn parts(&self, id: Option<MetadataId>) -> Vec<Option<MetadataId>> {
        id.and_then(|id| self.metadata.operands(id)).map(|parts| parts.take(4096).collect()).unwrap_or_default()
    }

    fn step(&mut self) -> Option<()> {
        self.steps = self.steps.checked_sub(1)?;
        Some(())
    }

    /// A function's name in the bitcode, and its parameters.
    fn function(&mut self, id: MetadataId) -> Option<(String, Vec<Parameter>)> {
        self.step()?;
        let numbers = self.numbers(id, code::SUBPROGRAM)?;
        let function = Self::reference(numbers, 15).and_then(|id| match self.metadata.node(id)?.kind {
            NodeKind::Value(_, value) => Some(self.module.name(value).to_owned()),
            _ => None,
        })?;
        let ty = self.numbers(Self::reference(numbers, 6)?, code::SUBROUTINE_TYPE)?;
        let mut types = self.parts(Self::reference(ty, 2)).into_iter();
        // The first one is what the function returns.
        types.next()?;
        let types: Vec<Option<MetadataId>> = types.collect();
        if !types.iter().flatten().any(|ty| self.name(*ty).contains("Node")) {
            return None;
        }
        let names = self.argument_names(Self::reference(numbers, 18), id);
        let parameters = types.into_iter().zip(1u64..).map(|(ty, number)| {
            let kind = ty.map(|ty| self.name(ty)).unwrap_or_default();
            let record = ty.filter(|_| kind.contains('<')).and_then(|ty| self.record(ty));
            Parameter { name: names.get(&number).cloned().unwrap_or_default(), kind, record }
        });
        Some((function, parameters.collect()))
    }

    /// The names of a function's arguments, by their numbers.
    fn argument_names(&mut self, listed: Option<MetadataId>, function: MetadataId) -> BTreeMap<u64, String> {
        let mut variables: Vec<MetadataId> = self.parts(listed).into_iter().flatten().collect();
        // Variables that are not listed name their scope. Few functions may search the whole module for them.
        if variables.is_empty() && self.steps > self.metadata.len() {
            self.steps -= self.metadata.len();
            let all = self.metadata.nodes().filter(|(_, node)| node.kind == NodeKind::Debug(code::LOCAL_VARIABLE));
            let of_function = all.map(|(id, _)| id).filter(|id| {
                let numbers = self.metadata.numbers(*id);
                numbers.and_then(|numbers| Self::reference(numbers, 2)) == Some(function)
            });
            variables = of_function.collect();
        }
        let mut out = BTreeMap::new();
        for id in variables {
            let Some(numbers) = self.numbers(id, code::LOCAL_VARIABLE) else { continue };
            let number = numbers.get(7).copied().unwrap_or(0);
            if numbers.get(1) == Some(&tag::ARGUMENT) && number > 0 {
                out.entry(number).or_insert_with(|| self.text(numbers, 3));
            }
        }
        out
    }

    fn name(&self, ty: MetadataId) -> String {
        let kinds = [(code::COMPOSITE_TYPE, 2), (code::DERIVED_TYPE, 2), (code::BASIC_TYPE, 2)];
        let mut at = ty;
        for _ in 0..MAX_DEPTH {
            let found = kinds.iter().find_map(|(code, name)| Some((*code, *name, self.numbers(at, *code)?)));
            let Some((kind, name, numbers)) = found else { return String::new() };
            let text = self.text(numbers, name);
            if !text.is_empty() {
                return text;
            }
            match Self::reference(numbers, 6).filter(|_| kind == code::DERIVED_TYPE) {
                Some(base) => at = base,
                None => return text,
            }
        }
        String::new()
    }

    /// What the records of `NodeOutput<Record>` hold: its first template parameter.
    fn record(&mut self, ty: MetadataId) -> Option<Typed> {
        let ty = self.plain(ty)?;
        let numbers = self.numbers(ty, code::COMPOSITE_TYPE)?;
        let first = self.parts(Self::reference(numbers, 14)).into_iter().next()??;
        let record = Self::reference(self.numbers(first, code::TEMPLATE_TYPE)?, 2)?;
        let record = self.plain(record)?;
        let name = self.name(record);
        let (shape, bytes) = self.shape(record, MAX_DEPTH)?;
        matches!(shape, Shape::Struct { .. }).then_some(())?;
        Some(Typed { name: Some(name).filter(|name| !name.is_empty()), shape, bytes, source: TypeSource::Debug })
    }

    /// A type without the names and qualifiers around it.
    fn plain(&self, ty: MetadataId) -> Option<MetadataId> {
        let mut at = ty;
        for _ in 0..MAX_DEPTH {
            match self.numbers(at, code::DERIVED_TYPE) {
                Some(numbers) if matches!(numbers.get(1), Some(&(tag::TYPEDEF | tag::CONST))) => {
                    at = Self::reference(numbers, 6)?;
                }
                _ => return Some(at),
            }
        }
        None
    }

    /// A type as a shape, and its size in bytes.
    fn shape(&mut self, ty: MetadataId, depth: usize) -> Option<(Shape, u64)> {
        self.step()?;
        let ty = self.plain(ty).filter(|_| depth > 0)?;
        if let Some(scalar) = self.scalar(ty) {
            return Some((Shape::Scalar(scalar), scalar.bytes()));
        }
        let numbers = self.numbers(ty, code::COMPOSITE_TYPE)?;
        let bytes = numbers.get(7)? / 8;
        match *numbers.get(1)? {
            tag::ARRAY => self.array(numbers, depth),
            tag::STRUCTURE | tag::CLASS => {
                let name = self.text(numbers, 2);
                if name.starts_with("vector<") || name.starts_with("matrix<") {
                    return self.numeric(numbers, name.starts_with("matrix<"));
                }
                let mut members = Vec::new();
                for part in self.parts(Self::reference(numbers, 11)).into_iter().flatten() {
                    let Some(member) = self.numbers(part, code::DERIVED_TYPE) else { continue };
                    if !matches!(member.get(1), Some(&(tag::MEMBER | tag::INHERITANCE))) {
                        continue;
                    }
                    let offset = u32::try_from(member.get(9)? / 8).ok()?;
                    let base = Self::reference(member, 6)?;
                    let (shape, _) = self.shape(base, depth - 1)?;
                    let mut name = self.text(member, 2);
                    if name.is_empty() {
                        name = self.name(base);
                    }
                    members.push(Field { name, offset, shape });
                }
                (!members.is_empty()).then_some((Shape::Struct { members }, bytes))
            }
            _ => None,
        }
    }

    fn array(&mut self, numbers: &[u64], depth: usize) -> Option<(Shape, u64)> {
        let (mut shape, mut stride) = self.shape(Self::reference(numbers, 6)?, depth - 1)?;
        let counts = self.parts(Self::reference(numbers, 11));
        // The last dimension is the innermost one.
        for range in counts.into_iter().flatten().rev() {
            let count = u32::try_from(*self.numbers(range, code::SUBRANGE)?.get(1)?).ok()?;
            shape = Shape::Array { element: Box::new(shape), count: Some(count), stride: u32::try_from(stride).ok()? };
            stride = stride.checked_mul(u64::from(count))?;
        }
        Some((shape, stride))
    }

    /// A vector or a matrix, by its template's parameters.
    fn numeric(&mut self, numbers: &[u64], matrix: bool) -> Option<(Shape, u64)> {
        let parameters: Vec<MetadataId> = self.parts(Self::reference(numbers, 14)).into_iter().flatten().collect();
        let element = Self::reference(self.numbers(*parameters.first()?, code::TEMPLATE_TYPE)?, 2)?;
        let scalar = self.plain(element).and_then(|ty| self.scalar(ty))?;
        let count = |at: usize| -> Option<u32> {
            let value = Self::reference(self.numbers(*parameters.get(at)?, code::TEMPLATE_VALUE)?, 4)?;
            let NodeKind::Value(_, value) = self.metadata.node(value)?.kind else { return None };
            u32::try_from(self.module.integer(None, value)?).ok().filter(|count| (1..=1024).contains(count))
        };
        if !matrix {
            let shape = Shape::Vector { scalar, count: count(1)? };
            let bytes = shape.bytes();
            return Some((shape, bytes));
        }
        let (rows, columns) = (count(1)?, count(2)?);
        let element = scalar.bits / 8;
        // Which element follows the first one says how the matrix lies.
        let parts = self.parts(Self::reference(numbers, 11));
        let second = parts.into_iter().flatten().find_map(|part| {
            let member = self.numbers(part, code::DERIVED_TYPE)?;
            (member.get(9) == Some(&u64::from(scalar.bits))).then(|| self.text(member, 2))
        });
        let row_major = rows == 1 || second.as_deref() != Some("_21");
        let stride = element * if row_major { columns } else { rows };
        let shape = Shape::Matrix { scalar, columns, rows, stride, row_major };
        Some((shape, scalar.bytes() * u64::from(rows) * u64::from(columns)))
    }

    fn scalar(&self, ty: MetadataId) -> Option<Scalar> {
        if let Some(numbers) = self.numbers(ty, code::COMPOSITE_TYPE)
            && numbers.get(1) == Some(&tag::ENUMERATION)
        {
            let bits = u32::try_from(*numbers.get(7)?).ok().filter(|bits| [8, 16, 32, 64].contains(bits))?;
            return Some(Scalar { kind: ScalarKind::Int, bits });
        }
        let numbers = self.numbers(ty, code::BASIC_TYPE)?;
        let bits = u32::try_from(*numbers.get(3)?).ok().filter(|bits| [8, 16, 32, 64].contains(bits))?;
        let kind = match *numbers.get(5)? {
            4 if bits >= 16 => ScalarKind::Float,
            5 | 6 => ScalarKind::Int,
            2 | 7 | 8 => ScalarKind::Uint,
            _ => return None,
        };
        Some(Scalar { kind, bits })
    }
}
