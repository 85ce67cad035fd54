//! Keys that mean something else in one tab.

use lanescope_inspector::chord::{Chord, Key};
use lanescope_inspector::command::Command;
use lanescope_inspector::debugging::DebugCommand;
use lanescope_inspector::view::ViewId;

/// The tab in which keys step the debugger.
pub const DEBUG_TAB: ViewId = ViewId::Debug;

/// Keys that do something else in the tab *Debug*: that of graphics debuggers.
static IN_DEBUG_TAB: [(Chord, Command); 1] = [(Chord::plain(Key::F(10)), Command::Debug(DebugCommand::StepOver))];

/// The keys of the tab *Debug* with what they do there; none in another tab.
pub fn keys_of_tab(tab: Option<ViewId>) -> &'static [(Chord, Command)] {
    if tab == Some(DEBUG_TAB) { &IN_DEBUG_TAB } else { &[] }
}
