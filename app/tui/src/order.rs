//! The order of a work graph's records: filtered and sorted a piece a frame, and kept until something else is asked.

use lanescope_core::graph::{Condition, RecordType};
use lanescope_core::run::graph::record_fields;
use lanescope_pictures::records::{Order, RecordQuery, SortBy, SortKey};

use lanescope_workbench::state::program::OpenProgram;

/// Members that have a column.
pub const COLUMNS: usize = 16;
/// Pieces of the work in one frame: those of a small table are done in the frame that shows it.
const PIECES: usize = 2;

/// Which records are listed, and in which order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RecordsLook {
    /// The condition, as typed.
    pub filter: String,
    /// The column that they are sorted by, and whether the largest is first.
    pub sort: Option<(usize, bool)>,
    /// The first record that is listed.
    pub first: u64,
}

impl RecordsLook {
    /// The condition for records of a type.
    ///
    /// # Errors
    /// Why the text is not one.
    pub fn condition(&self, record: &RecordType) -> Result<Option<Condition>, String> {
        let text = self.filter.trim();
        if text.is_empty() {
            return Ok(None);
        }
        Condition::parse(text, record).map(Some).map_err(|error| error.to_string())
    }
}

/// Which records, in which order.
#[derive(Debug, Clone, PartialEq)]
struct Key {
    /// Counts results that arrived: a paused run goes on, and records are edited.
    results: u64,
    generation: usize,
    run: usize,
    filter: String,
    sort: Option<(usize, bool)>,
}

/// The order, as far as it is known.
#[derive(Debug, Default)]
pub struct RecordOrder {
    key: Option<Key>,
    order: Order,
    /// Records that have contents.
    known: u64,
    complete: bool,
    /// Counts pieces of work: another number shows something else.
    pub number: u64,
}

impl RecordOrder {
    /// Follows what is shown: continues the work, or begins anew.
    pub fn follow(&mut self, program: &OpenProgram, look: &RecordsLook, results: u64) {
        let stepping = &program.stepping;
        let generation = stepping.at.filter(|_| program.results.graph.done().is_some());
        let key = generation.map(|generation| Key {
            results,
            generation,
            run: stepping.shown,
            filter: look.filter.clone(),
            sort: look.sort,
        });
        if self.key == key && self.complete {
            return;
        }
        if self.key != key {
            *self = RecordOrder { key, number: self.number, ..RecordOrder::default() };
        }
        self.complete = self.work(program, look).unwrap_or(true);
        self.number += 1;
    }

    /// Does a piece of the work. Whether all of it is done; none where there are no records.
    fn work(&mut self, program: &OpenProgram, look: &RecordsLook) -> Option<bool> {
        let run = program.results.graph.done()?;
        let generation = run.generations.get(program.stepping.at?)?;
        let shown = generation.nodes.get(program.stepping.shown)?;
        let record = run.graph.nodes.get(shown.node)?.record()?;
        let held = run.records_of(generation, shown);
        self.known = (held.bytes.0.len() as u64).checked_div(u64::from(held.stride)).unwrap_or(0).min(shown.count);
        let (fields, _) = record_fields(record, COLUMNS);
        let sort = look.sort.and_then(|(column, descending)| {
            let field = fields.get(column)?;
            let by = SortKey::Number(usize::try_from(field.leaf.offset).ok()?, field.scalar());
            Some(SortBy { by, descending })
        });
        let filter: Option<Condition> = look.condition(record).ok().flatten();
        self.order.want(&RecordQuery { filter, kept: None, sort });
        Some((0..PIECES).any(|_| self.order.work(&held.bytes.0, held.stride as usize, self.known, |_| 0)))
    }

    /// Whether all of it is known.
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// Whether there is more to do.
    pub fn is_working(&self) -> bool {
        self.key.is_some() && !self.complete
    }

    /// How much of it is known, in percent.
    pub fn percent(&self) -> u32 {
        (self.order.progress(self.known).clamp(0.0, 1.0) * 100.0) as u32
    }

    /// How many records are listed.
    pub fn len(&self) -> u64 {
        self.order.len(self.known)
    }

    /// The record of a row.
    pub fn record(&self, row: u64) -> Option<u64> {
        self.order.record(row).filter(|record| *record < self.known)
    }
}
