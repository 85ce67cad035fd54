//! The result over many pipelines that is open, and how it is looked at.

use std::path::PathBuf;
use std::sync::Arc;

use lanescope_core::corpus::{Comparison, Histogram, ResultColumn};
use lanescope_core::table::{Sort, Table};
use lanescope_core::text_format::counted;
use lanescope_inspector::corpus::CorpusPart;

use super::program::title;
use lanescope_host::corpus::Opened;

/// Rows that are copied at most.
const COPIED_AT_MOST: usize = 10_000;

/// Rows in the order of a column.
pub type Ordered = (Sort, Arc<Vec<u32>>);

/// The result.
pub struct CorpusPage {
    /// Its file.
    pub path: PathBuf,
    /// What was read.
    pub result: Arc<Opened>,
    /// Its columns.
    pub columns: Vec<ResultColumn>,
    /// Sums over the pipelines with a shown row as tables; those of the last rows while rows are searched for.
    pub sums: Vec<Table>,
    /// How many pipelines these are.
    pub summed: u64,
    /// The shown part.
    pub part: CorpusPart,
    /// Which rows are shown, as text.
    pub filter: String,
    /// Why that text is not a filter. The rows of the last one stay.
    pub misfit: Option<String>,
    /// How the rows are sorted.
    pub sort: Option<Sort>,
    /// The shown rows, in order. While they are searched for, the first ones.
    pub rows: Vec<u32>,
    /// Histograms over the shown rows; those of the last ones while rows are searched for.
    pub histograms: Vec<(String, Histogram)>,
    /// The chosen row, by its index in the result.
    pub chosen: Option<u32>,
    /// What it is compared with.
    pub comparison: Option<ShownComparison>,
    /// The order of the last sort.
    pub ordered: Option<Ordered>,
    /// Counts requests of rows: rows of earlier ones are not taken.
    pub request: u64,
    /// The next rows replace those of the request before.
    pub replaces: bool,
    /// Counts changes of what is shown.
    pub revision: u64,
}

/// The difference from another result.
pub struct ShownComparison {
    /// The file of the side before.
    pub before: PathBuf,
    /// Totals, helped and hurt, in lines.
    pub lines: Vec<String>,
    /// Totals, then the worst and the best shaders of each statistic.
    pub tables: Vec<Table>,
}

impl ShownComparison {
    /// A comparison as it is shown.
    pub fn new(before: PathBuf, comparison: &Comparison) -> ShownComparison {
        let tables = std::iter::once(comparison.table()).chain(comparison.extremes()).collect();
        ShownComparison { before, lines: comparison.lines(), tables }
    }
}

impl CorpusPage {
    /// A result that was just read.
    pub fn new(path: PathBuf, result: Opened) -> CorpusPage {
        let (columns, sums) = (result.table.columns(), result.summary.tables());
        let summed = result.summary.pipelines;
        CorpusPage {
            path,
            result: Arc::new(result),
            columns,
            sums,
            summed,
            part: CorpusPart::default(),
            filter: String::new(),
            misfit: None,
            sort: None,
            rows: Vec::new(),
            histograms: Vec::new(),
            chosen: None,
            comparison: None,
            ordered: None,
            request: 0,
            replaces: true,
            revision: 0,
        }
    }

    /// Its name.
    pub fn title(&self) -> String {
        title(std::slice::from_ref(&self.path))
    }

    /// How many rows are shown, as text.
    pub fn count(&self) -> String {
        let (shown, all) = (self.rows.len(), self.result.table.len());
        if shown == all { counted(all, "shader") } else { format!("{shown} of {}", counted(all, "shader")) }
    }

    /// What the sums are over, as text.
    pub fn summed(&self) -> String {
        let all = counted(self.result.summary.pipelines, "pipeline");
        match self.summed == self.result.summary.pipelines {
            true => format!("Over {all}."),
            false => format!("Over the {} of {all} that have a shown shader.", self.summed),
        }
    }

    /// The shown rows with tabs between cells, as many as a clipboard takes.
    pub fn copied(&self) -> String {
        let table = &self.result.table;
        let titles: Vec<&str> = self.columns.iter().map(|column| table.title(*column)).collect();
        let mut out = titles.join("\t") + "\n";
        for row in self.rows.iter().take(COPIED_AT_MOST) {
            let cells = self.columns.iter().map(|column| table.text(*row as usize, *column));
            let cells: Vec<String> = cells.map(|cell| lanescope_core::table::one_line(&cell)).collect();
            out.push_str(&cells.join("\t"));
            out.push('\n');
        }
        out
    }

    /// The rows that a statistic's range contains, as a filter.
    pub fn range_filter(name: &str, from: i64, to: Option<i64>) -> String {
        let below = to.map(|to| format!(" & {name} < {to}")).unwrap_or_default();
        format!("{name} >= {from}{below}")
    }
}
