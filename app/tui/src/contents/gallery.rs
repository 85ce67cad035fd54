//! The start page, and the page of files that did not open.

use lanescope_core::report::Report;
use lanescope_core::table::{Meaning, elide};
use lanescope_inspector::command::{Command, OpenChange};
use lanescope_inspector::found::FoundCounts;
use lanescope_inspector::strip::{StripCx, facts};
use lanescope_inspector::tasks::TaskResults;

use super::super::look::Look;
use super::super::pane::{Link, Row};
use super::super::printable::line;
use super::super::prompt::Prompt;
use super::thumbnail::{SIZE as PICTURE, thumbnail};
use super::{GAP, Rows, Section, beside, wrap};
use lanescope_workbench::state::State;
use lanescope_workbench::state::failure::FailurePage;
use lanescope_workbench::state::program::{session_title, title};
use lanescope_workbench::state::samples::{Card, CardState};
use lanescope_workbench::state::sources::{SourceList, may_have_sources};

/// Programs of the recent list that are shown.
const RECENT_AT_MOST: usize = 12;
/// The least columns of a sample where several are beside each other, and its most.
const CARD: usize = 72;
const WIDEST: usize = 110;

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
        if !heading.about.is_empty() {
            out.prose(heading.about);
        }
        let cards: Vec<&Card> = cards.by_ref().take(heading.cards).collect();
        let columns = (out.width / CARD).clamp(1, cards.len().max(1));
        let width = (out.width + GAP) / columns - GAP;
        for line in cards.chunks(columns) {
            let blocks = line.iter().map(|sample| card(&out, sample, width.min(WIDEST)));
            let joined = blocks.reduce(|left, right| beside(left, right, width.min(WIDEST), dim));
            out.rows.extend(joined.unwrap_or_default());
        }
    }
    out.rows
}

/// A sample: its picture, and beside that its name, its answers, and what to look at.
fn card(out: &Rows, card: &Card, width: usize) -> Vec<Row> {
    let (plain, dim, strong) =
        (anstyle::Style::new(), out.style.meaning(Meaning::Dimmed), out.style.meaning(Meaning::Strong));
    let open = Link::Do(vec![Command::OpenFiles(card.sample.paths.clone())]);
    let (note, mut picture) = match &card.state {
        CardState::Waiting => ("…".to_owned(), Vec::new()),
        CardState::Read(report) => (answers(report), thumbnail(out, report)),
        CardState::Failed(why) => (why.lines().next().unwrap_or_default().to_owned(), Vec::new()),
    };
    let room = width.saturating_sub(PICTURE[0] + 4).max(8);
    let mut texts = vec![(strong, elide(&line(&card.sample.name), room)), (plain, elide(&line(&note), room))];
    let about = wrap(&line(&card.sample.about), room);
    let cut = about.len() > PICTURE[1] - texts.len();
    for (at, text) in about.into_iter().take(PICTURE[1] - texts.len()).enumerate() {
        let is_cut = cut && at + 1 == PICTURE[1] - 2;
        texts.push((dim, if is_cut { elide(&format!("{text} …"), room) } else { text }));
    }
    picture.resize(picture.len().max(texts.len()), Row::default());
    texts.resize(picture.len(), (plain, String::new()));
    let mut rows: Vec<Row> = picture
        .into_iter()
        .zip(texts)
        .map(|(picture, (style, text))| {
            let mut row = Row::default().with(plain, " ", None);
            let pad = " ".repeat((PICTURE[0] + 2).saturating_sub(picture.width()));
            row.spans.extend(picture.spans);
            // Any line of a sample opens it; of several beside each other, the one at the cursor.
            let link = (!text.is_empty()).then(|| open.clone());
            row.with(plain, pad, None).with(style, text, link)
        })
        .collect();
    rows.push(Row::default());
    rows
}

/// The answers of a sample in one line, without those that need a device or a compiler.
fn answers(report: &Report) -> String {
    let cx = StripCx {
        report,
        results: &TaskResults::NOTHING,
        revision: 0,
        compile: &lanescope_inspector::settings::CompileSettings::DEFAULT,
        findings: FoundCounts::default(),
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
        let change = OpenChange::Validator(Some("auto".to_owned()));
        action("Validate with spirv-val".to_owned(), Command::OpenChanged(page.paths.clone(), change));
    }
    if page.failure.validator {
        let label = "Open with the built-in validator".to_owned();
        action(label, Command::OpenChanged(page.paths.clone(), OpenChange::Validator(None)));
    }
    if may_have_sources(&page.paths) {
        for (list, prompt) in [(SourceList::Macros, Prompt::Macros), (SourceList::IncludeDirs, Prompt::IncludeDirs)] {
            let values = list.of(&page.conversion);
            let now = if values.is_empty() { "none".to_owned() } else { values.join(" ") };
            let row = Row::default().with(plain, " ", None);
            let label = line(&format!("Change {}: {now}", list.label().to_lowercase()));
            out.rows.push(row.with(plain, label, Some(Link::Ask(prompt))));
        }
    }
    let mut action = |label: String, command: Command| {
        let row = Row::default().with(plain, " ", None);
        out.rows.push(row.with(plain, line(&label), Some(Link::Do(vec![command]))));
    };
    action("Try again".to_owned(), Command::OpenFiles(page.paths.clone()));
    action("Open other files".to_owned(), Command::Open);
    action("Back (Esc)".to_owned(), Command::LeaveFailure);
    out.rows
}
