//! The functions of the library, and the two things that they work on: a session and a request.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::marker::PhantomData;
use std::ptr::{NonNull, null, null_mut};

use lanescope_base::StageKind;
use libloading::Library;

use super::files::{BlobTable, FileSystem};

/// What a function returns: negative for an error.
pub type SlangResult = i32;

/// `SLANG_SOURCE_LANGUAGE_SLANG`.
const LANGUAGE: c_int = 1;

/// The number of a stage (`SlangStage`).
pub fn stage(stage: StageKind) -> c_int {
    match stage {
        StageKind::Vertex => 1,
        StageKind::TessControl => 2,
        StageKind::TessEval => 3,
        StageKind::Geometry => 4,
        StageKind::Fragment => 5,
        StageKind::Compute => 6,
        StageKind::RayGeneration => 7,
        StageKind::Intersection => 8,
        StageKind::AnyHit => 9,
        StageKind::ClosestHit => 10,
        StageKind::Miss => 11,
        StageKind::Callable => 12,
        StageKind::Mesh => 13,
        StageKind::Task => 14,
    }
}

/// Declares the functions that are called, each by its own name.
macro_rules! functions {
    ($($field:ident = $name:literal: fn($($parameter:ty),*) $(-> $result:ty)?;)*) => {
        /// The functions of a library, valid as long as it is loaded.
        #[derive(Debug, Clone, Copy)]
        pub struct Functions {
            $($field: unsafe extern "C" fn($($parameter),*) $(-> $result)?,)*
        }

        impl Functions {
            /// Looks them up.
            ///
            /// Errors: the first one that the library has not.
            pub fn of(library: &Library) -> Result<Functions, String> {
                $(
                    // SAFETY: the type is that of the library's header.
                    let $field = unsafe { library.get($name) };
                    let $field = *$field.map_err(|_| {
                        format!("it has no function {}", String::from_utf8_lossy($name))
                    })?;
                )*
                Ok(Functions { $($field),* })
            }
        }
    };
}

functions! {
    create_session = b"spCreateSession": fn(*const c_char) -> *mut c_void;
    destroy_session = b"spDestroySession": fn(*mut c_void);
    build_tag = b"spGetBuildTagString": fn() -> *const c_char;
    create_request = b"spCreateCompileRequest": fn(*mut c_void) -> *mut c_void;
    destroy_request = b"spDestroyCompileRequest": fn(*mut c_void);
    set_files = b"spSetFileSystem": fn(*mut c_void, *mut c_void);
    take_arguments = b"spProcessCommandLineArguments": fn(*mut c_void, *const *const c_char, c_int) -> SlangResult;
    add_unit = b"spAddTranslationUnit": fn(*mut c_void, c_int, *const c_char) -> c_int;
    add_text = b"spAddTranslationUnitSourceStringSpan": fn(*mut c_void, c_int, *const c_char, *const c_char, *const c_char);
    add_entry = b"spAddEntryPoint": fn(*mut c_void, c_int, *const c_char, c_int) -> c_int;
    compile = b"spCompile": fn(*mut c_void) -> SlangResult;
    messages = b"spGetDiagnosticOutput": fn(*mut c_void) -> *const c_char;
    code = b"spGetTargetCodeBlob": fn(*mut c_void, c_int, *mut *mut c_void) -> SlangResult;
}

/// Reads a text of the library.
///
/// # Safety
/// It is null, or ends with a zero.
unsafe fn read(text: *const c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: as the caller ensures.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}

/// A session: the compiler with its core module.
#[derive(Debug)]
pub struct Session {
    functions: Functions,
    pointer: NonNull<c_void>,
}

// SAFETY: the library ties no session to a thread; it only forbids two calls at a time, which `&mut` of the owner does.
unsafe impl Send for Session {}

impl Session {
    /// Starts one; `None` where the library does not.
    pub fn new(functions: Functions) -> Option<Session> {
        // SAFETY: its argument is not read.
        let pointer = NonNull::new(unsafe { (functions.create_session)(null()) })?;
        Some(Session { functions, pointer })
    }

    /// The version.
    pub fn version(&self) -> String {
        // SAFETY: it returns a text of its own.
        unsafe { read((self.functions.build_tag)()) }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // SAFETY: it is the session, and no request of it lives.
        unsafe { (self.functions.destroy_session)(self.pointer.as_ptr()) }
    }
}

/// A request to compile: it lives shorter than what it reads files by.
pub struct Request<'a> {
    functions: Functions,
    pointer: NonNull<c_void>,
    lives: PhantomData<&'a ()>,
}

impl<'a> Request<'a> {
    /// Of a session, with what finds the files.
    pub fn new<'f: 'a>(session: &'a Session, files: &'a FileSystem<'f>) -> Option<Request<'a>> {
        let functions = session.functions;
        // SAFETY: it is the session.
        let pointer = NonNull::new(unsafe { (functions.create_request)(session.pointer.as_ptr()) })?;
        // SAFETY: the file system lives longer than the request.
        unsafe { (functions.set_files)(pointer.as_ptr(), files.pointer()) };
        Some(Request { functions, pointer, lives: PhantomData })
    }

    /// Takes arguments of the command line; false where there is an error in them.
    pub fn arguments(&mut self, arguments: &[&CStr]) -> bool {
        let pointers: Vec<*const c_char> = arguments.iter().map(|one| one.as_ptr()).collect();
        let count = c_int::try_from(pointers.len()).unwrap_or(c_int::MAX);
        // SAFETY: as many texts as are told.
        unsafe { (self.functions.take_arguments)(self.pointer.as_ptr(), pointers.as_ptr(), count) >= 0 }
    }

    /// Adds a text, and returns the number of its unit.
    pub fn source(&mut self, name: &CStr, text: &str) -> c_int {
        let range = text.as_bytes().as_ptr_range();
        let (start, end) = (range.start.cast(), range.end.cast());
        // SAFETY: the text is copied.
        unsafe {
            let unit = (self.functions.add_unit)(self.pointer.as_ptr(), LANGUAGE, null());
            (self.functions.add_text)(self.pointer.as_ptr(), unit, name.as_ptr(), start, end);
            unit
        }
    }

    /// Adds an entry point of a unit.
    pub fn entry(&mut self, unit: c_int, name: &CStr, stage: c_int) {
        // SAFETY: the unit is one of the request.
        unsafe { (self.functions.add_entry)(self.pointer.as_ptr(), unit, name.as_ptr(), stage) };
    }

    /// Compiles; false where there is an error.
    pub fn compile(&mut self) -> bool {
        // SAFETY: it is the request.
        unsafe { (self.functions.compile)(self.pointer.as_ptr()) >= 0 }
    }

    /// The messages until now.
    pub fn log(&self) -> String {
        // SAFETY: it returns a text of the request.
        unsafe { read((self.functions.messages)(self.pointer.as_ptr())) }
    }

    /// The module of what was compiled without an error.
    pub fn module(&self) -> Option<Vec<u8>> {
        let mut blob = null_mut();
        // SAFETY: the request has one target, and there is a place for the answer.
        let status = unsafe { (self.functions.code)(self.pointer.as_ptr(), 0, &raw mut blob) };
        let blob = NonNull::new(blob).filter(|_| status >= 0)?;
        // SAFETY: it is a blob (`ISlangBlob`), whose reference is ours and is given back.
        unsafe {
            let table = &**blob.as_ptr().cast::<*const BlobTable>();
            let (start, size) = ((table.pointer)(blob.as_ptr()), (table.size)(blob.as_ptr()));
            let bytes = match NonNull::new(start.cast_mut()) {
                Some(start) => std::slice::from_raw_parts(start.as_ptr().cast_const(), size).to_vec(),
                None => Vec::new(),
            };
            (table.base.release)(blob.as_ptr());
            Some(bytes)
        }
    }
}

impl Drop for Request<'_> {
    fn drop(&mut self) {
        // SAFETY: it is the request.
        unsafe { (self.functions.destroy_request)(self.pointer.as_ptr()) }
    }
}
