//! Files that change on disk.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant, SystemTime};

use lanescope_core::load::of_database;
use lanescope_core::program::Program;
use notify::event::{EventKind, ModifyKind};
use notify::{ErrorKind, Event, RecommendedWatcher, RecursiveMode, Watcher as _};

use crate::jobs::Wake;

/// How long a file must rest before its change is reported: editors write in several steps.
const REST: Duration = Duration::from_millis(150);

/// Watches files from a thread of its own; ends when dropped.
pub struct Watch {
    commands: Sender<Message>,
    changes: Receiver<Change>,
}

/// An event of the watched files.
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

/// The files whose change changes a program: its own, given by absolute paths, and those that they include.
pub fn files_of(paths: &[PathBuf], program: &Program) -> impl Iterator<Item = PathBuf> {
    let includes = program.modules.iter().flat_map(move |module| {
        let folder = paths.get(module.input).and_then(|path| path.parent()).unwrap_or(Path::new("/"));
        module.includes.iter().map(move |include| folder.join(include))
    });
    let of_hlsl = program.dxil.iter().flat_map(|loaded| loaded.includes.iter().map(PathBuf::from));
    let without_key = |path: &PathBuf| of_database(path).map_or_else(|| path.clone(), |(file, _)| file);
    paths.iter().map(without_key).chain(includes).chain(of_hlsl)
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

    /// Watches these files and no others, each from the time on at which it was begun to be read: what changed before
    /// it was watched is reported too.
    pub fn set(&self, files: BTreeMap<PathBuf, SystemTime>) {
        // Without a watcher thread nothing is watched, which was reported.
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

fn follow(watcher: RecommendedWatcher, messages: &Receiver<Message>, tell: impl Fn(Change)) {
    let mut watched = Watched {
        watcher,
        files: BTreeMap::new(),
        by_event: BTreeMap::new(),
        folders: BTreeMap::new(),
        changed: BTreeSet::new(),
        rested: Instant::now(),
    };
    loop {
        let message = if watched.changed.is_empty() {
            messages.recv().map_err(|_| RecvTimeoutError::Disconnected)
        } else {
            messages.recv_timeout(watched.rested.saturating_duration_since(Instant::now()))
        };
        match message {
            Ok(Message::Set(files)) => watched.set(files, &tell),
            Ok(Message::Event(Ok(event))) => watched.take(&event, &tell),
            Ok(Message::Event(Err(error))) => tell(Change::Unwatched(error.to_string())),
            Ok(Message::End) | Err(RecvTimeoutError::Disconnected) => return,
            Err(RecvTimeoutError::Timeout) => tell(Change::Files(std::mem::take(&mut watched.changed))),
        }
    }
}

/// What is watched, and which files have changed since that was reported.
///
/// Folders are watched, not files: editors replace a file by renaming a new one over it. They are watched under their
/// real paths only: the system knows a folder once, and reports events under the name that was added last.
struct Watched {
    watcher: RecommendedWatcher,
    /// The files as they are called by who wants them, and when each was begun to be read.
    files: BTreeMap<PathBuf, SystemTime>,
    /// Those files by the paths in events: several names may refer to one.
    by_event: BTreeMap<PathBuf, BTreeSet<PathBuf>>,
    /// The folders of those paths, and whether each can be watched.
    folders: BTreeMap<PathBuf, bool>,
    changed: BTreeSet<PathBuf>,
    /// When what has changed is reported, unless more follows.
    rested: Instant,
}

impl Watched {
    /// Watches these files and no others.
    fn set(&mut self, files: BTreeMap<PathBuf, SystemTime>, tell: &impl Fn(Change)) {
        let before = std::mem::replace(&mut self.files, files);
        self.watch_folders(tell);
        // From here on there are events; what came before them is seen by its time.
        let anew = self.files.iter().filter(|(file, since)| before.get(*file) != Some(*since));
        let changed: Vec<_> =
            anew.filter(|(file, since)| changed_since(file, **since)).map(|(file, _)| file.clone()).collect();
        self.note(changed);
    }

    fn take(&mut self, event: &Event, tell: &impl Fn(Change)) {
        if event.need_rescan() {
            // Events were lost: anything may have changed.
            self.watch_folders(tell);
            self.note(self.files.keys().cloned().collect());
        } else if changes_content(event.kind) {
            let concerns = |place: &Path| event.paths.iter().any(|path| place.starts_with(path));
            let files = self.by_event.iter().filter(|(place, _)| concerns(place)).flat_map(|(_, files)| files);
            let changed: Vec<_> = files.cloned().collect();
            // A file that is only written is where it was.
            if !changed.is_empty() && !matches!(event.kind, EventKind::Modify(ModifyKind::Data(_))) {
                for folder in self.folders.keys().filter(|folder| concerns(folder)) {
                    // It was removed, or goes by another name now: what is called so from here on is another one.
                    let _ = self.watcher.unwatch(folder);
                }
                self.watch_folders(tell);
            }
            self.note(changed);
        }
    }

    /// Waits until these rest, and then reports them.
    fn note(&mut self, changed: Vec<PathBuf>) {
        if !changed.is_empty() {
            self.changed.extend(changed);
            self.rested = Instant::now() + REST;
        }
    }

    /// Watches the folders of all files, where they are now.
    fn watch_folders(&mut self, tell: &impl Fn(Change)) {
        loop {
            let mut by_event = BTreeMap::<_, BTreeSet<_>>::new();
            for (file, place) in self.files.keys().flat_map(|file| places(file).map(move |place| (file, place))) {
                by_event.entry(place).or_default().insert(file.clone());
            }
            let wanted: BTreeSet<&Path> = by_event.keys().filter_map(|place| place.parent()).collect();
            let known = std::mem::take(&mut self.folders);
            for folder in known.keys().filter(|folder| !wanted.contains(folder.as_path())) {
                // A folder that is gone is not watched either.
                let _ = self.watcher.unwatch(folder);
            }
            let mut rests = true;
            // Also those that are watched already: one that was removed and made again is another one.
            for folder in wanted {
                let watched = self.watcher.watch(folder, RecursiveMode::NonRecursive);
                match (&watched, known.get(folder)) {
                    (Err(error), _) if is_gone(error) => rests = false,
                    (Err(error), None | Some(true)) => {
                        tell(Change::Unwatched(format!("{}: {error}", folder.display())));
                    }
                    _ => {}
                }
                self.folders.insert(folder.to_owned(), watched.is_ok());
            }
            // What was made before its folder was watched had no event.
            if std::mem::replace(&mut self.by_event, by_event) == self.by_event && rests {
                return;
            }
        }
    }
}

/// The folders whose events concern a file: that of its name, and that of its link target. Below a folder that is not
/// there it is the name that is missing.
fn places(file: &Path) -> impl Iterator<Item = PathBuf> {
    let below = |(folder, inner): (&Path, &Path)| Some(folder.canonicalize().ok()?.join(inner.file_name()?));
    let name = file.ancestors().skip(1).zip(file.ancestors()).find_map(below);
    name.into_iter().chain(file.canonicalize().ok())
}

/// Whether a folder is not watched because it is not there.
fn is_gone(error: &notify::Error) -> bool {
    match &error.kind {
        ErrorKind::PathNotFound => true,
        ErrorKind::Io(error) => error.kind() == std::io::ErrorKind::NotFound,
        _ => false,
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

    /// A watch on a new folder, and the channel of its events.
    fn watch() -> (tempfile::TempDir, Watch, Receiver<()>) {
        let (wake, woken) = mpsc::channel();
        let watch = Watch::new(Arc::new(move || {
            let _ = wake.send(());
        }));
        (tempfile::tempdir().expect("a temporary folder"), watch, woken)
    }

    /// Watches these files from now on.
    fn begin<const N: usize>(watch: &Watch, files: [&PathBuf; N]) {
        watch.set(files.map(|file| (file.clone(), SystemTime::now())).into());
        std::thread::sleep(Duration::from_millis(100));
    }

    fn told<const N: usize>(files: [&PathBuf; N]) -> Option<Change> {
        Some(Change::Files(files.map(PathBuf::clone).into()))
    }

    /// Waits for the next change, for at most a while.
    fn next(watch: &Watch, woken: &Receiver<()>, patience: Duration) -> Option<Change> {
        woken.recv_timeout(patience).ok()?;
        watch.poll().into_iter().next()
    }

    #[test]
    fn reports_writes_replacements_and_removals_once() {
        let (folder, watch, woken) = watch();
        // Events carry real paths.
        let root = folder.path().canonicalize().expect("it is there");
        let (file, neighbour, fresh) = (root.join("a.frag"), root.join("b.frag"), root.join("a.frag~"));
        std::fs::write(&file, "0").expect("writable");
        watch.set(BTreeMap::from([(file.clone(), SystemTime::now())]));
        // Watching begins in the thread: from then on there are events, which are what is tested here.
        std::thread::sleep(Duration::from_millis(100));

        let expected = Some(Change::Files(BTreeSet::from([file.clone()])));
        for round in 0..3 {
            for _ in 0..5 {
                std::fs::write(&file, format!("{round}")).expect("writable");
            }
            assert_eq!(next(&watch, &woken, Duration::from_secs(10)), expected, "written");
        }
        std::fs::write(&fresh, "new").and_then(|()| std::fs::rename(&fresh, &file)).expect("writable");
        assert_eq!(next(&watch, &woken, Duration::from_secs(10)), expected, "replaced");
        std::fs::remove_file(&file).expect("writable");
        assert_eq!(next(&watch, &woken, Duration::from_secs(10)), expected, "removed");

        std::fs::write(&neighbour, "1").and_then(|()| std::fs::read(&neighbour).map(drop)).expect("writable");
        assert_eq!(next(&watch, &woken, REST * 3), None, "a neighbour is not watched");
        watch.set(BTreeMap::new());
        std::thread::sleep(Duration::from_millis(50));
        std::fs::write(&file, "1").expect("writable");
        assert_eq!(next(&watch, &woken, REST * 3), None, "no longer watched");
    }

    #[test]
    fn reports_changes_between_reading_and_watching() {
        let (folder, watch, woken) = watch();
        let (old, new) = (folder.path().join("old.frag"), folder.path().join("new.frag"));
        std::fs::write(&old, "0").expect("writable");
        // Files' times go in steps of some milliseconds.
        std::thread::sleep(Duration::from_millis(50));
        let since = SystemTime::now();
        std::thread::sleep(Duration::from_millis(50));
        std::fs::write(&new, "0").expect("writable");
        let both = BTreeMap::from([(old, since), (new.clone(), since)]);
        watch.set(both.clone());
        assert_eq!(next(&watch, &woken, Duration::from_secs(10)), Some(Change::Files(BTreeSet::from([new]))));
        watch.set(both);
        assert_eq!(next(&watch, &woken, REST * 3), None, "it was told");
    }

    #[test]
    fn a_link_changes_with_its_target() {
        let (folder, watch, woken) = watch();
        let root = folder.path().canonicalize().expect("it is there");
        let (far, link) = (root.join("far/a.frag"), root.join("a.frag"));
        std::fs::create_dir(root.join("far")).and_then(|()| std::fs::write(&far, "0")).expect("writable");
        std::os::unix::fs::symlink(&far, &link).expect("writable");
        watch.set(BTreeMap::from([(link.clone(), SystemTime::now())]));
        std::thread::sleep(Duration::from_millis(100));
        std::fs::write(&far, "1").expect("writable");
        let change = next(&watch, &woken, Duration::from_secs(10));
        assert_eq!(change, Some(Change::Files(BTreeSet::from([link]))));
    }

    #[test]
    fn watches_one_folder_under_all_its_names() {
        let (folder, watch, woken) = watch();
        let root = folder.path();
        std::fs::create_dir(root.join("x")).expect("writable");
        std::os::unix::fs::symlink(root, root.join("link")).expect("writable");
        let plain = root.join("a.frag");
        let (around, linked) = (root.join("x/../a.frag"), root.join("link/a.frag"));
        std::fs::write(&plain, "0").expect("writable");
        begin(&watch, [&plain, &around, &linked]);
        std::fs::write(&plain, "1").expect("writable");
        let patience = Duration::from_secs(10);
        assert_eq!(next(&watch, &woken, patience), told([&plain, &around, &linked]), "each of its names");
        for files in [[&around, &plain], [&linked, &plain]] {
            begin(&watch, files);
            // The other name goes, the folder stays.
            begin(&watch, [&plain]);
            std::fs::write(&plain, "2").expect("writable");
            assert_eq!(next(&watch, &woken, patience), told([&plain]));
        }
    }

    #[test]
    fn watches_a_recreated_folder_again() {
        let (folder, watch, woken) = watch();
        let out = folder.path().join("deep/out");
        let file = out.join("a.spv");
        let make = || std::fs::create_dir_all(&out).and_then(|()| std::fs::write(&file, "0")).expect("writable");
        make();
        begin(&watch, [&file]);
        let patience = Duration::from_secs(10);
        // Removed and made at once, with a rest between, and moved away.
        let remove = || std::fs::remove_dir_all(folder.path().join("deep")).expect("removable");
        remove();
        make();
        assert_eq!(next(&watch, &woken, patience), told([&file]), "made again");
        std::fs::write(&file, "1").expect("writable");
        assert_eq!(next(&watch, &woken, patience), told([&file]), "and watched again");
        remove();
        assert_eq!(next(&watch, &woken, patience), told([&file]), "removed");
        make();
        assert_eq!(next(&watch, &woken, patience), told([&file]), "made later");
        let aside = folder.path().join("aside");
        std::fs::rename(&out, &aside).expect("renames");
        assert_eq!(next(&watch, &woken, patience), told([&file]), "moved away");
        std::fs::write(aside.join("a.spv"), "2").expect("writable");
        assert_eq!(next(&watch, &woken, REST * 3), None, "what is elsewhere is another file");
        make();
        assert_eq!(next(&watch, &woken, patience), told([&file]), "and here it is again");
    }

    #[test]
    fn waits_for_a_missing_folder() {
        let (folder, watch, woken) = watch();
        let file = folder.path().join("not/yet/a.frag");
        begin(&watch, [&file]);
        std::fs::create_dir_all(folder.path().join("not/yet")).expect("writable");
        std::fs::write(&file, "0").expect("writable");
        assert_eq!(next(&watch, &woken, Duration::from_secs(10)), told([&file]));
    }

    #[test]
    fn reports_a_folder_that_cannot_be_watched() {
        use std::os::unix::fs::PermissionsExt;

        let folder = tempfile::tempdir().expect("a folder");
        let closed = folder.path().join("closed");
        std::fs::create_dir(&closed).expect("writable");
        for (path, mode) in [(folder.path(), 0o755), (&closed, 0o0)] {
            std::fs::set_permissions(path, PermissionsExt::from_mode(mode)).expect("it is ours");
        }
        let file = closed.join("a.frag");
        // Nothing is closed to root: a thread of its own, and those that it starts, continue as another user.
        let watched = std::thread::spawn(move || {
            if rustix::process::geteuid().is_root() {
                let nobody = rustix::process::Uid::from_raw(65534);
                rustix::thread::set_thread_res_uid(nobody, nobody, nobody).expect("root may be another user");
            }
            std::fs::read_dir(&closed).expect_err("it is closed");
            let (_folder, watch, woken) = watch();
            begin(&watch, [&file]);
            next(&watch, &woken, Duration::from_secs(10))
        });
        let change = watched.join().expect("the watch is made");
        assert!(matches!(&change, Some(Change::Unwatched(why)) if why.contains("closed")), "{change:?}");
    }
}
