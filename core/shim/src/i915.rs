//! Requests of i915, the kernel's driver up to Xe: `i915_drm.h`.

use crate::argument::{Answer, Argument, Block, Refused};
use crate::description::Description;
use crate::memory::Memory;

/// Answers a request by its number after `DRM_COMMAND_BASE`.
///
/// # Errors
/// What the kernel refuses, and what this library does not know.
pub fn answer(gpu: &Description, memory: &mut Memory, number: u8, mut argument: Argument<'_>) -> Answer {
    match number {
        GETPARAM => {
            let value = parameter(gpu, argument.u32(0)?)?;
            // SAFETY: the caller has an `int` there (`struct drm_i915_getparam`).
            unsafe { Argument::at(argument.u64(8)?, 4) }.put_u32(0, value)
        }
        QUERY => queries(gpu, &argument),
        GEM_CREATE | GEM_CREATE_EXT => {
            let handle = memory.buffer(argument.u64(0)?)?;
            argument.put_u32(8, handle)
        }
        // The pages of the caller stay his: nothing runs that would read them.
        GEM_USERPTR => {
            let handle = memory.buffer(1)?;
            argument.put_u32(20, handle)
        }
        GEM_MMAP_OFFSET => {
            let start = memory.start(argument.u32(0)?)?;
            argument.put_u64(8, start)
        }
        GEM_GET_APERTURE => {
            argument.put_u64(0, ADDRESSES)?;
            argument.put_u64(8, ADDRESSES)
        }
        GEM_BUSY => argument.put_u32(4, 0),
        // Linear, and the CPU sees no other order of bytes.
        GEM_GET_TILING => (4..16).step_by(4).try_for_each(|at| argument.put_u32(at, 0)),
        GEM_MADVISE => argument.put_u32(8, 1),
        CONTEXT_CREATE => argument.put_u32(0, memory.number()),
        CONTEXT_GETPARAM => match argument.u64(8)? {
            CONTEXT_PARAM_GTT_SIZE => argument.put_u64(16, ADDRESSES),
            CONTEXT_PARAM_SSEU => {
                let (at, bytes) = (argument.u64(16)?, argument.u32(4)? as usize);
                // SAFETY: the caller has a structure there whose size he gives.
                powered(gpu, &mut unsafe { Argument::at(at, bytes) })
            }
            other => Err(Refused::Unknown(format!("parameter {other:#x} of an i915 context"))),
        },
        VM_CREATE => argument.put_u32(12, memory.number()),
        GET_RESET_STATS => (8..20).step_by(4).try_for_each(|at| argument.put_u32(at, 0)),
        REG_READ => argument.put_u64(8, 0),
        // Work is accepted and not executed; states of buffers and contexts change nothing that can be seen.
        EXECBUFFER2 | GEM_WAIT | CONTEXT_DESTROY | CONTEXT_SETPARAM | VM_DESTROY | GEM_SET_TILING | GEM_SET_CACHING
        | GEM_SET_DOMAIN => Ok(()),
        _ => Err(Refused::Unknown(format!("request {number:#04x} of i915_drm.h"))),
    }
}

/// Bytes of a process's address space on the GPU.
const ADDRESSES: u64 = 1 << 48;

/// A parameter of the device (`I915_PARAM_…`).
fn parameter(gpu: &Description, parameter: u32) -> Result<u32, Refused> {
    Ok(match parameter {
        4 => u32::from(gpu.device),
        // Fences of tiled memory, which nothing needs here.
        6 => 32,
        // The command parser's version.
        28 => 10,
        // Versions of how buffers are mapped: with a range of the node's file.
        30 | 40 => 4,
        32 => u32::from(gpu.revision),
        33 => gpu.all_subslices(),
        34 => gpu.all_units(),
        // Full address spaces of 48 bits.
        18 => 3,
        46 => (1u64 << gpu.slices).wrapping_sub(1) as u32,
        47 => (1u64 << gpu.subslices.min(32)).wrapping_sub(1) as u32,
        // Ticks of the GPU's clocks in a second.
        51 | 57 => 19_200_000,
        // What the kernel can do, all of it: second and third engines, softpin, fences, isolated contexts.
        5 | 9 | 10 | 11 | 12 | 15 | 16 | 17 | 19 | 20 | 25 | 26 | 31 | 35 | 37 | 41 | 43 | 44 | 45 | 48 | 49 | 50
        | 52 | 53 | 55 | 56 => 1,
        // What it has not: the resource streamer, pools of units, counters, protected content.
        36 | 38 | 39 | 54 | 58 => return Err(Refused::Errno(libc::ENODEV)),
        _ => return Err(Refused::Unknown(format!("parameter {parameter} of i915"))),
    })
}

/// `struct drm_i915_gem_context_param_sseu`: all slices, subslices and units have power.
fn powered(gpu: &Description, to: &mut Argument<'_>) -> Answer {
    let mask = |count: u8| (1u64 << count.min(63)) - 1;
    to.put_u64(8, mask(gpu.slices))?;
    to.put_u64(16, mask(gpu.subslices))?;
    (24..28).step_by(2).try_for_each(|at| to.put(at, &u16::from(gpu.units).to_le_bytes()))
}

/// `struct drm_i915_query`: how many items, and where. An item is a number, a length (0 to ask for it), flags, a place.
fn queries(gpu: &Description, argument: &Argument<'_>) -> Answer {
    const ITEM: usize = 24;
    for nth in 0..argument.u32(0)? as usize {
        // SAFETY: the caller has that many items there.
        let mut item = unsafe { Argument::at(argument.u64(8)? + (nth * ITEM) as u64, ITEM) };
        let room = item.u32(8)?;
        let block = match query(gpu, item.u64(0)?) {
            Ok(block) => block,
            Err(refused) => {
                // The kernel answers each item by itself.
                let errno = if let Refused::Errno(errno) = &refused { *errno } else { libc::EINVAL };
                item.put(8, &(-errno).to_le_bytes())?;
                match refused {
                    Refused::Errno(_) => continue,
                    unknown => return Err(unknown),
                }
            }
        };
        let length = block.bytes().len() as u32;
        if room >= length {
            // SAFETY: the caller has as many bytes there as the item says.
            unsafe { Argument::at(item.u64(16)?, length as usize) }.put(0, block.bytes())?;
        }
        item.put_u32(8, if room == 0 || room >= length { length } else { (-libc::EINVAL) as u32 })?;
    }
    Ok(())
}

fn query(gpu: &Description, number: u64) -> Result<Block, Refused> {
    match number {
        QUERY_TOPOLOGY | QUERY_GEOMETRY_SUBSLICES => Ok(topology(gpu)),
        QUERY_ENGINES => Ok(engines()),
        QUERY_MEMORY => Ok(regions(gpu)),
        // Kernels before 5.16 have no table of the hardware, and those without counters no configurations of them.
        QUERY_PERF | QUERY_HARDWARE | QUERY_GUC_VERSION => Err(Refused::Errno(libc::EINVAL)),
        _ => Err(Refused::Unknown(format!("query {number} of i915"))),
    }
}

/// `struct drm_i915_query_topology_info`: 16 bytes, then a bit for each slice, subslice and unit.
fn topology(gpu: &Description) -> Block {
    let [slices, subslices, units] = [gpu.slices, gpu.subslices, gpu.units].map(usize::from);
    let bytes = |bits: usize| bits.div_ceil(8);
    let at_subslices = bytes(slices);
    let at_units = at_subslices + slices * bytes(subslices);
    const HEAD: usize = 16;
    let mut out = Block::of(HEAD + at_units + slices * subslices * bytes(units));
    let fields = [slices, subslices, units, at_subslices, bytes(subslices), at_units, bytes(units)];
    for (nth, field) in fields.into_iter().enumerate() {
        out.set(2 + 2 * nth, (field as u16).to_le_bytes());
    }
    for slice in 0..slices {
        out.set_bit(HEAD, slice);
        for subslice in 0..subslices {
            out.set_bit(HEAD + at_subslices + slice * bytes(subslices), subslice);
            let of = slice * subslices + subslice;
            (0..units).for_each(|unit| out.set_bit(HEAD + at_units + of * bytes(units), unit));
        }
    }
    out
}

/// `struct drm_i915_query_engine_info`: 16 bytes, then 56 for each engine: its class first.
fn engines() -> Block {
    const CLASSES: [u16; 2] = [0, 1];
    let mut out = Block::of(16 + 56 * CLASSES.len());
    out.set(0, (CLASSES.len() as u32).to_le_bytes());
    for (nth, class) in CLASSES.into_iter().enumerate() {
        out.set(16 + 56 * nth, class.to_le_bytes());
    }
    out
}

/// `struct drm_i915_query_memory_regions`: 16 bytes, then 88 for each region: class, instance, then sizes from byte 8 on.
fn regions(gpu: &Description) -> Block {
    let all: &[(u16, u64)] = &[(0, SYSTEM), (1, gpu.local)];
    let all = if gpu.local == 0 { &all[..1] } else { all };
    let mut out = Block::of(16 + 88 * all.len());
    out.set(0, (all.len() as u32).to_le_bytes());
    for (nth, (class, bytes)) in all.iter().enumerate() {
        let at = 16 + 88 * nth;
        out.set(at, class.to_le_bytes());
        // Probed, unallocated, and of both what the CPU sees.
        for size in 0..4 {
            out.set(at + 8 + 8 * size, bytes.to_le_bytes());
        }
    }
    out
}

/// Bytes of the system's memory that the GPU may use.
const SYSTEM: u64 = 8 << 30;

const GETPARAM: u8 = 0x06;
const GEM_BUSY: u8 = 0x17;
const GEM_CREATE: u8 = 0x1b;
const GEM_SET_DOMAIN: u8 = 0x1f;
const GEM_SET_TILING: u8 = 0x21;
const GEM_GET_TILING: u8 = 0x22;
const GEM_GET_APERTURE: u8 = 0x23;
const GEM_MMAP_OFFSET: u8 = 0x24;
const GEM_MADVISE: u8 = 0x26;
const EXECBUFFER2: u8 = 0x29;
const GEM_WAIT: u8 = 0x2c;
const CONTEXT_CREATE: u8 = 0x2d;
const CONTEXT_DESTROY: u8 = 0x2e;
const GEM_SET_CACHING: u8 = 0x2f;
const REG_READ: u8 = 0x31;
const GET_RESET_STATS: u8 = 0x32;
const GEM_USERPTR: u8 = 0x33;
const CONTEXT_GETPARAM: u8 = 0x34;
const CONTEXT_SETPARAM: u8 = 0x35;
const QUERY: u8 = 0x39;
const VM_CREATE: u8 = 0x3a;
const VM_DESTROY: u8 = 0x3b;
const GEM_CREATE_EXT: u8 = 0x3c;

const CONTEXT_PARAM_GTT_SIZE: u64 = 3;
const CONTEXT_PARAM_SSEU: u64 = 7;

const QUERY_TOPOLOGY: u64 = 1;
const QUERY_ENGINES: u64 = 2;
const QUERY_PERF: u64 = 3;
const QUERY_MEMORY: u64 = 4;
const QUERY_HARDWARE: u64 = 5;
const QUERY_GEOMETRY_SUBSLICES: u64 = 6;
const QUERY_GUC_VERSION: u64 = 7;
