//! Programs made smaller while a condition holds.
//!
//! ```text
//! Subject ──passes──▶ edits ──ddmin──▶ smaller Subjects ──judge──▶ the first one that still shows it
//! ```
//!
//! * [`condition`]: what has to stay true, as a user writes it.
//! * [`subject`]: what becomes smaller: the modules of a program together, and what it runs with.
//! * [`passes`]: what is tried, from the largest pieces to the smallest.
//! * [`change`]: changes of one module, and the module that they leave: never one with a value that is undefined by its
//!   text alone.
//! * [`search`]: delta debugging over the changes of each pass. The judge is given by the caller: it has the compilers,
//!   the validator and the devices.
//! * [`bisect`]: which of several steps changes an answer.
//! * [`text`]: the same search over the lines and tokens of source texts.
//!
//! Nothing here reads a file, starts a compiler or knows the time: the same subject and the same judge give the same
//! result.

#![forbid(unsafe_code)]

pub mod bisect;
pub mod change;
pub mod condition;
pub mod passes;
pub mod search;
pub mod subject;
#[cfg(test)]
mod testing;
pub mod text;
