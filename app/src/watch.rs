//! Files that change on disk.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant, SystemTime};

use notify::event::{EventKind, ModifyKind};
use notify::{Event, RecommendedWatcher, RecursiveMode, Watcher as _};

use crate::jobs::Wake;

/// How long a file must rest before its change is told: editors write in several steps.
const REST: Duration = Duration::from_millis(150);

/// Watches files from a thread of its own; ends when dropped.
pub struct Watch {
    commands: Sender<Message>,
    changes: Receiver<Change>,
}

/// What became of the watched files.
#[derive(Debug, PartialEq, Eq)]
pub enum Change {
    /// These files changed, appeared or vanished.
    Files(BTreeSet<PathBuf>),
    /// Something is not watched, and why.
    Unwatched(String),
}

enum Message {
    Set(BTreeMap<PathBuf, SystemTime>),
    Event(notify::Result<Event>),
    End,
}

impl Watch {
    /// Watches nothing yet. `wake` is called when [`Watch::poll`] would say something.
    pub fn new(wake: Wake) -> Watch {
        let (commands, messages) = mpsc::channel();
        let (told, changes) = mpsc::channel();
        let events = commands.clone();
        std::thread::spawn(move || {
            let tell = move |change| {
                if told.send(change).is_ok() {
                    wake();
                }
            };
            let handler = move |event| {
                // Fails only once the loop below has ended.
                let _ = events.send(Message::Event(event));
            };
            match notify::recommended_watcher(handler) {
                Ok(watcher) => follow(watcher, &messages, tell),
                Err(error) => tell(Change::Unwatched(error.to_string())),
            }
        });
        Watch { commands, changes }
    }

    /// Watches these files and no others, each from the time on at which it was begun to be read: what changed before it
    /// was watched is told too.
    pub fn set(&self, files: BTreeMap<PathBuf, SystemTime>) {
        // Without a watcher thread nothing is watched, which was told.
        let _ = self.commands.send(Message::Set(files));
    }

    /// What has happened since the last call.
    pub fn poll(&self) -> Vec<Change> {
        self.changes.try_iter().collect()
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let _ = self.commands.send(Message::End);
    }
}

fn follow(mut watcher: RecommendedWatcher, messages: &Receiver<Message>, tell: impl Fn(Change)) {
    // Folders are watched, not files: editors replace a file by renaming a new one over it.
    let mut folders: BTreeMap<PathBuf, bool> = BTreeMap::new();
    // By the path that is told in events: a file's own, and that of the file that a link leads to.
    let mut files: BTreeMap<PathBuf, PathBuf> = BTreeMap::new();
    let mut known: BTreeMap<PathBuf, SystemTime> = BTreeMap::new();
    let mut changed: BTreeSet<PathBuf> = BTreeSet::new();
    let mut rested = Instant::now();
    loop {
        let message = if changed.is_empty() {
            messages.recv().map_err(|_| RecvTimeoutError::Disconnected)
        } else {
            messages.recv_timeout(rested.saturating_duration_since(Instant::now()))
        };
        match message {
            Ok(Message::Set(wanted)) => {
                files = wanted.keys().map(|file| (file.clone(), file.clone())).collect();
                files.extend(wanted.keys().filter_map(|file| Some((file.canonicalize().ok()?, file.clone()))));
                let anew = wanted.iter().filter(|(file, since)| known.get(*file) != Some(*since));
                let anew: Vec<_> = anew.map(|(file, since)| (file.clone(), *since)).collect();
                known = wanted;
                let wanted: BTreeSet<&Path> = files.keys().filter_map(|file| file.parent()).collect();
                folders.retain(|folder, watched| {
                    let keep = wanted.contains(folder.as_path());
                    if !keep && *watched {
                        // A folder that is gone is not watched either.
                        let _ = watcher.unwatch(folder);
                    }
                    keep
                });
                for folder in wanted {
                    if folders.contains_key(folder) {
                        continue;
                    }
                    let watched = watcher.watch(folder, RecursiveMode::NonRecursive);
                    if let Err(error) = &watched {
                        tell(Change::Unwatched(format!("{}: {error}", folder.display())));
                    }
                    folders.insert(folder.to_owned(), watched.is_ok());
                }
                // From here on there are events; what came before them is seen by its time.
                for (file, _) in anew.into_iter().filter(|(file, since)| changed_since(file, *since)) {
                    changed.insert(file);
                    rested = Instant::now() + REST;
                }
            }
            Ok(Message::Event(Ok(event))) if changes_content(event.kind) => {
                let ours = event.paths.iter().filter_map(|path| files.get(path));
                let mut any = false;
                for file in ours {
                    any = true;
                    changed.insert(file.clone());
                }
                if any {
                    rested = Instant::now() + REST;
                }
            }
            Ok(Message::Event(Ok(_))) => {}
            Ok(Message::Event(Err(error))) => tell(Change::Unwatched(error.to_string())),
            Ok(Message::End) | Err(RecvTimeoutError::Disconnected) => return,
            Err(RecvTimeoutError::Timeout) => tell(Change::Files(std::mem::take(&mut changed))),
        }
    }
}

/// Whether a file was written after that time. A time that is still to come says nothing.
fn changed_since(file: &Path, since: SystemTime) -> bool {
    let written = std::fs::metadata(file).and_then(|about| about.modified());
    written.is_ok_and(|written| since < written && written <= SystemTime::now())
}

/// Reading a file is an event too, and must not lead to reading it again.
fn changes_content(kind: EventKind) -> bool {
    match kind {
        EventKind::Modify(ModifyKind::Metadata(_)) => false,
        EventKind::Create(_) | EventKind::Modify(_) | EventKind::Remove(_) => true,
        EventKind::Access(_) | EventKind::Any | EventKind::Other => false,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    /// Waits for the next change, for at most a while.
    fn next(watch: &Watch, woken: &Receiver<()>, patience: Duration) -> Option<Change> {
        woken.recv_timeout(patience).ok()?;
        watch.poll().into_iter().next()
    }

    #[test]
    fn writing_replacing_and_removing_are_told_once_and_neighbours_are_not() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        // Events carry real paths.
        let root = folder.path().canonicalize().expect("it is there");
        let (file, neighbour, fresh) = (root.join("a.frag"), root.join("b.frag"), root.join("a.frag~"));
        std::fs::write(&file, "0").expect("writable");
        let (wake, woken) = mpsc::channel();
        let watch = Watch::new(Arc::new(move || {
            let _ = wake.send(());
        }));
        watch.set(BTreeMap::from([(file.clone(), SystemTime::now())]));
        // Watching begins in the thread: from then on there are events, which are what is tested here.
        std::thread::sleep(Duration::from_millis(100));

        let told = Some(Change::Files(BTreeSet::from([file.clone()])));
        for round in 0..3 {
            for _ in 0..5 {
                std::fs::write(&file, format!("{round}")).expect("writable");
            }
            assert_eq!(next(&watch, &woken, Duration::from_secs(10)), told, "written");
        }
        std::fs::write(&fresh, "new").and_then(|()| std::fs::rename(&fresh, &file)).expect("writable");
        assert_eq!(next(&watch, &woken, Duration::from_secs(10)), told, "replaced");
        std::fs::remove_file(&file).expect("writable");
        assert_eq!(next(&watch, &woken, Duration::from_secs(10)), told, "removed");

        std::fs::write(&neighbour, "1").and_then(|()| std::fs::read(&neighbour).map(drop)).expect("writable");
        assert_eq!(next(&watch, &woken, REST * 3), None, "a neighbour is not watched");
        watch.set(BTreeMap::new());
        std::thread::sleep(Duration::from_millis(50));
        std::fs::write(&file, "1").expect("writable");
        assert_eq!(next(&watch, &woken, REST * 3), None, "no longer watched");
    }

    #[test]
    fn what_changed_between_reading_and_watching_is_told() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (old, new) = (folder.path().join("old.frag"), folder.path().join("new.frag"));
        std::fs::write(&old, "0").expect("writable");
        // Files' times go in steps of some milliseconds.
        std::thread::sleep(Duration::from_millis(50));
        let since = SystemTime::now();
        std::thread::sleep(Duration::from_millis(50));
        std::fs::write(&new, "0").expect("writable");
        let (wake, woken) = mpsc::channel();
        let watch = Watch::new(Arc::new(move || {
            let _ = wake.send(());
        }));
        let both = BTreeMap::from([(old, since), (new.clone(), since)]);
        watch.set(both.clone());
        assert_eq!(next(&watch, &woken, Duration::from_secs(10)), Some(Change::Files(BTreeSet::from([new]))));
        watch.set(both);
        assert_eq!(next(&watch, &woken, REST * 3), None, "it was told");
    }

    #[test]
    fn a_link_changes_with_the_file_that_it_leads_to() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let root = folder.path().canonicalize().expect("it is there");
        let (far, link) = (root.join("far/a.frag"), root.join("a.frag"));
        std::fs::create_dir(root.join("far")).and_then(|()| std::fs::write(&far, "0")).expect("writable");
        std::os::unix::fs::symlink(&far, &link).expect("writable");
        let (wake, woken) = mpsc::channel();
        let watch = Watch::new(Arc::new(move || {
            let _ = wake.send(());
        }));
        watch.set(BTreeMap::from([(link.clone(), SystemTime::now())]));
        std::thread::sleep(Duration::from_millis(100));
        std::fs::write(&far, "1").expect("writable");
        let told = next(&watch, &woken, Duration::from_secs(10));
        assert_eq!(told, Some(Change::Files(BTreeSet::from([link]))));
    }

    #[test]
    fn a_folder_that_is_not_there_is_told() {
        let (wake, woken) = mpsc::channel();
        let watch = Watch::new(Arc::new(move || {
            let _ = wake.send(());
        }));
        watch.set(BTreeMap::from([(PathBuf::from("/nowhere/at/all.frag"), SystemTime::now())]));
        let change = next(&watch, &woken, Duration::from_secs(10));
        assert!(matches!(&change, Some(Change::Unwatched(why)) if why.contains("/nowhere/at")), "{change:?}");
    }
}
