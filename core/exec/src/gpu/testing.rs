//! The device of tests that compare a device with the interpreter.

use super::DeviceOptions;

/// llvmpipe, or the device that `LANESCOPE_DEVICE` names: `make test-device`.
pub fn device() -> DeviceOptions {
    let named = std::env::var("LANESCOPE_DEVICE").unwrap_or_else(|_| "llvmpipe".to_owned());
    DeviceOptions { device: Some(named), ..DeviceOptions::default() }
}
