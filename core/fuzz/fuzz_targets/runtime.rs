//! Any bytes as one of the parts that are no bitcode: the first byte says which, and of which kind of shader.
#![no_main]

use lanescope_fuzz::{bounded, read_part};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    bounded(data, read_part);
});
