//! The heap of a process that is about to load a program.
//!
//! A new page costs more than what compilers write into it: glslang's built-in declarations take 12,000 of them. On
//! Linux, a part of the heap is therefore taken at once, from large pages where the system has them.

/// Bytes that reading and validating a module of some thousand instructions takes.
pub const MODULE: usize = 8 << 20;

/// Bytes that glslang takes for its built-in declarations, and a shader.
pub(crate) const DECLARATIONS: usize = 48 << 20;

/// Takes so many bytes for the heap of the calling thread at once, and leaves them free. Where they cannot be taken,
/// nothing changes.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub fn reserve(bytes: usize) {
    /// Where a block is large enough for a mapping of its own: glibc's own largest value.
    const MAPPED: libc::c_int = 32 << 20;
    /// glibc's own number of such blocks.
    const MAPPINGS: libc::c_int = 65_536;
    /// What the end of the heap keeps free, in bytes.
    const KEPT: libc::c_int = 64 << 20;
    /// The size of a large page.
    const LARGE: usize = 2 << 20;
    // SAFETY: the options are glibc's, and may be set at any time. The block is freed once, and only whole pages inside
    // of it are named to the kernel, which changes none of their contents.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, MAPPED);
        libc::mallopt(libc::M_TRIM_THRESHOLD, KEPT);
        libc::mallopt(libc::M_MMAP_MAX, 0);
        let block = libc::malloc(bytes);
        libc::mallopt(libc::M_MMAP_MAX, MAPPINGS);
        if block.is_null() {
            return;
        }
        let skipped = block.align_offset(LARGE);
        let whole = bytes.saturating_sub(skipped) / LARGE * LARGE;
        if whole > 0 {
            // A kernel without large pages refuses, and gives small ones.
            libc::madvise(block.byte_add(skipped), whole, libc::MADV_HUGEPAGE);
        }
        libc::free(block);
    }
}

/// Lets all threads take from one heap, so that one uses again what the other left. For a process whose threads wait for
/// each other; before the second one starts.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub fn share() {
    // SAFETY: the option is glibc's, and may be set at any time.
    unsafe { libc::mallopt(libc::M_ARENA_MAX, 1) };
}

/// Other systems' heaps have no such settings.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
mod elsewhere {
    /// Does nothing.
    pub fn reserve(_bytes: usize) {}

    /// Does nothing.
    pub fn share() {}
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub use elsewhere::{reserve, share};
