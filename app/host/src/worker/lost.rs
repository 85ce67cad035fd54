//! A device that is lost: the run is tried once more, and what the kernel wrote meanwhile is part of the message.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Read};
use std::os::unix::fs::OpenOptionsExt as _;
use std::time::Duration;

use lanescope_core::foreign::plain;
use lanescope_core::gpu::{GpuError, waiting};
use rustix::fs::OFlags;
use rustix::time::{ClockId, clock_gettime};

use super::Failure;

/// Drivers reset a device after they have given it up.
const PAUSE: Duration = Duration::from_secs(2);
/// Lines of the kernel's log that are quoted.
const MAX_LINES: usize = 3;
/// The most records of the log that are read: its ring buffer has fewer.
const MAX_RECORDS: usize = 1 << 17;
/// What lines of drivers of GPUs begin with.
const DRIVERS: [&str; 9] = ["NVRM:", "amdgpu ", "[drm", "i915 ", "msm ", "nouveau ", "panfrost ", "panthor ", "xe "];

/// Runs, and where the device is lost once more after a pause, on a device that is opened anew.
///
/// # Errors
/// The device was lost twice. Other errors of the run are its result.
pub(super) fn run<T>(run: impl Fn() -> Result<T, GpuError>) -> Result<Result<T, GpuError>, Failure> {
    let begin = since_start();
    let first = match run() {
        Err(first @ GpuError::DeviceLost(_)) => first,
        other => return Ok(other),
    };
    waiting::say(&format!("{first}; trying once more"));
    std::thread::sleep(PAUSE);
    match run() {
        Err(error @ GpuError::DeviceLost(_)) => {
            let log = OpenOptions::new().read(true).custom_flags(OFlags::NONBLOCK.bits() as i32).open("/dev/kmsg");
            let lines = log.map(|log| lines_of_drivers(log, begin)).unwrap_or_default();
            Err(Failure::from(format!("{error}; it was lost twice{}", quoted(&lines))))
        }
        other => Ok(other),
    }
}

fn quoted(lines: &[String]) -> String {
    match lines {
        [] => String::new(),
        lines => format!(". The kernel's log says: {}", lines.join("; ")),
    }
}

/// Time since the start of the system, as the kernel's log counts it.
fn since_start() -> Duration {
    Duration::try_from(clock_gettime(ClockId::Monotonic)).unwrap_or_default()
}

/// The last lines of GPU drivers in the kernel's log from that time on. Each read of `/dev/kmsg` returns one record,
/// `priority,sequence,microseconds,flags;text` (the kernel's ABI/testing/dev-kmsg).
fn lines_of_drivers(mut log: impl Read, begin: Duration) -> Vec<String> {
    let mut lines = Vec::new();
    let mut record = vec![0; 8 << 10];
    for _ in 0..MAX_RECORDS {
        let read = match log.read(&mut record) {
            Ok(0) => break,
            Ok(read) => read,
            // Older records were overwritten; the next read continues with the oldest one.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => continue,
            Err(_) => break,
        };
        let text = String::from_utf8_lossy(&record[..read]);
        let Some((head, text)) = text.split_once(';') else { continue };
        let time = head.split(',').nth(2).and_then(|time| time.parse().ok()).map(Duration::from_micros);
        // The log escapes line ends within a record.
        let text = text.lines().next().unwrap_or_default().trim_end_matches("\\x0a");
        if time.is_some_and(|time| time >= begin) && DRIVERS.iter().any(|driver| text.starts_with(driver)) {
            lines.push(plain(text));
        }
    }
    lines.drain(..lines.len().saturating_sub(MAX_LINES));
    lines
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::collections::VecDeque;

    use super::*;

    /// A log that returns one record with each read.
    struct Log(VecDeque<&'static str>);

    impl Read for Log {
        fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
            match self.0.pop_front() {
                Some("overwritten") => Err(ErrorKind::BrokenPipe.into()),
                Some(record) => {
                    into[..record.len()].copy_from_slice(record.as_bytes());
                    Ok(record.len())
                }
                None => Err(ErrorKind::WouldBlock.into()),
            }
        }
    }

    #[test]
    fn the_log_is_quoted_from_the_run_on() {
        let records = [
            "overwritten",
            "4,1,900,-;NVRM: Xid (PCI:0000:01:00): 1, before the run",
            "not a record",
            "6,2,1000,-;usb 1-1: new device",
            "4,3,1000,-;NVRM: Xid (PCI:0000:01:00): 109, CTX SWITCH TIMEOUT\\x0a\n SUBSYSTEM=pci\n",
            "4,4,2000,-;amdgpu 0000:03:00.0: ring gfx \u{1b}[31mtimeout",
        ];
        let lines = lines_of_drivers(Log(records.into()), Duration::from_micros(1000));
        assert_eq!(
            lines,
            [
                "NVRM: Xid (PCI:0000:01:00): 109, CTX SWITCH TIMEOUT",
                "amdgpu 0000:03:00.0: ring gfx \u{fffd}[31mtimeout"
            ]
        );
        assert_eq!(quoted(&[]), "");
    }

    #[test]
    fn a_lost_device_is_tried_once_more() {
        let lost = || GpuError::DeviceLost("vkQueueSubmit".to_owned());
        let tries = Cell::new(0);
        let try_it = |until: u32| {
            tries.set(tries.get() + 1);
            if tries.get() < until { Err(lost()) } else { Ok(tries.get()) }
        };
        assert!(matches!(run(|| try_it(2)), Ok(Ok(2))));
        tries.set(0);
        let failure = run(|| try_it(9)).expect_err("lost again").to_string();
        assert!(failure.contains("vkQueueSubmit") && failure.contains("it was lost twice"), "{failure}");
        assert_eq!(tries.get(), 2);
    }

    #[test]
    fn other_errors_are_not_tried_again() {
        let tries = Cell::new(0);
        let result = run(|| {
            tries.set(tries.get() + 1);
            Err::<(), _>(GpuError::NoDevice)
        });
        assert!(matches!(result, Ok(Err(GpuError::NoDevice))) && tries.get() == 1);
    }
}
