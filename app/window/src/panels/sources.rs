//! What sources are compiled with, as rows of a grid: macros and include folders, each with a row for one more.

use std::collections::BTreeMap;

use egui::{TextEdit, Ui};
use lanescope_core::options::Conversion;
use lanescope_views::theme::Theme;
use lanescope_views::theme::ThemeOfUi as _;

use lanescope_workbench::state::sources::SourceList;

/// The texts being typed, until they are applied.
#[derive(Debug, Default)]
pub struct SourceFields {
    /// By list and place.
    typed: BTreeMap<(SourceList, usize), TypedValue>,
}

/// A value that is being typed.
#[derive(Debug)]
struct TypedValue {
    /// What was set when the typing began.
    over: String,
    text: String,
    /// What is wrong with it.
    wrong: Option<String>,
}

impl SourceFields {
    /// Forgets what is typed.
    pub fn clear(&mut self) {
        self.typed.clear();
    }

    /// Draws the rows of a grid with two columns; the fields have that width.
    pub fn rows(&mut self, ui: &mut Ui, width: f32, conversion: &mut Conversion) {
        for list in SourceList::ALL {
            self.list(ui, width, list, list.of_mut(conversion));
        }
    }

    fn list(&mut self, ui: &mut Ui, width: f32, list: SourceList, values: &mut Vec<String>) {
        let before = values.clone();
        let mut changed = None;
        for at in 0..=before.len() {
            let set = before.get(at).map_or("", String::as_str);
            ui.label(if at == 0 { list.label() } else { "" }).on_hover_text(list.about());
            let typed = self.typed.remove(&(list, at)).filter(|typed| typed.over == set);
            let (mut text, mut wrong) = typed.map_or_else(|| (set.to_owned(), None), |typed| (typed.text, typed.wrong));
            ui.vertical(|ui| {
                let row = ui.horizontal(|ui| {
                    let edit = TextEdit::singleline(&mut text).hint_text(list.hint()).desired_width(width);
                    let edit = ui.add(edit).on_hover_text(list.about());
                    let edit = edit.accessible_name(match before.get(at) {
                        Some(_) => format!("{} {}", list.one(), at + 1),
                        None => format!("New {}", list.one().to_lowercase()),
                    });
                    let button = match before.get(at) {
                        Some(value) => {
                            let drop = ui.small_button("×").on_hover_text("Remove");
                            let drop = drop.accessible_name(format!("Remove {value}"));
                            if drop.clicked() {
                                text.clear();
                            }
                            drop
                        }
                        None => ui.small_button("Add").accessible_name(format!("Add {}", list.one().to_lowercase())),
                    };
                    if edit.changed() {
                        wrong = None;
                    }
                    edit.lost_focus() || button.clicked()
                });
                if row.inner && text.trim() != set {
                    match text.trim() {
                        "" => changed = Some((at, None)),
                        value => match list.checked(value) {
                            Ok(value) => changed = Some((at, Some(value))),
                            Err(why) => wrong = Some(why),
                        },
                    }
                }
                if let Some(why) = &wrong {
                    ui.colored_label(Theme::of(ui).warn, why);
                }
            });
            if text != set && changed.as_ref().is_none_or(|(changed, _)| *changed != at) {
                self.typed.insert((list, at), TypedValue { over: set.to_owned(), text, wrong });
            }
            ui.end_row();
        }
        match changed {
            Some((at, Some(value))) if at < values.len() => values[at] = value,
            Some((_, Some(value))) => values.push(value),
            Some((at, None)) if at < values.len() => drop(values.remove(at)),
            _ => {}
        }
    }
}
