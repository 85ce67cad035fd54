//! The four modes of the inspector, and where each view is shown.
//!
//! A mode answers one question about a program with a few views. What only some programs need is in the drawer
//! *Inspect*, and findings have a panel of their own. Views that have nothing to show for a program are not shown.

use crate::debugging::can_debug;
use lanescope_core::report::Report;
use serde::{Deserialize, Serialize};

/// The view of the source texts: in every mode but [`Mode::Compare`].
pub const SOURCE: &str = "source";
/// The view of the findings: the panel at the bottom.
pub const FINDINGS: &str = "findings";
/// The views of the drawer *Inspect*.
pub const INSPECT: [&str; 3] = ["layout", "overview", "dxil"];

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
    pub fn views(self) -> &'static [&'static str] {
        match self {
            Mode::Layout => &[SOURCE, "packing", "graph", "workgroup", "registers"],
            Mode::Compiled => &[SOURCE, "isa", "statistics"],
            Mode::Run => &[SOURCE, "run", "debug", "graph", "workgroup"],
            Mode::Compare => &["compare", "rewritten"],
        }
    }
}

/// Which views have something to show for a program.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Applicable(Vec<&'static str>);

impl Applicable {
    /// Those of a report; `frozen` where it was read from a file, without a program to compile or run.
    pub fn of(report: &Report, frozen: bool) -> Applicable {
        let has_graph = report.graph.is_some();
        let has_drivers = !frozen || !report.driver.is_empty() || !report.driver_failures.is_empty();
        let views = [
            (SOURCE, true),
            ("packing", report.packing.is_some() || !report.inner_packing.is_empty()),
            ("workgroup", !report.workgroup.is_empty() || report.group_map.is_some()),
            ("graph", has_graph),
            ("registers", !report.registers.is_empty()),
            ("isa", has_drivers),
            ("statistics", has_drivers),
            ("run", !frozen && !has_graph),
            ("debug", !frozen && !has_graph && can_debug(report)),
            ("compare", true),
            ("rewritten", !frozen),
            ("layout", !report.partial.is_empty()),
            ("overview", true),
            ("dxil", report.dxil.is_some()),
            (FINDINGS, true),
        ];
        Applicable(views.into_iter().filter(|(_, applies)| *applies).map(|(name, _)| name).collect())
    }

    /// With the debugger, where it debugs a launch of a work graph.
    #[must_use]
    pub fn with_launch(mut self, launch: bool) -> Applicable {
        if launch && !self.has("debug") {
            self.0.push("debug");
        }
        self
    }

    /// These views.
    pub fn views(views: impl IntoIterator<Item = &'static str>) -> Applicable {
        Applicable(views.into_iter().collect())
    }

    /// Whether a view has something to show.
    pub fn has(&self, view: &str) -> bool {
        self.0.contains(&view)
    }

    /// The views of a mode that have something to show.
    pub fn of_mode(&self, mode: Mode) -> Vec<&'static str> {
        mode.views().iter().copied().filter(|view| self.has(view)).collect()
    }

    /// The view that a program of this kind begins with in a mode.
    pub fn main(&self, mode: Mode) -> Option<&'static str> {
        mode.views().iter().copied().find(|view| *view != SOURCE && self.has(view))
    }

    /// The views of the drawer that have something to show.
    pub fn of_drawer(&self) -> Vec<&'static str> {
        INSPECT.into_iter().filter(|view| self.has(view)).collect()
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
        let frozen = Applicable::views([SOURCE, "packing", "compare"]);
        assert_eq!(frozen.modes(), [Mode::Layout, Mode::Compare]);
        assert_eq!(frozen.of_mode(Mode::Layout), [SOURCE, "packing"]);
        assert_eq!(Applicable::default().modes(), []);
    }

    #[test]
    fn every_view_is_in_one_place_of_a_mode() {
        for mode in Mode::ALL {
            for view in mode.views() {
                assert!(*view != FINDINGS && !INSPECT.contains(view), "{view}");
                assert_eq!(mode.views().iter().filter(|other| *other == view).count(), 1, "{view}");
            }
        }
    }
}
