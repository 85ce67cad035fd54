//! Where the two rule sets differ: the sizes on a map, and how many there are under each set of options.

use crate::tokens;
use crate::tokens::space;
use egui::{Grid, ScrollArea, Ui};
use lanescope_core::table::Key;
use lanescope_core::workgroup::{Layout, RuleMap, RuleVerdict, rule_sets_table};
use lanescope_inspector::command::Command;
use lanescope_inspector::costs::Made;

use crate::context::ViewCx;
use crate::cost_sheet::panel;
use crate::picture::canvas::Canvas;
use crate::picture::{Mark, Picture};
use crate::table::{GridLook, grid};
use crate::theme::Theme;
use crate::theme::ThemeOfUi as _;
use crate::widgets::{Cached, beside_part, fact, heading};
use lanescope_pictures::workgroup::rule_map_picture;

use super::view::lane_menu;

/// The share of a low tab that the table takes.
const SHARE: f32 = 0.45;

/// How the rule sets are looked at.
#[derive(Default)]
pub(super) struct RulePane {
    pub(super) canvas: Canvas,
    cached: Cached<(u64, u64, usize, bool, Option<usize>)>,
    made: Made<(u64, u64, usize), Maps>,
    /// The row of the table that is shown; the program's own options where absent.
    shown: Option<usize>,
}

/// The map of the program's own options, and those of all others.
struct Maps {
    own: RuleMap,
    all: Vec<RuleMap>,
}

impl RulePane {
    /// Draws the map of one set of options, and the table of all.
    pub(super) fn ui(
        &mut self,
        ui: &mut Ui,
        cx: &ViewCx<'_>,
        (entry, layout): (usize, &Layout),
        commands: &mut Vec<Command>,
    ) {
        let made = self.made.get((cx.program, cx.revision, entry), |_| {
            let facts = layout.facts(&cx.report.options);
            Maps { own: RuleMap::of(&facts), all: RuleMap::all(&facts) }
        });
        let theme = Theme::of(ui);
        let shown = &mut self.shown;
        panel(ui, SHARE).show(ui, |ui| {
            ScrollArea::both().auto_shrink(false).show(ui, |ui| {
                heading(ui, &theme, &format!("Sizes up to {0}×{0} by derivatives and options", RuleMap::SIDE));
                let look = GridLook {
                    spacing: tokens::table::USUAL,
                    select: "Show the sizes under these options",
                    ..GridLook::default()
                };
                let is_shown = |key: &Key| shown.is_some_and(|at| *key == Key::Item(at));
                let table = rule_sets_table(&made.all);
                if let Some(Key::Item(at)) = grid(ui, cx, "rule sets", &table, look, is_shown, commands) {
                    *shown = Some(*at).filter(|at| *shown != Some(*at));
                }
                ui.add_space(space::SNUG);
                if cx.other.is_some() {
                    ui.weak("The program's options are those of the first setting.");
                }
                ui.weak("Without a selected row the map shows the options of the program.");
            });
        });
        let map = self.shown.and_then(|at| made.all.get(at)).unwrap_or(&made.own);
        let key = (cx.program, cx.revision, entry, theme.dark, self.shown);
        let [x, y, _] = layout.size;
        let picture = self.cached.get(key, || rule_map_picture(map, [x, y], &theme));
        let reply = self.canvas.show(ui, picture, &theme, &[]);
        if let Some(Mark::Size(size)) = reply.hovered {
            beside_part(&reply, |ui| describe(ui, map, size));
        }
        self.canvas.menu(&reply, None, commands, lane_menu);
    }

    /// The picture as it was drawn last.
    pub(super) fn picture(&self) -> Option<Picture> {
        self.cached.last().cloned()
    }
}

/// What each rule set makes of a size.
fn describe(ui: &mut Ui, map: &RuleMap, [x, y]: [u32; 2]) {
    let Some(sets) = map.at([x, y]) else { return };
    ui.strong(format!("{x}×{y}"));
    Grid::new("rule sets of a size").num_columns(2).show(ui, |ui| {
        fact(ui, "LLPC's code", sets.llpc.words());
        fact(ui, "design note", sets.note.words());
    });
    ui.label(match sets.verdict {
        RuleVerdict::Same if map.facts.hardware_walks() => "The same interleave.",
        RuleVerdict::Same => "The same.",
        RuleVerdict::SameIds => "The invocation ids are the same.",
        RuleVerdict::Differ if map.facts.hardware_walks() => "The interleave differs.",
        RuleVerdict::Differ => "The invocation ids differ.",
        RuleVerdict::NotAllowed => "Derivative groups do not allow this size, or it is too large.",
    });
}
