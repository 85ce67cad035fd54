//! The rows of a typed buffer by their numbers, without the rows before them: tables of a million rows are scrolled.

use lanescope_spirv::shape::{Leaf, Row, Shape, Step, elements, leaf_of, path};

/// Parts that are counted one by one: elements that only begin within the contents. Types whose parts overlap could
/// otherwise keep a caller busy; their rows beyond this are left out.
const COUNTED_AT_MOST: u32 = 1 << 16;

/// The rows of a buffer of some size, as [`Shape::rows`] lists them.
#[derive(Debug, Clone)]
pub struct Rows {
    root: Node,
    bytes: u64,
    count: u64,
}

/// A type and what is known of its rows.
#[derive(Debug, Clone)]
struct Node {
    shape: Shape,
    /// Its parts: members, or the element of an array.
    parts: Vec<Node>,
    /// Rows of the whole of it.
    rows: u64,
    /// The fewest bytes in which the whole of it is shown.
    need: u64,
}

impl Rows {
    /// The rows of contents of so many bytes.
    pub fn of(shape: &Shape, bytes: u64) -> Rows {
        let root = Node::of(shape);
        let mut left = COUNTED_AT_MOST;
        let count = root.count(0, bytes, &mut left);
        Rows { root, bytes, count }
    }

    /// How many there are.
    pub fn len(&self) -> u64 {
        self.count
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Where the scalars of a row are, and the row's path.
    pub fn leaf(&self, number: u64) -> Option<(String, Leaf)> {
        let mut steps = Vec::new();
        let mut left = COUNTED_AT_MOST;
        let leaf = self.root.find(0, self.bytes, number, &mut steps, &mut left)?;
        Some((path(&steps), leaf))
    }

    /// A row of these contents.
    pub fn row(&self, contents: &[u8], number: u64) -> Option<Row> {
        let (path, leaf) = self.leaf(number)?;
        Some(Row { path, offset: leaf.offset, values: leaf.values(contents) })
    }
}

impl Node {
    fn of(shape: &Shape) -> Node {
        let parts: Vec<Node> = match shape {
            Shape::Array { element, .. } => vec![Node::of(element)],
            Shape::Struct { members } => members.iter().map(|member| Node::of(&member.shape)).collect(),
            _ => Vec::new(),
        };
        let (rows, need) = match (shape, parts.first()) {
            (Shape::Array { count: Some(count), stride, .. }, Some(part)) => {
                // A stride of 0 puts all elements in one place: one is shown.
                let (count, stride) =
                    (u64::from(if *stride == 0 { (*count).min(1) } else { *count }), u64::from(*stride));
                let last = count.saturating_sub(1).saturating_mul(stride).saturating_add(part.need);
                (count.saturating_mul(part.rows), last.max(count.saturating_mul(stride)))
            }
            // As long as there is room: never whole.
            (Shape::Array { .. }, _) => (u64::MAX, u64::MAX),
            (Shape::Struct { members }, _) => {
                members.iter().zip(&parts).fold((0, 1), |(rows, need): (u64, u64), (m, part)| {
                    (rows.saturating_add(part.rows), need.max(u64::from(m.offset).saturating_add(part.need)))
                })
            }
            (Shape::Words { count }, _) => (u64::from(*count), 1),
            (Shape::Matrix { columns, .. }, _) => (u64::from(*columns), 1),
            (Shape::Scalar(_) | Shape::Vector { .. }, _) => (1, 1),
        };
        Node { shape: shape.clone(), parts, rows, need }
    }

    fn count(&self, at: u64, end: u64, left: &mut u32) -> u64 {
        let room = end.saturating_sub(at);
        if room == 0 {
            return 0;
        }
        if room >= self.need {
            return self.rows;
        }
        match (&self.shape, self.parts.first()) {
            (Shape::Array { stride, .. }, Some(part)) => {
                let (whole, all) = self.elements(part, *stride, at, end);
                let mut count = whole.saturating_mul(part.rows);
                for index in whole..all {
                    if *left == 0 {
                        break;
                    }
                    *left -= 1;
                    count = count.saturating_add(part.count(place(at, index, *stride), end, left));
                }
                count
            }
            (Shape::Struct { members }, _) => {
                let count = |(m, part): (&lanescope_spirv::shape::Field, &Node)| {
                    part.count(at.saturating_add(m.offset.into()), end, left)
                };
                members.iter().zip(&self.parts).map(count).fold(0, u64::saturating_add)
            }
            _ => self.rows,
        }
    }

    /// How many elements of an array are shown as a whole, from the first on, and how many at all.
    fn elements(&self, part: &Node, stride: u32, at: u64, end: u64) -> (u64, u64) {
        let all = elements(&self.shape, at, end);
        let whole = end
            .saturating_sub(at)
            .checked_sub(part.need)
            .map_or(0, |rest| rest.checked_div(stride.into()).map_or(all, |more| all.min(more.saturating_add(1))));
        (whole, all)
    }

    fn find<'n>(&'n self, at: u64, end: u64, number: u64, steps: &mut Vec<Step<'n>>, left: &mut u32) -> Option<Leaf> {
        if at >= end {
            return None;
        }
        match (&self.shape, self.parts.first()) {
            (Shape::Array { stride, .. }, Some(part)) => {
                let (whole, all) = self.elements(part, *stride, at, end);
                let in_whole = whole.saturating_mul(part.rows);
                let (mut index, mut number) = match number.checked_sub(in_whole) {
                    None => (number / part.rows.max(1), number % part.rows.max(1)),
                    Some(rest) => (whole, rest),
                };
                loop {
                    if index >= all || *left == 0 {
                        return None;
                    }
                    *left -= 1;
                    let at = place(at, index, *stride);
                    let here = part.count(at, end, left);
                    if number < here {
                        steps.push(Step::Index(index));
                        return part.find(at, end, number, steps, left);
                    }
                    (number, index) = (number - here, index + 1);
                }
            }
            (Shape::Struct { members }, _) => {
                let mut number = number;
                for (member, part) in members.iter().zip(&self.parts) {
                    let at = at.saturating_add(member.offset.into());
                    let here = part.count(at, end, left);
                    if number < here {
                        steps.push(Step::Member(&member.name));
                        return part.find(at, end, number, steps, left);
                    }
                    number -= here;
                }
                None
            }
            (shape, _) => {
                if matches!(shape, Shape::Matrix { .. } | Shape::Words { .. }) {
                    steps.push(Step::Index(number));
                }
                leaf_of(shape, at, number)
            }
        }
    }
}

fn place(at: u64, index: u64, stride: u32) -> u64 {
    at.saturating_add(index.saturating_mul(stride.into()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use lanescope_spirv::shape::{Field, Scalar};

    fn shapes() -> impl Strategy<Value = Shape> {
        let leaf = prop_oneof![
            Just(Shape::Scalar(Scalar::WORD)),
            (1u32..5).prop_map(|count| Shape::Vector { scalar: Scalar::WORD, count }),
            (0u32..4).prop_map(|count| Shape::Words { count }),
            (1u32..4, 1u32..4, 4u32..20, any::<bool>()).prop_map(|(columns, rows, stride, row_major)| {
                Shape::Matrix { scalar: Scalar::WORD, columns, rows, stride, row_major }
            }),
        ];
        leaf.prop_recursive(4, 24, 4, |inner| {
            prop_oneof![
                (inner.clone(), prop::option::of(0u32..6), 0u32..40)
                    .prop_map(|(element, count, stride)| Shape::Array { element: Box::new(element), count, stride }),
                prop::collection::vec((0u32..60, inner), 0..4).prop_map(|members| Shape::Struct {
                    members: (0..)
                        .zip(members)
                        .map(|(i, (offset, shape)): (u32, _)| Field { name: format!("m{i}"), offset, shape })
                        .collect(),
                }),
            ]
        })
    }

    proptest! {
        #[test]
        fn rows_by_number_are_the_rows_of_the_list(shape in shapes(), bytes in 0usize..300) {
            let contents: Vec<u8> = (0..bytes).map(|byte| byte as u8).collect();
            let (list, all) = shape.rows(&contents, 20_000);
            // Types that overlap without end are counted up to a limit.
            prop_assume!(all < 20_000);
            let rows = Rows::of(&shape, bytes as u64);
            prop_assert_eq!(rows.len(), all);
            for (number, row) in (0..).zip(&list) {
                prop_assert_eq!(rows.row(&contents, number), Some(row.clone()));
            }
            prop_assert_eq!(rows.leaf(all), None);
        }
    }

    #[test]
    fn types_that_overlap_end() {
        let mut shape = Shape::Struct {
            members: vec![Field { name: "far".to_owned(), offset: u32::MAX, shape: Shape::Scalar(Scalar::WORD) }],
        };
        for _ in 0..12 {
            shape = Shape::Array { element: Box::new(shape), count: None, stride: 1 };
        }
        let rows = Rows::of(&shape, 64 << 20);
        assert_eq!((rows.len(), rows.leaf(0)), (0, None));
    }
}
