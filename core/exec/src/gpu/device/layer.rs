//! Whether the validation layer knows the Vulkan of a device.

use ash::vk;

use super::DeviceInfo;

/// What to know of a layer that is older than the device's version of Vulkan: features, extensions and SPIR-V that it does
/// not know are errors to it. `layer` is the version that it was made for.
pub(super) fn older(layer: u32, device: &DeviceInfo) -> Option<String> {
    let [major, minor, patch] =
        [vk::api_version_major, vk::api_version_minor, vk::api_version_patch].map(|of| of(layer));
    let mut numbers = device.api_version.split('.').map_while(|number| number.parse::<u32>().ok());
    let is_older = (major, minor) < (numbers.next()?, numbers.next()?);
    is_older.then(|| {
        let DeviceInfo { name, api_version, .. } = device;
        format!(
            "; it knows Vulkan {major}.{minor}.{patch}, {name} has {api_version}, and a newer layer may report none"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_layer_of_an_earlier_minor_version_is_older() {
        let of = |layer, device: &str| {
            let device = DeviceInfo { name: "GPU".to_owned(), api_version: device.to_owned(), ..DeviceInfo::default() };
            older(layer, &device)
        };
        let layer = vk::make_api_version(0, 1, 3, 239);
        assert_eq!(
            of(layer, "1.4.312").as_deref(),
            Some("; it knows Vulkan 1.3.239, GPU has 1.4.312, and a newer layer may report none")
        );
        assert_eq!(of(layer, "1.3.255"), None, "a few features more at most");
        assert_eq!(of(vk::make_api_version(0, 1, 4, 309), "1.3.255"), None);
        assert_eq!(of(layer, ""), None);
    }
}
