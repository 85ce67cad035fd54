//! The result over many pipelines: its rows, histograms, sums, the comparison.

use egui::{
    Align, Button, Id, Key, Label, Layout, Rangef, Rect, RichText, ScrollArea, Sense, TextEdit, TextStyle, Ui, vec2,
};
use egui_extras::{Column, TableRow};
use lanescope_core::corpus::ResultColumn;
use lanescope_core::table::{self, Sort, Table};
use lanescope_inspector::command::Command;
use lanescope_inspector::corpus::{CorpusCommand, CorpusPart};
use lanescope_views::menu::row_menu_of;
use lanescope_views::names::elided;
use lanescope_views::picture::{Emphasis, Mark, Picture, paint};
use lanescope_views::table::{
    Tokens, TokensOfVisuals as _, across, call, cell, double_clicked, one_line, table_of_rows, whole_cell,
};
use lanescope_views::theme::{Theme, ThemeOfUi as _};
use lanescope_views::tokens;
use lanescope_views::tokens::space;
use lanescope_views::tooltip::beside_place;
use lanescope_views::type_ahead;

use lanescope_workbench::state::State;
use lanescope_workbench::state::corpus::CorpusPage;

/// Widths of columns at first, in points.
const NAME_WIDTH: f32 = 280.0;
const TEXT_WIDTH: f32 = 120.0;
const NUMBER_WIDTH: f32 = 88.0;

/// How the result is looked at.
#[derive(Default)]
pub struct CorpusPanel {
    /// The filter as it is typed.
    filter: String,
    /// The filter of the state that it was taken from.
    known: String,
    /// Pictures of the histograms, for a revision and a theme.
    pictures: Option<((u64, bool), Vec<Picture>)>,
    /// The row that is scrolled to when the table is next drawn, by its place.
    scroll_to: Option<usize>,
    /// The keyboard goes to the filter when it is next drawn.
    pub search: bool,
}

impl CorpusPanel {
    /// Draws the page. Returns what was requested.
    pub fn ui(&mut self, state: &State, ui: &mut Ui) -> Vec<Command> {
        let Some(page) = &state.corpus else { return Vec::new() };
        let mut commands = Vec::new();
        egui::Frame::new().inner_margin(8).show(ui, |ui| {
            self.bar(state, page, ui, &mut commands);
            ui.separator();
            match page.part {
                CorpusPart::Rows => self.rows(page, ui, &mut commands),
                CorpusPart::Histograms => self.histograms(page, ui, &mut commands),
                CorpusPart::Summary => {
                    ScrollArea::both().id_salt("corpus sums").auto_shrink(false).show(ui, |ui| {
                        ui.weak(page.summed());
                        page.sums.iter().enumerate().for_each(|(at, sums)| small_table(ui, at, sums, &mut commands));
                    });
                }
                CorpusPart::Comparison => comparison(page, ui, &mut commands),
            }
        });
        commands
    }

    fn bar(&mut self, state: &State, page: &CorpusPage, ui: &mut Ui, commands: &mut Vec<Command>) {
        ui.horizontal_wrapped(|ui| {
            let name = elided(ui, &one_line(&page.title()), NAME_WIDTH);
            ui.label(RichText::new(name).strong()).on_hover_text(page.path.display().to_string());
            for part in CorpusPart::ALL {
                if ui.selectable_label(page.part == part, part.title()).clicked() {
                    commands.push(Command::Corpus(CorpusCommand::Part(part)));
                }
            }
            ui.separator();
            if page.filter != self.known {
                self.known.clone_from(&page.filter);
                self.filter.clone_from(&page.filter);
            }
            let field = TextEdit::singleline(&mut self.filter)
                .hint_text("Filter: fragment & VGPRs >= 64")
                .desired_width(280.0)
                .char_limit(400);
            let field = ui.add(field).on_hover_text(
                "Words that occur in a row, and comparisons of statistics with numbers; & is between two of them",
            );
            call(&field, "Filter");
            if std::mem::take(&mut self.search) {
                field.request_focus();
            }
            if field.lost_focus() && ui.input(|input| input.key_pressed(Key::Escape)) {
                self.filter.clear();
            }
            if self.filter != self.known {
                self.known.clone_from(&self.filter);
                commands.push(Command::Corpus(CorpusCommand::Filter(self.filter.clone())));
            }
            ui.label(page.count());
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                if ui.button("×").on_hover_text("Close the result").accessible_name("Close the result").clicked() {
                    commands.push(Command::CloseProgram);
                }
                if ui.button("Compare with…").clicked() {
                    commands.push(Command::Compare);
                }
                if let Some(program) = state.program()
                    && ui.button(format!("Back to {}", elided(ui, &program.title(), NAME_WIDTH))).clicked()
                {
                    commands.push(Command::ShowProgram(state.active));
                }
            });
        });
        let theme = Theme::of(ui);
        if let Some(why) = page.misfit.as_ref().or(page.result.note.as_ref()) {
            ui.label(RichText::new(why).color(theme.warn));
        }
    }

    fn rows(&mut self, page: &CorpusPage, ui: &mut Ui, commands: &mut Vec<Command>) {
        self.keys(page, ui, commands);
        let line = ui.text_style_height(&TextStyle::Body);
        let scroll_to = self.scroll_to.take();
        across(ui, "corpus across", |ui| {
            let mut builder = table_of_rows(ui)
                .id_salt(("corpus rows", &page.path))
                .striped(true)
                .resizable(true)
                .auto_shrink(false)
                .sense(Sense::CLICK)
                .cell_layout(Layout::left_to_right(Align::Center));
            for column in &page.columns {
                let width = match column {
                    ResultColumn::Pipeline => NAME_WIDTH,
                    ResultColumn::Number(_) => NUMBER_WIDTH,
                    _ => TEXT_WIDTH,
                };
                builder = builder.column(Column::initial(width).at_least(40.0).clip(true));
            }
            if let Some(row) = scroll_to {
                builder = builder.scroll_to_row(row, None);
            }
            builder.header(line + 6.0, |mut header| titles(page, &mut header, commands)).body(|body| {
                body.rows(line + 4.0, page.rows.len(), |mut row| table_row(page, &mut row, commands));
            });
        });
    }

    /// The arrow keys and the letters of its name choose a row, Enter opens it, where no widget has the keyboard.
    fn keys(&mut self, page: &CorpusPage, ui: &Ui, commands: &mut Vec<Command>) {
        if ui.memory(|memory| memory.focused().is_some()) || egui::Popup::is_any_open(ui.ctx()) {
            return;
        }
        let step = ui.input(|input| {
            let pressed = |key| input.modifiers.is_none() && input.key_pressed(key);
            [(Key::ArrowDown, 1), (Key::ArrowUp, -1), (Key::PageDown, 20), (Key::PageUp, -20)]
                .into_iter()
                .find(|(key, _)| pressed(*key))
                .map(|(_, step)| step)
        });
        if let Some(step) = step {
            let at = page.chosen.and_then(|row| page.rows.iter().position(|other| *other == row));
            let last = page.rows.len().saturating_sub(1);
            let to = at.map_or(0, |at| at.saturating_add_signed(step).min(last));
            if let Some(row) = page.rows.get(to) {
                self.scroll_to = Some(to);
                commands.push(Command::Corpus(CorpusCommand::Choose(*row)));
            }
        }
        if let Some(typed) = type_ahead::typed(ui.ctx(), Id::unique("corpus rows")) {
            let at = page.chosen.and_then(|row| page.rows.iter().position(|other| *other == row));
            let name = |at: usize| {
                let row = page.rows.get(at).copied().unwrap_or_default();
                page.result.table.text(row as usize, ResultColumn::Pipeline)
            };
            let found = type_ahead::find(&typed, at, page.rows.len(), name);
            if let Some((to, row)) = found.and_then(|to| Some((to, *page.rows.get(to)?))) {
                self.scroll_to = Some(to);
                commands.push(Command::Corpus(CorpusCommand::Choose(row)));
            }
        }
        if let Some(row) = page.chosen.filter(|_| ui.input(|input| input.key_pressed(Key::Enter))) {
            commands.push(Command::Corpus(CorpusCommand::OpenRow(row)));
        }
    }

    fn histograms(&mut self, page: &CorpusPage, ui: &mut Ui, commands: &mut Vec<Command>) {
        let theme = Theme::of(ui);
        let made_for = (page.revision, theme.dark);
        if self.pictures.as_ref().is_none_or(|(key, _)| *key != made_for) {
            let drawn = page.histograms.iter();
            let drawn = drawn.map(|(name, values)| lanescope_pictures::corpus::histogram(name, values, &theme));
            self.pictures = Some((made_for, drawn.collect()));
        }
        if page.histograms.is_empty() {
            ui.weak("The shown rows have no numbers.");
        }
        ScrollArea::vertical().id_salt("corpus histograms").auto_shrink(false).show(ui, |ui| {
            ui.weak(
                "Of the shown rows: each line is a range of values, with the number of its shaders. Ranges grow with their \
                 values. A click on a line shows its rows.",
            );
            // Their titles are in a line.
            ui.with_layout(Layout::left_to_right(Align::TOP).with_main_wrap(true), |ui| {
                ui.spacing_mut().item_spacing = vec2(12.0, 12.0);
                let all = self.pictures.iter().flat_map(|(_, pictures)| pictures);
                for (picture, (name, values)) in all.zip(&page.histograms) {
                    let about = |mark: Mark| match mark {
                        Mark::Part(bar) => lanescope_pictures::corpus::about_bar(name, values, bar as usize),
                        _ => None,
                    };
                    let Some(Mark::Part(bar)) = clicked_part(ui, picture, &theme, about) else { continue };
                    let Some(range) = lanescope_pictures::corpus::bar_at(values, bar as usize) else { continue };
                    let filter = CorpusPage::range_filter(name, range.0, range.1);
                    commands.push(Command::Corpus(CorpusCommand::Filter(filter)));
                    commands.push(Command::Corpus(CorpusCommand::Part(CorpusPart::Rows)));
                }
            });
        });
    }
}

/// Draws a picture at its size, with what is known of the part under the pointer. Returns what of it was clicked.
fn clicked_part(ui: &mut Ui, picture: &Picture, theme: &Theme, about: impl Fn(Mark) -> Option<String>) -> Option<Mark> {
    let (rect, response) = ui.allocate_exact_size(picture.size, Sense::click());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::accesskit::Role::Image, true, &picture.title));
    if !ui.is_rect_visible(rect) {
        return None;
    }
    let under = |at: egui::Pos2| picture.hit((at - rect.min).to_pos2());
    let place = response.hover_pos().and_then(|at| picture.hit_place((at - rect.min).to_pos2()));
    let hovered = place.map(|(mark, _)| mark);
    let emphasis = Emphasis { selected: &[], hovered, accent: theme.accent };
    paint(&ui.painter_at(rect), picture, rect.min, 1.0, emphasis);
    if let Some((mark, place)) = place
        && let Some(text) = about(mark)
    {
        beside_place(&response, place.translate(rect.min.to_vec2()), |ui| _ = ui.label(text));
    }
    response.interact_pointer_pos().filter(|_| response.clicked()).and_then(under)
}

/// The titles, each of which sorts.
fn titles(page: &CorpusPage, header: &mut TableRow<'_, '_>, commands: &mut Vec<Command>) {
    for (index, column) in page.columns.iter().enumerate() {
        header.col(|ui| {
            let here = page.sort.filter(|sort| sort.column == index);
            let title = one_line(page.result.table.title(*column));
            let sign = here.map(|sort| format!(" {}", sort.sign())).unwrap_or_default();
            let text = RichText::new(format!("{title}{sign}")).strong();
            let label = Label::new(text).selectable(false).truncate().sense(Sense::click());
            // As the cells below it.
            let response = match column {
                ResultColumn::Number(_) => {
                    ui.with_layout(Layout::right_to_left(Align::Center), |ui| ui.add(label)).inner
                }
                _ => ui.add(label),
            };
            let name = here.map_or_else(|| title.clone(), |sort| format!("{title}, {}", sort.words()));
            response
                .widget_info(|| egui::WidgetInfo::labeled(egui::accesskit::Role::ColumnHeader, ui.is_enabled(), &name));
            if response.on_hover_text(&title).clicked() {
                commands.push(Command::Corpus(CorpusCommand::Sort(Sort::after_click(page.sort, index))));
            }
        });
    }
}

fn table_row(page: &CorpusPage, row: &mut TableRow<'_, '_>, commands: &mut Vec<Command>) {
    let Some(index) = page.rows.get(row.index()).copied() else { return };
    row.set_selected(page.chosen == Some(index));
    let mut places = Vec::with_capacity(page.columns.len());
    for column in &page.columns {
        let cell = row.col(|ui| {
            // Most of the columns of a wide table are out of view.
            if !ui.is_rect_visible(ui.max_rect()) {
                return;
            }
            let text = page.result.table.text(index as usize, *column);
            if text.is_empty() {
                return;
            }
            let text = one_line(&text);
            let text = match column {
                ResultColumn::Pipeline => elided(ui, &text, ui.available_width()),
                _ => text,
            };
            let text = RichText::new(text);
            match column {
                ResultColumn::Number(_) => {
                    ui.with_layout(Layout::right_to_left(Align::Center), |ui| cell(ui, text.monospace()));
                }
                ResultColumn::Failure => {
                    let colour = Tokens::of(ui.visuals()).error;
                    cell(ui, text.color(colour));
                }
                _ => _ = cell(ui, text),
            }
        });
        places.push(cell.1.rect.x_range());
    }
    // Each cell takes clicks, and none the keyboard: the arrow keys choose rows, so that Tab need not go through all.
    let response = row.response();
    response.widget_info(|| {
        let name = page.result.table.text(index as usize, ResultColumn::Pipeline);
        let shader = page.result.table.text(index as usize, ResultColumn::Shader);
        egui::WidgetInfo::labeled(egui::accesskit::Role::Row, true, format!("{name} {shader}"))
    });
    if response.double_clicked() {
        commands.push(Command::Corpus(CorpusCommand::OpenRow(index)));
    } else if response.clicked() {
        commands.push(Command::Corpus(CorpusCommand::Choose(index)));
    }
    row_menu_of(&response, &places, page.chosen == Some(index), |menu| {
        menu.command("Open the pipeline", || Command::Corpus(CorpusCommand::OpenRow(index)), commands);
        let name = || page.result.table.text(index as usize, ResultColumn::Pipeline).into_owned();
        menu.command("Copy the name", || Command::Copy(name()), commands);
        menu.command("Copy the shown rows", || Command::CopyTable, commands);
    });
}

fn comparison(page: &CorpusPage, ui: &mut Ui, commands: &mut Vec<Command>) {
    let Some(comparison) = &page.comparison else {
        ui.label("Not compared. The other result is the side before.");
        if ui.button("Compare with…").clicked() {
            commands.push(Command::Compare);
        }
        return;
    };
    ScrollArea::both().id_salt("corpus comparison").auto_shrink(false).show(ui, |ui| {
        ui.label(format!("Before: {}", one_line(&comparison.before.display().to_string())));
        // The totals, which follow in the text, are a table here.
        let counts: Vec<&str> =
            comparison.lines.iter().take_while(|line| !line.is_empty()).map(String::as_str).collect();
        ui.label(counts.join("\n"));
        comparison.tables.iter().enumerate().for_each(|(at, shown)| small_table(ui, at, shown, commands));
    });
}

/// A table of some hundred rows at most. A click on the name of a pipeline opens it, and a double click on its row.
fn small_table(ui: &mut Ui, id: usize, shown: &Table, commands: &mut Vec<Command>) {
    ui.add_space(space::BLOCK);
    ui.label(RichText::new(&shown.title).strong().size(tokens::text::HEADING));
    let names = shown.columns.first().is_some_and(|column| column.title == "Pipeline");
    egui::Grid::new(("corpus table", id)).striped(true).spacing(tokens::table::USUAL).show(ui, |ui| {
        let aligned = |ui: &mut Ui, align: table::Align, fill: &mut dyn FnMut(&mut Ui)| match align {
            table::Align::Left => fill(ui),
            table::Align::Right => _ = ui.with_layout(Layout::right_to_left(Align::Center), |ui| fill(ui)),
        };
        for column in &shown.columns {
            let title = || Label::new(RichText::new(&column.title).strong()).extend();
            aligned(ui, column.align, &mut |ui| _ = ui.add(title()));
        }
        ui.end_row();
        for (number, row) in shown.rows.iter().enumerate() {
            let place = ui.cursor();
            let mut right = place.left();
            for (at, column) in shown.columns.iter().enumerate() {
                let of = row.cell(at);
                match of.filter(|_| names && at == 0) {
                    Some(name) => {
                        let text = name.text().into_owned();
                        let button = Button::new(RichText::new(one_line(&text)).monospace()).frame(false);
                        let name = ui.add(button).on_hover_text("Open the pipeline");
                        type_ahead::row(Id::unique(("corpus table", id)), &name, &text);
                        if name.clicked() {
                            commands.push(Command::Corpus(CorpusCommand::OpenPipeline(text)));
                        }
                    }
                    None => aligned(ui, column.align, &mut |ui| whole_cell(ui, of)),
                }
                right = right.max(ui.cursor().left());
            }
            ui.end_row();
            let Some(name) = row.cell(0).filter(|_| names) else { continue };
            let height = Rangef::new(place.top(), ui.cursor().top());
            let whole = Rect::from_x_y_ranges(Rangef::new(place.left(), right), height);
            let id = ui.scope_id().with(("corpus row", id, number));
            // The name takes its own clicks: the rest of the row is below it.
            if double_clicked(&ui.interact(whole, id, Sense::hover())) {
                commands.push(Command::Corpus(CorpusCommand::OpenPipeline(name.text().into_owned())));
            }
        }
    });
}
