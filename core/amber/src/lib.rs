//! Amber scripts, the language of the Vulkan conformance tests: shaders, buffers, pipelines, and commands that run them
//! and state what they leave.
//!
//! * [`script`]: a script as plain data; every item has the line of its file.
//! * [`read()`]: the reader. What it does not know is an error with its line; nothing is skipped.
//! * [`write()`]: a script as text, which reads as the same script.
//! * [`types`]: types of data, formats of images, and where they lie in memory.
//! * [`bytes`]: the contents that a script gives a buffer.
//! * [`check`]: contents against what a script expects of them.
//!
//! Nothing here compiles a shader or runs one.
//!
//! ```
//! use lanescope_amber::{Check, Command, read, write};
//!
//! let text = b"#!amber
//! SHADER compute double GLSL
//! #version 450
//! layout(set = 0, binding = 0) buffer Values { uint value[]; };
//! void main() { value[gl_GlobalInvocationID.x] *= 2; }
//! END
//! BUFFER values DATA_TYPE uint32 SIZE 4 SERIES_FROM 1 INC_BY 1
//! PIPELINE compute all
//!   ATTACH double
//!   BIND BUFFER values AS storage DESCRIPTOR_SET 0 BINDING 0
//! END
//! RUN all 4 1 1
//! EXPECT values IDX 0 EQ 2 4 6 8
//! ";
//! let script = read(text)?;
//! assert_eq!(script.buffer("values").map(|buffer| buffer.line.0), Some(7));
//! let Some(Command::Expect(expect)) = script.commands.last() else { panic!("the last command is a check") };
//! assert!(matches!(&expect.check, Check::Values { offset: 0, values, .. } if values.len() == 4));
//! assert_eq!(read(write(&script)?.as_bytes())?, script);
//!
//! let wrong = read(b"#!amber\nBUFFER values DATA_TYPE uint32 SIZE 4 FILL 1\nRUN all 4 1 1\n");
//! let said = "line 3: expected the name of a pipeline before this line, found `all`";
//! assert_eq!(wrong.map_err(|error| error.to_string()), Err(said.to_owned()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Limits
//!
//! A text may have [`MAX_TEXT`] bytes, a buffer [`bytes::MAX_BUFFER`].

#![forbid(unsafe_code)]

pub mod bytes;
pub mod check;
mod error;
mod line;
mod number;
mod read;
pub mod script;
pub mod types;
mod write;

pub use error::Error;
pub use number::Number;
pub use read::{MAX_TEXT, looks_like, read};
pub use script::command::{Check, Command, Expect, Run, RunKind};
pub use script::pipeline::Pipeline;
pub use script::{Buffer, Line, Script};
pub use write::{WriteError, write};
