//! Any bytes as LLVM bitcode.
#![no_main]

use lanescope_fuzz::dxil::module::{Module, TypeId};
use lanescope_fuzz::{as_bitcode, bounded};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    bounded(data, |data| {
        if let Ok(module) = Module::parse(&as_bitcode(data), 0) {
            for id in 0..module.types.all().len().min(64) {
                module.types.name(TypeId(id as u32));
            }
        }
    });
});
