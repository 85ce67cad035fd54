//! Which operands of two operations that are alike are the same.

use super::super::nir::Node;
use super::super::same::COMMUTATIVE;
use super::super::values::follow;
use super::search::Search;
use super::shape::are_alike;
use super::values::same;

impl Search<'_, '_, '_, '_> {
    /// The operands of two operations that are alike, in the order in which they are the same.
    pub fn operands(&self, left: Node, right: Node) -> Option<Vec<(Node, Node)>> {
        are_alike((self.linked.nir, left.0), (self.alone.nir, right.0)).then_some(())?;
        let (here, mut there) = (self.linked.operands(left), self.alone.operands(right));
        (here.len() == there.len()).then_some(())?;
        let name = self.linked.statement(left)?.name();
        match (here.as_slice(), there.as_slice()) {
            ([a, b, ..], [c, d, ..]) if COMMUTATIVE.contains(&name) => {
                let is_exchanged = self.is_exchanged([*a, *b], [*c, *d])?;
                if is_exchanged {
                    there.swap(0, 1);
                }
            }
            // A condition may have been turned round.
            ([_, a, b], [_, c, d]) if name == "bcsel" => self.is_in_order([*a, *b], [*c, *d])?,
            ([a, b, ..], [c, d, ..]) if name == "phi" => self.is_in_order([*a, *b], [*c, *d])?,
            _ => {}
        }
        Some(here.into_iter().zip(there).collect())
    }

    /// None where operands that may not be exchanged seem to be.
    fn is_in_order(&self, here: [Node; 2], there: [Node; 2]) -> Option<()> {
        (self.is_exchanged(here, there) != Some(true)).then_some(())
    }

    /// Whether operands that may be exchanged are; none where that is not known.
    fn is_exchanged(&self, here: [Node; 2], there: [Node; 2]) -> Option<bool> {
        let [a, b] = here.map(|node| follow(self.linked.nir, node));
        let [c, d] = there.map(|node| follow(self.alone.nir, node));
        let (a, b, c, d) = (a?, b?, c?, d?);
        if a == b || c == d {
            return Some(false);
        }
        let same = |left, right| self.same(left, right);
        let straight = [same(a, c), same(b, d)];
        let crossed = [same(a, d), same(b, c)];
        let count = |all: [bool; 2]| all.into_iter().filter(|one| *one).count();
        match count(straight).cmp(&count(crossed)) {
            std::cmp::Ordering::Greater => Some(false),
            std::cmp::Ordering::Less => Some(true),
            // Equal values: how they are passed may tell.
            std::cmp::Ordering::Equal if count(straight) > 0 => {
                let kin = |left, right| u8::from(self.are_kin(left, right));
                let (straight, crossed) = (kin(a, c) + kin(b, d), kin(a, d) + kin(b, c));
                (straight != crossed).then_some(straight < crossed)
            }
            std::cmp::Ordering::Equal => None,
        }
    }

    /// Whether values of both forms are the same, as far as is seen.
    pub fn same(&self, left: Node, right: Node) -> bool {
        let width = self.linked.width(left);
        let values = self.linked.values.get(left).zip(self.alone.values.get(right));
        width == self.alone.width(right) && values.is_some_and(|(left, right)| same(left, right, width))
    }

    /// Whether two values that are equal are passed alike, or made alike.
    pub fn are_kin(&self, left: Node, right: Node) -> bool {
        match (self.linked.loads.get(&left), self.alone.loads.get(&right)) {
            (Some(one), Some(other)) => match (&one.name, &other.name) {
                (Some(one), Some(other)) => one == other,
                _ => one.how == other.how && self.are_interpolated_alike(left, right),
            },
            (None, None) => {
                let one = self.linked.statement(left).map(|statement| statement.op);
                one == self.alone.statement(right).map(|statement| statement.op)
            }
            _ => false,
        }
    }

    /// Whether two loads interpolate between vertices in the same way.
    fn are_interpolated_alike(&self, left: Node, right: Node) -> bool {
        let (here, there) = (self.linked.operands(left), self.alone.operands(right));
        here.len() == there.len() && here.into_iter().zip(there).all(|(one, other)| self.same(one, other))
    }
}
