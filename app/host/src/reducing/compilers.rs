//! Compilers that keep their child from one program to the next.

use lanescope_core::chip::Chip;
use lanescope_core::driver::{Compilation, CompileOptions, Version};
use lanescope_core::options::Options;
use lanescope_core::program::Program;

use crate::drivers::{Stop, place, start};
use crate::worker::{Client, CompileRequest, Launch, Limits, OTHER_ANSWER, Reply, Request, WorkerError};

/// One compiler.
#[derive(Debug)]
pub(crate) struct Compiler {
    with: CompileOptions,
    limits: Limits,
    stop: Stop,
    child: Option<Client>,
}

/// How a compiler ended that compiled nothing.
#[derive(Debug, Clone)]
pub(crate) struct Ended {
    /// It died, or did not end; else it refused the program.
    pub died: bool,
    /// The signal and its last line, or its message.
    pub message: String,
    /// It, or its chip, lacks what the program needs, or is not on this machine.
    pub missing: bool,
}

impl Ended {
    /// It refused the program, with that message.
    pub fn refused(message: String) -> Ended {
        Ended { died: false, message, missing: false }
    }

    /// Whether another one ended in the same way, numbers apart.
    pub fn is_like(&self, other: &Ended) -> bool {
        self.died == other.died && without_numbers(&self.message) == without_numbers(&other.message)
    }
}

impl Compiler {
    pub fn new(with: &CompileOptions, limits: Limits, stop: &Stop) -> Compiler {
        let with = CompileOptions { keep_device: true, ..with.clone() };
        Compiler { with, limits, stop: stop.clone(), child: None }
    }

    /// Its short name.
    pub fn name(&self) -> String {
        place(&self.with)
    }

    /// Whether a condition means it.
    pub fn is_meant(&self, on: Option<&str>) -> bool {
        on.is_none_or(|on| is_named(&self.with, on))
    }

    /// Compiles one pipeline.
    pub fn compile(&mut self, program: &Program, of: Version, options: &Options) -> Result<Compilation, Ended> {
        self.compile_as(program, of, options, self.with.clone())
    }

    /// The same with the stages linked the other way; `None` where that fails.
    pub fn beside(&mut self, program: &Program, of: Version, options: &Options) -> Option<Compilation> {
        let with = CompileOptions { apart: !self.with.apart, ..self.with.clone() };
        self.compile_as(program, of, options, with).ok()
    }

    fn compile_as(
        &mut self,
        program: &Program,
        of: Version,
        options: &Options,
        with: CompileOptions,
    ) -> Result<Compilation, Ended> {
        let (program, options) = (program.clone(), options.clone());
        let request = Request::Compile(Box::new(CompileRequest { program, of, options, with }));
        match self.ask(&request) {
            Ok(Reply::Compiled(compilation)) => Ok(*compilation),
            Ok(_) => Err(Ended::refused(OTHER_ANSWER.to_owned())),
            Err(error) => Err(ended(&error)),
        }
    }

    fn ask(&mut self, request: &Request) -> Result<Reply, WorkerError> {
        let child = match &mut self.child {
            Some(child) => child,
            none => {
                let base = Launch { limits: self.limits, ..Launch::default() };
                let started = start(&self.with, &base, &|child| self.stop.add(child.stopper()))?;
                none.insert(started.client)
            }
        };
        let reply = child.ask(request);
        if !matches!(reply, Ok(_) | Err(WorkerError::Failed(_))) {
            self.child = None;
        }
        reply
    }
}

/// Whether a compiler is meant by a name: of its chip, or of its device.
pub(crate) fn is_named(with: &CompileOptions, name: &str) -> bool {
    let is_chip = || with.chip.is_some_and(|chip| name.parse::<Chip>().is_ok_and(|named| named == chip));
    place(with).eq_ignore_ascii_case(name) || is_chip()
}

/// How a child ended, or refused what it was given.
pub(crate) fn ended(error: &WorkerError) -> Ended {
    match error {
        WorkerError::Crashed { how, last_words, .. } => {
            let last = last_words.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default();
            let last = if last.is_empty() { String::new() } else { format!(": {}", last.trim()) };
            Ended { died: true, message: format!("{how}{last}"), missing: false }
        }
        WorkerError::TimedOut { limit, .. } => {
            Ended { died: true, message: format!("took longer than {} s", limit.as_secs_f64()), missing: false }
        }
        WorkerError::Failed(failure) => Ended { died: false, message: failure.to_string(), missing: failure.missing },
        other => Ended::refused(other.to_string()),
    }
}

/// A message with `#` for its numbers: they are addresses, ids and line numbers, which change as a program becomes smaller.
pub(crate) fn without_numbers(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    let mut in_word = false;
    while let Some(c) = chars.next() {
        if c.is_ascii_digit() && !in_word {
            out.push('#');
            while chars.next_if(|next| next.is_ascii_alphanumeric()).is_some() {}
        } else {
            out.push(c);
        }
        in_word = c.is_ascii_alphabetic() || c == '_' || in_word && c.is_ascii_digit();
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_compared_without_numbers() {
        for (text, expected) in [
            ("Assertion `a' failed at 0x7f3a, line 12", "Assertion `a' failed at #, line #"),
            ("vec4 of %17 in SIMD8", "vec4 of %# in SIMD8"),
            ("12: 3", "#: #"),
            ("H200 lacks storageInputOutput16 %12_a3", "H200 lacks storageInputOutput16 %#_a3"),
        ] {
            assert_eq!(without_numbers(text), expected);
        }
    }
}
