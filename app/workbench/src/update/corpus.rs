//! The result over many pipelines: reading it, its rows by filter and order, its comparison, opening a pipeline of it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use lanescope_core::corpus::{RowFilter, Summary};
use lanescope_core::options::Options;
use lanescope_core::table::{Sort, Table};
use lanescope_inspector::command::Purpose;
use lanescope_inspector::corpus::{CorpusCommand, CorpusPart};
use lanescope_inspector::mode::Mode;

use super::effects::{Dialog, Effect, Effects};
use super::open::{absolute, dialog_folder, open_dialog, open_with, show_gallery, show_program};
use crate::engine::loading::broke_down;
use crate::outcome::{FoundRows, Outcome};
use crate::state::corpus::{CorpusPage, Ordered, ShownComparison};
use crate::state::failure::FailurePage;
use crate::state::program::title;
use crate::state::tasks::Tag;
use crate::state::{Page, State};
use lanescope_host::corpus::{Opened, RowFiles, Rows, compared, files_of, only_result, read};
use lanescope_host::folders::Prefer;
use lanescope_host::jobs::{Control, caught};
use lanescope_host::session::Remembered;

/// Rows that were found are handed over this often, the first ones at once.
const PART_TIME: Duration = Duration::from_millis(40);

/// Carries out a command.
pub(super) fn corpus(state: &mut State, effects: &mut Effects, command: CorpusCommand) {
    let Some(page) = &mut state.corpus else { return };
    match command {
        CorpusCommand::Show => show(state, effects),
        CorpusCommand::Close => close(state, effects),
        CorpusCommand::Part(part) => {
            page.part = part;
            page.revision += 1;
        }
        CorpusCommand::Filter(text) => {
            page.filter = text;
            find_rows(state, effects);
        }
        CorpusCommand::Sort(sort) => {
            page.sort = sort.filter(|sort| sort.column < page.columns.len());
            find_rows(state, effects);
        }
        CorpusCommand::Choose(row) => page.chosen = Some(row),
        CorpusCommand::OpenRow(row) => {
            page.chosen = Some(row);
            open_row(state, effects, row);
        }
        CorpusCommand::OpenPipeline(name) => match page.result.table.find(&name) {
            Some(row) => {
                let row = u32::try_from(row).unwrap_or(u32::MAX);
                page.chosen = Some(row);
                open_row(state, effects, row);
            }
            None => state.messages.info(format!("{name} is not a pipeline of {}", page.title())),
        },
    }
}

/// Shows the part that has the key of a mode.
pub(super) fn show_part(state: &mut State, effects: &mut Effects, mode: Mode) {
    let at = Mode::ALL.iter().position(|other| *other == mode);
    if let Some(part) = at.and_then(|at| CorpusPart::ALL.get(at)) {
        corpus(state, effects, CorpusCommand::Part(*part));
    }
}

/// Shows the part that is so many after the shown one, around the end.
pub(super) fn step_part(state: &mut State, by: usize) {
    let Some(page) = &mut state.corpus else { return };
    let at = CorpusPart::ALL.iter().position(|part| *part == page.part).unwrap_or(0);
    page.part = CorpusPart::ALL.get((at + by) % CorpusPart::ALL.len()).copied().unwrap_or_default();
    page.revision += 1;
}

/// Opens a result instead of the open one, compared with another one if there is one. False if the files are not one.
pub(super) fn open_result(state: &mut State, effects: &mut Effects, paths: &[PathBuf], with: Option<PathBuf>) -> bool {
    let Some(path) = only_result(paths).map(Path::to_owned) else { return false };
    effects.cancel(state, Tag::CorpusRead);
    effects.start(state, Tag::CorpusRead, format!("reading {}", title(paths)), move |_, job| {
        let result = read(&path, |rows| {
            job.progress(format!("{rows} pipelines"));
            !job.is_cancelled()
        });
        Outcome::CorpusRead { path, with, result: Box::new(result.map_err(|error| error.to_string())) }
    });
    true
}

/// Measures all pipelines of folders and databases, without a driver, and opens the result.
pub(super) fn measure(state: &mut State, effects: &mut Effects, paths: Vec<PathBuf>, prefer: Prefer) {
    let target = state.session.preferences.target;
    let usual = Options::default();
    let options = Options { target: target.unwrap_or(usual.target), ..usual };
    effects.cancel(state, Tag::CorpusRead);
    effects.start(state, Tag::CorpusRead, format!("measuring {}", title(&paths)), move |engine, job| {
        let measured = caught(|| engine.measure_corpus(&paths, prefer, options, job));
        let (path, result) = match measured.unwrap_or_else(|panic| Err(broke_down(&panic))) {
            Ok(path) => {
                let read = read(&path, |_| !job.is_cancelled()).map_err(|error| error.to_string());
                (path, read)
            }
            Err(why) => (paths.first().cloned().unwrap_or_default(), Err(why)),
        };
        Outcome::CorpusRead { path, with: None, result: Box::new(result) }
    });
}

/// Takes a result, or why it cannot be read.
pub(super) fn take_result(
    state: &mut State,
    effects: &mut Effects,
    path: PathBuf,
    with: Option<PathBuf>,
    result: Result<Opened, String>,
) {
    match result {
        Ok(result) => {
            // One that is read again is looked at as before.
            let before = state.corpus.take().filter(|page| page.path == path);
            let mut page = CorpusPage::new(path.clone(), result);
            if let Some(before) = before {
                (page.part, page.filter) = (before.part, before.filter);
                (page.request, page.revision) = (before.request, before.revision + 1);
                page.sort = before.sort.filter(|sort| sort.column < page.columns.len());
                page.comparison = before.comparison;
            }
            state.corpus = Some(page);
            state.session.remember(Remembered { paths: vec![path], ..Remembered::default() });
            state.touch_session();
            show(state, effects);
            find_rows(state, effects);
            let with = with.or_else(|| Some(state.corpus.as_ref()?.comparison.as_ref()?.before.clone()));
            if let Some(with) = with {
                compare(state, effects, with);
            }
        }
        Err(why) => state.failure = Some(FailurePage::new(vec![path], why.into())),
    }
}

/// Shows the result that is open.
fn show(state: &mut State, effects: &mut Effects) {
    if let Some(page) = &mut state.corpus {
        effects.push(Effect::Title(format!("{} - Lanescope", page.title())));
        page.revision += 1;
        state.page = Page::Corpus;
        state.failure = None;
    }
}

/// Closes the result: programs are below it.
pub(super) fn close(state: &mut State, effects: &mut Effects) {
    for tag in [Tag::CorpusRead, Tag::CorpusRows, Tag::CorpusCompare, Tag::CorpusRow] {
        effects.cancel(state, tag);
    }
    state.corpus = None;
    if state.page != Page::Corpus {
        return;
    }
    if state.programs.is_empty() {
        show_gallery(state, effects);
    } else {
        show_program(state, effects, state.active);
    }
}

/// Reads the shown result again.
pub(super) fn reload(state: &mut State, effects: &mut Effects) {
    let Some(path) = state.corpus.as_ref().map(|page| page.path.clone()) else { return };
    if !open_result(state, effects, std::slice::from_ref(&path), None) {
        state.messages.error(format!("{}: no longer a corpus result", path.display()));
    }
}

/// Looks for the rows of the filter in the order of the column.
fn find_rows(state: &mut State, effects: &mut Effects) {
    let Some(page) = &mut state.corpus else { return };
    let filter = match RowFilter::parse(&page.filter, &page.result.table) {
        Ok(filter) => filter,
        Err(why) => {
            page.misfit = Some(why.to_string());
            page.revision += 1;
            return;
        }
    };
    page.misfit = None;
    page.request += 1;
    page.replaces = true;
    page.revision += 1;
    let (request, sort) = (page.request, page.sort);
    let column = sort.and_then(|sort| Some((sort, *page.columns.get(sort.column)?)));
    let ordered = page.ordered.clone().filter(|(known, _)| Some(*known) == sort);
    let result = Arc::clone(&page.result);
    let path = page.path.clone();
    effects.cancel(state, Tag::CorpusRows);
    effects.start(state, Tag::CorpusRows, "searching the rows", move |_, job| {
        let ordered = ordered.or_else(|| {
            let (sort, column) = column?;
            Some((sort, Arc::new(result.table.order(column, sort.descending))))
        });
        find((&result, &path), &filter, request, ordered, job)
    });
}

/// The work of looking for rows: hands over parts, returns the histograms and the sums.
fn find(
    (result, path): (&Opened, &Path),
    filter: &RowFilter,
    request: u64,
    ordered: Option<Ordered>,
    job: &Control<Outcome>,
) -> Outcome {
    let part = |rows: Vec<u32>, ordered: Option<Ordered>| {
        let found = FoundRows { request, rows, ordered, histograms: None, sums: None };
        Outcome::CorpusRows(Box::new(found))
    };
    let (mut all, mut waiting, mut handed) = (Vec::new(), Vec::new(), None::<Instant>);
    result.table.filtered(filter, ordered.as_ref().map(|(_, order)| order.as_slice()), |some| {
        all.extend_from_slice(&some);
        waiting.extend(some);
        if !waiting.is_empty() && handed.is_none_or(|handed| handed.elapsed() >= PART_TIME) {
            job.part(part(std::mem::take(&mut waiting), ordered.clone()));
            handed = Some(Instant::now());
        }
        !job.is_cancelled()
    });
    // The rows are complete before the histograms are.
    job.part(part(waiting, ordered));
    let histograms = if job.is_cancelled() { Vec::new() } else { result.table.histograms(all.iter()) };
    let sums = sums((result, path), &all, job);
    Outcome::CorpusRows(Box::new(FoundRows {
        request,
        rows: Vec::new(),
        ordered: None,
        histograms: Some(histograms),
        sums,
    }))
}

/// The sums over the pipelines of rows, which are read from the file again. None if that is cancelled or fails.
fn sums((result, path): (&Opened, &Path), rows: &[u32], job: &Control<Outcome>) -> Option<(u64, Vec<Table>)> {
    if rows.len() == result.table.len() {
        return Some((result.summary.pipelines, result.summary.tables()));
    }
    let offsets: BTreeSet<u64> = rows.iter().filter_map(|row| result.table.offset(*row as usize)).collect();
    let mut summary = Summary::default();
    for offset in offsets {
        if job.is_cancelled() {
            return None;
        }
        summary.add(&Rows::row_at(path, offset).ok()?);
    }
    Some((summary.pipelines, summary.tables()))
}

/// Takes rows that were found.
pub(super) fn take_rows(state: &mut State, found: FoundRows) {
    let Some(page) = state.corpus.as_mut().filter(|page| page.request == found.request) else { return };
    if std::mem::take(&mut page.replaces) {
        page.rows.clear();
    }
    page.rows.extend(found.rows);
    page.ordered = found.ordered.or(page.ordered.take());
    if let Some(histograms) = found.histograms {
        page.histograms = histograms;
    }
    if let Some((summed, sums)) = found.sums {
        (page.summed, page.sums) = (summed, sums);
    }
    page.revision += 1;
}

/// Opens the pipeline of a row.
fn open_row(state: &mut State, effects: &mut Effects, row: u32) {
    let Some(page) = &state.corpus else { return };
    let Some(offset) = page.result.table.offset(row as usize) else { return };
    let path = page.path.clone();
    effects.start(state, Tag::CorpusRow, "reading a row", move |_, _| {
        let files = Rows::row_at(&path, offset).map_err(|error| error.to_string());
        Outcome::CorpusRow(files.and_then(|row| files_of(&row, &path)))
    });
}

/// Takes the files of a row, and opens them under the options of the result.
pub(super) fn take_row(state: &mut State, effects: &mut Effects, files: Result<RowFiles, String>) {
    let RowFiles { paths, key } = match files {
        Ok(files) => files,
        Err(why) => return state.messages.error(why),
    };
    let Some(page) = &state.corpus else { return };
    let header = &page.result.header;
    let options = Options { pipeline: key, ..header.options.clone() };
    let fresh = !header.own_options;
    open_with(state, effects, paths, options, fresh);
}

/// Asks for a result to compare with.
pub(super) fn choose_other(state: &mut State, effects: &mut Effects) {
    let folder = state.corpus.as_ref().and_then(|page| page.path.parent()).map(Path::to_owned);
    let folder = folder.or_else(|| dialog_folder(state));
    open_dialog(state, effects, Dialog::Files(Purpose::CompareResult, folder));
}

/// Compares the result with another one, which is the side before.
pub(super) fn compare_files(state: &mut State, effects: &mut Effects, files: &[PathBuf]) {
    match absolute(files).as_slice() {
        [only] => compare(state, effects, only.clone()),
        _ => state.messages.info("A result is compared with one other result."),
    }
}

fn compare(state: &mut State, effects: &mut Effects, before: PathBuf) {
    let Some(after) = state.corpus.as_ref().map(|page| page.path.clone()) else { return };
    let name = format!("comparing with {}", title(std::slice::from_ref(&before)));
    effects.cancel(state, Tag::CorpusCompare);
    effects.start(state, Tag::CorpusCompare, name, move |_, _| {
        let compared = compared(&before, &after).map_err(|error| error.to_string());
        let compared = compared.map(|comparison| Box::new(ShownComparison::new(before, &comparison)));
        Outcome::CorpusCompared(after, compared)
    });
}

/// Takes a comparison of the result, or why there is none.
pub(super) fn take_comparison(state: &mut State, after: &Path, compared: Result<Box<ShownComparison>, String>) {
    match (state.corpus.as_mut().filter(|page| page.path == after), compared) {
        (None, _) => {}
        (_, Err(why)) => state.messages.error(why),
        (Some(page), Ok(comparison)) => {
            page.comparison = Some(*comparison);
            page.part = CorpusPart::Comparison;
            page.revision += 1;
        }
    }
}

/// Sorts by the column of a title, `-` before it for the largest first; an empty text restores the order of the file.
///
/// # Errors
/// A title that no column has.
pub fn sort_by(page: &CorpusPage, text: &str) -> Result<Option<Sort>, String> {
    let (descending, title) = match text.trim().strip_prefix('-') {
        Some(title) => (true, title.trim()),
        None => (false, text.trim()),
    };
    if title.is_empty() {
        return Ok(None);
    }
    let table = &page.result.table;
    let column = page.columns.iter().position(|column| table.title(*column).eq_ignore_ascii_case(title));
    let known = || page.columns.iter().map(|column| table.title(*column)).collect::<Vec<_>>().join(", ");
    let column = column.ok_or_else(|| format!("No column `{title}` (columns: {})", known()))?;
    Ok(Some(Sort { column, descending }))
}
