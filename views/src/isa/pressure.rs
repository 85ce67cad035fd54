//! The pressure of two texts beside each other, to one scale: at the right of a diff.

use egui::{Frame, Panel, Role, Sense, Ui, WidgetInfo};
use lanescope_core::driver::DriverStage;
use lanescope_inspector::command::{Command, PictureFile};
use lanescope_inspector::view::Ask;

use crate::context::ViewCx;
use crate::picture::{Emphasis, Picture, paint};
use crate::theme::Theme;
use crate::theme::ThemeOfUi as _;
use crate::widgets::Cached;
use lanescope_pictures::curve::curves;

/// Below this width there is no space beside two texts.
const NARROW: f32 = 1000.0;

/// Two texts whose pressures are drawn.
#[derive(Clone, Copy)]
pub(crate) struct Curves<'r> {
    pub rows: [Option<&'r DriverStage>; 2],
    pub names: [&'r str; 2],
    /// Names both rows.
    pub key: u64,
}

/// The curves of two rows. Kept between frames.
#[derive(Debug, Default)]
pub(crate) struct PressurePane {
    curves: Cached<(u64, bool, u32)>,
}

impl PressurePane {
    /// Draws them in a panel at the right, if there is space.
    pub(crate) fn ui(&mut self, ui: &mut Ui, of: Curves<'_>) {
        if ui.available_width() < NARROW {
            return;
        }
        let theme = Theme::of(ui);
        let picture = self.picture(ui, of, &theme);
        if picture.items.is_empty() {
            return;
        }
        let panel = Panel::right(ui.scope_id().with("pressures")).resizable(false).exact_size(picture.size.x);
        panel.frame(Frame::NONE).show(ui, |ui| {
            let (rect, response) = ui.allocate_exact_size(picture.size, Sense::hover());
            response.widget_info(|| WidgetInfo::labeled(Role::Image, true, &picture.title));
            let emphasis = Emphasis { selected: &[], hovered: None, accent: theme.accent };
            paint(&ui.painter_at(rect.intersect(ui.clip_rect())), picture, rect.min, 1.0, emphasis);
        });
    }

    /// Exports the curves if they are requested as a picture.
    pub(crate) fn export(&mut self, ui: &Ui, cx: &ViewCx<'_>, of: Curves<'_>, commands: &mut Vec<Command>) {
        if cx.asked(Ask::ExportPicture) {
            let picture = self.picture(ui, of, &Theme::of(ui)).clone();
            if !picture.items.is_empty() {
                commands.push(Command::SavePicture { picture: PictureFile::new(picture), name: "register-pressure" });
            }
        }
    }

    fn picture(&mut self, ui: &Ui, Curves { rows, names, key }: Curves<'_>, theme: &Theme) -> &Picture {
        // Steps of eight points: a window that is dragged does not draw it anew with each of them.
        let height = (ui.available_height() / 8.0).floor().max(20.0) * 8.0;
        self.curves.get((key, theme.dark, height as u32), || {
            let facts = rows.map(|row| row.and_then(DriverStage::read_text));
            let both = curves(facts.each_ref().map(Option::as_ref), names, height, theme);
            both.unwrap_or_else(|| Picture::new("", theme.page))
        })
    }
}
