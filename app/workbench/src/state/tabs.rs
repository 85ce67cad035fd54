//! The mode, the arrangement of its tabs, the drawer, the panel of findings, and the view that keys go to.

use lanescope_inspector::ProgramId;
use lanescope_inspector::layout::{Layout, Move, SavedTabs, ShownTabs};
use lanescope_inspector::mode::{Applicable, FINDINGS, Mode, SOURCE};
use lanescope_inspector::view::{Ask, ViewId, ViewInfo};

use super::arrangement::{
    activate, built_in, front_of, group, groups_of, lifted, names_of, normalized, registers_share, regroup, resize,
    share_height,
};

/// The tabs.
#[derive(Debug)]
pub struct Tabs {
    /// All views.
    views: Vec<&'static ViewInfo>,
    /// Those that have something to show for the shown program.
    applicable: Applicable,
    saved: SavedTabs,
    /// The shown program.
    of: Option<ProgramId>,
    /// The chosen mode: it returns once it applies.
    mode: Mode,
    /// The view in front in the drawer, while that is open.
    inspect: Option<ViewId>,
    /// Whether the panel of findings is open.
    findings: bool,
    layout: Layout,
    /// The view that keys go to; none until a program is shown.
    focus: Option<ViewId>,
    /// Everything is in one group: the window is narrow.
    folded: bool,
    /// The height of the window, in points, where it is known.
    height: Option<f32>,
}

impl Tabs {
    /// As the session left them. Nothing is shown until a program is shown.
    pub fn new(saved: &SavedTabs, views: Vec<&'static ViewInfo>) -> Tabs {
        Tabs {
            views,
            applicable: Applicable::default(),
            saved: saved.clone(),
            of: None,
            mode: Mode::default(),
            inspect: None,
            findings: false,
            layout: group(&[]),
            focus: None,
            folded: false,
            height: None,
        }
    }

    /// All views, in the order of the registry.
    pub fn views(&self) -> &[&'static ViewInfo] {
        &self.views
    }

    /// The views that have something to show for the shown program.
    pub fn applicable(&self) -> impl Iterator<Item = &'static ViewInfo> {
        self.views.iter().copied().filter(|view| self.applicable.has(view.id))
    }

    /// What the session keeps of all programs.
    pub fn saved(&self) -> &SavedTabs {
        &self.saved
    }

    /// The shown program, and what the session keeps of it.
    pub fn shown_of(&self) -> Option<(ProgramId, ShownTabs)> {
        let mut front = Vec::new();
        front_of(&self.layout, &mut front);
        let Tabs { of, mode, focus, inspect, findings, .. } = *self;
        Some((of?, ShownTabs { mode, front, focus, inspect, findings }))
    }

    /// The modes of the shown program.
    pub fn modes(&self) -> Vec<Mode> {
        self.applicable.modes()
    }

    /// The shown mode: the chosen one, where it applies.
    pub fn mode(&self) -> Mode {
        let modes = self.applicable.modes();
        if modes.contains(&self.mode) { self.mode } else { modes.first().copied().unwrap_or_default() }
    }

    /// The arrangement of the mode's views.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The view in front in the drawer, while that is open.
    pub fn drawer(&self) -> Option<ViewId> {
        let shown = self.inspect.filter(|_| !self.folded)?;
        let views = self.applicable.of_drawer();
        views.iter().copied().find(|view| *view == shown).or(views.first().copied())
    }

    /// The views of the drawer.
    pub fn drawer_views(&self) -> Vec<ViewId> {
        self.applicable.of_drawer()
    }

    /// Whether the panel of findings is open.
    pub fn shows_findings(&self) -> bool {
        self.findings && !self.folded && self.applicable.has(FINDINGS)
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

    /// Shows a program that has these views, as it was shown before. One that was never shown begins with its main view
    /// in the mode [`Mode::Layout`]. A program that is shown already stays as it is, with the views that it has now.
    pub(crate) fn show_program(&mut self, of: ProgramId, applicable: Applicable, shown: Option<&ShownTabs>) {
        let is_shown = self.of == Some(of);
        if is_shown && self.applicable == applicable && shown.is_some() {
            return;
        }
        self.applicable = applicable;
        match shown {
            Some(_) if is_shown => self.arrange(),
            Some(shown) => {
                let ShownTabs { mode, front, focus, inspect, findings } = shown.clone();
                (self.of, self.mode, self.inspect, self.findings) = (Some(of), mode, inspect, findings);
                self.focus = None;
                self.arrange();
                for view in front.into_iter().chain(focus).filter(|view| self.applicable.has(*view)) {
                    activate(&mut self.layout, view);
                }
                self.focus_front();
                self.focus = focus.filter(|view| self.shows(*view)).or(self.focus);
            }
            None => {
                (self.of, self.mode, self.inspect, self.findings) = (Some(of), Mode::default(), None, false);
                self.focus = self.applicable.main(self.mode());
                self.arrange();
            }
        }
    }

    /// Shows a mode. False where it does not apply.
    pub(crate) fn set_mode(&mut self, mode: Mode) -> bool {
        let applies = self.applicable.modes().contains(&mode);
        if applies && self.mode != mode {
            self.mode = mode;
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

    /// Takes the height of the window, in points: the built-in arrangement follows.
    pub(crate) fn set_height(&mut self, height: f32) {
        let before = registers_share(self.height.replace(height));
        let share = registers_share(self.height);
        if share != before && !self.folded && !self.saved.layouts.contains_key(&self.key()) {
            share_height(&mut self.layout, share);
        }
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
                    self.mode = mode;
                    self.arrange();
                    activate(&mut self.layout, view);
                }
                None if view == FINDINGS => self.findings = true,
                None => self.inspect = Some(view),
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
                self.inspect = None;
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
            self.findings = false;
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
            None => {
                let mut layout = built_in(self.mode(), &views);
                share_height(&mut layout, registers_share(self.height));
                layout
            }
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

#[cfg(test)]
mod tests {
    use super::super::arrangement::AROUND;
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

    fn all(saved: &SavedTabs) -> Tabs {
        let info = |id: ViewId| &*Box::leak(Box::new(ViewInfo { id, title: id.name(), about: "", answers: &[] }));
        Tabs::new(saved, ALL.into_iter().chain([ViewId::Graph, ViewId::Workgroup]).map(info).collect())
    }

    /// The tabs of a program that was shown like that before.
    fn tabs(shown: &ShownTabs) -> Tabs {
        let mut tabs = all(&SavedTabs::default());
        tabs.show_program(1, Applicable::views(ALL), Some(shown));
        tabs
    }

    /// The shown program has these views from now on.
    fn follow(tabs: &mut Tabs, views: impl IntoIterator<Item = ViewId>) {
        let (of, shown) = tabs.shown_of().expect("a program is shown");
        tabs.show_program(of, Applicable::views(views), Some(&shown));
    }

    fn groups(tabs: &Tabs) -> Vec<String> {
        let mut groups = Vec::new();
        groups_of(tabs.layout(), &mut groups);
        groups.into_iter().map(|group| group.into_iter().map(ViewId::name).collect::<Vec<_>>().join(" ")).collect()
    }

    #[test]
    fn a_mode_shows_its_views_and_no_others() {
        let mut tabs = tabs(&ShownTabs::default());
        assert_eq!((tabs.mode(), tabs.focus()), (Mode::Layout, Some(ViewId::Packing)));
        assert_eq!(groups(&tabs), ["source", "packing", "registers"]);
        assert!(tabs.set_mode(Mode::Compiled));
        assert_eq!(
            (groups(&tabs), tabs.focus()),
            (vec!["source".to_owned(), "isa statistics".to_owned()], Some(ViewId::Isa))
        );
        assert!(tabs.set_mode(Mode::Compare));
        assert_eq!(groups(&tabs), ["compare rewritten"]);
        follow(&mut tabs, [SOURCE, ViewId::Packing, ViewId::Compare]);
        assert!(!tabs.set_mode(Mode::Run), "it does not apply");
        assert_eq!(groups(&tabs), ["compare"]);
    }

    #[test]
    fn the_chosen_mode_returns_once_it_applies_again() {
        let mut tabs = tabs(&ShownTabs { mode: Mode::Run, ..ShownTabs::default() });
        assert_eq!(tabs.mode(), Mode::Run);
        follow(&mut tabs, [SOURCE, ViewId::Packing]);
        assert_eq!(tabs.mode(), Mode::Layout);
        follow(&mut tabs, ALL);
        assert_eq!((tabs.mode(), tabs.focus()), (Mode::Run, Some(ViewId::Run)));
    }

    #[test]
    fn a_program_that_was_never_shown_begins_with_its_own_view() {
        let mut tabs = tabs(&ShownTabs::default());
        let (compute, graph) =
            ([SOURCE, ViewId::Workgroup, ViewId::Registers], [SOURCE, ViewId::Graph, ViewId::Workgroup]);
        for before in [ViewId::Rewritten, ViewId::Overview, FINDINGS, ViewId::Registers, SOURCE] {
            for (of, views, main) in [(2, &compute[..], ViewId::Workgroup), (3, &graph[..], ViewId::Graph)] {
                follow(&mut tabs, ALL);
                tabs.show_view(before);
                tabs.show_program(of, Applicable::views(views.iter().copied()), None);
                assert_eq!((tabs.mode(), tabs.focus()), (Mode::Layout, Some(main)), "{before}");
                assert!(tabs.shows(main) && tabs.drawer().is_none() && !tabs.shows_findings(), "{before}");
            }
        }
    }

    #[test]
    fn a_moved_tab_is_not_in_front_of_the_answer_of_another_program() {
        let mut tabs = tabs(&ShownTabs::default());
        tabs.show_view(ViewId::Registers);
        assert!(tabs.move_tab(Move::NextGroup) && tabs.move_tab(Move::NextGroup));
        assert!(tabs.shows(ViewId::Registers) && !tabs.shows(ViewId::Packing), "{:?}", tabs.layout());
        tabs.show_program(2, Applicable::views(ALL), None);
        assert!(tabs.shows(ViewId::Packing) && !tabs.shows(ViewId::Registers));
    }

    #[test]
    fn a_program_returns_as_it_was_shown() {
        let mut tabs = tabs(&ShownTabs::default());
        for view in [ViewId::Statistics, FINDINGS, ViewId::Overview, SOURCE] {
            assert!(tabs.show_view(view));
        }
        let (of, shown) = tabs.shown_of().expect("a program is shown");
        tabs.show_program(2, Applicable::views(ALL), None);
        assert_eq!(tabs.mode(), Mode::Layout);
        tabs.show_program(of, Applicable::views(ALL), Some(&shown));
        assert_eq!(tabs.shown_of(), Some((of, shown)));
        assert!(tabs.shows(ViewId::Statistics) && tabs.focus() == Some(SOURCE));
        assert!(tabs.drawer() == Some(ViewId::Overview) && tabs.shows_findings());
    }

    #[test]
    fn registers_keep_eight_rows_in_a_low_window_and_leave_a_high_one_to_the_picture() {
        let mut tabs = tabs(&ShownTabs::default());
        let share = |tabs: &Tabs| match tabs.layout() {
            Layout::Row(children) => match &children[1].1 {
                Layout::Column(children) => children[1].0 / (children[0].0 + children[1].0),
                other => panic!("{other:?}"),
            },
            other => panic!("{other:?}"),
        };
        for (height, points) in [(760.0, 284.0), (1000.0, 284.0), (600.0, 242.0), (2160.0, 592.0)] {
            tabs.set_height(height);
            assert!((share(&tabs) * (height - AROUND) - points).abs() < 2.0, "{height}: {}", share(&tabs));
        }
        tabs.show_view(ViewId::Registers);
        assert!(tabs.resize(1.25));
        let own = share(&tabs);
        tabs.set_height(760.0);
        assert_eq!(share(&tabs), own, "an arrangement of the user's stays");
    }

    #[test]
    fn views_open_in_their_mode_in_the_drawer_or_in_their_panel() {
        let mut tabs = tabs(&ShownTabs::default());
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
        let mut tabs = tabs(&ShownTabs { inspect: Some(ViewId::Overview), findings: true, ..Default::default() });
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
        let mut moved = tabs(&ShownTabs { mode: Mode::Compiled, ..ShownTabs::default() });
        moved.show_view(ViewId::Statistics);
        assert!(moved.move_tab(Move::NextGroup));
        assert_eq!(groups(&moved), ["source statistics", "isa"]);
        assert!(moved.shows(ViewId::Statistics) && moved.focus() == Some(ViewId::Statistics));
        assert!(moved.move_tab(Move::Below));
        assert_eq!(groups(&moved), ["source", "statistics", "isa"]);
        assert!(!moved.move_tab(Move::Right), "it has a group for itself");
        let before = moved.layout().clone();
        assert!(moved.resize(1.25) && *moved.layout() != before);
        let mut again = all(moved.saved());
        let (of, shown) = moved.shown_of().expect("a program is shown");
        again.show_program(of, Applicable::views(ALL), Some(&shown));
        assert_eq!(again.layout(), moved.layout(), "the session keeps it");
        moved.reset();
        assert_eq!(groups(&moved), ["source", "isa statistics"]);
        moved.set_mode(Mode::Compare);
        follow(&mut moved, [ViewId::Compare]);
        assert!(!moved.move_tab(Move::Right) && !moved.move_tab(Move::NextGroup) && !moved.resize(2.0));
    }

    #[test]
    fn a_narrow_window_has_everything_in_one_group() {
        let mut tabs = tabs(&ShownTabs { inspect: Some(ViewId::Overview), ..ShownTabs::default() });
        tabs.fold(true);
        assert_eq!(groups(&tabs), ["packing registers layout overview findings source"]);
        assert_eq!(tabs.drawer(), None);
        assert!(tabs.show_view(ViewId::Overview) && tabs.shows(ViewId::Overview) && !tabs.shows(ViewId::Packing));
        assert!(tabs.saved().layouts.is_empty(), "it is not kept");
        tabs.fold(false);
        assert_eq!((tabs.drawer(), groups(&tabs).len()), (Some(ViewId::Overview), 3));
    }
}
