//! The walk through both forms, from what they write down to what they load.

use std::cell::Cell;
use std::collections::{BTreeSet, HashMap, HashSet};

use super::super::nir::{Node, Statement};
use super::super::same::Same;
use super::super::values::follow;
use super::operations::is_known;
use super::roots::roots;
use super::shape::{is_by_component, operands};
use super::side::Side;
use super::{At, Folded, Uses};

/// The most values that one walk looks at. Its time is that of as many, whatever the forms are.
const MAX_STEPS: usize = 1 << 18;
/// The steps of trying to prove that two values are the same, and of a proof.
const TRIAL: usize = 1 << 3;
const PROOF: usize = 1 << 8;
/// The steps of what is learned of the fragment shader's own values.
const LESSON: usize = 1 << 4;

/// The walk.
pub(super) struct Search<'s, 'n, 'a, 't> {
    pub linked: &'s Side<'a, 't>,
    pub alone: &'s Side<'a, 't>,
    /// What the stages before compute alike.
    before: Option<&'s mut Same<'n, 't>>,
    /// What makes the values of the stage before, compiled together.
    made_together: HashSet<u64>,
    seen: HashSet<(Node, Node)>,
    open: Vec<(Node, Node)>,
    /// What is left of the steps.
    left: Cell<usize>,
    /// The channels that have the value of each component of the form alone, as far as they were looked for.
    pub fits: HashMap<Node, Vec<Node>>,
    /// What was proven of values that are written to a channel and to a scalar.
    proven: HashMap<(Node, Node), bool>,
    found: Found,
}

/// What a walk finds.
#[derive(Default)]
pub(super) struct Found {
    pub uses: Uses,
    /// Values that the stage before writes, to a channel and to the scalar that it carries.
    pub moved: Vec<(Node, Node)>,
    /// Values of the fragment shader that no varying has part in.
    pub plain: Vec<(Node, Node)>,
}

impl<'s, 'n, 'a, 't> Search<'s, 'n, 'a, 't> {
    pub fn new(linked: &'s Side<'a, 't>, alone: &'s Side<'a, 't>, before: Option<&'s mut Same<'n, 't>>) -> Self {
        Search {
            linked,
            alone,
            before,
            made_together: linked.before.iter().flat_map(|(_, values)| values.digests()).collect(),
            seen: HashSet::new(),
            open: roots(linked.nir, alone.nir),
            left: Cell::new(MAX_STEPS),
            fits: HashMap::new(),
            proven: HashMap::new(),
            found: Found::default(),
        }
    }

    /// Takes steps; none where too few are left.
    pub fn step(&self, steps: usize) -> Option<()> {
        let left = self.left.get().checked_sub(steps);
        self.left.set(left.unwrap_or(0));
        left.map(|_| ())
    }

    /// What is found; none where it takes too many steps: what was not looked at may be for a channel too.
    pub fn all(mut self) -> Option<Found> {
        while let Some((left, right)) = self.open.pop() {
            // An undefined value may be anything.
            let (Some(left), Some(right)) = (follow(self.linked.nir, left), follow(self.alone.nir, right)) else {
                continue;
            };
            if self.seen.insert((left, right)) {
                self.step(1)?;
                self.pair(left, right)?;
            }
        }
        Some(self.found)
    }

    /// Looks at two values that are the same.
    fn pair(&mut self, left: Node, right: Node) -> Option<()> {
        if self.linked.loads.contains_key(&left) {
            return self.carried(left, right);
        }
        if !self.alone.depends(right) {
            if !self.linked.depends(left) {
                self.step(LESSON)?;
                self.found.plain.push((left, right));
            }
            return Some(());
        }
        if self.alone.loads.contains_key(&right) {
            self.folded(left, right);
            return Some(());
        }
        match self.operands(left, right) {
            Some(pairs) => self.open.extend(pairs),
            None => self.covered(left, right)?,
        }
        Some(())
    }

    /// A channel is loaded in place of a value.
    pub fn carried(&mut self, left: Node, right: Node) -> Option<()> {
        let Some(at) = self.at(left) else { return Some(()) };
        if self.is_open(self.alone, right)? {
            return Some(());
        }
        let below = self.below(right)?;
        let (constant, other): (Vec<Node>, Vec<Node>) = below.into_iter().partition(|n| self.alone.is_constant(*n));
        self.constants(&constant);
        let right = self.unchanged(right);
        if let Some(scalar) = self.alone.scalar(right) {
            self.found.uses.carries.entry(at).or_default().insert(scalar);
            let both = self.linked.written.get(&left).zip(self.alone.written.get(&right));
            self.found.moved.extend(both.map(|(one, other)| (*one, *other)));
            return Some(());
        }
        // What may be a scalar that is passed as it is, is not said to be computed.
        let is_computed = !other.iter().any(|node| self.alone.are_same(right, *node));
        self.made(left, &other, is_computed)
    }

    /// A channel is loaded in a value that is made of others, and nothing else is: it carries those, or is made of them.
    pub fn contained(&mut self, left: Node, right: Node) -> Option<()> {
        let below = self.below(right)?;
        let (constant, other): (Vec<Node>, Vec<Node>) = below.into_iter().partition(|n| self.alone.is_constant(*n));
        self.constants(&constant);
        let mut is_computed = true;
        for node in &other {
            is_computed &= self.are_comparable(*node)? && !self.same(left, *node);
        }
        self.made(left, &other, is_computed)
    }

    /// Whether the stage before, compiled alone, makes a scalar by known operations of what it has compiled together too:
    /// only then two values that differ are different.
    fn are_comparable(&self, node: Node) -> Option<bool> {
        let (Some((nir, values)), Some(written)) = (&self.alone.before, self.alone.written.get(&node)) else {
            return Some(false);
        };
        let mut seen = HashSet::new();
        let mut open = vec![*written];
        while let Some(node) = open.pop() {
            let Some(node) = follow(nir, node).filter(|node| seen.insert(*node)) else { continue };
            self.step(1)?;
            if values.get(node).is_some_and(|value| self.made_together.contains(&value.digest)) {
                continue;
            }
            let Some(statement) = nir.statements.get(node.0) else { return Some(false) };
            let taken = operands(nir, node);
            let is_known = is_by_component(nir, statement)
                && statement.operands.iter().all(|operand| operand.plain)
                && (nir.constant(node).is_some() || is_known(statement.name(), taken.len()));
            if !is_known {
                return Some(false);
            }
            open.extend(taken);
        }
        Some(true)
    }

    fn constants(&mut self, all: &[Node]) {
        let constant = all.iter().filter_map(|node| self.alone.scalar(*node));
        self.found.uses.folded.extend(constant.map(|scalar| (scalar, Folded::Constant)));
    }

    /// A channel has the value of all of some scalars, or is computed from them.
    fn made(&mut self, left: Node, of: &[Node], is_computed: bool) -> Option<()> {
        let Some(at) = self.at(left) else { return Some(()) };
        let mut equal = 0;
        for node in of {
            equal += usize::from(self.is_written_alike(left, *node)?);
        }
        let to = match equal {
            0 if is_computed => &mut self.found.uses.made_of,
            equal if equal > 0 && equal == of.len() => &mut self.found.uses.carries,
            _ => return Some(()),
        };
        to.entry(at).or_default().extend(of.iter().filter_map(|node| self.alone.scalar(*node)));
        Some(())
    }

    fn at(&self, left: Node) -> Option<At> {
        self.linked.loads.get(&left).map(|load| (load.attribute, load.channel, load.high))
    }

    /// Whether the stage before is shown to write the same to a channel and to a scalar.
    fn is_written_alike(&mut self, left: Node, right: Node) -> Option<bool> {
        let both = self.linked.written.get(&left).zip(self.alone.written.get(&right));
        let Some((one, other)) = both.map(|(one, other)| (*one, *other)) else { return Some(false) };
        if let Some(known) = self.proven.get(&(one, other)) {
            return Some(*known);
        }
        self.step(TRIAL)?;
        let found = self.before.as_mut().is_some_and(|before| before.equal(one, other).is_some());
        self.step(if found { PROOF } else { 0 })?;
        self.proven.insert((one, other), found);
        Some(found)
    }

    /// A value without operations that leave it: with one, or with zero.
    fn unchanged(&self, right: Node) -> Node {
        let mut node = right;
        while let Some(next) = self.left_alone(node).and_then(|next| follow(self.alone.nir, next)) {
            if self.step(1).is_none() {
                break;
            }
            node = next;
        }
        node
    }

    /// The operand that an operation leaves as it is.
    fn left_alone(&self, node: Node) -> Option<Node> {
        let statement = self.alone.statement(node)?;
        (!statement.is_intrinsic && statement.operands.iter().all(|operand| operand.plain)).then_some(())?;
        let width = self.alone.width(node);
        let one = match width {
            16 => 0x3c00,
            64 => 0x3ff0_0000_0000_0000,
            _ => 0x3f80_0000,
        };
        let ones = u64::MAX.checked_shr(64u32.saturating_sub(width.into())).unwrap_or(0);
        let sign = 1u64.checked_shl(u32::from(width).saturating_sub(1)).unwrap_or(0);
        let operands = self.alone.operands(node);
        let [a, b] = operands.as_slice() else { return None };
        let is = |node: &Node, of: &[u64]| self.alone.fixed(*node).is_some_and(|bits| of.contains(&bits));
        let (neutral, exchanges): (&[u64], bool) = match statement.name() {
            "fmul" => (&[one], true),
            "fadd" => (&[0, sign], true),
            "fsub" => (&[0], false),
            "imul" => (&[1], true),
            "iadd" | "ior" | "ixor" => (&[0], true),
            "isub" | "ishl" | "ishr" | "ushr" => (&[0], false),
            "iand" => (&[ones], true),
            _ => return None,
        };
        match () {
            () if is(b, neutral) => Some(*a),
            () if exchanges && is(a, neutral) => Some(*b),
            () => None,
        }
    }

    /// A scalar is read alone where the linked form loads nothing.
    pub fn folded(&mut self, left: Node, right: Node) {
        let Some(scalar) = self.alone.scalar(right).filter(|_| !self.linked.depends(left)) else { return };
        let folded = &mut self.found.uses.folded;
        if self.alone.is_constant(right) {
            folded.insert(scalar, Folded::Constant);
        } else if self.alone.uniform.contains(&right) {
            folded.entry(scalar).or_insert(Folded::Uniform);
        }
    }

    /// The varyings that have part in a value.
    pub fn below(&self, node: Node) -> Option<BTreeSet<Node>> {
        self.varyings(self.alone, node)
    }

    /// Whether a register has part in a value of a form: which varyings have part in that is not followed.
    pub fn is_open(&self, side: &Side<'a, 't>, node: Node) -> Option<bool> {
        if !side.has_registers {
            return Some(false);
        }
        let mut seen = HashSet::new();
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            let Some(node) = follow(side.nir, node).filter(|node| seen.insert(*node)) else { continue };
            self.step(1)?;
            if side.statement(node).is_some_and(Statement::reads_register) {
                return Some(true);
            }
            open.extend(side.operands(node));
        }
        Some(false)
    }

    /// The varyings of a form that have part in a value.
    pub fn varyings(&self, side: &Side<'a, 't>, node: Node) -> Option<BTreeSet<Node>> {
        let mut out = BTreeSet::new();
        let mut seen = HashSet::new();
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            let Some(node) = follow(side.nir, node).filter(|node| seen.insert(*node)) else { continue };
            self.step(1)?;
            if side.loads.contains_key(&node) {
                out.insert(node);
            } else if side.depends(node) {
                open.extend(side.parts(node));
            }
        }
        Some(out)
    }
}
