//! Any part of the report as a tree that opens and closes.

use egui::{CollapsingHeader, RichText, Ui};
use serde_json::Value;

use crate::table::{Tokens, one_line};

/// Rows of one list that are drawn.
const MOST: usize = 200;

/// Draws a value under a name.
pub fn tree(ui: &mut Ui, name: &str, value: &Value, open: bool) {
    match value {
        Value::Object(fields) if !fields.is_empty() => {
            CollapsingHeader::new(name).default_open(open).show(ui, |ui| {
                for (name, value) in fields {
                    tree(ui, name, value, false);
                }
            });
        }
        Value::Array(rows) if rows.iter().any(|row| row.is_object() || row.is_array()) => {
            CollapsingHeader::new(format!("{name} ({})", rows.len())).default_open(open).show(ui, |ui| {
                for (index, row) in rows.iter().enumerate().take(MOST) {
                    let called = ["name", "semantic", "entry", "binding"];
                    let title = called.iter().find_map(|field| row.get(field)?.as_str()).unwrap_or_default();
                    tree(ui, &format!("{index} {title}"), row, false);
                }
                if rows.len() > MOST {
                    ui.weak(format!("and {} more", rows.len() - MOST));
                }
            });
        }
        value => {
            ui.horizontal_wrapped(|ui| {
                ui.label(RichText::new(name).color(Tokens::of(ui.visuals()).quiet));
                ui.monospace(one_line(&text(value)));
            });
        }
    }
}

fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(rows) => rows.iter().map(text).collect::<Vec<_>>().join(", "),
        Value::Null => "none".to_owned(),
        other => other.to_string(),
    }
}
