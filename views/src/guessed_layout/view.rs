//! The layout tab.

use egui::Ui;
use lanescope_core::options::{AutoLayoutRule, GuessedColor, KeyRule};
use lanescope_core::table::{Cell, Column, Table};
use lanescope_inspector::command::{Command, PictureFile};
pub(crate) use lanescope_inspector::view::GUESSED_LAYOUT as INFO;
use lanescope_inspector::view::{Ask, ViewInfo};

use super::corpus::{self, CorpusPanel, OfDatabase};
use super::speculative::SpeculativePanel;
use crate::context::{View, ViewCx};
use crate::picture::Mark;
use crate::picture::canvas::Canvas;
use crate::theme::Theme;
use crate::theme::ThemeOfUi as _;
use crate::widgets::{Cached, Draft, actions, beside_part, choice, switches, toolbar, unopened};
use lanescope_pictures::guessed_layout::{describe, picture};

const RULES: [(AutoLayoutRule, &str); 2] = [
    (AutoLayoutRule::Note, "stride of 48 bytes (design note)"),
    (AutoLayoutRule::Sequential, "sequential (LLPC's tool)"),
];
const GUESSES: [(GuessedColor, &str); 2] =
    [(GuessedColor::Widest, "as wide as the outputs"), (GuessedColor::Unorm8, "8 bits, normalized")];
const KEYS: [(KeyRule, &str); 3] = [
    (KeyRule::Note, KeyRule::Note.words()),
    (KeyRule::Llpc, KeyRule::Llpc.words()),
    (KeyRule::LlpcPipeline, KeyRule::LlpcPipeline.words()),
];

/// What the picture is made from: revision, theme, stage, the key's rule; the answer and its row, where it was compiled
/// ahead.
type Key = (u64, bool, usize, KeyRule, Option<(u64, usize)>);

/// Both layouts of one stage, with switches for the guess, and the results of a speculative compile with it.
pub struct GuessedLayoutView {
    canvas: Canvas,
    cached: Cached<Key>,
    draft: Draft,
    stage: usize,
    rule: KeyRule,
    ahead: SpeculativePanel,
    corpus: CorpusPanel,
}

impl Default for GuessedLayoutView {
    fn default() -> Self {
        GuessedLayoutView {
            canvas: Canvas::default(),
            cached: Cached::default(),
            draft: Draft::default(),
            stage: 0,
            rule: KeyRule::Note,
            ahead: SpeculativePanel::default(),
            corpus: CorpusPanel::default(),
        }
    }
}

impl View for GuessedLayoutView {
    fn info(&self) -> &'static ViewInfo {
        &INFO
    }

    fn ui(&mut self, ui: &mut Ui, cx: &ViewCx<'_>) -> Vec<Command> {
        let mut commands = Vec::new();
        let stages = &cx.report.partial;
        self.stage = self.stage.min(stages.len().saturating_sub(1));
        let Some(stage) = stages.get(self.stage) else {
            let hint = "Open a fragment, compute or ray tracing shader: other stages depend on too much pipeline \
                        state.";
            commands.extend(unopened(ui, "No layout to guess", hint, None));
            return commands;
        };
        let theme = Theme::of(ui);
        let (mut export, mut copy) = (cx.asked(Ask::ExportPicture), cx.asked(Ask::CopyTable));
        toolbar(ui, |ui| {
            if stages.len() > 1 {
                let names: Vec<String> = stages.iter().map(|one| format!("{} {}", one.stage, one.entry)).collect();
                let all: Vec<(usize, &str)> = names.iter().map(String::as_str).enumerate().collect();
                choice(ui, "Stage", &mut self.stage, &all);
            }
            let mut options = self.draft.options(ui, &cx.report.options, cx.revision);
            let changed = switches(ui, cx, |ui| {
                let mut changed = choice(ui, "Guess", &mut options.auto_layout, &RULES);
                if !stage.outputs.is_empty() {
                    changed |= choice(ui, "Color attachments", &mut options.guessed_color, &GUESSES);
                }
                let hint = "Assume that all uniform buffers of the application have dynamic offsets";
                changed |= ui.checkbox(&mut options.dynamic_uniform, "Dynamic uniform").on_hover_text(hint).changed();
                let hint = "Assume that all storage buffers of the application have dynamic offsets";
                changed |= ui.checkbox(&mut options.dynamic_storage, "Dynamic storage").on_hover_text(hint).changed();
                changed
            });
            if changed {
                self.draft.send(&options, cx.revision);
                commands.push(Command::SetOptions(Box::new(options)));
            }
            choice(ui, "Key", &mut self.rule, &KEYS);
            ui.separator();
            self.canvas.zoom_buttons(ui);
            ui.separator();
            let hint = "Copy all nodes, or all pipelines of the database, as text with tabs between columns";
            let chosen =
                actions(ui, &[("Copy table", hint), ("Export picture", "Save this picture as SVG or PNG")], 0.0);
            copy |= chosen == Some(0);
            export |= chosen == Some(1);
        });
        let compiled = self.ahead.ui(ui, cx, stage, !self.corpus.is_shown(), &mut commands);
        match self.corpus.controls(ui, cx, &mut commands) {
            Some(OfDatabase::Compiled(rows)) => {
                if copy {
                    commands.push(Command::Copy(corpus::as_text(ui.ctx(), rows)));
                }
                corpus::ui(ui, cx, rows, &mut commands);
                return commands;
            }
            Some(OfDatabase::Survey(survey, part)) => {
                if let Some(survey) = survey {
                    self.corpus.part(ui, cx, (survey, part), &mut commands);
                }
                return commands;
            }
            None => {}
        }
        if copy {
            commands.push(Command::Copy(table(stage).to_tabs()));
        }
        let number = cx.results.speculative.answer.as_ref().map_or(0, |answer| answer.number);
        let rule = self.rule;
        let key = (cx.revision, theme.dark, self.stage, rule, compiled.map(|_| (number, self.ahead.shown())));
        let stage = compiled.unwrap_or(stage);
        let picture = self.cached.get(key, || picture(stage, rule, &theme));
        if export {
            commands.push(Command::SavePicture { picture: PictureFile::new(picture.clone()), name: "layout" });
        }
        let reply = self.canvas.show(ui, picture, &theme, &[]);
        self.canvas.menu(&reply, None, &mut commands, |menu, mark, commands| {
            if let Some(Mark::Binding([set, binding])) = mark.filter(|mark| *mark != Mark::Binding([u32::MAX, 0])) {
                let text = describe(stage, set, binding).join("\n");
                menu.command("Copy", || Command::Copy(text), commands);
            }
            menu.command("Copy table", || Command::CopyTable, commands);
        });
        if let Some(Mark::Binding([set, binding])) = reply.hovered.filter(|mark| *mark != Mark::Binding([u32::MAX, 0]))
        {
            beside_part(&reply, |ui| {
                for line in describe(stage, set, binding) {
                    ui.label(line);
                }
            });
        }
        commands
    }
}

/// The nodes of both layouts.
fn table(stage: &lanescope_core::guessed_layout::GuessedStage) -> Table {
    let columns = ["layout", "set", "binding", "type", "root", "dword", "byte", "dwords", "count", "name"];
    let mut out = Table::new(columns.map(Column::left));
    let sides = [("guessed", Some(&stage.layout)), ("given", stage.against.as_ref().map(|a| &a.application.layout))];
    for (name, layout) in sides {
        for (node, root) in layout.iter().flat_map(|layout| layout.nodes()) {
            let row = [
                name.to_owned(),
                node.set.to_string(),
                node.binding.to_string(),
                node.node.to_string(),
                if root { "yes" } else { "no" }.to_owned(),
                node.offset.to_string(),
                node.offset.saturating_mul(4).to_string(),
                node.size.to_string(),
                node.array_size.to_string(),
                node.name.clone().unwrap_or_default(),
            ];
            out.row(row.map(Cell::code));
        }
    }
    out
}
