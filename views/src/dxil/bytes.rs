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
    /// The text, with the program, its revision, the container and the offset of the part that it is of.
    text: Option<((u64, u64, usize, u32), SourceText)>,
}

impl Bytes {
    /// Draws the bytes of a part; `file` is the container. Returns whether they are to be closed.
    pub fn ui(
        &mut self,
        ui: &mut Ui,
        cx: &ViewCx<'_>,
        (summary, part, file): (&Summary, &PartSummary, Option<&[u8]>),
        commands: &mut Vec<Command>,
    ) -> bool {
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
        let key = (cx.program, cx.revision, summary.input, part.offset);
        let known = self.text.take().filter(|(of, _)| *of == key);
        let (_, text) = self.text.insert(known.unwrap_or_else(|| (key, text_of(summary, part, file))));
        // Told from the program's own texts by a number that none of them has.
        let number = cx.texts.len().saturating_add(part.offset as usize);
        self.pane.ui_of(ui, cx, (number, text), commands);
        close
    }

    /// Forgets the bytes of a program that was closed.
    pub fn forget(&mut self, program: u64) {
        self.pane.forget(program);
        self.text.take_if(|((of, ..), _)| *of == program);
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
