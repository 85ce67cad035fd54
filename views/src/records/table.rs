//! The table.

use egui::{Button, Response, RichText, TextEdit, TextStyle, Ui};
use egui_extras::Column;
use lanescope_core::graph::{Condition, RecordType, TypeSource};
use lanescope_core::run::graph::{Edited, Reading, RecordField, push_record, record_fields, record_table};
use lanescope_core::text_format::counted;

use crate::menu::{context_menu, row_menu};
use crate::picture::clean;
use crate::table::{Tokens, across, call, cell, quiet_cell, table_of_rows, with_sign};
use crate::theme::TokensOfVisuals as _;
use lanescope_pictures::records::{Kept, Order, RecordQuery, SortBy, SortKey};

/// The most columns of a table.
const COLUMNS: usize = 64;
/// Records that are copied.
const COPIED: u64 = 100_000;

/// The shown contents.
#[derive(Clone, Copy)]
pub struct RecordsShown<'a> {
    /// Names it: another key, another table.
    pub key: (u64, usize, usize),
    /// The records' type; absent for empty ones.
    pub record: Option<&'a RecordType>,
    /// How many there are.
    pub count: u64,
    /// Their bytes, one after the other.
    pub bytes: &'a [u8],
    /// Bytes from one to the next.
    pub stride: u32,
    /// The same after the node ran, where it may write them.
    pub after: Option<&'a [u8]>,
    /// Those that were changed manually while they waited.
    pub edited: &'a [Edited],
    /// The writer of a record, as short text.
    pub writer: &'a dyn Fn(u64) -> String,
    /// A number of the writer of a record, to sort by.
    pub writer_key: &'a dyn Fn(u64) -> u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SortColumn {
    Index,
    Writer,
    /// A member, by its place among the shown ones.
    Field(usize),
}

/// A title that sorts by its column: up, down, then as the records came.
fn title(ui: &mut Ui, column: SortColumn, text: &str, sort: &mut Option<(SortColumn, bool)>) -> Response {
    let sign = match *sort {
        Some((by, false)) if by == column => "▲",
        Some((by, true)) if by == column => "▼",
        _ => "",
    };
    let text = with_sign(ui, text, sign);
    let title = ui.add(Button::new(text).frame(false));
    if title.clicked() {
        *sort = match *sort {
            Some((by, false)) if by == column => Some((column, true)),
            Some((by, true)) if by == column => None,
            _ => Some((column, false)),
        };
    }
    title
}

/// What was requested in this frame.
#[derive(Debug, Default, PartialEq)]
pub struct RecordsReply {
    /// Text for the clipboard.
    pub copy: Option<String>,
    /// A record was chosen.
    pub chosen: Option<u64>,
    /// The launch of the chosen record is to be debugged.
    pub debug: bool,
}

/// How records are looked at.
#[derive(Debug, Default)]
pub struct RecordsTable {
    key: Option<(u64, usize, usize)>,
    fields: Vec<RecordField>,
    /// Members that have no column.
    left_out: usize,
    filter: String,
    condition: Option<Result<Condition, String>>,
    sort: Option<(SortColumn, bool)>,
    order: Order,
    /// The records of one launch, where one was followed here.
    kept: Option<Kept>,
    selected: Option<u64>,
    /// The record to bring into view.
    scroll_to: Option<u64>,
}

impl RecordsTable {
    /// The record that is selected.
    pub fn selected(&self) -> Option<u64> {
        self.selected
    }

    /// Selects a record, and shows all of them again.
    pub fn select(&mut self, record: Option<u64>) {
        (self.selected, self.kept, self.scroll_to) = (record, None, record);
    }

    /// Shows only these records, of the table that comes next.
    pub fn keep_to(&mut self, kept: Kept) {
        (self.selected, self.kept) = (kept.only(), Some(kept));
    }

    /// Draws the table with its controls.
    pub fn ui(&mut self, ui: &mut Ui, shown: &RecordsShown<'_>, copy: bool) -> RecordsReply {
        let mut reply = RecordsReply::default();
        if self.key != Some(shown.key) {
            self.renew(shown);
        }
        let Some(record) = shown.record else {
            ui.weak(format!("{}: only their number is known.", counted(shown.count, "empty record")));
            return reply;
        };
        let condition = match &self.condition {
            Some(Ok(condition)) => Some(condition.clone()),
            _ => None,
        };
        let sort = self.sort.and_then(|(column, descending)| {
            let by = match column {
                SortColumn::Index => SortKey::Index,
                SortColumn::Writer => SortKey::Writer,
                SortColumn::Field(column) => {
                    let field = self.fields.get(column)?;
                    SortKey::Number(usize::try_from(field.leaf.offset).ok()?, field.scalar())
                }
            };
            Some(SortBy { by, descending })
        });
        self.order.want(&RecordQuery { filter: condition, kept: self.kept.clone(), sort });
        let stride = shown.stride as usize;
        let kept = (shown.bytes.len() as u64).checked_div(u64::from(shown.stride)).unwrap_or(0).min(shown.count);
        let done = self.order.work(shown.bytes, stride, kept, shown.writer_key);
        if !done {
            ui.ctx().request_repaint();
        }
        let mut copy = copy;
        ui.horizontal_wrapped(|ui| {
            self.filtering(ui, record);
            if let Some(what) = self.kept.as_ref().map(|kept| clean(&kept.what)) {
                let button = ui.button(format!("{what} ×"));
                let button = button.on_hover_text("Show all records of the node");
                if button.clicked() || button.middle_clicked() {
                    self.kept = None;
                }
            }
            copy |= ui
                .button("Copy")
                .on_hover_text("Copy the shown records as text, at most the first 100,000, with tabs between columns")
                .clicked();
            let rows = self.order.len(kept);
            let text = match self.order.is_plain() {
                true => counted(shown.count, "record"),
                false => format!("{rows} of {}", counted(shown.count, "record")),
            };
            quiet_cell(ui, text);
            if !done {
                quiet_cell(ui, format!("{:.0} %", 100.0 * self.order.progress(kept)));
            }
        });
        if kept < shown.count {
            let hint = "Only the number of records is known: the run was GPU-driven, or exceeded the size limit of a \
                        run.";
            ui.weak(match kept {
                0 => "Contents were not recorded.".to_owned(),
                kept => format!("Contents were recorded for the first {kept}."),
            })
            .on_hover_text(hint);
        }
        if let Some(Err(why)) = &self.condition {
            ui.colored_label(Tokens::of(ui.visuals()).error, clean(why));
        }
        if copy {
            reply.copy = Some(self.text(shown, kept));
        }
        self.rows(ui, shown, kept, &mut reply);
        reply
    }

    fn renew(&mut self, shown: &RecordsShown<'_>) {
        if self.key.is_some() {
            // What was selected or followed belongs to the table that it leads to.
            self.selected = self.selected.filter(|record| *record < shown.count);
        }
        (self.key, self.order) = (Some(shown.key), Order::default());
        let before = std::mem::take(&mut self.fields);
        self.left_out = 0;
        if let Some(record) = shown.record {
            (self.fields, self.left_out) = record_fields(record, COLUMNS);
        }
        // From generation to generation one type looks the same.
        let same = |a: &RecordField, b: &RecordField| (&a.name, a.leaf) == (&b.name, b.leaf);
        let kept = before.len() == self.fields.len() && before.iter().zip(&self.fields).all(|(a, b)| same(a, b));
        if kept {
            self.fields = before;
        } else {
            (self.sort, self.condition) = (None, None);
            self.filter.clear();
        }
        self.read_filter(shown.record);
    }

    fn read_filter(&mut self, record: Option<&RecordType>) {
        let text = self.filter.trim();
        self.condition = match (text.is_empty(), record) {
            (false, Some(record)) => Some(Condition::parse(text, record).map_err(|error| error.to_string())),
            _ => None,
        };
    }

    fn filtering(&mut self, ui: &mut Ui, record: &RecordType) {
        let example = self.fields.first().map_or("f0", |field| field.name.as_str());
        let hint = format!("Filter: {} > 3", clean(example));
        let field = ui.add(TextEdit::singleline(&mut self.filter).hint_text(hint).desired_width(200.0).char_limit(500));
        call(&field, "Filter records");
        let help = "Condition on members: tile >= 16 && place.x < 0.5";
        if field.on_hover_text(help).changed() {
            self.read_filter(Some(record));
        }
    }

    fn rows(&mut self, ui: &mut Ui, shown: &RecordsShown<'_>, kept: u64, reply: &mut RecordsReply) {
        let tokens = Tokens::of(ui.visuals());
        let height = ui.text_style_height(&TextStyle::Monospace) + 3.0;
        let count = usize::try_from(self.order.len(kept)).unwrap_or(usize::MAX);
        let stride = shown.stride as usize;
        let mut sort = self.sort;
        let mut readings: Vec<(usize, Reading)> = Vec::new();
        let (mut chosen, mut copied, mut debug) = (None, None, false);
        let unnamed = shown.record.is_some_and(|record| record.source != TypeSource::Debug);
        across(ui, "records across", |ui| {
            let mut table = table_of_rows(ui)
                .id_salt("records")
                .striped(true)
                .auto_shrink(false)
                .min_scrolled_height(0.0)
                .resizable(true)
                .sense(egui::Sense::click())
                .column(Column::initial(64.0).at_least(36.0))
                .column(Column::initial(120.0).at_least(40.0).clip(true));
            if let Some(row) = self.scroll_to.take().and_then(|record| self.order.row_of(record)) {
                table = table.scroll_to_row(usize::try_from(row).unwrap_or(0), Some(egui::Align::Center));
            }
            for field in &self.fields {
                let name = field.name.chars().count().clamp(4, 24) + if unnamed { 7 } else { 0 };
                let width = 26.0 + 9.0 * name as f32 + 34.0 * field.leaf.count as f32;
                table = table.column(Column::initial(width).at_least(40.0).clip(true));
            }
            let headed = table.header(height + 4.0, |mut header| {
                for (column, text) in [(SortColumn::Index, "#"), (SortColumn::Writer, "Written by")] {
                    header.col(|ui| {
                        title(ui, column, text, &mut sort).on_hover_text("Click sorts.");
                    });
                }
                for (column, field) in self.fields.iter().enumerate() {
                    header.col(|ui| {
                        let title = ui.horizontal(|ui| {
                            let title = title(ui, SortColumn::Field(column), &clean(&field.name), &mut sort);
                            if unnamed {
                                // A made name says nothing: place and type do.
                                quiet_cell(ui, format!("+{} {}", field.leaf.offset, field.type_name()));
                            }
                            title
                        });
                        let title = title.inner;
                        context_menu(&title, |menu| {
                            for (reading, name) in Reading::ALL {
                                let ui = menu.ui();
                                if ui.radio(field.reading == reading, name).clicked() {
                                    readings.push((column, reading));
                                    ui.close();
                                }
                            }
                        });
                        let ty = format!("{} ×{}", field.leaf.scalar, field.leaf.count);
                        title.on_hover_text(format!("{ty}, at byte {}. Click sorts.", field.leaf.offset));
                    });
                }
            });
            headed.body(|body| {
                body.rows(height, count, |mut row| {
                    let Some(index) = self.order.record(row.index() as u64) else { return };
                    row.set_selected(self.selected == Some(index));
                    let at = usize::try_from(index).unwrap_or(usize::MAX).saturating_mul(stride);
                    let part = |bytes: &'_ [u8]| -> Vec<u8> {
                        bytes.get(at..at.saturating_add(stride)).unwrap_or_default().to_vec()
                    };
                    let record = part(shown.bytes);
                    let after = shown.after.map(part);
                    let edited = shown.edited.iter().any(|edit| edit.record == index);
                    let mut places = Vec::with_capacity(self.fields.len() + 2);
                    let place = row.col(|ui| {
                        let text = RichText::new(index.to_string()).monospace();
                        match edited {
                            true => _ = cell(ui, text.color(tokens.changed).strong()).on_hover_text("Edited"),
                            false => _ = quiet_cell(ui, text),
                        }
                    });
                    places.push(place.1.rect.x_range());
                    let place = row.col(|ui| {
                        quiet_cell(ui, (shown.writer)(index));
                    });
                    places.push(place.1.rect.x_range());
                    for field in &self.fields {
                        let text = field.values(&record);
                        let then = after.as_ref().map(|after| field.values(after)).filter(|then| *then != text);
                        let place = row.col(|ui| match then {
                            Some(then) => {
                                let text = RichText::new(format!("{text} → {then}")).monospace();
                                cell(ui, text.color(tokens.changed))
                                    .on_hover_text("Value before and after the node ran");
                            }
                            None => {
                                cell(ui, RichText::new(text).monospace());
                            }
                        });
                        places.push(place.1.rect.x_range());
                    }
                    row_menu(&row.response(), &places, |menu| {
                        let own = [index.to_string(), (shown.writer)(index)];
                        let fields = self.fields.iter().map(|field| field.values(&record));
                        let cells: Vec<String> = own.into_iter().chain(fields).collect();
                        copied = menu.copied(&cells, || self.text(shown, kept)).or(copied.take());
                        if menu.item("Select record") {
                            chosen = Some(index);
                        }
                        if menu.item("Debug this launch") {
                            (chosen, debug) = (Some(index), true);
                        }
                    });
                    if row.response().clicked() {
                        chosen = Some(index);
                    }
                });
            });
        });
        if self.left_out > 0 {
            ui.weak(format!("{} not shown.", counted(self.left_out as u64, "more member")));
        }
        reply.copy = copied.or(reply.copy.take());
        reply.debug = debug;
        self.sort = sort;
        for (column, reading) in readings {
            if let Some(field) = self.fields.get_mut(column) {
                field.reading = reading;
            }
        }
        if let Some(index) = chosen {
            self.selected = Some(index);
            reply.chosen = Some(index);
        }
    }

    fn text(&self, shown: &RecordsShown<'_>, kept: u64) -> String {
        let stride = shown.stride as usize;
        let mut table = record_table(&self.fields);
        for index in (0..self.order.len(kept).min(COPIED)).filter_map(|row| self.order.record(row)) {
            let at = usize::try_from(index).unwrap_or(usize::MAX).saturating_mul(stride);
            let record = shown.bytes.get(at..at.saturating_add(stride)).unwrap_or_default();
            push_record(&mut table, &self.fields, index, &(shown.writer)(index), record);
        }
        table.to_tabs()
    }
}
