//! Views by name, and requests to the one in front.

/// A view's name and what it is for.
#[derive(Debug)]
pub struct ViewInfo {
    /// Stable name, for sessions and `--view`.
    pub name: &'static str,
    /// The tab's title.
    pub title: &'static str,
    /// One line of help.
    pub about: &'static str,
    /// What it answers to.
    pub answers: &'static [Ask],
}

/// A request of the window to a view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ask {
    /// Put the keyboard into its search field.
    Search,
    /// Answer with a copy of its table.
    CopyTable,
    /// Answer with its picture, to be saved.
    ExportPicture,
    /// Go to the next change.
    NextChange,
    /// Go to the change before.
    PreviousChange,
    /// Put the keyboard into the field of the generation.
    Generation,
    /// Ask for a line of its text to go to.
    GoToLine,
    /// Set or remove a bookmark at the line of the caret.
    ToggleBookmark,
    /// Go to the next bookmark.
    NextBookmark,
    /// Go to the bookmark before.
    PreviousBookmark,
}
