//! Objects of the library: a pointer to a table of functions, of which those that are called have a place here.

use std::ffi::c_void;
use std::marker::PhantomData;
use std::ptr::{NonNull, null, null_mut};

use libloading::Library;

use super::include::Handler;
use super::wide;

/// What a function returns: negative for an error.
pub type HResult = i32;

/// Error of Windows: the function exists, and does nothing.
const NOT_IMPLEMENTED: HResult = 0x8000_4001_u32.cast_signed();
/// Error of Windows: no such interface.
pub const NO_INTERFACE: HResult = 0x8000_4002_u32.cast_signed();
/// Error of Windows: it failed.
pub const E_FAIL: HResult = 0x8000_4005_u32.cast_signed();
/// Error of Windows: no such file.
pub const NOT_FOUND: HResult = 0x8007_0002_u32.cast_signed();

/// UTF-8, as Windows numbers encodings.
const UTF8: u32 = 65001;

/// A name of a class or an interface.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Guid(u32, u16, u16, [u8; 8]);

/// `IUnknown`.
pub const UNKNOWN: Guid = Guid(0, 0, 0, [0xc0, 0, 0, 0, 0, 0, 0, 0x46]);
/// `IDxcIncludeHandler`.
pub const INCLUDE_HANDLER: Guid = Guid(0x7f61_fc7d, 0x950d, 0x467f, [0xb3, 0xe3, 0x3c, 0x02, 0xfb, 0x49, 0x18, 0x7c]);
/// `IDxcResult`.
const RESULT: Guid = Guid(0x5834_6cda, 0xdde7, 0x4497, [0x94, 0x61, 0x6f, 0x87, 0xaf, 0x5e, 0x06, 0x59]);

/// What every object has first.
#[repr(C)]
struct UnknownTable {
    query: *const c_void,
    add: *const c_void,
    release: unsafe extern "C" fn(*mut c_void) -> u32,
}

/// An interface that the library can be asked for.
pub trait Class {
    /// The class.
    const CLASS: Guid;
    /// The interface.
    const INTERFACE: Guid;
}

/// `IDxcLibrary`: makes and reads blobs.
#[derive(Debug)]
pub enum Tools {}

impl Class for Tools {
    const CLASS: Guid = Guid(0x6245_d6af, 0x66e0, 0x48fd, [0x80, 0xb4, 0x4d, 0x27, 0x17, 0x96, 0x74, 0x8c]);
    const INTERFACE: Guid = Guid(0xe520_4dc7, 0xd18c, 0x4c3c, [0xbd, 0xfb, 0x85, 0x16, 0x73, 0x98, 0x0f, 0xe7]);
}

#[repr(C)]
struct ToolsTable {
    base: UnknownTable,
    set_malloc: *const c_void,
    blob_of_blob: *const c_void,
    blob_of_file: unsafe extern "C" fn(*mut c_void, *const wide::Char, *const u32, *mut *mut c_void) -> HResult,
    pinned: *const c_void,
    copied: unsafe extern "C" fn(*mut c_void, *const c_void, u32, u32, *mut *mut c_void) -> HResult,
    on_malloc: *const c_void,
    include_handler: *const c_void,
    stream: *const c_void,
    utf8: unsafe extern "C" fn(*mut c_void, *mut c_void, *mut *mut c_void) -> HResult,
}

/// `IDxcCompiler3`.
#[derive(Debug)]
pub enum Compiler {}

impl Class for Compiler {
    const CLASS: Guid = Guid(0x73e2_2d93, 0xe6ce, 0x47f3, [0xb5, 0xbf, 0xf0, 0x66, 0x4f, 0x39, 0xc1, 0xb0]);
    const INTERFACE: Guid = Guid(0x228b_4687, 0x5a6a, 0x4730, [0x90, 0x0c, 0x97, 0x02, 0xb2, 0x20, 0x3f, 0x54]);
}

#[repr(C)]
struct CompilerTable {
    base: UnknownTable,
    compile: unsafe extern "C" fn(
        *mut c_void,
        *const Buffer<'_>,
        *const *const wide::Char,
        u32,
        *mut c_void,
        *const Guid,
        *mut *mut c_void,
    ) -> HResult,
}

/// `IDxcOperationResult`, which `IDxcResult` begins with.
#[derive(Debug)]
pub enum Outcome {}

#[repr(C)]
struct OutcomeTable {
    base: UnknownTable,
    status: unsafe extern "C" fn(*mut c_void, *mut HResult) -> HResult,
    result: unsafe extern "C" fn(*mut c_void, *mut *mut c_void) -> HResult,
    messages: unsafe extern "C" fn(*mut c_void, *mut *mut c_void) -> HResult,
}

/// `IDxcBlob`.
#[derive(Debug)]
pub enum Blob {}

#[repr(C)]
struct BlobTable {
    base: UnknownTable,
    pointer: unsafe extern "C" fn(*mut c_void) -> *const u8,
    size: unsafe extern "C" fn(*mut c_void) -> usize,
}

/// `DxcBuffer`: a text in memory.
#[repr(C)]
pub struct Buffer<'a> {
    text: *const c_void,
    size: usize,
    encoding: u32,
    borrowed: PhantomData<&'a str>,
}

impl<'a> Buffer<'a> {
    /// Of a text.
    pub fn utf8(text: &'a str) -> Buffer<'a> {
        Buffer { text: text.as_ptr().cast(), size: text.len(), encoding: UTF8, borrowed: PhantomData }
    }
}

/// A reference to an object with the interface `T`, given back at the end.
#[derive(Debug)]
pub struct Object<T> {
    at: NonNull<c_void>,
    interface: PhantomData<T>,
}

impl<T> Object<T> {
    fn new(at: *mut c_void) -> Option<Object<T>> {
        Some(Object { at: NonNull::new(at)?, interface: PhantomData })
    }

    fn this(&self) -> *mut c_void {
        self.at.as_ptr()
    }

    /// The reference, for someone else to give back.
    pub fn into_pointer(self) -> *mut c_void {
        let at = self.this();
        std::mem::forget(self);
        at
    }

    /// # Safety
    /// `Table` is that of `T`.
    unsafe fn table<Table>(&self) -> &Table {
        // SAFETY: an object begins with a pointer to its table, which lives as long as the library.
        unsafe { &**self.this().cast::<*const Table>() }
    }
}

impl<T> Drop for Object<T> {
    fn drop(&mut self) {
        // SAFETY: every object begins with these functions; the reference is given back once.
        unsafe { (self.table::<UnknownTable>().release)(self.this()) };
    }
}

/// An object of a class.
///
/// # Errors
/// The library lacks the function that makes objects, or the class.
pub fn create<T: Class>(library: &Library) -> Result<Object<T>, String> {
    type Create = unsafe extern "C" fn(*const Guid, *const Guid, *mut *mut c_void) -> HResult;
    let mut at = null_mut();
    // SAFETY: the function has had this form in every version.
    let result = unsafe {
        let create = library.get::<Create>(b"DxcCreateInstance\0").map_err(|error| error.to_string())?;
        create(&T::CLASS, &T::INTERFACE, &raw mut at)
    };
    Object::new(at).filter(|_| result >= 0).ok_or_else(|| failed("DxcCreateInstance", result))
}

fn failed(what: &str, result: HResult) -> String {
    format!("{what} returned {:#010x}", result.cast_unsigned())
}

impl Object<Tools> {
    /// Whether destructors take the two places after those of `IUnknown`, as they did before version 1.7.2212. The
    /// function at the place of `CreateBlobFromFile` is then `SetMalloc`, which says that it does nothing; the right one
    /// says that a name is missing.
    pub fn is_of_earlier_interface(&self) -> bool {
        // SAFETY: with null pointers both return an error. The one of fewer arguments ignores the others.
        let result = unsafe { (self.table::<ToolsTable>().blob_of_file)(self.this(), null(), null(), null_mut()) };
        result == NOT_IMPLEMENTED
    }

    /// A blob with a copy of a text in UTF-8.
    pub fn blob(&self, text: &[u8]) -> Result<Object<Blob>, String> {
        let size = u32::try_from(text.len()).map_err(|error| error.to_string())?;
        let mut at = null_mut();
        // SAFETY: the text is read during the call only.
        let result =
            unsafe { (self.table::<ToolsTable>().copied)(self.this(), text.as_ptr().cast(), size, UTF8, &raw mut at) };
        Object::new(at).filter(|_| result >= 0).ok_or_else(|| failed("CreateBlobWithEncodingOnHeapCopy", result))
    }

    /// The text of a blob with messages.
    pub fn text(&self, blob: &Object<Blob>) -> Result<String, String> {
        let mut at = null_mut();
        // SAFETY: the blob is one of this library.
        let result = unsafe { (self.table::<ToolsTable>().utf8)(self.this(), blob.this(), &raw mut at) };
        let text: Object<Blob> =
            Object::new(at).filter(|_| result >= 0).ok_or_else(|| failed("GetBlobAsUtf8", result))?;
        Ok(String::from_utf8_lossy(text.bytes()).trim_end_matches('\0').trim_end().to_owned())
    }
}

impl Object<Compiler> {
    /// Compiles a text.
    pub fn compile(
        &self,
        text: &Buffer<'_>,
        arguments: &[wide::Text],
        handler: &Handler<'_>,
    ) -> Result<Object<Outcome>, String> {
        let count = u32::try_from(arguments.len()).map_err(|error| error.to_string())?;
        let arguments: Vec<*const wide::Char> = arguments.iter().map(wide::Text::as_ptr).collect();
        let mut at = null_mut();
        // SAFETY: the text, the arguments, which end with zeros, and the handler outlive the call, and the library keeps
        // none of them.
        let result = unsafe {
            let compile = self.table::<CompilerTable>().compile;
            compile(self.this(), text, arguments.as_ptr(), count, handler.pointer(), &RESULT, &raw mut at)
        };
        Object::new(at).filter(|_| result >= 0).ok_or_else(|| failed("IDxcCompiler3::Compile", result))
    }
}

impl Object<Outcome> {
    /// Whether the text compiles: not negative.
    pub fn status(&self) -> Result<HResult, String> {
        let mut status = E_FAIL;
        // SAFETY: the place is of this function.
        let result = unsafe { (self.table::<OutcomeTable>().status)(self.this(), &raw mut status) };
        if result < 0 { Err(failed("GetStatus", result)) } else { Ok(status) }
    }

    /// What it compiled to.
    pub fn container(&self) -> Result<Option<Object<Blob>>, String> {
        let mut at = null_mut();
        // SAFETY: likewise.
        let result = unsafe { (self.table::<OutcomeTable>().result)(self.this(), &raw mut at) };
        if result < 0 { Err(failed("GetResult", result)) } else { Ok(Object::new(at)) }
    }

    /// The compiler's messages.
    pub fn messages(&self) -> Result<Option<Object<Blob>>, String> {
        let mut at = null_mut();
        // SAFETY: likewise.
        let result = unsafe { (self.table::<OutcomeTable>().messages)(self.this(), &raw mut at) };
        if result < 0 { Err(failed("GetErrorBuffer", result)) } else { Ok(Object::new(at)) }
    }
}

impl Object<Blob> {
    /// Its bytes.
    pub fn bytes(&self) -> &[u8] {
        // SAFETY: a blob does not change while it lives.
        unsafe {
            let table = self.table::<BlobTable>();
            let (at, size) = ((table.pointer)(self.this()), (table.size)(self.this()));
            if at.is_null() { &[] } else { std::slice::from_raw_parts(at, size) }
        }
    }
}
