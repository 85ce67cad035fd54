//! A device that stays open from one piece of work to the next: opening one takes drivers up to half a second.

use std::cell::RefCell;
use std::sync::Arc;

use super::{Device, DeviceOptions, Instance, Messages, Used, with_device};
use crate::gpu::{DeviceInfo, GpuError, Needs, devices};

/// An open device. What was made from it is gone; it goes before its instance.
struct Kept {
    device: Device,
    needs: Needs,
    options: DeviceOptions,
    instance: Instance,
}

thread_local! {
    static KEPT: RefCell<Option<Kept>> = const { RefCell::new(None) };
    /// The instance that devices were listed of, for the device that is opened next.
    static LISTED: RefCell<Option<Instance>> = const { RefCell::new(None) };
}

/// As [`devices()`](crate::gpu::devices()), for a thread that opens one of them next: what was loaded for it stays loaded.
///
/// # Errors
/// Those of [`devices()`](crate::gpu::devices()).
pub fn list_devices() -> Result<Vec<DeviceInfo>, GpuError> {
    // Where no device can be opened, they are listed all the same, or it is said why not.
    let Ok(instance) = Instance::open(false, &Arc::<Messages>::default()) else { return devices() };
    let all: Vec<DeviceInfo> = instance.list()?.into_iter().map(|(_, info)| info).collect();
    devices::keep(&all);
    LISTED.set(Some(instance));
    Ok(all)
}

/// The instance that devices were listed of.
pub(super) fn take_listed() -> Option<Instance> {
    LISTED.take()
}

/// Does some work on a device that this thread has open already, where it offers what the work needs, else on one that is
/// opened for this work and the work before. The device is closed where the work fails, and with its thread.
///
/// Under the validation layer, which looks at how a device is closed too, each piece of work has a device of its own.
///
/// # Errors
/// Those of [`with_device`].
pub(crate) fn with_kept_device<T>(
    needs: &Needs,
    options: &DeviceOptions,
    work: impl FnOnce(&Device) -> Result<T, GpuError>,
) -> Result<Used<T>, GpuError> {
    if options.validate {
        return with_device(needs, options, work);
    }
    let kept = match KEPT.take().filter(|kept| kept.options == *options) {
        Some(kept) if kept.needs.covers(needs) => kept,
        Some(Kept { device, needs: before, instance, .. }) => {
            drop(device);
            Kept::open(instance, &[&needs.and(&before), needs], options)?
        }
        None => {
            let instance = match take_listed() {
                Some(instance) => instance,
                None => Instance::open(false, &Arc::<Messages>::default())?,
            };
            Kept::open(instance, &[&needs.widened(), needs], options)?
        }
    };
    let value = work(&kept.device)?;
    KEPT.set(Some(kept));
    Ok(Used { value, warnings: Vec::new() })
}

/// Closes the device that this thread has open: drivers write what they keep of it then.
pub fn close_kept_device() {
    KEPT.take();
}

impl Kept {
    /// Opens a device for the first of some needs that it has.
    fn open(instance: Instance, needs: &[&Needs], options: &DeviceOptions) -> Result<Kept, GpuError> {
        let mut opened = Err(GpuError::NoDevice);
        for &needs in needs {
            opened = Device::open(&instance, needs, options).map(|device| (device, needs.clone()));
            if opened.is_ok() {
                break;
            }
        }
        let (device, needs) = opened?;
        Ok(Kept { device, needs, options: options.clone(), instance })
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::cell::Cell;

    use ash::vk::Handle;

    use super::*;

    thread_local! {
        /// Instances that were opened.
        pub static OPENED: Cell<usize> = const { Cell::new(0) };
    }

    #[test]
    fn one_instance_lists_devices_and_opens_them() {
        let listed = list_devices().expect("lists");
        assert!(listed.iter().any(|device| device.name.contains("llvmpipe")));
        assert_eq!(listed, devices().expect("lists"));
        let first = used(&Needs::default(), &llvmpipe(false));
        assert_eq!((used(&Needs::default(), &llvmpipe(false)), OPENED.get()), (first, 1));
        // A device that is not kept has an instance of its own.
        list_devices().expect("lists");
        with_device(&Needs::default(), &llvmpipe(false), |_| Ok(())).expect("opens");
        assert_eq!(OPENED.get(), 2);
    }

    fn llvmpipe(validate: bool) -> DeviceOptions {
        DeviceOptions { device: Some("llvmpipe".to_owned()), validate, ..DeviceOptions::default() }
    }

    /// The device that some work is done on, as a number.
    fn used(needs: &Needs, options: &DeviceOptions) -> u64 {
        with_kept_device(needs, options, |device| Ok(device.handle.handle().as_raw())).expect("opens").value
    }

    fn is_open() -> bool {
        KEPT.with_borrow(Option::is_some)
    }

    #[test]
    fn opens_a_device_once_for_compatible_work() {
        let plain = Needs::default();
        let drawing = Needs::default().drawing(true, false);
        let first = used(&plain, &llvmpipe(false));
        assert_eq!(used(&plain, &llvmpipe(false)), first);
        // What more is needed opens another one, which serves both.
        used(&drawing, &llvmpipe(false));
        let both = KEPT.with_borrow(|kept| kept.as_ref().map(|kept| kept.needs.clone())).expect("is open");
        assert!(both.covers(&plain) && both.covers(&drawing));
        let second = used(&plain, &llvmpipe(false));
        assert_eq!(used(&drawing, &llvmpipe(false)), second);
        close_kept_device();
        assert!(!is_open());
    }

    #[test]
    fn a_device_that_compiles_serves_all_kinds_of_pipelines() {
        let module = |name: &str| {
            let path = format!("{}/../../samples/{name}", env!("CARGO_MANIFEST_DIR"));
            let program = lanescope_load::load(&[path.into()], &[]).expect("loads");
            program.modules[0].module.clone()
        };
        let [compute, fragment] = ["tile_16x16.comp", "lit_surface.frag"].map(module);
        used(&Needs::of([&compute]).compiling(false), &llvmpipe(false));
        let drawing = Needs::of([&fragment]).drawing(false, true).compiling(false);
        assert!(KEPT.with_borrow(|kept| kept.as_ref().is_some_and(|kept| kept.needs.covers(&drawing))));
    }

    #[test]
    fn a_device_whose_work_failed_is_closed() {
        used(&Needs::default(), &llvmpipe(false));
        assert!(is_open());
        let failed: Result<Used<()>, _> =
            with_kept_device(&Needs::default(), &llvmpipe(false), |_| Err(GpuError::DeviceLost("a test".to_owned())));
        assert!(failed.is_err() && !is_open());
        used(&Needs::default(), &llvmpipe(true));
        assert!(!is_open(), "under the validation layer nothing is kept");
    }
}
