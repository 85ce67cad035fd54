//! The functions that this library puts before those of libdrm. In a process without a GPU in its environment they are
//! libdrm's own.

use std::collections::HashSet;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::mem::transmute;
use std::os::fd::RawFd;
use std::ptr;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use crate::preload::{Gpu, NODE, gpu};

/// `drmDevice` of libdrm, of a GPU on a PCI bus.
#[repr(C)]
pub struct Device {
    nodes: *mut *mut c_char,
    available: c_int,
    bus_type: c_int,
    bus: *mut Bus,
    device: *mut Pci,
}

/// `drmPciBusInfo`.
#[repr(C)]
struct Bus {
    domain: u16,
    bus: u8,
    device: u8,
    function: u8,
}

/// `drmPciDeviceInfo`.
#[repr(C)]
struct Pci {
    vendor: u16,
    device: u16,
    subvendor: u16,
    subdevice: u16,
    revision: u8,
}

/// A [`Device`], which is first, and all that it points at.
#[repr(C)]
struct Whole {
    device: Device,
    nodes: [*mut c_char; 3],
    bus: Bus,
    pci: Pci,
}

/// Which of a device's nodes is for work without a display (`DRM_NODE_RENDER`).
const RENDER: usize = 2;

/// The addresses of the devices that this library made and nobody has freed.
fn devices_made() -> MutexGuard<'static, HashSet<usize>> {
    static MADE: LazyLock<Mutex<HashSet<usize>>> = LazyLock::new(Mutex::default);
    MADE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn make(gpu: &Gpu) -> *mut Device {
    let bus = Bus { domain: 0, bus: 0, device: 2, function: 0 };
    let pci = Pci {
        vendor: 0x8086,
        device: gpu.description.device,
        subvendor: 0,
        subdevice: 0,
        revision: gpu.description.revision,
    };
    let device = Device {
        nodes: ptr::null_mut(),
        available: 1 << RENDER,
        bus_type: 0,
        bus: ptr::null_mut(),
        device: ptr::null_mut(),
    };
    let nodes = [(); 3].map(|()| CString::from(NODE).into_raw());
    let whole = Box::into_raw(Box::new(Whole { device, nodes, bus, pci }));
    // SAFETY: it was made just now, and stays where it is until `drmFreeDevice`.
    unsafe {
        (*whole).device.nodes = (&raw mut (*whole).nodes).cast();
        (*whole).device.bus = &raw mut (*whole).bus;
        (*whole).device.device = &raw mut (*whole).pci;
    }
    devices_made().insert(whole as usize);
    whole.cast()
}

/// libdrm's own function of that name: the next one of the process, or that of the library which a driver loaded for
/// itself alone. Null if the process has no libdrm.
fn own(name: &CStr) -> *mut c_void {
    // SAFETY: names that end with a zero; `RTLD_NOLOAD` runs no code of a library that is not loaded yet.
    unsafe {
        let next = libc::dlsym(libc::RTLD_NEXT, name.as_ptr());
        if !next.is_null() {
            return next;
        }
        let library = libc::dlopen(c"libdrm.so.2".as_ptr(), libc::RTLD_LAZY | libc::RTLD_NOLOAD);
        if library.is_null() { ptr::null_mut() } else { libc::dlsym(library, name.as_ptr()) }
    }
}

type GetDevices2 = unsafe extern "C" fn(u32, *mut *mut Device, c_int) -> c_int;
type GetDevices = unsafe extern "C" fn(*mut *mut Device, c_int) -> c_int;
type GetDevice2 = unsafe extern "C" fn(RawFd, u32, *mut *mut Device) -> c_int;
type GetDevice = unsafe extern "C" fn(RawFd, *mut *mut Device) -> c_int;
type GetDeviceFromDevId = unsafe extern "C" fn(libc::dev_t, u32, *mut *mut Device) -> c_int;
type FreeDevice = unsafe extern "C" fn(*mut *mut Device);

/// Calls libdrm's own function, of the type given, in a process without a GPU in its environment; a failure where the
/// process has no libdrm.
macro_rules! own {
    ($name:literal as $type:ty, $($argument:expr),*) => {{
        let function = own($name);
        if function.is_null() {
            return -libc::ENOSYS;
        }
        // SAFETY: a function of this type by its name; the arguments are the caller's.
        unsafe { transmute::<*mut c_void, $type>(function)($($argument),*) }
    }};
}

/// The count of devices, 1, and the GPU if there is room.
///
/// # Safety
/// `devices` is null or has room for `most`.
unsafe fn all(gpu: &Gpu, devices: *mut *mut Device, most: c_int) -> c_int {
    if !devices.is_null() && most > 0 {
        // SAFETY: the caller has room for that many.
        unsafe { *devices = make(gpu) };
    }
    1
}

/// The GPU if the descriptor is of its node.
///
/// # Safety
/// `out` is null or has room for one.
unsafe fn of_descriptor(gpu: &Gpu, descriptor: RawFd, out: *mut *mut Device) -> c_int {
    if !gpu.memory().is_of(descriptor) {
        return -libc::ENODEV;
    }
    if out.is_null() {
        return -libc::EINVAL;
    }
    // SAFETY: the caller has room for one.
    unsafe { *out = make(gpu) };
    0
}

/// `drmGetDevices2` of libdrm.
///
/// # Safety
/// As of libdrm's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn drmGetDevices2(flags: u32, devices: *mut *mut Device, most: c_int) -> c_int {
    match gpu() {
        // SAFETY: the caller's promise is the same.
        Some(gpu) => unsafe { all(gpu, devices, most) },
        None => own!(c"drmGetDevices2" as GetDevices2, flags, devices, most),
    }
}

/// `drmGetDevices` of libdrm.
///
/// # Safety
/// As of libdrm's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn drmGetDevices(devices: *mut *mut Device, most: c_int) -> c_int {
    match gpu() {
        // SAFETY: the caller's promise is the same.
        Some(gpu) => unsafe { all(gpu, devices, most) },
        None => own!(c"drmGetDevices" as GetDevices, devices, most),
    }
}

/// `drmGetDevice2` of libdrm.
///
/// # Safety
/// As of libdrm's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn drmGetDevice2(descriptor: RawFd, flags: u32, out: *mut *mut Device) -> c_int {
    match gpu() {
        // SAFETY: the caller's promise is the same.
        Some(gpu) => unsafe { of_descriptor(gpu, descriptor, out) },
        None => own!(c"drmGetDevice2" as GetDevice2, descriptor, flags, out),
    }
}

/// `drmGetDevice` of libdrm.
///
/// # Safety
/// As of libdrm's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn drmGetDevice(descriptor: RawFd, out: *mut *mut Device) -> c_int {
    match gpu() {
        // SAFETY: the caller's promise is the same.
        Some(gpu) => unsafe { of_descriptor(gpu, descriptor, out) },
        None => own!(c"drmGetDevice" as GetDevice, descriptor, out),
    }
}

/// `drmGetDeviceFromDevId` of libdrm. The GPU's node has no device number.
///
/// # Safety
/// As of libdrm's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn drmGetDeviceFromDevId(number: libc::dev_t, flags: u32, out: *mut *mut Device) -> c_int {
    match gpu() {
        Some(_) => -libc::ENODEV,
        None => own!(c"drmGetDeviceFromDevId" as GetDeviceFromDevId, number, flags, out),
    }
}

/// `drmFreeDevice` of libdrm, for devices of both.
///
/// # Safety
/// As of libdrm's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn drmFreeDevice(device: *mut *mut Device) {
    if device.is_null() {
        return;
    }
    // SAFETY: the caller's pointer to a device.
    let address = unsafe { *device };
    if !devices_made().remove(&(address as usize)) {
        let function = own(c"drmFreeDevice");
        if !function.is_null() {
            // SAFETY: a function of this type by its name; the device is not of this library, so it is libdrm's.
            unsafe { transmute::<*mut c_void, FreeDevice>(function)(device) };
        }
        return;
    }
    // SAFETY: it is the first part of a `Whole` that was made here and is freed once.
    unsafe {
        *device = ptr::null_mut();
        let whole = Box::from_raw(address.cast::<Whole>());
        whole.nodes.iter().for_each(|node| drop(CString::from_raw(*node)));
    }
}

/// `drmFreeDevices` of libdrm, for devices of both.
///
/// # Safety
/// As of libdrm's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn drmFreeDevices(devices: *mut *mut Device, count: c_int) {
    if !devices.is_null() {
        // SAFETY: the caller has that many.
        (0..count.max(0) as usize).for_each(|nth| unsafe { drmFreeDevice(devices.add(nth)) });
    }
}
