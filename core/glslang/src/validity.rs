//! SPIRV-Tools' validator, asked whether a module is valid and not why.

use std::ffi::{CStr, c_char};

use spirv_tools_sys::diagnostics::{Diagnostic, diagnostic_destroy};
use spirv_tools_sys::shared::{self, SpirvResult, TargetEnv};
use spirv_tools_sys::val;

unsafe extern "C" {
    /// Sets whether messages name ids by their debug names, which is so by default. The crate has no declaration of it.
    #[link_name = "spvValidatorOptionsSetFriendlyNames"]
    fn set_friendly_names(options: *mut val::ValidatorOptions, whether: bool);

    /// The version, as a constant text. The crate has no declaration of it.
    #[link_name = "spvSoftwareVersionString"]
    fn software_version() -> *const c_char;
}

/// SPIRV-Tools' version: `v2025.3`.
pub fn version() -> String {
    // SAFETY: a constant text that ends with a zero byte.
    unsafe { CStr::from_ptr(software_version()) }.to_string_lossy().into_owned()
}

/// Whether the validator accepts a module for an environment, with scalar block layout. Names of ids appear in its
/// messages only, so they are not collected: that takes a fourth of the time.
pub fn is_valid(words: &[u32], env: TargetEnv) -> bool {
    let binary = shared::Binary { code: words.as_ptr(), size: words.len() };
    let mut diagnostic: *mut Diagnostic = std::ptr::null_mut();
    // SAFETY: the objects are made here and destroyed once; the words live longer than the call.
    unsafe {
        let context = shared::context_create(env);
        let options = val::validator_options_create();
        val::validator_options_set_scalar_block_layout(options, true);
        set_friendly_names(options, false);
        let result = val::validate_with_options(context, options, &raw const binary, &raw mut diagnostic);
        diagnostic_destroy(diagnostic);
        val::validator_options_destroy(options);
        shared::context_destroy(context);
        result == SpirvResult::Success
    }
}
