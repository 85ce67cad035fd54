//! The bytes of a part of a container, in hexadecimal.

use egui::Ui;
use lanescope_core::dxil::{PartSummary, Summary, hex_text_of};
use lanescope_core::text_format::counted;
use lanescope_inspector::command::Command;
use lanescope_inspector::source::{Language, SourceText, TextRole};

use crate::context::ViewCx;
use crate::source::pane::TextPane;

/// Bytes of a part's own header, which the map counts to the part.
pub(super) const PART_HEADER: usize = 8;

/// How the bytes are looked at. Kept between frames.
#[derive(Debug, Default)]
pub(super) struct Bytes {
    pane: TextPane,
    text: Option<PartText>,
}

/// A part of a container, and the container's bytes where they are there.
pub(super) struct ShownPart<'p> {
    pub summary: &'p Summary,
    pub part: &'p PartSummary,
    pub file: Option<&'p [u8]>,
}

/// The bytes of a part as text.
#[derive(Debug)]
struct PartText {
    of: Of,
    text: SourceText,
}

/// Which part it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Of {
    program: u64,
    revision: u64,
    container: usize,
    offset: u32,
}

impl Bytes {
    /// Draws the bytes of a part. Returns whether they are to be closed.
    pub fn ui(&mut self, ui: &mut Ui, cx: &ViewCx<'_>, shown: &ShownPart<'_>, commands: &mut Vec<Command>) -> bool {
        let ShownPart { summary, part, file } = *shown;
        let close = ui
            .horizontal_wrapped(|ui| {
                ui.strong(format!("{} {}", part.fourcc, part.about));
                let bytes = counted(part.bytes, "byte");
                ui.weak(format!("{bytes} from 0x{:x}, its header of 8 bytes first", part.offset));
                ui.button("Close").clicked()
            })
            .inner;
        let Some(file) = file else {
            ui.weak("A saved report does not contain the bytes.");
            return close;
        };
        let of = Of { program: cx.program, revision: cx.revision, container: summary.input, offset: part.offset };
        let known = self.text.take().filter(|known| known.of == of);
        let known = known.unwrap_or_else(|| PartText { of, text: text_of(summary, part, file) });
        let text = &self.text.insert(known).text;
        // Told from the program's own texts by a number that none of them has.
        let number = cx.texts.len().saturating_add(part.offset as usize);
        self.pane.ui_of(ui, cx, number, text, commands);
        close
    }

    /// Forgets the bytes of a program that was closed.
    pub fn forget(&mut self, program: u64) {
        self.pane.forget(program);
        self.text.take_if(|text| text.of.program == program);
    }
}

fn text_of(summary: &Summary, part: &PartSummary, file: &[u8]) -> SourceText {
    let start = part.offset as usize;
    let end = start.saturating_add(PART_HEADER).saturating_add(part.bytes as usize);
    SourceText {
        title: format!("{} at 0x{start:x}", part.fourcc),
        language: Language::Dxil,
        input: summary.input,
        role: TextRole::Bytes,
        text: hex_text_of(file, start..end),
        marks: Vec::new(),
        instructions: None,
    }
}
