//! The mode, the arrangement of its tabs, the drawer, the panel of findings, and the view that keys go to.

use lanescope_inspector::layout::{Layout, Move, SavedTabs};
use lanescope_inspector::mode::{Applicable, FINDINGS, Mode, SOURCE};
use lanescope_inspector::view::{Ask, ViewId, ViewInfo};

use super::arrangement::{activate, front_of, group, groups_of, lifted, names_of, normalized, regroup, resize};

/// The tabs.
#[derive(Debug)]
pub struct Tabs {
    /// All views.
    views: Vec<&'static ViewInfo>,
    /// Those that have something to show for the shown program.
    applicable: Applicable,
    saved: SavedTabs,
    layout: Layout,
    /// The view that keys go to; none until a program is shown.
    focus: Option<ViewId>,
    /// Everything is in one group: the window is narrow.
    folded: bool,
}

impl Tabs {
    /// As the session left them. Nothing is shown until a program is shown.
    pub fn new(saved: &SavedTabs, views: Vec<&'static ViewInfo>) -> Tabs {
        let (applicable, layout, saved) = (Applicable::default(), group(&[]), saved.clone());
        Tabs { views, applicable, saved, layout, focus: None, folded: false }
    }

    /// All views, in the order of the registry.
    pub fn views(&self) -> &[&'static ViewInfo] {
        &self.views
    }

    /// The views that have something to show for the shown program.
    pub fn applicable(&self) -> impl Iterator<Item = &'static ViewInfo> {
        self.views.iter().copied().filter(|view| self.applicable.has(view.id))
    }

    /// What the session keeps.
    pub fn saved(&self) -> &SavedTabs {
        &self.saved
    }

    /// The modes of the shown program.
    pub fn modes(&self) -> Vec<Mode> {
        self.applicable.modes()
    }

    /// The shown mode: the chosen one, where it applies.
    pub fn mode(&self) -> Mode {
        let modes = self.applicable.modes();
        if modes.contains(&self.saved.mode) { self.saved.mode } else { modes.first().copied().unwrap_or_default() }
    }

    /// The arrangement of the mode's views.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The view in front in the drawer, while that is open.
    pub fn drawer(&self) -> Option<ViewId> {
        let shown = self.saved.inspect.filter(|_| !self.folded)?;
        let views = self.applicable.of_drawer();
        views.iter().copied().find(|view| *view == shown).or(views.first().copied())
    }

    /// The views of the drawer.
    pub fn drawer_views(&self) -> Vec<ViewId> {
        self.applicable.of_drawer()
    }

    /// Whether the panel of findings is open.
    pub fn shows_findings(&self) -> bool {
        self.saved.findings && !self.folded && self.applicable.has(FINDINGS)
    }

    /// The view that keys go to.
    pub fn focus(&self) -> Option<ViewId> {
        self.focus
    }

    /// Whether everything is in one group for now.
    pub fn folded(&self) -> bool {
        self.folded
    }

    /// Whether a view is in front.
    pub fn shows(&self, view: ViewId) -> bool {
        let mut front = Vec::new();
        front_of(&self.layout, &mut front);
        front.contains(&view) || self.drawer() == Some(view) || (view == FINDINGS && self.shows_findings())
    }

    /// Whether a view answers to a request.
    pub fn answers(&self, view: ViewId, ask: Ask) -> bool {
        self.views.iter().any(|info| info.id == view && info.answers.contains(&ask))
    }

    /// Shows a program that has these views. From the view that the program before begins with, keys go to the one that
    /// this program begins with; any other view stays.
    pub(crate) fn show_program(&mut self, applicable: Applicable) {
        if self.applicable != applicable {
            let begins = self.applicable.main(self.mode()).is_some_and(|main| Some(main) == self.focus);
            self.applicable = applicable;
            if let Some(main) = self.applicable.main(self.mode()).filter(|_| begins) {
                self.focus = Some(main);
            }
            self.arrange();
        }
    }

    /// Shows a mode. False where it does not apply.
    pub(crate) fn set_mode(&mut self, mode: Mode) -> bool {
        let applies = self.applicable.modes().contains(&mode);
        if applies && self.saved.mode != mode {
            self.saved.mode = mode;
            self.arrange();
        }
        applies
    }

    /// Restores the built-in arrangement of the mode.
    pub(crate) fn reset(&mut self) {
        self.saved.layouts.remove(&self.key());
        self.arrange();
    }

    /// Puts everything into one group, or restores the arrangements of the session.
    pub(crate) fn fold(&mut self, folded: bool) {
        self.folded = folded;
        self.arrange();
    }

    /// Takes the arrangement that is drawn; `edited` where it was made by pointer, with the views that were dragged.
    pub(crate) fn take(&mut self, layout: Layout, edited: bool, dragged: &[ViewId]) {
        self.layout = lifted(layout, dragged);
        if edited || self.saved.layouts.contains_key(&self.key()) {
            self.keep();
        }
    }

    /// Brings a view to the front and sends keys to it: in its mode, in the drawer or in its panel. False where it has
    /// nothing to show.
    pub(crate) fn show_view(&mut self, view: ViewId) -> bool {
        if !self.applicable.has(view) {
            return false;
        }
        if !activate(&mut self.layout, view) {
            let mode = Mode::ALL.into_iter().find(|mode| mode.views().contains(&view));
            match mode {
                Some(mode) => {
                    self.saved.mode = mode;
                    self.arrange();
                    activate(&mut self.layout, view);
                }
                None if view == FINDINGS => self.saved.findings = true,
                None => self.saved.inspect = Some(view),
            }
        } else if self.saved.layouts.contains_key(&self.key()) {
            self.keep();
        }
        self.focus = Some(view);
        true
    }

    /// Opens or closes the drawer.
    pub(crate) fn toggle_drawer(&mut self) {
        match self.drawer() {
            Some(_) => {
                self.saved.inspect = None;
                self.focus_front();
            }
            None => {
                if let Some(view) = self.applicable.of_drawer().first() {
                    self.show_view(*view);
                }
            }
        }
    }

    /// Opens the panel of findings, or closes it where keys go to it.
    pub(crate) fn toggle_findings(&mut self) {
        if self.shows_findings() && self.focus == Some(FINDINGS) {
            self.saved.findings = false;
            self.focus_front();
        } else {
            self.show_view(FINDINGS);
        }
    }

    /// Sends keys to a view.
    pub(crate) fn set_focus(&mut self, view: ViewId) {
        self.focus = Some(view);
    }

    /// Moves on by `step` tabs in the order in which they are drawn.
    pub(crate) fn step(&mut self, step: isize) {
        let mut names = Vec::new();
        names_of(&self.layout, &mut names);
        if self.drawer().is_some() {
            names.extend(self.applicable.of_drawer());
        }
        if self.shows_findings() {
            names.push(FINDINGS);
        }
        let Some(at) = names.iter().position(|name| Some(*name) == self.focus) else { return };
        let count = names.len() as isize;
        let to = (at as isize + step).rem_euclid(count.max(1)) as usize;
        if let Some(name) = names.get(to).copied() {
            self.show_view(name);
        }
    }

    /// Moves the tab that keys go to. False if there is nowhere to move it.
    pub(crate) fn move_tab(&mut self, to: Move) -> bool {
        let mut layout = self.layout.clone();
        let mut groups = Vec::new();
        groups_of(&layout, &mut groups);
        let Some(moved) = self.focus else { return false };
        let Some(at) = groups.iter().position(|group| group.contains(&moved)) else { return false };
        let next = (at + 1) % groups.len();
        if groups[at].len() == 1 && (to != Move::NextGroup || next == at) {
            return false;
        }
        groups[at].retain(|name| *name != moved);
        if to == Move::NextGroup && next != at {
            groups[next].push(moved);
            regroup(&mut layout, &mut groups.into_iter(), &mut |_| None);
        } else {
            let beside = |tabs: Layout| {
                let both = vec![(1.0, tabs), (1.0, group(&[moved]))];
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
        let resized = self.focus.is_some_and(|focus| resize(&mut layout, focus, factor));
        if resized {
            self.rearrange(&layout);
        }
        resized
    }

    fn rearrange(&mut self, layout: &Layout) {
        self.layout = normalized(layout, &self.shown());
        if let Some(focus) = self.focus {
            activate(&mut self.layout, focus);
        }
        self.keep();
    }

    /// The views that the layout arranges.
    fn shown(&self) -> Vec<ViewId> {
        let mut views = self.applicable.of_mode(self.mode());
        if self.folded {
            views.extend(self.applicable.of_drawer());
            views.extend(Some(FINDINGS).filter(|view| self.applicable.has(*view)));
        }
        views
    }

    fn key(&self) -> String {
        let views: Vec<&str> = self.applicable.of_mode(self.mode()).into_iter().map(ViewId::name).collect();
        format!("{}: {}", self.mode().name(), views.join(" "))
    }

    /// Notes the arrangement. That of a narrow window is for now; what is kept is how it was before.
    fn keep(&mut self) {
        if !self.folded {
            self.saved.layouts.insert(self.key(), self.layout.clone());
        }
    }

    /// Arranges the views of the mode as they were arranged before, or as built in.
    fn arrange(&mut self) {
        let views = self.shown();
        self.layout = match self.saved.layouts.get(&self.key()).filter(|_| !self.folded) {
            Some(layout) => normalized(layout, &views),
            None if self.folded => {
                let answers = views.iter().filter(|view| **view != SOURCE);
                group(&answers.chain(views.iter().filter(|view| **view == SOURCE)).copied().collect::<Vec<_>>())
            }
            None => built_in(self.mode(), &views),
        };
        if !self.focus.is_some_and(|focus| activate(&mut self.layout, focus)) {
            self.focus_front();
        }
    }

    /// Sends keys to the main view in front.
    fn focus_front(&mut self) {
        let mut front = Vec::new();
        front_of(&self.layout, &mut front);
        let main = front.iter().find(|view| **view != SOURCE).or(front.first());
        self.focus = main.copied();
    }
}

/// The source to the left, the answer to the right; below the pictures of a layout their registers.
fn built_in(mode: Mode, views: &[ViewId]) -> Layout {
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

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [ViewId; 11] = [
        SOURCE,
        ViewId::Packing,
        ViewId::Registers,
        ViewId::Isa,
        ViewId::Statistics,
        ViewId::Run,
        ViewId::Compare,
        ViewId::Rewritten,
        ViewId::GuessedLayout,
        ViewId::Overview,
        FINDINGS,
    ];

    fn tabs(saved: &SavedTabs) -> Tabs {
        let info = |id: ViewId| &*Box::leak(Box::new(ViewInfo { id, title: id.name(), about: "", answers: &[] }));
        let mut tabs = Tabs::new(saved, ALL.iter().map(|name| info(*name)).collect());
        tabs.show_program(Applicable::views(ALL));
        tabs
    }

    fn groups(tabs: &Tabs) -> Vec<String> {
        let mut groups = Vec::new();
        groups_of(tabs.layout(), &mut groups);
        groups.into_iter().map(|group| group.into_iter().map(ViewId::name).collect::<Vec<_>>().join(" ")).collect()
    }

    #[test]
    fn a_mode_shows_its_views_and_no_others() {
        let mut tabs = tabs(&SavedTabs::default());
        assert_eq!((tabs.mode(), tabs.focus()), (Mode::Layout, Some(ViewId::Packing)));
        assert_eq!(groups(&tabs), ["source", "packing", "registers"]);
        assert!(tabs.set_mode(Mode::Compiled));
        assert_eq!(
            (groups(&tabs), tabs.focus()),
            (vec!["source".to_owned(), "isa statistics".to_owned()], Some(ViewId::Isa))
        );
        assert!(tabs.set_mode(Mode::Compare));
        assert_eq!(groups(&tabs), ["compare rewritten"]);
        tabs.show_program(Applicable::views([SOURCE, ViewId::Packing, ViewId::Compare]));
        assert!(!tabs.set_mode(Mode::Run), "it does not apply");
        assert_eq!(groups(&tabs), ["compare"]);
    }

    #[test]
    fn the_chosen_mode_returns_with_a_program_that_has_it() {
        let mut tabs = tabs(&SavedTabs { mode: Mode::Run, ..SavedTabs::default() });
        assert_eq!(tabs.mode(), Mode::Run);
        tabs.show_program(Applicable::views([SOURCE, ViewId::Packing]));
        assert_eq!(tabs.mode(), Mode::Layout);
        tabs.show_program(Applicable::views(ALL));
        assert_eq!((tabs.mode(), tabs.focus()), (Mode::Run, Some(ViewId::Run)));
    }

    #[test]
    fn a_program_of_another_kind_begins_with_its_own_view() {
        let info = |id: ViewId| &*Box::leak(Box::new(ViewInfo { id, title: id.name(), about: "", answers: &[] }));
        let all = [SOURCE, ViewId::Graph, ViewId::Workgroup, ViewId::Registers];
        let mut tabs = Tabs::new(&SavedTabs::default(), all.iter().map(|name| info(*name)).collect());
        let (compute, graph) = ([SOURCE, ViewId::Workgroup, ViewId::Registers], all);
        tabs.show_program(Applicable::views(graph));
        assert_eq!(tabs.focus(), Some(ViewId::Graph));
        tabs.show_program(Applicable::views(compute));
        assert_eq!(tabs.focus(), Some(ViewId::Workgroup));
        tabs.show_program(Applicable::views(graph));
        assert!(tabs.focus() == Some(ViewId::Graph) && tabs.shows(ViewId::Graph) && !tabs.shows(ViewId::Workgroup));
        tabs.show_view(ViewId::Registers);
        tabs.show_program(Applicable::views(compute));
        assert_eq!(tabs.focus(), Some(ViewId::Registers), "any other view stays");
    }

    #[test]
    fn views_open_in_their_mode_in_the_drawer_or_in_their_panel() {
        let mut tabs = tabs(&SavedTabs::default());
        assert!(tabs.show_view(ViewId::Statistics));
        assert!(tabs.mode() == Mode::Compiled && tabs.shows(ViewId::Statistics) && !tabs.shows(ViewId::Isa));
        assert!(tabs.show_view(ViewId::Overview) && tabs.drawer() == Some(ViewId::Overview));
        assert!(
            tabs.shows(ViewId::Statistics) && tabs.focus() == Some(ViewId::Overview),
            "the mode stays beside the drawer"
        );
        assert!(tabs.show_view(FINDINGS) && tabs.shows_findings());
        assert!(!tabs.show_view(ViewId::Graph), "it has nothing to show");
        tabs.toggle_drawer();
        assert_eq!((tabs.drawer(), tabs.focus()), (None, Some(ViewId::Statistics)));
        tabs.toggle_findings();
        assert!(tabs.shows_findings() && tabs.focus() == Some(FINDINGS), "keys go there first");
        tabs.toggle_findings();
        assert!(!tabs.shows_findings());
    }

    #[test]
    fn stepping_wraps_around_over_all_panes() {
        let mut tabs = tabs(&SavedTabs { inspect: Some(ViewId::Overview), findings: true, ..Default::default() });
        let mut seen = Vec::new();
        for _ in 0..7 {
            seen.push(tabs.focus().expect("a view"));
            tabs.step(1);
        }
        assert_eq!(
            seen,
            [
                ViewId::Packing,
                ViewId::Registers,
                ViewId::GuessedLayout,
                ViewId::Overview,
                FINDINGS,
                SOURCE,
                ViewId::Packing
            ]
        );
        tabs.step(-2);
        assert_eq!(tabs.focus(), Some(SOURCE));
    }

    #[test]
    fn moves_tabs_and_resizes_panes_by_keyboard() {
        let mut moved = tabs(&SavedTabs { mode: Mode::Compiled, ..SavedTabs::default() });
        moved.show_view(ViewId::Statistics);
        assert!(moved.move_tab(Move::NextGroup));
        assert_eq!(groups(&moved), ["source statistics", "isa"]);
        assert!(moved.shows(ViewId::Statistics) && moved.focus() == Some(ViewId::Statistics));
        assert!(moved.move_tab(Move::Below));
        assert_eq!(groups(&moved), ["source", "statistics", "isa"]);
        assert!(!moved.move_tab(Move::Right), "it has a group for itself");
        let before = moved.layout().clone();
        assert!(moved.resize(1.25) && *moved.layout() != before);
        let again = tabs(moved.saved());
        assert_eq!(again.layout(), moved.layout(), "the session keeps it");
        moved.reset();
        assert_eq!(groups(&moved), ["source", "isa statistics"]);
        moved.set_mode(Mode::Compare);
        moved.show_program(Applicable::views([ViewId::Compare]));
        assert!(!moved.move_tab(Move::Right) && !moved.move_tab(Move::NextGroup) && !moved.resize(2.0));
    }

    #[test]
    fn a_narrow_window_has_everything_in_one_group() {
        let mut tabs = tabs(&SavedTabs { inspect: Some(ViewId::Overview), ..SavedTabs::default() });
        tabs.fold(true);
        assert_eq!(groups(&tabs), ["packing registers layout overview findings source"]);
        assert_eq!(tabs.drawer(), None);
        assert!(tabs.show_view(ViewId::Overview) && tabs.shows(ViewId::Overview) && !tabs.shows(ViewId::Packing));
        assert!(tabs.saved().layouts.is_empty(), "it is not kept");
        tabs.fold(false);
        assert_eq!((tabs.drawer(), groups(&tabs).len()), (Some(ViewId::Overview), 3));
    }
}
