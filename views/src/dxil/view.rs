//! The DXIL tab.

use egui::Ui;
use lanescope_core::dxil::{PartSummary, Summary};
use lanescope_core::dxil_tables::{self, Section};
use lanescope_core::findings::{self, Finding};
use lanescope_core::text_format::counted;
use lanescope_inspector::command::{Command, PictureFile};
use lanescope_inspector::selection::Gone;
pub(crate) use lanescope_inspector::view::DXIL as INFO;
use lanescope_inspector::view::{Ask, ViewInfo};

use super::bytes::{Bytes, PART_HEADER, ShownPart};
use super::code::Code;
use super::facts::facts;
use super::ops::OpsTable;
use crate::context::{View, ViewCx};
use crate::findings::shown_table;
use crate::picture::canvas::Canvas;
use crate::picture::{Mark, Picture};
use crate::sheet::Sheet;
use crate::theme::Theme;
use crate::theme::ThemeOfUi as _;
use crate::widgets::{Cached, below, beside_part, choice, fact, nothing, toolbar, unopened};
use lanescope_pictures::dxil::{elements, file_map, has_signatures, name, root_signature, signatures};

/// Findings that are drawn; their own tab has all.
const FINDINGS_AT_MOST: usize = 1_000;

/// A page of the tab.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Page {
    /// The parts as a map, and their bytes.
    #[default]
    File,
    /// Signatures as register slots.
    Signatures,
    /// Ops by table.
    Ops,
    /// The disassembly beside SPIR-V.
    Code,
    /// What is bound.
    Resources,
    /// The root signature by dword.
    RootSignature,
    /// What the other parts say.
    Reflection,
    /// Rules that this container breaks.
    Findings,
}

const PAGES: [(Page, &str); 8] = [
    (Page::File, "File"),
    (Page::Signatures, "Signatures"),
    (Page::Ops, "Ops"),
    (Page::Code, "Code"),
    (Page::Resources, "Resources"),
    (Page::RootSignature, "Root signature"),
    (Page::Reflection, "Reflection"),
    (Page::Findings, "Findings"),
];

/// Containers of a pipeline, one at a time, page by page.
#[derive(Default)]
pub struct DxilView {
    page: Page,
    /// Which container: the first one, then the report's others.
    container: usize,
    canvases: [Canvas; 3],
    files: Cached<(u64, bool, usize)>,
    slots: Cached<(u64, bool, usize)>,
    roots: Cached<(u64, bool, usize)>,
    /// The part whose bytes are shown.
    part: Option<usize>,
    bytes: Bytes,
    ops: OpsTable,
    code: Code,
    resources: Sheet,
    reflection: Sheet,
    /// The section of the reflection that is shown, by name.
    section: &'static str,
    told: Option<Told>,
    /// The line that was gone to last.
    gone: Gone,
}

/// What a container says in tables, put into words once.
struct Told {
    /// Revision and container.
    key: (u64, usize),
    resources: Section,
    reflection: Vec<Section>,
}

impl View for DxilView {
    fn info(&self) -> &'static ViewInfo {
        &INFO
    }

    fn ui(&mut self, ui: &mut Ui, cx: &ViewCx<'_>) -> Vec<Command> {
        let mut commands = Vec::new();
        let Some(first) = &cx.report.dxil else {
            let hint = "Not a DXIL program. Open a Direct3D 12 container: .dxil, .cso or .dxbc.";
            commands.extend(unopened(ui, "No DXIL container", hint, None));
            return commands;
        };
        let all: Vec<&Summary> = std::iter::once(first).chain(&first.others).collect();
        if self.container >= all.len() {
            (self.container, self.part) = (0, None);
        }
        let go = self.gone != cx.selection.gone() && cx.selection.listed.is_some();
        self.gone = cx.selection.gone();
        if let Some(at) = all.iter().position(|one| go && cx.selection.listed.is_some_and(|l| l.input == one.input)) {
            if at != self.container {
                (self.container, self.part) = (at, None);
                self.ops.close();
            }
            self.page = Page::Code;
        }
        // Asked for from elsewhere: the page that has an answer comes forward.
        let has_table = matches!(self.page, Page::Ops | Page::Code | Page::Resources | Page::Reflection);
        let copies = cx.asked(Ask::CopyTable) && self.page != Page::Findings;
        let of_text = [Ask::GoToLine, Ask::ToggleBookmark, Ask::NextBookmark, Ask::PreviousBookmark];
        // The text of a part's bytes has an answer itself.
        let reads_bytes = self.page == Page::File && self.part.is_some();
        self.page = match self.page {
            page if reads_bytes => page,
            _ if of_text.into_iter().any(|ask| cx.asked(ask)) => Page::Code,
            _ if (cx.asked(Ask::Search) || copies) && !has_table => Page::Ops,
            page @ (Page::Signatures | Page::RootSignature) => page,
            _ if cx.asked(Ask::ExportPicture) => Page::File,
            page => page,
        };
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
                self.part = None;
                self.ops.close();
            }
            let findings = all.get(self.container).map_or(0, |summary| own_findings(cx, summary).len());
            let has_root = all.get(self.container).is_some_and(|summary| summary.root_signature.is_some());
            if self.page == Page::RootSignature && !has_root {
                self.page = Page::File;
            }
            for (page, name) in PAGES.into_iter().filter(|(page, _)| *page != Page::RootSignature || has_root) {
                match (page, findings) {
                    (Page::Findings, 1..) => ui.selectable_value(&mut self.page, page, format!("{name} {findings}")),
                    _ => ui.selectable_value(&mut self.page, page, name),
                };
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
                Page::RootSignature => {
                    ui.separator();
                    self.canvases[2].zoom_buttons(ui);
                }
                _ => {}
            }
        });
        let Some(summary) = all.get(self.container).copied() else { return commands };
        match self.page {
            Page::File => self.file(ui, cx, summary, &mut commands),
            Page::Signatures => self.signatures(ui, cx, summary, &mut commands),
            Page::Ops => self.ops.ui(ui, cx, summary, &mut commands),
            Page::Code => self.code.ui(ui, cx, summary, go, &mut commands),
            Page::RootSignature => self.root_signature(ui, cx, summary, &mut commands),
            Page::Resources | Page::Reflection => self.tables(ui, cx, summary, &mut commands),
            Page::Findings => findings(ui, cx, summary, &mut commands),
        }
        commands
    }

    fn forget(&mut self, program: u64) {
        self.code.forget(program);
        self.bytes.forget(program);
    }
}

impl DxilView {
    fn file(&mut self, ui: &mut Ui, cx: &ViewCx<'_>, summary: &Summary, commands: &mut Vec<Command>) {
        let theme = Theme::of(ui);
        self.page = facts(ui, summary, &own_findings(cx, summary)).unwrap_or(self.page);
        if let Some(part) = self.part.and_then(|index| summary.container.parts.get(index)) {
            let file = cx.containers.iter().find(|loaded| loaded.input == summary.input);
            let file = file.map(|file| file.dxil.file());
            let bytes = &mut self.bytes;
            let close = below(ui, "bytes", 200.0)
                .show(ui, |ui| bytes.ui(ui, cx, &ShownPart { summary, part, file }, commands))
                .inner;
            if close {
                self.part = None;
            }
        }
        let picture = self.files.get((cx.revision, theme.dark, self.container), || file_map(summary, &theme));
        if cx.asked(Ask::ExportPicture) {
            commands.push(Command::SavePicture { picture: PictureFile::new(picture.clone()), name: "dxil-parts" });
        }
        let selected: Vec<_> =
            self.part.and_then(|part| u32::try_from(part).ok()).map(Mark::Part).into_iter().collect();
        let reply = self.canvases[0].show(ui, picture, &theme, &selected);
        if let Some(part) = reply.hovered.and_then(|mark| part_of(summary, mark)) {
            beside_part(&reply, |ui| {
                ui.strong(format!("{} {}", part.fourcc, part.about));
                egui::Grid::new("part").num_columns(2).show(ui, |ui| {
                    let end = u64::from(part.offset) + PART_HEADER as u64 + u64::from(part.bytes);
                    fact(ui, "in the file", format!("0x{:x} to 0x{end:x}", part.offset));
                    fact(ui, "data", counted(part.bytes, "byte"));
                });
                ui.weak("click to show its bytes");
            });
        }
        let mut opened = None;
        self.canvases[0].menu(&reply, selected.first().copied(), commands, |menu, mark, commands| {
            let Some((mark, part)) = mark.and_then(|mark| Some((mark, part_of(summary, mark)?))) else { return };
            menu.command("Copy name", || Command::Copy(part.fourcc.to_string()), commands);
            if menu.item("Show bytes") {
                opened = Some(mark);
            }
        });
        match opened.or(reply.chosen) {
            Some(Mark::Part(index)) => self.part = Some(index as usize),
            None if reply.cleared => self.part = None,
            _ => {}
        }
    }

    /// Resources, or a section of the reflection.
    fn tables(&mut self, ui: &mut Ui, cx: &ViewCx<'_>, summary: &Summary, commands: &mut Vec<Command>) {
        let key = (cx.revision, self.container);
        let told = self.told.take().filter(|told| told.key == key).unwrap_or_else(|| Told {
            key,
            resources: dxil_tables::resources(summary),
            reflection: dxil_tables::sections(summary),
        });
        let told = self.told.insert(told);
        if self.page == Page::Resources {
            return self.resources.ui(ui, cx, (key, &told.resources), commands);
        }
        let shown = told.reflection.iter().find(|section| section.name == self.section).or(told.reflection.first());
        let Some(shown) = shown else {
            commands.extend(nothing(ui, "No reflection", "The container has only its program.", None));
            return;
        };
        self.section = shown.name;
        ui.horizontal_wrapped(|ui| {
            for section in &told.reflection {
                ui.selectable_value(&mut self.section, section.name, section.name);
            }
        });
        self.reflection.ui(ui, cx, (key, shown), commands);
    }

    fn root_signature(&mut self, ui: &mut Ui, cx: &ViewCx<'_>, summary: &Summary, commands: &mut Vec<Command>) {
        let theme = Theme::of(ui);
        let key = (cx.revision, theme.dark, self.container);
        if !summary.root_signature.as_ref().is_some_and(lanescope_core::dxil::RootSignature::is_read) {
            let hint = "Only root signatures of versions 1.0 and 1.1 are read.";
            commands.extend(nothing(ui, "Root signature is not read", hint, None));
            return;
        }
        let picture = self
            .roots
            .get(key, || root_signature(summary, &theme).unwrap_or_else(|| Picture::new("Root signature", theme.page)));
        if cx.asked(Ask::ExportPicture) {
            commands.push(Command::SavePicture { picture: PictureFile::new(picture.clone()), name: "root-signature" });
        }
        let reply = self.canvases[2].show(ui, picture, &theme, &[]);
        self.canvases[2].menu(&reply, None, commands, |_, _, _| {});
    }

    fn signatures(&mut self, ui: &mut Ui, cx: &ViewCx<'_>, summary: &Summary, commands: &mut Vec<Command>) {
        let theme = Theme::of(ui);
        if !has_signatures(summary) {
            commands.extend(nothing(
                ui,
                "No signatures",
                "This kind of shader has no input or output registers.",
                None,
            ));
            return;
        }
        let picture = self.slots.get((cx.revision, theme.dark, self.container), || signatures(summary, &theme));
        if cx.asked(Ask::ExportPicture) {
            commands.push(Command::SavePicture { picture: PictureFile::new(picture.clone()), name: "dxil-signatures" });
        }
        let reply = self.canvases[1].show(ui, picture, &theme, &[]);
        self.canvases[1].menu(&reply, None, commands, |menu, mark, commands| {
            let Some(Mark::Element(index)) = mark else { return };
            if let Some(element) = elements(summary).nth(index as usize) {
                menu.command("Copy name", || Command::Copy(name(element)), commands);
            }
        });
        let Some(Mark::Element(index)) = reply.hovered else { return };
        let Some(element) = elements(summary).nth(index as usize) else { return };
        beside_part(&reply, |ui| {
            ui.strong(name(element));
            egui::Grid::new("element").num_columns(2).show(ui, |ui| {
                fact(ui, "system value", &*element.system_value);
                fact(ui, "type", &*element.component_type);
                let register = element.register.map_or("none".to_owned(), |register| register.to_string());
                fact(ui, "register", format!("{register}.{}", element.mask));
                fact(ui, "used mask", &*element.used);
                if let Some(precision) = &element.precision {
                    fact(ui, "minimum precision", &**precision);
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

/// The findings about one container.
fn own_findings<'a>(cx: &ViewCx<'a>, summary: &Summary) -> Vec<&'a Finding> {
    let path = cx.report.inputs.get(summary.input).map_or("", |input| input.path.as_str());
    let own = |finding: &&Finding| {
        let of_dxil = matches!(finding.code.chars().next(), Some('C' | 'D' | 'X'));
        of_dxil && finding.place.as_ref().is_some_and(|place| place.is_of_file(path))
    };
    let mut found: Vec<&Finding> = cx.report.findings.iter().filter(own).collect();
    found.sort_by_key(|finding| finding.severity);
    found
}

fn findings(ui: &mut Ui, cx: &ViewCx<'_>, summary: &Summary, commands: &mut Vec<Command>) {
    let own = own_findings(cx, summary);
    if own.is_empty() {
        let hint = "No violated rules of containers, metadata or ops.";
        commands.extend(nothing(ui, "No findings", hint, None));
        return;
    }
    if cx.asked(Ask::CopyTable) {
        commands.push(Command::Copy(findings::table(&own).to_tabs()));
    }
    let shown = own.get(..FINDINGS_AT_MOST).unwrap_or(&own);
    if shown.len() < own.len() {
        ui.weak(format!("First {FINDINGS_AT_MOST} of {}; the tab Findings has all.", own.len()));
    }
    shown_table(ui, cx, shown, commands);
}
