//! What an update asks the program around it to do.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::SystemTime;

use lanescope_core::run::Place;
use lanescope_inspector::ProgramId;
use lanescope_inspector::command::Purpose;
use lanescope_inspector::settings::Theme;
use lanescope_inspector::view::Ask;

use crate::engine::Engine;
use crate::outcome::Outcome;
use crate::state::State;
use crate::state::tasks::Tag;
use lanescope_host::jobs::Control;
use lanescope_host::session::Session;

/// The work of a job.
pub type Work = Box<dyn FnOnce(&Engine, &Control<Outcome>) -> Outcome + Send>;

/// Something to do outside of the state.
pub enum Effect {
    /// Start a job.
    Start(Job),
    /// Cancel the job of a tag.
    Cancel(Tag),
    /// Watch these files and no others, each from this time on.
    Watch(BTreeMap<PathBuf, SystemTime>),
    /// Write the session.
    SaveSession(Box<Session>),
    /// Ask for a path with the system's dialog, as a job with the tag [`Tag::Dialog`].
    Dialog(Dialog),
    /// Put text on the clipboard.
    Copy(String),
    /// Set the window's title.
    Title(String),
    /// Close the window.
    Close,
    /// Draw everything in this size, 1 where it is normal.
    Zoom(f32),
    /// Use these colors.
    Theme(Theme),
    /// Request something of the view that has the keys.
    Ask(Ask),
    /// Put the keyboard into the view that has the keys.
    EnterTab,
    /// Forget a program that was closed.
    Forget(ProgramId),
}

/// A job.
pub struct Job {
    /// Its tag: of one tag one job runs at a time, and a newer one replaces a waiting one.
    pub tag: Tag,
    /// What it does: `loading lit.frag`.
    pub name: String,
    /// Its work.
    pub work: Work,
}

/// A dialog of the system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Dialog {
    /// Files to open, or to compare with.
    Files(Purpose, Option<PathBuf>),
    /// A file that fills a buffer or an image of a program.
    Contents(ProgramId, Place, Option<PathBuf>),
    /// Where to save a file of this name.
    Save(String),
    /// A folder to save into.
    Folder,
    /// A file of records for a program.
    Records(ProgramId),
}

/// Effects, in order.
#[derive(Default)]
pub struct Effects(Vec<Effect>);

impl Effects {
    /// Adds one.
    pub fn push(&mut self, effect: Effect) {
        self.0.push(effect);
    }

    /// Starts a job.
    pub fn start(
        &mut self,
        state: &mut State,
        tag: Tag,
        name: impl Into<String>,
        work: impl FnOnce(&Engine, &Control<Outcome>) -> Outcome + Send + 'static,
    ) {
        let name = name.into();
        state.running.begin(tag.clone(), &name);
        self.push(Effect::Start(Job { tag, name, work: Box::new(work) }));
    }

    /// Cancels a job.
    pub fn cancel(&mut self, state: &mut State, tag: Tag) {
        state.running.end(&tag);
        self.push(Effect::Cancel(tag));
    }

    /// Opens a dialog of the system. False if one is open already, which is reported.
    pub fn dialog(&mut self, state: &mut State, dialog: Dialog) -> bool {
        if state.running.is_busy(&Tag::Dialog) {
            state.messages.info("Another file dialog is already open.");
            return false;
        }
        state.running.begin(Tag::Dialog, "waiting for the file dialog");
        self.push(Effect::Dialog(dialog));
        true
    }
}

impl IntoIterator for Effects {
    type Item = Effect;
    type IntoIter = std::vec::IntoIter<Effect>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}
