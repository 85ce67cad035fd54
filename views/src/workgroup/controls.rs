//! Controls of the options that shape a workgroup's layout.

use egui::{CollapsingHeader, Grid, Ui};
use lanescope_core::options::{Derivatives, LayoutRules, Options, WaveChoice};
use lanescope_core::target::TARGETS;
use lanescope_core::workgroup::Layout;

use crate::widgets::{choice, number};

/// More invocations than this along one axis no driver takes.
const LONGEST: u32 = 1024;

/// Shows the controls for `options`; true when one changed.
pub(super) fn controls(ui: &mut Ui, options: &mut Options, layout: &Layout) -> bool {
    let mut changed = size(ui, options, layout);
    let waves = [(WaveChoice::Auto, "auto"), (WaveChoice::Wave32, "32"), (WaveChoice::Wave64, "64")];
    let derivatives = [
        (None, "as in the module"),
        (Some(Derivatives::None), "none"),
        (Some(Derivatives::Linear), "linear"),
        (Some(Derivatives::Quads), "quads"),
    ];
    let rules = [(LayoutRules::Llpc, "LLPC"), (LayoutRules::DesignNote, "design note")];
    let targets: Vec<_> =
        TARGETS.iter().filter(|row| row.register_ip.is_some()).map(|row| (row.target, row.name)).collect();
    Grid::new("choices").num_columns(2).show(ui, |ui| {
        changed |= choice(ui, "Wave size", &mut options.wave, &waves);
        ui.end_row();
        changed |= choice(ui, "Derivatives", &mut options.derivatives, &derivatives);
        ui.end_row();
        changed |= choice(ui, "Layout rules", &mut options.layout_rules, &rules);
        ui.end_row();
        changed |= choice(ui, "Target", &mut options.target, &targets);
        ui.end_row();
    });
    let hint = "forceCsThreadIdSwizzling";
    changed |= ui.checkbox(&mut options.force_swizzle, "Force swizzle").on_hover_text(hint).changed();
    let hint = "reconfigWorkgroupLayout";
    changed |= ui.checkbox(&mut options.reconfig, "Reconfigure layout").on_hover_text(hint).changed();
    ui.horizontal(|ui| {
        let [x, y] = &mut options.interleave;
        changed |= number(ui, "Interleave x", x, 0..=10);
        changed |= number(ui, "Interleave y", y, 0..=10);
    });
    CollapsingHeader::new("Dispatch").default_open(options.group_tile.is_some()).show(ui, |ui| {
        changed |= dispatch(ui, options);
    });
    changed
}

fn size(ui: &mut Ui, options: &mut Options, layout: &Layout) -> bool {
    let mut size = options.group_size.unwrap_or(layout.declared_size);
    let mut changed = false;
    ui.horizontal(|ui| {
        for (axis, value) in ["Size x", "y", "z"].into_iter().zip(&mut size) {
            changed |= number(ui, axis, value, 1..=LONGEST);
        }
        if changed {
            options.group_size = Some(size);
        }
        let reset = ui.add_enabled(options.group_size.is_some(), egui::Button::new("Reset size"));
        if reset.on_hover_text("The size that the shader declares").clicked() {
            options.group_size = None;
            changed = true;
        }
    });
    changed
}

/// The workgroup-id swizzle: which groups, and in which tiles.
fn dispatch(ui: &mut Ui, options: &mut Options) -> bool {
    let tiles = [
        (None, "none"),
        (Some(4), "4 x 4"),
        (Some(8), "8 x 8"),
        (Some(16), "16 x 16"),
        (Some(32), "32 x 32"),
        (Some(64), "64 x 64"),
    ];
    let mut changed = ui.horizontal(|ui| choice(ui, "Group tile", &mut options.group_tile, &tiles)).inner;
    let mut groups = options.groups.unwrap_or([16, 16, 1]);
    ui.add_enabled_ui(options.group_tile.is_some(), |ui| {
        ui.horizontal(|ui| {
            for (axis, value) in ["Groups x", "y", "z"].into_iter().zip(&mut groups) {
                changed |= number(ui, axis, value, 1..=65_535);
            }
        });
    });
    if changed {
        options.groups = options.group_tile.map(|_| groups);
    }
    changed
}
