//! Environments that sources are compiled for.

use crate::named_enum;

named_enum!(
    /// The environment that sources are compiled for: a version of Vulkan, with its newest version of SPIR-V.
    TargetEnv {
        /// SPIR-V 1.0.
        Vulkan10 = "vulkan1.0",
        /// SPIR-V 1.3.
        Vulkan11 = "vulkan1.1",
        /// SPIR-V 1.5.
        Vulkan12 = "vulkan1.2",
        /// SPIR-V 1.6.
        Vulkan13 = "vulkan1.3",
        /// SPIR-V 1.6.
        Vulkan14 = "vulkan1.4",
    }
);

impl TargetEnv {
    /// The version of SPIR-V that is written for it.
    pub fn spirv(self) -> (u8, u8) {
        match self {
            TargetEnv::Vulkan10 => (1, 0),
            TargetEnv::Vulkan11 => (1, 3),
            TargetEnv::Vulkan12 => (1, 5),
            TargetEnv::Vulkan13 | TargetEnv::Vulkan14 => (1, 6),
        }
    }
}
