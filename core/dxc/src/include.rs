//! Files that a text includes, asked for by the library while it preprocesses.

use std::cell::RefCell;
use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicU32, Ordering};

use super::com::{E_FAIL, Guid, HResult, INCLUDE_HANDLER, NO_INTERFACE, NOT_FOUND, Object, Tools, UNKNOWN};
use super::wide;

/// Finds what a text includes.
pub trait Includes {
    /// The text of a name, which the library has joined with the folder of the includer, or with one that is looked
    /// through; `None` if there is none.
    fn include(&mut self, name: &str) -> Option<Vec<u8>>;
}

/// What the library calls. Lives as long as the call of the compiler; the library keeps no reference beyond it.
#[repr(C)]
pub struct Handler<'a> {
    table: *const Table,
    references: AtomicU32,
    includes: RefCell<&'a mut dyn Includes>,
    tools: &'a Object<Tools>,
}

#[repr(C)]
struct Table {
    query: unsafe extern "C" fn(*mut c_void, *const Guid, *mut *mut c_void) -> HResult,
    add: unsafe extern "C" fn(*mut c_void) -> u32,
    release: unsafe extern "C" fn(*mut c_void) -> u32,
    load: unsafe extern "C" fn(*mut c_void, *const wide::Char, *mut *mut c_void) -> HResult,
}

static TABLE: Table = Table { query, add, release, load };

impl<'a> Handler<'a> {
    /// Of what finds the texts.
    pub fn new(includes: &'a mut dyn Includes, tools: &'a Object<Tools>) -> Handler<'a> {
        Handler { table: &TABLE, references: AtomicU32::new(1), includes: RefCell::new(includes), tools }
    }

    /// As the library takes it; valid as long as this is.
    pub fn pointer(&self) -> *mut c_void {
        (&raw const *self).cast_mut().cast()
    }
}

/// # Safety
/// The library passes the handler of the running call.
unsafe fn handler<'h>(this: *mut c_void) -> &'h Handler<'h> {
    // SAFETY: as the caller ensures; the library's calls are shared borrows of it only.
    unsafe { &*this.cast::<Handler<'h>>() }
}

unsafe extern "C" fn query(this: *mut c_void, wanted: *const Guid, out: *mut *mut c_void) -> HResult {
    // SAFETY: the library passes a name and a place for the answer.
    unsafe {
        if [UNKNOWN, INCLUDE_HANDLER].contains(&*wanted) {
            add(this);
            *out = this;
            return 0;
        }
        *out = null_mut();
    }
    NO_INTERFACE
}

unsafe extern "C" fn add(this: *mut c_void) -> u32 {
    // SAFETY: it is the handler.
    unsafe { handler(this) }.references.fetch_add(1, Ordering::Relaxed) + 1
}

unsafe extern "C" fn release(this: *mut c_void) -> u32 {
    // It is freed by who made it. SAFETY: it is the handler.
    unsafe { handler(this) }.references.fetch_sub(1, Ordering::Relaxed).saturating_sub(1)
}

unsafe extern "C" fn load(this: *mut c_void, name: *const wide::Char, out: *mut *mut c_void) -> HResult {
    // No panic may pass through C++.
    let found = catch_unwind(AssertUnwindSafe(|| {
        // SAFETY: the library passes the handler of the running call, a name that ends with a zero, and a place.
        let (handler, name) = unsafe {
            *out = null_mut();
            (handler(this), wide::read(name))
        };
        let text = handler.includes.try_borrow_mut().ok()?.include(&name?)?;
        handler.tools.blob(&text).ok()
    }));
    match found {
        Ok(Some(blob)) => {
            // SAFETY: as above. The reference is the library's now.
            unsafe { *out = blob.into_pointer() };
            0
        }
        Ok(None) => NOT_FOUND,
        Err(_) => E_FAIL,
    }
}
