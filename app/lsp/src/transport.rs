//! Messages over a pair of streams: each has a header with its length. What a client sends is bounded in size, and what is
//! not a message is answered, not obeyed.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, bounded};
use lanescope_host::framing::{self, TooLong};
use lsp_server::{ErrorCode, Message};
use serde_json::json;

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
    /// The answer to what is not a message: it has no number.
    Refused(ErrorCode, String),
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
        let (incoming, code) = match read(&mut input) {
            Ok(Some(Ok(message))) => (Incoming::Message(message), None),
            Ok(Some(Err((code, why)))) => (Incoming::Malformed(why.clone()), Some((code, why))),
            // Where the next message would begin is unknown after an error.
            Ok(None) => return,
            Err(error) => {
                let _ = answers.send(Outgoing::Refused(ErrorCode::ParseError, error.to_string()));
                return;
            }
        };
        if let Some((code, why)) = code {
            let _ = answers.send(Outgoing::Refused(code, why));
        }
        if received.send(incoming).is_err() {
            return;
        }
    }
}

/// Reads a message; none at the end of the stream. The inner error is of one that is not a message, or too long.
fn read(input: &mut impl BufRead) -> io::Result<Option<Result<Message, (ErrorCode, String)>>> {
    let Some(body) = framing::read(input)? else { return Ok(None) };
    Ok(Some(match body {
        Err(TooLong { length }) => Err((ErrorCode::InvalidRequest, framing::ignored(length))),
        Ok(body) => serde_json::from_slice::<Message>(&body).map_err(|error| {
            let is_json = serde_json::from_slice::<serde_json::Value>(&body).is_ok();
            let code = if is_json { ErrorCode::InvalidRequest } else { ErrorCode::ParseError };
            (code, format!("not a message of JSON-RPC: {error}"))
        }),
    }))
}

fn write(message: &Outgoing, output: &mut impl Write) -> io::Result<()> {
    match message {
        Outgoing::Message(message) => message.write(output),
        Outgoing::Refused(code, why) => {
            let error = json!({ "code": *code as i32, "message": why });
            let body = json!({ "jsonrpc": "2.0", "id": null, "error": error }).to_string();
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
        assert!(matches!(next(), Some(Err((ErrorCode::ParseError, _)))));
        assert!(matches!(next(), Some(Err((ErrorCode::InvalidRequest, _)))));
        assert!(matches!(next(), Some(Err((ErrorCode::ParseError, _)))));
        assert!(matches!(next(), Some(Ok(_))));
        assert!(next().is_none());
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
