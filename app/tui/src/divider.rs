//! Lines between panes, which the mouse drags.

use lanescope_inspector::layout::Layout;
use ratatui::layout::{Position, Rect};

/// The least share of a pane among the two that a line is between.
const LEAST: f32 = 0.1;

/// A line between two panes.
#[derive(Debug, Clone, PartialEq)]
pub struct Divider {
    /// Where it is drawn.
    pub area: Rect,
    /// Both panes.
    pub both: Rect,
    /// Which children lead to their group.
    pub path: Vec<usize>,
    /// The first of both.
    pub at: usize,
}

/// A line that is dragged, and the arrangement at the beginning.
#[derive(Debug, Clone, PartialEq)]
pub struct Dragged {
    divider: Divider,
    layout: Layout,
}

impl Divider {
    /// Begins to drag it.
    pub fn begin(&self, layout: &Layout) -> Dragged {
        Dragged { divider: self.clone(), layout: layout.clone() }
    }
}

impl Dragged {
    /// The arrangement with the line at another place.
    pub fn to(&self, at: Position) -> Option<Layout> {
        let Divider { both, path, at: first, .. } = &self.divider;
        let mut layout = self.layout.clone();
        let mut group = &mut layout;
        for child in path {
            group = match group {
                Layout::Row(children) | Layout::Column(children) => &mut children.get_mut(*child)?.1,
                Layout::View(_) | Layout::Tabs { .. } => return None,
            };
        }
        let part = |at: u16, from: u16, length: u16| f32::from(at.saturating_sub(from)) / f32::from(length.max(1));
        let (share, children) = match group {
            Layout::Row(children) => (part(at.x, both.x, both.width), children),
            Layout::Column(children) => (part(at.y, both.y, both.height), children),
            Layout::View(_) | Layout::Tabs { .. } => return None,
        };
        let share = share.clamp(LEAST, 1.0 - LEAST);
        let sum = children.get(*first)?.0 + children.get(first + 1)?.0;
        children.get_mut(*first)?.0 = sum * share;
        children.get_mut(first + 1)?.0 = sum * (1.0 - share);
        Some(layout)
    }
}

#[cfg(test)]
mod tests {
    use lanescope_inspector::view::ViewId;

    use super::*;

    #[test]
    fn shares_follow_the_line() {
        let [a, b, c] = [ViewId::Source, ViewId::Isa, ViewId::Statistics].map(Layout::View);
        let inner = Layout::Column(vec![(1.0, b), (1.0, c)]);
        let layout = Layout::Row(vec![(2.0, a), (2.0, inner)]);
        let outer = Divider { area: Rect::new(50, 0, 1, 40), both: Rect::new(0, 0, 100, 40), path: Vec::new(), at: 0 };
        let Some(Layout::Row(children)) = outer.begin(&layout).to(Position::new(25, 3)) else { panic!("a row") };
        assert_eq!([children[0].0, children[1].0], [1.0, 3.0]);
        let Some(Layout::Row(children)) = outer.begin(&layout).to(Position::new(0, 3)) else { panic!("a row") };
        assert!(children[0].0 > 0.0, "no pane vanishes");
        let below = Divider { both: Rect::new(51, 0, 49, 40), path: vec![1], ..outer.clone() };
        let Some(Layout::Row(children)) = below.begin(&layout).to(Position::new(60, 30)) else { panic!("a row") };
        let Layout::Column(inner) = &children[1].1 else { panic!("a column") };
        assert_eq!([inner[0].0, inner[1].0], [1.5, 0.5]);
        let gone = Divider { path: vec![0], ..outer };
        assert_eq!(gone.begin(&layout).to(Position::new(1, 1)), None);
    }
}
