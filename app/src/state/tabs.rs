//! The arrangement of the tabs, and the view that keys go to.

use lanescope_inspector::layout::{Layout, Move};
use lanescope_inspector::view::{Ask, ViewInfo};

/// How deep a layout may nest; a hand-written session could nest without end.
const MAX_DEPTH: u32 = 16;

/// The tabs.
#[derive(Debug)]
pub struct Tabs {
    /// The views, in the order of a new window.
    views: Vec<&'static ViewInfo>,
    layout: Layout,
    focus: String,
    /// All tabs are in one group: the window is narrow.
    folded: bool,
}

impl Tabs {
    /// An arrangement of these views. Views that the layout does not know join the first tabs; tabs of unknown views are
    /// left out.
    pub fn new(layout: Option<&Layout>, views: Vec<&'static ViewInfo>) -> Tabs {
        let mut tabs = Tabs { views, layout: Layout::Row(Vec::new()), focus: String::new(), folded: false };
        tabs.set(layout);
        tabs
    }

    /// The views, in the order of a new window.
    pub fn views(&self) -> &[&'static ViewInfo] {
        &self.views
    }

    /// The arrangement.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The view that keys go to.
    pub fn focus(&self) -> &str {
        &self.focus
    }

    /// Whether all tabs are in one group for now.
    pub fn folded(&self) -> bool {
        self.folded
    }

    /// Whether a view is in front.
    pub fn shows(&self, view: &str) -> bool {
        let mut front = Vec::new();
        front_of(&self.layout, &mut front);
        front.contains(&view)
    }

    /// Whether a view answers to a request.
    pub fn answers(&self, view: &str, ask: Ask) -> bool {
        self.views.iter().any(|info| info.name == view && info.answers.contains(&ask))
    }

    /// Arranges the tabs so, or as in a new window.
    pub(crate) fn set(&mut self, layout: Option<&Layout>) {
        let names: Vec<&str> = self.views.iter().map(|view| view.name).collect();
        let layout = layout.cloned().unwrap_or_else(|| built_in(&names));
        self.layout = normalized(&layout, &names);
        self.folded = false;
        let first = names.iter().find(|name| self.shows(name)).or(names.first());
        self.focus = first.map_or_else(String::new, |name| (*name).to_owned());
    }

    /// Puts all tabs into one group, or restores the arrangement of the session.
    pub(crate) fn fold(&mut self, folded: bool, layout: Option<&Layout>) {
        let focus = std::mem::take(&mut self.focus);
        if folded {
            let children = self.views.iter().map(|view| Layout::View(view.name.to_owned())).collect();
            self.set(Some(&Layout::Tabs { children, active: 0 }));
        } else {
            self.set(layout);
        }
        self.folded = folded;
        self.show_view(&focus);
    }

    /// Takes the arrangement that is drawn.
    pub(crate) fn take(&mut self, layout: Layout) {
        self.layout = layout;
    }

    /// Brings a view to the front and sends keys to it.
    pub(crate) fn show_view(&mut self, view: &str) {
        if activate(&mut self.layout, view) {
            view.clone_into(&mut self.focus);
        }
    }

    /// Sends keys to a view.
    pub(crate) fn set_focus(&mut self, view: String) {
        self.focus = view;
    }

    /// Moves on by `step` tabs in the order in which they are drawn.
    pub(crate) fn step(&mut self, step: isize) {
        let mut names = Vec::new();
        names_of(&self.layout, &mut names);
        let Some(at) = names.iter().position(|name| *name == self.focus) else { return };
        let count = names.len() as isize;
        let to = (at as isize + step).rem_euclid(count.max(1)) as usize;
        if let Some(name) = names.get(to).cloned() {
            self.show_view(&name);
        }
    }

    /// Moves the tab that keys go to. False if there is nowhere to move it.
    pub(crate) fn move_tab(&mut self, to: Move) -> bool {
        let mut layout = self.layout.clone();
        let mut groups = Vec::new();
        groups_of(&layout, &mut groups);
        let Some(at) = groups.iter().position(|group| group.contains(&self.focus)) else { return false };
        let next = (at + 1) % groups.len();
        if groups[at].len() == 1 && (to != Move::NextGroup || next == at) {
            return false;
        }
        let moved = self.focus.clone();
        groups[at].retain(|name| *name != moved);
        if to == Move::NextGroup && next != at {
            groups[next].push(moved);
            regroup(&mut layout, &mut groups.into_iter(), &mut |_| None);
        } else {
            let beside = |tabs: Layout| {
                let both =
                    vec![(1.0, tabs), (1.0, Layout::Tabs { children: vec![Layout::View(moved.clone())], active: 0 })];
                if to == Move::Below { Layout::Column(both) } else { Layout::Row(both) }
            };
            let mut index = 0;
            regroup(&mut layout, &mut groups.into_iter(), &mut |tabs| {
                index += 1;
                (index - 1 == at).then(|| beside(tabs))
            });
        }
        self.rearrange(&layout);
        true
    }

    /// Makes the group of the tab that keys go to larger or smaller. False if nothing is beside it.
    pub(crate) fn resize(&mut self, factor: f32) -> bool {
        let mut layout = self.layout.clone();
        let resized = resize(&mut layout, &self.focus, factor);
        if resized {
            self.rearrange(&layout);
        }
        resized
    }

    fn rearrange(&mut self, layout: &Layout) {
        let (focus, folded) = (std::mem::take(&mut self.focus), self.folded);
        self.set(Some(layout));
        self.folded = folded;
        self.show_view(&focus);
    }
}

/// The views in front.
fn front_of<'l>(layout: &'l Layout, front: &mut Vec<&'l str>) {
    match layout {
        Layout::View(name) => front.push(name),
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
fn activate(layout: &mut Layout, view: &str) -> bool {
    match layout {
        Layout::View(name) => name == view,
        Layout::Tabs { children, active } => {
            let found = children.iter_mut().position(|child| activate(child, view));
            *active = found.unwrap_or(*active);
            found.is_some()
        }
        Layout::Row(children) | Layout::Column(children) => children.iter_mut().any(|(_, child)| activate(child, view)),
    }
}

/// The names of all views, in the order in which they are drawn.
pub fn names_of(layout: &Layout, names: &mut Vec<String>) {
    match layout {
        Layout::View(name) => names.push(name.clone()),
        Layout::Tabs { children, .. } => children.iter().for_each(|child| names_of(child, names)),
        Layout::Row(children) | Layout::Column(children) => {
            children.iter().for_each(|(_, child)| names_of(child, names));
        }
    }
}

/// The names of each group of tabs, in the order in which they are drawn.
fn groups_of(layout: &Layout, groups: &mut Vec<Vec<String>>) {
    match layout {
        Layout::View(name) => groups.push(vec![name.clone()]),
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
fn regroup(
    layout: &mut Layout,
    groups: &mut impl Iterator<Item = Vec<String>>,
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
fn resize(layout: &mut Layout, view: &str, factor: f32) -> bool {
    let holds = |layout: &Layout| {
        let mut names = Vec::new();
        names_of(layout, &mut names);
        names.iter().any(|name| name == view)
    };
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

/// Two columns: pictures and tables to the left, what they were made from to the right.
fn built_in(views: &[&str]) -> Layout {
    let tabs = |names: Vec<&&str>| Layout::Tabs {
        children: names.into_iter().map(|name| Layout::View((*name).to_owned())).collect(),
        active: 0,
    };
    let (right, left): (Vec<_>, Vec<_>) = views.iter().partition(|view| **view == "source");
    if right.is_empty() || left.is_empty() {
        return tabs(views.iter().collect());
    }
    // Pictures need the space; a line of source that is cut can be scrolled.
    Layout::Row(vec![(2.7, tabs(left)), (1.0, tabs(right))])
}

/// A layout with one tab for each view, from any other.
fn normalized(layout: &Layout, views: &[&str]) -> Layout {
    let mut missing = views.to_vec();
    let mut root = pruned(layout, &mut missing, MAX_DEPTH);
    let rest = missing.into_iter().map(|view| Layout::View(view.to_owned()));
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
fn pruned(layout: &Layout, missing: &mut Vec<&str>, depth: u32) -> Option<Layout> {
    let depth = depth.checked_sub(1)?;
    match layout {
        // Each view once: a view has one state.
        Layout::View(name) => {
            let at = missing.iter().position(|view| view == name)?;
            missing.remove(at);
            Some(Layout::View(name.clone()))
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

fn pruned_row(children: &[(f32, Layout)], missing: &mut Vec<&str>, depth: u32) -> Option<Vec<(f32, Layout)>> {
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

    const VIEWS: &[&str] = &["packing", "workgroup", "registers", "source"];

    fn tabs(layout: Option<&Layout>, views: &[&'static str]) -> Tabs {
        let info = |name| &*Box::leak(Box::new(ViewInfo { name, title: name, about: "", answers: &[] }));
        Tabs::new(layout, views.iter().map(|name| info(*name)).collect())
    }

    fn view(name: &str) -> Layout {
        Layout::View(name.to_owned())
    }

    fn names(tabs: &Tabs) -> Vec<String> {
        let mut names = Vec::new();
        names_of(tabs.layout(), &mut names);
        names
    }

    #[test]
    fn restores_layouts() {
        let group = |names: &[&str], active| Layout::Tabs { children: names.iter().map(|n| view(n)).collect(), active };
        for layout in [
            built_in(VIEWS),
            group(&["source", "packing", "registers", "workgroup"], 2),
            Layout::Column(vec![
                (1.0, group(&["packing"], 0)),
                (2.5, Layout::Row(vec![(1.0, group(&["source"], 0)), (1.0, group(&["workgroup", "registers"], 1))])),
            ]),
        ] {
            assert_eq!(*tabs(Some(&layout), VIEWS).layout(), layout);
        }
    }

    #[test]
    fn every_view_has_one_tab_for_any_session() {
        let mut deep = view("source");
        for _ in 0..100 {
            deep = Layout::Row(vec![(1.0, deep)]);
        }
        for layout in [
            Layout::Row(Vec::new()),
            Layout::Tabs { children: Vec::new(), active: 9 },
            Layout::Tabs { children: vec![view("packing"), view("packing"), view("gone")], active: 7 },
            Layout::Row(vec![(f32::NAN, view("source")), (-3.0, view("registers"))]),
            deep,
        ] {
            let mut found = names(&tabs(Some(&layout), VIEWS));
            found.sort();
            assert_eq!(found, ["packing", "registers", "source", "workgroup"], "{layout:?}");
        }
    }

    #[test]
    fn stepping_wraps_around() {
        let mut tabs = tabs(None, VIEWS);
        let mut seen = Vec::new();
        for _ in 0..5 {
            seen.push(tabs.focus().to_owned());
            tabs.step(1);
        }
        assert_eq!(seen, ["packing", "workgroup", "registers", "source", "packing"]);
        tabs.step(-2);
        assert_eq!(tabs.focus(), "source");
        tabs.show_view("nowhere");
        assert_eq!(tabs.focus(), "source");
    }

    #[test]
    fn moves_tabs_and_resizes_panes_by_keyboard() {
        let mut moved = tabs(None, VIEWS);
        moved.show_view("registers");
        let groups = |tabs: &Tabs| {
            let mut groups = Vec::new();
            groups_of(tabs.layout(), &mut groups);
            groups.into_iter().map(|group| group.join(" ")).collect::<Vec<_>>()
        };
        assert_eq!(groups(&moved), ["packing workgroup registers", "source"]);
        assert!(moved.move_tab(Move::NextGroup));
        assert_eq!(groups(&moved), ["packing workgroup", "source registers"]);
        assert!(moved.shows("registers") && moved.focus() == "registers");
        assert!(moved.move_tab(Move::Below));
        assert_eq!(groups(&moved), ["packing workgroup", "source", "registers"]);
        assert!(!moved.move_tab(Move::Right), "it has a group for itself");
        assert!(moved.move_tab(Move::NextGroup), "from the last group to the first");
        assert_eq!(groups(&moved)[0], "packing workgroup registers");
        assert!(moved.move_tab(Move::Right));
        assert_eq!(groups(&moved)[..2], ["packing workgroup", "registers"]);
        let before = moved.layout().clone();
        assert!(moved.resize(1.25));
        assert_ne!(*moved.layout(), before);
        let mut all = names(&moved);
        all.sort();
        assert_eq!(all, ["packing", "registers", "source", "workgroup"]);
        let mut alone = tabs(None, &["packing"]);
        assert!(!alone.move_tab(Move::Right) && !alone.move_tab(Move::NextGroup) && !alone.resize(2.0));
    }

    #[test]
    fn keys_go_to_a_front_tab() {
        let layout = Layout::Tabs { children: VIEWS.iter().map(|name| view(name)).collect(), active: 2 };
        let mut tabs = tabs(Some(&layout), VIEWS);
        assert_eq!(tabs.focus(), "registers");
        assert!(tabs.shows("registers") && !tabs.shows("packing"));
        tabs.show_view("packing");
        assert!(tabs.shows("packing") && !tabs.shows("registers"));
    }
}
