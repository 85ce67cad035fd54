//! Session files of several windows and terminals: each process has one of its own, held by a lock.
//!
//! The lock is an advisory one on a file beside the session. The system releases it when the process ends, however it
//! ends, so a killed process leaves nothing that keeps its session from being opened.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use etcetera::{AppStrategy as _, AppStrategyArgs};

use super::{Remembered, Session, Store};

/// How many sessions that no process uses are kept.
const KEPT: usize = 8;

/// How many sessions can be open at the same time.
const OPEN_AT_MOST: usize = 64;

/// The folder of the session files.
#[derive(Debug, Clone)]
pub struct Folder {
    path: PathBuf,
}

/// A session that was closed, and that no process uses.
#[derive(Debug, Clone, PartialEq)]
pub struct Earlier {
    /// When it was last written.
    pub closed: SystemTime,
    /// The programs that were open.
    pub programs: Vec<Remembered>,
    /// Index of the one that was shown.
    pub active: usize,
}

/// What a starting window or terminal gets.
#[derive(Debug, Default)]
pub struct Claim {
    /// Where it writes its session. None where no file can be locked: nothing is saved.
    pub store: Option<Store>,
    /// The session that was closed last, with the recent lists of all.
    pub session: Session,
    /// The other closed sessions with programs, the one that was closed last first.
    pub earlier: Vec<Earlier>,
    /// What went wrong, as messages.
    pub trouble: Vec<String>,
}

/// A closed session while its lock is held.
struct Closed {
    store: Store,
    lock: File,
    written: SystemTime,
}

impl Folder {
    /// The user's own: `lanescope` in the configuration folder. None without a home.
    pub fn of_user() -> Option<Folder> {
        let strategy = etcetera::choose_app_strategy(AppStrategyArgs {
            top_level_domain: "org".to_owned(),
            author: "Lanescope".to_owned(),
            app_name: "lanescope".to_owned(),
        });
        strategy.ok().map(|strategy| Folder::at(strategy.config_dir()))
    }

    /// Sessions in this folder.
    pub fn at(path: PathBuf) -> Folder {
        Folder { path }
    }

    /// Takes a session file for this process. Begins with the session that was closed last; `resume` continues its file,
    /// otherwise that stays as it is.
    pub fn claim(&self, resume: bool) -> Claim {
        let mut claim = Claim::default();
        if let Err(error) = std::fs::create_dir_all(&self.path) {
            claim.trouble.push(format!("The session cannot be saved to {}: {error}", self.path.display()));
            return claim;
        }
        let (mut closed, used) = self.list();
        closed.sort_by_key(|closed| std::cmp::Reverse(closed.written));
        let mut closed = closed.into_iter();
        let last = closed.next();
        if let Some(last) = &last {
            let (session, trouble) = last.store.load();
            claim.session = session;
            claim.trouble.extend(trouble);
        }
        for (index, earlier) in closed.enumerate() {
            let (session, trouble) = earlier.store.load();
            claim.trouble.extend(trouble);
            claim.session.merge_recent(&session);
            if session.open.is_empty() || index + 1 >= KEPT {
                earlier.remove();
                continue;
            }
            let (programs, active) = (session.open, session.active);
            claim.earlier.push(Earlier { closed: earlier.written, programs, active });
        }
        // A process that runs keeps its file: only its recent list is read.
        for store in used {
            if let Ok(session) = store.read() {
                claim.session.merge_recent(&session);
            }
        }
        claim.store = match last {
            Some(Closed { store, lock, .. }) if resume => Some(store.with_lock(lock)),
            _ => self.unused(),
        };
        if claim.store.is_none() {
            let place = self.path.display();
            claim.trouble.push(format!("The session is not saved: no file in {place} can be locked."));
        }
        claim
    }

    /// The sessions that no process uses, with their locks, and those that one uses.
    fn list(&self) -> (Vec<Closed>, Vec<Store>) {
        let (mut closed, mut used) = (Vec::new(), Vec::new());
        for number in 0..OPEN_AT_MOST {
            let path = self.file(number);
            let Ok(metadata) = path.metadata() else { continue };
            let written = metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH);
            match lock(&path) {
                Ok(Some(lock)) => closed.push(Closed { store: Store::at(path), lock, written }),
                Ok(None) => used.push(Store::at(path)),
                Err(_) => {}
            }
        }
        (closed, used)
    }

    /// The first file that is neither there nor used.
    fn unused(&self) -> Option<Store> {
        (0..OPEN_AT_MOST).map(|number| self.file(number)).filter(|path| !path.exists()).find_map(|path| {
            let lock = lock(&path).ok().flatten()?;
            Some(Store::at(path).with_lock(lock))
        })
    }

    fn file(&self, number: usize) -> PathBuf {
        self.path.join(if number == 0 { "session.json".to_owned() } else { format!("session-{number}.json") })
    }
}

impl Closed {
    /// Removes the session. Its lock goes last: who waits for it finds no file and looks on.
    fn remove(self) {
        // A file that cannot be removed is listed again the next time.
        let _ = std::fs::remove_file(self.store.path());
        let _ = std::fs::remove_file(lock_file(self.store.path()));
        drop(self.lock);
    }
}

fn lock_file(session: &Path) -> PathBuf {
    let mut name = session.as_os_str().to_owned();
    name.push(".lock");
    name.into()
}

/// Locks a session for this process. None where another one has it.
fn lock(session: &Path) -> io::Result<Option<File>> {
    let path = lock_file(session);
    let file = OpenOptions::new().write(true).create(true).truncate(false).open(&path)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Ok(None),
        Err(TryLockError::Error(error)) => return Err(error),
    }
    // Another process may have removed the file between the two calls: then this lock holds nothing.
    let same = path.metadata().is_ok_and(|there| file.metadata().is_ok_and(|here| here.ino() == there.ino()));
    Ok(same.then_some(file))
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::program;
    use super::*;

    fn folder() -> (tempfile::TempDir, Folder) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let sessions = Folder::at(folder.path().join("deep/er"));
        (folder, sessions)
    }

    fn session(names: &[&str]) -> Session {
        Session { open: names.iter().map(|name| program(name)).collect(), ..Session::default() }
    }

    /// Closes a window with these programs; sessions written later are newer.
    fn close(claim: Claim, names: &[&str]) {
        std::thread::sleep(std::time::Duration::from_millis(15));
        claim.store.expect("a file").save_last(&session(names)).expect("the folder is writable");
    }

    fn first_names(earlier: &[Earlier]) -> Vec<PathBuf> {
        earlier.iter().map(|earlier| earlier.programs[0].paths[0].clone()).collect()
    }

    #[test]
    fn two_windows_write_two_files_and_the_one_closed_last_returns() {
        let (_folder, sessions) = folder();
        let (first, second) = (sessions.claim(true), sessions.claim(true));
        assert_ne!(first.store.as_ref().expect("a file").path(), second.store.as_ref().expect("a file").path());
        close(second, &["b.frag"]);
        close(first, &["a.frag"]);
        let third = sessions.claim(true);
        assert_eq!(third.session.open, [program("a.frag")]);
        assert_eq!(first_names(&third.earlier), [program("b.frag").paths[0].clone()]);
        assert_eq!(third.session.recent, [program("b.frag")], "the recent lists are merged");
    }

    #[test]
    fn files_that_are_opened_at_the_start_leave_the_last_session_as_it_is() {
        let (_folder, sessions) = folder();
        close(sessions.claim(true), &["a.frag"]);
        let fresh = sessions.claim(false);
        assert_eq!((&fresh.session.open, fresh.earlier.len()), (&vec![program("a.frag")], 0), "it can be reopened");
        close(fresh, &["b.frag"]);
        let next = sessions.claim(true);
        assert_eq!((next.session.open, next.earlier.len()), (vec![program("b.frag")], 1));
    }

    #[test]
    fn a_running_window_keeps_its_file_and_shares_its_recent_list() {
        let (_folder, sessions) = folder();
        let running = sessions.claim(true);
        let store = running.store.clone().expect("a file");
        store.save(&session(&["a.frag"])).expect("the folder is writable");
        let other = sessions.claim(true);
        assert!(other.session.open.is_empty() && other.earlier.is_empty());
        assert_eq!(other.session.recent, [program("a.frag")]);
        assert_ne!(other.store.expect("a file").path(), store.path());
    }

    #[test]
    fn a_lock_that_a_killed_process_left_is_ignored() {
        let (_folder, sessions) = folder();
        close(sessions.claim(true), &["a.frag"]);
        std::fs::write(sessions.path.join("session.json.lock"), "4711").expect("writable");
        assert_eq!(sessions.claim(true).session.open, [program("a.frag")]);
    }

    #[test]
    fn the_number_of_kept_sessions_is_bounded() {
        let (_folder, sessions) = folder();
        for number in 0..KEPT + 4 {
            close(sessions.claim(false), &[&format!("{number}.frag")]);
        }
        let claim = sessions.claim(false);
        assert_eq!(claim.earlier.len(), KEPT - 1, "and the last one");
        assert_eq!(claim.session.open, [program(&format!("{}.frag", KEPT + 3))]);
        let files = std::fs::read_dir(&sessions.path).expect("readable").count();
        assert!(files <= 2 * (KEPT + 2), "{files} files");
    }

    #[test]
    fn each_session_that_cannot_be_read_is_reported() {
        let (_folder, sessions) = folder();
        let (first, second) = (sessions.claim(true), sessions.claim(true));
        let files = [&first, &second].map(|claim| claim.store.as_ref().expect("a file").path().to_owned());
        close(first, &["a.frag"]);
        close(second, &["b.frag"]);
        files.iter().for_each(|file| std::fs::write(file, "{").expect("writable"));
        let claim = sessions.claim(true);
        assert_eq!(claim.trouble.len(), 2, "{:?}", claim.trouble);
        assert!(claim.trouble.iter().all(|why| why.contains("cannot be read")), "{:?}", claim.trouble);
    }

    #[test]
    fn a_folder_that_cannot_be_written_is_a_message() {
        let (folder, _) = folder();
        let in_the_way = folder.path().join("file");
        std::fs::write(&in_the_way, "").expect("writable");
        let claim = Folder::at(in_the_way).claim(true);
        assert!(claim.store.is_none() && claim.trouble[0].contains("cannot be saved"), "{:?}", claim.trouble);
    }
}
