//! The Slang compiler: libslang-compiler, loaded when it is needed. One text becomes one SPIR-V module.
//!
//! The functions of C that it exports are called (`slang-deprecated.h`): they take the arguments of `slangc`, and versions
//! of 2024 have them as those of 2026 do. Files that a text includes or imports are asked for ([`Files`]): the library opens
//! none by itself but its own standard modules.
//!
//! No panic passes through the library, and whatever it says of names is read, also where it is no text.

#![allow(unsafe_code, reason = "the library has an interface of C")]

mod api;
mod files;

use std::ffi::{CStr, CString};
use std::path::{Path, PathBuf};

use lanescope_base::StageKind;
use libloading::Library;

use api::{Functions, Request, Session};

pub use files::Files;

/// The names of the library, the newer one first.
pub const LIBRARIES: [&str; 2] = ["slang-compiler", "slang"];

/// Why a library cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OpenError {
    /// The system does not load it; in its words.
    NotLoaded(String),
    /// It is loaded, and is not this library or does not start.
    Other(String),
}

/// What is compiled.
#[derive(Debug, Clone, Copy)]
pub struct Job<'a> {
    /// The text.
    pub text: &'a str,
    /// What the compiler calls the text: in messages, and as the includer of others.
    pub name: &'a str,
    /// Arguments as on the command line of `slangc`; the name, entry points and the target are none of them.
    pub arguments: &'a [String],
    /// A function that is an entry point without an attribute that says so, and its stage.
    pub entry: Option<(&'a str, StageKind)>,
}

/// What became of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compiled {
    /// The bytes of the module; `None` where the text does not compile.
    pub module: Option<Vec<u8>>,
    /// The compiler's messages: warnings, and errors where there is no module.
    pub log: String,
}

/// The library, loaded, with its core module.
#[derive(Debug)]
pub struct Slang {
    // Before the library that they are of, which is unloaded last.
    session: Session,
    file: PathBuf,
    _library: Library,
}

impl Slang {
    /// Loads the library of a file, or the one that the system finds by its name.
    ///
    /// # Errors
    /// Why it cannot be used.
    pub fn open(file: &Path) -> Result<Slang, OpenError> {
        // SAFETY: what a library does when it is loaded is the user's choice, as with any compiler; this one fills tables.
        let library = unsafe { Library::new(file) }.map_err(|error| OpenError::NotLoaded(error.to_string()))?;
        let functions = Functions::of(&library).map_err(OpenError::Other)?;
        let session = Session::new(functions).ok_or_else(|| OpenError::Other("it starts no session".to_owned()))?;
        Ok(Slang { session, file: file.to_owned(), _library: library })
    }

    /// The file, as it was given.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Its version, as it says it: `2026.12`.
    pub fn version(&self) -> String {
        self.session.version()
    }

    /// Compiles a text. A session compiles one text at a time.
    ///
    /// # Errors
    /// Arguments that the compiler does not know, in its words; a text of C with a zero in it.
    pub fn compile(&mut self, job: &Job<'_>, files: &mut dyn Files) -> Result<Compiled, String> {
        let text = |text: &str| CString::new(text).map_err(|_| format!("`{text}` has a zero byte"));
        let target = ["-target", "spirv"].map(str::to_owned);
        let arguments = target.iter().chain(job.arguments).map(|one| text(one)).collect::<Result<Vec<_>, _>>()?;
        let (name, entry) = (text(job.name)?, job.entry.map(|(name, stage)| Ok::<_, String>((text(name)?, stage))));
        let handler = files::FileSystem::new(files);
        let mut request = Request::new(&self.session, &handler).ok_or("the compiler makes no request")?;
        let arguments: Vec<&CStr> = arguments.iter().map(CString::as_c_str).collect();
        if !request.arguments(&arguments) {
            return Err(request.log());
        }
        let unit = request.source(&name, job.text);
        if let Some((name, stage)) = entry.transpose()? {
            request.entry(unit, &name, api::stage(stage));
        }
        // After an error nothing else of a request may be asked for.
        let module = if request.compile() { request.module() } else { None };
        Ok(Compiled { module: module.filter(|bytes| !bytes.is_empty()), log: request.log() })
    }
}
