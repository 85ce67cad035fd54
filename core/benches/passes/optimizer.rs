//! SPIRV-Tools' optimizer through its C interface, which names passes that the crate's list lacks.
#![allow(unsafe_code, reason = "the optimizer is C++ in the static library that the spirv-tools crate brings")]

use std::ffi::CStr;
use std::ptr::NonNull;

use spirv_tools::TargetEnv;
// Its build script links the static library that the functions below are in.
use spirv_tools as _;

/// Passes that run in this order, without validation.
pub struct Optimizer {
    optimizer: NonNull<Handle>,
    options: NonNull<Handle>,
}

impl Optimizer {
    /// The passes nearest to packing an interface: unused variables leave it, dead code goes, and inputs shrink to what is
    /// read.
    pub fn of_interfaces() -> Optimizer {
        // SAFETY: both functions take plain values and answer with an object of their own or null.
        let (optimizer, options) =
            unsafe { (spvOptimizerCreate(TargetEnv::Vulkan_1_4 as u32), spvOptimizerOptionsCreate()) };
        let optimizer = Optimizer {
            optimizer: NonNull::new(optimizer).expect("an optimizer"),
            options: NonNull::new(options).expect("options"),
        };
        // SAFETY: the object is alive.
        unsafe { spvOptimizerOptionsSetRunValidator(optimizer.options.as_ptr(), false) };
        for flag in [
            c"--remove-unused-interface-variables",
            c"--eliminate-dead-code-aggressive",
            c"--eliminate-dead-input-components",
        ] {
            optimizer.register(flag);
        }
        optimizer
    }

    fn register(&self, flag: &CStr) {
        // SAFETY: the object is alive, and the text ends with a zero.
        let known = unsafe { spvOptimizerRegisterPassFromFlag(self.optimizer.as_ptr(), flag.as_ptr()) };
        assert!(known, "the optimizer knows no pass {}", flag.to_string_lossy());
    }

    /// The optimized module's words.
    pub fn run(&self, words: &[u32]) -> Vec<u32> {
        let mut binary = std::ptr::null_mut();
        // SAFETY: the objects are alive, the words are as many as is said, and the result goes to a pointer of ours.
        let status = unsafe {
            spvOptimizerRun(self.optimizer.as_ptr(), words.as_ptr(), words.len(), &mut binary, self.options.as_ptr())
        };
        assert_eq!(status, 0, "the optimizer refused the module");
        // SAFETY: on success the result is a binary of its own; it is copied before it is destroyed, once.
        unsafe {
            let optimized = std::slice::from_raw_parts((*binary).code, (*binary).word_count).to_vec();
            spvBinaryDestroy(binary);
            optimized
        }
    }
}

impl Drop for Optimizer {
    fn drop(&mut self) {
        // SAFETY: both are alive and owned, and this is the last use.
        unsafe {
            spvOptimizerDestroy(self.optimizer.as_ptr());
            spvOptimizerOptionsDestroy(self.options.as_ptr());
        }
    }
}

/// An object of the library.
#[repr(C)]
struct Handle {
    _opaque: [u8; 0],
}

/// `spv_binary_t` of `libspirv.h`.
#[repr(C)]
struct Binary {
    code: *const u32,
    word_count: usize,
}

unsafe extern "C" {
    fn spvOptimizerCreate(environment: u32) -> *mut Handle;
    fn spvOptimizerDestroy(optimizer: *mut Handle);
    fn spvOptimizerRegisterPassFromFlag(optimizer: *mut Handle, flag: *const std::ffi::c_char) -> bool;
    fn spvOptimizerOptionsCreate() -> *mut Handle;
    fn spvOptimizerOptionsDestroy(options: *mut Handle);
    fn spvOptimizerOptionsSetRunValidator(options: *mut Handle, run: bool);
    fn spvOptimizerRun(
        optimizer: *mut Handle,
        words: *const u32,
        word_count: usize,
        optimized: *mut *mut Binary,
        options: *mut Handle,
    ) -> i32;
    fn spvBinaryDestroy(binary: *mut Binary);
}
