//! Messages over a pair of streams, on threads of their own. What a client sends is bounded in size, and what is not a
//! message is reported, not obeyed.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, bounded};
use lanescope_host::framing::{self, TooLong};

use crate::protocol::{self, Incoming, Outgoing};

/// Messages of one direction that wait.
const WAITING: usize = 64;
/// How long a client that has gone may leave answers unread.
const LINGER: Duration = Duration::from_secs(3);

/// What is written.
#[derive(Debug)]
enum ToWrite {
    Message(Outgoing),
    /// Says that all before it is written.
    Flushed(Sender<()>),
}

/// Sends messages to a client. Where the client has gone they are dropped.
#[derive(Debug, Clone)]
pub struct Client(Sender<ToWrite>);

impl Client {
    /// Sends a message, once there is room for it.
    pub fn send(&self, message: Outgoing) {
        // A client that has gone needs no answer.
        let _ = self.0.send(ToWrite::Message(message));
    }

    /// Sends a message if there is room for it soon: for one that no one else waits for.
    pub fn send_soon(&self, message: Outgoing) {
        let _ = self.0.send_timeout(ToWrite::Message(message), Duration::from_millis(500));
    }

    /// Waits until all messages are written, or the client does not read them.
    pub fn flush(&self) {
        let (done, flushed) = bounded(1);
        if self.0.send_timeout(ToWrite::Flushed(done), LINGER).is_ok() {
            let _ = flushed.recv_timeout(LINGER);
        }
    }
}

/// A client. The channel of its messages ends where its stream ends, or cannot be read any more.
pub struct Connection {
    /// Its messages.
    pub incoming: Receiver<Incoming>,
    /// Where messages for it go.
    pub client: Client,
}

impl Connection {
    /// Reads and writes messages on threads of their own.
    ///
    /// # Errors
    /// The system starts no thread.
    pub fn new(input: impl Read + Send + 'static, output: impl Write + Send + 'static) -> io::Result<Connection> {
        let (to_write, outgoing) = bounded::<ToWrite>(WAITING);
        let (received, incoming) = bounded(WAITING);
        let spawn = |name: &str| std::thread::Builder::new().name(name.to_owned());
        spawn("dap reader").spawn(move || {
            read_all(BufReader::new(input), &received);
            // A client that has gone reads nothing: the process ends, whoever waits to write.
            drop(received);
            std::thread::sleep(LINGER);
            std::process::exit(1);
        })?;
        spawn("dap writer").spawn(move || {
            let mut output = output;
            let mut seq = 0;
            for to_write in outgoing {
                match to_write {
                    ToWrite::Message(message) => {
                        seq += 1;
                        let body = message.message(seq).to_string();
                        if framing::write(&mut output, body.as_bytes()).is_err() {
                            break;
                        }
                    }
                    // Who waits may have given up.
                    ToWrite::Flushed(done) => drop(done.send(())),
                }
            }
        })?;
        Ok(Connection { incoming, client: Client(to_write) })
    }

    /// Waits until the last message is written, or the client does not read it.
    pub fn finish(self) {
        self.client.flush();
    }
}

fn read_all(mut input: impl BufRead, received: &Sender<Incoming>) {
    loop {
        let incoming = match framing::read(&mut input) {
            Ok(None) => return,
            Ok(Some(Ok(body))) => protocol::read(&body),
            Ok(Some(Err(TooLong { length }))) => Some(Incoming::Malformed(framing::ignored(length))),
            // Where the next message would begin is unknown after an error.
            Err(error) => {
                let _ = received.send(Incoming::Malformed(error.to_string()));
                return;
            }
        };
        if let Some(incoming) = incoming
            && received.send(incoming).is_err()
        {
            return;
        }
    }
}
