//! The result over many pipelines that is shown: its parts, and what can be done with it.

use lanescope_core::table::Sort;

/// A part of a result.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum CorpusPart {
    /// The table of shaders.
    #[default]
    Rows,
    /// Histograms of all statistics over the shown rows.
    Histograms,
    /// Sums over all rows.
    Summary,
    /// The difference from another result.
    Comparison,
}

impl CorpusPart {
    /// Every part, in the order of their keys.
    pub const ALL: [CorpusPart; 4] =
        [CorpusPart::Rows, CorpusPart::Histograms, CorpusPart::Summary, CorpusPart::Comparison];

    /// Its title.
    pub fn title(self) -> &'static str {
        match self {
            CorpusPart::Rows => "Rows",
            CorpusPart::Histograms => "Histograms",
            CorpusPart::Summary => "Summary",
            CorpusPart::Comparison => "Comparison",
        }
    }
}

/// What is requested of the result.
#[derive(Debug, Clone, PartialEq)]
pub enum CorpusCommand {
    /// Show the result that is open.
    Show,
    /// Close it.
    Close,
    /// Show a part of it.
    Part(CorpusPart),
    /// Show the rows that fulfill this text only.
    Filter(String),
    /// Sort the rows by a column, by its index among the shown ones.
    Sort(Option<Sort>),
    /// Choose a row, by its index in the result.
    Choose(u32),
    /// Open the pipeline of a row.
    OpenRow(u32),
    /// Open a pipeline, by its name in the result.
    OpenPipeline(String),
}
