//! Saved state of the window: open programs with their options and selection, the layout of the tabs, the recent list.
//!
//! Kept as JSON in the user's configuration folder. A session that cannot be read is set aside, one that cannot be
//! written is a message: neither keeps the window from opening.

use std::collections::{BTreeMap, VecDeque};
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use etcetera::{AppStrategy as _, AppStrategyArgs};
use lanescope_core::options::Options;
use lanescope_core::run::Place;
use lanescope_inspector::layout::SavedTabs;
use lanescope_inspector::selection::Selection;
pub use lanescope_inspector::settings::Theme;
use lanescope_inspector::settings::{CompileSettings, RunSettings, SpeculativeSettings, StatisticsSettings};
use rustix::io::Errno;
use rustix::process::{Pid, test_kill_process};
use serde::{Deserialize, Serialize};

use crate::files::{all_of, put_beside};

/// How many programs the recent list keeps.
const RECENT: usize = 20;

/// The largest session file that is read, in bytes.
const MAX_BYTES: u64 = 4 << 20;

/// What is remembered.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Session {
    /// The programs that were open, in the order of the switcher.
    pub open: Vec<Remembered>,
    /// Index of the one that was shown.
    pub active: usize,
    /// Programs that were opened before, newest first.
    pub recent: VecDeque<Remembered>,
    /// The mode, the arrangement of its tabs, the drawer, the panel of findings.
    pub tabs: SavedTabs,
    /// Light, dark, or as the system says.
    pub theme: Theme,
    /// Whether the options panel is shown.
    pub options_shown: Option<bool>,
    /// How programs are rewritten, run and measured.
    pub run: RunSettings,
    /// How drivers' compilers are run.
    pub compile: CompileSettings,
    /// How stages are compiled speculatively.
    pub ahead: SpeculativeSettings,
    /// How what compilers count is looked at.
    pub statistics: StatisticsSettings,
    /// Size of the window in points.
    pub size: Option<[f32; 2]>,
}

/// One program and how it was looked at.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Remembered {
    /// Its files; absolute.
    pub paths: Vec<PathBuf>,
    /// The first setting.
    #[serde(default)]
    pub options: Options,
    /// The second setting, where two are shown side by side.
    #[serde(default)]
    pub other: Option<Options>,
    /// What was selected.
    #[serde(default)]
    pub selection: Selection,
    /// Files that fill buffers and images of its runs.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub contents: BTreeMap<Place, PathBuf>,
    /// The files of the program that it was compared with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub against: Option<Vec<PathBuf>>,
}

impl Session {
    /// Puts a program at the head of the recent list.
    pub fn remember(&mut self, program: Remembered) {
        self.recent.retain(|old| old.paths != program.paths);
        self.recent.push_front(program);
        self.recent.truncate(RECENT);
    }

    /// How these files were looked at the last time.
    pub fn recall(&self, paths: &[PathBuf]) -> Option<&Remembered> {
        self.open.iter().chain(&self.recent).find(|program| program.paths == paths)
    }

    /// Reads what [`Session::to_json`] wrote.
    ///
    /// # Errors
    /// A file that is not a session.
    pub fn from_json(text: &[u8]) -> serde_json::Result<Session> {
        serde_json::from_slice(text)
    }

    /// The session as text. Programs whose names are not Unicode are left out: JSON cannot hold them.
    ///
    /// # Errors
    /// A number that JSON does not have.
    pub fn to_json(&self) -> serde_json::Result<Vec<u8>> {
        let writable = |program: &Remembered| {
            let mut all = program.paths.iter().chain(program.against.iter().flatten()).chain(program.contents.values());
            all.all(|path| path.to_str().is_some())
        };
        let mut session = self.clone();
        session.active -= session.open.iter().take(self.active).filter(|program| !writable(program)).count();
        session.open.retain(writable);
        session.recent.retain(writable);
        serde_json::to_vec_pretty(&session)
    }
}

/// Where the session is kept. Clones are the same place: one of them writes at a time.
#[derive(Debug, Clone)]
pub struct Store {
    path: PathBuf,
    /// The last session was written: whoever writes an older one comes too late.
    closed: Arc<Mutex<bool>>,
}

impl Store {
    /// The user's own: `lanescope/session.json` in the configuration folder. None without a home.
    pub fn of_user() -> Option<Store> {
        let strategy = etcetera::choose_app_strategy(AppStrategyArgs {
            top_level_domain: "org".to_owned(),
            author: "Lanescope".to_owned(),
            app_name: "lanescope".to_owned(),
        });
        strategy.ok().map(|strategy| Store::at(strategy.in_config_dir("session.json")))
    }

    /// A session in this file.
    pub fn at(path: PathBuf) -> Store {
        Store { path, closed: Arc::default() }
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

    fn read(&self) -> io::Result<Session> {
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

    /// Removes what processes that were killed while they wrote have left.
    fn sweep(&self, folder: &Path) {
        let name = self.path.file_name().and_then(OsStr::to_str);
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        for path in entries.map(|entry| entry.path()) {
            let rest = path.file_name().and_then(OsStr::to_str).zip(name).and_then(|(it, name)| it.strip_prefix(name));
            let process = rest.and_then(|rest| i32::try_from(rest.strip_prefix('.')?.parse::<u32>().ok()?).ok());
            let process = process.and_then(Pid::from_raw);
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

    use lanescope_core::driver::{Column, Link, Version};
    use lanescope_core::options::Conversion;
    use lanescope_core::target::Target;
    use lanescope_inspector::layout::Layout;
    use lanescope_inspector::mode::Mode;
    use lanescope_inspector::selection::{Listed, Varying};

    use super::*;

    fn program(name: &str) -> Remembered {
        Remembered {
            paths: vec![PathBuf::from("/shaders").join(name)],
            options: Options {
                entry: vec!["main".to_owned()],
                target: Target::Gfx1100,
                no_pack: true,
                dxil: Conversion { wave_size: Some(32), ..Conversion::default() },
                ..Options::default()
            },
            other: Some(Options::default()),
            selection: Selection {
                varying: Some(Varying { location: 3, component: Some(1) }),
                invocation: Some([1, 2, 0]),
                register: Some("SPI_PS_IN_CONTROL".to_owned()),
                listed: Some(Listed { input: 1, line: 12 }),
                gone: 0,
                code: None,
            },
            against: Some(vec![PathBuf::from("/shaders/old.frag")]),
            contents: BTreeMap::from([(Place::Register('u', 0, 1), PathBuf::from("/data/u0.bin"))]),
        }
    }

    fn session() -> Session {
        let view = |name: &str| Layout::View(name.to_owned());
        let layout = Layout::Row(vec![
            (2.0, Layout::Tabs { children: vec![view("isa"), view("statistics")], active: 1 }),
            (1.0, Layout::Column(vec![(1.0, view("source"))])),
        ]);
        Session {
            open: vec![program("a.frag"), program("b.comp")],
            active: 1,
            recent: VecDeque::from([program("c.frag")]),
            tabs: SavedTabs {
                mode: Mode::Compiled,
                layouts: BTreeMap::from([("compiled: source isa statistics".to_owned(), layout)]),
                inspect: Some("dxil".to_owned()),
                findings: true,
            },
            theme: Theme::Dark,
            options_shown: Some(false),
            run: RunSettings { device: Some("llvmpipe".to_owned()), fill: 7, ..RunSettings::default() },
            compile: CompileSettings { packed: false, seconds: 7, ..CompileSettings::default() },
            ahead: SpeculativeSettings { repeats: 9, gap: Some(0), keep: false },
            statistics: StatisticsSettings {
                hidden: vec![Column {
                    place: "gfx900".to_owned(),
                    driver: None,
                    of: Version::Packed,
                    link: Link::Apart,
                    failed: None,
                }],
                differences_only: true,
            },
            size: Some([1200.0, 800.0]),
        }
    }

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
        store.save(&session()).expect("the folder is writable");
        left.iter().for_each(|path| std::fs::write(path, "{").expect("writable"));
        store.save(&session()).expect("the folder is writable");
        assert_eq!(left.map(|path| path.exists()), [false, true, true, true, true]);
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

    #[test]
    fn the_recent_list_is_bounded_and_unique() {
        let mut session = Session::default();
        for i in 0..30 {
            session.remember(program(&format!("{}.frag", i % 25)));
        }
        assert_eq!(session.recent.len(), RECENT);
        assert_eq!(session.recent.front(), Some(&program("4.frag")));
        assert_eq!(session.recall(&program("20.frag").paths), Some(&program("20.frag")));
    }
}
