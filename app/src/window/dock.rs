//! The tabs: a tree of views that dock, kept by the session.

use std::collections::BTreeSet;

use egui::accesskit::Role;
use egui::{Color32, Id, Response, Sense, Stroke, Ui, Visuals, WidgetInfo, WidgetText};
use egui_tiles::{
    Behavior, Container, EditAction, Linear, LinearDir, SimplificationOptions, TabState, Tabs, Tile, TileId, Tiles,
    Tree, UiResponse,
};
use lanescope_inspector::view::Ask;
use lanescope_views::context::{View, ViewCommand, ViewCx};
use lanescope_views::theme::Theme;

use crate::session::Layout;

/// How deep a layout may nest; a hand-written session could nest without end.
const MAX_DEPTH: u32 = 16;

/// The arrangement of the tabs.
pub struct Dock {
    tree: Tree<String>,
    /// The view that keys go to.
    focus: String,
    /// The keyboard goes into that view when it is drawn next.
    enter: bool,
}

/// How a tab is moved without a pointer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Move {
    /// To the next group of tabs.
    NextGroup,
    /// Into a group of its own to the right.
    Right,
    /// Into a group of its own below.
    Below,
}

impl Dock {
    /// An arrangement of these views. Views that the layout does not know join the first tabs, tabs of views that are
    /// not there are left out.
    pub fn new(layout: Option<&Layout>, views: &[&str]) -> Dock {
        let layout = layout.cloned().unwrap_or_else(|| built_in(views));
        let mut build = Build { tiles: Tiles::default(), missing: views.iter().copied().collect(), first_tabs: None };
        let root = build.tile(&layout, MAX_DEPTH);
        let rest: Vec<_> =
            views.iter().filter(|view| build.missing.contains(*view)).map(|view| view.to_string()).collect();
        let rest: Vec<TileId> = rest.into_iter().map(|view| build.tiles.insert_pane(view)).collect();
        let root = match (root, build.first_tabs) {
            (Some(root), Some(first)) => {
                if let Some(Tile::Container(Container::Tabs(tabs))) = build.tiles.get_mut(first) {
                    tabs.children.extend(rest);
                }
                root
            }
            (root, _) => build.tiles.insert_tab_tile(root.into_iter().chain(rest).collect()),
        };
        let mut dock =
            Dock { tree: Tree::new(Id::unique("dock"), root, build.tiles), focus: String::new(), enter: false };
        let first = views.iter().find(|view| dock.shows(view)).or(views.first());
        dock.focus = first.map_or_else(String::new, |view| view.to_string());
        dock
    }

    /// The arrangement as the session keeps it.
    pub fn layout(&self) -> Option<Layout> {
        self.tree.root().and_then(|root| layout_of(&self.tree.tiles, root))
    }

    /// The view that keys go to.
    pub fn focus(&self) -> &str {
        &self.focus
    }

    /// Whether a view is in front.
    pub fn shows(&self, name: &str) -> bool {
        let front = self.tree.active_tiles();
        front.into_iter().any(|tile| self.tree.tiles.get_pane(&tile).is_some_and(|view| view == name))
    }

    /// Brings a view to the front and gives it the keys.
    pub fn show_view(&mut self, name: &str) {
        if self.tree.make_active(|_, tile| matches!(tile, Tile::Pane(view) if view == name)) {
            name.clone_into(&mut self.focus);
        }
    }

    /// Puts the keyboard into the view that keys go to.
    pub fn enter(&mut self) {
        self.enter = true;
    }

    /// Moves the tab that keys go to. False if there is nowhere to move it.
    pub fn move_tab(&mut self, to: Move) -> bool {
        let Some(mut layout) = self.layout() else { return false };
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
        self.rebuild(&layout);
        true
    }

    /// Makes the group of the tab that keys go to larger or smaller. False if nothing is beside it.
    pub fn resize(&mut self, factor: f32) -> bool {
        let Some(mut layout) = self.layout() else { return false };
        let resized = resize(&mut layout, &self.focus, factor);
        if resized {
            self.rebuild(&layout);
        }
        resized
    }

    fn rebuild(&mut self, layout: &Layout) {
        let mut names = Vec::new();
        names_of(layout, &mut names);
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let focus = std::mem::take(&mut self.focus);
        *self = Dock::new(Some(layout), &names);
        self.show_view(&focus);
    }

    /// Moves on by `step` tabs in the order in which they are drawn.
    pub fn step(&mut self, step: isize) {
        let mut names = Vec::new();
        if let Some(layout) = self.layout() {
            names_of(&layout, &mut names);
        }
        let Some(at) = names.iter().position(|name| *name == self.focus) else { return };
        let count = names.len() as isize;
        let to = (at as isize + step).rem_euclid(count.max(1)) as usize;
        if let Some(name) = names.get(to).cloned() {
            self.show_view(&name);
        }
    }

    /// Draws the tabs; the one that keys go to is asked. Returns what the views ask for, and whether the arrangement
    /// changed.
    pub fn ui(
        &mut self,
        ui: &mut Ui,
        views: &mut [Box<dyn View>],
        cx: &ViewCx<'_>,
        ask: Option<Ask>,
    ) -> (Vec<ViewCommand>, bool) {
        let enter = std::mem::take(&mut self.enter);
        let (theme, commands) = (Theme::of(ui), Vec::new());
        let mut panes = Panes { views, cx, ask, theme, focus: &mut self.focus, enter, commands, edited: false };
        self.tree.ui(&mut panes, ui);
        let done = (panes.commands, panes.edited);
        name_handles(ui);
        done
    }
}

/// Names what the tree of tabs leaves without a name: the edges between groups, and the ground of their tabs.
fn name_handles(ui: &Ui) {
    let unnamed: Vec<_> = ui.ctx().viewport(|viewport| {
        let widgets = &viewport.this_pass.widgets;
        let drawn = widgets.get_layer(ui.layer_id());
        let unnamed = drawn.filter(|widget| widget.sense.is_focusable() && widgets.info(widget.id).is_none());
        unnamed.map(|widget| (widget.id, widget.rect.size())).collect()
    });
    for (id, size) in unnamed {
        let name = if size.min_elem() < 20.0 {
            "Edge between panes; Alt+Plus and Alt+Minus move it"
        } else {
            "Title bar of a pane; drag it to move the pane"
        };
        ui.ctx().accesskit_node_builder(id, |node| {
            if node.label().is_none() && node.labelled_by().is_empty() {
                node.set_label(name);
            }
        });
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

/// Gives each group of tabs these names, in the order in which they are drawn; `replaced` may put something else in its
/// place.
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
        children: names.into_iter().map(|name| Layout::View(name.to_string())).collect(),
        active: 0,
    };
    let (right, left): (Vec<_>, Vec<_>) = views.iter().partition(|view| **view == "source");
    if right.is_empty() || left.is_empty() {
        return tabs(views.iter().collect());
    }
    // Pictures need the space; a line of source that is cut can be scrolled.
    Layout::Row(vec![(2.7, tabs(left)), (1.0, tabs(right))])
}

struct Build<'v> {
    tiles: Tiles<String>,
    missing: BTreeSet<&'v str>,
    first_tabs: Option<TileId>,
}

impl Build<'_> {
    fn tile(&mut self, layout: &Layout, depth: u32) -> Option<TileId> {
        let depth = depth.checked_sub(1)?;
        match layout {
            // Each view once: a view has one state.
            Layout::View(name) => self.missing.remove(name.as_str()).then(|| self.tiles.insert_pane(name.clone())),
            Layout::Tabs { children, active } => {
                let mut tabs = Tabs::default();
                for (index, child) in children.iter().enumerate() {
                    let Some(tile) = self.tile(child, depth) else { continue };
                    tabs.children.push(tile);
                    if index == *active || tabs.active.is_none() {
                        tabs.active = Some(tile);
                    }
                }
                if tabs.children.is_empty() {
                    return None;
                }
                let id = self.tiles.insert_container(tabs);
                self.first_tabs.get_or_insert(id);
                Some(id)
            }
            Layout::Row(children) => self.linear(LinearDir::Horizontal, children, depth),
            Layout::Column(children) => self.linear(LinearDir::Vertical, children, depth),
        }
    }

    fn linear(&mut self, dir: LinearDir, children: &[(f32, Layout)], depth: u32) -> Option<TileId> {
        let mut linear = Linear::new(dir, Vec::new());
        for (share, child) in children {
            let Some(tile) = self.tile(child, depth) else { continue };
            linear.children.push(tile);
            linear.shares.set_share(tile, if share.is_finite() { share.clamp(0.05, 100.0) } else { 1.0 });
        }
        (!linear.children.is_empty()).then(|| self.tiles.insert_container(linear))
    }
}

fn layout_of(tiles: &Tiles<String>, id: TileId) -> Option<Layout> {
    let shared = |linear: &Linear| -> Vec<(f32, Layout)> {
        let children = linear.children.iter();
        children.filter_map(|&child| Some((linear.shares[child], layout_of(tiles, child)?))).collect()
    };
    Some(match tiles.get(id)? {
        Tile::Pane(view) => Layout::View(view.clone()),
        Tile::Container(Container::Linear(linear)) if linear.dir == LinearDir::Horizontal => {
            Layout::Row(shared(linear))
        }
        Tile::Container(Container::Linear(linear)) => Layout::Column(shared(linear)),
        Tile::Container(Container::Tabs(tabs)) => Layout::Tabs {
            active: tabs.children.iter().position(|child| Some(*child) == tabs.active).unwrap_or(0),
            children: tabs.children.iter().filter_map(|&child| layout_of(tiles, child)).collect(),
        },
        Tile::Container(Container::Grid(grid)) => {
            Layout::Tabs { active: 0, children: grid.children().filter_map(|&child| layout_of(tiles, child)).collect() }
        }
    })
}

fn names_of(layout: &Layout, names: &mut Vec<String>) {
    match layout {
        Layout::View(name) => names.push(name.clone()),
        Layout::Tabs { children, .. } => children.iter().for_each(|child| names_of(child, names)),
        Layout::Row(children) | Layout::Column(children) => {
            children.iter().for_each(|(_, child)| names_of(child, names));
        }
    }
}

struct Panes<'a> {
    views: &'a mut [Box<dyn View>],
    cx: &'a ViewCx<'a>,
    ask: Option<Ask>,
    theme: Theme,
    focus: &'a mut String,
    /// The keyboard goes into that view.
    enter: bool,
    commands: Vec<ViewCommand>,
    edited: bool,
}

impl Panes<'_> {
    fn view(&self, name: &str) -> Option<&dyn View> {
        self.views.iter().find(|view| view.info().name == name).map(|view| view.as_ref())
    }

    fn is_focus(&self, tiles: &Tiles<String>, tile: TileId) -> bool {
        tiles.get_pane(&tile).is_some_and(|view| view == self.focus)
    }
}

impl Behavior<String> for Panes<'_> {
    fn pane_ui(&mut self, ui: &mut Ui, _tile: TileId, pane: &mut String) -> UiResponse {
        let pressed_here = ui.rect_contains_pointer(ui.max_rect()) && ui.input(|input| input.pointer.any_pressed());
        if pressed_here {
            pane.clone_into(self.focus);
        }
        if let Some(view) = self.views.iter_mut().find(|view| view.info().name == pane) {
            let info = view.info();
            // Where the keyboard comes into the tab: from here Tab goes to its first control.
            let place = ui.interact(ui.max_rect(), ui.scope_id().with("place"), Sense::focusable_noninteractive());
            place.widget_info(|| WidgetInfo::labeled(Role::Pane, true, format!("{}: {}", info.title, info.about)));
            if self.enter && pane == self.focus {
                place.request_focus();
            }
            egui::Frame::new().inner_margin(8).show(ui, |ui| {
                let cx = ViewCx { ask: self.ask.take_if(|_| pane == self.focus), ..*self.cx };
                self.commands.extend(view.ui(ui, &cx));
            });
        }
        UiResponse::None
    }

    fn tab_title_for_pane(&mut self, pane: &String) -> WidgetText {
        self.view(pane).map_or_else(|| pane.clone(), |view| view.info().title.to_owned()).into()
    }

    fn on_tab_button(&mut self, tiles: &mut Tiles<String>, tile: TileId, response: Response) -> Response {
        let Some(name) = tiles.get_pane(&tile) else { return response };
        if response.clicked() {
            name.clone_into(self.focus);
        }
        match self.view(name) {
            Some(view) => response.on_hover_text(view.info().about),
            None => response,
        }
    }

    fn cycle_tabs_with_keyboard(&self) -> bool {
        // Window shortcuts work wherever the pointer is.
        false
    }

    fn on_edit(&mut self, action: EditAction) {
        self.edited |= !matches!(action, EditAction::TileDragged);
    }

    fn simplification_options(&self) -> SimplificationOptions {
        SimplificationOptions { all_panes_must_have_tabs: true, ..SimplificationOptions::default() }
    }

    fn min_size(&self) -> f32 {
        120.0
    }

    fn gap_width(&self, _style: &egui::Style) -> f32 {
        4.0
    }

    fn tab_bar_height(&self, _style: &egui::Style) -> f32 {
        28.0
    }

    fn tab_bar_color(&self, _visuals: &Visuals) -> Color32 {
        self.theme.panel
    }

    fn tab_bg_color(&self, _visuals: &Visuals, _tiles: &Tiles<String>, _tile: TileId, state: &TabState) -> Color32 {
        if state.active { self.theme.page } else { Color32::TRANSPARENT }
    }

    fn tab_outline_stroke(&self, _visuals: &Visuals, tiles: &Tiles<String>, tile: TileId, state: &TabState) -> Stroke {
        match (state.active, self.is_focus(tiles, tile)) {
            (true, true) => Stroke::new(1.5, self.theme.accent),
            (true, false) => Stroke::new(1.0, self.theme.hairline),
            _ => Stroke::NONE,
        }
    }

    fn tab_bar_hline_stroke(&self, _visuals: &Visuals) -> Stroke {
        Stroke::new(1.0, self.theme.hairline)
    }

    fn tab_text_color(&self, _visuals: &Visuals, _tiles: &Tiles<String>, _tile: TileId, state: &TabState) -> Color32 {
        if state.active { self.theme.ink } else { self.theme.ink_soft }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const VIEWS: &[&str] = &["packing", "workgroup", "registers", "source"];

    fn names(dock: &Dock) -> Vec<String> {
        let mut names = Vec::new();
        names_of(&dock.layout().expect("a root"), &mut names);
        names
    }

    #[test]
    fn restores_layouts() {
        let view = |name: &str| Layout::View(name.to_owned());
        let tabs = |names: &[&str], active| Layout::Tabs { children: names.iter().map(|n| view(n)).collect(), active };
        for layout in [
            built_in(VIEWS),
            tabs(&["source", "packing", "registers", "workgroup"], 2),
            Layout::Column(vec![
                (1.0, tabs(&["packing"], 0)),
                (2.5, Layout::Row(vec![(1.0, tabs(&["source"], 0)), (1.0, tabs(&["workgroup", "registers"], 1))])),
            ]),
        ] {
            assert_eq!(Dock::new(Some(&layout), VIEWS).layout(), Some(layout));
        }
    }

    #[test]
    fn every_view_has_one_tab_for_any_session() {
        let view = |name: &str| Layout::View(name.to_owned());
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
            let mut found = names(&Dock::new(Some(&layout), VIEWS));
            found.sort();
            assert_eq!(found, ["packing", "registers", "source", "workgroup"], "{layout:?}");
        }
    }

    #[test]
    fn stepping_wraps_around() {
        let mut dock = Dock::new(None, VIEWS);
        let mut seen = Vec::new();
        for _ in 0..5 {
            seen.push(dock.focus().to_owned());
            dock.step(1);
        }
        assert_eq!(seen, ["packing", "workgroup", "registers", "source", "packing"]);
        dock.step(-2);
        assert_eq!(dock.focus(), "source");
        dock.show_view("nowhere");
        assert_eq!(dock.focus(), "source");
    }

    #[test]
    fn moves_tabs_and_resizes_panes_by_keyboard() {
        let mut dock = Dock::new(None, VIEWS);
        dock.show_view("registers");
        let groups = |dock: &Dock| {
            let mut groups = Vec::new();
            groups_of(&dock.layout().expect("a root"), &mut groups);
            groups.into_iter().map(|group| group.join(" ")).collect::<Vec<_>>()
        };
        assert_eq!(groups(&dock), ["packing workgroup registers", "source"]);
        assert!(dock.move_tab(Move::NextGroup));
        assert_eq!(groups(&dock), ["packing workgroup", "source registers"]);
        assert!(dock.shows("registers") && dock.focus() == "registers");
        assert!(dock.move_tab(Move::Below));
        assert_eq!(groups(&dock), ["packing workgroup", "source", "registers"]);
        assert!(!dock.move_tab(Move::Right), "it has a group for itself");
        assert!(dock.move_tab(Move::NextGroup), "from the last group to the first");
        assert_eq!(groups(&dock)[0], "packing workgroup registers");
        assert!(dock.move_tab(Move::Right));
        assert_eq!(groups(&dock)[..2], ["packing workgroup", "registers"]);
        let before = dock.layout();
        assert!(dock.resize(1.25));
        assert_ne!(dock.layout(), before);
        let mut all = names(&dock);
        all.sort();
        assert_eq!(all, ["packing", "registers", "source", "workgroup"]);
        let mut alone = Dock::new(None, &["packing"]);
        assert!(!alone.move_tab(Move::Right) && !alone.move_tab(Move::NextGroup) && !alone.resize(2.0));
    }

    #[test]
    fn keys_go_to_a_front_tab() {
        let view = |name: &str| Layout::View(name.to_owned());
        let layout = Layout::Tabs { children: VIEWS.iter().map(|name| view(name)).collect(), active: 2 };
        let mut dock = Dock::new(Some(&layout), VIEWS);
        assert_eq!(dock.focus(), "registers");
        assert!(dock.shows("registers") && !dock.shows("packing"));
        dock.show_view("packing");
        assert!(dock.shows("packing") && !dock.shows("registers"));
    }
}
