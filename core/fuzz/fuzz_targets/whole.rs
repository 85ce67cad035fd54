//! A whole file, as `inspect` reads it, up to the foreign converter.
#![no_main]

use lanescope_core::dxil::Dxil;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    if let Ok(dxil) = Dxil::read(data.to_vec()) {
        dxil.summary(0);
        dxil.findings("a.dxil");
    }
});
