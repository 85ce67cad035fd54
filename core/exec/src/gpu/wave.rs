//! Subgroup sizes for shaders that require certain wave sizes.

use super::{DeviceInfo, GpuError};
use lanescope_model::program::WaveSize;

/// The subgroup size that a compute shader has to require; none where the device's own choice is one of the sizes that
/// the shader is made for, and none is better.
///
/// # Errors
/// [`GpuError::Lacks`] where the device has none of those sizes.
pub(crate) fn subgroup_size(device: &DeviceInfo, wanted: WaveSize, entry: &str) -> Result<Option<u32>, GpuError> {
    let [least, most] = device.subgroup_range;
    let can_have = |size: u32| device.subgroup_required && (least..=most).contains(&size) && size.is_power_of_two();
    let fits = |size: u32| (wanted.least..=wanted.most).contains(&size);
    if fits(wanted.preferred) && can_have(wanted.preferred) {
        return Ok(Some(wanted.preferred));
    }
    // A device whose size varies may choose another one than it says, unless one is required.
    if fits(device.subgroup_size) {
        return Ok(can_have(device.subgroup_size).then_some(device.subgroup_size));
    }
    let sizes = (0..u32::BITS).map(|bit| 1 << bit);
    sizes.into_iter().find(|size| fits(*size) && can_have(*size)).map(Some).ok_or_else(|| {
        let has = if least == most { format!("{least}") } else { format!("{least} to {most}") };
        GpuError::Lacks {
            device: device.name.clone(),
            what: format!("subgroup size {wanted} (supported: {has})"),
            feature: None,
            needed_by: format!("the wave size of `{entry}`").into(),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn device(size: u32, range: [u32; 2], required: bool) -> DeviceInfo {
        DeviceInfo {
            name: "a device".to_owned(),
            subgroup_size: size,
            subgroup_range: range,
            subgroup_required: required,
            ..DeviceInfo::default()
        }
    }

    #[test]
    fn requires_a_subgroup_size_only_where_needed() {
        let wanted = |least, most, preferred| WaveSize { least, most, preferred };
        let of = |device: &DeviceInfo, size| subgroup_size(device, size, "main").map_err(|error| error.to_string());
        let amd = device(64, [32, 64], true);
        assert_eq!(of(&amd, wanted(32, 32, 32)), Ok(Some(32)));
        assert_eq!(of(&amd, wanted(16, 64, 32)), Ok(Some(32)));
        assert_eq!(of(&amd, wanted(16, 64, 0)), Ok(Some(64)));
        assert_eq!(of(&amd, wanted(4, 32, 8)), Ok(Some(32)));
        let soft = device(8, [8, 8], false);
        assert_eq!(of(&soft, wanted(8, 8, 8)), Ok(None));
        let error = of(&soft, wanted(16, 64, 32)).expect_err("it has 8");
        assert!(error.contains("subgroup size 16 to 64 (supported: 8)"), "{error}");
    }
}
