//! What a foreign compiler is doing, for whoever has to say so after a crash: it is said before the call.

use std::sync::OnceLock;

/// Hears what begins, and where that has ended nothing.
pub type Listener = fn(Option<&str>);

static LISTENER: OnceLock<Listener> = OnceLock::new();

/// Lets a process hear what begins and ends; once.
pub fn listen(listener: Listener) {
    // A second one is not heard.
    let _ = LISTENER.set(listener);
}

/// Something that is being done, until it is dropped.
pub(crate) struct Doing(());

/// Says what begins, where someone listens.
pub(crate) fn begin(what: impl FnOnce() -> String) -> Doing {
    if let Some(listener) = LISTENER.get() {
        listener(Some(&what()));
    }
    Doing(())
}

impl Drop for Doing {
    fn drop(&mut self) {
        if let Some(listener) = LISTENER.get() {
            listener(None);
        }
    }
}
