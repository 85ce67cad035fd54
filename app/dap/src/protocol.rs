//! Messages of the Debug Adapter Protocol: requests as they are read, answers and events as they are written.

use lanescope_core::foreign::plain_lines;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

/// A request.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Request {
    /// Its number.
    pub seq: i64,
    /// What is asked for.
    pub command: String,
    /// With what.
    #[serde(default)]
    pub arguments: Value,
}

/// What comes from a client.
#[derive(Debug, Clone, PartialEq)]
pub enum Incoming {
    /// A request.
    Request(Request),
    /// Something else in its place; the reason is for the client's console.
    Malformed(String),
}

/// What goes to a client.
#[derive(Debug, Clone, PartialEq)]
pub enum Outgoing {
    /// The answer to a request.
    Response {
        /// Its number.
        to: i64,
        /// What it asked for.
        command: String,
        /// The body, or why there is none.
        result: Result<Value, String>,
    },
    /// An event.
    Event {
        /// Its name.
        event: &'static str,
        /// Its body.
        body: Value,
    },
}

/// Reads a message. Answers of a client are passed over: nothing is asked of it.
pub fn read(body: &[u8]) -> Option<Incoming> {
    let value: Value = match serde_json::from_slice(body) {
        Ok(value) => value,
        Err(error) => return Some(Incoming::Malformed(format!("not JSON: {error}"))),
    };
    match value.get("type").and_then(Value::as_str) {
        Some("response" | "event") => return None,
        Some("request") => {}
        _ => return Some(Incoming::Malformed("not a message of the protocol: expected a `type`".to_owned())),
    }
    Some(match serde_json::from_value(value) {
        Ok(request) => Incoming::Request(request),
        Err(error) => Incoming::Malformed(format!("not a request: {error}")),
    })
}

impl Request {
    /// Its arguments.
    ///
    /// # Errors
    /// What of them is missing or of another type.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, String> {
        let arguments = match &self.arguments {
            Value::Null => Value::Object(Map::new()),
            arguments => arguments.clone(),
        };
        serde_json::from_value(arguments).map_err(|error| format!("{}: invalid arguments: {error}", self.command))
    }
}

impl Outgoing {
    /// Text for the client's console.
    pub fn output(category: &'static str, text: &str) -> Outgoing {
        Outgoing::Event { event: "output", body: json!({ "category": category, "output": format!("{text}\n") }) }
    }

    /// The message, with its number.
    pub fn message(self, seq: i64) -> Value {
        let mut message = match self {
            Outgoing::Event { event, body } => json!({ "seq": seq, "type": "event", "event": event, "body": body }),
            Outgoing::Response { to, command, result } => {
                let answer = json!({
                    "seq": seq, "type": "response", "request_seq": to, "command": command, "success": result.is_ok(),
                });
                let Value::Object(mut answer) = answer else { return answer };
                match result {
                    Ok(Value::Null) => {}
                    Ok(body) => drop(answer.insert("body".to_owned(), body)),
                    Err(why) => {
                        let error = json!({ "error": { "id": 1, "format": why, "showUser": true } });
                        answer.insert("message".to_owned(), Value::String(why));
                        answer.insert("body".to_owned(), error);
                    }
                }
                Value::Object(answer)
            }
        };
        screen(&mut message);
        message
    }
}

/// Replaces what a terminal or an editor would obey in all texts but paths, which would lead to other files.
fn screen(value: &mut Value) {
    match value {
        Value::String(text) => *text = plain_lines(text),
        Value::Array(values) => values.iter_mut().for_each(screen),
        Value::Object(members) => {
            members.iter_mut().filter(|(name, _)| *name != "path").for_each(|(_, value)| screen(value));
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_told_from_other_messages() {
        let request = read(br#"{"seq":3,"type":"request","command":"threads"}"#);
        let expected = Request { seq: 3, command: "threads".to_owned(), arguments: Value::Null };
        assert_eq!(request, Some(Incoming::Request(expected)));
        assert_eq!(read(br#"{"seq":3,"type":"response","request_seq":1,"success":true,"command":"x"}"#), None);
        for (text, why) in [
            (&b"{"[..], "not JSON"),
            (b"[1]", "expected a `type`"),
            (br#"{"type":"request","seq":"a","command":"b"}"#, "not a request"),
            (br#"{"type":"request","seq":1}"#, "missing field `command`"),
            (b"\xff", "not JSON"),
        ] {
            let Some(Incoming::Malformed(found)) = read(text) else { panic!("{why}") };
            assert!(found.contains(why), "{found}");
        }
    }

    #[test]
    fn arguments_may_be_missing() {
        #[derive(Debug, PartialEq, Deserialize)]
        struct Arguments {
            levels: Option<u32>,
        }
        let with = |arguments| Request { seq: 1, command: "stackTrace".to_owned(), arguments };
        assert_eq!(with(Value::Null).read(), Ok(Arguments { levels: None }));
        assert_eq!(with(json!({ "levels": 3, "other": [] })).read(), Ok(Arguments { levels: Some(3) }));
        let error = with(json!({ "levels": "x" })).read::<Arguments>().expect_err("not a number");
        assert!(error.starts_with("stackTrace: invalid arguments"), "{error}");
    }

    #[test]
    fn texts_hold_nothing_that_is_obeyed() {
        let body = json!({ "name": "a\u{1b}[2J\nb", "path": "/a\u{1b}", "list": ["\u{202e}"] });
        let message = Outgoing::Event { event: "x", body }.message(7);
        assert_eq!(message["body"], json!({ "name": "a\u{fffd}[2J\nb", "path": "/a\u{1b}", "list": ["\u{fffd}"] }));
        let failed = Outgoing::Response { to: 2, command: "next".to_owned(), result: Err("why".to_owned()) }.message(8);
        assert_eq!((&failed["success"], &failed["message"]), (&json!(false), &json!("why")));
        assert_eq!(failed["body"]["error"]["format"], "why");
        let done = Outgoing::Response { to: 2, command: "next".to_owned(), result: Ok(Value::Null) }.message(9);
        assert_eq!((&done["success"], done.get("body")), (&json!(true), None));
    }
}
