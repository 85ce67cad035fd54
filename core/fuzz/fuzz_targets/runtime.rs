//! Any bytes as the parts that the runtime reads.
#![no_main]

use lanescope_core::dxil::Dxil;
use libfuzzer_sys::fuzz_target;

const PARTS: [&[u8; 4]; 6] = [b"PSV0", b"RDAT", b"ISG1", b"RTS0", b"SRCI", b"VERS"];

fuzz_target!(|data: &[u8]| {
    for name in PARTS {
        let mut file = b"DXBC".to_vec();
        file.extend([0; 16]);
        file.extend([1, 0, 0, 0]);
        file.extend((44 + data.len() as u32).to_le_bytes());
        file.extend([1, 0, 0, 0, 36, 0, 0, 0]);
        file.extend(name);
        file.extend((data.len() as u32).to_le_bytes());
        file.extend(data);
        let dxil = Dxil::read(file).expect("the container around the part is whole");
        dxil.summary(0);
        dxil.findings("");
    }
});
