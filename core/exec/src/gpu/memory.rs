//! Buffers and images, each with its own memory from the allocator, destroyed with their owner.

use ash::vk;
use gpu_allocator::MemoryLocation;
use gpu_allocator::vulkan::{Allocation, AllocationCreateDesc, AllocationScheme};

use super::{Device, GpuError};

/// The largest buffer that a run makes: both programs, their copies on the host and in messages have to fit a process.
pub const MAX_BUFFER: u64 = 64 << 20;

/// Which side reaches a buffer's memory faster; both see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Near {
    /// The host: what it reads is cached.
    Host,
    /// The device: its own memory, where the host sees that.
    Device,
}

/// A buffer that the host sees. On a device with memory of its own the shader reaches it over the bus: a run is after
/// right bytes, not speed.
pub(super) struct Buffer<'d> {
    device: &'d Device,
    pub handle: vk::Buffer,
    pub bytes: u64,
    allocation: Option<Allocation>,
}

impl<'d> Buffer<'d> {
    /// A buffer of that many bytes, filled with zeros.
    pub fn new(device: &'d Device, bytes: u64, usage: vk::BufferUsageFlags, what: &str) -> Result<Self, GpuError> {
        Buffer::near(device, bytes, usage, Near::Host, what)
    }

    /// A buffer that is nearer to the host or to the device.
    pub fn near(
        device: &'d Device,
        bytes: u64,
        usage: vk::BufferUsageFlags,
        near: Near,
        what: &str,
    ) -> Result<Self, GpuError> {
        if bytes > MAX_BUFFER {
            return Err(GpuError::TooLarge { what: format!("{what} (bytes)"), needed: bytes, limit: MAX_BUFFER });
        }
        let mut buffer = Buffer::made(device, bytes, usage, near, what)?;
        buffer.bytes_mut()?.fill(0);
        Ok(buffer)
    }

    /// A buffer that shaders reach by address, of any size; what it holds is not said.
    pub fn arena(device: &'d Device, bytes: u64, near: Near, what: &str) -> Result<Self, GpuError> {
        let usage = vk::BufferUsageFlags::STORAGE_BUFFER
            | vk::BufferUsageFlags::SHADER_DEVICE_ADDRESS
            | vk::BufferUsageFlags::INDIRECT_BUFFER
            | vk::BufferUsageFlags::TRANSFER_DST;
        Buffer::made(device, bytes, usage, near, what)
    }

    fn made(
        device: &'d Device,
        bytes: u64,
        usage: vk::BufferUsageFlags,
        near: Near,
        what: &str,
    ) -> Result<Self, GpuError> {
        let bytes = bytes.max(4);
        let lacks = |why: String| GpuError::Memory { what: format!("{what}, {bytes} bytes"), why };
        if bytes > device.max_buffer {
            return Err(lacks(format!("the largest buffer of the device has {} bytes", device.max_buffer)));
        }
        let create = vk::BufferCreateInfo::default().size(bytes).usage(usage);
        // SAFETY: the device is alive; the buffer is destroyed by `drop`.
        let made = unsafe { device.handle.create_buffer(&create, None) };
        let handle = made.map_err(|result| match result {
            // Some drivers refuse a size that they could never bind.
            vk::Result::ERROR_OUT_OF_DEVICE_MEMORY | vk::Result::ERROR_OUT_OF_HOST_MEMORY => lacks(result.to_string()),
            result => GpuError::call("vkCreateBuffer")(result),
        })?;
        let mut buffer = Buffer { device, handle, bytes, allocation: None };
        // SAFETY: the buffer is alive.
        let requirements = unsafe { device.handle.get_buffer_memory_requirements(handle) };
        let location = match near {
            Near::Host => MemoryLocation::GpuToCpu,
            Near::Device => MemoryLocation::CpuToGpu,
        };
        let allocation = allocate(device, what, requirements, location, true)?;
        // SAFETY: the memory is free, large enough and of a type that the buffer takes; both live until `drop`.
        let bound = unsafe { device.handle.bind_buffer_memory(handle, allocation.memory(), allocation.offset()) };
        buffer.allocation = Some(allocation);
        bound.map_err(GpuError::call("vkBindBufferMemory"))?;
        Ok(buffer)
    }

    /// Where shaders find it: only of a buffer with that use, on a device with addresses.
    pub fn address(&self) -> u64 {
        let info = vk::BufferDeviceAddressInfo::default().buffer(self.handle);
        // SAFETY: the buffer is alive and has the use; the feature is enabled.
        unsafe { self.device.handle.get_buffer_device_address(&info) }
    }

    /// A buffer with these contents.
    pub fn with(
        device: &'d Device,
        contents: &[u8],
        usage: vk::BufferUsageFlags,
        near: Near,
        what: &str,
    ) -> Result<Self, GpuError> {
        let mut buffer = Buffer::near(device, contents.len() as u64, usage, near, what)?;
        buffer.bytes_mut()?.iter_mut().zip(contents).for_each(|(to, from)| *to = *from);
        Ok(buffer)
    }

    /// Whether it is in memory of the device.
    pub fn is_in_device_memory(&self) -> bool {
        let local = |memory: &Allocation| memory.memory_properties().contains(vk::MemoryPropertyFlags::DEVICE_LOCAL);
        self.allocation.as_ref().is_some_and(local)
    }

    /// What it holds. Only between submissions: the device writes it during one.
    pub fn contents(&self) -> Result<&[u8], GpuError> {
        let bytes = self.allocation.as_ref().and_then(Allocation::mapped_slice);
        bytes.and_then(|bytes| bytes.get(..self.bytes as usize)).ok_or_else(unmapped)
    }

    /// What it holds, to be written between submissions.
    pub fn bytes_mut(&mut self) -> Result<&mut [u8], GpuError> {
        let size = self.bytes as usize;
        let bytes = self.allocation.as_mut().and_then(Allocation::mapped_slice_mut);
        bytes.and_then(|bytes| bytes.get_mut(..size)).ok_or_else(unmapped)
    }
}

fn unmapped() -> GpuError {
    GpuError::Memory { what: "a buffer".to_owned(), why: "its memory is not host-visible".to_owned() }
}

impl Drop for Buffer<'_> {
    fn drop(&mut self) {
        release(self.device, self.allocation.take(), |vk| {
            // SAFETY: no submission uses the buffer any more, and nothing else destroys it.
            unsafe { vk.destroy_buffer(self.handle, None) }
        });
    }
}

/// An image in the device's own memory.
pub(super) struct Image<'d> {
    device: &'d Device,
    pub handle: vk::Image,
    allocation: Option<Allocation>,
}

impl<'d> Image<'d> {
    /// An image.
    pub fn new(device: &'d Device, create: &vk::ImageCreateInfo<'_>, what: &str) -> Result<Self, GpuError> {
        // SAFETY: `create` and what it points to live through the call; the image is destroyed by `drop`.
        let handle = unsafe { device.handle.create_image(create, None) }.map_err(GpuError::call("vkCreateImage"))?;
        let mut image = Image { device, handle, allocation: None };
        // SAFETY: the image is alive.
        let requirements = unsafe { device.handle.get_image_memory_requirements(handle) };
        let allocation = allocate(device, what, requirements, MemoryLocation::GpuOnly, false)?;
        // SAFETY: the memory is free, large enough and of a type that the image takes; both live until `drop`.
        let bound = unsafe { device.handle.bind_image_memory(handle, allocation.memory(), allocation.offset()) };
        image.allocation = Some(allocation);
        bound.map_err(GpuError::call("vkBindImageMemory"))?;
        Ok(image)
    }
}

impl Drop for Image<'_> {
    fn drop(&mut self) {
        release(self.device, self.allocation.take(), |vk| {
            // SAFETY: no submission uses the image any more, and nothing else destroys it.
            unsafe { vk.destroy_image(self.handle, None) }
        });
    }
}

fn allocate(
    device: &Device,
    what: &str,
    requirements: vk::MemoryRequirements,
    location: MemoryLocation,
    linear: bool,
) -> Result<Allocation, GpuError> {
    let description = AllocationCreateDesc {
        name: what,
        requirements,
        location,
        linear,
        allocation_scheme: AllocationScheme::GpuAllocatorManaged,
    };
    let allocated = device.allocator()?.borrow_mut().allocate(&description);
    allocated.map_err(|error| GpuError::Memory { what: what.to_owned(), why: error.to_string() })
}

/// Destroys an object, then frees its memory. Nothing happens where the device may still use it.
fn release(device: &Device, allocation: Option<Allocation>, destroy: impl FnOnce(&ash::Device)) {
    if device.is_abandoned() {
        return;
    }
    destroy(&device.handle);
    if let (Some(allocation), Ok(allocator)) = (allocation, device.allocator()) {
        // Freeing fails only for an allocation of another allocator.
        let _ = allocator.borrow_mut().free(allocation);
    }
}

/// Something made from a device that one call destroys: a view, a sampler, a layout, a pool, a pipeline.
pub(crate) struct Owned<'d, T: Copy> {
    device: &'d Device,
    pub handle: T,
    destroy: fn(&ash::Device, T),
}

impl<'d, T: Copy> Owned<'d, T> {
    /// Takes over an object; `destroy` gives it back.
    pub fn new(device: &'d Device, handle: T, destroy: fn(&ash::Device, T)) -> Self {
        Owned { device, handle, destroy }
    }
}

impl<T: Copy> Drop for Owned<'_, T> {
    fn drop(&mut self) {
        if !self.device.is_abandoned() {
            (self.destroy)(&self.device.handle, self.handle);
        }
    }
}
