//! Intel's Vulkan drivers of Mesa, ANV and HASVK, without an Intel GPU: a library that is preloaded into the process that
//! runs them, and answers what they request from the kernel.
//!
//! The variable `LANESCOPE_INTEL_GPU` describes the GPU. Without it every call goes to the C library and to libdrm. With it the process sees
//! one GPU, and no node below `/dev/dri` is opened: buffers are ranges of a file in memory. Work that is submitted is
//! accepted, and not executed.
//!
//! A request that the library does not know fails with `ENOTTY` and is written to the standard error by its name.
//!
//! Source of numbers and structures: the kernel's `include/uapi/drm/{drm,i915_drm,xe_drm}.h`.

#![allow(unsafe_code, reason = "it replaces functions of the C library and of libdrm, and reads what callers point at")]

mod argument;
mod description;
mod drm;
mod i915;
mod libdrm;
mod memory;
mod preload;
#[cfg(test)]
mod tests;
mod xe;
