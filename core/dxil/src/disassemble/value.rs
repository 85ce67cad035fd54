//! Values and constants as text.

use super::local::Local;
use super::metadata::Inline;
use crate::module::{Body, Constant, Module, Operand, Type, TypeId, ValueId, ValueKind, symbol};
use lanescope_base::half;

/// Maximum depth to which constants are written.
const DEEPEST: u32 = 8;
/// Bytes of one constant.
const LONGEST: usize = 1024;

/// The scope of a value's number.
#[derive(Clone, Copy)]
pub struct Scope<'m> {
    pub module: &'m Module,
    pub body: Option<&'m Body>,
    pub local: &'m Local,
}

impl Scope<'_> {
    /// A value: `%3`, `@name`, `1.5`, `{ 0, 1 }`.
    pub fn value(&self, id: ValueId) -> String {
        let mut out = String::new();
        self.write(id, &mut out, 0);
        out
    }

    /// An operand without its type.
    pub fn operand(&self, operand: &Operand) -> String {
        match operand {
            Operand::Value(id) => self.value(*id),
            Operand::Block(id) => self.local.block(*id),
            Operand::Metadata(id) => format!("metadata {}", Inline { module: self.module, body: self.body }.node(*id)),
        }
    }

    /// A value after its type: `i32 %3`.
    pub fn typed(&self, id: ValueId) -> String {
        format!("{} {}", self.type_name(id), self.value(id))
    }

    /// The type of a value, as text.
    pub fn type_name(&self, id: ValueId) -> String {
        self.type_of(id).map_or_else(|| "<bad type>".to_owned(), |ty| self.module.types.name(ty))
    }

    /// The type of a value.
    pub fn type_of(&self, id: ValueId) -> Option<TypeId> {
        self.module.value(self.body, id).map(|value| value.ty)
    }

    /// Whether a value is the constant that stands for any.
    pub fn is_undefined(&self, id: ValueId) -> bool {
        self.module.constant(self.body, id) == Some(&Constant::Undef)
    }

    fn write(&self, id: ValueId, out: &mut String, depth: u32) {
        let Some(value) = self.module.value(self.body, id) else { return out.push_str("<bad value>") };
        match value.kind {
            ValueKind::Global(_) | ValueKind::Function(_) | ValueKind::Alias => {
                out.push_str(&match self.module.name(id) {
                    "" => format!("@{}", id.0),
                    name => symbol('@', name),
                });
            }
            ValueKind::Argument(_) | ValueKind::Instruction(_) => {
                out.push_str(&self.local.value(id).unwrap_or_else(|| "<bad value>".to_owned()));
            }
            ValueKind::Constant(_) => match self.module.constant(self.body, id) {
                Some(constant) => self.constant(constant, value.ty, out, depth),
                None => out.push_str("<bad value>"),
            },
        }
    }

    fn constant(&self, constant: &Constant, ty: TypeId, out: &mut String, depth: u32) {
        if depth > DEEPEST || out.len() > LONGEST {
            return out.push('…');
        }
        let types = &self.module.types;
        match constant {
            Constant::Undef => out.push_str("undef"),
            Constant::Null => out.push_str(match types.get(ty) {
                Some(Type::Integer(1)) => "false",
                Some(Type::Integer(_)) => "0",
                Some(Type::Half | Type::Float | Type::Double) => "0.0",
                Some(Type::Pointer(..)) => "null",
                _ => "zeroinitializer",
            }),
            Constant::Integer(value) if types.get(ty) == Some(&Type::Integer(1)) => {
                out.push_str(if value & 1 == 1 { "true" } else { "false" });
            }
            Constant::Integer(value) => out.push_str(&value.to_string()),
            Constant::Float(bits) => out.push_str(&float(types.get(ty), *bits)),
            Constant::Aggregate(parts) => {
                let (open, close) = brackets(types.get(ty));
                out.push_str(open);
                for (at, part) in parts.iter().enumerate() {
                    out.push_str(if at > 0 { ", " } else { "" });
                    if out.len() > LONGEST {
                        out.push('…');
                        break;
                    }
                    self.write(*part, out, depth + 1);
                }
                out.push_str(close);
            }
            Constant::Data(numbers) => {
                let of = types.element(ty, 0).and_then(|of| types.get(of));
                let (open, close) = brackets(types.get(ty));
                out.push_str(open);
                for (at, number) in numbers.iter().enumerate() {
                    out.push_str(if at > 0 { ", " } else { "" });
                    if out.len() > LONGEST {
                        out.push('…');
                        break;
                    }
                    out.push_str(&number_of(of, *number));
                }
                out.push_str(close);
            }
            Constant::Text(bytes, zero) => {
                let shown = bytes.get(..bytes.len().min(LONGEST / 4)).unwrap_or_default();
                let more = if shown.len() < bytes.len() { "…" } else { "" };
                let text = crate::escaped(shown).replace('"', "\\22");
                out.push_str(&format!("c\"{text}{more}{}\"", if *zero { "\\00" } else { "" }));
            }
            Constant::Cast(op, of) => {
                out.push_str(&format!("{op} ("));
                self.write(*of, out, depth + 1);
                out.push_str(&format!(" to {})", types.name(ty)));
            }
            Constant::Binary(op, left, right) => self.call(op.name(), &[*left, *right], out, depth),
            Constant::Compare(predicate, left, right) => {
                let name = if predicate.is_float() { "fcmp" } else { "icmp" };
                self.call(&format!("{name} {}", predicate.name()), &[*left, *right], out, depth);
            }
            Constant::Gep { inbounds, operands } => {
                let name = if *inbounds { "getelementptr inbounds" } else { "getelementptr" };
                self.call(name, operands, out, depth);
            }
            Constant::Other(code, _) => out.push_str(&format!("<constant of code {code}>")),
        }
    }

    fn call(&self, name: &str, operands: &[ValueId], out: &mut String, depth: u32) {
        out.push_str(name);
        out.push_str(" (");
        for (at, operand) in operands.iter().enumerate() {
            out.push_str(if at > 0 { ", " } else { "" });
            self.write(*operand, out, depth + 1);
        }
        out.push(')');
    }
}

fn brackets(ty: Option<&Type>) -> (&'static str, &'static str) {
    match ty {
        Some(Type::Array(..)) => ("[", "]"),
        Some(Type::Vector(..)) => ("<", ">"),
        _ => ("{ ", " }"),
    }
}

/// A number of an array, by the type of its elements.
fn number_of(ty: Option<&Type>, bits: u64) -> String {
    match ty {
        Some(Type::Integer(width @ 1..=63)) => {
            let unused = 64 - width;
            ((bits << unused).cast_signed() >> unused).to_string()
        }
        Some(Type::Integer(_)) => bits.cast_signed().to_string(),
        ty => float(ty, bits),
    }
}

/// A float in the fewest digits that give its bits back; bits in hexadecimal where it is not a number.
fn float(ty: Option<&Type>, bits: u64) -> String {
    let (text, finite, digits) = match ty {
        Some(Type::Double) => {
            let value = f64::from_bits(bits);
            (format!("{value:?}"), value.is_finite(), 16)
        }
        Some(Type::Half) => {
            let value = half::value(bits as u16) as f32;
            (format!("{value:?}"), value.is_finite(), 4)
        }
        _ => {
            let value = f32::from_bits(bits as u32);
            (format!("{value:?}"), value.is_finite(), 8)
        }
    };
    if finite { text } else { format!("0x{bits:0digits$X}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_shortest_floats_and_bits_of_nan() {
        for (ty, bits, text) in [
            (Type::Float, 0x3dcc_cccd, "0.1"),
            (Type::Float, 0x8000_0000, "-0.0"),
            (Type::Float, 0x7f80_0000, "0x7F800000"),
            (Type::Double, 0x3fb9_9999_9999_999a, "0.1"),
            (Type::Double, 0xfff8_0000_0000_0001, "0xFFF8000000000001"),
            (Type::Half, 0x3c00, "1.0"),
            (Type::Half, 0xc500, "-5.0"),
            (Type::Half, 0x0001, "5.9604645e-8"),
            (Type::Half, 0x7c00, "0x7C00"),
        ] {
            assert_eq!(float(Some(&ty), bits), text);
        }
        assert_eq!(number_of(Some(&Type::Integer(8)), 0xff), "-1");
        assert_eq!(number_of(Some(&Type::Integer(64)), u64::MAX), "-1");
    }
}
