//! The four modes of the inspector, and where each view is shown.
//!
//! A mode answers one question about a program with a few views. What only some programs need is in the drawer
//! *Details*, and findings have a panel of their own. Views that have nothing to show for a program are not shown.

use crate::debugging::can_debug;
use lanescope_core::report::Report;
use serde::{Deserialize, Serialize};

use crate::view::ViewId;

/// The view of the source texts: in every mode but [`Mode::Compare`].
pub const SOURCE: ViewId = ViewId::Source;
/// The view of the findings: the panel at the bottom.
pub const FINDINGS: ViewId = ViewId::Findings;
/// The views of the drawer *Details*.
pub const INSPECT: [ViewId; 3] = [ViewId::GuessedLayout, ViewId::Overview, ViewId::Dxil];

/// One of four questions about a program.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// How inputs pack, which lane runs which invocation, which node feeds which; with the register values.
    #[default]
    Layout,
    /// What a driver compiles the program to.
    Compiled,
    /// What the program writes on a device, and how that device lays it out.
    Run,
    /// How it differs from another setting, program, chip or driver.
    Compare,
}

impl Mode {
    /// Every mode, in the order of the switch.
    pub const ALL: [Mode; 4] = [Mode::Layout, Mode::Compiled, Mode::Run, Mode::Compare];

    /// Its label.
    pub fn title(self) -> &'static str {
        match self {
            Mode::Layout => "Layout",
            Mode::Compiled => "Compiled",
            Mode::Run => "Run",
            Mode::Compare => "Compare",
        }
    }

    /// Its name in the session.
    pub fn name(self) -> &'static str {
        match self {
            Mode::Layout => "layout",
            Mode::Compiled => "compiled",
            Mode::Run => "run",
            Mode::Compare => "compare",
        }
    }

    /// One line of help.
    pub fn about(self) -> &'static str {
        match self {
            Mode::Layout => "Attribute slots, lane map or graph, with the register values",
            Mode::Compiled => "Assembly, statistics, and the driver's own layout and registers",
            Mode::Run => "Results on a device, the measured lane map, or the work graph step by step",
            Mode::Compare => "Another setting, program, chip or driver; original and rewritten modules",
        }
    }

    /// The views that it can show, the main one first after the source.
    pub fn views(self) -> &'static [ViewId] {
        match self {
            Mode::Layout => {
                &[SOURCE, ViewId::Packing, ViewId::Graph, ViewId::Workgroup, ViewId::CodeObject, ViewId::Registers]
            }
            Mode::Compiled => &[SOURCE, ViewId::Isa, ViewId::Statistics],
            Mode::Run => &[SOURCE, ViewId::Run, ViewId::Debug, ViewId::Graph, ViewId::Workgroup],
            Mode::Compare => &[ViewId::Compare, ViewId::Rewritten],
        }
    }
}

/// Which views have something to show for a program.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Applicable(Vec<ViewId>);

impl Applicable {
    /// Those of a report; `frozen` where it was read from a file, without a program to compile or run.
    pub fn of(report: &Report, frozen: bool) -> Applicable {
        let has_graph = report.graph.is_some();
        let has_drivers = !frozen || !report.driver.is_empty() || !report.driver_failures.is_empty();
        let views = [
            (SOURCE, true),
            (ViewId::Packing, report.packing.is_some() || !report.inner_packing.is_empty()),
            (ViewId::Workgroup, !report.workgroup.is_empty() || report.group_map.is_some()),
            (ViewId::Graph, has_graph),
            (ViewId::Registers, !report.registers.is_empty()),
            (ViewId::Isa, has_drivers),
            (ViewId::Statistics, has_drivers),
            (ViewId::Run, !frozen && !has_graph),
            (ViewId::Debug, !frozen && !has_graph && can_debug(report)),
            (ViewId::Compare, true),
            (ViewId::Rewritten, !frozen),
            (ViewId::GuessedLayout, !report.partial.is_empty()),
            (ViewId::Overview, true),
            (ViewId::Dxil, report.dxil.is_some()),
            (FINDINGS, true),
        ];
        Applicable(views.into_iter().filter(|(_, applies)| *applies).map(|(view, _)| view).collect())
    }

    /// Those of an AMD code object.
    pub fn of_object() -> Applicable {
        Applicable::views([SOURCE, ViewId::CodeObject, ViewId::Compare, FINDINGS])
    }

    /// With the debugger, where it debugs a launch of a work graph.
    #[must_use]
    pub fn with_launch(mut self, launch: bool) -> Applicable {
        if launch && !self.has(ViewId::Debug) {
            self.0.push(ViewId::Debug);
        }
        self
    }

    /// These views.
    pub fn views(views: impl IntoIterator<Item = ViewId>) -> Applicable {
        Applicable(views.into_iter().collect())
    }

    /// Whether a view has something to show.
    pub fn has(&self, view: ViewId) -> bool {
        self.0.contains(&view)
    }

    /// The views of a mode that have something to show.
    pub fn of_mode(&self, mode: Mode) -> Vec<ViewId> {
        mode.views().iter().copied().filter(|view| self.has(*view)).collect()
    }

    /// The view that a program of this kind begins with in a mode.
    pub fn main(&self, mode: Mode) -> Option<ViewId> {
        mode.views().iter().copied().find(|view| *view != SOURCE && self.has(*view))
    }

    /// The views of the drawer that have something to show.
    pub fn of_drawer(&self) -> Vec<ViewId> {
        INSPECT.into_iter().filter(|view| self.has(*view)).collect()
    }

    /// The modes that show more than the source.
    pub fn modes(&self) -> Vec<Mode> {
        let answers = |mode: &Mode| self.of_mode(*mode).iter().any(|view| *view != SOURCE);
        Mode::ALL.into_iter().filter(answers).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modes_without_an_answer_do_not_apply() {
        let all = Mode::ALL.iter().flat_map(|mode| mode.views().iter().copied());
        assert_eq!(Applicable::views(all).modes(), Mode::ALL);
        let frozen = Applicable::views([SOURCE, ViewId::Packing, ViewId::Compare]);
        assert_eq!(frozen.modes(), [Mode::Layout, Mode::Compare]);
        assert_eq!(frozen.of_mode(Mode::Layout), [SOURCE, ViewId::Packing]);
        assert_eq!(Applicable::default().modes(), []);
    }

    #[test]
    fn every_view_is_in_one_place_of_a_mode() {
        for mode in Mode::ALL {
            for view in mode.views() {
                assert!(*view != FINDINGS && !INSPECT.contains(view), "{view:?}");
                assert_eq!(mode.views().iter().filter(|other| *other == view).count(), 1, "{view:?}");
            }
        }
    }
}
