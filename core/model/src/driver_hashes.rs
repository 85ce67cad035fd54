//! The hashes by which AMD's drivers and tools name shaders: in file names of dumps, in logs, in profiles of applications and in
//! the metadata of code objects. They are MetroHash of the SPIR-V as the application gives it.

use std::fmt;
use std::hash::Hasher as _;

use lanescope_base::ids::{Hash64, Hex};
use lanescope_spirv::Module;
use metrohash::{MetroHash64, MetroHash128};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::program::{Format, LoadedModule};

/// The hashes of an entry point's module.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DriverHashes {
    /// LLPC's hash of the module, as it prints it: MetroHash64 with its 32-bit halves exchanged. `Shader_0x….spv` in dumps,
    /// `.api_shader_hash` of amdllpc's objects.
    pub llpc: Hash64,
    /// AMDVLK's hash of the code (XGL): MetroHash128 of the module and of the entry point's name, combined by exclusive or. In
    /// profiles of applications, `VK_EXT_shader_module_identifier` and `.api_shader_hash` of AMDVLK's objects.
    pub code: CodeHash,
}

/// A hash of 128 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CodeHash {
    /// Its upper half.
    pub upper: Hash64,
    /// Its lower half.
    pub lower: Hash64,
}

impl fmt::Display for CodeHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "0x{:016X}{:016X}", self.upper.0, self.lower.0)
    }
}

impl DriverHashes {
    /// The hashes of a module that a file has as SPIR-V; absent for one that was compiled or converted here, of which drivers
    /// see other bytes.
    pub fn of_loaded(loaded: &LoadedModule, format: Format, entry: &str) -> Option<DriverHashes> {
        let is_given = matches!(format, Format::Spirv | Format::Fossilize) && loaded.source.is_none();
        is_given.then(|| DriverHashes::of(&loaded.module, entry))
    }

    fn of(module: &Module, entry: &str) -> DriverHashes {
        let words: Vec<[u8; 4]> = module.words().iter().copied().map(u32::to_le_bytes).collect();
        DriverHashes::of_bytes(words.as_flattened(), entry)
    }

    fn of_bytes(spirv: &[u8], entry: &str) -> DriverHashes {
        let mut module = MetroHash64::with_seed(0);
        module.write(spirv);
        let [spirv, entry] = [spirv, entry.as_bytes()].map(|bytes| {
            let mut hash = MetroHash128::with_seed(0);
            hash.write(bytes);
            hash.finish128()
        });
        let code = CodeHash { lower: Hex(spirv.0 ^ entry.0), upper: Hex(spirv.1 ^ entry.1) };
        DriverHashes { llpc: Hex(module.finish().rotate_left(32)), code }
    }

    /// The name of the module in LLPC's dumps.
    pub fn dump_name(&self) -> String {
        format!("Shader_0x{:016X}.spv", self.llpc.0)
    }

    /// Whether a text has the form of what [`DriverHashes::is_meant`] knows.
    pub fn may_mean(text: &str) -> bool {
        let text = text.trim().to_ascii_lowercase();
        let is_digits = |text: &str| text.len() == 32 && text.chars().all(|digit| digit.is_ascii_hexdigit());
        text.starts_with("shader_0x") || is_digits(&code_digits(&text))
    }

    /// Whether a name of a dump, or the first digits of a hash, mean this module: `Shader_0xA3766E1C`, 32 digits of the code's
    /// hash. The case of digits does not matter.
    pub fn is_meant(&self, text: &str) -> bool {
        let text = text.trim().to_ascii_lowercase();
        let digits = text.strip_suffix(".spv").unwrap_or(&text);
        let named = digits.strip_prefix("shader_0x");
        let code = code_digits(digits);
        match named {
            Some(digits) => !digits.is_empty() && format!("{:016x}", self.llpc.0).starts_with(digits),
            None => code.len() == 32 && self.code.to_string()[2..].eq_ignore_ascii_case(&code),
        }
    }

    /// Whether `.api_shader_hash` of an object, its lower word first, means this module.
    pub fn is_of_object(&self, [lower, upper]: [Hash64; 2]) -> bool {
        let is_llpc = upper.0 == 0 && lower == self.llpc;
        is_llpc || (lower == self.code.lower && upper == self.code.upper)
    }
}

/// The digits of a hash of 128 bits, which profiles write in two words.
fn code_digits(text: &str) -> String {
    text.trim_start_matches("0x").replace([' ', '_'], "")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The smallest compute shader: 35 words.
    const SMALLEST: [u32; 35] = [
        0x0723_0203,
        0x0001_0000,
        0x0007_0000,
        5,
        0,
        0x0002_0011,
        1,
        0x0003_000e,
        0,
        1,
        0x0005_000f,
        5,
        1,
        0x6e69_616d,
        0,
        0x0006_0010,
        1,
        17,
        1,
        1,
        1,
        0x0002_0013,
        2,
        0x0003_0021,
        3,
        2,
        0x0005_0036,
        2,
        1,
        0,
        3,
        0x0002_00f8,
        4,
        0x0001_00fd,
        0x0001_0038,
    ];

    /// The values that LLPC's and XGL's own functions give for it.
    #[test]
    fn the_smallest_shader_has_the_hashes_of_the_drivers() {
        let bytes: Vec<[u8; 4]> = SMALLEST.map(u32::to_le_bytes).into();
        let found = DriverHashes::of_bytes(bytes.as_flattened(), "main");
        assert_eq!(found.dump_name(), "Shader_0xA3766E1C2DC4F612.spv");
        assert_eq!(found.code.to_string(), "0x71B7F256D0B37382C899B42EB12D0089");
        for (text, is_meant) in [
            ("Shader_0xA3766E1C2DC4F612.spv", true),
            ("shader_0xa3766e1c", true),
            ("Shader_0x2DC4F612A3766E1C.spv", false),
            ("Shader_0x", false),
            ("a3766e1c2dc4f612", false),
            ("0x71b7f256d0b37382 c899b42eb12d0089", true),
            ("71B7F256D0B37382C899B42EB12D0089", true),
            ("71B7F256D0B37382", false),
        ] {
            assert_eq!(found.is_meant(text), is_meant, "{text}");
        }
        assert!(found.is_of_object([Hex(0xa376_6e1c_2dc4_f612), Hex(0)]));
        assert!(found.is_of_object([found.code.lower, found.code.upper]));
        assert!(!found.is_of_object([found.code.upper, found.code.lower]));
    }

    /// MetroHash's own test string with seed 0.
    #[test]
    fn metrohash_is_the_published_one() {
        let text = b"012345678901234567890123456789012345678901234567890123456789012";
        let mut hash = MetroHash64::with_seed(0);
        hash.write(text);
        assert_eq!(hash.finish().to_le_bytes(), [0x6b, 0x75, 0x3d, 0xae, 0x06, 0x70, 0x4b, 0xad]);
        let mut hash = MetroHash128::with_seed(0);
        hash.write(text);
        let (low, high) = hash.finish128();
        let bytes = [low.to_le_bytes(), high.to_le_bytes()].concat();
        let expected = 0xc77c_e2bf_a4ed_9f9b_0548_b2ac_5074_a297_u128.to_be_bytes();
        assert_eq!(bytes, expected);
    }
}
