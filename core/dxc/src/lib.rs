//! The DirectX shader compiler: libdxcompiler, loaded when it is needed, as far as it is needed. One text of HLSL becomes
//! one DXIL container.
//!
//! The library has a COM interface, which on Linux is that of Windows since version 1.7.2212. A library with the earlier
//! one is told apart before anything of it is called that would not return ([`OpenError::TooOld`]).
//!
//! No panic passes through the library, and whatever it says of names is read, also where it is no text.

#![allow(unsafe_code, reason = "the library has a COM interface")]

mod com;
mod include;
mod locale;
mod wide;

use std::path::{Path, PathBuf};

use libloading::Library;

use com::{Buffer, Compiler, Object, Tools};
use include::Handler;

pub use include::Includes;
pub use locale::has_utf8;

/// The oldest version with this interface, as the releases are called.
pub const OLDEST: &str = "1.7.2212";

/// Why a library cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OpenError {
    /// The system does not load it; in its words.
    NotLoaded(String),
    /// It is loaded, and is not this library or has no such interface.
    Other(String),
    /// Its interface is that of a version before [`OLDEST`].
    TooOld,
}

/// What is compiled.
#[derive(Debug, Clone, Copy)]
pub struct Job<'a> {
    /// The text.
    pub text: &'a str,
    /// What the compiler calls the text: in messages, and as the includer of others.
    pub name: &'a str,
    /// Arguments as on the command line of the compiler; the name is none of them.
    pub arguments: &'a [String],
}

/// What became of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compiled {
    /// The container; `None` where the text does not compile.
    pub container: Option<Vec<u8>>,
    /// The compiler's messages: warnings, and errors where there is no container.
    pub log: String,
}

/// The library, loaded.
#[derive(Debug)]
pub struct Dxc {
    // Before the library that they are of, which is unloaded last.
    compiler: Object<Compiler>,
    tools: Object<Tools>,
    _library: Library,
}

impl Dxc {
    /// Loads the library of a file, or the one that the system finds.
    ///
    /// # Errors
    /// Why it cannot be used.
    pub fn open(file: Option<&Path>) -> Result<Dxc, OpenError> {
        let name = file.map_or_else(|| PathBuf::from(libloading::library_filename("dxcompiler")), Path::to_owned);
        // SAFETY: what a library does when it is loaded is the user's choice, as with any compiler; this one starts LLVM's
        // tables and nothing else.
        let library = unsafe { Library::new(name) }.map_err(|error| OpenError::NotLoaded(error.to_string()))?;
        let tools: Object<Tools> = com::create(&library).map_err(OpenError::Other)?;
        if tools.is_of_earlier_interface() {
            // Its objects cannot even be given back.
            std::mem::forget(tools);
            std::mem::forget(library);
            return Err(OpenError::TooOld);
        }
        let compiler = com::create(&library).map_err(OpenError::Other)?;
        Ok(Dxc { compiler, tools, _library: library })
    }

    /// Compiles a text.
    ///
    /// # Errors
    /// What the library returned instead of a result.
    pub fn compile(&self, job: &Job<'_>, includes: &mut dyn Includes) -> Result<Compiled, String> {
        // The compiler reads names by the locale.
        has_utf8();
        let mut arguments = vec![wide::Text::of(job.name)?];
        for argument in job.arguments {
            arguments.push(wide::Text::of(argument)?);
        }
        let handler = Handler::new(includes, &self.tools);
        let result = self.compiler.compile(&Buffer::utf8(job.text), &arguments, &handler)?;
        let status = result.status()?;
        let log = match result.messages()? {
            Some(messages) => self.tools.text(&messages)?,
            None => String::new(),
        };
        let container = match status {
            0.. => result.container()?.map(|blob| blob.bytes().to_vec()).filter(|bytes| !bytes.is_empty()),
            _ => None,
        };
        Ok(Compiled { container, log })
    }
}
