//! Messages over a pair of streams: each is one line of JSON. What a client sends is bounded in size, and what is not a
//! message is answered, not obeyed.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use lanescope_host::framing::{MAX_MESSAGE, ignored};
use rmcp::RoleServer;
use rmcp::model::{ClientJsonRpcMessage, ServerJsonRpcMessage};
use rmcp::transport::Transport;
use serde_json::{Value, json};
use tokio::sync::mpsc as channel;

/// Messages of one direction that wait.
const WAITING: usize = 64;
/// How long a client that has gone may leave answers unread.
const LINGER: Duration = Duration::from_secs(3);
/// The code of JSON-RPC for what is not JSON.
const PARSE_ERROR: i32 = -32700;
/// The code of JSON-RPC for JSON that is not a request.
const INVALID_REQUEST: i32 = -32600;

/// A client. Its messages end where its stream ends.
pub struct Connection {
    incoming: channel::Receiver<ClientJsonRpcMessage>,
    outgoing: Option<channel::Sender<String>>,
    written: Option<Receiver<()>>,
}

/// The end of what is written.
pub struct Written(Receiver<()>);

impl Written {
    /// Waits until the last message is written, or the client does not read it.
    pub fn wait(self) {
        let _ = self.0.recv_timeout(LINGER);
    }
}

impl Connection {
    /// Reads and writes messages on threads of their own.
    ///
    /// # Errors
    /// The system starts no thread.
    pub fn new(input: impl Read + Send + 'static, output: impl Write + Send + 'static) -> io::Result<Connection> {
        let (outgoing, mut to_write) = channel::channel::<String>(WAITING);
        let (received, incoming) = channel::channel(WAITING);
        let (done, written) = mpsc::channel();
        let answers = outgoing.clone();
        let spawn = |name: &str| std::thread::Builder::new().name(name.to_owned());
        spawn("mcp reader").spawn(move || {
            read_all(BufReader::new(input), &received, &answers);
            // That its stream ends is how a client says that it is done, or gone: whatever still runs is not waited for.
            drop((received, answers));
            std::thread::sleep(LINGER);
            std::process::exit(0);
        })?;
        spawn("mcp writer").spawn(move || {
            let mut output = output;
            while let Some(mut line) = to_write.blocking_recv() {
                line.push('\n');
                if output.write_all(line.as_bytes()).and_then(|()| output.flush()).is_err() {
                    break;
                }
            }
            // Who waits for the last message may have given up.
            let _ = done.send(());
        })?;
        Ok(Connection { incoming, outgoing: Some(outgoing), written: Some(written) })
    }

    /// What waits for the last message, once the connection is closed.
    pub fn written(&mut self) -> Written {
        Written(self.written.take().unwrap_or_else(|| mpsc::channel().1))
    }
}

/// The client reads no more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gone;

impl std::fmt::Display for Gone {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the client is gone")
    }
}

impl std::error::Error for Gone {}

impl Transport<RoleServer> for Connection {
    type Error = Gone;

    fn send(&mut self, message: ServerJsonRpcMessage) -> impl Future<Output = Result<(), Gone>> + Send + 'static {
        let outgoing = self.outgoing.clone();
        async move {
            // Maps of JSON have text as keys, so that every message can be written.
            let line = serde_json::to_string(&message).map_err(|_| Gone)?;
            outgoing.ok_or(Gone)?.send(line).await.map_err(|_| Gone)
        }
    }

    fn receive(&mut self) -> impl Future<Output = Option<ClientJsonRpcMessage>> + Send {
        self.incoming.recv()
    }

    async fn close(&mut self) -> Result<(), Gone> {
        self.outgoing = None;
        Ok(())
    }
}

fn read_all(
    mut input: impl BufRead,
    received: &channel::Sender<ClientJsonRpcMessage>,
    answers: &channel::Sender<String>,
) {
    loop {
        let refused = match line(&mut input) {
            Ok(None) | Err(_) => return,
            Ok(Some(Ok(line))) if line.trim_ascii().is_empty() => continue,
            Ok(Some(Ok(line))) => match message(&line) {
                Ok(message) => {
                    if received.blocking_send(message).is_err() {
                        return;
                    }
                    continue;
                }
                Err(refused) => refused,
            },
            Ok(Some(Err(length))) => refusal(INVALID_REQUEST, &Value::Null, &ignored(length)),
        };
        if answers.blocking_send(refused).is_err() {
            return;
        }
    }
}

/// Reads a line without its end; none at the end of the stream. The inner error is the length in bytes of one that is too
/// long, which is passed over.
fn line(input: &mut impl BufRead) -> io::Result<Option<Result<Vec<u8>, u64>>> {
    let mut line = Vec::new();
    let read = input.by_ref().take(MAX_MESSAGE + 1).read_until(b'\n', &mut line)? as u64;
    if read == 0 {
        return Ok(None);
    }
    if line.last() == Some(&b'\n') {
        line.pop();
        return Ok(Some(Ok(line)));
    }
    if read <= MAX_MESSAGE {
        // The last line may have no end.
        return Ok(Some(Ok(line)));
    }
    let mut length = read;
    loop {
        let more = input.fill_buf()?;
        let end = more.iter().position(|byte| *byte == b'\n');
        let used = end.map_or(more.len(), |at| at + 1);
        length += end.unwrap_or(more.len()) as u64;
        let is_over = end.is_some() || more.is_empty();
        input.consume(used);
        if is_over {
            return Ok(Some(Err(length)));
        }
    }
}

/// Reads a message.
///
/// # Errors
/// The answer to what is not one.
fn message(line: &[u8]) -> Result<ClientJsonRpcMessage, String> {
    let value: Value = serde_json::from_slice(line)
        .map_err(|error| refusal(PARSE_ERROR, &Value::Null, &format!("not JSON: {error}")))?;
    serde_json::from_slice(line).map_err(|error| {
        let id = value.get("id").filter(|id| id.is_string() || id.is_number()).unwrap_or(&Value::Null);
        refusal(INVALID_REQUEST, id, &format!("not a message of JSON-RPC: {error}"))
    })
}

fn refusal(code: i32, id: &Value, why: &str) -> String {
    let error = json!({ "code": code, "message": why });
    json!({ "jsonrpc": "2.0", "id": id, "error": error }).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_follow_each_other_and_long_ones_are_passed_over() {
        let long = io::repeat(b' ').take(MAX_MESSAGE + 7);
        let mut stream = BufReader::new(b"a\n\n".chain(long).chain(&b"\nb"[..]));
        let mut next = || line(&mut stream).expect("can be read");
        assert_eq!(next(), Some(Ok(b"a".to_vec())));
        assert_eq!(next(), Some(Ok(Vec::new())));
        assert_eq!(next(), Some(Err(MAX_MESSAGE + 7)));
        assert_eq!(next(), Some(Ok(b"b".to_vec())));
        assert_eq!(next(), None);
    }

    #[test]
    fn what_is_not_a_message_is_answered_with_its_number() {
        assert!(message(br#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#).is_ok());
        for (line, code, id) in [
            (&b"{\"jsonrpc\""[..], PARSE_ERROR, Value::Null),
            (b"\xff\xfe", PARSE_ERROR, Value::Null),
            (b"[]", INVALID_REQUEST, Value::Null),
            (br#"{"jsonrpc":"1.0","id":7,"method":"x"}"#, INVALID_REQUEST, json!(7)),
            (br#"{"id":{},"method":4}"#, INVALID_REQUEST, Value::Null),
        ] {
            let answer = message(line).expect_err("is not one");
            let answer: Value = serde_json::from_str(&answer).expect("JSON");
            assert_eq!((&answer["error"]["code"], &answer["id"]), (&json!(code), &id), "{answer}");
        }
    }
}
