//! Any bytes as LLVM bitcode.
#![no_main]

use lanescope_core::dxil::module::{Module, TypeId};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let mut bitcode = b"BC\xc0\xde".to_vec();
    bitcode.extend(data);
    bitcode.resize(bitcode.len().next_multiple_of(4), 0);
    if let Ok(module) = Module::parse(&bitcode, 0) {
        for id in 0..module.types.all().len().min(64) {
            module.types.name(TypeId(id as u32));
        }
    }
});
