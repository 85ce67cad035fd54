//! Requests of xe, the kernel's driver since Xe2: `xe_drm.h`.

use crate::argument::{Answer, Argument, Block, Refused};
use crate::description::Description;
use crate::memory::Memory;

/// Answers a request by its number after `DRM_COMMAND_BASE`.
///
/// # Errors
/// What the kernel refuses, and what this library does not know.
pub fn answer(gpu: &Description, memory: &mut Memory, number: u8, mut argument: Argument<'_>) -> Answer {
    match number {
        DEVICE_QUERY => query(gpu, &mut argument),
        GEM_CREATE => {
            let handle = memory.buffer(argument.u64(8)?)?;
            argument.put_u32(28, handle)
        }
        GEM_MMAP_OFFSET => {
            let start = memory.start(argument.u32(8)?)?;
            argument.put_u64(16, start)
        }
        VM_CREATE => argument.put_u32(12, memory.number()),
        EXEC_QUEUE_CREATE => argument.put_u32(20, memory.number()),
        // No queue is banned.
        EXEC_QUEUE_GET_PROPERTY => argument.put_u64(16, 0),
        // Work is accepted and not executed.
        VM_DESTROY | VM_BIND | EXEC_QUEUE_DESTROY | EXEC | WAIT_USER_FENCE => Ok(()),
        _ => Err(Refused::Unknown(format!("request {number:#04x} of xe_drm.h"))),
    }
}

/// `struct drm_xe_device_query`: a number, a length (0 to ask for it), a place.
fn query(gpu: &Description, argument: &mut Argument<'_>) -> Answer {
    let number = argument.u32(8)?;
    let block = match number {
        0 => engines(),
        1 => regions(gpu),
        2 => config(gpu),
        3 => tile(gpu),
        // A table of the hardware without rows.
        4 => Block::default(),
        5 => topology(gpu),
        6 => cycles(),
        7 => firmware(),
        // Counters, protected content, sampling of stalls.
        8..=10 => return Err(Refused::Errno(libc::ENODEV)),
        _ => return Err(Refused::Unknown(format!("query {number} of xe"))),
    };
    let (room, length) = (argument.u32(12)?, block.bytes().len() as u32);
    if room == 0 {
        return argument.put_u32(12, length);
    }
    if room < length {
        return Err(Refused::Errno(libc::EINVAL));
    }
    // SAFETY: the caller has as many bytes there as he says.
    unsafe { Argument::at(argument.u64(16)?, length as usize) }.put(0, block.bytes())
}

/// `struct drm_xe_query_engines`: 8 bytes, then 32 for each engine: its class, number and tile first.
fn engines() -> Block {
    const CLASSES: [u16; 2] = [0, 1];
    let mut out = Block::of(8 + 32 * CLASSES.len());
    out.set(0, (CLASSES.len() as u32).to_le_bytes());
    for (nth, class) in CLASSES.into_iter().enumerate() {
        out.set(8 + 32 * nth, class.to_le_bytes());
    }
    out
}

/// `struct drm_xe_query_mem_regions`: 8 bytes, then 88 for each region: class, number, page, sizes.
fn regions(gpu: &Description) -> Block {
    let all: &[(u16, u64)] = &[(0, SYSTEM), (1, gpu.local)];
    let all = if gpu.local == 0 { &all[..1] } else { all };
    let mut out = Block::of(8 + 88 * all.len());
    out.set(0, (all.len() as u32).to_le_bytes());
    for (nth, (class, bytes)) in all.iter().enumerate() {
        let at = 8 + 88 * nth;
        out.set(at, class.to_le_bytes()).set(at + 2, (nth as u16).to_le_bytes());
        let page: u32 = if *class == 1 { 1 << 16 } else { 1 << 12 };
        out.set(at + 4, page.to_le_bytes()).set(at + 8, bytes.to_le_bytes()).set(at + 24, bytes.to_le_bytes());
    }
    out
}

/// `struct drm_xe_query_config`: the count of numbers, then the numbers.
fn config(gpu: &Description) -> Block {
    let has_local = gpu.local != 0;
    let numbers = [
        u64::from(gpu.device) | u64::from(gpu.revision) << 16,
        u64::from(has_local),
        if has_local { 1 << 16 } else { 1 << 12 },
        48,
        2,
    ];
    let mut out = Block::of(8 + 8 * numbers.len());
    out.set(0, (numbers.len() as u32).to_le_bytes());
    for (nth, number) in numbers.into_iter().enumerate() {
        out.set(8 + 8 * nth, number.to_le_bytes());
    }
    out
}

/// `struct drm_xe_query_gt_list` of one: 8 bytes, then 96.
fn tile(gpu: &Description) -> Block {
    let mut out = Block::of(8 + 96);
    let near: u64 = if gpu.local == 0 { 1 } else { 2 };
    let far: u64 = if gpu.local == 0 { 0 } else { 1 };
    out.set(0, 1u32.to_le_bytes()).set(8 + 12, 19_200_000u32.to_le_bytes());
    out.set(8 + 16, near.to_le_bytes()).set(8 + 24, far.to_le_bytes());
    out.set(8 + 32, gpu.ip.0.to_le_bytes()).set(8 + 34, gpu.ip.1.to_le_bytes());
    out
}

/// Masks, each a `struct drm_xe_query_topology_mask`: the subslices for geometry, those for compute, the units of one.
fn topology(gpu: &Description) -> Block {
    const GEOMETRY: u16 = 1;
    const COMPUTE: u16 = 2;
    const UNITS: u16 = 4;
    const UNITS_OF_16: u16 = 5;
    const XE2: u16 = 20;
    let units = if gpu.ip.0 >= XE2 { UNITS_OF_16 } else { UNITS };
    let all = gpu.all_subslices() as usize;
    let masks = [(GEOMETRY, all), (COMPUTE, all), (units, usize::from(gpu.units))];
    // The kernel's masks are whole words.
    let bytes = |bits: usize| bits.div_ceil(32) * 4;
    let mut out = Block::of(masks.iter().map(|(_, bits)| 8 + bytes(*bits)).sum());
    let mut at = 0;
    for (kind, bits) in masks {
        out.set(at + 2, kind.to_le_bytes()).set(at + 4, (bytes(bits) as u32).to_le_bytes());
        (0..bits).for_each(|bit| out.set_bit(at + 8, bit));
        at += 8 + bytes(bits);
    }
    out
}

/// `struct drm_xe_query_engine_cycles`: clocks that stand still, of 36 bits.
fn cycles() -> Block {
    let mut out = Block::of(40);
    out.set(12, 36u32.to_le_bytes());
    out
}

/// `struct drm_xe_query_uc_fw_version`: version 1.14.1 of how GuC takes work.
fn firmware() -> Block {
    let mut out = Block::of(32);
    out.set(8, 1u32.to_le_bytes()).set(12, 14u32.to_le_bytes()).set(16, 1u32.to_le_bytes());
    out
}

/// Bytes of the system's memory that the GPU may use.
const SYSTEM: u64 = 8 << 30;

const DEVICE_QUERY: u8 = 0x00;
const GEM_CREATE: u8 = 0x01;
const GEM_MMAP_OFFSET: u8 = 0x02;
const VM_CREATE: u8 = 0x03;
const VM_DESTROY: u8 = 0x04;
const VM_BIND: u8 = 0x05;
const EXEC_QUEUE_CREATE: u8 = 0x06;
const EXEC_QUEUE_DESTROY: u8 = 0x07;
const EXEC_QUEUE_GET_PROPERTY: u8 = 0x08;
const EXEC: u8 = 0x09;
const WAIT_USER_FENCE: u8 = 0x0a;
