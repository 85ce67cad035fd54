//! Every control of the window and its dialogs can be brought into view, at any size: what is cut off scrolls.

use std::collections::BTreeSet;

use egui::accesskit::{Action, ActionRequest, TreeId};
use egui::{Id, Rect, vec2};

use super::*;

/// The smallest window, two common ones, and 4K.
const SIZES: [[f32; 2]; 4] = [[400.0, 300.0], [1280.0, 720.0], [1600.0, 1000.0], [3840.0, 2160.0]];
/// A common one at a scale: its size in points, and pixels per point.
const SCALED: ([f32; 2], f32) = ([1280.0 / 1.75, 720.0 / 1.75], 1.75);
/// What is seen of a control at least, in points.
const SEEN: f32 = 4.0;
/// Controls that are scrolled to at one size: those of one row are cut alike.
const TRIED: usize = 12;

impl Stage {
    /// Controls that take the keyboard, each with its place and what is seen of it.
    fn places(&self) -> Vec<(Id, Rect, Rect)> {
        self.ctx.viewport(|viewport| {
            let widgets = viewport.prev_pass.widgets.layers().flat_map(|(_, widgets)| widgets);
            let works =
                widgets.filter(|widget| widget.enabled && widget.sense.is_focusable() && widget.rect.is_positive());
            works.map(|widget| (widget.id, widget.rect, widget.interact_rect)).collect()
        })
    }

    /// The controls that cannot be brought into view.
    fn out_of_reach(&mut self, what: &str) -> Vec<String> {
        for _ in 0..6 {
            self.draw(Vec::new());
        }
        let is_seen =
            |rect: Rect, seen: Rect| seen.width() >= SEEN.min(rect.width()) && seen.height() >= SEEN.min(rect.height());
        let mut tried: BTreeSet<u64> = BTreeSet::new();
        let mut complaints = Vec::new();
        while tried.len() < TRIED {
            let all = self.places();
            let hidden = all.iter().find(|(id, rect, seen)| !is_seen(*rect, *seen) && !tried.contains(&id.value()));
            let Some((id, ..)) = hidden.copied() else { break };
            tried.insert(id.value());
            self.ctx.memory_mut(|memory| memory.request_focus(id));
            for _ in 0..4 {
                self.draw(vec![Event::AccessKitActionRequest(ActionRequest {
                    action: Action::ScrollIntoView,
                    target_tree: TreeId::ROOT,
                    target_node: id.accesskit_id(),
                    data: None,
                })]);
                // Scrolling is animated.
                for _ in 0..24 {
                    self.draw(Vec::new());
                }
            }
            let now = self.places().into_iter().find(|(other, ..)| *other == id);
            if let Some((_, rect, seen)) = now.filter(|(_, rect, seen)| !is_seen(*rect, *seen)) {
                complaints.push(format!("{what}: {id:?} at {rect:?}, seen {seen:?}"));
            }
        }
        complaints
    }
}

#[test]
fn every_control_of_the_dialogs_is_in_reach() {
    let mut complaints = Vec::new();
    for (size, scale) in SIZES.map(|size| (size, 1.0)).into_iter().chain([SCALED]) {
        let mut stage = Stage::new(Session::default());
        stage.size = vec2(size[0], size[1]);
        stage.scale = Some(scale);
        complaints.extend(stage.out_of_reach(&format!("samples at {size:?}")));
        let path = stage.file("lit.frag", FRAGMENT);
        stage.open(&[&path]);
        for overlay in [Command::Palette, Command::Help, Command::Keys, Command::About, Command::OpenPath] {
            stage.frame.act(overlay.clone());
            complaints.extend(stage.out_of_reach(&format!("{overlay:?} at {size:?}")));
            stage.press(Modifiers::NONE, Key::Escape);
            stage.draw(Vec::new());
        }
        stage.frame.act(Command::Options);
        complaints.extend(stage.out_of_reach(&format!("options at {size:?}")));
    }
    assert!(complaints.is_empty(), "{} out of reach:\n{}", complaints.len(), complaints.join("\n"));
}

#[test]
fn a_long_name_widens_no_page() {
    for size in [[1280.0, 760.0], [640.0, 480.0]] {
        let mut stage = Stage::new(Session::default());
        stage.size = vec2(size[0], size[1]);
        let path = stage.file(&format!("{}.frag", "long_name_".repeat(24)), FRAGMENT);
        stage.open(&[&path]);
        stage.settle();
        let beyond = |stage: &Stage| -> Vec<(Rect, Rect)> {
            let right = stage.size.x + 1.0;
            stage
                .places()
                .into_iter()
                .map(|(_, rect, seen)| (rect, seen))
                .filter(|(it, _)| it.right() > right)
                .collect()
        };
        stage.frame.act(Command::Samples);
        stage.settle();
        assert_eq!(beyond(&stage), [], "samples at {size:?}");
        let name = format!("{}.frag", "long_name_".repeat(24));
        let cut = stage.texts().into_iter().find(|(text, _)| text.starts_with("long") && text.contains('…'));
        let (text, _) = cut.expect("the name is cut in its middle");
        assert!(text.ends_with(".frag") && name.starts_with(text.split('…').next().expect("a begin")), "{text}");
        stage.press(Modifiers::ALT, Key::F);
        stage.settle();
        assert_eq!(beyond(&stage), [], "the menu at {size:?}");
    }
}
