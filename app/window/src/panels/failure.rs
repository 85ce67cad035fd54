//! Files that did not open: a page where no program is open, a dialog over the open ones.

use egui::{Context, Grid, Id, Key, Modal, RichText, ScrollArea, Ui};
use lanescope_inspector::command::{Command, OpenChange};
use lanescope_views::theme::Theme;
use lanescope_views::theme::ThemeOfUi as _;
use lanescope_views::tokens;
use lanescope_views::tokens::space;

use super::sources::SourceFields;
use lanescope_host::excerpt::Excerpt;
use lanescope_workbench::state::failure::FailurePage;
use lanescope_workbench::state::program::title;
use lanescope_workbench::state::sources::may_have_sources;

/// Draws the page.
pub fn failure_page(page: &FailurePage, fields: &mut SourceFields, ui: &mut Ui) -> Option<Command> {
    let mut answer = None;
    let width = (ui.available_width() - 32.0).min(860.0);
    ScrollArea::both().auto_shrink(false).show(ui, |ui| {
        ui.horizontal(|ui| {
            ui.add_space(((ui.available_width() - width) / 2.0).max(8.0));
            ui.vertical(|ui| {
                ui.set_width(width);
                ui.add_space(space::PAGE);
                reason(page, ui);
                answer = answers(page, fields, ui, "Back");
                if ui.button("Open other files…").clicked() {
                    answer = Some(Command::Open);
                }
            });
        });
    });
    if ui.input(|input| input.key_pressed(Key::Escape)) && !egui::Popup::is_any_open(ui.ctx()) {
        answer = Some(Command::LeaveFailure);
    }
    answer
}

/// Draws the dialog.
pub fn failure_dialog(page: &FailurePage, fields: &mut SourceFields, ctx: &Context) -> Option<Command> {
    let mut answer = None;
    let screen = ctx.content_rect();
    let modal = Modal::new(Id::unique("failure")).show(ctx, |ui| {
        ui.set_width((screen.width() - 60.0).min(640.0));
        let room = (screen.height() - 130.0).max(80.0);
        ScrollArea::both().auto_shrink([false, true]).max_height(room).show(ui, |ui| reason(page, ui));
        answer = answers(page, fields, ui, "Close");
    });
    answer.or_else(|| modal.should_close().then_some(Command::LeaveFailure))
}

/// Names the files, and says why they did not open.
fn reason(page: &FailurePage, ui: &mut Ui) {
    let theme = Theme::of(ui);
    let width = ui.available_width();
    ui.label(RichText::new(format!("Cannot open {}", title(&page.paths))).size(tokens::text::TITLE).strong());
    ui.add_space(space::SNUG);
    if let Some(file) = &page.failure.file {
        ui.label(RichText::new(file).color(theme.ink_soft));
    }
    ui.add_space(space::BLOCK);
    egui::Frame::new()
        .fill(theme.panel)
        .stroke(egui::Stroke::new(1.0, theme.warn))
        .corner_radius(4)
        .inner_margin(12)
        .show(ui, |ui| {
            ui.set_width(width - 26.0);
            ui.label(RichText::new(&page.failure.message).monospace());
        });
    ui.add_space(space::GROUP);
    page.failure.excerpts.iter().for_each(|lines| excerpt(lines, ui, &theme));
}

/// Draws the lines that a message names, the named one marked.
fn excerpt(excerpt: &Excerpt, ui: &mut Ui, theme: &Theme) {
    let name = excerpt.path.file_name().unwrap_or(excerpt.path.as_os_str()).to_string_lossy();
    let place = format!("{}:{}", excerpt.path.display(), excerpt.line);
    let link = ui.link(format!("{name}:{}", excerpt.line)).on_hover_text(format!("Copy {place}"));
    if link.clicked() {
        ui.copy_text(place);
    }
    for (number, line) in (excerpt.first..).zip(&excerpt.lines) {
        let is_named = number == excerpt.line;
        let text = RichText::new(format!("{}{number:>5}  {line}", if is_named { ">" } else { " " })).monospace();
        let text = if is_named { text.color(theme.warn) } else { text.color(theme.ink_soft) };
        ui.add(egui::Label::new(text).extend());
    }
    ui.add_space(space::BLOCK);
}

/// Draws what can be done about it; `leave` is the label of the button that closes.
fn answers(page: &FailurePage, fields: &mut SourceFields, ui: &mut Ui, leave: &str) -> Option<Command> {
    let mut answer = None;
    if !page.failure.entries.is_empty() {
        ui.label("Open with the entry point");
        ui.horizontal_wrapped(|ui| {
            for entry in &page.failure.entries {
                if ui.button(RichText::new(entry).monospace()).clicked() {
                    answer = Some(Command::OpenChanged(page.paths.clone(), OpenChange::Entry(entry.clone())));
                }
            }
        });
        ui.add_space(space::BLOCK);
    }
    if page.failure.invalid {
        let hint = "Opens the invalid module. Results may be incomplete, and drivers may fail.";
        if ui.button("Open without validation").on_hover_text(hint).clicked() {
            answer = Some(Command::OpenChanged(page.paths.clone(), OpenChange::NoValidation));
        }
        let hint = "Validates with the newest spirv-val on PATH, where it is newer than the SPIRV-Tools built in.";
        if ui.button("Validate with spirv-val").on_hover_text(hint).clicked() {
            let change = OpenChange::Validator(Some("auto".to_owned()));
            answer = Some(Command::OpenChanged(page.paths.clone(), change));
        }
        ui.add_space(space::BLOCK);
    }
    if page.failure.validator {
        let hint = "Validates with the SPIRV-Tools built in.";
        if ui.button("Open with the built-in validator").on_hover_text(hint).clicked() {
            answer = Some(Command::OpenChanged(page.paths.clone(), OpenChange::Validator(None)));
        }
        ui.add_space(space::BLOCK);
    }
    if may_have_sources(&page.paths) {
        let mut conversion = page.conversion.clone();
        let rows = Grid::new("sources").num_columns(2).spacing(tokens::table::FORM);
        rows.show(ui, |ui| fields.rows(ui, 320.0, &mut conversion));
        if conversion != page.conversion {
            let change = OpenChange::Sources(Box::new(conversion));
            answer = Some(Command::OpenChanged(page.paths.clone(), change));
        }
        ui.add_space(space::BLOCK);
    }
    ui.horizontal_wrapped(|ui| {
        if ui.button("Try again").clicked() {
            answer = Some(Command::OpenFiles(page.paths.clone()));
        }
        if ui.button("Copy message").clicked() {
            ui.copy_text(page.failure.to_string());
        }
        if ui.button(leave).on_hover_text("Esc").clicked() {
            answer = Some(Command::LeaveFailure);
        }
    });
    answer
}
