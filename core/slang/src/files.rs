//! Files that a text includes or imports, asked for by the library while it reads (`ISlangFileSystem`).

use std::cell::RefCell;
use std::ffi::{CStr, c_char, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicU32, Ordering};

use super::api::SlangResult;

/// Finds what a text includes or imports.
pub trait Files {
    /// The contents of a name, which the library has joined with the folder of the includer, or with one that is looked
    /// through; `None` if there is none.
    fn file(&mut self, name: &str) -> Option<Vec<u8>>;
}

/// `SLANG_E_NO_INTERFACE`.
const NO_INTERFACE: SlangResult = 0x8000_4002_u32.cast_signed();
/// `SLANG_FAIL`.
const FAIL: SlangResult = 0x8000_4005_u32.cast_signed();
/// `SLANG_E_NOT_FOUND`.
const NOT_FOUND: SlangResult = 0x8200_0005_u32.cast_signed();

/// A name of an interface.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Guid(u32, u16, u16, [u8; 8]);

/// `ISlangUnknown`.
const UNKNOWN: Guid = Guid(0, 0, 0, [0xc0, 0, 0, 0, 0, 0, 0, 0x46]);
/// `ISlangCastable`.
const CASTABLE: Guid = Guid(0x87ed_e0e1, 0x4852, 0x44b0, [0x8b, 0xf2, 0xcb, 0x31, 0x87, 0x4d, 0xe2, 0x39]);
/// `ISlangFileSystem`.
const FILE_SYSTEM: Guid = Guid(0x003a_09fc, 0x3a4d, 0x4ba0, [0xad, 0x60, 0x1f, 0xd8, 0x63, 0xa9, 0x15, 0xab]);
/// `ISlangBlob`.
const BLOB: Guid = Guid(0x8ba5_fb08, 0x5195, 0x40e2, [0xac, 0x58, 0x0d, 0x98, 0x9c, 0x3a, 0x01, 0x02]);

/// What every object has first.
#[repr(C)]
pub struct UnknownTable {
    query: unsafe extern "C" fn(*mut c_void, *const Guid, *mut *mut c_void) -> SlangResult,
    add: unsafe extern "C" fn(*mut c_void) -> u32,
    /// Gives a reference back.
    pub release: unsafe extern "C" fn(*mut c_void) -> u32,
}

/// `ISlangBlob`.
#[repr(C)]
pub struct BlobTable {
    /// What every object has.
    pub base: UnknownTable,
    /// Its bytes.
    pub pointer: unsafe extern "C" fn(*mut c_void) -> *const u8,
    /// How many.
    pub size: unsafe extern "C" fn(*mut c_void) -> usize,
}

#[repr(C)]
struct FilesTable {
    base: UnknownTable,
    cast: unsafe extern "C" fn(*mut c_void, *const Guid) -> *mut c_void,
    load: unsafe extern "C" fn(*mut c_void, *const c_char, *mut *mut c_void) -> SlangResult,
}

/// What the library calls. It lives longer than the request, and the library keeps no reference beyond that.
#[repr(C)]
pub struct FileSystem<'a> {
    table: *const FilesTable,
    references: AtomicU32,
    files: RefCell<&'a mut dyn Files>,
}

static TABLE: FilesTable = FilesTable { base: UnknownTable { query, add, release }, cast, load };

impl<'a> FileSystem<'a> {
    /// Of what finds the files.
    pub fn new(files: &'a mut dyn Files) -> FileSystem<'a> {
        FileSystem { table: &TABLE, references: AtomicU32::new(1), files: RefCell::new(files) }
    }

    /// As the library takes it; valid as long as this is.
    pub fn pointer(&self) -> *mut c_void {
        (&raw const *self).cast_mut().cast()
    }
}

/// # Safety
/// The library passes the file system of the running request.
unsafe fn of<'f>(this: *mut c_void) -> &'f FileSystem<'f> {
    // SAFETY: as the caller ensures; the library's calls are shared borrows of it only.
    unsafe { &*this.cast::<FileSystem<'f>>() }
}

unsafe extern "C" fn query(this: *mut c_void, wanted: *const Guid, out: *mut *mut c_void) -> SlangResult {
    // SAFETY: the library passes a name and a place for the answer.
    unsafe {
        *out = cast(this, wanted);
        if (*out).is_null() {
            return NO_INTERFACE;
        }
        add(this);
    }
    0
}

unsafe extern "C" fn cast(this: *mut c_void, wanted: *const Guid) -> *mut c_void {
    // SAFETY: the library passes a name.
    if [UNKNOWN, CASTABLE, FILE_SYSTEM].contains(unsafe { &*wanted }) { this } else { null_mut() }
}

unsafe extern "C" fn add(this: *mut c_void) -> u32 {
    // SAFETY: it is the file system.
    unsafe { of(this) }.references.fetch_add(1, Ordering::Relaxed) + 1
}

unsafe extern "C" fn release(this: *mut c_void) -> u32 {
    // It is freed by who made it. SAFETY: it is the file system.
    unsafe { of(this) }.references.fetch_sub(1, Ordering::Relaxed).saturating_sub(1)
}

unsafe extern "C" fn load(this: *mut c_void, name: *const c_char, out: *mut *mut c_void) -> SlangResult {
    // No panic may pass through C++.
    let found = catch_unwind(AssertUnwindSafe(|| {
        // SAFETY: the library passes the file system of the running request, a name that ends with a zero, and a place.
        let (system, name) = unsafe {
            *out = null_mut();
            (of(this), CStr::from_ptr(name))
        };
        let bytes = system.files.try_borrow_mut().ok()?.file(name.to_str().ok()?)?;
        Some(Blob::made(bytes))
    }));
    match found {
        Ok(Some(blob)) => {
            // SAFETY: as above. The reference is the library's now.
            unsafe { *out = blob };
            0
        }
        Ok(None) => NOT_FOUND,
        Err(_) => FAIL,
    }
}

/// The contents of a file, freed with the last reference.
#[repr(C)]
struct Blob {
    table: *const BlobTable,
    references: AtomicU32,
    bytes: Vec<u8>,
}

static BLOB_TABLE: BlobTable = BlobTable {
    base: UnknownTable { query: blob_query, add: blob_add, release: blob_release },
    pointer: blob_pointer,
    size: blob_size,
};

impl Blob {
    /// A blob with one reference.
    fn made(bytes: Vec<u8>) -> *mut c_void {
        Box::into_raw(Box::new(Blob { table: &BLOB_TABLE, references: AtomicU32::new(1), bytes })).cast()
    }
}

/// # Safety
/// The library passes a blob that was made here, and has a reference to it.
unsafe fn blob<'b>(this: *mut c_void) -> &'b Blob {
    // SAFETY: as the caller ensures.
    unsafe { &*this.cast::<Blob>() }
}

unsafe extern "C" fn blob_query(this: *mut c_void, wanted: *const Guid, out: *mut *mut c_void) -> SlangResult {
    // SAFETY: the library passes a name and a place for the answer.
    unsafe {
        if [UNKNOWN, BLOB].contains(&*wanted) {
            blob_add(this);
            *out = this;
            return 0;
        }
        *out = null_mut();
    }
    NO_INTERFACE
}

unsafe extern "C" fn blob_add(this: *mut c_void) -> u32 {
    // SAFETY: it is a blob.
    unsafe { blob(this) }.references.fetch_add(1, Ordering::Relaxed) + 1
}

unsafe extern "C" fn blob_release(this: *mut c_void) -> u32 {
    // SAFETY: it is a blob.
    let left = unsafe { blob(this) }.references.fetch_sub(1, Ordering::AcqRel) - 1;
    if left == 0 {
        // SAFETY: it was made from a box, and the last reference is gone.
        drop(unsafe { Box::from_raw(this.cast::<Blob>()) });
    }
    left
}

unsafe extern "C" fn blob_pointer(this: *mut c_void) -> *const u8 {
    // SAFETY: it is a blob.
    unsafe { blob(this) }.bytes.as_ptr()
}

unsafe extern "C" fn blob_size(this: *mut c_void) -> usize {
    // SAFETY: it is a blob.
    unsafe { blob(this) }.bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ptr::NonNull;

    struct One;

    impl Files for One {
        fn file(&mut self, name: &str) -> Option<Vec<u8>> {
            assert!(name != "panic", "asked for");
            (name == "a").then(|| b"text".to_vec())
        }
    }

    #[test]
    fn the_library_gets_contents_and_gives_them_back() {
        let mut one = One;
        let system = FileSystem::new(&mut one);
        let this = system.pointer();
        let mut out = null_mut();
        // SAFETY: what the library does with the interface.
        unsafe {
            let table = &**this.cast::<*const FilesTable>();
            assert_eq!((table.base.query)(this, &FILE_SYSTEM, &raw mut out), 0);
            assert_eq!(((table.base.release)(this), out), (1, this));
            assert_eq!((table.base.query)(this, &BLOB, &raw mut out), NO_INTERFACE);
            assert_eq!((table.load)(this, c"b".as_ptr(), &raw mut out), NOT_FOUND);
            assert_eq!((table.load)(this, c"\xff".as_ptr(), &raw mut out), NOT_FOUND);
            assert_eq!((table.load)(this, c"a".as_ptr(), &raw mut out), 0);
            let blob = NonNull::new(out).expect("a blob");
            let table = &**blob.as_ptr().cast::<*const BlobTable>();
            assert_eq!(((table.size)(out), *(table.pointer)(out)), (4, b't'));
            assert_eq!((table.base.query)(out, &UNKNOWN, &raw mut out), 0);
            assert_eq!(((table.base.release)(out), (table.base.release)(out)), (1, 0));
        }
    }

    #[test]
    fn a_panic_is_an_error() {
        let mut one = One;
        let system = FileSystem::new(&mut one);
        let mut out = null_mut();
        // SAFETY: as the library calls it.
        assert_eq!(unsafe { load(system.pointer(), c"panic".as_ptr(), &raw mut out) }, FAIL);
    }
}
