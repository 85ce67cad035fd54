//! Why nothing ran: which Vulkan call failed, and with which result.

use std::fmt;
use std::time::Duration;

use ash::vk;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Who needs what a device lacks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum NeededBy {
    /// A module that declares this capability, by SPIR-V's name of it.
    Capability(String),
    /// Another, as text.
    Other(String),
}

impl fmt::Display for NeededBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Capability(name) => write!(f, "capability {name}"),
            Self::Other(words) => f.write_str(words),
        }
    }
}

impl<T: Into<String>> From<T> for NeededBy {
    fn from(words: T) -> Self {
        Self::Other(words.into())
    }
}

/// Why a device could not be used, or a run on it failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize, JsonSchema)]
pub enum GpuError {
    /// There is no Vulkan loader.
    #[error("no Vulkan loader: {0}; install one (Debian and Ubuntu: package libvulkan1)")]
    NoLoader(String),
    /// The loader found no driver, or no driver found a device.
    #[error(
        "no Vulkan device was found; install a driver, for example the software driver in mesa-vulkan-drivers (Debian \
         and Ubuntu)"
    )]
    NoDevice,
    /// No device has the requested name or index.
    #[error("no Vulkan device has the name or index `{wanted}`; available: {known}")]
    UnknownDevice {
        /// What was requested.
        wanted: String,
        /// The devices with their indices.
        known: String,
    },
    /// No driver of this process compiles for a chip that is not installed.
    #[error(
        "no Vulkan driver supports {chip}: Mesa's AMD driver is not installed (Debian and Ubuntu: package \
         mesa-vulkan-drivers), or the loader does not find it"
    )]
    NotOffered {
        /// The chip.
        chip: String,
    },
    /// The validation layer was requested and is not installed.
    #[error(
        "the layer VK_LAYER_KHRONOS_validation is not installed (Debian and Ubuntu: package vulkan-validationlayers)"
    )]
    NoLayer,
    /// The device lacks something that the shader or this program needs.
    #[error("{device} does not support {what}, required by {needed_by}")]
    Lacks {
        /// The device.
        device: String,
        /// The feature, extension or version, as text.
        what: String,
        /// Vulkan's name of the feature, where it is one.
        feature: Option<String>,
        /// Who needs it.
        needed_by: NeededBy,
    },
    /// A Vulkan call failed.
    #[error("{call} failed: {result}")]
    Call {
        /// The call.
        call: String,
        /// Its result.
        result: String,
    },
    /// The device was lost.
    #[error("the device was lost during {0}: the driver gave up on the work, or reset the device")]
    DeviceLost(String),
    /// Other processes use the device.
    #[error("{device} is in use by {holder}; this process waited {} s for its turn", waited.as_secs())]
    InUse {
        /// The device.
        device: String,
        /// The process that uses it.
        holder: String,
        /// How long this one waited.
        waited: Duration,
    },
    /// The device accepts work and does not execute it, or executes it wrongly.
    #[error("{device} {}", executed(*arrived, *expected))]
    NotExecuting {
        /// The device.
        device: String,
        /// Words of the first shader that arrived as it writes them.
        arrived: usize,
        /// Words that it writes.
        expected: usize,
    },
    /// The first shader, which proves that the device executes, could not be run.
    #[error("running the first shader, which proves that the device executes: {0}")]
    NotProven(Box<GpuError>),
    /// The work did not end in time.
    #[error("the device did not finish {doing} within {} ms, the limit (--timeout, or Time limit in the window, sets another)", limit.as_millis())]
    TimedOut {
        /// What was being done.
        doing: String,
        /// The limit.
        limit: Duration,
    },
    /// The validation layer reported errors.
    #[error("the validation layer reported {} error(s){}:\n{}", errors.len(), older.as_deref().unwrap_or_default(), errors.join("\n"))]
    Validation {
        /// Its messages.
        errors: Vec<String>,
        /// What to know of a layer that is older than the device's version of Vulkan.
        older: Option<String>,
    },
    /// Something is larger than the device or this program takes.
    #[error("{what} needs {needed}; the limit is {limit}")]
    TooLarge {
        /// What it is: `set 0, binding 1`.
        what: String,
        /// What it needs.
        needed: u64,
        /// What there is.
        limit: u64,
    },
    /// Device memory could not be allocated.
    #[error("no device memory for {what}: {why}")]
    Memory {
        /// What it was for.
        what: String,
        /// What the allocator said.
        why: String,
    },
    /// The shader needs something that is not run here.
    #[error("{0}")]
    NotRun(String),
    /// A capability, an execution mode or a combination of stages that is not supported here, by its name.
    #[error("{0}")]
    Unsupported(String),
    /// An argument of the run does not fit the shader.
    #[error("{0}")]
    Unusable(String),
}

impl GpuError {
    /// Whether something requested is missing on this machine or not supported here, rather than wrong.
    pub fn is_missing(&self) -> bool {
        matches!(
            self,
            GpuError::NoLoader(_)
                | GpuError::NoDevice
                | GpuError::NotOffered { .. }
                | GpuError::UnknownDevice { .. }
                | GpuError::NoLayer
                | GpuError::NotExecuting { .. }
                | GpuError::Lacks { .. }
                | GpuError::Unsupported(_)
        ) || matches!(self, GpuError::NotProven(why) if why.is_missing())
    }

    /// Turns a Vulkan result into an error that names the call.
    pub(crate) fn call(call: &str) -> impl FnOnce(vk::Result) -> GpuError + '_ {
        move |result| match result {
            vk::Result::ERROR_DEVICE_LOST => GpuError::DeviceLost(call.to_owned()),
            vk::Result::ERROR_INCOMPATIBLE_DRIVER => GpuError::NoDevice,
            vk::Result::ERROR_LAYER_NOT_PRESENT => GpuError::NoLayer,
            result => GpuError::Call { call: call.to_owned(), result: result.to_string() },
        }
    }
}

/// What a device does that left this many of the first shader's words.
fn executed(arrived: usize, expected: usize) -> String {
    match arrived {
        0 => format!(
            "does not execute shaders: of {expected} words that the first shader writes, 0 arrived; a kernel driver that \
             accepts all work, such as one of mesa-drm-shim, compiles only"
        ),
        _ => format!(
            "does not execute shaders rightly: of {expected} words that the first shader writes, {arrived} arrived as they \
             should; no result of this device counts"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn some_words_are_not_none() {
        let error = |arrived| GpuError::NotExecuting { device: "X".to_owned(), arrived, expected: 64 }.to_string();
        assert!(error(0).starts_with("X does not execute shaders: of 64") && error(0).contains("mesa-drm-shim"));
        assert!(error(63).contains("63 arrived") && !error(63).contains("mesa-drm-shim"), "{}", error(63));
    }

    #[test]
    fn a_failed_proof_is_not_the_given_shader() {
        let doing = "dispatching `main`".to_owned();
        let timed_out = GpuError::TimedOut { doing, limit: Duration::from_secs(5) };
        let text = GpuError::NotProven(Box::new(timed_out)).to_string();
        assert!(text.starts_with("running the first shader, which proves that the device executes: "), "{text}");
    }
}
