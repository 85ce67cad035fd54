//! What the pages of dialogs say.

use lanescope_core::table::Meaning;
use lanescope_inspector::command::{Command, Purpose};
use lanescope_inspector::settings::Theme;

use unicode_width::UnicodeWidthStr as _;

use super::super::keys::{self, MOVEMENTS};
use super::super::look::Look;
use super::super::pane::{Link, Row};
use super::super::printable::line;
use super::{next_theme, other_start};
use lanescope_inspector::view::ViewId;
use lanescope_text::wrap;
use lanescope_workbench::commands::{Menu, TABLE};
use lanescope_workbench::state::State;
use lanescope_workbench::state::overlay::{EditedRun, PathQuestion, ReplaceQuestion};

/// The title of a line for a path, and what Enter does.
pub fn path_title(question: &PathQuestion) -> (String, &'static str) {
    match question.purpose {
        Purpose::Open => ("Open: files of one pipeline".to_owned(), "opens"),
        Purpose::Compare(_) => {
            ("Compare with: files of one pipeline, a JSON report, or an AMD code object".to_owned(), "compares")
        }
        Purpose::CompareResult => ("Compare with: another corpus result, the side before".to_owned(), "compares"),
        Purpose::Save => ("Save as".to_owned(), "saves"),
        Purpose::SaveFolder => ("Save to folder".to_owned(), "saves"),
        Purpose::Contents(_, place) => (format!("Contents of {place}"), "takes it"),
        Purpose::Variants(_) => {
            ("Variants: a file with lines of flags, or of macros with values".to_owned(), "compiles them")
        }
        Purpose::Records(_) => ("Load records: JSON, CSV or bytes".to_owned(), "loads them"),
        Purpose::Reduce(_) => {
            ("Reduce while (slots-differ, finding E001, statistic VGPRs > 64, …)".to_owned(), "reduces")
        }
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

/// Whether a paused run with edited records restarts.
pub fn edited_run_rows(question: &EditedRun) -> Vec<Row> {
    let mut rows = texts([question.text().as_str()]);
    rows.push(linked("Continue (c)", Command::RestartEdited(false)));
    rows.push(linked("Restart (r)", Command::RestartEdited(true)));
    rows
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
    let theme = match state.theme() {
        Theme::System => "of the terminal",
        Theme::Light => "light",
        Theme::Dark => "dark",
    };
    vec![
        linked(&format!("t  Theme: {theme}"), next_theme(state)),
        linked(&format!("r  Start with the programs of the last session: {reopen}"), other_start(state)),
    ]
}

/// The keys of the tab that has them, then every other; a command is run where its line is chosen.
pub fn key_rows(state: &State, look: Look, width: usize) -> Vec<Row> {
    let (heading, plain) = (look.report().meaning(Meaning::Strong), anstyle::Style::new());
    let line = |keys: &str, what: &str, link: Option<&Link>| {
        let start = format!("  {keys:<KEYS$}  ");
        let indent = start.width();
        let pieces = wrap(what, width.saturating_sub(indent).max(16)).into_iter().enumerate();
        let pieces = pieces.map(|(at, piece)| {
            let before = if at == 0 { start.clone() } else { " ".repeat(indent) };
            Row::default().with(plain, before, None).with(plain, piece, link.cloned())
        });
        pieces.collect::<Vec<_>>()
    };
    let title = |text: &str| Row { heading: true, ..Row::default().with(heading, text, None) };
    let mut rows = Vec::new();
    if let Some(info) = state.in_front().and_then(|_| {
        let views = state.tabs.views().iter();
        views.into_iter().find(|info| Some(info.id) == state.tabs.focus())
    }) {
        rows.push(title(&format!("This tab: {}", info.title)));
        rows.extend(of_tab(info.id).iter().flat_map(|(keys, what)| line(keys, what, None)));
    }
    rows.push(title("Movement"));
    rows.extend(MOVEMENTS.iter().flat_map(|(keys, what)| line(keys, what, None)));
    for (menu, name, _) in Menu::ALL {
        rows.push(title(name));
        let of = TABLE.iter().filter(|row| row.menu == menu);
        rows.extend(of.flat_map(|row| {
            let run = Link::Do(vec![Command::CloseOverlay, row.command.clone()]);
            line(&keys::text(row), row.label.trim_end_matches('…'), Some(&run))
        }));
    }
    rows
}

/// Columns of a list of keys.
const KEYS: usize = 28;

/// The keys of a tab that are used most, in a word or two each: the status line has those that fit.
pub fn footer(view: ViewId) -> &'static [(&'static str, &'static str)] {
    match view {
        ViewId::Packing => &[("Enter", "select"), ("D", "second setting"), ("O", "options")],
        ViewId::Workgroup => &[("Enter", "explain lane"), ("m", "measure"), ("%", "costs"), ("D", "second setting")],
        ViewId::Registers => &[("Enter", "fields"), ("O", "options")],
        ViewId::Isa => &[("Enter", "source"), ("x", "compile"), ("J/K", "stage"), ("L", "line")],
        ViewId::Statistics => &[("x", "compile")],
        ViewId::Source => &[("Enter", "select"), ("L", "line"), ("/", "search")],
        ViewId::Run => &[("r", "run"), ("Enter", "change setting")],
        ViewId::Graph => &[("r", "run"), ("s", "step"), ("S", "step back"), ("b", "breakpoint"), ("Enter", "select")],
        ViewId::Debug => &[
            ("d", "start"),
            ("f", "step into"),
            (",", "step over"),
            ("V", "step out"),
            ("B", "step backwards"),
            ("p", "continue"),
        ],
        ViewId::Compare => &[("Enter", "choose"), ("}", "next change")],
        ViewId::Rewritten => &[("w", "save"), ("}", "next change")],
        ViewId::Findings => &[("Enter", "go to"), ("!", "explain")],
        ViewId::Dxil => &[("J/K", "part"), ("L", "line")],
        ViewId::GuessedLayout | ViewId::CodeObject | ViewId::Overview => &[("J/K", "section")],
    }
}

/// What keys do in one tab only.
fn of_tab(view: ViewId) -> &'static [(&'static str, &'static str)] {
    match view {
        ViewId::Packing => {
            &[("Enter", "Select the varying: it is marked in all tabs"), ("D", "A second setting beside this")]
        }
        ViewId::Workgroup => &[
            ("Enter", "Explain the invocation and select it, or show the next z slice"),
            ("m", "Measure the map on a device"),
            ("%", "Count the memory accesses of each layout; Enter on an access shows its lines"),
            ("D", "A second setting beside this"),
        ],
        ViewId::Registers => &[("Enter", "Unfold the fields of the register, or fold them")],
        ViewId::Isa => &[
            ("Enter", "Select the source of the instruction; again: go there"),
            ("l, Enter", "Mark all uses of the register, or follow the branch"),
            ("x", "Compile"),
            (":chips, :drivers", "Choose chips to compile for; drivers to compile with"),
            ("J, K", "Next or previous stage"),
        ],
        ViewId::Statistics => {
            &[("x", "Compile"), (":chips, :drivers", "Choose chips to compile for; drivers to compile with")]
        }
        ViewId::Source => &[
            ("Enter", "Select the instructions and the varyings of the line; again: go to its assembly"),
            ("L", "Go to a line"),
        ],
        ViewId::Run => &[("Enter", "Change the setting"), ("r", "Run the program on a device"), (".", "Cancel")],
        ViewId::Graph => &[
            ("Enter", "Select the node or the record, sort by the column, type a condition"),
            ("r, s, S", "Run; step; step back"),
            ("c, t, e", "Run to a breakpoint; to the selected node; to the end"),
            ("b", "Toggle breakpoint at the selected node"),
            ("a", "Show a generation, or run to it"),
            (":filter, :edit-record", "List records that meet a condition; edit one that waits"),
        ],
        ViewId::Debug => &[
            ("d, Z", "Start or restart; end"),
            ("f, ,, V", "Step into; over; out"),
            ("B, W", "Step backwards; continue backwards"),
            ("p", "Continue"),
            ("Enter", "Go to the place of the finding; set a breakpoint on the line; show the variable in all lanes"),
        ],
        ViewId::Compare => &[
            ("Enter", "Compare with the program or the variant, or list rows that are the same"),
            (":variants", "Compile the variants of a file, and compare them"),
            ("} {", "Next or previous change"),
        ],
        ViewId::Rewritten => {
            &[("Enter", "Rewrite the modules"), ("w", "Save them"), ("} {", "Next or previous change")]
        }
        ViewId::Findings => {
            &[("Enter", "Go to the place of the finding; on its code, explain it"), ("!", "Explain the finding")]
        }
        ViewId::Dxil => &[("L", "Go to a line"), ("J, K", "Next or previous part")],
        ViewId::GuessedLayout | ViewId::CodeObject | ViewId::Overview => &[("J, K", "Next or previous section")],
    }
}
