//! What a variant changes, and what each macro changes where it alone differs.

use std::collections::BTreeMap;

use lanescope_core::compare::{Comparison, Kind, Part, Row};
use lanescope_core::findings::Finding;
use schemars::JsonSchema;
use serde::Serialize;

use super::Variants;

/// What differs between two variants, in short.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub struct Difference {
    /// Packed slots of interfaces, where their number differs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub slots: Vec<Slots>,
    /// The scalars of interfaces that come from or go to another place, or in another way; those that one of them has.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub moved: Vec<String>,
    /// The registers that differ.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub registers: Vec<String>,
    /// What else of a section differs: facts of packing and lanes, statistics of drivers, texts.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub others: BTreeMap<Part, Vec<String>>,
    /// The findings that differ.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<FindingChange>,
}

/// Packed slots of an interface; none where one of the variants does not have it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Slots {
    /// The interface: `fragment inputs`.
    pub of: String,
    /// Of the base.
    pub before: Option<String>,
    /// Of the other one.
    pub after: Option<String>,
}

/// A finding that one of two variants has, or that says something else in the second one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FindingChange {
    /// Its code.
    pub code: String,
    /// Added, removed or changed.
    pub kind: Kind,
    /// Its message: that of the second one, if that has it.
    pub message: String,
}

/// What a macro changes.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct MacroEffect {
    /// The macro.
    pub name: String,
    /// No source of a variant with the macro uses it.
    pub unread: bool,
    /// Each of its values but the first, against the first.
    pub values: Vec<ValueEffect>,
}

/// What a value of a macro changes: over the pairs of variants that differ in this macro alone.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub struct ValueEffect {
    /// The macro's first value; none where it is not defined.
    pub before: Option<String>,
    /// Its other value.
    pub after: Option<String>,
    /// Number of pairs.
    pub pairs: usize,
    /// Those whose modules are equal.
    pub equal: usize,
    /// Those in which something differs.
    pub differ: usize,
    /// Those of which one cannot be used: the one with the first value, the one with the other value, both.
    pub failed: [usize; 3],
    /// All differences of the pairs.
    pub difference: Difference,
}

/// What became of a variant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It has the program of this number: equal variants have the same one.
    Program(usize),
    /// It cannot be used.
    Failed(String),
}

/// Sums a comparison up; `findings` are those of both sides.
pub fn difference(comparison: &Comparison, findings: [&[Finding]; 2]) -> Difference {
    let mut out = Difference::default();
    for section in &comparison.sections {
        for row in section.rows.iter().filter(|row| row.kind != Kind::Same) {
            let is_scalar = row.source.iter().any(Option::is_some);
            match section.name {
                Part::Packing if is_scalar => add(&mut out.moved, &row.name),
                Part::Packing if row.name == "slots" => out.slots.push(slots(row)),
                Part::Registers => add(&mut out.registers, &row.name),
                part => add(out.others.entry(part).or_default(), &row.name),
            }
        }
        for text in section.texts.iter().filter(|text| !text.equal) {
            add(out.others.entry(section.name).or_default(), &text.name);
        }
        // What only one side has may have no row.
        if !section.equal && !out.has(section.name) {
            out.others.insert(section.name, Vec::new());
        }
    }
    out.findings = changed_findings(findings);
    out
}

fn slots(row: &Row) -> Slots {
    Slots { of: row.of.clone(), before: row.left.clone(), after: row.right.clone() }
}

fn add<T: PartialEq + Clone>(list: &mut Vec<T>, one: &T) {
    if !list.contains(one) {
        list.push(one.clone());
    }
}

/// The findings that one side has more often than the other one, and those that say something else of the same place.
fn changed_findings([left, right]: [&[Finding]; 2]) -> Vec<FindingChange> {
    let mut rest: Vec<&Finding> = left.iter().collect();
    let mut added = Vec::new();
    for finding in right {
        match rest.iter().position(|one| *one == finding) {
            Some(at) => {
                rest.remove(at);
            }
            None => added.push(finding),
        }
    }
    let mut new = Vec::new();
    for finding in added {
        let of = |one: &Finding| (one.code.clone(), one.stage, one.place.clone());
        let before = rest.iter().position(|one| of(one) == of(finding));
        let kind = if before.is_some() { Kind::Changed } else { Kind::Added };
        if let Some(at) = before {
            rest.remove(at);
        }
        new.push(FindingChange::new(kind, finding));
    }
    let removed = rest.into_iter().map(|finding| FindingChange::new(Kind::Removed, finding));
    removed.chain(new).collect()
}

impl FindingChange {
    fn new(kind: Kind, finding: &Finding) -> FindingChange {
        FindingChange { code: finding.code.clone(), kind, message: finding.message.clone() }
    }
}

impl Difference {
    /// Whether nothing differs.
    pub fn is_empty(&self) -> bool {
        *self == Difference::default()
    }

    /// Whether nothing of the layout differs: of packing, lanes and registers.
    pub fn keeps_layout(&self) -> bool {
        ![Part::Packing, Part::Lanes, Part::Registers].iter().any(|part| self.has(*part))
    }

    fn has(&self, part: Part) -> bool {
        let own = match part {
            Part::Packing => !self.slots.is_empty() || !self.moved.is_empty(),
            Part::Registers => !self.registers.is_empty(),
            _ => false,
        };
        own || self.others.contains_key(&part)
    }

    /// Adds another difference.
    fn and(&mut self, more: &Difference) {
        more.slots.iter().for_each(|one| add(&mut self.slots, one));
        more.moved.iter().for_each(|one| add(&mut self.moved, one));
        more.registers.iter().for_each(|one| add(&mut self.registers, one));
        more.findings.iter().for_each(|one| add(&mut self.findings, one));
        for (part, names) in &more.others {
            let own = self.others.entry(*part).or_default();
            names.iter().for_each(|one| add(own, one));
        }
    }
}

/// What each macro changes. `unread` says which macros the sources of a variant do not use; `compare` gives the difference
/// of two programs.
pub fn effects(
    variants: &Variants,
    outcomes: &[Outcome],
    unread: &[Vec<String>],
    mut compare: impl FnMut(usize, usize) -> Difference,
) -> Vec<MacroEffect> {
    let mut known: BTreeMap<(usize, usize), Difference> = BTreeMap::new();
    let mut out = Vec::new();
    for (of, one) in variants.macros.iter().enumerate() {
        let mut values = Vec::new();
        for (at, after) in one.values.iter().enumerate().skip(1) {
            let before = one.values.first().cloned().flatten();
            let mut effect = ValueEffect { before, after: after.clone(), ..ValueEffect::default() };
            for (first, second) in variants.pairs(of, at) {
                let (Some(first), Some(second)) = (outcomes.get(first), outcomes.get(second)) else { continue };
                effect.pairs += 1;
                match (first, second) {
                    (Outcome::Program(first), Outcome::Program(second)) if first == second => effect.equal += 1,
                    (Outcome::Program(first), Outcome::Program(second)) => {
                        let found = known.entry((*first, *second)).or_insert_with(|| compare(*first, *second));
                        effect.differ += usize::from(!found.is_empty());
                        effect.difference.and(found);
                    }
                    (Outcome::Failed(_), Outcome::Program(_)) => effect.failed[0] += 1,
                    (Outcome::Program(_), Outcome::Failed(_)) => effect.failed[1] += 1,
                    (Outcome::Failed(_), Outcome::Failed(_)) => effect.failed[2] += 1,
                }
            }
            values.push(effect);
        }
        let unread = is_unread(variants, outcomes, unread, of);
        out.push(MacroEffect { name: one.name.clone(), unread, values });
    }
    out
}

/// Whether each variant that defines a macro can be used, and its sources do not use it.
fn is_unread(variants: &Variants, outcomes: &[Outcome], unread: &[Vec<String>], of: usize) -> bool {
    let Some(one) = variants.macros.get(of) else { return false };
    let is_defined =
        |values: &[usize]| values.get(of).and_then(|value| one.values.get(*value)).is_some_and(Option::is_some);
    let mut with =
        variants.all.iter().zip(outcomes).zip(unread).filter(|((own, _), _)| is_defined(&own.values)).peekable();
    with.peek().is_some()
        && with.all(|((_, outcome), unread)| matches!(outcome, Outcome::Program(_)) && unread.contains(&one.name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moved(name: &str) -> Difference {
        Difference { moved: vec![name.to_owned()], ..Difference::default() }
    }

    #[test]
    fn a_macro_is_what_its_pairs_say() {
        let text = "FOG=|1\nLIGHTS=1|4|8\n";
        let variants = Variants::parse(text).expect("reads");
        // FOG changes the program; 4 lights do not; 8 lights do not compile with fog.
        let failed = Outcome::Failed("why".to_owned());
        let [a, b] = [Outcome::Program(0), Outcome::Program(1)];
        let outcomes = [a.clone(), a.clone(), a, b.clone(), b, failed];
        let unread: Vec<Vec<String>> = vec![vec!["FOG".to_owned()]; 6];
        let mut compared = Vec::new();
        let all = effects(&variants, &outcomes, &unread, |first, second| {
            compared.push((first, second));
            moved("uv.x")
        });
        assert_eq!(compared, [(0, 1)], "equal programs are compared once");
        let [fog, lights] = all.as_slice() else { panic!("{all:?}") };
        assert!(!fog.unread, "one variant with it does not compile: nothing is known of that");
        let of_fog = fog.values.as_slice();
        assert_eq!(of_fog.len(), 1);
        assert_eq!((of_fog[0].before.as_deref(), of_fog[0].after.as_deref()), (None, Some("1")));
        assert_eq!((of_fog[0].pairs, of_fog[0].equal, of_fog[0].differ, of_fog[0].failed), (3, 0, 2, [0, 1, 0]));
        assert_eq!(of_fog[0].difference, moved("uv.x"));
        let counts: Vec<_> = lights.values.iter().map(|one| (one.pairs, one.equal, one.differ, one.failed)).collect();
        assert_eq!(counts, [(2, 2, 0, [0; 3]), (2, 1, 0, [0, 1, 0])]);
        assert!(lights.values.iter().all(|one| one.difference.is_empty()));
    }

    #[test]
    fn findings_are_counted_on_both_sides() {
        let finding = |code: &str| Finding {
            code: code.to_owned(),
            severity: lanescope_core::findings::Severity::Note,
            stage: None,
            message: "m".to_owned(),
            place: None,
            line: None,
            details: None,
        };
        let [a, b] = [finding("A"), finding("B")];
        let other = Finding { message: "n".to_owned(), ..a.clone() };
        let found = changed_findings([&[a.clone(), a.clone()], &[b.clone(), a.clone()]]);
        let found: Vec<_> = found.iter().map(|one| (one.code.as_str(), one.kind)).collect();
        assert_eq!(found, [("A", Kind::Removed), ("B", Kind::Added)]);
        let found = changed_findings([&[a, b.clone()], &[b, other]]);
        let found: Vec<_> = found.iter().map(|one| (one.message.as_str(), one.kind)).collect();
        assert_eq!(found, [("n", Kind::Changed)]);
    }
}
