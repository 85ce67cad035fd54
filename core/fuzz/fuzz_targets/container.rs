//! Any bytes as a container: header, table of parts, digest.
#![no_main]

use lanescope_fuzz::bounded;
use lanescope_fuzz::dxil::container;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    bounded(data, |data| {
        let mut faults = Vec::new();
        if let Ok(read) = container::read(data, &mut faults) {
            // Each part lies inside the file.
            for part in &read.parts {
                assert!(part.data_offset() + u64::from(part.size) <= data.len() as u64);
            }
        }
    });
});
