//! Wave sizes.

use crate::named_enum;

named_enum!(
    /// The requested wave size.
    WaveChoice {
        /// The size that the compiler would choose for the target.
        Auto = "auto",
        /// 32 lanes.
        Wave32 = "32",
        /// 64 lanes.
        Wave64 = "64",
    }
);
