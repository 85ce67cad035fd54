//! What one submission needs, and marks that it sets in its own time.

use std::cell::Cell;

use ash::vk;

use super::Device;
use crate::gpu::GpuError;

/// Sets marks in commands that are being recorded.
pub struct Marks<'s> {
    scratch: &'s Scratch<'s>,
    most: u32,
    next: Cell<u32>,
}

impl<'s> Marks<'s> {
    /// So many at most.
    pub(super) fn new(scratch: &'s Scratch<'s>, most: u32) -> Marks<'s> {
        Marks { scratch, most, next: Cell::new(0) }
    }

    /// How many were set.
    pub(super) fn count(&self) -> u32 {
        self.next.get()
    }

    /// Marks when everything recorded so far is done. Without effect once there are no more.
    pub fn set(&self) {
        let (at, scratch) = (self.next.get(), self.scratch);
        if at >= self.most {
            return;
        }
        self.next.set(at + 1);
        let bottom = vk::PipelineStageFlags::BOTTOM_OF_PIPE;
        // SAFETY: the command buffer is being recorded; the pool has so many queries, and each is written once.
        unsafe { scratch.device.handle.cmd_write_timestamp(scratch.commands, bottom, scratch.queries, 2 + at) };
    }
}

/// Command buffer, fence and queries of one submission.
pub struct Scratch<'d> {
    device: &'d Device,
    pool: vk::CommandPool,
    pub commands: vk::CommandBuffer,
    pub fence: vk::Fence,
    pub queries: vk::QueryPool,
}

impl<'d> Scratch<'d> {
    pub fn new(device: &'d Device, queries: u32) -> Result<Scratch<'d>, GpuError> {
        let mut scratch = Scratch {
            device,
            pool: vk::CommandPool::null(),
            commands: vk::CommandBuffer::null(),
            fence: vk::Fence::null(),
            queries: vk::QueryPool::null(),
        };
        let vk = &device.handle;
        let pool = vk::CommandPoolCreateInfo::default().queue_family_index(device.family);
        // SAFETY: the device is alive; what is made is destroyed by `drop`, also where a later call fails.
        unsafe {
            scratch.pool = vk.create_command_pool(&pool, None).map_err(GpuError::call("vkCreateCommandPool"))?;
            let allocate = vk::CommandBufferAllocateInfo::default().command_pool(scratch.pool).command_buffer_count(1);
            let buffers = vk.allocate_command_buffers(&allocate).map_err(GpuError::call("vkAllocateCommandBuffers"))?;
            scratch.commands = buffers.first().copied().unwrap_or_default();
            scratch.fence = vk.create_fence(&Default::default(), None).map_err(GpuError::call("vkCreateFence"))?;
            let queries = vk::QueryPoolCreateInfo::default().query_type(vk::QueryType::TIMESTAMP).query_count(queries);
            scratch.queries = vk.create_query_pool(&queries, None).map_err(GpuError::call("vkCreateQueryPool"))?;
        }
        Ok(scratch)
    }
}

impl Drop for Scratch<'_> {
    fn drop(&mut self) {
        if self.device.is_abandoned() {
            return;
        }
        // SAFETY: the work is done or was never submitted; null handles are ignored.
        unsafe {
            self.device.handle.destroy_query_pool(self.queries, None);
            self.device.handle.destroy_fence(self.fence, None);
            self.device.handle.destroy_command_pool(self.pool, None);
        }
    }
}
