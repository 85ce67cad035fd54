//! Contents of buffers and images after a generation, with changes marked.

use crate::tokens::space;
use std::borrow::Cow;

use egui::{ComboBox, RichText, Sense, TextStyle, TextWrapMode, Ui};
use egui_extras::Column;
use lanescope_core::run::graph::{GraphRun, Held};
use lanescope_core::run::{ImageRun, Rows, Shape};
use lanescope_core::text_format::counted;
use lanescope_inspector::command::Command;

use crate::combo::pick;
use crate::menu::row_menu;
use crate::picture::clean;
use crate::table::{
    Tokens, cell, quiet_cell, row_at, rows_in_order, sorting_title, tab_separated, table_id, table_of_rows,
};
use crate::theme::TokensOfVisuals as _;

/// Rows that are looked through for changes, and rows that are copied.
const LOOKED_THROUGH: u64 = 4 << 20;
const COPIED: u64 = 100_000;
/// More rows than this are not sorted: a frame would wait for it.
const SORTED: u64 = 100_000;
/// The name of the table, and its columns.
const TABLE: &str = "buffer after a generation";
const TITLES: [&str; 4] = ["Offset", "Member", "Before", "After"];
/// The largest buffer of zeros that is shown.
const MAX_ZEROS: usize = 256 << 20;

/// How buffers are looked at.
#[derive(Default)]
pub(super) struct BufferPane {
    /// Index of the buffer that is shown.
    shown: usize,
    changes_only: bool,
    /// What a buffer of zeros holds.
    zeros: Vec<u8>,
    known: Option<Known>,
}

/// Something that nodes write.
struct Written<'r> {
    name: &'r str,
    title: String,
    bytes: u64,
    shape: Shape,
    /// It is an image: its rows are texels.
    image: Option<&'r ImageRun>,
}

impl Written<'_> {
    fn all(run: &GraphRun) -> Vec<Written<'_>> {
        let title = |name: &str, register: &Option<String>, variable: &Option<String>| {
            let variable = variable.as_deref().map(|variable| format!(" {}", clean(variable))).unwrap_or_default();
            format!("{}{variable}", register.as_deref().unwrap_or(name))
        };
        let buffers = run.buffers.iter().map(|is| Written {
            name: &is.name,
            title: title(&is.name, &is.register, &is.variable),
            bytes: is.bytes,
            shape: is.shape.clone(),
            image: None,
        });
        let images = run.images.iter().map(|is| Written {
            name: &is.name,
            title: title(&is.name, &is.register, &is.variable),
            bytes: is.bytes,
            shape: is.shape(),
            image: Some(is),
        });
        buffers.chain(images).collect()
    }
}

/// Known facts about a buffer after a generation.
struct Known {
    key: (usize, usize, u64),
    rows: Rows,
    changed: Vec<u64>,
}

impl BufferPane {
    /// Forgets what was known of another run.
    pub fn forget(&mut self) {
        self.known = None;
    }

    /// Draws the buffers as they were after a generation; before one that waits, as they are now.
    pub fn ui(&mut self, ui: &mut Ui, run: &GraphRun, at: usize, copy: bool, commands: &mut Vec<Command>) {
        let written = Written::all(run);
        self.shown = self.shown.min(written.len().saturating_sub(1));
        let Some(is) = written.get(self.shown) else {
            ui.weak("No node writes a buffer or an image.");
            return;
        };
        // What was never written held zeros: as many as there are bytes.
        let zeros = std::mem::take(&mut self.zeros);
        let zeros = match zeros.len() as u64 == is.bytes {
            true => zeros,
            false => vec![0; usize::try_from(is.bytes).unwrap_or(0).min(MAX_ZEROS)],
        };
        let waits = run.generations.get(at).is_some_and(|is| is.waiting);
        let ran = if waits { at.checked_sub(1) } else { Some(at) };
        let held = |generation: Option<usize>| match run.contents_after(generation, is.name) {
            Held::Bytes(bytes) => Some(bytes),
            Held::Zeros => Some(zeros.as_slice()),
            Held::NotKept => None,
        };
        let (after, before) = (held(ran), held(ran.and_then(|at| at.checked_sub(1))));
        let is_known = after.is_some() && before.is_some();
        let (after, before) = (after.unwrap_or_default(), before.unwrap_or_default());
        let key = (self.shown, 2 * at + usize::from(waits), run.wall_nanoseconds);
        let known = self.known.take().filter(|known| known.key == key).unwrap_or_else(|| {
            let rows = Rows::of(&is.shape, after.len() as u64);
            let mut changed = Vec::new();
            let ran = ran.and_then(|at| run.generations.get(at));
            let untouched = ran.is_none_or(|ran| !ran.changed.contains_key(is.name)) || !is_known;
            let count = if untouched { 0 } else { rows.len().min(LOOKED_THROUGH) };
            for number in 0..count {
                if rows.row(after, number).map(|row| row.values) != rows.row(before, number).map(|row| row.values) {
                    changed.push(number);
                }
            }
            Known { key, rows, changed }
        });
        let mut copy = copy;
        ui.horizontal_wrapped(|ui| {
            let label = ui.label("Buffer").id;
            let combo = ComboBox::from_id_salt("buffers").selected_text(&is.title).show_ui(ui, |ui| {
                for (at, other) in written.iter().enumerate() {
                    pick(ui, &mut self.shown, at, &other.title);
                }
            });
            combo.response.labelled_by(label);
            ui.toggle_value(&mut self.changes_only, format!("Changes only ({})", known.changed.len()));
            copy |= ui
                .button("Copy")
                .on_hover_text("Copy the shown rows as text, at most the first 100,000, with tabs between columns")
                .clicked();
            quiet_cell(ui, format!("{}, {}", counted(is.bytes, "byte"), counted(known.rows.len(), "row")));
            if let Some(image) = is.image {
                let [x, y, z] = image.size;
                let layers = if image.layers > 1 { format!(", {} layers", image.layers) } else { String::new() };
                quiet_cell(ui, format!("image of {x}×{y}×{z} texels{layers}, {}", image.format));
            }
        });
        if !is_known {
            let end = if run.contents.contains_key(is.name) {
                "the final contents are recorded."
            } else {
                "the final contents are unknown too, because the run was interrupted."
            };
            let what = format!("The contents at this point exceed what a run records; {end}");
            ui.colored_label(Tokens::of(ui.visuals()).warning, what);
        }
        let count = if self.changes_only { known.changed.len() as u64 } else { known.rows.len() };
        let number = |row: u64| match self.changes_only {
            true => known.changed.get(usize::try_from(row).ok()?).copied(),
            false => Some(row),
        };
        let cells = |number: u64| -> Option<[String; 4]> {
            let row = known.rows.row(after, number)?;
            let text = |values: &[lanescope_core::run::Value]| -> String {
                let values: Vec<_> = values.iter().map(|value| value.to_string().replace('"', "")).collect();
                values.join(", ")
            };
            let old = known.rows.row(before, number).map(|row| text(&row.values)).unwrap_or_default();
            let path = match is.image {
                Some(image) => {
                    let [x, y, layer] = image.place(number);
                    format!("({x}, {y}, {layer})")
                }
                None if row.path.is_empty() => "-".to_owned(),
                None => row.path,
            };
            Some([row.offset.to_string(), path, old, text(&row.values)])
        };
        let order = (count <= SORTED).then(|| {
            let text = |row: usize, column: usize| {
                let cells = number(row as u64).and_then(cells);
                cells.and_then(|cells| cells.into_iter().nth(column)).unwrap_or_default()
            };
            let rows = usize::try_from(count).unwrap_or(usize::MAX);
            rows_in_order(ui.ctx(), table_id(TABLE), (known.key, self.changes_only), |sort| {
                lanescope_core::table::order(rows, |_| false, text, Some(sort))
            })
        });
        let order = order.flatten();
        let number = |row: u64| number(row_at(order.as_ref(), usize::try_from(row).ok()?)? as u64);
        let as_tabs = || {
            let head = std::iter::once(TITLES.map(Cow::Borrowed).to_vec());
            let rows = (0..count.min(COPIED)).filter_map(number).filter_map(cells);
            tab_separated(head.chain(rows.map(|row| row.map(Cow::Owned).to_vec())))
        };
        if count == 0 && is_known {
            ui.add_space(space::ROW);
            ui.weak(if self.changes_only { "No row changed." } else { "The buffer is empty." });
        } else {
            table(ui, count, &number, &cells, &known, &as_tabs, commands);
        }
        if copy {
            commands.push(Command::Copy(as_tabs()));
        }
        self.known = Some(known);
        self.zeros = zeros;
    }
}

fn table(
    ui: &mut Ui,
    count: u64,
    number: &impl Fn(u64) -> Option<u64>,
    cells: &impl Fn(u64) -> Option<[String; 4]>,
    known: &Known,
    as_tabs: &dyn Fn() -> String,
    commands: &mut Vec<Command>,
) {
    let tokens = Tokens::of(ui.visuals());
    let height = ui.text_style_height(&TextStyle::Monospace) + 3.0;
    let id = table_id(TABLE);
    let table = table_of_rows(ui)
        .id_salt("buffer rows")
        .striped(true)
        .sense(Sense::click())
        .auto_shrink(false)
        .resizable(true)
        .column(Column::initial(76.0).at_least(40.0))
        .column(Column::initial(160.0).at_least(60.0).clip(true))
        .column(Column::initial(160.0).at_least(60.0).clip(true))
        .column(Column::remainder().at_least(60.0).clip(true));
    let headed = table.header(height, |mut header| {
        for (column, title) in TITLES.into_iter().enumerate() {
            header.col(|ui| match count <= SORTED {
                true => _ = sorting_title(ui, id, column, title, "", TextWrapMode::Truncate),
                false => _ = quiet_cell(ui, title).on_hover_text("Too many rows to sort"),
            });
        }
    });
    headed.body(|body| {
        body.rows(height, usize::try_from(count).unwrap_or(usize::MAX), |mut row| {
            let Some(number) = number(row.index() as u64) else { return };
            let Some(texts) = cells(number) else { return };
            let changed = known.changed.binary_search(&number).is_ok();
            let mut places = Vec::with_capacity(TITLES.len());
            for (column, text) in texts.iter().enumerate() {
                let place = row.col(|ui| {
                    let text = RichText::new(text).monospace();
                    match (column, changed) {
                        (3, true) => cell(ui, text.color(tokens.changed).strong()),
                        (0 | 2, _) => quiet_cell(ui, text),
                        _ => cell(ui, text),
                    };
                });
                places.push(place.1.rect.x_range());
            }
            row_menu(&row.response(), &places, |menu| menu.copy(&texts, as_tabs, commands));
        });
    });
}
