//! The services around the state: jobs, watched files, the session file. They carry out effects and return outcomes.

use std::time::Duration;

use crate::engine::Engine;
use crate::outcome::Outcome;
use crate::state::State;
use crate::state::tasks::Tag;
use crate::update::effects::{Effect, Effects, Job};
use crate::update::{follow, take, take_change};
use lanescope_host::jobs::{Jobs, News, Wake};
use lanescope_host::session::Store;
use lanescope_host::watch::Watch;

/// The session is written when nothing has changed for this long.
const SAVE_AFTER: Duration = Duration::from_secs(1);

/// How long it takes until the session is to be written ([`Command::SaveSession`]): nothing where it has rested long
/// enough, `None` where it has not changed.
///
/// [`Command::SaveSession`]: lanescope_inspector::command::Command::SaveSession
pub fn until_saved(state: &State) -> Option<Duration> {
    state.unsaved_since.map(|since| SAVE_AFTER.saturating_sub(since.elapsed()))
}

/// The services.
pub struct Services {
    /// The work of jobs.
    pub engine: Engine,
    /// Jobs.
    pub jobs: Jobs<Tag, Outcome>,
    /// Where the session is written; absent without a home folder.
    pub store: Option<Store>,
    watch: Watch,
    /// How often results or changes were taken: what is shown may be other than before.
    pub received: u64,
}

impl Services {
    /// Services that call `wake` when [`Services::poll`] has something to take.
    pub fn new(engine: Engine, store: Option<Store>, wake: Wake) -> Services {
        Services { engine, jobs: Jobs::new(std::sync::Arc::clone(&wake)), store, watch: Watch::new(wake), received: 0 }
    }

    /// Takes results of jobs and changes of watched files since the last call. Returns the effects that are left to the
    /// caller.
    pub fn poll(&mut self, state: &mut State) -> Vec<Effect> {
        let mut left = self.carry_out(follow(state));
        let news: Vec<(Tag, News<Outcome>)> = self.jobs.poll();
        let changes = self.watch.poll();
        state.running.refresh(self.jobs.statuses());
        if news.is_empty() && changes.is_empty() {
            return left;
        }
        self.received += 1;
        for (tag, news) in news {
            let effects = take(state, &tag, news);
            left.extend(self.carry_out(effects));
        }
        for change in changes {
            let effects = take_change(state, change);
            left.extend(self.carry_out(effects));
        }
        left.extend(self.carry_out(follow(state)));
        left
    }

    /// Ends all work, and writes the session.
    ///
    /// # Errors
    /// Why it was not written.
    pub fn end(&mut self, state: &mut State) -> Result<(), String> {
        self.jobs.cancel_all();
        state.remember_open();
        self.store.as_ref().map_or(Ok(()), |store| store.save_last(state.session_now()))
    }

    /// Carries out effects on jobs and files, in order. Returns those that are left to the caller: of the screen.
    pub fn carry_out(&mut self, effects: Effects) -> Vec<Effect> {
        let mut left = Vec::new();
        for effect in effects {
            match effect {
                Effect::Start(Job { tag, name, work }) => {
                    let engine = self.engine.clone();
                    self.jobs.start(tag, name, move |job| work(&engine, job));
                }
                Effect::Cancel(tag) => self.jobs.cancel(&tag),
                Effect::Watch(files) => self.watch.set(files),
                Effect::SaveSession(session) => {
                    let Some(store) = self.store.clone() else { continue };
                    let save = move |_: &_| Outcome::SavedSession(store.save(&session));
                    self.jobs.start(Tag::Session, "saving the session", save);
                }
                effect => left.push(effect),
            }
        }
        left
    }
}
