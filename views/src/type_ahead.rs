//! Type-ahead: letters that are typed in a list go to its next row that begins with them, else to one that contains them.

use std::borrow::Cow;

use egui::{Context, Event, Id, Order, Response};

/// Letters belong together if no more seconds are between two of them.
const PAUSE: f64 = 1.0;

/// What was typed last.
#[derive(Debug, Clone)]
struct Typed {
    list: Id,
    text: String,
    at: f64,
}

/// A row that was drawn in a frame with letters.
#[derive(Debug, Clone)]
struct Entry {
    list: Id,
    widget: Id,
    floats: bool,
    name: String,
}

fn letters(ctx: &Context) -> String {
    if ctx.text_edit_focused() {
        return String::new();
    }
    let typed = |event: &Event| match event {
        // Space presses what has the keyboard.
        Event::Text(text) => text.chars().filter(|c| !c.is_whitespace() && !c.is_control()).collect(),
        _ => String::new(),
    };
    ctx.input(|input| input.events.iter().map(typed).collect())
}

/// The letters typed in a list that has the keyboard, in lower case: those of this frame after the ones that belong to
/// them. `None` in a frame without any. They are taken out of the input.
pub fn typed(ctx: &Context, list: Id) -> Option<String> {
    let new = letters(ctx).to_lowercase();
    if new.is_empty() {
        return None;
    }
    ctx.input_mut(|input| input.events.retain(|event| !matches!(event, Event::Text(_))));
    let (key, now) = (Id::unique("type-ahead"), ctx.input(|input| input.time));
    let before = ctx.data(|data| data.get_temp::<Typed>(key));
    let before = before.filter(|before| before.list == list && now - before.at <= PAUSE);
    let text = before.map_or_else(String::new, |before| before.text) + &new;
    ctx.data_mut(|data| data.insert_temp(key, Typed { list, text: text.clone(), at: now }));
    Some(text)
}

/// The row that the letters go to, of so many: from the current one on, around the end. The same letter again and again
/// goes from row to row.
pub fn find<'n>(
    typed: &str,
    current: Option<usize>,
    count: usize,
    name: impl Fn(usize) -> Cow<'n, str>,
) -> Option<usize> {
    let first = typed.chars().next()?;
    let is_one = typed.chars().all(|c| c == first);
    let mut utf8 = [0; 4];
    let wanted = if is_one { &*first.encode_utf8(&mut utf8) } else { typed };
    // A single letter leaves the current row; more of them may still mean it.
    let from = current.map_or(0, |current| current + usize::from(is_one));
    let rows = || (0..count).map(|by| (from + by) % count.max(1));
    let is = |test: &dyn Fn(&str) -> bool| rows().find(|row| test(&name(*row).to_lowercase()));
    is(&|name| name.starts_with(wanted)).or_else(|| is(&|name| name.contains(wanted)))
}

/// Notes that a widget is a row of a list. Letters that are typed while one of the list has the keyboard go to another, at
/// the [`end`] of the frame.
pub fn row(list: Id, response: &Response, name: &str) {
    let ctx = &response.ctx;
    if letters(ctx).is_empty() {
        return;
    }
    let floats = response.layer_id.order != Order::Background;
    let entry = Entry { list, widget: response.id, floats, name: name.to_owned() };
    ctx.data_mut(|data| data.get_temp_mut_or_default::<Vec<Entry>>(Id::unique("type-ahead rows")).push(entry));
}

/// Ends a frame: puts the keyboard on the row that the letters go to. Rows of an open menu or box come first.
pub fn end(ctx: &Context) {
    let rows = ctx.data_mut(|data| data.remove_temp::<Vec<Entry>>(Id::unique("type-ahead rows"))).unwrap_or_default();
    let focused = ctx.memory(|memory| memory.focused());
    let is_focused = |entry: &&Entry| Some(entry.widget) == focused;
    let open = rows.iter().find(|entry| entry.floats);
    let Some(list) = rows.iter().find(is_focused).or(open).map(|entry| entry.list) else { return };
    let rows: Vec<&Entry> = rows.iter().filter(|entry| entry.list == list).collect();
    let Some(typed) = typed(ctx, list) else { return };
    let current = rows.iter().position(|entry| Some(entry.widget) == focused);
    let found = find(&typed, current, rows.len(), |at| rows.get(at).map_or("", |entry| &entry.name).into());
    if let Some(entry) = found.and_then(|at| rows.get(at)) {
        ctx.memory_mut(|memory| memory.request_focus(entry.widget));
        ctx.request_repaint();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_go_to_rows_that_begin_with_them() {
        let rows = ["bar", "baz", "Quux", "a bar"];
        let go = |typed: &str, from| find(typed, from, rows.len(), |at| rows[at].into());
        assert_eq!(go("b", None), Some(0));
        assert_eq!(go("b", Some(0)), Some(1));
        assert_eq!(go("bb", Some(1)), Some(0), "around the end");
        assert_eq!(go("ba", Some(1)), Some(1), "the current row fits");
        assert_eq!(go("q", Some(3)), Some(2), "case is ignored");
        assert_eq!(go("uu", None), Some(2), "where none begins so");
        assert_eq!(go("z9", Some(1)), None);
        assert_eq!(find("b", None, 0, |_| "".into()), None);
    }
}
