//! A process that exchanges JSON messages with a header of their length, as language servers and debug adapters do.

use std::collections::VecDeque;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use serde_json::Value;

/// More than an answer takes on a slow machine.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// A process, and what it sent.
pub struct Framed {
    /// The process.
    pub child: Child,
    /// Its input; taken to close it.
    pub stdin: Option<ChildStdin>,
    /// Messages that no one asked for yet, in the order in which they came.
    pub kept: VecDeque<Value>,
    messages: Receiver<Value>,
}

impl Framed {
    /// Starts a command, and reads its messages on a thread.
    ///
    /// # Panics
    /// It does not start.
    pub fn start(mut command: Command) -> Framed {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("starts");
        let mut stdout = BufReader::new(child.stdout.take().expect("piped"));
        let (sender, messages) = mpsc::channel();
        std::thread::spawn(move || {
            loop {
                let (mut length, mut line) = (0, String::new());
                loop {
                    line.clear();
                    if stdout.read_line(&mut line).unwrap_or(0) == 0 {
                        return;
                    }
                    if line == "\r\n" {
                        break;
                    }
                    let number = line.strip_prefix("Content-Length: ").map(|number| number.trim().parse());
                    length = number.map_or(length, |number| number.expect("a number"));
                }
                let mut body = vec![0; length];
                stdout.read_exact(&mut body).expect("a whole message");
                if sender.send(serde_json::from_slice(&body).expect("JSON")).is_err() {
                    return;
                }
            }
        });
        Framed { stdin: child.stdin.take(), child, messages, kept: VecDeque::new() }
    }

    /// Writes bytes as they are.
    ///
    /// # Panics
    /// The process does not read.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().expect("is open");
        stdin.write_all(bytes).and_then(|()| stdin.flush()).expect("the process reads");
    }

    /// Writes a message with its header.
    ///
    /// # Panics
    /// The process does not read.
    pub fn send(&mut self, message: &Value) {
        let body = message.to_string();
        self.send_bytes(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
    }

    /// The next message that is of interest; others are kept.
    ///
    /// # Panics
    /// None comes.
    pub fn until(&mut self, is: impl Fn(&Value) -> bool) -> Value {
        if let Some(at) = self.kept.iter().position(&is) {
            return self.kept.remove(at).expect("is there");
        }
        let begin = Instant::now();
        loop {
            match self.messages.recv_timeout(PATIENCE.saturating_sub(begin.elapsed())) {
                Ok(message) if is(&message) => return message,
                Ok(message) => self.kept.push_back(message),
                Err(RecvTimeoutError::Timeout) => panic!("nothing came; there were {:#?}", self.kept),
                Err(RecvTimeoutError::Disconnected) => panic!("the process has ended; there were {:#?}", self.kept),
            }
        }
    }

    /// Waits for the end of the process.
    ///
    /// # Panics
    /// It does not end.
    pub fn ended(&mut self) -> ExitStatus {
        let begin = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("can be asked") {
                return status;
            }
            assert!(begin.elapsed() < PATIENCE, "the process does not end");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Framed {
    fn drop(&mut self) {
        // A test that failed leaves no process; it may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
