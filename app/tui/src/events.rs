//! What the loop waits for: input, results of jobs, signals. Nothing is polled, so an idle terminal uses no CPU.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::Duration;

use ratatui::crossterm::event::{self, Event};
use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGWINCH};
use signal_hook::iterator::Signals;

use super::graphics::{Answer, Late, PATIENCE, answers};
use lanescope_host::jobs::Wake;

/// Something to react to.
#[derive(Debug)]
pub enum Message {
    /// A key, the mouse, another size.
    Input(Event),
    /// The terminal says what it has.
    Answer(Answer),
    /// A job has something new.
    Wake,
    /// A signal that ends the program.
    End(i32),
    /// The program was continued.
    Continued,
    /// Input has ended: the terminal is gone.
    Closed,
}

/// Where messages arrive.
pub struct Events {
    sender: Sender<Message>,
    messages: Receiver<Message>,
}

impl Events {
    /// Nothing arrives until [`Events::listen`], except from jobs.
    pub fn new() -> Events {
        let (sender, messages) = mpsc::channel();
        Events { sender, messages }
    }

    /// What jobs call when they have something new.
    pub fn wake(&self) -> Wake {
        let sender = self.sender.clone();
        // The loop may have ended.
        Arc::new(move || drop(sender.send(Message::Wake)))
    }

    /// Starts to read input and signals, each on a thread of its own. Where the terminal was `asked` what it has, its
    /// answer is read first.
    ///
    /// # Errors
    /// Signals cannot be caught.
    pub fn listen(&self, asked: bool) -> io::Result<()> {
        let mut signals = Signals::new([SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGCONT, SIGWINCH])?;
        let sender = self.sender.clone();
        std::thread::spawn(move || {
            for signal in signals.forever() {
                let message = match signal {
                    SIGCONT => Message::Continued,
                    // A drawing takes the new size. The reader of keys may still wait for the terminal's answer.
                    SIGWINCH => Message::Wake,
                    signal => Message::End(signal),
                };
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        let sender = self.sender.clone();
        std::thread::spawn(move || {
            let mut awaited = asked;
            if asked {
                // A receiver that is gone is noticed below.
                let answer = answers(PATIENCE, |event| drop(sender.send(Message::Input(event))));
                awaited = answer.is_none();
                drop(answer.map(|answer| sender.send(Message::Answer(answer))));
            }
            let mut late = Late::default();
            while let Ok(event) = event::read() {
                // A late answer is not keyboard input.
                if awaited
                    && let Event::Key(key) = &event
                    && late.takes(key)
                {
                    continue;
                }
                if sender.send(Message::Input(event)).is_err() {
                    return;
                }
            }
            drop(sender.send(Message::Closed));
        });
        Ok(())
    }

    /// Waits for messages, at most so long. Returns all that have arrived, none after that time.
    pub fn wait(&self, limit: Option<Duration>) -> Vec<Message> {
        let first = match limit {
            Some(limit) => match self.messages.recv_timeout(limit) {
                Ok(message) => message,
                Err(RecvTimeoutError::Timeout) => return Vec::new(),
                Err(RecvTimeoutError::Disconnected) => Message::Closed,
            },
            None => self.messages.recv().unwrap_or(Message::Closed),
        };
        std::iter::once(first).chain(self.messages.try_iter()).collect()
    }
}
