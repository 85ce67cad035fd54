//! The tabs as they are drawn: a tree of views that dock, made from the state's layout.

use egui::accesskit::Role;
use egui::{Color32, Context, Id, Response, Sense, Stroke, Ui, Visuals, WidgetInfo, WidgetText};
use egui_tiles::{
    Behavior, Container, EditAction, Linear, LinearDir, SimplificationOptions, TabState, Tabs, Tile, TileId, Tiles,
    Tree, UiResponse,
};
use lanescope_inspector::command::Command;
use lanescope_inspector::layout::{Layout, Move};
use lanescope_inspector::view::{Ask, ViewId, ViewInfo};
use lanescope_views::context::{View, ViewCx};
use lanescope_views::menu::{Menu, context_menu, menu_of_area};
use lanescope_views::pane::at_least;
use lanescope_views::theme::Theme;
use lanescope_views::theme::ThemeOfUi as _;

use crate::keys::key_text;
use lanescope_workbench::commands::row_of;
use lanescope_workbench::state::tabs::Tabs as TabsState;

/// The tabs as they are drawn.
pub struct Dock {
    tree: Tree<ViewId>,
    /// The views that were dragged last.
    dragged: Vec<ViewId>,
}

/// What panes are drawn from, and what they return.
pub struct PaneCx<'a> {
    pub views: &'a mut [Box<dyn View>],
    /// Their inputs.
    pub cx: &'a ViewCx<'a>,
    /// A request to the view that keys go to.
    pub ask: Option<Ask>,
    /// The view that keys go to.
    pub focus: Option<ViewId>,
    /// The keyboard goes into that view.
    pub enter: bool,
    /// Commands of the views.
    pub commands: Vec<Command>,
}

/// A view in a lower pane scrolls, in points: its controls alone would fill it.
const LEAST_HEIGHT: f32 = 160.0;

impl PaneCx<'_> {
    /// Information on a view.
    pub fn info(&self, id: ViewId) -> Option<&'static ViewInfo> {
        self.views.iter().map(|view| view.info()).find(|info| info.id == id)
    }

    /// Draws a view.
    pub fn draw(&mut self, ui: &mut Ui, id: ViewId) {
        let pressed_here = ui.rect_contains_pointer(ui.max_rect()) && ui.input(|input| input.pointer.any_pressed());
        if pressed_here {
            self.focus = Some(id);
        }
        let Some(view) = self.views.iter_mut().find(|view| view.info().id == id) else { return };
        let info = view.info();
        // Where the keyboard comes into the tab: from here Tab goes to its first control.
        let place = ui.interact(ui.max_rect(), ui.scope_id().with("place"), Sense::focusable_noninteractive());
        place.widget_info(|| WidgetInfo::labeled(Role::Pane, true, format!("{}: {}", info.title, info.about)));
        if self.enter && Some(id) == self.focus {
            place.request_focus();
        }
        egui::Frame::new().inner_margin(8).show(ui, |ui| {
            let cx = ViewCx { ask: self.ask.take_if(|_| Some(id) == self.focus), ..*self.cx };
            at_least(ui, LEAST_HEIGHT, |ui| self.commands.extend(view.ui(ui, &cx)));
        });
        if takes_keyboard(ui) {
            self.focus = Some(id);
        }
        // What has no menu of its own has that of its tab.
        let has_keys = Some(id) == self.focus && keys_are_for(ui);
        menu_of_area(&place, has_keys, |menu| self.commands.extend(tab_menu(&place.ctx, menu)));
    }
}

/// Whether what has the keyboard is in a pane, or nothing has it.
fn keys_are_for(ui: &Ui) -> bool {
    let Some(focused) = ui.memory(|memory| memory.focused()) else { return true };
    let response = ui.ctx().read_response(focused);
    response.is_some_and(|it| it.layer_id == ui.layer_id() && ui.max_rect().contains(it.rect.center()))
}

/// Whether the keyboard has just come to a widget of a pane: the keys of the window are for that pane then.
fn takes_keyboard(ui: &Ui) -> bool {
    let focused = ui.memory(|memory| memory.focused().filter(|id| !memory.had_focus_last_frame(*id)));
    let response = focused.and_then(|id| ui.ctx().read_response(id));
    response.is_some_and(|it| it.layer_id == ui.layer_id() && ui.max_rect().contains(it.rect.center()))
}

impl Dock {
    /// No tabs until the first frame.
    pub fn new() -> Dock {
        Dock { tree: Tree::empty(Id::unique("dock")), dragged: Vec::new() }
    }

    /// Draws the tabs. The commands of the panes get those that change the arrangement.
    pub fn ui(&mut self, ui: &mut Ui, tabs: &TabsState, panes: &mut PaneCx<'_>) {
        self.follow(tabs.layout());
        if let Some(dragged) = self.tree.dragged_id(ui.ctx()) {
            self.dragged.clear();
            views_below(&self.tree.tiles, dragged, &mut self.dragged);
        }
        let mut behavior = Panes { theme: Theme::of(ui), panes, edited: false };
        self.tree.ui(&mut behavior, ui);
        let edited = behavior.edited;
        let drawn = self.layout();
        if let Some(layout) = drawn.filter(|drawn| edited || drawn != tabs.layout()) {
            let dragged = if edited { std::mem::take(&mut self.dragged) } else { Vec::new() };
            panes.commands.push(Command::Arrange { layout, edited, dragged });
        }
        name_handles(ui);
    }

    /// Makes the tree as the layout is. Where only tabs in front or sizes differ, the tiles stay.
    fn follow(&mut self, layout: &Layout) {
        let same = self.layout().as_ref() == Some(layout);
        let root = self.tree.root();
        if same || root.is_some_and(|root| adapt(&mut self.tree.tiles, root, layout)) {
            return;
        }
        let mut tiles = Tiles::default();
        let root = insert(&mut tiles, layout);
        self.tree = Tree::new(Id::unique("dock"), root, tiles);
    }

    fn layout(&self) -> Option<Layout> {
        self.tree.root().and_then(|root| layout_of(&self.tree.tiles, root))
    }
}

/// Sets the tabs in front and the sizes. False if the tiles are not those of the layout.
fn adapt(tiles: &mut Tiles<ViewId>, id: TileId, layout: &Layout) -> bool {
    let children: Vec<(TileId, &Layout)> = match (tiles.get(id), layout) {
        (Some(Tile::Pane(view)), Layout::View(name)) => return view == name,
        (Some(Tile::Container(Container::Tabs(tabs))), Layout::Tabs { children, .. }) => {
            if tabs.children.len() != children.len() {
                return false;
            }
            tabs.children.iter().copied().zip(children).collect()
        }
        (Some(Tile::Container(Container::Linear(linear))), Layout::Row(children) | Layout::Column(children)) => {
            let is_row = matches!(layout, Layout::Row(_));
            if (linear.dir == LinearDir::Horizontal) != is_row || linear.children.len() != children.len() {
                return false;
            }
            linear.children.iter().copied().zip(children.iter().map(|(_, child)| child)).collect()
        }
        _ => return false,
    };
    if !children.iter().all(|(id, child)| adapt(tiles, *id, child)) {
        return false;
    }
    match (tiles.get_mut(id), layout) {
        (Some(Tile::Container(Container::Tabs(tabs))), Layout::Tabs { active, .. }) => {
            tabs.active = tabs.children.get(*active).copied();
        }
        (Some(Tile::Container(Container::Linear(linear))), Layout::Row(children) | Layout::Column(children)) => {
            for (id, (share, _)) in linear.children.iter().zip(children) {
                linear.shares.set_share(*id, *share);
            }
        }
        _ => {}
    }
    true
}

/// Inserts the tiles of a layout.
fn insert(tiles: &mut Tiles<ViewId>, layout: &Layout) -> TileId {
    match layout {
        Layout::View(name) => tiles.insert_pane(*name),
        Layout::Tabs { children, active } => {
            let children: Vec<TileId> = children.iter().map(|child| insert(tiles, child)).collect();
            let mut tabs = Tabs::default();
            (tabs.active, tabs.children) = (children.get(*active).copied(), children);
            tiles.insert_container(tabs)
        }
        Layout::Row(children) => insert_row(tiles, LinearDir::Horizontal, children),
        Layout::Column(children) => insert_row(tiles, LinearDir::Vertical, children),
    }
}

fn insert_row(tiles: &mut Tiles<ViewId>, dir: LinearDir, children: &[(f32, Layout)]) -> TileId {
    let mut linear = Linear::new(dir, Vec::new());
    for (share, child) in children {
        let tile = insert(tiles, child);
        linear.children.push(tile);
        linear.shares.set_share(tile, *share);
    }
    tiles.insert_container(linear)
}

fn layout_of(tiles: &Tiles<ViewId>, id: TileId) -> Option<Layout> {
    let shared = |linear: &Linear| -> Vec<(f32, Layout)> {
        let children = linear.children.iter();
        children.filter_map(|&child| Some((linear.shares[child], layout_of(tiles, child)?))).collect()
    };
    Some(match tiles.get(id)? {
        Tile::Pane(view) => Layout::View(*view),
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

/// The views of a tile and those below it.
fn views_below(tiles: &Tiles<ViewId>, id: TileId, views: &mut Vec<ViewId>) {
    match tiles.get(id) {
        Some(Tile::Pane(view)) => views.push(*view),
        Some(Tile::Container(container)) => container.children().for_each(|child| views_below(tiles, *child, views)),
        None => {}
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

/// What can be done with a tab.
fn tab_menu(ctx: &Context, menu: &mut Menu<'_>) -> Option<Command> {
    let commands = [
        Command::MoveTab(Move::Right),
        Command::MoveTab(Move::Below),
        Command::MoveTab(Move::NextGroup),
        Command::LargerGroup,
        Command::SmallerGroup,
        Command::ResetLayout,
        Command::Help,
    ];
    let rows = commands.iter().filter_map(row_of);
    let mut chosen = None;
    for row in rows {
        let key = row.keys.first().map(|key| key_text(ctx, key)).unwrap_or_default();
        if menu.item_with_key(true, row.label, &key) {
            chosen = Some(row.command.clone());
        }
    }
    chosen
}

struct Panes<'p, 'a> {
    theme: Theme,
    panes: &'p mut PaneCx<'a>,
    edited: bool,
}

impl Panes<'_, '_> {
    fn is_focus(&self, tiles: &Tiles<ViewId>, tile: TileId) -> bool {
        tiles.get_pane(&tile).is_some_and(|view| Some(*view) == self.panes.focus)
    }
}

impl Behavior<ViewId> for Panes<'_, '_> {
    fn pane_ui(&mut self, ui: &mut Ui, _tile: TileId, pane: &mut ViewId) -> UiResponse {
        self.panes.draw(ui, *pane);
        UiResponse::None
    }

    fn tab_title_for_pane(&mut self, pane: &ViewId) -> WidgetText {
        self.panes.info(*pane).map_or(pane.name(), |info| info.title).into()
    }

    fn on_tab_button(&mut self, tiles: &mut Tiles<ViewId>, tile: TileId, response: Response) -> Response {
        let Some(view) = tiles.get_pane(&tile).copied() else { return response };
        if response.clicked() {
            self.panes.focus = Some(view);
        }
        let mut chosen = None;
        context_menu(&response, |menu| chosen = tab_menu(&response.ctx, menu));
        if let Some(command) = chosen {
            // The commands move the tab that keys go to.
            self.panes.focus = Some(view);
            self.panes.commands.extend([Command::Focus(view), command]);
        }
        match self.panes.info(view) {
            Some(info) => response.on_hover_text(info.about),
            None => response,
        }
    }

    fn cycle_tabs_with_keyboard(&self) -> bool {
        // Window shortcuts do not depend on the pointer.
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

    fn tab_bg_color(&self, _visuals: &Visuals, _tiles: &Tiles<ViewId>, _tile: TileId, state: &TabState) -> Color32 {
        if state.active { self.theme.page } else { Color32::TRANSPARENT }
    }

    fn tab_outline_stroke(&self, _visuals: &Visuals, tiles: &Tiles<ViewId>, tile: TileId, state: &TabState) -> Stroke {
        match (state.active, self.is_focus(tiles, tile)) {
            (true, true) => Stroke::new(1.5, self.theme.accent),
            (true, false) => Stroke::new(1.0, self.theme.hairline),
            _ => Stroke::NONE,
        }
    }

    fn tab_bar_hline_stroke(&self, _visuals: &Visuals) -> Stroke {
        Stroke::new(1.0, self.theme.hairline)
    }

    fn tab_text_color(&self, _visuals: &Visuals, _tiles: &Tiles<ViewId>, _tile: TileId, state: &TabState) -> Color32 {
        if state.active { self.theme.ink } else { self.theme.ink_soft }
    }
}
