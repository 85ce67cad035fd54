//! A result as a table of its shaders, in memory: some forty bytes a row and four for each number, so that hundreds of
//! thousands of rows can be shown, sorted and filtered.

mod filter;
mod numbers;
mod order;
mod texts;

use std::borrow::Cow;
use std::collections::HashMap;

pub use filter::{FilterError, RowFilter};
use numbers::Numbers;
use texts::{Texts, Words};

use super::histogram::Histogram;
use super::row::Row;
use super::summary::short;
use lanescope_driver::{Value, Version};

/// Columns of numbers that a table has at most. Files can name any number of statistics.
const MOST_COLUMNS: usize = 512;

/// Numbers that a table has at most, with gaps: a gibibyte.
const MOST_NUMBERS: usize = 1 << 28;

/// Times of a row, in nanoseconds, as columns.
const LOAD: &str = "Load (ns)";
const PASSES: &str = "Passes (ns)";
const COMPILE: &str = "Compile (ns)";

/// A column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ResultColumn {
    /// The pipeline's name.
    Pipeline,
    /// Its kind.
    Kind,
    /// The stage or executable.
    Shader,
    /// The chip or device.
    Device,
    /// The version of the program.
    Variant,
    /// A statistic, by its index.
    Number(usize),
    /// A text that is measured, by its index in [`Row::texts`].
    Text(usize),
    /// Why there is no result.
    Failure,
}

/// The table. A row for each shader ([`Row::shaders`]).
#[derive(Debug, Clone, Default)]
pub struct ResultTable {
    /// The names of pipelines, and where the row of each begins in the file.
    names: Texts,
    offsets: Vec<u64>,
    /// The pipeline of each row.
    pipelines: Vec<u32>,
    kinds: Words,
    shaders: Words,
    places: Words,
    variants: Words,
    failures: Words,
    texts: [Words; Row::TEXTS.len()],
    numbers: Vec<(String, Numbers)>,
    by_name: HashMap<String, usize>,
    /// Numbers that take space.
    used: usize,
    /// Numbers that were left out: the table is full.
    pub left_out: u64,
}

impl ResultTable {
    /// Adds the shaders of the next pipeline, whose line begins at `offset` of its file. False if the table is full.
    pub fn push(&mut self, row: &Row, offset: u64) -> bool {
        let shaders = row.shaders();
        let fits = u32::try_from(self.len() + shaders.len()).is_ok();
        let Some(pipeline) = u32::try_from(self.names.len()).ok().filter(|_| fits) else { return false };
        self.names.push(&row.pipeline);
        self.offsets.push(offset);
        for (index, shader) in shaders.iter().enumerate() {
            let at = self.pipelines.len();
            self.pipelines.push(pipeline);
            self.kinds.push(row.kind.name());
            self.shaders.push(shader.name);
            self.places.push(shader.place);
            self.variants.push(shader.variant.map(Version::name).unwrap_or_default());
            self.failures.push(shader.failure);
            for (words, text) in self.texts.iter_mut().zip(row.texts(shader, index == 0)) {
                words.push(&text);
            }
            let values = shader.values.iter().filter(|(_, value)| !matches!(value, Value::Hash(_)));
            values.for_each(|(name, value)| self.set(at, name, value.number()));
            if let Some(times) = row.times.filter(|_| index == 0) {
                self.set(at, LOAD, times.load as f64);
                self.set(at, PASSES, times.passes as f64);
            }
            if let Some(time) = shader.time {
                self.set(at, COMPILE, time as f64);
            }
        }
        true
    }

    fn set(&mut self, row: usize, name: &str, value: f64) {
        let known = self.by_name.get(name).copied();
        let column = known.or_else(|| (self.numbers.len() < MOST_COLUMNS).then_some(self.numbers.len()));
        let length = column.and_then(|at| self.numbers.get(at)).map_or(0, |(_, numbers)| numbers.len());
        let more = (row + 1).saturating_sub(length);
        let Some(column) = column.filter(|_| self.used + more <= MOST_NUMBERS) else {
            self.left_out += 1;
            return;
        };
        if column == self.numbers.len() {
            self.numbers.push((name.to_owned(), Numbers::default()));
            self.by_name.insert(name.to_owned(), column);
        }
        if let Some((_, numbers)) = self.numbers.get_mut(column) {
            self.used += more;
            numbers.set(row, value);
        }
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.pipelines.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.pipelines.is_empty()
    }

    /// Number of pipelines.
    pub fn pipelines(&self) -> usize {
        self.names.len()
    }

    /// The columns that have contents, from left to right.
    pub fn columns(&self) -> Vec<ResultColumn> {
        let has = |words: &Words, least: usize| words.words().len() > least;
        let mut out = vec![ResultColumn::Pipeline, ResultColumn::Kind, ResultColumn::Shader];
        out.extend(has(&self.places, 1).then_some(ResultColumn::Device));
        // One variant for all says nothing.
        out.extend(has(&self.variants, 2).then_some(ResultColumn::Variant));
        out.extend((0..self.numbers.len()).map(ResultColumn::Number));
        let texts = self.texts.iter().enumerate().filter(|(_, words)| has(words, 1));
        out.extend(texts.map(|(at, _)| ResultColumn::Text(at)));
        out.extend(has(&self.failures, 1).then_some(ResultColumn::Failure));
        out
    }

    /// The title of a column.
    pub fn title(&self, column: ResultColumn) -> &str {
        match column {
            ResultColumn::Pipeline => "Pipeline",
            ResultColumn::Kind => "Kind",
            ResultColumn::Shader => "Shader",
            ResultColumn::Device => "Device",
            ResultColumn::Variant => "Variant",
            ResultColumn::Number(at) => self.numbers.get(at).map_or("", |(name, _)| name),
            ResultColumn::Text(at) => Row::TEXTS.get(at).copied().unwrap_or_default(),
            ResultColumn::Failure => "Failure",
        }
    }

    /// The column of a title, in any case.
    pub fn column(&self, title: &str) -> Option<ResultColumn> {
        self.columns().into_iter().find(|column| self.title(*column).eq_ignore_ascii_case(title))
    }

    /// The contents of a cell; empty if there are none.
    pub fn text(&self, row: usize, column: ResultColumn) -> Cow<'_, str> {
        match (column, self.words(column)) {
            (ResultColumn::Pipeline, _) => self.names.get(self.pipeline(row)).into(),
            (ResultColumn::Number(_), _) => self.number(row, column).map(short).unwrap_or_default().into(),
            (_, words) => words.map_or("", |words| words.get(row)).into(),
        }
    }

    /// The number of a cell.
    pub fn number(&self, row: usize, column: ResultColumn) -> Option<f64> {
        let ResultColumn::Number(at) = column else { return None };
        self.numbers.get(at)?.1.get(row)
    }

    /// The pipeline of a row, by its index.
    pub fn pipeline(&self, row: usize) -> usize {
        self.pipelines.get(row).map_or(0, |at| *at as usize)
    }

    /// Where the line of a row's pipeline begins in its file, in bytes.
    pub fn offset(&self, row: usize) -> Option<u64> {
        self.offsets.get(self.pipeline(row)).copied()
    }

    /// The first row of a pipeline of that name.
    pub fn find(&self, name: &str) -> Option<usize> {
        let pipeline = (0..self.names.len()).find(|at| self.names.get(*at) == name)?;
        Some(self.pipelines.partition_point(|at| (*at as usize) < pipeline))
    }

    /// The histogram of each statistic over some rows, in the order of the columns; those without a number are left out.
    pub fn histograms<'r>(&self, rows: impl Iterator<Item = &'r u32> + Clone) -> Vec<(String, Histogram)> {
        let mut out = Vec::new();
        for (name, numbers) in &self.numbers {
            let mut histogram = Histogram::default();
            rows.clone().filter_map(|row| numbers.get(*row as usize)).for_each(|value| histogram.add(value));
            if histogram.ranges().len() > 0 {
                out.push((name.clone(), histogram));
            }
        }
        out
    }

    fn words(&self, column: ResultColumn) -> Option<&Words> {
        match column {
            ResultColumn::Pipeline | ResultColumn::Number(_) => None,
            ResultColumn::Kind => Some(&self.kinds),
            ResultColumn::Shader => Some(&self.shaders),
            ResultColumn::Device => Some(&self.places),
            ResultColumn::Variant => Some(&self.variants),
            ResultColumn::Text(at) => self.texts.get(at),
            ResultColumn::Failure => Some(&self.failures),
        }
    }
}
