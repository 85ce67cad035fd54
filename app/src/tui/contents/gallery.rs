//! The start page, and the page of files that did not open.

use lanescope_core::report::Report;
use lanescope_core::table::Meaning;
use lanescope_inspector::command::{Command, OpenChange};
use lanescope_inspector::strip::{StripCx, facts};
use lanescope_inspector::tasks::TaskResults;

use super::super::look::Look;
use super::super::pane::{Link, Row};
use super::source::line;
use super::{Rows, Section, wrap};
use crate::state::State;
use crate::state::failure::FailurePage;
use crate::state::program::{session_title, title};
use crate::state::samples::CardState;

/// Programs of the recent list that are shown.
const RECENT_AT_MOST: usize = 12;

/// The start page: earlier sessions, recent programs, samples.
pub fn gallery(state: &State, look: Look, width: usize) -> Vec<Row> {
    let mut out = Rows::new(look, width);
    let (plain, dim) = (anstyle::Style::new(), out.style.meaning(Meaning::Dimmed));
    let item = |text: &str, note: &str, commands: Vec<Command>| {
        let row = Row::default().with(plain, "  ", None).with(plain, line(text), Some(Link::Do(commands)));
        row.with(dim, if note.is_empty() { String::new() } else { format!("  {}", line(note)) }, None)
    };
    out.prose("Enter opens the line, o opens other files, : lists all commands, ? lists the keys.");
    if !state.previous.programs.is_empty() || !state.earlier.is_empty() {
        out.section(Section::Heading("Sessions", ""));
    }
    if !state.previous.programs.is_empty() {
        out.rows.push(item(&session_title(&state.previous.programs), "last session", vec![Command::Reopen]));
    }
    for (index, earlier) in state.earlier.iter().enumerate() {
        out.rows.push(item(&session_title(&earlier.programs), "earlier", vec![Command::ReopenEarlier(index)]));
    }
    if !state.session.recent.is_empty() {
        out.section(Section::Heading("Recent", ""));
    }
    for recent in state.session.recent.iter().take(RECENT_AT_MOST) {
        let folder = recent.paths.first().and_then(|path| path.parent()).map(|path| path.display().to_string());
        let commands = vec![Command::OpenFiles(recent.paths.clone())];
        out.rows.push(item(&title(&recent.paths), &folder.unwrap_or_default(), commands));
    }
    if let Some(why) = &state.samples.missing {
        out.prose(why);
    }
    let mut cards = state.samples.cards.iter();
    for heading in &state.samples.groups {
        out.section(Section::Heading(&heading.title, ""));
        for card in cards.by_ref().take(heading.cards) {
            let note = match &card.state {
                CardState::Waiting => "…".to_owned(),
                CardState::Read(report) => answers(report),
                CardState::Failed(why) => why.lines().next().unwrap_or_default().to_owned(),
            };
            out.rows.push(item(&card.sample.name, &note, vec![Command::OpenFiles(card.sample.paths.clone())]));
        }
    }
    out.rows
}

/// The answers of a sample in one line, without those that need a device or a compiler.
fn answers(report: &Report) -> String {
    let cx = StripCx {
        report,
        results: &TaskResults::NOTHING,
        revision: 0,
        compile: &lanescope_inspector::settings::CompileSettings::DEFAULT,
        findings: lanescope_core::findings::Severity::ALL
            .first_chunk::<3>()
            .map(|all| all.map(|severity| (severity, 0)))
            .unwrap_or([(lanescope_core::findings::Severity::Note, 0); 3]),
        frozen: true,
    };
    facts(&cx).into_iter().map(|fact| fact.text).take(1).collect()
}

/// Why files did not open, with the lines that the message names and what may help.
pub fn failure(page: &FailurePage, look: Look, width: usize) -> Vec<Row> {
    let mut out = Rows::new(look, width);
    let problem = out.style.meaning(Meaning::Severity(lanescope_core::findings::Severity::Error));
    let (plain, dim) = (anstyle::Style::new(), out.style.meaning(Meaning::Dimmed));
    out.rows.push(Row::default().with(problem, format!(" Cannot open {}", line(&title(&page.paths))), None));
    if let Some(file) = &page.failure.file {
        out.rows.push(Row::default().with(dim, format!(" {}", line(file)), None));
    }
    out.rows.push(Row::default());
    for text in page.failure.message.lines() {
        for piece in wrap(&line(text), width.saturating_sub(2).max(20)) {
            out.rows.push(Row::default().with(plain, format!(" {piece}"), None));
        }
    }
    for excerpt in &page.failure.excerpts {
        out.section(Section::Heading(&format!("{}:{}", line(&excerpt.path.display().to_string()), excerpt.line), ""));
        for (number, text) in (excerpt.first..).zip(&excerpt.lines) {
            let style = if number == excerpt.line { problem } else { plain };
            let row = Row::default().with(dim, format!("{number:>5}  "), None);
            out.rows.push(row.with(style, line(text), None));
        }
    }
    out.rows.push(Row::default());
    let mut action = |label: String, command: Command| {
        let row = Row::default().with(plain, " ", None);
        out.rows.push(row.with(plain, line(&label), Some(Link::Do(vec![command]))));
    };
    for entry in &page.failure.entries {
        let change = OpenChange::Entry(entry.clone());
        action(format!("Open with entry point {entry}"), Command::OpenChanged(page.paths.clone(), change));
    }
    if page.failure.invalid {
        let label = "Open without validation".to_owned();
        action(label, Command::OpenChanged(page.paths.clone(), OpenChange::NoValidation));
    }
    action("Try again".to_owned(), Command::OpenFiles(page.paths.clone()));
    action("Open other files".to_owned(), Command::Open);
    action("Back (Esc)".to_owned(), Command::LeaveFailure);
    out.rows
}
