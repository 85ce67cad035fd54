//! How the bytes of a buffer read: the types that a shader gives them.

mod written;

use std::ops::ControlFlow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::enums::Decoration;
use crate::{Module, Type};
use lanescope_base::half;
use lanescope_base::ids::Id;

/// More types than a block that a person wrote has. Structures that share members would else grow without end.
const MAX_TYPES: usize = 2048;
/// How deep types nest.
const MAX_DEPTH: usize = 24;

/// The layout of a block's type, explicit as its decorations say it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Shape {
    /// A number.
    Scalar(Scalar),
    /// A vector.
    Vector {
        /// Type of a component.
        scalar: Scalar,
        /// Number of components.
        count: u32,
    },
    /// A matrix.
    Matrix {
        /// Type of an element.
        scalar: Scalar,
        /// Number of columns.
        columns: u32,
        /// Number of rows.
        rows: u32,
        /// Bytes from one column to the next, or from one row to the next where it is row-major.
        stride: u32,
        /// Whether rows lie together.
        row_major: bool,
    },
    /// An array.
    Array {
        /// Type of an element.
        element: Box<Shape>,
        /// Number of elements; absent where the buffer's size says it.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        count: Option<u32>,
        /// Bytes from one element to the next.
        stride: u32,
    },
    /// A structure.
    Struct {
        /// Its members.
        members: Vec<Field>,
    },
    /// Bytes whose type is not followed further, as 32-bit words.
    Words {
        /// How many.
        count: u32,
    },
}

/// A member of a structure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Field {
    /// Its name, or `m0` and so on.
    pub name: String,
    /// Its offset in bytes.
    pub offset: u32,
    /// Its type.
    #[serde(rename = "type")]
    pub shape: Shape,
}

/// A number's type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Scalar {
    /// What it is.
    pub kind: ScalarKind,
    /// Its width in bits: 8, 16, 32 or 64.
    pub bits: u32,
}

/// What a number is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ScalarKind {
    /// A floating-point number.
    Float,
    /// A signed integer.
    Int,
    /// An unsigned integer.
    Uint,
}

/// `float16`, `int32`.
impl std::fmt::Display for Scalar {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let kind = match self.kind {
            ScalarKind::Float => "float",
            ScalarKind::Int => "int",
            ScalarKind::Uint => "uint",
        };
        write!(f, "{kind}{}", self.bits)
    }
}

impl Scalar {
    /// An unsigned 32-bit number.
    pub const WORD: Scalar = Scalar { kind: ScalarKind::Uint, bits: 32 };

    /// Its size in bytes.
    pub fn bytes(self) -> u64 {
        u64::from(self.bits / 8)
    }

    /// The scalar of a type.
    pub fn of(module: &Module, ty: Id) -> Option<Scalar> {
        let scalar = match module.ty(ty)? {
            Type::Float { bits } => Scalar { kind: ScalarKind::Float, bits },
            Type::Int { bits, signed } => {
                Scalar { kind: if signed { ScalarKind::Int } else { ScalarKind::Uint }, bits }
            }
            _ => return None,
        };
        let known = if scalar.kind == ScalarKind::Float { [16, 32, 64, 64] } else { [8, 16, 32, 64] };
        known.contains(&scalar.bits).then_some(scalar)
    }

    /// The value at the start of some bytes; null where there are too few.
    pub fn value(self, bytes: &[u8]) -> Value {
        let Some(bits) = self.read(bytes) else { return Value::Null };
        let float = |value: f64| match serde_json::Number::from_f64(value) {
            Some(number) => Value::Number(number),
            // JSON has no such numbers.
            None => Value::String(if value.is_nan() { "NaN".to_owned() } else { value.to_string() }),
        };
        match (self.kind, self.bits) {
            (ScalarKind::Float, 16) => float(half::value(bits as u16)),
            // By its shortest decimal: 0.1 and not 0.10000000149011612.
            (ScalarKind::Float, 32) => {
                let value = f32::from_bits(bits as u32);
                value.to_string().parse().map_or_else(|_| float(f64::from(value)), float)
            }
            (ScalarKind::Float, _) => float(f64::from_bits(bits)),
            (ScalarKind::Int, width) => {
                let shift = 64 - width.clamp(1, 64);
                Value::from(((bits << shift) as i64) >> shift)
            }
            (ScalarKind::Uint, _) => Value::from(bits),
        }
    }

    fn read(self, bytes: &[u8]) -> Option<u64> {
        let bytes = bytes.get(..self.bytes() as usize)?;
        Some(bytes.iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte)))
    }
}

/// One step from a block to a number in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step<'s> {
    /// A member.
    Member(&'s str),
    /// An element.
    Index(u64),
}

/// A path as shading languages write it: `lights[3].color`.
pub fn path(steps: &[Step<'_>]) -> String {
    let mut text = String::new();
    for step in steps {
        match step {
            Step::Member(name) if text.is_empty() => text.push_str(name),
            Step::Member(name) => {
                text.push('.');
                text.push_str(name);
            }
            Step::Index(index) => text.push_str(&format!("[{index}]")),
        }
    }
    text
}

/// One row of a buffer's table: a number, a vector, a column of a matrix.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Row {
    /// Where it is: `lights[3].color`.
    pub path: String,
    /// Its offset in bytes.
    pub offset: u64,
    /// Its values.
    pub values: Vec<Value>,
}

impl Shape {
    /// The shape of a type.
    pub fn of(module: &Module, ty: Id) -> Shape {
        let mut left = MAX_TYPES;
        shape(module, ty, None, MAX_DEPTH, &mut left)
    }

    /// How many bytes it takes, arrays of unknown length with no element.
    pub fn bytes(&self) -> u64 {
        match self {
            Shape::Scalar(scalar) => scalar.bytes(),
            Shape::Vector { scalar, count } => scalar.bytes().saturating_mul(u64::from(*count)),
            Shape::Matrix { columns, rows, stride, row_major, .. } => {
                u64::from(*stride).saturating_mul(u64::from(if *row_major { *rows } else { *columns }))
            }
            Shape::Array { count, stride, .. } => u64::from(*stride).saturating_mul(u64::from(count.unwrap_or(0))),
            Shape::Struct { members } => {
                members.iter().map(|m| u64::from(m.offset).saturating_add(m.shape.bytes())).max().unwrap_or(0)
            }
            Shape::Words { count } => u64::from(*count) * 4,
        }
    }

    /// The most numbers that so many bytes have by it; a part without any counts as one. Where no part lies over another
    /// one, there are at most as many as bytes.
    pub fn numbers(&self, bytes: u64) -> u64 {
        match self {
            Shape::Scalar(_) => 1,
            Shape::Vector { count, .. } | Shape::Words { count } => u64::from(*count).max(1),
            Shape::Matrix { columns, rows, .. } => (u64::from(*columns) * u64::from(*rows)).max(1),
            Shape::Array { element, count, stride } => {
                // A stride of 0 puts all elements in one place: one is shown.
                let room = bytes.checked_div(u64::from(*stride)).unwrap_or(1);
                let count = count.map_or(room, |count| room.min(u64::from(count)));
                count.saturating_mul(element.numbers(u64::from(*stride))).max(1)
            }
            Shape::Struct { members } => {
                let of = |member: &Field| member.shape.numbers(bytes.saturating_sub(u64::from(member.offset)));
                members.iter().map(of).fold(0, u64::saturating_add).max(1)
            }
        }
    }

    /// Offset and stride of the array at the end whose length the buffer's size says, if there is one.
    pub fn open_end(&self) -> Option<(u64, u32)> {
        match self {
            Shape::Array { count: None, stride, .. } => Some((0, *stride)),
            Shape::Struct { members } => {
                let last = members.last()?;
                last.shape.open_end().map(|(offset, stride)| (u64::from(last.offset).saturating_add(offset), stride))
            }
            _ => None,
        }
    }

    /// Visits every number, vector, matrix column and run of words that lies within `bytes`, in order of the types.
    ///
    /// The visitor gets the path, the offset in bytes, the scalar type, how many scalars, and the bytes between two of
    /// them.
    pub fn visit<'s>(&'s self, bytes: u64, mut visitor: impl FnMut(&[Step<'s>], &Leaf) -> ControlFlow<()>) {
        let mut steps = Vec::new();
        // A visitor that stops early is not an error.
        let _ = visit(self, 0, bytes, &mut steps, &mut visitor);
    }

    /// The first rows of a buffer's table, and how many there are in all.
    pub fn rows(&self, contents: &[u8], most: usize) -> (Vec<Row>, u64) {
        let mut rows = Vec::new();
        let mut all = 0;
        self.visit(contents.len() as u64, |steps, leaf| {
            all += 1;
            if rows.len() < most {
                rows.push(Row { path: path(steps), offset: leaf.offset, values: leaf.values(contents) });
            }
            ControlFlow::Continue(())
        });
        (rows, all)
    }

    /// The contents as JSON: structures as objects, arrays, vectors and matrices (column by column) as lists.
    pub fn json(&self, contents: &[u8]) -> Value {
        json(self, 0, contents)
    }

    /// The type's name: `float32x4[]`.
    pub fn name(&self) -> String {
        let scalar = |s: &Scalar| {
            let kind = match s.kind {
                ScalarKind::Float => "float",
                ScalarKind::Int => "int",
                ScalarKind::Uint => "uint",
            };
            format!("{kind}{}", s.bits)
        };
        match self {
            Shape::Scalar(s) => scalar(s),
            Shape::Vector { scalar: s, count } => format!("{}x{count}", scalar(s)),
            Shape::Matrix { scalar: s, columns, rows, .. } => format!("{columns} columns of {}x{rows}", scalar(s)),
            Shape::Array { element, count, .. } => {
                format!("{}[{}]", element.name(), count.map_or_else(String::new, |n| n.to_string()))
            }
            Shape::Struct { members } => {
                let members: Vec<_> = members.iter().map(|m| format!("{}: {}", m.name, m.shape.name())).collect();
                format!("{{ {} }}", members.join(", "))
            }
            Shape::Words { count } => format!("uint32[{count}]"),
        }
    }
}

/// Scalars in one row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Leaf {
    /// Offset of the first, in bytes.
    pub offset: u64,
    /// Their type.
    pub scalar: Scalar,
    /// How many.
    pub count: u32,
    /// Bytes from one to the next.
    pub stride: u32,
    /// For a column of a matrix, its index.
    pub column: Option<u32>,
}

impl Leaf {
    /// Where the scalars are.
    pub fn offsets(&self) -> impl Iterator<Item = u64> {
        let leaf = *self;
        (0..leaf.count).map(move |i| leaf.offset.saturating_add(u64::from(leaf.stride).saturating_mul(u64::from(i))))
    }

    /// Their values in these contents.
    pub fn values(&self, contents: &[u8]) -> Vec<Value> {
        self.offsets().map(|offset| self.scalar.value(tail(contents, offset))).collect()
    }
}

fn tail(contents: &[u8], offset: u64) -> &[u8] {
    usize::try_from(offset).ok().and_then(|offset| contents.get(offset..)).unwrap_or(&[])
}

fn visit<'s>(
    shape: &'s Shape,
    at: u64,
    end: u64,
    steps: &mut Vec<Step<'s>>,
    visitor: &mut impl FnMut(&[Step<'s>], &Leaf) -> ControlFlow<()>,
) -> ControlFlow<()> {
    if at >= end {
        return ControlFlow::Continue(());
    }
    match shape {
        Shape::Scalar(_) | Shape::Vector { .. } => match leaf_of(shape, at, 0) {
            Some(leaf) => visitor(steps, &leaf),
            None => ControlFlow::Continue(()),
        },
        Shape::Words { count } | Shape::Matrix { columns: count, .. } => {
            for index in 0..u64::from(*count) {
                let Some(leaf) = leaf_of(shape, at, index) else { break };
                steps.push(Step::Index(index));
                let flow = visitor(steps, &leaf);
                steps.pop();
                flow?;
            }
            ControlFlow::Continue(())
        }
        Shape::Array { element, stride, .. } => {
            for index in 0..elements(shape, at, end) {
                steps.push(Step::Index(index));
                let at = at.saturating_add(index.saturating_mul(u64::from(*stride)));
                let flow = visit(element, at, end, steps, visitor);
                steps.pop();
                flow?;
            }
            ControlFlow::Continue(())
        }
        Shape::Struct { members } => {
            for member in members {
                steps.push(Step::Member(&member.name));
                let flow = visit(&member.shape, at.saturating_add(u64::from(member.offset)), end, steps, visitor);
                steps.pop();
                flow?;
            }
            ControlFlow::Continue(())
        }
    }
}

/// The scalars of row `index` of a number, a vector, a matrix or words; none of what has other parts.
pub fn leaf_of(shape: &Shape, at: u64, index: u64) -> Option<Leaf> {
    let one = |scalar: Scalar, count, offset| Leaf { offset, scalar, count, stride: scalar.bits / 8, column: None };
    match shape {
        Shape::Scalar(scalar) if index == 0 => Some(one(*scalar, 1, at)),
        Shape::Vector { scalar, count } if index == 0 => Some(one(*scalar, *count, at)),
        Shape::Words { count } if index < u64::from(*count) => {
            Some(one(Scalar::WORD, 1, at.saturating_add(index.saturating_mul(4))))
        }
        Shape::Matrix { scalar, columns, rows, stride, row_major } if index < u64::from(*columns) => {
            let (step, between) = if *row_major { (scalar.bits / 8, *stride) } else { (*stride, scalar.bits / 8) };
            let offset = at.saturating_add(u64::from(step).saturating_mul(index));
            let column = u32::try_from(index).ok();
            Some(Leaf { offset, scalar: *scalar, count: *rows, stride: between, column })
        }
        _ => None,
    }
}

/// How many elements of an array begin within the bytes.
pub fn elements(array: &Shape, at: u64, end: u64) -> u64 {
    let Shape::Array { count, stride, .. } = array else { return 0 };
    // A stride of 0 puts all elements in one place.
    let room = end.saturating_sub(at).checked_div(u64::from(*stride)).unwrap_or(1);
    count.map_or(room, |count| room.min(u64::from(count)))
}

fn json(shape: &Shape, at: u64, contents: &[u8]) -> Value {
    let scalars = |scalar: &Scalar, count: u32, at: u64, stride: u32| {
        let leaf = Leaf { offset: at, scalar: *scalar, count, stride, column: None };
        Value::Array(leaf.values(contents))
    };
    match shape {
        Shape::Scalar(scalar) => scalar.value(tail(contents, at)),
        Shape::Vector { scalar, count } => scalars(scalar, *count, at, scalar.bits / 8),
        Shape::Words { count } => scalars(&Scalar::WORD, *count, at, 4),
        Shape::Matrix { scalar, columns, rows, stride, row_major } => {
            let (step, between) = if *row_major { (scalar.bits / 8, *stride) } else { (*stride, scalar.bits / 8) };
            let column = |i| scalars(scalar, *rows, at.saturating_add(u64::from(step) * u64::from(i)), between);
            Value::Array((0..*columns).map(column).collect())
        }
        Shape::Array { element, stride, .. } => {
            let end = contents.len() as u64;
            let element = |i: u64| json(element, at.saturating_add(i.saturating_mul(u64::from(*stride))), contents);
            Value::Array((0..elements(shape, at, end)).map(element).collect())
        }
        Shape::Struct { members } => {
            let member = |m: &Field| (m.name.clone(), json(&m.shape, at.saturating_add(u64::from(m.offset)), contents));
            Value::Object(members.iter().map(member).collect())
        }
    }
}

/// The scalar of a type; of a number whose encoding is not followed, its bits.
fn stored(module: &Module, ty: Id) -> Option<Scalar> {
    match module.ty(ty)? {
        Type::OtherFloat { bits: bits @ (8 | 16 | 32 | 64), .. } => Some(Scalar { kind: ScalarKind::Uint, bits }),
        _ => Scalar::of(module, ty),
    }
}

/// `member` is the structure and the index that say how a matrix lies.
fn shape(module: &Module, ty: Id, member: Option<(Id, u32)>, depth: usize, left: &mut usize) -> Shape {
    let words = |bytes: u64| Shape::Words { count: u32::try_from(bytes / 4).unwrap_or(u32::MAX) };
    if depth == 0 || *left == 0 {
        return words(0);
    }
    *left -= 1;
    if let Some(scalar) = stored(module, ty) {
        return Shape::Scalar(scalar);
    }
    match module.ty(ty) {
        Some(Type::Vector { component, count }) => match stored(module, component) {
            Some(scalar) => Shape::Vector { scalar, count },
            None => words(u64::from(count) * 4),
        },
        Some(Type::Matrix { column, count }) => {
            let decoration = |kind| member.and_then(|(id, index)| module.decoration(id, Some(index), kind));
            let Some(Type::Vector { component, count: rows }) = module.ty(column) else { return words(0) };
            let Some(scalar) = stored(module, component) else { return words(0) };
            let stride = decoration(Decoration::MatrixStride).unwrap_or(16);
            let row_major = decoration(Decoration::RowMajor).is_some();
            Shape::Matrix { scalar, columns: count, rows, stride, row_major }
        }
        Some(Type::Array { element, length }) => {
            let count = Some(module.array_length(length).unwrap_or(0));
            let element = shape(module, element, member, depth - 1, left);
            let stride = module.decoration(ty, None, Decoration::ArrayStride);
            let stride = stride.unwrap_or_else(|| u32::try_from(element.bytes()).unwrap_or(u32::MAX));
            Shape::Array { element: Box::new(element), count, stride }
        }
        Some(Type::RuntimeArray { element }) => {
            let element = shape(module, element, member, depth - 1, left);
            let stride = module.decoration(ty, None, Decoration::ArrayStride);
            let stride = stride.unwrap_or_else(|| u32::try_from(element.bytes()).unwrap_or(u32::MAX));
            Shape::Array { element: Box::new(element), count: None, stride }
        }
        Some(Type::Struct { members }) => {
            let field = |(index, &id): (u32, &u32)| Field {
                name: module.member_name(ty, index).map_or_else(|| format!("m{index}"), str::to_owned),
                offset: module.decoration(ty, Some(index), Decoration::Offset).unwrap_or(0),
                shape: shape(module, Id(id), Some((ty, index)), depth - 1, left),
            };
            Shape::Struct { members: (0u32..).zip(members).map(field).collect() }
        }
        _ => words(0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::enums::Op;

    const FLOAT: Scalar = Scalar { kind: ScalarKind::Float, bits: 32 };

    fn field(name: &str, offset: u32, shape: Shape) -> Field {
        Field { name: name.to_owned(), offset, shape }
    }

    #[test]
    fn numbers_read_by_type() {
        let value = |kind, bits, bytes: &[u8]| Scalar { kind, bits }.value(bytes).to_string();
        for (kind, bits, bytes, expected) in [
            (ScalarKind::Float, 32, &0.1f32.to_le_bytes()[..], "0.1"),
            (ScalarKind::Float, 32, &f32::NAN.to_le_bytes()[..], "\"NaN\""),
            (ScalarKind::Float, 32, &f32::NEG_INFINITY.to_le_bytes()[..], "\"-inf\""),
            (ScalarKind::Float, 16, &[0x00, 0xc1], "-2.5"),
            (ScalarKind::Float, 16, &[0x01, 0x00], "5.960464477539063e-8"),
            (ScalarKind::Float, 64, &1e300f64.to_le_bytes()[..], "1e+300"),
            (ScalarKind::Int, 8, &[0x80], "-128"),
            (ScalarKind::Int, 64, &[0xff; 8], "-1"),
            (ScalarKind::Uint, 64, &[0xff; 8], "18446744073709551615"),
            (ScalarKind::Uint, 32, &[1, 2, 3], "null"),
        ] {
            assert_eq!(value(kind, bits, bytes), expected, "{kind:?} {bits}");
        }
    }

    #[test]
    fn a_block_reads_as_rows_and_as_json() {
        let block = Shape::Struct {
            members: vec![
                field("count", 0, Shape::Scalar(Scalar::WORD)),
                field("m", 16, Shape::Matrix { scalar: FLOAT, columns: 2, rows: 2, stride: 16, row_major: true }),
                field(
                    "data",
                    48,
                    Shape::Array {
                        element: Box::new(Shape::Struct {
                            members: vec![field("v", 4, Shape::Vector { scalar: FLOAT, count: 2 })],
                        }),
                        count: None,
                        stride: 12,
                    },
                ),
            ],
        };
        assert_eq!((block.bytes(), block.open_end()), (48, Some((48, 12))));
        let words: Vec<f32> = (0..18).map(|i| i as f32).collect();
        let bytes: Vec<u8> = words.iter().flat_map(|f| f.to_le_bytes()).collect();
        let (rows, all) = block.rows(&bytes, 4);
        let rows: Vec<_> =
            rows.iter().map(|r| format!("{} @{} {}", r.path, r.offset, Value::from(r.values.clone()))).collect();
        assert_eq!(rows, ["count @0 [0]", "m[0] @16 [4.0,8.0]", "m[1] @20 [5.0,9.0]", "data[0].v @52 [13.0,14.0]"]);
        assert_eq!(all, 5);
        let json = block.json(&bytes);
        assert_eq!(json["m"], serde_json::json!([[4.0, 8.0], [5.0, 9.0]]));
        assert_eq!(json["data"], serde_json::json!([{ "v": [13.0, 14.0] }, { "v": [16.0, 17.0] }]));
    }

    #[test]
    fn numbers_of_other_encodings_are_their_bits() {
        let text = "OpCapability Shader\nOpCapability BFloat16TypeKHR\nOpExtension \"SPV_KHR_bfloat16\"\n\
             OpMemoryModel Logical GLSL450\nOpDecorate %array ArrayStride 8\nOpMemberDecorate %block 0 Offset 0\n\
             OpMemberDecorate %block 1 Offset 8\n%float = OpTypeFloat 16 BFloat16KHR\n%pair = OpTypeVector %float 2\n\
             %uint = OpTypeInt 32 0\n%two = OpConstant %uint 2\n%array = OpTypeArray %pair %two\n\
             %block = OpTypeStruct %float %array\n";
        use spirv_tools::assembler::{Assembler, AssemblerOptions, create};
        let binary = create(Some(spirv_tools::TargetEnv::Universal_1_6)).assemble(text, AssemblerOptions::default());
        let module = Module::parse(binary.expect("assembles").as_words().to_vec()).expect("a module");
        let of = |op| module.globals().filter(move |inst| inst.op() == Some(op)).find_map(|inst| inst.result());
        let (block, float) = (of(Op::TypeStruct).expect("a block"), of(Op::TypeFloat).expect("a float"));
        assert_eq!(Scalar::of(&module, float), None);
        let shape = Shape::of(&module, block);
        assert_eq!((shape.bytes(), shape.name().as_str()), (24, "{ m0: uint16, m1: uint16x2[2] }"));
        // 1.5, then 2 and 1 as `bfloat16`: nothing of these reads as an IEEE half.
        let bytes = [0xc0, 0x3f, 0, 0, 0, 0, 0, 0, 0x00, 0x40, 0x80, 0x3f, 0, 0, 0, 0];
        assert_eq!(shape.json(&bytes).to_string(), r#"{"m0":16320,"m1":[[16384,16256]]}"#);
    }
}
