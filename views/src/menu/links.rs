//! Entries of context menus that lead to the same thing in another view.

use lanescope_inspector::command::Command;
use lanescope_inspector::mode::Applicable;
use lanescope_inspector::selection::{Selection, Varying};
use lanescope_inspector::view::ViewId;

use super::Menu;
use crate::context::ViewCx;

/// Views that show a varying.
const OF_VARYING: [(ViewId, &str); 4] = [
    (ViewId::Packing, "Go to slot"),
    (ViewId::Source, "Go to source"),
    (ViewId::Registers, "Go to registers"),
    (ViewId::Isa, "Go to assembly"),
];
/// Views that show a register.
const OF_REGISTER: [(ViewId, &str); 2] = [(ViewId::Registers, "Go to register"), (ViewId::Packing, "Go to slots")];

/// Entries for a varying: its slot, source lines, registers and assembly.
pub fn varying(
    menu: &mut Menu<'_>,
    cx: &ViewCx<'_>,
    location: u32,
    component: Option<u8>,
    commands: &mut Vec<Command>,
) {
    let varying = Some(Varying { location, component });
    let selection = Selection { varying, code: None, ..cx.selection.clone() };
    entries(menu, cx, &OF_VARYING, &selection, commands);
}

/// Entries for a register: its row, and the slots.
pub fn register(menu: &mut Menu<'_>, cx: &ViewCx<'_>, name: &str, commands: &mut Vec<Command>) {
    let selection = Selection { register: Some(name.to_owned()), ..cx.selection.clone() };
    entries(menu, cx, &OF_REGISTER, &selection, commands);
}

/// The entry for an invocation: the lane map.
pub fn invocation(menu: &mut Menu<'_>, cx: &ViewCx<'_>, id: [u32; 3], commands: &mut Vec<Command>) {
    let selection = Selection { invocation: Some(id), ..cx.selection.clone() };
    entries(menu, cx, &[(ViewId::Workgroup, "Go to lane map")], &selection, commands);
}

fn entries(
    menu: &mut Menu<'_>,
    cx: &ViewCx<'_>,
    views: &[(ViewId, &str)],
    selection: &Selection,
    commands: &mut Vec<Command>,
) {
    let applicable = Applicable::of(cx.report, cx.frozen);
    let mut first = true;
    for (view, label) in views.iter().filter(|(view, _)| applicable.has(*view)) {
        if std::mem::take(&mut first) {
            menu.separator();
        }
        if menu.item(label) {
            commands.push(Command::Select(selection.clone()));
            commands.push(Command::Show(*view));
        }
    }
}
