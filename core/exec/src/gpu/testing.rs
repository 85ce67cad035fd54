//! The device of tests that compare a device with the interpreter.

use super::DeviceOptions;

/// llvmpipe, or the device that `LANESCOPE_DEVICE` names: `make test-device`.
pub fn device() -> DeviceOptions {
    let named = other().unwrap_or_else(|| "llvmpipe".to_owned());
    DeviceOptions { device: Some(named), ..DeviceOptions::default() }
}

/// The device that is not llvmpipe.
pub fn other() -> Option<String> {
    std::env::var("LANESCOPE_DEVICE").ok()
}

/// The largest difference of interpolated values, where llvmpipe's is at most `of_llvmpipe`. Other devices interpolate with
/// fewer bits: 3e-4 was measured on an NVIDIA H100.
pub fn bound(of_llvmpipe: f64) -> f64 {
    if other().is_some() { of_llvmpipe.max(5e-4) } else { of_llvmpipe }
}
