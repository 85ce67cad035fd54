//! A small expression over the members of a record: what a breakpoint stops at, what a table shows.
//!
//! ```text
//! tile >= 16 && mode != 2
//! place.x * 2 < 0.5 || SV_DispatchGrid.y == 0
//! (mixed[1].code & 0xff) == 0x10
//! ```
//!
//! Numbers are decimal, hexadecimal or floating-point. Integers are exact; where a floating-point number takes part, all
//! are. Operators bind as in C: `||`, `&&`, `|`, `^`, `&`, `== !=`, `< <= > >=`, `<< >>`, `+ -`, `* / %`, `! - ~`.
//!
//! Where only code is known, an integer may have a sign: compared with a negative number, or by `< 0` and `>= 0`, it is read
//! as one that has.

use std::ops::ControlFlow;

use super::model::RecordType;
use lanescope_spirv::shape::{Scalar, ScalarKind, path};

/// The longest text that is read.
const MAX_TEXT: usize = 4096;
/// How deep parentheses nest.
const MAX_DEPTH: u32 = 64;

/// A condition, ready for records of one type.
#[derive(Debug, Clone, PartialEq)]
pub struct Condition {
    root: Term,
}

/// Why a text is not a condition.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("column {}: {message}", at + 1)]
pub struct ConditionError {
    /// Where: a character, from 0.
    pub at: usize,
    /// What was expected, what was found.
    pub message: String,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Number {
    Int(i128),
    Float(f64),
}

#[derive(Debug, Clone, PartialEq)]
enum Term {
    Number(Number),
    Field { offset: usize, scalar: Scalar },
    Unary(char, Box<Term>),
    Binary(&'static str, Box<Term>, Box<Term>),
}

/// Operators by how tightly they bind, the loosest first.
const LEVELS: [&[&str]; 10] = [
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<=", ">=", "<", ">"],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

/// Those of them that compare.
const COMPARISONS: [&str; 6] = ["==", "!=", "<=", ">=", "<", ">"];

impl Condition {
    /// Reads a condition over records of a type.
    ///
    /// # Errors
    /// Where the text is none, and which members there are where it names another.
    pub fn parse(text: &str, record: &RecordType) -> Result<Condition, ConditionError> {
        if text.len() > MAX_TEXT {
            let message = format!("{} characters; the limit is {MAX_TEXT}", text.len());
            return Err(ConditionError { at: MAX_TEXT, message });
        }
        let chars: Vec<char> = text.chars().collect();
        let mut parser = Parser { chars: &chars, at: 0, record, depth: 0 };
        let root = parser.level(0)?;
        parser.space();
        match parser.chars.get(parser.at) {
            None => Ok(Condition { root }),
            Some(c) => Err(parser.bad(format!("expected an operator or the end, found `{c}`"))),
        }
    }

    /// Whether it holds for a record. What is divided by zero, or lies outside of the record, does not.
    pub fn holds(&self, record: &[u8]) -> bool {
        value(&self.root, record).is_some_and(|number| number.truth())
    }
}

impl Number {
    fn truth(self) -> bool {
        match self {
            Number::Int(value) => value != 0,
            Number::Float(value) => value != 0.0,
        }
    }

    fn float(self) -> f64 {
        match self {
            Number::Int(value) => value as f64,
            Number::Float(value) => value,
        }
    }
}

fn value(term: &Term, record: &[u8]) -> Option<Number> {
    let flag = |on: bool| Some(Number::Int(i128::from(on)));
    match term {
        Term::Number(number) => Some(*number),
        Term::Field { offset, scalar } => field(record.get(*offset..)?, *scalar),
        Term::Unary(op, of) => match (op, value(of, record)?) {
            ('!', number) => flag(!number.truth()),
            ('-', Number::Int(value)) => value.checked_neg().map(Number::Int),
            ('-', Number::Float(value)) => Some(Number::Float(-value)),
            (_, Number::Int(value)) => Some(Number::Int(!value)),
            (_, Number::Float(_)) => None,
        },
        Term::Binary("&&", a, b) => flag(value(a, record)?.truth() && value(b, record)?.truth()),
        Term::Binary("||", a, b) => flag(value(a, record)?.truth() || value(b, record)?.truth()),
        Term::Binary(op, a, b) => match (value(a, record)?, value(b, record)?) {
            (Number::Int(a), Number::Int(b)) => integers(op, a, b),
            (a, b) => floats(op, a.float(), b.float()),
        },
    }
}

fn integers(op: &str, a: i128, b: i128) -> Option<Number> {
    let shift = || u32::try_from(b).ok().filter(|shift| *shift < 64);
    Some(Number::Int(match op {
        "|" => a | b,
        "^" => a ^ b,
        "&" => a & b,
        "==" => i128::from(a == b),
        "!=" => i128::from(a != b),
        "<=" => i128::from(a <= b),
        ">=" => i128::from(a >= b),
        "<" => i128::from(a < b),
        ">" => i128::from(a > b),
        "<<" => a.checked_mul(1 << shift()?)?,
        ">>" => a >> shift()?,
        "+" => a.checked_add(b)?,
        "-" => a.checked_sub(b)?,
        "*" => a.checked_mul(b)?,
        "/" => a.checked_div(b)?,
        "%" => a.checked_rem(b)?,
        _ => return None,
    }))
}

fn floats(op: &str, a: f64, b: f64) -> Option<Number> {
    let flag = |on: bool| Some(Number::Int(i128::from(on)));
    match op {
        "==" => flag(a == b),
        "!=" => flag(a != b),
        "<=" => flag(a <= b),
        ">=" => flag(a >= b),
        "<" => flag(a < b),
        ">" => flag(a > b),
        "+" => Some(Number::Float(a + b)),
        "-" => Some(Number::Float(a - b)),
        "*" => Some(Number::Float(a * b)),
        "/" => Some(Number::Float(a / b)),
        "%" => Some(Number::Float(a % b)),
        _ => None,
    }
}

/// A number of a record.
fn field(bytes: &[u8], scalar: Scalar) -> Option<Number> {
    let value = scalar.value(bytes);
    match scalar.kind {
        ScalarKind::Float => match value {
            // JSON has no such numbers.
            serde_json::Value::String(text) => text.parse().ok().map(Number::Float),
            // A 32-bit number reads as its shortest decimal: so `x == 0.1` holds where 0.1 was stored.
            value => value.as_f64().map(Number::Float),
        },
        ScalarKind::Int => value.as_i64().map(|value| Number::Int(value.into())),
        ScalarKind::Uint => value.as_u64().map(|value| Number::Int(value.into())),
    }
}

struct Parser<'t> {
    chars: &'t [char],
    at: usize,
    record: &'t RecordType,
    depth: u32,
}

impl Parser<'_> {
    fn bad(&self, message: impl Into<String>) -> ConditionError {
        ConditionError { at: self.at, message: message.into() }
    }

    fn space(&mut self) {
        while self.chars.get(self.at).is_some_and(|c| c.is_whitespace()) {
            self.at += 1;
        }
    }

    /// Takes one of some operators; `&` and `|` stand alone only where they are not doubled.
    fn operator(&mut self, operators: &[&'static str]) -> Option<&'static str> {
        self.space();
        let rest = self.chars.get(self.at..)?;
        let found = operators.iter().find(|operator| {
            let length = operator.chars().count();
            let here = rest.len() >= length && operator.chars().zip(rest).all(|(a, b)| a == *b);
            let doubled = length == 1 && rest.get(1) == rest.first() && matches!(**operator, "&" | "|" | "<" | ">");
            here && !doubled
        })?;
        self.at += found.chars().count();
        Some(found)
    }

    fn level(&mut self, level: usize) -> Result<Term, ConditionError> {
        let Some(operators) = LEVELS.get(level) else { return self.unary() };
        self.space();
        let start = self.at;
        let mut left = self.level(level + 1)?;
        while let Some(operator) = self.operator(operators) {
            self.space();
            let middle = self.at;
            let mut right = self.level(level + 1)?;
            if COMPARISONS.contains(&operator) {
                let turned = operator.replace('<', "_").replace('>', "<").replace('_', ">");
                self.signed(&mut left, operator, &right, start)?;
                self.signed(&mut right, &turned, &left, middle)?;
            }
            left = Term::Binary(operator, Box::new(left), Box::new(right));
        }
        Ok(left)
    }

    /// A member that is compared with what only a number with a sign can be is read as one, where that is not known.
    fn signed(&self, term: &mut Term, operator: &str, other: &Term, at: usize) -> Result<(), ConditionError> {
        let Term::Field { offset, scalar } = term else { return Ok(()) };
        let number = match other {
            Term::Number(Number::Int(0)) if matches!(operator, "<" | ">=") => 0,
            Term::Unary('-', of) => match **of {
                Term::Number(Number::Int(number)) if number > 0 => -number,
                _ => return Ok(()),
            },
            _ => return Ok(()),
        };
        let bits = scalar.bits.clamp(1, 64);
        let least = -(1i128 << (bits - 1));
        if self.record.may_have_sign(*offset, *scalar) && number >= least {
            scalar.kind = ScalarKind::Int;
        } else if scalar.kind == ScalarKind::Uint && number < 0 {
            let name: String = self.chars.get(at..).unwrap_or_default().iter().take_while(|c| is_name(**c)).collect();
            let message = match number >= least {
                true => {
                    let same = number & ((1 << bits) - 1);
                    format!("{name} is unsigned and never negative; use {same:#x} for the bits of {number}")
                }
                false => format!("{name} has {bits} bits and is never as low as {number}"),
            };
            return Err(ConditionError { at, message });
        }
        Ok(())
    }

    fn unary(&mut self) -> Result<Term, ConditionError> {
        self.space();
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.bad("parentheses nest too deep"));
        }
        let term = match self.chars.get(self.at).copied() {
            Some(op @ ('!' | '-' | '~')) => {
                self.at += 1;
                Term::Unary(op, Box::new(self.unary()?))
            }
            Some('(') => {
                self.at += 1;
                let inner = self.level(0)?;
                self.space();
                if self.chars.get(self.at) != Some(&')') {
                    return Err(self.bad("expected `)`"));
                }
                self.at += 1;
                inner
            }
            Some(c) if c.is_ascii_digit() || c == '.' => self.number()?,
            Some(c) if c.is_alphabetic() || c == '_' => self.field()?,
            Some(c) => return Err(self.bad(format!("expected a member or a number, found `{c}`"))),
            None => return Err(self.bad("expected a member or a number")),
        };
        self.depth -= 1;
        Ok(term)
    }

    fn word(&self, takes: impl Fn(char) -> bool) -> String {
        self.chars.get(self.at..).unwrap_or_default().iter().take_while(|c| takes(**c)).collect()
    }

    fn number(&mut self) -> Result<Term, ConditionError> {
        let word = self.word(|c| c.is_ascii_alphanumeric() || c == '.' || c == '_');
        // The sign of an exponent belongs to the number.
        let word = match word.ends_with(['e', 'E']) && !word.starts_with("0x") {
            true => {
                let length = word.chars().count();
                let rest: String = self.chars.get(self.at + length..).unwrap_or_default().iter().take(1).collect();
                let signed = rest == "-" || rest == "+";
                let digits = self.chars.get(self.at + length + 1..).unwrap_or_default();
                let digits: String = digits.iter().take_while(|c| c.is_ascii_digit()).collect();
                if signed { format!("{word}{rest}{digits}") } else { word }
            }
            false => word,
        };
        let plain = word.replace('_', "");
        let hex = plain.strip_prefix("0x").or_else(|| plain.strip_prefix("0X"));
        let number = match hex {
            Some(digits) => i128::from_str_radix(digits, 16).ok().map(Number::Int),
            None => plain.parse().map(Number::Int).or_else(|_| plain.parse().map(Number::Float)).ok(),
        };
        let number = number.ok_or_else(|| self.bad(format!("`{word}` is not a number")))?;
        self.at += word.chars().count();
        Ok(Term::Number(number))
    }

    fn field(&mut self) -> Result<Term, ConditionError> {
        let word = self.word(is_name);
        let found = find(self.record, &word);
        let (offset, scalar) = found.ok_or_else(|| {
            let mut known = fields(self.record, 12);
            if known.len() == 12 {
                known.push("…".to_owned());
            }
            self.bad(format!("no member {word}; members: {}", known.join(", ")))
        })?;
        self.at += word.chars().count();
        Ok(Term::Field { offset, scalar })
    }
}

/// What a member's name is made of.
fn is_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '.' | '[' | ']')
}

/// The number that a path names: `place.y`, `mixed[1].code`, a vector's parts by letters or numbers.
pub(super) fn find(record: &RecordType, wanted: &str) -> Option<(usize, Scalar)> {
    let bytes = u64::from(record.bytes);
    // The grid has its semantic's name beside its own.
    let grid = record.grid.filter(|_| wanted.starts_with(super::records::GRID));
    if let Some(grid) = grid {
        let part = match wanted.strip_prefix(super::records::GRID)? {
            "" if grid.components == 1 => 0,
            part => component(part)?,
        };
        let at = u64::from(grid.offset) + u64::from(part) * grid.scalar.bytes();
        return (part < grid.components).then_some((usize::try_from(at).ok()?, grid.scalar));
    }
    let mut out = None;
    record.shape.visit(bytes, |steps, leaf| {
        let name = path(steps);
        let Some(rest) = wanted.strip_prefix(&name) else { return ControlFlow::Continue(()) };
        let part = match rest {
            "" if leaf.count == 1 => Some(0),
            part => component(part),
        };
        match part.filter(|part| *part < leaf.count).and_then(|part| leaf.offsets().nth(part as usize)) {
            Some(offset) => {
                out = usize::try_from(offset).ok().map(|offset| (offset, leaf.scalar));
                ControlFlow::Break(())
            }
            None => ControlFlow::Continue(()),
        }
    });
    out
}

/// `.y` or `[1]`.
fn component(text: &str) -> Option<u32> {
    if let Some(letter) = text.strip_prefix('.') {
        let mut letters = letter.chars();
        let (first, rest) = (letters.next()?, letters.next());
        let at = "xyzw".find(first).or_else(|| "rgba".find(first))?;
        return rest.is_none().then_some(u32::try_from(at).ok()?);
    }
    text.strip_prefix('[')?.strip_suffix(']')?.parse().ok()
}

/// The first names that a condition may use.
fn fields(record: &RecordType, most: usize) -> Vec<String> {
    let mut out = Vec::new();
    record.shape.visit(u64::from(record.bytes), |steps, leaf| {
        let part = if leaf.count > 1 { ".x" } else { "" };
        out.push(format!("{}{part}", path(steps)));
        if out.len() < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::{GridField, TypeSource};
    use lanescope_spirv::shape::{Field, Shape};

    fn record() -> RecordType {
        let scalar = |kind, bits| Scalar { kind, bits };
        let field = |name: &str, offset, shape| Field { name: name.to_owned(), offset, shape };
        let float = scalar(ScalarKind::Float, 32);
        let element = Shape::Struct { members: vec![field("code", 0, Shape::Scalar(scalar(ScalarKind::Int, 16)))] };
        let members = vec![
            field("tile", 0, Shape::Scalar(Scalar::WORD)),
            field("place", 4, Shape::Vector { scalar: float, count: 2 }),
            field("f3", 12, Shape::Vector { scalar: Scalar::WORD, count: 2 }),
            field("mixed", 20, Shape::Array { element: Box::new(element), count: Some(2), stride: 2 }),
        ];
        RecordType {
            name: None,
            bytes: 24,
            align: 4,
            tracked: false,
            grid: Some(GridField { offset: 12, scalar: Scalar::WORD, components: 2 }),
            shape: Shape::Struct { members },
            source: TypeSource::Debug,
        }
    }

    fn bytes() -> Vec<u8> {
        let mut out = Vec::new();
        out.extend(17u32.to_le_bytes());
        out.extend(0.1f32.to_le_bytes());
        out.extend((-2.0f32).to_le_bytes());
        out.extend(5u32.to_le_bytes());
        out.extend(0u32.to_le_bytes());
        out.extend((-3i16).to_le_bytes());
        out.extend(0x1234i16.to_le_bytes());
        out
    }

    #[test]
    fn evaluates_conditions() {
        for (text, expected) in [
            ("tile == 17", true),
            ("tile >= 16 && tile < 17", false),
            ("!(tile == 17) || place.x == 0.1", true),
            ("place.y * 2 < -3.5", true),
            ("place.g + 2", false),
            ("SV_DispatchGrid.x == 5 && SV_DispatchGrid.y == 0", true),
            ("f3[1]", false),
            ("mixed[0].code == -3", true),
            ("(mixed[1].code & 0xff) == 0x34", true),
            ("mixed[1].code >> 8 == 0x12", true),
            ("1 << 4 | 1 == 17", true),
            ("tile % 4 == 1", true),
            ("tile / 0 == 1", false),
            ("~tile == -18", true),
            ("2e1 > tile && 1.5e-3 < place.x", true),
            ("tile*tile - 289", false),
            ("place.x & 1", false),
        ] {
            let condition = Condition::parse(text, &record()).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(condition.holds(&bytes()), expected, "{text}");
            assert!(!condition.holds(&[]) || !text.contains(|c: char| c.is_alphabetic()), "{text}: nothing is there");
        }
    }

    #[test]
    fn accepts_negative_numbers_where_signs_are_unknown() {
        let mut record = record();
        record.source = TypeSource::Code;
        let mut bytes = bytes();
        bytes[..4].copy_from_slice(&(-3i32).to_le_bytes());
        for (text, expected) in [
            ("tile == -3", true),
            ("-3 == tile", true),
            ("tile != -3", false),
            ("tile == 0xfffffffd", true),
            ("tile < -2 && tile >= (-3)", true),
            ("-4 < tile && -2 > tile", true),
            ("tile < 0 && !(0 <= tile)", true),
            ("tile > 0", true),
            ("mixed[0].code == -3", true),
        ] {
            let condition = Condition::parse(text, &record).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(condition.holds(&bytes), expected, "{text}");
        }
        let error = Condition::parse("SV_DispatchGrid.y > -1", &record).expect_err("groups").message;
        assert!(error.contains("never negative"), "{error}");
        let error = Condition::parse("tile > -2147483649", &record).expect_err("33 bits").message;
        assert_eq!(error, "tile has 32 bits and is never as low as -2147483649");
    }

    #[test]
    fn reports_invalid_conditions_with_their_place() {
        for (text, at, says) in [
            ("", 0, "a member or a number"),
            ("tile ==", 7, "a member or a number"),
            ("tile 3", 5, "an operator or the end"),
            ("(tile", 5, "expected `)`"),
            ("colour > 1", 0, "no member colour; members: tile, place.x, f3.x, mixed[0].code, mixed[1].code"),
            ("place > 1", 0, "no member place"),
            ("place.z > 1", 0, "no member place.z"),
            ("tile > 0xg", 7, "not a number"),
            ("tile == -1", 0, "tile is unsigned and never negative; use 0xffffffff for the bits of -1"),
            ("1 == 1 && -2 < tile", 15, "tile is unsigned and never negative; use 0xfffffffe for the bits of -2"),
            ("SV_DispatchGrid.x >= -1", 0, "SV_DispatchGrid.x is unsigned"),
        ] {
            let error = Condition::parse(text, &record()).expect_err(text);
            assert!(error.at == at && error.message.contains(says), "{text}: {error:?}");
        }
        assert!(Condition::parse(&"(".repeat(3000), &record()).is_err());
        assert!(Condition::parse(&"1+".repeat(3000), &record()).is_err());
        assert!(Condition::parse(&format!("{}1", "-".repeat(3000)), &record()).is_err());
    }
}
