//! What the pages of dialogs say.

use lanescope_core::table::Meaning;
use lanescope_inspector::command::{Command, Purpose};
use lanescope_inspector::settings::Theme;

use super::super::contents::line;
use super::super::keys::{self, MOVEMENTS};
use super::super::look::Look;
use super::super::pane::{Link, Row};
use super::{next_theme, other_start};
use crate::commands::{Menu, TABLE};
use crate::state::State;
use crate::state::overlay::{PathQuestion, ReplaceQuestion};

/// Columns of a list of keys.
const KEYS: usize = 30;

/// The title of a line for a path, and what Enter does.
pub fn path_title(question: &PathQuestion) -> (String, &'static str) {
    match question.purpose {
        Purpose::Open => ("Open: files of one pipeline".to_owned(), "opens"),
        Purpose::Compare(_) => ("Compare with: files of one pipeline, or a JSON report".to_owned(), "compares"),
        Purpose::Save => ("Save as".to_owned(), "saves"),
        Purpose::SaveFolder => ("Save to folder".to_owned(), "saves"),
        Purpose::Contents(_, place) => (format!("Contents of {place}"), "takes it"),
        Purpose::Records(_) => ("Load records: JSON, CSV or bytes".to_owned(), "loads them"),
    }
}

/// Lines of text.
pub fn texts<'t>(lines: impl IntoIterator<Item = &'t str>) -> Vec<Row> {
    lines.into_iter().map(|line| Row::default().with(anstyle::Style::new(), line, None)).collect()
}

fn linked(text: &str, command: Command) -> Row {
    let plain = anstyle::Style::new();
    Row::default().with(plain, " ", None).with(plain, text, Some(Link::Do(vec![command])))
}

/// Whether files may be replaced.
pub fn replace_rows(question: &ReplaceQuestion) -> Vec<Row> {
    let folder = question.folder.display().to_string();
    let first = format!("{} already contains:", line(&folder));
    let names = question.names.iter().map(|name| format!("  {}", line(name)));
    let lines: Vec<String> = [first].into_iter().chain(names).collect();
    let mut rows = texts(lines.iter().map(String::as_str));
    rows.push(linked("Keep (n)", Command::Replace(false)));
    rows.push(linked("Replace (y)", Command::Replace(true)));
    rows
}

/// The preferences; Enter changes each.
pub fn preference_rows(state: &State) -> Vec<Row> {
    let reopen = if state.session.preferences.reopen { "yes" } else { "no" };
    let theme = match state.session.theme {
        Theme::System => "of the terminal",
        Theme::Light => "light",
        Theme::Dark => "dark",
    };
    vec![
        linked(&format!("t  Theme: {theme}"), next_theme(state)),
        linked(&format!("r  Start with the programs of the last session: {reopen}"), other_start(state)),
    ]
}

/// Every key of the terminal; a command is run where its line is chosen.
pub fn key_rows(look: Look) -> Vec<Row> {
    let (heading, plain) = (look.report().meaning(Meaning::Strong), anstyle::Style::new());
    let line = |keys: &str, what: &str, link: Option<Link>| {
        Row::default().with(plain, format!("  {keys:<KEYS$}  "), None).with(plain, what, link)
    };
    let title = |text: &str| Row { heading: true, ..Row::default().with(heading, text, None) };
    let mut rows = vec![title("Movement")];
    rows.extend(MOVEMENTS.iter().map(|(keys, what)| line(keys, what, None)));
    for (menu, name, _) in Menu::ALL {
        rows.push(title(name));
        let of = TABLE.iter().filter(|row| row.menu == menu);
        rows.extend(of.map(|row| {
            let run = Link::Do(vec![Command::CloseOverlay, row.command.clone()]);
            line(&keys::text(row), row.label.trim_end_matches('…'), Some(run))
        }));
    }
    rows
}
