//! A whole file, as `inspect` reads it, up to the foreign converter.
#![no_main]

use lanescope_fuzz::{bounded, whole};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    bounded(data, whole);
});
