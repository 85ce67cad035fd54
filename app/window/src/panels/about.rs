//! The list of keys, and the version.

use egui::{Context, Grid, RichText};
use lanescope_views::tokens;
use lanescope_views::tokens::space;

use lanescope_views::findings::explanation::sections;

use super::dialogs::closable;
use crate::keys::key_text;
use lanescope_workbench::about::{COMPILERS, LICENSE, TARGET, VERSION};
use lanescope_workbench::commands::{Menu, TABLE};

/// Lists every key. True where it is to close.
pub fn keys(ctx: &Context) -> bool {
    closable(ctx, "keys", 460.0, "Keys", |ui| {
        // One table, so that the keys of all menus are below each other.
        Grid::new("keys").num_columns(2).spacing(tokens::table::WIDE).min_col_width(160.0).show(ui, |ui| {
            for (menu, name, _) in Menu::ALL {
                ui.label(RichText::new(name).strong());
                ui.end_row();
                for row in TABLE.iter().filter(|row| row.menu == menu && !row.keys.is_empty()) {
                    let keys = row.key_list(|key| key_text(ctx, key));
                    line(ui, row.label.trim_end_matches('…'), &keys);
                }
                ui.add_space(space::SNUG);
                ui.end_row();
            }
        });
        ui.label("Tab and Shift+Tab move between controls; Space or Enter activates one; Esc closes.");
        ui.label("Alt and the first letter of a menu opens it.");
    })
}

fn line(ui: &mut egui::Ui, what: &str, key: &str) {
    ui.label(what);
    ui.monospace(key);
    ui.end_row();
}

/// Says what this is. True where it is to close.
pub fn about(ctx: &Context) -> bool {
    closable(ctx, "about", 420.0, &format!("Lanescope {VERSION}"), |ui| {
        ui.label(
            "An inspector for shader layouts: attribute slots of varyings, lanes of invocations, and the register \
             values that follow.",
        );
        ui.add_space(space::ROW);
        ui.label("Compilers in this program:");
        for compiler in COMPILERS.split(", ") {
            ui.monospace(compiler);
        }
        ui.weak("DXC and Vulkan drivers are loaded where they are installed; `lanescope doctor` lists them.");
        ui.add_space(space::ROW);
        ui.weak(format!("Built for {TARGET}. License: {LICENSE}"));
    })
}

/// Explains the code of a finding. True where it is to close.
pub fn explanation(code: &str, ctx: &Context) -> bool {
    let rule = lanescope_core::findings::rule(code);
    let title = rule.map_or_else(|| code.to_owned(), |rule| format!("{}: {}", rule.code, rule.about));
    closable(ctx, "explanation", 620.0, &title, |ui| {
        if let Some(rule) = rule {
            sections(ui, rule);
        }
    })
}

#[cfg(test)]
mod tests {
    use egui::{RawInput, Rect, Shape, pos2, vec2};

    use super::*;

    #[test]
    fn all_keys_are_in_one_column() {
        let ctx = Context::default();
        let mut columns: Vec<i32> = Vec::new();
        for _ in 0..4 {
            let screen_rect = Some(Rect::from_min_size(pos2(0.0, 0.0), vec2(1000.0, 3000.0)));
            let output = ctx.run_ui(RawInput { screen_rect, ..RawInput::default() }, |ui| {
                keys(ui.ctx());
            });
            let keys: Vec<String> =
                TABLE.iter().filter_map(|row| row.keys.first()).map(|key| key_text(&ctx, key)).collect();
            let place = |shape: &Shape| match shape {
                Shape::Text(text) if keys.iter().any(|key| key == text.galley.text()) => {
                    Some(text.pos.x.round() as i32)
                }
                _ => None,
            };
            columns = output.shapes.iter().filter_map(|clipped| place(&clipped.shape)).collect();
        }
        assert!(columns.len() > 12, "{columns:?}");
        columns.dedup();
        assert_eq!(columns.len(), 1, "{columns:?}");
    }
}
