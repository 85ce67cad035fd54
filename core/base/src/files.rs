//! Limits of files, and how the program recognises its own.

/// The largest file that is opened, in bytes.
pub const MAX_FILE: u64 = 256 << 20;
/// The extension of saved runs of work graphs.
pub const SAVED_RUN_EXTENSION: &str = "lanescope-run";

/// Whether bytes begin like a saved run.
pub fn is_saved_run(bytes: &[u8]) -> bool {
    let head = bytes.get(..64).unwrap_or(bytes);
    let text: String = head.iter().map(|byte| char::from(*byte)).filter(|c| !c.is_whitespace()).collect();
    text.starts_with("{\"lanescope_run\":")
}

/// Whether bytes begin like an ELF file for AMD GPUs (e_machine 224).
pub fn is_code_object(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\x7fELF") && bytes.get(18..20) == Some(&[224, 0])
}
