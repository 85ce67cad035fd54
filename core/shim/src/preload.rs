//! The functions that this library puts before those of the C library, and the GPU that they answer for.

use std::ffi::{CStr, c_char, c_int, c_uint, c_ulong, c_void};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use crate::argument::{Argument, Refused};
use crate::description::Description;
use crate::drm;
use crate::memory::Memory;

/// The node of the GPU: 19 characters at most, as drivers keep the path of `/dev/dri/renderD128` in 20 bytes. There is no such
/// file, so whoever asks for its status finds none.
pub const NODE: &CStr = c"/dev/dri/lanescope";
/// What the names of all nodes start with.
const NODES: &[u8] = b"/dev/dri/";

/// The GPU and its memory.
pub struct Gpu {
    pub description: Description,
    memory: Mutex<Memory>,
}

impl Gpu {
    /// Its memory, locked.
    pub fn memory(&self) -> MutexGuard<'_, Memory> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The GPU of this process; `None` if the environment describes none.
pub fn gpu() -> Option<&'static Gpu> {
    static GPU: OnceLock<Option<Gpu>> = OnceLock::new();
    let made = || {
        let description = Description::of_process()?;
        Some(Gpu { description, memory: Mutex::new(Memory::new().ok()?) })
    };
    GPU.get_or_init(made).as_ref()
}

fn fail(errno: c_int) -> c_int {
    // SAFETY: the place of this thread's error number.
    unsafe { *libc::__errno_location() = errno };
    -1
}

/// The function of that name in the libraries after this one.
fn next(name: &CStr) -> *mut c_void {
    // SAFETY: a name that ends with a zero.
    unsafe { libc::dlsym(libc::RTLD_NEXT, name.as_ptr()) }
}

/// Opens a node of a GPU: a descriptor, or a failure. `None` for any other path, and in a process without a GPU.
fn node(path: *const c_char) -> Option<c_int> {
    if path.is_null() {
        return None;
    }
    // SAFETY: who opens a file gives a path that ends with a zero.
    let path = unsafe { CStr::from_ptr(path) };
    if !path.to_bytes().starts_with(NODES) {
        return None;
    }
    let gpu = gpu()?;
    Some(if path == NODE { gpu.memory().descriptor() } else { fail(libc::ENOENT) })
}

type Open = unsafe extern "C" fn(*const c_char, c_int, ...) -> c_int;

/// Opens a file with the next library's function of that name.
///
/// # Safety
/// What `open` requires; the name is that of a function like it.
unsafe fn open_with(name: &CStr, path: *const c_char, flags: c_int, mode: c_uint) -> c_int {
    if let Some(descriptor) = node(path) {
        return descriptor;
    }
    let function = next(name);
    if function.is_null() {
        return fail(libc::ENOSYS);
    }
    // SAFETY: a function of this type by its name; the arguments are the caller's.
    unsafe { std::mem::transmute::<*mut c_void, Open>(function)(path, flags, mode) }
}

// The C library declares these with `...`. On the machines that have these GPUs, a caller passes one more integer the
// same way, and one that is missing is not read.

/// `open` of the C library.
///
/// # Safety
/// As of the C library's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn open(path: *const c_char, flags: c_int, mode: c_uint) -> c_int {
    // SAFETY: the caller's promise is the same.
    unsafe { open_with(c"open", path, flags, mode) }
}

/// `open64` of the C library.
///
/// # Safety
/// As of the C library's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn open64(path: *const c_char, flags: c_int, mode: c_uint) -> c_int {
    // SAFETY: the caller's promise is the same.
    unsafe { open_with(c"open64", path, flags, mode) }
}

/// `open` with checks, of the C library.
///
/// # Safety
/// As of the C library's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __open_2(path: *const c_char, flags: c_int) -> c_int {
    // SAFETY: the caller's promise is the same.
    unsafe { open_with(c"__open_2", path, flags, 0) }
}

/// `open64` with checks, of the C library.
///
/// # Safety
/// As of the C library's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __open64_2(path: *const c_char, flags: c_int) -> c_int {
    // SAFETY: the caller's promise is the same.
    unsafe { open_with(c"__open64_2", path, flags, 0) }
}

type Ioctl = unsafe extern "C" fn(c_int, c_ulong, ...) -> c_int;

/// The group of all requests to drivers of GPUs.
const GROUP: c_ulong = b'd' as c_ulong;

/// `ioctl` of the C library: answers those on the GPU's node.
///
/// # Safety
/// As of the C library's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ioctl(descriptor: c_int, request: c_ulong, argument: *mut c_void) -> c_int {
    let of_node = |gpu: &&Gpu| gpu.memory().is_of(descriptor);
    let is_of_group = (request >> 8) & 0xff == GROUP;
    if let Some(gpu) = is_of_group.then(gpu).flatten().filter(of_node) {
        // A request's number holds the size of its structure in 14 bits.
        let bytes = (request >> 16) as usize & 0x3fff;
        // SAFETY: the caller has a structure of that size there.
        let argument = unsafe { Argument::at(argument as usize as u64, bytes) };
        let answer = drm::answer(&gpu.description, &mut gpu.memory(), request as u8, argument);
        return match answer {
            Ok(()) => 0,
            Err(Refused::Errno(errno)) => fail(errno),
            Err(Refused::Unknown(name)) => {
                eprintln!("lanescope: the stand-in for Intel's kernel driver does not know {name}");
                fail(libc::ENOTTY)
            }
        };
    }
    static NEXT: OnceLock<usize> = OnceLock::new();
    let function = *NEXT.get_or_init(|| next(c"ioctl") as usize) as *mut c_void;
    if function.is_null() {
        return fail(libc::ENOSYS);
    }
    // SAFETY: a function of this type by its name; the arguments are the caller's.
    unsafe { std::mem::transmute::<*mut c_void, Ioctl>(function)(descriptor, request, argument) }
}
