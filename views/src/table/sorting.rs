//! Titles that sort: a click on a title, or Enter, sorts by its column. The order is kept for each table by its id.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use egui::accesskit::Role;
use egui::text::{LayoutJob, TextFormat};
use egui::{Context, CursorIcon, Id, Label, Response, Sense, TextStyle, TextWrapMode, Ui};
use lanescope_core::table::{Sort, Table};

/// The name of a table, by which its order is kept.
pub fn table_id(name: impl Hash + std::fmt::Debug) -> Id {
    Id::unique(("order of rows", name))
}

/// How the table of that name is sorted.
pub fn sort_of(ctx: &Context, id: Id) -> Option<Sort> {
    ctx.data(|data| data.get_temp::<Option<Sort>>(id)).flatten()
}

/// The table with its rows in the shown order, for copies and exports.
pub fn as_shown(ctx: &Context, id: Id, table: &Table) -> Table {
    table.sorted(sort_of(ctx, id))
}

/// A title that sorts by its column.
pub fn sorting_title(ui: &mut Ui, id: Id, column: usize, text: &str, help: &str, wrap: TextWrapMode) -> Response {
    let now = sort_of(ui.ctx(), id);
    let here = now.filter(|now| now.column == column);
    let shown = with_sign(ui, text, here.map_or("", Sort::sign));
    let label = Label::new(shown).selectable(false).wrap_mode(wrap).sense(Sense::click());
    let response = ui.add(label).on_hover_cursor(CursorIcon::PointingHand);
    let name = here.map_or_else(|| text.to_owned(), |sort| format!("{text}, {}", sort.words()));
    response.widget_info(|| egui::WidgetInfo::labeled(Role::ColumnHeader, ui.is_enabled(), &name));
    if response.clicked() {
        let next = Sort::after_click(now, column);
        ui.ctx().data_mut(|data| data.insert_temp(id, next));
        ui.ctx().request_repaint();
    }
    let hint = if help.is_empty() { "Click to sort".to_owned() } else { format!("{help}\nClick to sort") };
    response.on_hover_text(hint)
}

/// A title with the sign of its order, which only the font for code has.
pub fn with_sign(ui: &Ui, text: &str, sign: &str) -> LayoutJob {
    let color = ui.visuals().strong_text_color();
    let format = |style: TextStyle| TextFormat { font_id: style.resolve(ui.style()), color, ..TextFormat::default() };
    let mut job = LayoutJob::default();
    job.append(text, 0.0, format(TextStyle::Body));
    if !sign.is_empty() {
        job.append(sign, 4.0, format(TextStyle::Monospace));
    }
    job
}

/// The rows of a sorted table, by their indices; `None` where they are as declared. Computed when the order or `key`,
/// which names the rows, changes.
pub fn rows_in_order(
    ctx: &Context,
    id: Id,
    key: impl Hash,
    order: impl FnOnce(Sort) -> Vec<usize>,
) -> Option<Arc<Vec<usize>>> {
    let sort = sort_of(ctx, id)?;
    let mut hasher = DefaultHasher::new();
    (&key, sort).hash(&mut hasher);
    let key = hasher.finish();
    let cached = id.with("rows");
    let known = ctx.data(|data| data.get_temp::<(u64, Arc<Vec<usize>>)>(cached)).filter(|(of, _)| *of == key);
    if let Some((_, rows)) = known {
        return Some(rows);
    }
    let rows = Arc::new(order(sort));
    ctx.data_mut(|data| data.insert_temp(cached, (key, Arc::clone(&rows))));
    Some(rows)
}

/// The row that is drawn at a place of the table.
pub fn row_at(order: Option<&Arc<Vec<usize>>>, at: usize) -> Option<usize> {
    order.map_or(Some(at), |order| order.get(at).copied())
}
