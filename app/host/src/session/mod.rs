//! Saved state of the window: open programs with their options and selection, the layout of the tabs, the recent list.
//!
//! Kept as JSON in the user's configuration folder. A session that cannot be read is set aside, one that cannot be
//! written is a message: neither keeps the window from opening.
//!
//! `store` reads and writes one session file; `folder` gives each window and each terminal a file of its own.

mod folder;
mod store;

use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;

pub use folder::{Claim, Earlier, Folder};
use lanescope_core::options::Options;
use lanescope_core::run::Place;
use lanescope_inspector::layout::{SavedTabs, ShownTabs};
use lanescope_inspector::selection::Selection;
pub use lanescope_inspector::settings::Theme;
use lanescope_inspector::settings::{
    CompileSettings, CostSettings, Preferences, RunSettings, SpeculativeSettings, StatisticsSettings, TextSettings,
};
use serde::{Deserialize, Serialize};
pub use store::Store;

/// How many programs the recent list keeps.
const RECENT: usize = 20;

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
    /// The arrangements of tabs.
    pub tabs: SavedTabs,
    /// What the user prefers.
    pub preferences: Preferences,
    /// Light, dark, or as the system says: of windows.
    pub theme: Theme,
    /// Light, dark, or as the terminal says: of terminals. Their colors are limited, and not those of the system.
    pub terminal_theme: Theme,
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
    /// Which form of their text programs are shown in.
    pub texts: TextSettings,
    /// How memory accesses are counted.
    pub costs: CostSettings,
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
    /// Push constants of its runs.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub push: String,
    /// Contents of buffers and images that are typed.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub buffers: String,
    /// States of samplers of its runs.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub samplers: String,
    /// What its runs draw.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub draw: String,
    /// The files of the program that it was compared with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub against: Option<Vec<PathBuf>>,
    /// The mode, the tabs in front, the drawer, the panel of findings. None: it was never shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tabs: Option<ShownTabs>,
}

impl Session {
    /// Puts a program at the head of the recent list.
    pub fn remember(&mut self, program: Remembered) {
        self.recent.retain(|old| old.paths != program.paths);
        self.recent.push_front(program);
        self.recent.truncate(RECENT);
    }

    /// Adds the programs that another session has opened before, after those of this one.
    pub fn merge_recent(&mut self, other: &Session) {
        for program in other.recent.iter().chain(&other.open) {
            if self.recent.len() < RECENT && self.recall(&program.paths).is_none() {
                self.recent.push_back(program.clone());
            }
        }
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

/// A session with something in every part, for tests.
#[cfg(test)]
pub mod fixtures {
    use lanescope_core::driver::{Column, Link, Version};
    use lanescope_core::options::Conversion;
    use lanescope_core::target::Target;
    use lanescope_inspector::layout::Layout;
    use lanescope_inspector::mode::Mode;
    use lanescope_inspector::selection::{Listed, Varying};
    use lanescope_inspector::source::TextForm;
    use lanescope_inspector::view::ViewId;

    use super::*;

    pub(super) fn program(name: &str) -> Remembered {
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
                stage: None,
            },
            against: Some(vec![PathBuf::from("/shaders/old.frag")]),
            contents: BTreeMap::from([(Place::Register('u', 0, 1), PathBuf::from("/data/u0.bin"))]),
            push: "scale=2".to_owned(),
            buffers: "u0=64".to_owned(),
            samplers: "s0=nearest".to_owned(),
            draw: "size=8x8".to_owned(),
            tabs: Some(ShownTabs {
                mode: Mode::Compiled,
                front: vec![ViewId::Source, ViewId::Isa],
                focus: Some(ViewId::Dxil),
                inspect: Some(ViewId::Dxil),
                findings: true,
            }),
        }
    }

    pub(super) fn session() -> Session {
        let view = Layout::View;
        let layout = Layout::Row(vec![
            (2.0, Layout::Tabs { children: vec![view(ViewId::Isa), view(ViewId::Statistics)], active: 1 }),
            (1.0, Layout::Column(vec![(1.0, view(ViewId::Source))])),
        ]);
        Session {
            open: vec![program("a.frag"), program("b.comp")],
            active: 1,
            recent: VecDeque::from([program("c.frag")]),
            tabs: SavedTabs { layouts: BTreeMap::from([("compiled: source isa statistics".to_owned(), layout)]) },
            preferences: Preferences { reopen: false, zoom: 1.2, target: Some(Target::Gfx1100) },
            theme: Theme::Dark,
            terminal_theme: Theme::Light,
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
            costs: CostSettings { pitch: 4096, ..CostSettings::DEFAULT },
            texts: TextSettings::default().with([TextForm::Source, TextForm::Module].into(), TextForm::Module),
            size: Some([1200.0, 800.0]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::fixtures::program;
    use super::*;

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

    #[test]
    fn recent_lists_are_merged_without_repeats() {
        let list = |names: &[&str]| names.iter().map(|name| program(name)).collect();
        let mut session = Session { recent: list(&["a.frag", "b.frag"]), ..Session::default() };
        session.merge_recent(&Session { recent: list(&["b.frag", "c.frag"]), ..Session::default() });
        assert_eq!(session.recent, list(&["a.frag", "b.frag", "c.frag"]));
        let many: Vec<String> = (0..30).map(|n| format!("{n}.frag")).collect();
        let many = many.iter().map(|name| program(name)).collect();
        session.merge_recent(&Session { recent: many, ..Session::default() });
        assert_eq!(session.recent.len(), RECENT);
    }
}
