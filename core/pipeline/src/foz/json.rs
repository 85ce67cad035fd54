//! JSON as databases have it: members in their order, the first of a name counts, and bounds on everything.

use std::cell::Cell;
use std::fmt;

use serde::de::{self, DeserializeSeed, MapAccess, SeqAccess, Visitor};

/// The longest text, in bytes.
pub const MAX_TEXT: usize = 64 << 20;
/// The most values in a text.
const MAX_VALUES: usize = 4_000_000;
/// Maximum nesting of values.
const MAX_DEPTH: usize = 64;

/// A value.
#[derive(Debug, Clone, PartialEq)]
pub enum Json {
    Null,
    Bool(bool),
    Unsigned(u64),
    Signed(i64),
    Float(f64),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    /// Reads a text.
    ///
    /// # Errors
    /// Where it is not JSON, or which bound it passes.
    pub fn read(text: &[u8]) -> Result<Json, String> {
        if text.len() > MAX_TEXT {
            return Err(format!("{} bytes of JSON, expected at most {MAX_TEXT}", text.len()));
        }
        check_depth(text)?;
        let budget = Cell::new(MAX_VALUES);
        let mut reader = serde_json::Deserializer::from_slice(text);
        let value = Seed(&budget).deserialize(&mut reader).map_err(|error| error.to_string())?;
        reader.end().map_err(|error| error.to_string())?;
        Ok(value)
    }

    /// The first member of that name.
    pub fn get(&self, name: &str) -> Option<&Json> {
        match self {
            Json::Object(members) => members.iter().find(|member| member.0 == name).map(|member| &member.1),
            _ => None,
        }
    }

    /// The kind of a value, for messages.
    pub fn kind(&self) -> &'static str {
        match self {
            Json::Null => "null",
            Json::Bool(_) => "a boolean",
            Json::Unsigned(_) => "an unsigned number",
            Json::Signed(_) => "a negative number",
            Json::Float(_) => "a floating-point number",
            Json::Text(_) => "a string",
            Json::List(_) => "an array",
            Json::Object(_) => "an object",
        }
    }
}

/// Compact text.
impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Json::Null => f.write_str("null"),
            Json::Bool(value) => write!(f, "{value}"),
            Json::Unsigned(value) => write!(f, "{value}"),
            Json::Signed(value) => write!(f, "{value}"),
            Json::Float(value) => {
                f.write_str(&serde_json::Number::from_f64(*value).map_or("null".to_owned(), |n| n.to_string()))
            }
            Json::Text(text) => f.write_str(&serde_json::Value::String(text.clone()).to_string()),
            Json::List(values) => {
                f.write_str("[")?;
                for (at, value) in values.iter().enumerate() {
                    write!(f, "{}{value}", if at == 0 { "" } else { "," })?;
                }
                f.write_str("]")
            }
            Json::Object(members) => {
                f.write_str("{")?;
                for (at, (name, value)) in members.iter().enumerate() {
                    let name = serde_json::Value::String(name.clone());
                    write!(f, "{}{name}:{value}", if at == 0 { "" } else { "," })?;
                }
                f.write_str("}")
            }
        }
    }
}

/// Refuses what nests too deep before anything recurses over it.
fn check_depth(text: &[u8]) -> Result<(), String> {
    let (mut depth, mut quoted, mut escaped) = (0usize, false, false);
    for (at, byte) in text.iter().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b'[' | b'{' if !quoted => {
                depth += 1;
                if depth > MAX_DEPTH {
                    return Err(format!("byte {at}: values nest more than {MAX_DEPTH} levels deep"));
                }
            }
            b']' | b'}' if !quoted => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    Ok(())
}

struct Seed<'b>(&'b Cell<usize>);

impl Seed<'_> {
    fn spend<E: de::Error>(&self) -> Result<(), E> {
        let left = self.0.get().checked_sub(1);
        self.0.set(left.ok_or_else(|| E::custom(format!("more than {MAX_VALUES} values")))?);
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for Seed<'_> {
    type Value = Json;

    fn deserialize<D: de::Deserializer<'de>>(self, deserializer: D) -> Result<Json, D::Error> {
        self.spend()?;
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Seed<'_> {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Json, E> {
        Ok(Json::Bool(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Json, E> {
        Ok(Json::Unsigned(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Json, E> {
        Ok(u64::try_from(value).map_or(Json::Signed(value), Json::Unsigned))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Json, E> {
        Ok(Json::Float(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Json, E> {
        Ok(Json::Text(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Json, E> {
        Ok(Json::Text(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut values: A) -> Result<Json, A::Error> {
        let mut out = Vec::new();
        while let Some(value) = values.next_element_seed(Seed(self.0))? {
            out.push(value);
        }
        Ok(Json::List(out))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Json, A::Error> {
        let mut out = Vec::new();
        while let Some(name) = members.next_key()? {
            out.push((name, members.next_value_seed(Seed(self.0))?));
        }
        Ok(Json::Object(out))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_keep_order_and_first_duplicate_wins() {
        let text = br#"{"b":1,"a":-2,"b":[3.5,"x",null,true],"big":18446744073709551615}"#;
        let json = Json::read(text).expect("reads");
        assert_eq!(json.get("b"), Some(&Json::Unsigned(1)));
        assert_eq!(json.get("a"), Some(&Json::Signed(-2)));
        assert_eq!(json.get("big"), Some(&Json::Unsigned(u64::MAX)));
        assert_eq!(json.to_string().as_bytes(), text);
    }

    #[test]
    fn rejects_json_that_is_too_deep_or_too_large() {
        let deep = "[".repeat(100_000);
        assert_eq!(Json::read(deep.as_bytes()), Err("byte 64: values nest more than 64 levels deep".to_owned()));
        let quoted = format!("[\"{}\"]", "[\\\"".repeat(200));
        assert!(Json::read(quoted.as_bytes()).is_ok());
        let many = format!("[{}0]", "0,".repeat(MAX_VALUES));
        assert!(Json::read(many.as_bytes()).is_err_and(|error| error.contains("values")));
        assert!(Json::read(b"{\"a\":").is_err() && Json::read(b"{} x").is_err());
    }
}
