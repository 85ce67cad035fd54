//! All tabs, in the order of a new window.

use crate::code_object::CodeObjectView;
use crate::compare::CompareView;
use crate::context::{PerProgram, View};
use crate::debug::DebugView;
use crate::dxil::DxilView;
use crate::findings::FindingsView;
use crate::graph::GraphView;
use crate::guessed_layout::GuessedLayoutView;
use crate::isa::IsaView;
use crate::packing::PackingView;
use crate::registers::RegistersView;
use crate::rewritten::RewrittenView;
use crate::run::RunView;
use crate::source::SourceView;
use crate::stages::StagesView;
use crate::statistics::StatisticsView;
use crate::workgroup::WorkgroupView;

/// One of each view.
pub fn builtin_views() -> Vec<Box<dyn View>> {
    vec![
        Box::<PackingView>::default(),
        Box::<WorkgroupView>::default(),
        Box::<PerProgram<RegistersView>>::default(),
        Box::<GuessedLayoutView>::default(),
        Box::<RewrittenView>::default(),
        Box::<RunView>::default(),
        Box::<DebugView>::default(),
        Box::<IsaView>::default(),
        Box::<PerProgram<StatisticsView>>::default(),
        Box::<CompareView>::default(),
        Box::<GraphView>::default(),
        Box::<DxilView>::default(),
        Box::<CodeObjectView>::default(),
        Box::<SourceView>::default(),
        Box::<StagesView>::default(),
        Box::<PerProgram<FindingsView>>::default(),
    ]
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_view_is_in_the_list_of_the_inspector() {
        let views: Vec<_> = builtin_views().iter().map(|view| view.info().id).collect();
        let listed: Vec<_> = lanescope_inspector::view::BUILTIN.iter().map(|info| info.id).collect();
        assert_eq!(views, listed);
    }

    #[test]
    fn view_names_and_titles_are_unique() {
        let views = builtin_views();
        let names: BTreeSet<_> = views.iter().map(|view| view.info().id).collect();
        let titles: BTreeSet<_> = views.iter().map(|view| view.info().title).collect();
        assert_eq!((names.len(), titles.len()), (views.len(), views.len()));
        assert!(views.iter().all(|view| !view.info().about.is_empty()));
    }
}
