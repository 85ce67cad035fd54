//! Operations on an arrangement of tabs: which views are in front, moves, repairs.

use lanescope_inspector::layout::Layout;
use lanescope_inspector::mode::{Mode, SOURCE};
use lanescope_inspector::view::ViewId;

/// How deep a layout may nest; a hand-written session could nest without end.
const MAX_DEPTH: u32 = 16;
/// Height of what is above and below the tabs of a window, in points.
pub const AROUND: f32 = 116.0;
/// Height of the pane of registers with eight rows, in points, and the share of the tabs that it has in a high window.
const REGISTERS: (f32, f32) = (284.0, 0.29);

/// The views in front.
pub fn front_of(layout: &Layout, front: &mut Vec<ViewId>) {
    match layout {
        Layout::View(view) => front.push(*view),
        Layout::Tabs { children, active } => {
            if let Some(child) = children.get(*active) {
                front_of(child, front);
            }
        }
        Layout::Row(children) | Layout::Column(children) => {
            children.iter().for_each(|(_, child)| front_of(child, front));
        }
    }
}

/// Brings a view to the front of all groups that hold it. False if there is no such view.
pub fn activate(layout: &mut Layout, view: ViewId) -> bool {
    match layout {
        Layout::View(own) => *own == view,
        Layout::Tabs { children, active } => {
            let found = children.iter_mut().position(|child| activate(child, view));
            *active = found.unwrap_or(*active);
            found.is_some()
        }
        Layout::Row(children) | Layout::Column(children) => children.iter_mut().any(|(_, child)| activate(child, view)),
    }
}

/// The names of all views, in the order in which they are drawn.
pub fn names_of(layout: &Layout, names: &mut Vec<ViewId>) {
    match layout {
        Layout::View(name) => names.push(*name),
        Layout::Tabs { children, .. } => children.iter().for_each(|child| names_of(child, names)),
        Layout::Row(children) | Layout::Column(children) => {
            children.iter().for_each(|(_, child)| names_of(child, names));
        }
    }
}

/// The names of each group of tabs, in the order in which they are drawn.
pub fn groups_of(layout: &Layout, groups: &mut Vec<Vec<ViewId>>) {
    match layout {
        Layout::View(name) => groups.push(vec![*name]),
        Layout::Tabs { .. } => {
            let mut names = Vec::new();
            names_of(layout, &mut names);
            groups.push(names);
        }
        Layout::Row(children) | Layout::Column(children) => {
            children.iter().for_each(|(_, child)| groups_of(child, groups));
        }
    }
}

/// Gives each group of tabs these names, in the order in which they are drawn; `replaced` may put something else there.
pub fn regroup(
    layout: &mut Layout,
    groups: &mut impl Iterator<Item = Vec<ViewId>>,
    replaced: &mut impl FnMut(Layout) -> Option<Layout>,
) {
    match layout {
        Layout::View(_) | Layout::Tabs { .. } => {
            let before = match layout {
                Layout::Tabs { children, active } => children.get(*active).cloned(),
                _ => None,
            };
            let children: Vec<_> = groups.next().unwrap_or_default().into_iter().map(Layout::View).collect();
            let active = children.iter().position(|child| Some(child) == before.as_ref()).unwrap_or(0);
            *layout = Layout::Tabs { children, active };
            if let Some(other) = replaced(layout.clone()) {
                *layout = other;
            }
        }
        Layout::Row(children) | Layout::Column(children) => {
            children.iter_mut().for_each(|(_, child)| regroup(child, groups, replaced));
        }
    }
}

/// Gives the innermost place beside others that holds a view more of their room.
pub fn resize(layout: &mut Layout, view: ViewId, factor: f32) -> bool {
    let holds = |layout: &Layout| has_any(layout, &[view]);
    match layout {
        Layout::View(_) => false,
        Layout::Tabs { children, .. } => {
            children.iter_mut().find(|child| holds(child)).is_some_and(|child| resize(child, view, factor))
        }
        Layout::Row(children) | Layout::Column(children) => {
            let beside = children.len() > 1;
            let Some((share, child)) = children.iter_mut().find(|(_, child)| holds(child)) else { return false };
            if resize(child, view, factor) {
                return true;
            }
            *share = (*share * factor).clamp(0.05, 100.0);
            beside
        }
    }
}

/// The source to the left, the answer to the right; below the pictures of a layout their registers.
pub fn built_in(mode: Mode, views: &[ViewId]) -> Layout {
    let has_source = views.contains(&SOURCE);
    let answers: Vec<_> = views.iter().copied().filter(|view| *view != SOURCE).collect();
    let answer = match answers.split_last() {
        Some((ViewId::Registers, pictures)) if mode == Mode::Layout && !pictures.is_empty() => {
            Layout::Column(vec![(2.4, group(pictures)), (1.0, group(&[ViewId::Registers]))])
        }
        _ => group(&answers),
    };
    if !has_source {
        return answer;
    }
    if answers.is_empty() {
        return group(&[SOURCE]);
    }
    // Pictures need the space; a line of source that is cut can be scrolled.
    Layout::Row(vec![(1.0, group(&[SOURCE])), (2.4, answer)])
}

/// The share of the registers in the height of a window's tabs, by the height of the window in points: eight rows, but at
/// most half.
pub fn registers_share(height: Option<f32>) -> f32 {
    let (least, share) = REGISTERS;
    height.map_or(share, |height| (least / (height - AROUND).max(1.0)).clamp(share, 0.5))
}

/// Gives the registers below pictures this share of the height.
pub fn share_height(layout: &mut Layout, share: f32) {
    match layout {
        Layout::Row(children) => children.iter_mut().for_each(|(_, child)| share_height(child, share)),
        Layout::Column(children) => {
            if let [(above, _), (below, last)] = children.as_mut_slice()
                && *last == group(&[ViewId::Registers])
            {
                (*above, *below) = (1.0 - share, share);
            }
        }
        Layout::View(_) | Layout::Tabs { .. } => {}
    }
}

/// A group of tabs of these views, the first in front.
pub fn group(views: &[ViewId]) -> Layout {
    Layout::Tabs { children: views.iter().copied().map(Layout::View).collect(), active: 0 }
}

/// Whether a layout holds one of these views.
fn has_any(layout: &Layout, views: &[ViewId]) -> bool {
    let mut names = Vec::new();
    names_of(layout, &mut names);
    names.iter().any(|name| views.contains(name))
}

/// The layout with panes beside groups of tabs only, never within one: a tab that is dropped into a half of a group
/// splits the group, it does not become a tab that hides two panes. `dragged` are the views that were dropped; they
/// leave the group.
pub fn lifted(layout: Layout, dragged: &[ViewId]) -> Layout {
    match layout {
        Layout::View(_) => layout,
        Layout::Row(children) => Layout::Row(lifted_all(children, dragged)),
        Layout::Column(children) => Layout::Column(lifted_all(children, dragged)),
        Layout::Tabs { children, active } => lifted_tabs(children, active, dragged),
    }
}

fn lifted_all(children: Vec<(f32, Layout)>, dragged: &[ViewId]) -> Vec<(f32, Layout)> {
    children.into_iter().map(|(share, child)| (share, lifted(child, dragged))).collect()
}

fn lifted_tabs(children: Vec<Layout>, active: usize, dragged: &[ViewId]) -> Layout {
    let Some(at) = children.iter().position(|child| matches!(child, Layout::Row(_) | Layout::Column(_))) else {
        return Layout::Tabs { children, active };
    };
    let (mut tabs, mut beside, mut after, mut is_row) = (Vec::new(), Vec::new(), true, false);
    for (index, child) in children.into_iter().enumerate() {
        let (row, parts) = match child {
            Layout::Row(parts) if index == at => (true, parts),
            Layout::Column(parts) if index == at => (false, parts),
            other => {
                let mut names = Vec::new();
                names_of(&other, &mut names);
                tabs.extend(names);
                continue;
            }
        };
        is_row = row;
        // Without a dragged view, the last part is taken for it.
        let left = parts.iter().position(|(_, part)| has_any(part, dragged)).unwrap_or(parts.len().saturating_sub(1));
        after = left > 0;
        for (index, (_, part)) in parts.into_iter().enumerate() {
            let names = if index == left { &mut beside } else { &mut tabs };
            names_of(&part, names);
        }
    }
    let groups = |names: Vec<ViewId>, active: usize| Layout::Tabs {
        active: active.min(names.len().saturating_sub(1)),
        children: names.into_iter().map(Layout::View).collect(),
    };
    if tabs.is_empty() || beside.is_empty() {
        return groups(tabs.into_iter().chain(beside).collect(), active);
    }
    let mut both = vec![(1.0, groups(tabs, active)), (1.0, groups(beside, 0))];
    if !after {
        both.reverse();
    }
    if is_row { Layout::Row(both) } else { Layout::Column(both) }
}

/// A layout with one tab for each view, from any other.
pub fn normalized(layout: &Layout, views: &[ViewId]) -> Layout {
    let mut missing = views.to_vec();
    let mut root = pruned(layout, &mut missing, MAX_DEPTH);
    let rest = missing.into_iter().map(Layout::View);
    match root.as_mut().and_then(first_tabs) {
        Some(children) => children.extend(rest),
        None => {
            let children: Vec<_> = root.take().into_iter().chain(rest).collect();
            root = Some(Layout::Tabs { children, active: 0 });
        }
    }
    root.unwrap_or(Layout::Tabs { children: Vec::new(), active: 0 })
}

/// A layout with each view at most once, without empty groups and odd shares.
fn pruned(layout: &Layout, missing: &mut Vec<ViewId>, depth: u32) -> Option<Layout> {
    let depth = depth.checked_sub(1)?;
    match layout {
        // Each view once: a view has one state.
        Layout::View(name) => {
            let at = missing.iter().position(|view| view == name)?;
            missing.remove(at);
            Some(Layout::View(*name))
        }
        Layout::Tabs { children, active } => {
            let (mut kept, mut front) = (Vec::new(), None);
            for (index, child) in children.iter().enumerate() {
                let Some(child) = pruned(child, missing, depth) else { continue };
                if index == *active || front.is_none() {
                    front = Some(kept.len());
                }
                kept.push(child);
            }
            front.map(|active| Layout::Tabs { children: kept, active })
        }
        Layout::Row(children) => pruned_row(children, missing, depth).map(Layout::Row),
        Layout::Column(children) => pruned_row(children, missing, depth).map(Layout::Column),
    }
}

fn pruned_row(children: &[(f32, Layout)], missing: &mut Vec<ViewId>, depth: u32) -> Option<Vec<(f32, Layout)>> {
    let mut kept = Vec::new();
    for (share, child) in children {
        let Some(child) = pruned(child, missing, depth) else { continue };
        kept.push((if share.is_finite() { share.clamp(0.05, 100.0) } else { 1.0 }, child));
    }
    (!kept.is_empty()).then_some(kept)
}

/// The first group of tabs, as the innermost first.
fn first_tabs(layout: &mut Layout) -> Option<&mut Vec<Layout>> {
    match layout {
        Layout::View(_) => None,
        Layout::Tabs { children, .. } => {
            let inner = children.iter_mut().position(|child| first_tabs(child).is_some());
            match inner {
                Some(inner) => children.get_mut(inner).and_then(first_tabs),
                None => Some(children),
            }
        }
        Layout::Row(children) | Layout::Column(children) => {
            children.iter_mut().find_map(|(_, child)| first_tabs(child))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const VIEWS: &[ViewId] = &[ViewId::Packing, ViewId::Workgroup, ViewId::Registers, ViewId::Source];

    fn view(view: ViewId) -> Layout {
        Layout::View(view)
    }

    #[test]
    fn restores_layouts() {
        let group =
            |views: &[ViewId], active| Layout::Tabs { children: views.iter().map(|one| view(*one)).collect(), active };
        for layout in [
            group(&[ViewId::Source, ViewId::Packing, ViewId::Registers, ViewId::Workgroup], 2),
            Layout::Column(vec![
                (1.0, group(&[ViewId::Packing], 0)),
                (
                    2.5,
                    Layout::Row(vec![
                        (1.0, group(&[ViewId::Source], 0)),
                        (1.0, group(&[ViewId::Workgroup, ViewId::Registers], 1)),
                    ]),
                ),
            ]),
        ] {
            assert_eq!(normalized(&layout, VIEWS), layout);
        }
    }

    #[test]
    fn every_view_has_one_tab_for_any_session() {
        let mut deep = view(ViewId::Source);
        for _ in 0..100 {
            deep = Layout::Row(vec![(1.0, deep)]);
        }
        for layout in [
            Layout::Row(Vec::new()),
            Layout::Tabs { children: Vec::new(), active: 9 },
            Layout::Tabs {
                children: vec![
                    view(ViewId::Packing),
                    view(ViewId::Packing),
                    Layout::Tabs { children: Vec::new(), active: 0 },
                ],
                active: 7,
            },
            Layout::Row(vec![(f32::NAN, view(ViewId::Source)), (-3.0, view(ViewId::Registers))]),
            deep,
        ] {
            let mut found = Vec::new();
            names_of(&normalized(&layout, VIEWS), &mut found);
            found.sort();
            assert_eq!(found, [ViewId::Packing, ViewId::Workgroup, ViewId::Registers, ViewId::Source], "{layout:?}");
        }
    }

    #[test]
    fn a_tab_dropped_into_a_half_of_its_group_splits_the_group() {
        let column = |parts: &[ViewId]| Layout::Column(parts.iter().map(|one| (1.0, view(*one))).collect());
        let tabs = |children| Layout::Tabs { children, active: 1 };
        let dragged = [ViewId::Registers];
        let below =
            tabs(vec![view(ViewId::Packing), column(&[ViewId::Workgroup, ViewId::Registers]), view(ViewId::Source)]);
        let rest = Layout::Tabs {
            children: vec![view(ViewId::Packing), view(ViewId::Workgroup), view(ViewId::Source)],
            active: 1,
        };
        let expected = Layout::Column(vec![(1.0, rest.clone()), (1.0, group(&[ViewId::Registers]))]);
        assert_eq!(lifted(below, &dragged), expected);
        let above =
            tabs(vec![view(ViewId::Packing), column(&[ViewId::Registers, ViewId::Workgroup]), view(ViewId::Source)]);
        let expected = Layout::Column(vec![(1.0, group(&[ViewId::Registers])), (1.0, rest)]);
        assert_eq!(lifted(above, &dragged), expected);
        let plain = Layout::Row(vec![(2.0, group(VIEWS))]);
        assert_eq!(lifted(plain.clone(), &dragged), plain);
    }
}
