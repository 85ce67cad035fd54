//! Files that a text includes, asked for by the compiler while it preprocesses.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::null_mut;

use glslang_sys as sys;

/// A text to include.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Include {
    /// What the compiler calls it from now on: in messages, lines and as the includer of others.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// Finds what a text includes.
pub trait Includes {
    /// The text that `name` stands for in `includer`, which is empty for the main text, at a depth from 1; `None` if it
    /// cannot be included.
    fn include(&mut self, name: &str, includer: &str, depth: usize) -> Option<Include>;
}

/// Texts that include nothing.
#[derive(Debug, Clone, Copy)]
pub struct NoIncludes;

impl Includes for NoIncludes {
    fn include(&mut self, _: &str, _: &str, _: usize) -> Option<Include> {
        None
    }
}

/// What the compiler hands back to the callbacks.
pub struct Context<'a>(&'a mut dyn Includes);

impl<'a> Context<'a> {
    /// Of what finds the texts.
    pub fn new(includes: &'a mut dyn Includes) -> Context<'a> {
        Context(includes)
    }

    /// Valid as long as this is borrowed by nothing else.
    pub fn pointer(&mut self) -> *mut c_void {
        (&raw mut *self).cast()
    }
}

/// The functions that the compiler calls. In Vulkan both kinds of quotes name the same files.
pub fn callbacks() -> sys::glsl_include_callbacks_t {
    sys::glsl_include_callbacks_t {
        include_system: Some(include),
        include_local: Some(include),
        free_include_result: Some(free),
    }
}

unsafe extern "C" fn include(
    context: *mut c_void,
    name: *const c_char,
    includer: *const c_char,
    depth: usize,
) -> *mut sys::glsl_include_result_t {
    // No panic may pass through C++.
    let found = catch_unwind(AssertUnwindSafe(|| {
        // SAFETY: the context is the one of the running call, which nothing else uses meanwhile; the names are strings
        // that end with a zero.
        let (context, name, includer) = unsafe {
            let context = context.cast::<Context<'_>>().as_mut()?;
            (context, CStr::from_ptr(name), CStr::from_ptr(includer))
        };
        let Include { name, text } = context.0.include(name.to_str().ok()?, includer.to_str().ok()?, depth)?;
        Some((CString::new(name).ok()?, CString::new(text).ok()?))
    }));
    let Ok(Some((name, text))) = found else { return null_mut() };
    let length = text.as_bytes().len();
    let result = sys::glsl_include_result_t {
        header_name: name.into_raw(),
        header_data: text.into_raw(),
        header_length: length,
    };
    Box::into_raw(Box::new(result))
}

unsafe extern "C" fn free(_: *mut c_void, result: *mut sys::glsl_include_result_t) -> c_int {
    if !result.is_null() {
        // SAFETY: made by `include`, and given back once.
        unsafe {
            let result = Box::from_raw(result);
            drop(CString::from_raw(result.header_name.cast_mut()));
            drop(CString::from_raw(result.header_data.cast_mut()));
        }
    }
    0
}
