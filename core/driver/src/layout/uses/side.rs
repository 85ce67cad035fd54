//! One of both forms of a pair, with the values of its fragment shader.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use super::super::deltas::DELTAS;
use super::super::nir::{Nir, Node, Statement};
use super::super::reads::{Load, loads};
use super::super::same::{Same, family};
use super::super::values::{Carries, follow};
use super::digests::unlike;
use super::divergence::Divergence;
use super::operations::{Bits, apply};
use super::shape::{depends, is_by_component, operands};
use super::values::{Given, Value, Values, same};
use super::{Pair, Scalar};

/// One pair's fragment shader, and the values of both of its forms.
pub(super) struct Side<'a, 't> {
    pub nir: &'a Nir<'t>,
    pub loads: BTreeMap<Node, Load>,
    /// Statements that depend on a varying.
    depends: Vec<bool>,
    /// Values of the fragment shader.
    pub values: Values,
    /// The form of the stage before, and its values.
    pub before: Option<(&'a Nir<'t>, Values)>,
    /// The value that the stage before writes to what is loaded, where it is one that is made.
    pub written: HashMap<Node, Node>,
    /// Loads of what is the same for all invocations of a wave of the stage before.
    pub uniform: HashSet<Node>,
    /// Loads of what differs between them.
    pub varies: HashSet<Node>,
    /// Some of its statements read registers.
    pub has_registers: bool,
    /// Components that are made of constants, as the stage before writes them, and their bits.
    fixed: HashMap<Node, u64>,
}

/// What an argument is, for all shaders of a stage that have it.
fn argument(stage: &str, op: &'static str, index: &'static str, number: Option<i64>) -> u64 {
    let mut hasher = DefaultHasher::new();
    (stage, family((op, index, "")), number).hash(&mut hasher);
    hasher.finish()
}

/// What a part of the interpolation of a value is made by.
fn part_of(digest: u64, part: u8) -> u64 {
    let mut hasher = DefaultHasher::new();
    (DELTAS, digest, part).hash(&mut hasher);
    hasher.finish()
}

type Numbered<'f> = dyn Fn(&'static str, &'static str, &str) -> u64 + 'f;

impl<'a, 't> Side<'a, 't> {
    pub fn alone(pair: Pair<'a, 't>) -> Option<Side<'a, 't>> {
        let number = |stage| move |op, index, number: &str| argument(stage, op, index, number.parse().ok());
        Side::of(["alone before", "alone"], pair, &number("before"), &number("fragment"))
    }

    pub fn linked(pair: Pair<'a, 't>, before: Option<&Same<'_, '_>>, fragment: &Same<'_, '_>) -> Option<Side<'a, 't>> {
        let of_before = |op: &'static str, index: &'static str, number: &str| match before
            .and_then(|before| before.counterpart((op, index, number)))
        {
            Some(right) => argument("before", op, index, Some(right)),
            None => argument("linked", op, index, number.parse().ok()),
        };
        let of_fragment = |op: &'static str, index: &'static str, number: &str| {
            let right = fragment.counterpart((op, index, number));
            argument("fragment", op, index, right.or_else(|| number.parse().ok()))
        };
        Side::of(["linked before", "linked"], pair, &of_before, &of_fragment)
    }

    fn of(
        [before_form, form]: [&'static str; 2],
        pair: Pair<'a, 't>,
        of_before: &Numbered<'_>,
        of_fragment: &Numbered<'_>,
    ) -> Option<Side<'a, 't>> {
        let (all, _) = loads(pair.fragment);
        let before = match pair.before {
            Some(written) => {
                let given = Given { form: before_form, known: HashMap::new(), numbered: of_before };
                Some((written, Values::of(&written.nir, &given)?))
            }
            None => None,
        };
        let mut known = HashMap::new();
        let mut written = HashMap::new();
        let (mut uniform, mut varies) = (HashSet::new(), HashSet::new());
        let mut constant = HashMap::new();
        for (node, load) in &all {
            known.insert(*node, Value::of(unlike(form, *node), load.bits));
            let part = pair.fragment.statements.get(node.0).filter(|s| s.op == DELTAS).map(|_| node.1);
            let (Some(location), Some((before, values))) = (load.location, &before) else { continue };
            let carries = match load.bits {
                16 => before.half(location, load.channel, load.high),
                _ => before.get(location, load.channel),
            };
            let value = match carries {
                Some(Carries::Constant(text)) => {
                    // Along the edges nothing is added.
                    let value =
                        Value::constant(if part.is_some_and(|part| part > 0) { "0x0" } else { text }, load.bits);
                    constant.extend(value.map(|value| (*node, value.bits())));
                    value
                }
                Some(Carries::Computed(made)) => {
                    written.insert(*node, made);
                    match Divergence::of(&before.nir, made) {
                        Divergence::Uniform => _ = uniform.insert(*node),
                        Divergence::Varying => _ = varies.insert(*node),
                        Divergence::Unknown => {}
                    }
                    values.get(made).map(|value| match part {
                        Some(part) => Value::of(part_of(value.digest, part), load.bits),
                        None => *value,
                    })
                }
                None => None,
            };
            known.extend(value.map(|value| (*node, value)));
        }
        let values = Values::of(pair.fragment, &Given { form, known, numbered: of_fragment })?;
        let loads: BTreeMap<Node, Load> = all.into_iter().filter(|(_, load)| load.location.is_some()).collect();
        let depends = depends(pair.fragment, &loads);
        let fixed = fixed(pair.fragment, constant);
        let before = before.map(|(before, values)| (&before.nir, values));
        let has_registers = pair.fragment.statements.iter().any(Statement::reads_register);
        Some(Side {
            nir: pair.fragment,
            has_registers,
            before,
            loads,
            depends,
            values,
            written,
            uniform,
            varies,
            fixed,
        })
    }

    pub fn statement(&self, node: Node) -> Option<&Statement<'t>> {
        self.nir.statements.get(node.0)
    }

    pub fn width(&self, node: Node) -> u8 {
        self.statement(node).and_then(|statement| statement.dest).map_or(32, |dest| dest.bits)
    }

    pub fn depends(&self, node: Node) -> bool {
        self.depends.get(node.0) == Some(&true)
    }

    /// What a component is made of.
    pub fn operands(&self, node: Node) -> Vec<Node> {
        operands(self.nir, node)
    }

    /// Those operands of a component that have part in its value, as far as constants decide that.
    pub fn parts(&self, node: Node) -> Vec<Node> {
        let all = self.operands(node);
        let fixed: Vec<Option<u64>> = all.iter().map(|node| self.fixed(*node)).collect();
        let name = self.statement(node).map_or("", |statement| statement.name());
        match (name, all.as_slice(), fixed.as_slice()) {
            ("bcsel", [condition, one, other], [Some(is), ..]) => {
                vec![*condition, if *is != 0 { *one } else { *other }]
            }
            ("fmul" | "fmulz" | "imul" | "iand", [one, _], [Some(0), _]) => vec![*one],
            ("fmul" | "fmulz" | "imul" | "iand", [_, other], [_, Some(0)]) => vec![*other],
            _ => all,
        }
    }

    /// The bits of a component that is made of constants.
    pub fn fixed(&self, node: Node) -> Option<u64> {
        self.fixed.get(&follow(self.nir, node)?).copied()
    }

    /// Whether the stage before writes a constant to what is loaded.
    pub fn is_constant(&self, node: Node) -> bool {
        self.loads.contains_key(&node) && self.fixed.contains_key(&node)
    }

    /// The scalar that is loaded.
    pub fn scalar(&self, node: Node) -> Option<Scalar> {
        let load = self.loads.get(&node)?;
        Some((load.location?, load.channel, load.high))
    }

    /// Whether two of its values are the same, as far as is seen.
    pub fn are_same(&self, one: Node, other: Node) -> bool {
        let width = self.width(one);
        let values = self.values.get(one).zip(self.values.get(other));
        width == self.width(other) && values.is_some_and(|(one, other)| same(one, other, width))
    }
}

/// The components that are made of constants, with those of `known`.
fn fixed(nir: &Nir<'_>, known: HashMap<Node, u64>) -> HashMap<Node, u64> {
    let mut out = known;
    for (index, statement) in nir.statements.iter().enumerate() {
        let Some(dest) = statement.dest else { continue };
        for node in (0..dest.components).map(|component| (index, component)) {
            let made = match nir.constant(node) {
                Some(text) => Value::constant(text, dest.bits).map(Value::bits),
                None if !is_by_component(nir, statement) || statement.operands.iter().any(|o| !o.plain) => None,
                None => {
                    let taken: Option<Vec<Bits>> = operands(nir, node)
                        .into_iter()
                        .map(|node| {
                            let node = follow(nir, node)?;
                            let bits = nir.statements.get(node.0)?.dest?.bits;
                            Some((*out.get(&node)?, bits))
                        })
                        .collect();
                    taken.and_then(|taken| apply(statement.name(), dest.bits, &taken))
                }
            };
            if let Some(made) = made {
                out.entry(node).or_insert(made);
            }
        }
    }
    out
}
