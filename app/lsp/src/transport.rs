//! Messages over a pair of streams: each has a header with its length. What a client sends is bounded in size, and what is
//! not a message is answered, not obeyed.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, bounded};
use lanescope_host::framing::{self, TooLong};
use lsp_server::{ErrorCode, Message};
use serde_json::{Value, json};

/// Messages of one direction that wait.
const WAITING: usize = 64;
/// How long a client that has gone may leave answers unread.
const LINGER: Duration = Duration::from_secs(3);

/// What comes from a client.
#[derive(Debug)]
pub enum Incoming {
    /// A message.
    Message(Message),
    /// Something else in its place, which was answered; the reason is for the log.
    Malformed(String),
}

/// What goes to a client.
#[derive(Debug)]
pub enum Outgoing {
    /// A message.
    Message(Message),
    /// The answer to what is not a message: its code and reason, and the number that it has, if any.
    Refused(ErrorCode, String, Value),
    /// Nothing: the last message before it has been sent.
    End,
}

/// A client. The channel of its messages ends where its stream ends, or cannot be read any more.
pub struct Connection {
    /// Its messages.
    pub incoming: Receiver<Incoming>,
    /// Messages for it; closed where they cannot be written any more.
    pub outgoing: Sender<Outgoing>,
    written: Receiver<()>,
}

impl Connection {
    /// Reads and writes messages on threads of their own.
    ///
    /// # Errors
    /// The system starts no thread.
    pub fn new(input: impl Read + Send + 'static, output: impl Write + Send + 'static) -> io::Result<Connection> {
        let (outgoing, to_write) = bounded::<Outgoing>(WAITING);
        let (received, incoming) = bounded(WAITING);
        let (done, written) = bounded(1);
        let answers = outgoing.clone();
        let spawn = |name: &str| std::thread::Builder::new().name(name.to_owned());
        spawn("lsp reader").spawn(move || {
            read_all(BufReader::new(input), &received, &answers);
            // A client that has gone reads nothing: the process ends, whoever waits to write.
            drop((received, answers));
            std::thread::sleep(LINGER);
            std::process::exit(1);
        })?;
        spawn("lsp writer").spawn(move || {
            let mut output = output;
            for message in to_write {
                if matches!(message, Outgoing::End) || write(&message, &mut output).is_err() {
                    break;
                }
            }
            // Who waits for the last message may have given up.
            let _ = done.send(());
        })?;
        Ok(Connection { incoming, outgoing, written })
    }

    /// Waits until the last message is written, or the client does not read it.
    pub fn finish(self) {
        // A writer that has ended wrote what it could.
        if self.outgoing.send_timeout(Outgoing::End, LINGER).is_ok() {
            let _ = self.written.recv_timeout(LINGER);
        }
    }
}

fn read_all(mut input: impl BufRead, received: &Sender<Incoming>, answers: &Sender<Outgoing>) {
    loop {
        let (incoming, refused) = match read(&mut input) {
            Ok(Some(Ok(message))) => (Incoming::Message(message), None),
            Ok(Some(Err(refused))) => (Incoming::Malformed(refused.why.clone()), Some(refused)),
            // Where the next message would begin is unknown after an error.
            Ok(None) => return,
            Err(error) => {
                let _ = answers.send(Outgoing::Refused(ErrorCode::ParseError, error.to_string(), Value::Null));
                return;
            }
        };
        if let Some(Refused { code, why, id }) = refused {
            let _ = answers.send(Outgoing::Refused(code, why, id));
        }
        if received.send(incoming).is_err() {
            return;
        }
    }
}

/// What is not a message, or too long.
#[derive(Debug)]
struct Refused {
    code: ErrorCode,
    why: String,
    /// The number of a request whose number cannot be used.
    id: Value,
}

/// Reads a message; none at the end of the stream.
fn read(input: &mut impl BufRead) -> io::Result<Option<Result<Message, Refused>>> {
    let Some(body) = framing::read(input)? else { return Ok(None) };
    let body = match body {
        Ok(body) => body,
        Err(TooLong { length }) => {
            let why = framing::ignored(length);
            return Ok(Some(Err(Refused { code: ErrorCode::InvalidRequest, why, id: Value::Null })));
        }
    };
    let refused = |code, why, id| Ok(Some(Err(Refused { code, why, id })));
    match serde_json::from_slice::<Message>(&body) {
        // A number that is none of the protocol would make a request a notification, which nobody answers.
        Ok(message) => match number(&body).filter(|_| matches!(message, Message::Notification(_))) {
            None => Ok(Some(Ok(message))),
            Some(id) => {
                let why = format!("`id` is {id}, expected an integer of 32 bits or a string");
                refused(ErrorCode::InvalidRequest, why, id)
            }
        },
        Err(error) => {
            let is_json = serde_json::from_slice::<Value>(&body).is_ok();
            let code = if is_json { ErrorCode::InvalidRequest } else { ErrorCode::ParseError };
            refused(code, format!("not a message of JSON-RPC: {error}"), Value::Null)
        }
    }
}

/// What a message has as its number.
fn number(body: &[u8]) -> Option<Value> {
    serde_json::from_slice::<Value>(body).ok()?.get("id").cloned()
}

fn write(message: &Outgoing, output: &mut impl Write) -> io::Result<()> {
    match message {
        Outgoing::Message(message) => message.write(output),
        Outgoing::Refused(code, why, id) => {
            let error = json!({ "code": *code as i32, "message": why });
            let body = json!({ "jsonrpc": "2.0", "id": id, "error": error }).to_string();
            framing::write(output, body.as_bytes())
        }
        Outgoing::End => output.flush(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn framed(body: &str) -> Vec<u8> {
        format!("content-length: {}\r\nContent-Type: x\r\n\r\n{body}", body.len()).into_bytes()
    }

    #[test]
    fn messages_follow_each_other_and_what_is_none_is_answered() {
        let ping = r#"{"jsonrpc":"2.0","id":1,"method":"a"}"#;
        let stream = [framed(ping), framed("{"), framed("[1]"), framed("\u{1f600}"), framed(ping)].concat();
        let mut stream = stream.as_slice();
        let mut next = || read(&mut stream).expect("can be read");
        assert!(matches!(next(), Some(Ok(Message::Request(request))) if request.method == "a"));
        assert!(matches!(next(), Some(Err(Refused { code: ErrorCode::ParseError, .. }))));
        assert!(matches!(next(), Some(Err(Refused { code: ErrorCode::InvalidRequest, .. }))));
        assert!(matches!(next(), Some(Err(Refused { code: ErrorCode::ParseError, .. }))));
        assert!(matches!(next(), Some(Ok(_))));
        assert!(next().is_none());
    }

    #[test]
    fn a_number_that_cannot_be_used_is_answered_with_it() {
        for id in ["2147483648", "1.5", "null", "[1]"] {
            let stream = framed(&format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"a"}}"#));
            match read(&mut stream.as_slice()).expect("can be read") {
                Some(Err(Refused { code: ErrorCode::InvalidRequest, why, id: own })) => {
                    assert_eq!(own.to_string(), id);
                    assert!(why.contains(id), "{why}");
                }
                other => panic!("{id}: {other:?}"),
            }
        }
        let stream = framed(r#"{"jsonrpc":"2.0","method":"a"}"#);
        assert!(matches!(read(&mut stream.as_slice()), Ok(Some(Ok(Message::Notification(_))))));
    }

    proptest! {
        /// Any bytes end with messages, answers or an error.
        #[test]
        fn any_stream_is_read(bytes in proptest::collection::vec(any::<u8>(), 0..200), framed in any::<bool>()) {
            let mut stream = if framed { format!("Content-Length: {}\r\n\r\n", bytes.len()).into_bytes() } else { Vec::new() };
            stream.extend(&bytes);
            let mut stream = stream.as_slice();
            while let Ok(Some(_)) = read(&mut stream) {}
        }
    }
}
