//! Requests that all drivers of the kernel answer: versions, buffers between processes, synchronization objects.

use std::os::fd::RawFd;

use crate::argument::{Answer, Argument, Refused};
use crate::description::{Description, Kernel};
use crate::i915;
use crate::memory::{Memory, event};
use crate::xe;

/// The first number of a driver's own requests, and the first after them (`DRM_COMMAND_BASE`, `DRM_COMMAND_END`).
const OWN: std::ops::Range<u8> = 0x40..0xa0;

/// Answers a request by its number in the group `d`.
///
/// # Errors
/// What the kernel refuses, and what this library does not know.
pub fn answer(gpu: &Description, memory: &mut Memory, number: u8, argument: Argument<'_>) -> Answer {
    if OWN.contains(&number) {
        return match gpu.kernel {
            Kernel::I915 => i915::answer(gpu, memory, number - OWN.start, argument),
            Kernel::Xe => xe::answer(gpu, memory, number - OWN.start, argument),
        };
    }
    common(gpu, memory, number, argument)
}

fn common(gpu: &Description, memory: &mut Memory, number: u8, mut argument: Argument<'_>) -> Answer {
    match number {
        VERSION => version(gpu, &mut argument),
        GEM_CLOSE => memory.close(argument.u32(0)?),
        // Every capability that is asked for: PRIME in both directions, synchronization objects and their time lines.
        GET_CAP => match argument.u64(0)? {
            CAP_PRIME => argument.put_u64(8, 3),
            CAP_SYNCOBJ | CAP_SYNCOBJ_TIMELINE => argument.put_u64(8, 1),
            _ => Err(Refused::Errno(libc::EINVAL)),
        },
        PRIME_HANDLE_TO_FD => {
            memory.start(argument.u32(0)?)?;
            put_descriptor(&mut argument, 8, memory.descriptor())
        }
        SYNCOBJ_CREATE => argument.put_u32(0, memory.number()),
        SYNCOBJ_HANDLE_TO_FD => put_descriptor(&mut argument, 8, event()),
        SYNCOBJ_FD_TO_HANDLE => argument.put_u32(0, memory.number()),
        // Nothing runs, so nothing is waited for.
        SYNCOBJ_WAIT
        | SYNCOBJ_TIMELINE_WAIT
        | SYNCOBJ_DESTROY
        | SYNCOBJ_RESET
        | SYNCOBJ_SIGNAL
        | SYNCOBJ_QUERY
        | SYNCOBJ_TRANSFER
        | SYNCOBJ_TIMELINE_SIGNAL => Ok(()),
        _ => Err(Refused::Unknown(format!("request {number:#04x} of drm.h"))),
    }
}

fn put_descriptor(argument: &mut Argument<'_>, at: usize, descriptor: RawFd) -> Answer {
    if descriptor < 0 {
        return Err(Refused::Errno(libc::EMFILE));
    }
    argument.put(at, &descriptor.to_le_bytes())
}

/// `struct drm_version`: three numbers, then the length and the place of name, date and description.
fn version(gpu: &Description, argument: &mut Argument<'_>) -> Answer {
    let (name, version) = match gpu.kernel {
        Kernel::I915 => ("i915", [1, 6, 0]),
        Kernel::Xe => ("xe", [1, 1, 0]),
    };
    for (nth, number) in version.into_iter().enumerate() {
        argument.put_u32(4 * nth, number)?;
    }
    for (at, text) in [(16, name), (32, ""), (48, "")] {
        let room = argument.u64(at)?.min(text.len() as u64) as usize;
        // SAFETY: the caller has that many bytes there (drm.h, `struct drm_version`).
        let mut to = unsafe { Argument::at(argument.u64(at + 8)?, room) };
        to.put(0, &text.as_bytes()[..to.len()])?;
        argument.put_u64(at, text.len() as u64)?;
    }
    Ok(())
}

const VERSION: u8 = 0x00;
const GEM_CLOSE: u8 = 0x09;
const GET_CAP: u8 = 0x0c;
const PRIME_HANDLE_TO_FD: u8 = 0x2d;
const SYNCOBJ_CREATE: u8 = 0xbf;
const SYNCOBJ_DESTROY: u8 = 0xc0;
const SYNCOBJ_HANDLE_TO_FD: u8 = 0xc1;
const SYNCOBJ_FD_TO_HANDLE: u8 = 0xc2;
const SYNCOBJ_WAIT: u8 = 0xc3;
const SYNCOBJ_RESET: u8 = 0xc4;
const SYNCOBJ_SIGNAL: u8 = 0xc5;
const SYNCOBJ_TIMELINE_WAIT: u8 = 0xca;
const SYNCOBJ_QUERY: u8 = 0xcb;
const SYNCOBJ_TRANSFER: u8 = 0xcc;
const SYNCOBJ_TIMELINE_SIGNAL: u8 = 0xcd;

const CAP_PRIME: u64 = 0x5;
const CAP_SYNCOBJ: u64 = 0x13;
const CAP_SYNCOBJ_TIMELINE: u64 = 0x14;
