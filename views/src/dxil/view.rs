//! The DXIL tab.

use egui::{Panel, ScrollArea, Ui};
use lanescope_core::dxil::{HEX_BYTES, HEX_LINE, PartSummary, Summary};
use lanescope_core::words::counted;
use serde_json::Value;

use super::code::Code;
use super::file_map::file_map;
use super::ops::OpsTable;
use super::signature::{elements, has_signatures, name, signatures};
use super::{tables, tree};
use crate::context::{Ask, Listed, SourceText, TextRole, View, ViewCommand, ViewCx, ViewInfo};
use crate::picture::Mark;
use crate::picture::canvas::Canvas;
use crate::theme::Theme;
use crate::widgets::{Cached, at_pointer, choice, fact, nothing, toolbar, unopened};

pub(crate) static INFO: ViewInfo = ViewInfo {
    name: "dxil",
    title: "DXIL",
    about: "the parts of a DXIL container, its signatures, its ops by table, its resources",
    answers: &[Ask::Search, Ask::CopyTable, Ask::ExportPicture],
};

/// Bytes of a part's own header, which the map counts to the part.
const PART_HEADER: usize = 8;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Page {
    #[default]
    File,
    Signatures,
    Ops,
    Code,
    Resources,
    Reflection,
}

const PAGES: [(Page, &str); 6] = [
    (Page::File, "File"),
    (Page::Signatures, "Signatures"),
    (Page::Ops, "Ops"),
    (Page::Code, "Code"),
    (Page::Resources, "Resources"),
    (Page::Reflection, "Reflection"),
];

/// Containers of a pipeline, one at a time, page by page.
#[derive(Default)]
pub struct DxilView {
    page: Page,
    /// Which container: the first one, then the report's others.
    container: usize,
    canvases: [Canvas; 2],
    files: Cached<(u64, bool, usize)>,
    slots: Cached<(u64, bool, usize)>,
    /// The part whose bytes are shown.
    part: Option<usize>,
    ops: OpsTable,
    code: Code,
    /// The line that was gone to last.
    listed: Option<Listed>,
}

impl View for DxilView {
    fn info(&self) -> &'static ViewInfo {
        &INFO
    }

    fn ui(&mut self, ui: &mut Ui, cx: &ViewCx<'_>) -> Vec<ViewCommand> {
        let mut commands = Vec::new();
        let Some(first) = &cx.report.dxil else {
            let hint = "What was loaded is no DXIL. Open a container of Direct3D 12: .dxil, .cso or .dxbc.";
            commands.extend(unopened(ui, "No DXIL container", hint, None));
            return commands;
        };
        let all: Vec<&Summary> = std::iter::once(first).chain(&first.others).collect();
        if self.container >= all.len() {
            (self.container, self.part) = (0, None);
        }
        let go = self.listed != cx.selection.listed && cx.selection.listed.is_some();
        self.listed = cx.selection.listed;
        if let Some(at) = all.iter().position(|one| go && cx.selection.listed.is_some_and(|l| l.input == one.input)) {
            if at != self.container {
                (self.container, self.part, self.ops) = (at, None, OpsTable::default());
            }
            self.page = Page::Code;
        }
        // Asked for from elsewhere: the page that has an answer comes forward.
        if (cx.asked(Ask::Search) || cx.asked(Ask::CopyTable)) && self.page != Page::Code {
            self.page = Page::Ops;
        } else if cx.asked(Ask::ExportPicture) && self.page != Page::Signatures {
            self.page = Page::File;
        }
        toolbar(ui, |ui| {
            let before = self.container;
            if all.len() > 1 {
                let name = |summary: &Summary| input_name(cx, summary).to_owned();
                let names: Vec<String> = all.iter().map(|summary| name(summary)).collect();
                let choices: Vec<(usize, &str)> = names.iter().map(String::as_str).enumerate().collect();
                choice(ui, "Container", &mut self.container, &choices);
                ui.separator();
            }
            if before != self.container {
                (self.part, self.ops) = (None, OpsTable::default());
            }
            for (page, name) in PAGES {
                ui.selectable_value(&mut self.page, page, name);
            }
            match self.page {
                Page::File => {
                    ui.separator();
                    self.canvases[0].zoom_buttons(ui);
                }
                Page::Signatures => {
                    ui.separator();
                    self.canvases[1].zoom_buttons(ui);
                }
                Page::Ops | Page::Code | Page::Resources | Page::Reflection => {}
            }
        });
        let Some(summary) = all.get(self.container).copied() else { return commands };
        match self.page {
            Page::File => self.file(ui, cx, summary, &mut commands),
            Page::Signatures => self.signatures(ui, cx, summary, &mut commands),
            Page::Ops => self.ops.ui(ui, cx, summary, &mut commands),
            Page::Code => self.code.ui(ui, cx, summary, go, &mut commands),
            Page::Resources => {
                ScrollArea::both().auto_shrink(false).show(ui, |ui| tables::resources(ui, summary));
            }
            Page::Reflection => {
                ScrollArea::both().auto_shrink(false).show(ui, |ui| reflection(ui, summary));
            }
        }
        commands
    }
}

impl DxilView {
    fn file(&mut self, ui: &mut Ui, cx: &ViewCx<'_>, summary: &Summary, commands: &mut Vec<ViewCommand>) {
        let theme = Theme::of(ui);
        if tables::facts(ui, cx.report, summary, commands) {
            self.page = Page::Code;
        }
        if let Some(part) = self.part.and_then(|index| summary.container.parts.get(index)) {
            let text = cx.texts.iter().find(|text| text.role == TextRole::Bytes && text.input == summary.input);
            let shown = Panel::bottom(ui.scope_id().with("bytes")).resizable(true).default_size(200.0);
            let close = shown.show(ui, |ui| bytes(ui, part, text)).inner;
            if close {
                self.part = None;
            }
        }
        let picture = self.files.get((cx.revision, theme.dark, self.container), || file_map(summary, &theme));
        if cx.asked(Ask::ExportPicture) {
            commands.push(ViewCommand::Export { picture: Box::new(picture.clone()), name: "dxil-parts" });
        }
        let selected: Vec<_> =
            self.part.and_then(|part| u32::try_from(part).ok()).map(Mark::Part).into_iter().collect();
        let reply = self.canvases[0].show(ui, picture, &theme, &selected);
        if let Some(part) = reply.hovered.and_then(|mark| part_of(summary, mark)) {
            at_pointer(&reply.response, |ui| {
                ui.strong(format!("{} {}", part.fourcc, part.about));
                egui::Grid::new("part").num_columns(2).show(ui, |ui| {
                    let end = u64::from(part.offset) + PART_HEADER as u64 + u64::from(part.bytes);
                    fact(ui, "in the file", format!("0x{:x} to 0x{end:x}", part.offset));
                    fact(ui, "data", counted(part.bytes, "byte"));
                });
                ui.weak("click for its bytes");
            });
        }
        match reply.chosen {
            Some(Mark::Part(index)) => self.part = Some(index as usize),
            None if reply.cleared => self.part = None,
            _ => {}
        }
    }

    fn signatures(&mut self, ui: &mut Ui, cx: &ViewCx<'_>, summary: &Summary, commands: &mut Vec<ViewCommand>) {
        let theme = Theme::of(ui);
        if !has_signatures(summary) {
            commands.extend(nothing(ui, "No signatures", "This kind of shader takes and gives no registers.", None));
            return;
        }
        let picture = self.slots.get((cx.revision, theme.dark, self.container), || signatures(summary, &theme));
        if cx.asked(Ask::ExportPicture) {
            commands.push(ViewCommand::Export { picture: Box::new(picture.clone()), name: "dxil-signatures" });
        }
        let reply = self.canvases[1].show(ui, picture, &theme, &[]);
        let Some(Mark::Element(index)) = reply.hovered else { return };
        let Some(element) = elements(summary).nth(index as usize) else { return };
        at_pointer(&reply.response, |ui| {
            ui.strong(name(element));
            egui::Grid::new("element").num_columns(2).show(ui, |ui| {
                fact(ui, "system value", &*element.system_value);
                fact(ui, "type", &*element.component_type);
                let register = element.register.map_or("none".to_owned(), |register| register.to_string());
                fact(ui, "register", format!("{register}.{}", element.mask));
                fact(ui, "mask in use", &*element.used);
                if let Some(precision) = &element.precision {
                    fact(ui, "least precision", &**precision);
                }
            });
        });
    }
}

fn part_of(summary: &Summary, mark: Mark) -> Option<&PartSummary> {
    match mark {
        Mark::Part(index) => summary.container.parts.get(index as usize),
        _ => None,
    }
}

/// The name of a container's file.
fn input_name<'a>(cx: &ViewCx<'a>, summary: &Summary) -> &'a str {
    let path = cx.report.inputs.get(summary.input).map_or("", |input| input.path.as_str());
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// A part's bytes. Answers whether they are to be closed.
fn bytes(ui: &mut Ui, part: &PartSummary, text: Option<&SourceText>) -> bool {
    let close = ui
        .horizontal(|ui| {
            ui.strong(format!("{} {}", part.fourcc, part.about));
            ui.weak(format!("{} from 0x{:x}, its header of 8 bytes first", counted(part.bytes, "byte"), part.offset));
            ui.button("Close").clicked()
        })
        .inner;
    let first = part.offset as usize / HEX_BYTES;
    let end = (part.offset as usize).saturating_add(PART_HEADER).saturating_add(part.bytes as usize);
    let all = text.map_or("", |text| text.text.as_str());
    let last = end.div_ceil(HEX_BYTES).min(all.len() / HEX_LINE);
    if first >= last {
        ui.weak("These bytes are not here: only the first mebibyte of a file is kept.");
        return close;
    }
    let height = ui.text_style_height(&egui::TextStyle::Monospace);
    ScrollArea::both().auto_shrink(false).show_rows(ui, height, last - first, |ui, rows| {
        for row in rows {
            let start = (first + row).saturating_mul(HEX_LINE);
            ui.monospace(all.get(start..start.saturating_add(HEX_LINE)).unwrap_or_default().trim_end());
        }
    });
    close
}

fn reflection(ui: &mut Ui, summary: &Summary) {
    let value = |value: Result<Value, serde_json::Error>| value.unwrap_or(Value::Null);
    let mut drawn = false;
    if let Some(psv) = &summary.psv {
        tree::tree(ui, "Pipeline state validation (PSV0)", &value(serde_json::to_value(psv)), true);
        drawn = true;
    }
    if let Some(rdat) = &summary.rdat {
        tree::tree(ui, "Runtime data (RDAT)", &value(serde_json::to_value(rdat)), true);
        drawn = true;
    }
    if let Some(root) = &summary.root_signature {
        tree::tree(ui, "Root signature (RTS0)", &value(serde_json::to_value(root)), true);
        drawn = true;
    }
    if !summary.entry_points.is_empty() {
        tree::tree(ui, "Entry points (metadata)", &value(serde_json::to_value(&summary.entry_points)), !drawn);
        drawn = true;
    }
    if !summary.types.is_empty() {
        tree::tree(ui, "Structures", &value(serde_json::to_value(&summary.types)), !drawn);
        drawn = true;
    }
    if !drawn {
        ui.weak("The container holds none.");
    }
}
