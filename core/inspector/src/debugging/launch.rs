//! The launch of a work graph's record: what it has written, beside what the device's launch wrote.

use lanescope_core::gpu::PairState;
use lanescope_core::table::{Cell, Column, Key, Meaning, Table, Width};

/// The launch that a session is of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LaunchStop {
    /// `record 2 of Split[0] in generation 2`.
    pub title: String,
    /// The fields of the record; of a coalescing group those of its first record.
    pub input: String,
    /// The device of the run.
    pub device: String,
    /// How what it has written compares.
    pub verdict: LaunchVerdict,
    /// The records, at most [`LaunchStop::ROWS`].
    pub rows: Vec<WrittenRow>,
    /// How many there are more.
    pub more: usize,
}

/// How the records of a launch compare with those of the device's launch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LaunchVerdict {
    /// The launch has not ended.
    Running,
    /// The same records, in any order.
    Same,
    /// Other records.
    Different,
    /// The run does not say what the device's launch wrote, for this reason.
    NotCompared(&'static str),
    /// What the launch has written cannot be read, for this reason.
    Broken(String),
}

/// A record that was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenRow {
    /// The id that it was sent to.
    pub target: String,
    /// Its fields as the interpreter wrote it.
    pub ours: Option<String>,
    /// Its fields as the device wrote it.
    pub theirs: Option<String>,
    /// How these compare.
    pub state: PairState,
}

impl LaunchStop {
    /// The most rows.
    pub const ROWS: usize = 1024;

    /// The verdict in a line.
    pub fn verdict_text(&self) -> String {
        let device = &self.device;
        match &self.verdict {
            LaunchVerdict::Running => format!("Written so far; compared with {device} at the end of the launch"),
            LaunchVerdict::Same => format!("The same records as on {device}"),
            LaunchVerdict::Different => format!("Other records than on {device}"),
            LaunchVerdict::NotCompared(why) => format!("Not compared: {why}"),
            LaunchVerdict::Broken(why) => format!("The written records cannot be read: {why}"),
        }
    }

    /// Whether the verdict is an error.
    pub fn is_wrong(&self) -> bool {
        matches!(self.verdict, LaunchVerdict::Different | LaunchVerdict::Broken(_))
    }
}

impl WrittenRow {
    /// The comparison as a word. A launch that runs still writes, so a difference is not final.
    pub fn word(&self, ended: bool) -> &'static str {
        match (self.state, ended) {
            (PairState::Same, _) => "same",
            (PairState::NotCompared, _) => "not compared",
            (PairState::OnlySecond, false) => "not yet",
            (PairState::Different | PairState::OnlyFirst, false) => "in progress",
            (PairState::Different, true) => "different",
            (PairState::OnlyFirst, true) => "not on the device",
            (PairState::OnlySecond, true) => "only on the device",
        }
    }
}

/// The records that a launch wrote. Keys are their indices.
pub fn written_table(launch: &LaunchStop) -> Table {
    let fields = |title| Column::left(title).width(Width::AtMost(64));
    let columns = [Column::left("To"), Column::left("Compared"), fields("Interpreter"), fields("Device")];
    let mut table = Table::new(columns).titled("Written records").with_words();
    let ended = launch.verdict != LaunchVerdict::Running;
    for (index, row) in launch.rows.iter().enumerate() {
        let meaning = match (row.state, ended) {
            (PairState::Same | PairState::NotCompared, _) | (_, false) => Meaning::Dimmed,
            (PairState::Different | PairState::OnlyFirst | PairState::OnlySecond, true) => Meaning::Changed,
        };
        let fields = |text: &Option<String>| Cell::code(text.as_deref().unwrap_or("-"));
        let word = Cell::of(meaning, row.word(ended));
        table.push(Key::Item(index), [Cell::code(&row.target), word, fields(&row.ours), fields(&row.theirs)]);
    }
    table
}
