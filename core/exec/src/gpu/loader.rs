//! One thread at a time where the Vulkan loader changes its lists of instances and devices, or looks a function up.
//!
//! The loader of 2025 (1.4.309) reads the lists of all instances without a lock when it looks up a device's function
//! (`loader_get_icd_and_device`): it crashes if another thread closes a device meanwhile, or lists the
//! physical devices of an instance, which unloads drivers without any.

use std::sync::{Mutex, PoisonError};

static LOADER: Mutex<()> = Mutex::new(());

/// Calls the loader while no other thread does.
pub(super) fn alone<T>(call: impl FnOnce() -> T) -> T {
    let _guard = LOADER.lock().unwrap_or_else(PoisonError::into_inner);
    call()
}
