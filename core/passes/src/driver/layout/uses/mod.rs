//! What the channels of a linked pair are for, by use: both forms of the fragment shader, linked and alone, are followed
//! from what they write down to what they load.
//!
//! Both forms come from one module, so what they write is the same. From there on, operations that are alike have
//! operands that are alike, until the linked form loads a channel. What the form alone computes in that place is what the
//! channel carries: a scalar as it is, or arithmetic that the driver moved before the rasteriser, of all scalars that it
//! reads. Where the order of operands, or the operations, are not alike, values decide: those that both forms have for
//! random inputs ([`values`]). Values alone prove nothing: two scalars may have the same one.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

mod operations;
mod roots;
#[cfg(test)]
mod tests;
mod values;

use super::nir::{Nir, Node, Statement};
use super::reads::{Load, loads};
use super::same::{COMMUTATIVE, Same, family};
use super::values::{Carries, Written, follow};
use roots::roots;
use values::{Inputs, Lanes, Values, is_one, number, same, unlike};

/// A channel that a fragment shader loads: attribute, channel, high half.
pub(super) type At = (u32, u8, bool);
/// A scalar as it is named when compiled alone: location, channel, high half.
pub(super) type Scalar = (u32, u8, bool);

/// The most pairs of values that are looked at.
const MAX_PAIRS: usize = 1 << 14;
/// The most values below one that are looked at.
const MAX_BELOW: usize = 1 << 12;
/// How often what was found helps to find more.
const ROUNDS: usize = 3;

/// A fragment shader, and what the stage before it writes, where that is one that is looked into. Without it no values are
/// known.
#[derive(Clone, Copy)]
pub(super) struct Pair<'a, 't> {
    pub fragment: &'a Nir<'t>,
    pub before: Option<&'a Written<'t>>,
}

/// Why a scalar needs no channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Folded {
    /// The stage before writes a constant.
    Constant,
    /// The fragment shader computes itself what is the same for all vertices.
    Uniform,
}

/// What is found.
#[derive(Debug, Default)]
pub(super) struct Uses {
    /// The scalars that a channel carries as they are.
    pub carries: BTreeMap<At, BTreeSet<Scalar>>,
    /// The scalars that a channel's value is computed from.
    pub made_of: BTreeMap<At, BTreeSet<Scalar>>,
    /// The scalars that no channel is needed for.
    pub folded: BTreeMap<Scalar, Folded>,
}

/// What a pair's channels are for; none of forms that are not understood.
pub(super) fn uses(linked: Pair<'_, '_>, alone: Pair<'_, '_>) -> Option<Uses> {
    let mut before = linked.before.zip(alone.before).map(|(linked, alone)| {
        let mut same = Same::new(&linked.nir, &alone.nir);
        same.learn(linked.position.iter().copied().zip(alone.position.iter().copied()));
        same
    });
    let mut fragment = Same::new(linked.fragment, alone.fragment);
    let mut out = None;
    for _ in 0..ROUNDS {
        let sides = [Side::linked(linked, before.as_ref(), &fragment)?, Side::alone(alone)?];
        let mut search = Search::new(&sides);
        search.all();
        if let Some(before) = &mut before {
            before.learn(search.moved.iter().copied());
        }
        fragment.learn(search.plain.iter().copied());
        out = Some(search.uses);
    }
    out
}

/// One pair's fragment shader, and the values of both of its forms.
struct Side<'a, 't> {
    nir: &'a Nir<'t>,
    loads: BTreeMap<Node, Load>,
    /// Statements that depend on a varying.
    depends: Vec<bool>,
    /// Values of the fragment shader.
    values: Values,
    /// The value that the stage before writes to what is loaded, where it is one that is made.
    written: HashMap<Node, Node>,
    /// It is the same for all vertices.
    uniform: HashSet<Node>,
}

/// Numbers of arguments as hashes.
struct Before<F> {
    numbered: F,
}

impl<F: Fn(&'static str, &'static str, &str) -> u64> Inputs for Before<F> {
    fn known(&self, _: Node) -> Option<Lanes> {
        None
    }

    fn numbered(&self, op: &'static str, index: &'static str, number: &str) -> u64 {
        (self.numbered)(op, index, number)
    }
}

/// As above, with the values of what is loaded.
struct Fragment<F> {
    known: HashMap<Node, Lanes>,
    numbered: F,
}

impl<F: Fn(&'static str, &'static str, &str) -> u64> Inputs for Fragment<F> {
    fn known(&self, node: Node) -> Option<Lanes> {
        self.known.get(&node).copied()
    }

    fn numbered(&self, op: &'static str, index: &'static str, number: &str) -> u64 {
        (self.numbered)(op, index, number)
    }
}

fn hash(of: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish()
}

/// What an argument is, for all shaders of a stage that have it.
fn argument(stage: &str, op: &'static str, index: &'static str, number: Option<i64>) -> u64 {
    hash((stage, family((op, index, "")), number))
}

impl<'a, 't> Side<'a, 't> {
    fn alone(pair: Pair<'a, 't>) -> Option<Side<'a, 't>> {
        let number = |stage| move |op, index, number: &str| argument(stage, op, index, number.parse().ok());
        Side::of("alone", pair, number("before"), number("fragment"))
    }

    fn linked(pair: Pair<'a, 't>, before: Option<&Same<'_, '_>>, fragment: &Same<'_, '_>) -> Option<Side<'a, 't>> {
        let of_before =
            |op, index, number: &str| match before.and_then(|before| before.counterpart((op, index, number))) {
                Some(right) => argument("before", op, index, Some(right)),
                None => argument("linked", op, index, number.parse().ok()),
            };
        let of_fragment = |op, index, number: &str| {
            let right = fragment.counterpart((op, index, number));
            argument("fragment", op, index, right.or_else(|| number.parse().ok()))
        };
        Side::of("linked", pair, of_before, of_fragment)
    }

    fn of(
        name: &str,
        pair: Pair<'a, 't>,
        of_before: impl Fn(&'static str, &'static str, &str) -> u64,
        of_fragment: impl Fn(&'static str, &'static str, &str) -> u64,
    ) -> Option<Side<'a, 't>> {
        let (all, is_partial) = loads(pair.fragment);
        (!is_partial).then_some(())?;
        let before = match pair.before {
            Some(written) => Some((written, Values::of(&written.nir, &Before { numbered: of_before })?)),
            None => None,
        };
        let mut known = HashMap::new();
        let mut written = HashMap::new();
        let mut uniform = HashSet::new();
        for (node, load) in &all {
            known.insert(*node, unlike(hash((name, node)), load.bits));
            let (Some(location), Some((before, values))) = (load.location, &before) else { continue };
            let carries = match load.bits {
                16 => before.half(location, load.channel, load.high),
                _ => before.get(location, load.channel),
            };
            let lanes = match carries {
                Some(Carries::Constant(text)) => number(text).map(|number| [number; values::LANES]),
                Some(Carries::Computed(made)) => {
                    written.insert(*node, made);
                    if before.nir.statements.get(made.0).and_then(|s| s.dest).is_some_and(|dest| dest.uniform) {
                        uniform.insert(*node);
                    }
                    values.get(made).copied()
                }
                None => None,
            };
            known.extend(lanes.map(|lanes| (*node, lanes)));
        }
        let values = Values::of(pair.fragment, &Fragment { known, numbered: of_fragment })?;
        let loads: BTreeMap<Node, Load> = all.into_iter().filter(|(_, load)| load.location.is_some()).collect();
        let depends = depends(pair.fragment, &loads);
        Some(Side { nir: pair.fragment, loads, depends, values, written, uniform })
    }

    fn statement(&self, node: Node) -> Option<&Statement<'t>> {
        self.nir.statements.get(node.0)
    }

    fn width(&self, node: Node) -> u8 {
        self.statement(node).and_then(|statement| statement.dest).map_or(32, |dest| dest.bits)
    }

    fn depends(&self, node: Node) -> bool {
        self.depends.get(node.0) == Some(&true)
    }

    /// What a component is made of: one component of each operand, or all.
    fn operands(&self, node: Node) -> Vec<Node> {
        self.statement(node).map_or_else(Vec::new, |statement| operands(self.nir, statement, node.1))
    }

    /// The varyings that a value is made of.
    fn below(&self, node: Node) -> BTreeSet<Node> {
        let mut out = BTreeSet::new();
        let mut seen = HashSet::new();
        let mut open = vec![node];
        while let Some(node) = open.pop().filter(|_| seen.len() < MAX_BELOW) {
            let Some(node) = follow(self.nir, node).filter(|node| seen.insert(*node)) else { continue };
            if self.loads.contains_key(&node) {
                out.insert(node);
            } else if self.depends(node) {
                open.extend(self.operands(node));
            }
        }
        out
    }

    fn is_constant(&self, node: Node) -> bool {
        self.values.get(node).is_some_and(is_one)
    }
}

fn operands(nir: &Nir<'_>, statement: &Statement<'_>, component: u8) -> Vec<Node> {
    let all: Vec<Vec<Node>> = statement.operands.iter().map(|o| nir.nodes(o).unwrap_or_default()).collect();
    let components = statement.dest.map_or(1, |dest| usize::from(dest.components));
    match !statement.is_intrinsic && all.iter().all(|nodes| nodes.len() == components) {
        true => all.iter().filter_map(|nodes| nodes.get(usize::from(component)).copied()).collect(),
        false => all.into_iter().flatten().collect(),
    }
}

/// Which statements depend on a load.
fn depends(nir: &Nir<'_>, loads: &BTreeMap<Node, Load>) -> Vec<bool> {
    let mut out = vec![false; nir.statements.len()];
    for (index, _) in loads.keys() {
        if let Some(one) = out.get_mut(*index) {
            *one = true;
        }
    }
    // What a loop carries is known after a second time.
    for _ in 0..2 {
        for (index, statement) in nir.statements.iter().enumerate() {
            let mut made = statement.operands.iter().filter_map(|operand| nir.made(operand.name));
            if made.any(|(index, _)| out.get(index) == Some(&true))
                && let Some(one) = out.get_mut(index)
            {
                *one = true;
            }
        }
    }
    out
}

/// The walk through both forms.
struct Search<'s, 'a, 't> {
    linked: &'s Side<'a, 't>,
    alone: &'s Side<'a, 't>,
    seen: HashSet<(Node, Node)>,
    open: Vec<(Node, Node)>,
    uses: Uses,
    /// Values that the stage before writes, to a channel and to the scalar that it carries.
    moved: Vec<(Node, Node)>,
    /// Values of the fragment shader that no varying has part in.
    plain: Vec<(Node, Node)>,
}

impl<'s, 'a, 't> Search<'s, 'a, 't> {
    fn new([linked, alone]: &'s [Side<'a, 't>; 2]) -> Self {
        Search {
            linked,
            alone,
            seen: HashSet::new(),
            open: roots(linked.nir, alone.nir),
            uses: Uses::default(),
            moved: Vec::new(),
            plain: Vec::new(),
        }
    }

    fn all(&mut self) {
        while let Some((left, right)) = self.open.pop() {
            // An undefined value may be anything.
            let (Some(left), Some(right)) = (follow(self.linked.nir, left), follow(self.alone.nir, right)) else {
                continue;
            };
            if self.seen.len() < MAX_PAIRS && self.seen.insert((left, right)) {
                self.pair(left, right);
            }
        }
    }

    /// Looks at two values that are the same.
    fn pair(&mut self, left: Node, right: Node) {
        if self.linked.loads.contains_key(&left) {
            return self.carried(left, right);
        }
        if !self.alone.depends(right) {
            if !self.linked.depends(left) {
                self.plain.push((left, right));
            }
            return;
        }
        if self.alone.loads.contains_key(&right) {
            return self.folded(left, right);
        }
        match self.operands(left, right) {
            Some(pairs) => self.open.extend(pairs),
            None => self.covered(left, right),
        }
    }

    /// The operands of two operations that are alike, in the order in which they are the same.
    fn operands(&self, left: Node, right: Node) -> Option<Vec<(Node, Node)>> {
        let (one, other) = (self.linked.statement(left)?, self.alone.statement(right)?);
        let (here, mut there) = (self.linked.operands(left), self.alone.operands(right));
        let alike = one.op.trim_end_matches('!') == other.op.trim_end_matches('!')
            && (one.literals == other.literals && here.len() == there.len())
            && one.operands.iter().zip(&other.operands).all(|(one, other)| one.plain == other.plain);
        alike.then_some(())?;
        if COMMUTATIVE.contains(&one.op.trim_end_matches('!'))
            && let ([a, b, ..], [c, d, ..]) = (here.as_slice(), there.as_slice())
            && self.is_exchanged([*a, *b], [*c, *d])?
        {
            there.swap(0, 1);
        }
        Some(here.into_iter().zip(there).collect())
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

    fn same(&self, left: Node, right: Node) -> bool {
        let width = self.linked.width(left);
        let values = self.linked.values.get(left).zip(self.alone.values.get(right));
        width == self.alone.width(right) && values.is_some_and(|(left, right)| same(left, right, width))
    }

    /// Whether two values that are equal are passed alike, or made alike.
    fn are_kin(&self, left: Node, right: Node) -> bool {
        match (self.linked.loads.get(&left), self.alone.loads.get(&right)) {
            (Some(one), Some(other)) => match (&one.name, &other.name) {
                (Some(one), Some(other)) => one == other,
                _ => one.how == other.how && self.are_interpolated_alike(left, right),
            },
            (None, None) => {
                let op = |side: &Side<'a, 't>, node| side.statement(node).map(|statement| statement.op.to_owned());
                op(self.linked, left) == op(self.alone, right)
            }
            _ => false,
        }
    }

    /// Whether two loads interpolate between vertices in the same way.
    fn are_interpolated_alike(&self, left: Node, right: Node) -> bool {
        let (here, there) = (self.linked.operands(left), self.alone.operands(right));
        here.len() == there.len() && here.into_iter().zip(there).all(|(one, other)| self.same(one, other))
    }

    /// A channel is loaded in place of a value.
    fn carried(&mut self, left: Node, right: Node) {
        let Some(at) = self.linked.loads.get(&left).map(|load| (load.attribute, load.channel, load.high)) else {
            return;
        };
        if let Some(scalar) = self.scalar(right) {
            self.uses.carries.entry(at).or_default().insert(scalar);
            let both = self.linked.written.get(&left).zip(self.alone.written.get(&right));
            self.moved.extend(both.map(|(one, other)| (*one, *other)));
            return;
        }
        let below = self.alone.below(right);
        let (constant, other): (Vec<Node>, Vec<Node>) = below.into_iter().partition(|n| self.alone.is_constant(*n));
        let constant: Vec<Scalar> = constant.into_iter().filter_map(|node| self.scalar(node)).collect();
        self.uses.folded.extend(constant.into_iter().map(|scalar| (scalar, Folded::Constant)));
        // Operations that change nothing: by one, or of two values that are the same.
        let equal: Vec<Node> = other.iter().copied().filter(|node| self.same(left, *node)).collect();
        let (all, to) = match equal.is_empty() {
            true => (other, &mut self.uses.made_of),
            false => (equal, &mut self.uses.carries),
        };
        let all = all.iter().filter_map(|node| self.alone.loads.get(node)).filter_map(scalar);
        to.entry(at).or_default().extend(all);
    }

    fn scalar(&self, node: Node) -> Option<Scalar> {
        scalar(self.alone.loads.get(&node)?)
    }

    /// A scalar is read alone where the linked form loads nothing.
    fn folded(&mut self, left: Node, right: Node) {
        let Some(scalar) = self.scalar(right).filter(|_| !self.linked.depends(left)) else { return };
        if self.alone.is_constant(right) {
            self.uses.folded.insert(scalar, Folded::Constant);
        } else if self.alone.uniform.contains(&right) {
            self.uses.folded.entry(scalar).or_insert(Folded::Uniform);
        }
    }

    /// The operations are not alike: each channel is looked for in what the form alone computes, from the top. What is
    /// found holds only where it has a place for every channel, and a channel for every scalar.
    fn covered(&mut self, left: Node, right: Node) {
        let channels = self.linked.below(left);
        if channels.is_empty() {
            for node in self.alone.below(right) {
                self.folded(left, node);
            }
            return;
        }
        if let Some(cover) = self.cover(&channels, right) {
            cover.into_iter().for_each(|(left, right)| self.carried(left, right));
        } else if let (Some(only), true) = (channels.first().filter(|_| channels.len() == 1), self.all_vary(right)) {
            self.carried(*only, right);
        }
    }

    /// Whether no varying that a value is made of is the same for all vertices: the linked form may have that by itself.
    fn all_vary(&self, right: Node) -> bool {
        let varies = |node: &Node| self.alone.written.contains_key(node) && !self.alone.uniform.contains(node);
        self.alone.below(right).iter().all(|node| varies(node) || self.alone.is_constant(*node))
    }

    fn cover(&self, channels: &BTreeSet<Node>, right: Node) -> Option<Vec<(Node, Node)>> {
        let mut out = Vec::new();
        let mut seen = HashSet::new();
        let mut open = vec![right];
        while let Some(node) = open.pop() {
            let Some(node) = follow(self.alone.nir, node).filter(|node| seen.insert(*node)) else { continue };
            if !self.alone.depends(node) {
                continue;
            }
            (seen.len() < MAX_BELOW).then_some(())?;
            let fits: Vec<Node> = channels.iter().copied().filter(|channel| self.same(*channel, node)).collect();
            let kin = || fits.iter().filter(|channel| self.are_kin(**channel, node));
            let channel = match fits.as_slice() {
                [] => None,
                [one] => Some(*one),
                _ => Some(*kin().next().filter(|_| kin().count() == 1)?),
            };
            match channel {
                Some(channel) => out.push((channel, node)),
                None if self.alone.loads.contains_key(&node) => self.alone.is_constant(node).then_some(())?,
                None => open.extend(self.alone.operands(node)),
            }
        }
        let used: BTreeSet<Node> = out.iter().map(|(channel, _)| *channel).collect();
        (used == *channels).then_some(out)
    }
}

fn scalar(load: &Load) -> Option<Scalar> {
    Some((load.location?, load.channel, load.high))
}
