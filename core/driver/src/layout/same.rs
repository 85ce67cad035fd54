//! Whether two shaders compute the same value: the stage before, compiled together with the fragment shader and alone.
//!
//! Both forms come from one module, so a value that the driver only moved to another slot is made by the same
//! operations of the same operands. Registers that deliver arguments, and places of the data share, are numbered per
//! shader: they correspond one to one and in order, and the position, which both export, says for most of them how.
//! Everything else must be equal, but for the order of operands that may be exchanged. A value that was changed on the
//! way does not compare equal: this finds too little, never too much.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use super::nir::{Nir, Node, Statement};
use super::values::follow;

/// Pairs of values that one comparison looks at.
const MAX_PAIRS: usize = 1 << 14;
/// How deep a value's digest looks.
const DEPTH: u32 = 6;

/// Indices of intrinsics that do not change a value: hints, and sizes of what is numbered per shader.
pub(super) const HINTS: [&str; 6] =
    ["access", "align_mul", "align_offset", "arg_upper_bound_u32_amd", "arg_num_lsb_zero", "dest_type"];
/// Intrinsics that read what is numbered per shader, and the indices that say which.
const NUMBERED: [(&str, &[&str]); 7] = [
    ("load_scalar_arg_amd", &["base"]),
    ("load_vector_arg_amd", &["base"]),
    ("load_scalar_arg_wg_div_amd", &["base"]),
    ("load_shared", &["base"]),
    ("load_shared2_amd", &["offset0", "offset1"]),
    // A shader's constants begin where the first one that it uses is, or leave out those that it does not use.
    ("load_const_ir3", &["base"]),
    ("load_push_data_intel", &["base"]),
];
/// Operations whose first two operands may be exchanged.
pub(super) const COMMUTATIVE: [&str; 16] = [
    "fadd", "fmul", "ffma", "fmin", "fmax", "feq", "fneu", "iadd", "imul", "iand", "ior", "ixor", "ieq", "ine", "umin",
    "umax",
];
/// Loads from constant memory, whose offset is an index, a constant operand and the component together.
const LOADS: [&str; 2] = ["load_smem_amd", "load_global_amd"];

/// What is numbered per shader: intrinsic, index, number.
pub(super) type Numbered<'t> = (&'static str, &'static str, &'t str);

/// Two forms, and what is known to correspond.
pub(super) struct Same<'n, 't> {
    left: &'n Nir<'t>,
    right: &'n Nir<'t>,
    known: Known<'t>,
    digests: [HashMap<(Node, u32), u64>; 2],
}

/// Numbers of the left form and those of the right one, one to one.
#[derive(Debug, Clone, Default)]
pub(super) struct Known<'t> {
    right_of: HashMap<Numbered<'t>, Numbered<'t>>,
    left_of: HashMap<Numbered<'t>, Numbered<'t>>,
}

/// A part of what an operation does.
#[derive(Debug, PartialEq, Eq, Hash)]
enum Key<'t> {
    Text(&'t str),
    Number(u32),
    Shape(u64),
}

/// What an operation computes one component from.
enum Made<'t> {
    /// What it does, and the operands' components, the first two of which may be exchanged.
    Of { key: Vec<Key<'t>>, operands: Vec<Vec<Node>>, exchanges: bool, numbered: Vec<Numbered<'t>> },
    /// A form that is not compared.
    Other,
}

impl<'n, 't> Same<'n, 't> {
    /// Two forms of which nothing is known yet.
    pub fn new(left: &'n Nir<'t>, right: &'n Nir<'t>) -> Same<'n, 't> {
        Same { left, right, known: Known::default(), digests: [HashMap::new(), HashMap::new()] }
    }

    /// Learns what corresponds from values that are the same.
    pub fn learn(&mut self, pairs: impl Iterator<Item = (Node, Node)>) {
        for (left, right) in pairs {
            if let Some(known) = self.equal(left, right) {
                self.known = known;
            }
        }
    }

    /// Whether two values are the same as far as is known: what would have to correspond for that.
    pub fn equal(&mut self, left: Node, right: Node) -> Option<Known<'t>> {
        let mut known = self.known.clone();
        let mut open = vec![(left, right)];
        let mut seen = HashSet::new();
        while let Some((left, right)) = open.pop() {
            // An undefined value may be anything.
            let (left, right) = (follow(self.left, left)?, follow(self.right, right)?);
            if !seen.insert((left, right)) {
                continue;
            }
            if seen.len() > MAX_PAIRS || self.digest(0, left, DEPTH) != self.digest(1, right, DEPTH) {
                return None;
            }
            let (
                Made::Of { key, operands, exchanges, numbered },
                Made::Of { key: other, operands: others, numbered: n, .. },
            ) = (made(self.left, left), made(self.right, right))
            else {
                return None;
            };
            if key != other || operands.len() != others.len() || numbered.len() != n.len() {
                return None;
            }
            numbered.into_iter().zip(n).try_for_each(|(left, right)| known.add(left, right))?;
            let exchanged = exchanges && self.is_exchanged(&operands, &others);
            for (index, here) in operands.iter().enumerate() {
                let there = others.get(if exchanged && index < 2 { 1 - index } else { index })?;
                (here.len() == there.len()).then_some(())?;
                open.extend(here.iter().copied().zip(there.iter().copied()));
            }
        }
        Some(known)
    }

    /// The number of the right form that one of the left form corresponds to: one that is known, or as far from the
    /// nearest known ones.
    pub fn counterpart(&self, of: Numbered<'_>) -> Option<i64> {
        if let Some(right) = self.known.right_of.iter().find(|(left, _)| **left == of) {
            return number(*right.1);
        }
        let at = number(of)?;
        let shift = self.known.shift(at, family(of))?;
        Some(at + shift)
    }

    /// Takes over what had to correspond.
    pub fn keep(&mut self, known: Known<'t>) {
        self.known = known;
    }

    /// Whether operands are swapped, as their digests show.
    fn is_exchanged(&mut self, left: &[Vec<Node>], right: &[Vec<Node>]) -> bool {
        let mut of = |side: usize, operands: &[Vec<Node>], index: usize| {
            let nodes = operands.get(index).cloned().unwrap_or_default();
            nodes.into_iter().map(|node| self.digest(side, node, DEPTH)).collect::<Vec<_>>()
        };
        let [a, b] = [of(0, left, 0), of(0, left, 1)];
        let [c, d] = [of(1, right, 0), of(1, right, 1)];
        (a != c || b != d) && a == d && b == c
    }

    /// A number that is equal for equal values: of what makes them, some operations deep.
    fn digest(&mut self, side: usize, node: Node, depth: u32) -> u64 {
        let nir = if side == 0 { self.left } else { self.right };
        let Some(node) = follow(nir, node) else { return 0 };
        let known = self.digests.get(side).and_then(|all| all.get(&(node, depth)));
        if let Some(known) = known {
            return *known;
        }
        let mut hasher = DefaultHasher::new();
        if let Made::Of { key, operands, exchanges, .. } = made(nir, node) {
            key.hash(&mut hasher);
            if depth > 0 {
                let mut of = |nodes: &Vec<Node>| -> Vec<u64> {
                    nodes.iter().map(|node| self.digest(side, *node, depth - 1)).collect()
                };
                let mut all: Vec<Vec<u64>> = operands.iter().map(&mut of).collect();
                if let Some(pair) = all.get_mut(..2).filter(|_| exchanges) {
                    pair.sort_unstable();
                }
                all.hash(&mut hasher);
            }
        }
        let digest = hasher.finish();
        if let Some(all) = self.digests.get_mut(side) {
            all.insert((node, depth), digest);
        }
        digest
    }
}

impl<'t> Known<'t> {
    /// Adds that two numbers correspond; none where another one does.
    fn add(&mut self, left: Numbered<'t>, right: Numbered<'t>) -> Option<()> {
        let is =
            *self.right_of.entry(left).or_insert(right) == right && *self.left_of.entry(right).or_insert(left) == left;
        is.then_some(())
    }

    /// How far the nearest known numbers below and above one are from those that they correspond to, where that is alike.
    fn shift(&self, at: i64, of: (&'static str, &'static str)) -> Option<i64> {
        let known = self.right_of.iter().filter(|(other, _)| family(**other) == of);
        let known = known.filter_map(|(left, right)| Some((number(*left)?, shift(*left, *right)?)));
        let known: BTreeMap<i64, i64> = known.collect();
        let mut nearest = known.range(..at).next_back().into_iter().chain(known.range(at..).next());
        let (_, first) = nearest.next()?;
        nearest.all(|(_, other)| other == first).then_some(*first)
    }
}

/// The intrinsic and the index, where it says which of what is numbered per shader it reads.
pub(super) fn numbered(op: &str, name: &str) -> Option<(&'static str, &'static str)> {
    let (op, names) = NUMBERED.iter().find(|(own, _)| *own == op)?;
    Some((op, names.iter().find(|own| **own == name)?))
}

/// What numbers count: all arguments of a shader have one numbering.
pub(super) fn family((op, index, _): Numbered<'_>) -> (&'static str, &'static str) {
    if op.contains("_arg_") { ("arg", index) } else { (op, index) }
}

fn number((.., number): Numbered<'_>) -> Option<i64> {
    number.parse::<u32>().ok().map(i64::from)
}

fn shift(left: Numbered<'_>, right: Numbered<'_>) -> Option<i64> {
    Some(number(right)? - number(left)?)
}

fn made<'t>(nir: &Nir<'t>, (index, component): Node) -> Made<'t> {
    let Some(statement) = nir.statements.get(index) else { return Made::Other };
    let operands: Option<Vec<Vec<Node>>> = statement.operands.iter().map(|operand| nir.nodes(operand)).collect();
    let (Some(operands), Some(dest)) = (operands, statement.dest) else { return Made::Other };
    let is_open = statement.op == "tex" || statement.reads_register();
    if is_open || statement.operands.iter().any(|operand| !operand.plain) {
        return Made::Other;
    }
    let mut key = vec![Key::Text(statement.op), Key::Number(dest.bits.into())];
    if statement.op == "load_const" {
        key.extend(nir.constant((index, component)).map(Key::Text));
        return Made::Of { key, operands, exchanges: false, numbered: Vec::new() };
    }
    if statement.is_intrinsic {
        let occurrence = nir.occurrence(index).into_iter().flat_map(|(before, total)| [before, total]);
        key.extend(occurrence.map(Key::Number));
        return intrinsic(nir, statement, component, key, operands);
    }
    key.extend(statement.literals.iter().copied().map(Key::Text));
    // Component for component, or all components into one.
    let alike = dest.components > 1 && operands.iter().all(|nodes| nodes.len() == usize::from(dest.components));
    let operands = if alike {
        let one = |nodes: Vec<Node>| nodes.get(usize::from(component)).map(|node| vec![*node]).unwrap_or_default();
        operands.into_iter().map(one).collect()
    } else {
        key.push(Key::Number(component.into()));
        operands
    };
    if statement.op == "phi" {
        let Some(region) = nir.region(index) else { return Made::Other };
        key.push(Key::Shape(region.shape));
        let conditions = nir.conditions(index).map(|condition| vec![condition]);
        let operands = operands.into_iter().chain(conditions).collect();
        return Made::Of { key, operands, exchanges: false, numbered: Vec::new() };
    }
    let op = statement.op.trim_end_matches('!');
    Made::Of { key, operands, exchanges: COMMUTATIVE.contains(&op), numbered: Vec::new() }
}

fn intrinsic<'t>(
    nir: &Nir<'t>,
    statement: &Statement<'t>,
    component: u8,
    mut key: Vec<Key<'t>>,
    mut operands: Vec<Vec<Node>>,
) -> Made<'t> {
    let numbered = NUMBERED.iter().find(|(op, _)| *op == statement.op);
    let names = numbered.map_or(&[] as &[&str], |(_, names)| *names);
    for (name, value) in &statement.indices {
        let is_offset = *name == "base" && LOADS.contains(&statement.op);
        if !is_offset && !HINTS.contains(name) && !names.contains(name) {
            key.extend([Key::Text(name), Key::Text(value)]);
        }
    }
    if LOADS.contains(&statement.op) {
        // A wider load may begin before this one.
        let Some(offset) = statement.operands.get(1).and_then(|operand| nir.number(operand)) else {
            return Made::Other;
        };
        let width = statement.dest.map_or(32, |dest| u32::from(dest.bits)) / 8;
        let base = statement.number("base").unwrap_or(0);
        let Some(at) = width.checked_mul(component.into()).and_then(|at| at.checked_add(offset)?.checked_add(base))
        else {
            return Made::Other;
        };
        key.push(Key::Number(at));
        operands.truncate(1);
    } else {
        key.push(Key::Number(component.into()));
    }
    let numbers = names.iter().filter_map(|name| Some((numbered?.0, *name, statement.index(name)?))).collect();
    Made::Of { key, operands, exchanges: false, numbered: numbers }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> String {
        format!("shader: MESA_SHADER_VERTEX\n{text}")
    }

    /// Whether the last values of two texts are the same.
    fn are_same(left: &str, right: &str) -> bool {
        let (left, right) = (read(left), read(right));
        let [left, right] = [&left, &right].map(|text| Nir::read(text).expect("a form"));
        let last = |nir: &Nir<'_>| (nir.statements.len() - 1, 0);
        let (a, b) = (last(&left), last(&right));
        Same::new(&left, &right).equal(a, b).is_some()
    }

    const ALONE: &str = "con 32 %1 = @load_scalar_arg_amd (base=7, arg_upper_bound_u32_amd=0)\n\
        con 32 %2 = @load_scalar_arg_amd (base=8, arg_upper_bound_u32_amd=0)\n\
        con 32 %3 = load_const (0x00000040 = 64)\n\
        con 64 %4 = pack_64_2x32_split %1, %3 (0x40)\n\
        con 32x16 %5 = @load_smem_amd (%4, %3 (0x40)) (align_mul=4, align_offset=0)\n\
        div 32 %6 = fmul %5.e, %2\n\
        div 32 %7 = fadd %6, %1 // exact\n";

    #[test]
    fn numbers_of_registers_correspond_one_to_one() {
        let moved = ALONE.replace("base=7", "base=9").replace("arg_upper_bound_u32_amd=0", "arg_upper_bound_u32_amd=1");
        assert!(are_same(ALONE, ALONE));
        assert!(are_same(&moved, ALONE));
        assert!(!are_same(&ALONE.replace("base=7", "base=8"), ALONE), "two registers became one");
        assert!(!are_same(ALONE, &ALONE.replace("base=7", "base=8")), "one became two");
    }

    #[test]
    fn constants_are_numbered_per_shader() {
        for load in ["load_const_ir3", "load_push_data_intel"] {
            let form = |a: u32, b: u32| {
                format!(
                    "con 32 %1 = load_const (0x00000000)\ncon 32 %2 = @{load} (%1) (base={a})\n\
                    con 32 %3 = @{load} (%1) (base={b})\ncon 32 %4 = fsub %2, %3\ncon 32 %5 = fmul %4, %2\n"
                )
            };
            assert!(are_same(&form(0, 4), &form(16, 20)), "{load}");
            assert!(!are_same(&form(0, 0), &form(16, 20)), "{load}: one is no two");
        }
    }

    #[test]
    fn values_match_with_swapped_operands_and_other_loads() {
        assert!(are_same(&ALONE.replace("fmul %5.e, %2", "fmul %2, %5.e"), ALONE));
        assert!(are_same(&ALONE.replace("fadd %6, %1", "fadd %1, %6"), ALONE));
        let narrow = "con 32 %31 = load_const (0x00000050 = 80)\n\
            con 32x4 %5 = @load_smem_amd (%4, %31 (0x50)) (align_mul=4, align_offset=0)\n";
        let wide = "con 32x16 %5 = @load_smem_amd (%4, %3 (0x40)) (align_mul=4, align_offset=0)\n";
        let narrow = ALONE.replace(wide, narrow);
        assert!(are_same(&narrow.replace("%5.e", "%5.x"), ALONE));
        assert!(!are_same(&narrow.replace("%5.e", "%5.y"), ALONE));
    }

    #[test]
    fn other_operations_operands_and_constants_are_other_values() {
        for (here, there) in [
            ("fmul %5.e", "fadd %5.e"),
            ("%5.e", "%5.f"),
            ("fadd %6, %1", "fadd -%6, %1"),
            ("fadd %6, %1", "fadd %6, %6"),
            ("0x00000040", "0x00000044"),
            ("= fadd", "= fsub"),
            ("div 32 %7", "div 16 %7"),
        ] {
            assert!(!are_same(&ALONE.replace(here, there), ALONE), "{here} {there}");
        }
        let opposite = ALONE.replace("fadd", "fsub");
        assert!(!are_same(&opposite.replace("fsub %6, %1", "fsub %1, %6"), &opposite));
    }

    #[test]
    fn numbers_follow_from_their_neighbours() {
        let known = |pairs: &[(&'static str, &'static str, &'static str)]| {
            let mut known = Known::default();
            for (op, left, right) in pairs {
                known.add((op, "base", left), (op, "base", right)).expect("one to one");
            }
            known
        };
        let (scalar, shared) = (("arg", "base"), ("load_shared", "base"));
        let one = known(&[("load_scalar_arg_amd", "8", "9")]);
        assert_eq!([one.shift(9, scalar), one.shift(29, scalar), one.shift(9, shared)], [Some(1), Some(1), None]);
        let two = known(&[("load_scalar_arg_amd", "8", "8"), ("load_vector_arg_amd", "20", "21")]);
        let shifts = [two.shift(7, scalar), two.shift(22, scalar), two.shift(9, scalar)];
        assert_eq!(shifts, [Some(0), Some(1), None], "an argument was added between");
        assert_eq!(Known::default().shift(8, scalar), None, "nothing is known");
    }

    #[test]
    fn loops_end() {
        let text = "con 32 %1 = load_const (0x00000001)\n\
            con loop {\n\
            div 32 %2 = phi b0: %1, b1: %3\n\
            div 1 %4 = ilt %2, %1\n\
            if %4 {\nbreak\n} else {\n}\n\
            div 32 %3 = iadd %2, %1\n\
            }\n\
            div 32 %5 = mov %3\n";
        assert!(are_same(text, text));
        assert!(!are_same(&text.replace("iadd", "isub"), text));
        assert!(!are_same(&text.replace("ilt", "ieq"), text), "it ends elsewhere");
        assert!(!are_same(&text.replace("con loop {", "").replace("%1\n}", "%1\n"), text), "no loop is shown");
    }

    #[test]
    fn what_depends_on_running_lanes_has_its_counterpart_where_there_are_as_many() {
        let reduce = |at, of| {
            format!(
                "div 32 %{of} = @load_vector_arg_amd (base={of})\ndiv 32 %{at} = @reduce (%{of}) (reduction_op=iadd)\n"
            )
        };
        let one = reduce(2, 1);
        assert!(are_same(&one, &one));
        assert!(!are_same(&one.replace("op=iadd", "op=imul"), &one));
        // One of two may be in a branch that other lanes take.
        let two = reduce(4, 3) + &one;
        assert!(are_same(&two, &two));
        assert!(!are_same(&two, &one));
    }
}
