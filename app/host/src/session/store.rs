//! One session file: read whole, replaced whole.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use rustix::io::Errno;
use rustix::process::{Pid, test_kill_process};

use super::Session;
use crate::files::{all_of, put_beside};

/// The largest session file that is read, in bytes.
const MAX_BYTES: u64 = 4 << 20;

/// Where the session is kept. Clones are the same place: one of them writes at a time.
#[derive(Debug, Clone)]
pub struct Store {
    path: PathBuf,
    /// The last session was written: whoever writes an older one comes too late.
    closed: Arc<Mutex<bool>>,
    /// Keeps other processes from this file.
    _lock: Option<Arc<File>>,
}

impl Store {
    /// A session in this file.
    pub fn at(path: PathBuf) -> Store {
        Store { path, closed: Arc::default(), _lock: None }
    }

    /// The same, with the lock that keeps other processes from it.
    pub(super) fn with_lock(self, lock: File) -> Store {
        Store { _lock: Some(Arc::new(lock)), ..self }
    }

    /// Its file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads the session. One that is not there is the default one.
    ///
    /// Errors come with the default session: the text says what happened, and where an unreadable session went.
    pub fn load(&self) -> (Session, Option<String>) {
        match self.read() {
            Ok(session) => (session, None),
            Err(error) if error.kind() == io::ErrorKind::NotFound => (Session::default(), None),
            Err(error) => (Session::default(), Some(self.set_aside(&error))),
        }
    }

    pub(super) fn read(&self) -> io::Result<Session> {
        Session::from_json(&all_of(File::open(&self.path)?, MAX_BYTES)?).map_err(io::Error::other)
    }

    fn set_aside(&self, error: &io::Error) -> String {
        // An older renamed session is kept, because a user may still want it.
        let names = std::iter::once("json.bad".to_owned()).chain((2..=9).map(|n| format!("json.bad{n}")));
        let mut names = names.map(|name| self.path.with_extension(name));
        let free = names.find(|path| !path.exists());
        let bad = free.unwrap_or_else(|| self.path.with_extension("json.bad"));
        let fate = match std::fs::rename(&self.path, &bad) {
            Ok(()) => format!("it was renamed to {}", bad.display()),
            Err(error) => format!("it cannot be renamed: {error}"),
        };
        format!("The last session cannot be read ({error}); {fate}.")
    }

    /// Writes the session: whole, or the old one stays.
    ///
    /// # Errors
    /// Errors of the file system, with the file's name.
    pub fn save(&self, session: &Session) -> Result<(), String> {
        let closed = self.closed.lock().unwrap_or_else(PoisonError::into_inner);
        if *closed { Ok(()) } else { self.write(session) }
    }

    /// The same, and nothing is written after it: waits for who writes at the moment.
    ///
    /// # Errors
    /// As for [`Store::save`].
    pub fn save_last(&self, session: &Session) -> Result<(), String> {
        let mut closed = self.closed.lock().unwrap_or_else(PoisonError::into_inner);
        *closed = true;
        self.write(session)
    }

    fn write(&self, session: &Session) -> Result<(), String> {
        let message = |error| format!("The session cannot be saved to {}: {error}", self.path.display());
        self.replace(session).map_err(message)
    }

    fn replace(&self, session: &Session) -> io::Result<()> {
        let json = session.to_json()?;
        let folder = self.path.parent().unwrap_or(Path::new("."));
        std::fs::create_dir_all(folder)?;
        // Beside the old one, so that the rename stays within one file system; named for this process, so that two
        // windows do not write into one file.
        let fresh = self.path.with_extension(format!("json.{}", std::process::id()));
        put_beside(&fresh, &self.path, |file| {
            file.write_all(&json)?;
            file.sync_all()
        })?;
        self.sweep(folder);
        Ok(())
    }

    /// Removes what processes that were killed while they wrote a session have left: `session-2.json.4711`.
    fn sweep(&self, folder: &Path) {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        for path in entries.map(|entry| entry.path()) {
            let name = path.file_name().and_then(OsStr::to_str).and_then(|name| name.rsplit_once('.'));
            let of_session = |name: &str| name.starts_with("session") && name.ends_with(".json");
            let process = name.filter(|(name, _)| of_session(name)).and_then(|(_, number)| number.parse::<u32>().ok());
            let process = process.and_then(|process| Pid::from_raw(i32::try_from(process).ok()?));
            if process.is_some_and(|process| test_kill_process(process) == Err(Errno::SRCH)) {
                // A file that cannot be removed is harmless.
                let _ = std::fs::remove_file(&path);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::ffi::OsStringExt as _;

    use super::super::fixtures::{program, session};
    use super::*;

    fn store() -> (tempfile::TempDir, Store) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let store = Store::at(folder.path().join("deep/er/session.json"));
        (folder, store)
    }

    #[test]
    fn restores_a_session() {
        let (_folder, store) = store();
        assert_eq!(store.load(), (Session::default(), None), "nothing is there yet");
        store.save(&session()).expect("the folder is writable");
        store.save(&session()).expect("an old session is replaced");
        assert_eq!(store.load(), (session(), None));
        let left = std::fs::read_dir(store.path.parent().expect("a folder")).expect("readable").count();
        assert_eq!(left, 1, "no temporary file stays");
    }

    #[test]
    fn waits_for_the_last_session_and_keeps_it() {
        let (_folder, store) = store();
        let (old, last) = (Session::default(), session());
        // As a window does that is closed while a job writes.
        std::thread::scope(|scope| {
            let writers: Vec<_> =
                (0..4).map(|_| scope.spawn(|| (0..50).try_for_each(|_| store.clone().save(&old)))).collect();
            store.save_last(&last).expect("the folder is writable");
            for writer in writers {
                assert_eq!(writer.join().expect("no panic"), Ok(()), "the others do not get into its way");
            }
        });
        assert_eq!(store.load(), (last, None));
    }

    #[test]
    fn renames_an_unreadable_session() {
        for garbage in ["", "{\"open\": 3}", "\u{0}\u{0}", "{\"theme\":\"mauve\"}"] {
            let (_folder, store) = store();
            store.save(&session()).expect("the folder is writable");
            std::fs::write(&store.path, garbage).expect("writable");
            let (read, message) = store.load();
            assert_eq!(read, Session::default());
            assert!(message.expect("it is reported").contains("session.json.bad"), "{garbage:?}");
            let kept = std::fs::read_to_string(store.path.with_extension("json.bad")).expect("it was kept");
            assert_eq!(kept, garbage);
            assert_eq!(store.load(), (Session::default(), None), "and is gone the next time");
        }
    }

    #[test]
    fn reports_a_place_that_cannot_be_written() {
        let (folder, _) = store();
        let in_the_way = folder.path().join("file");
        std::fs::write(&in_the_way, "").expect("writable");
        let error = Store::at(in_the_way.join("session.json")).save(&session()).expect_err("a file is in the way");
        assert!(error.contains("cannot be saved"), "{error}");
    }

    #[test]
    fn removes_files_of_killed_processes() {
        let (_folder, store) = store();
        // No process has the first number, the second one lives, and the others are none.
        let living = format!("json.{}", std::os::unix::process::parent_id());
        let left = ["json.2147483647", living.as_str(), "json.bad", "json.7.old", "json.-2147483647"]
            .map(|end| store.path.with_extension(end));
        let of_another = store.path.with_file_name("session-2.json.2147483647");
        store.save(&session()).expect("the folder is writable");
        left.iter().chain([&of_another]).for_each(|path| std::fs::write(path, "{").expect("writable"));
        store.save(&session()).expect("the folder is writable");
        assert_eq!(left.map(|path| path.exists()), [false, true, true, true, true]);
        assert!(!of_another.exists(), "of the session of another window too");
    }

    #[test]
    fn drops_names_that_are_not_unicode() {
        let (_folder, store) = store();
        let mut odd = program("x");
        odd.paths = vec![PathBuf::from(std::ffi::OsString::from_vec(vec![b'/', 0xff]))];
        let mut session = session();
        session.recent.push_back(odd);
        store.save(&session).expect("the rest is written");
        assert_eq!(store.load().0.recent.len(), 1);
    }
}
