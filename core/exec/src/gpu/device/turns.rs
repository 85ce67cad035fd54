//! Processes take turns at a device: each holds a file lock while the device works on what it submitted.
//!
//! Several processes that draw at once on one GPU have lost its device, after which it hung. The lock is advisory: other
//! programs do not ask for it. It is named after the device (`VkPhysicalDeviceIDProperties::deviceUUID`), below the folder
//! of temporary files, so that all users share it, and the system releases it when a process ends.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read as _, Seek as _, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use ash::vk;
use lanescope_base::foreign::plain;
use rustix::fs::OFlags;

use crate::gpu::waiting::InFlight;
use crate::gpu::{GpuError, waiting};

/// How long a process waits for its turn.
const PATIENCE: Duration = Duration::from_secs(600);
/// How often it asks.
const ASK: Duration = Duration::from_millis(5);
/// How often it says that it waits.
const SAY: Duration = Duration::from_millis(500);
/// The most characters of a command in a message.
const MAX_COMMAND: usize = 100;
/// Whoever may write the folder may have put something else there.
const OPEN: OFlags = OFlags::NOFOLLOW.union(OFlags::NONBLOCK);

/// The turns at one device; none at a device that is software.
#[derive(Debug)]
pub(super) struct Turns {
    /// The device's name.
    device: String,
    path: Option<PathBuf>,
}

/// The device is this process's until this is dropped, or the process ends.
#[derive(Debug)]
pub(super) struct Turn {
    _lock: Option<File>,
    /// None at a device that is software.
    _in_flight: Option<InFlight>,
}

impl Turn {
    /// The device still works when its time is over: the turn ends once that is done, or after [`waiting::GRACE`].
    pub(super) fn outlast(self, wait: impl FnOnce(Duration) + Send + 'static) {
        // Without a thread, the turn ends here.
        let _ = std::thread::Builder::new().name("turn".to_owned()).spawn(move || {
            wait(waiting::GRACE);
            drop(self);
        });
    }
}

impl Turns {
    /// The turns at the device of that UUID.
    pub(super) fn at(device: &str, uuid: [u8; 16]) -> Turns {
        let path = std::env::temp_dir().join(format!("lanescope-{:032x}.lock", u128::from_be_bytes(uuid)));
        Turns { device: device.to_owned(), path: Some(path) }
    }

    /// No turns: any number of processes use the device at once.
    pub(super) fn none() -> Turns {
        Turns { device: String::new(), path: None }
    }

    /// Waits for this process's turn. Where no lock can be had, it is its turn.
    ///
    /// # Errors
    /// [`GpuError::InUse`] where others use the device for too long.
    pub(super) fn take(&self) -> Result<Turn, GpuError> {
        self.take_within(PATIENCE, waiting::say)
    }

    fn take_within(&self, patience: Duration, say: impl Fn(&str)) -> Result<Turn, GpuError> {
        if self.path.is_none() {
            return Ok(Turn { _lock: None, _in_flight: None });
        }
        let turn = |lock| Ok(Turn { _lock: lock, _in_flight: Some(InFlight::begin()) });
        let Some(mut file) = self.open() else { return turn(None) };
        let begin = Instant::now();
        let mut said: Option<Instant> = None;
        loop {
            if waiting::is_closing() {
                return Err(GpuError::NotRun("this process ends: nothing more is submitted".to_owned()));
            }
            match file.try_lock() {
                Ok(()) => break,
                Err(TryLockError::WouldBlock) => {}
                // A file system without locks.
                Err(TryLockError::Error(_)) => return turn(None),
            }
            let holder = || holder(&mut &file);
            if begin.elapsed() >= patience {
                return Err(GpuError::InUse { device: self.device.clone(), holder: holder(), waited: patience });
            }
            if said.is_none_or(|said| said.elapsed() >= SAY) {
                say(&format!("{} is in use by {}: waiting for its turn", self.device, holder()));
                said = Some(Instant::now());
            }
            std::thread::sleep(ASK);
        }
        // Only for the messages of others; a file of another user cannot be written.
        let _ = file.set_len(0).and_then(|()| file.rewind());
        let _ = write!(file, "{} {}", std::process::id(), std::os::unix::process::parent_id());
        turn(Some(file))
    }

    fn open(&self) -> Option<File> {
        let path = self.path.as_deref()?;
        let mut open = OpenOptions::new();
        open.read(true).custom_flags(OPEN.bits() as i32);
        let file = open.clone().write(true).create(true).truncate(false).mode(0o666).open(path);
        let file = file.or_else(|_| open.open(path)).ok()?;
        file.metadata().is_ok_and(|about| about.is_file()).then_some(file)
    }
}

/// What identifies a device on its machine, whatever process asks.
pub(super) fn uuid_of(instance: &ash::Instance, physical: vk::PhysicalDevice) -> [u8; vk::UUID_SIZE] {
    let mut ids = vk::PhysicalDeviceIDProperties::default();
    let mut properties = vk::PhysicalDeviceProperties2::default().push_next(&mut ids);
    // SAFETY: the handle comes from this instance; a device that is opened has Vulkan 1.1, where the structure is from.
    unsafe { instance.get_physical_device_properties2(physical, &mut properties) };
    ids.device_uuid
}

/// Who has the lock, as its file says: a child of `lanescope` by the command that started it.
fn holder(file: &mut &File) -> String {
    let mut text = String::new();
    let read = file.rewind().and_then(|()| file.take(64).read_to_string(&mut text));
    let mut numbers = text.split(' ').map_while(|number| number.parse::<u32>().ok());
    let (Ok(_), Some(process)) = (read, numbers.next()) else { return "another process".to_owned() };
    let command = |process: u32| {
        let line = std::fs::read(format!("/proc/{process}/cmdline")).ok()?;
        let words = line.split(|&byte| byte == 0).filter(|word| !word.is_empty());
        Some(words.map(|word| String::from_utf8_lossy(word).into_owned()).collect::<Vec<_>>())
    };
    let name = |words: &[String]| words.first().map(|path| path.rsplit('/').next().unwrap_or_default().to_owned());
    let Some(own) = command(process) else { return format!("process {process}") };
    let (process, words) = match numbers.next().and_then(|parent| Some((parent, command(parent)?))) {
        Some((parent, words)) if name(&own) == name(&words) => (parent, words),
        _ => (process, own),
    };
    let line: String = plain(&words.join(" ")).chars().take(MAX_COMMAND).collect();
    format!("process {process} ({line})")
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    fn turns(folder: &tempfile::TempDir) -> Turns {
        Turns { device: "a GPU".to_owned(), path: Some(folder.path().join("lock")) }
    }

    #[test]
    fn a_second_process_waits_and_says_for_whom() {
        let folder = tempfile::tempdir().expect("a folder");
        let turns = turns(&folder);
        let first = turns.take().expect("free");
        let said = RefCell::new(Vec::new());
        let patience = Duration::from_millis(30);
        let error = turns.take_within(patience, |text| said.borrow_mut().push(text.to_owned())).expect_err("in use");
        let own = std::process::id();
        assert!(error.to_string().contains(&format!("process {own} (")), "{error}");
        assert!(said.borrow()[0].starts_with(&format!("a GPU is in use by process {own} (")), "{:?}", said.borrow());
        drop(first);
        turns.take_within(Duration::ZERO, |text| panic!("{text}")).expect("free again");
    }

    #[test]
    fn what_is_not_a_lock_stops_nobody() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |path: PathBuf| Turns { device: "a GPU".to_owned(), path: Some(path) };
        std::os::unix::fs::symlink("/etc/passwd", folder.path().join("link")).expect("a link");
        for turns in
            [Turns::none(), at(folder.path().into()), at("/nowhere/lock".into()), at(folder.path().join("link"))]
        {
            let turn = turns.take_within(Duration::ZERO, |text| panic!("{text}")).expect("its turn");
            assert!(turn._lock.is_none(), "{turns:?}");
        }
    }

    #[test]
    fn a_holder_that_says_nothing_of_itself_is_another_process() {
        let folder = tempfile::tempdir().expect("a folder");
        for content in ["", "x", "\u{1b}]0;title\u{7}"] {
            std::fs::write(folder.path().join("lock"), content).expect("a file");
            let file = File::open(folder.path().join("lock")).expect("opens");
            assert_eq!(holder(&mut &file), "another process");
        }
        std::fs::write(folder.path().join("lock"), "4294967295").expect("a file");
        let file = File::open(folder.path().join("lock")).expect("opens");
        assert_eq!(holder(&mut &file), "process 4294967295");
    }
}
