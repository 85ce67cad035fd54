//! Statements of the driver's intermediate form (Mesa's NIR), as Mesa 22 to 26 print it.
//!
//! The versions differ in how they mark values, intrinsics and comments, and in which names they give to what is the
//! same ([`DIALECTS`]); a statement is read alike from all of them:
//!
//! ```text
//! vec1 32 div ssa_7 = intrinsic load_input (ssa_1) (base=2, component=1, io location=34 slots=1 /*162*/)  /* cell */
//! div 16  %7 = @load_input (%1 (0x0)) (base=2, component=1, io location=VARYING_SLOT_VAR2 slots=1 high_16bits)  // c
//! ```

use std::collections::{BTreeSet, HashMap};

use super::control::{self, Region};
use super::reads::Numbering;

/// How one range of versions prints.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Dialect {
    /// What a value's name starts with.
    value: &'static str,
    /// What precedes an intrinsic's name.
    intrinsic: &'static str,
    /// Compiled alone on GFX9, the stage before passes the primitive's number in its first slot; else in its last one.
    pub primitive_first_on_gfx9: bool,
}

/// Mesa 22, 26 where its debug information is requested (`RADV_DEBUG=nirdebuginfo`), and 25 to 26.
const DIALECTS: [Dialect; 3] = [
    Dialect { value: "ssa_", intrinsic: "intrinsic ", primitive_first_on_gfx9: true },
    Dialect { value: "ssa_", intrinsic: "@", primitive_first_on_gfx9: false },
    Dialect { value: "%", intrinsic: "@", primitive_first_on_gfx9: false },
];

/// Loads of what shaders write themselves.
const CHANGED: [&str; 5] = ["load_ssbo", "load_global", "load_scratch", "load_output", "load_deref"];
/// Intrinsics that compute from their operands, beside loads.
const COMPUTING: [&str; 5] = ["mbcnt_amd", "is_subgroup_invocation_lt_amd", "inverse_ballot", "ddx", "ddy"];

/// The longest text that is read, in lines.
const MAX_LINES: usize = 1 << 17;

/// A component of a value: index of the statement that makes it, and which.
pub(super) type Node = (usize, u8);

/// One form of a shader.
#[derive(Debug)]
pub(super) struct Nir<'t> {
    /// How it is printed.
    pub dialect: &'static Dialect,
    /// What its loads are numbered by.
    pub numbering: Numbering,
    /// It says of each value whether that is the same for all invocations of a wave.
    pub marks_uniform: bool,
    /// Its statements, in order.
    pub statements: Vec<Statement<'t>>,
    by_name: HashMap<&'t str, usize>,
    /// How many of its name come before each intrinsic whose value may depend on where it stands, and all of each name.
    occurrences: HashMap<usize, u32>,
    totals: HashMap<&'t str, u32>,
    /// Statements of branches, in order.
    branches: Vec<usize>,
    /// What decides between the values of each phi.
    regions: HashMap<usize, Region>,
    /// The numbers of the outputs that its header says are written.
    pub outputs_written: Vec<u32>,
}

/// One statement: `DEST = OP OPERANDS (INDICES)  // COMMENT`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Statement<'t> {
    /// The value that it makes.
    pub dest: Option<Dest<'t>>,
    /// Whether it is an intrinsic; else an instruction that computes, a constant, a phi.
    pub is_intrinsic: bool,
    /// Its name, without what marks an intrinsic.
    pub op: &'t str,
    /// What it reads.
    pub operands: Vec<Operand<'t>>,
    /// Named indices of an intrinsic, in order.
    pub indices: Vec<(&'t str, &'t str)>,
    /// A constant's components, or another operand that is not a value, as printed.
    pub literals: Vec<&'t str>,
    /// The name of the variable that it accesses, where the text gives it.
    pub comment: Option<&'t str>,
}

/// A value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Dest<'t> {
    pub name: &'t str,
    /// It is the same for all invocations of a wave, as the driver finds; without a mark it is not known.
    pub uniform: Option<bool>,
    pub components: u8,
    pub bits: u8,
}

/// A value that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Operand<'t> {
    pub name: &'t str,
    /// Letters of its components; empty for all of them.
    pub swizzle: &'t str,
    /// It is read without modifiers: no negation, no absolute value.
    pub plain: bool,
}

/// Where an intrinsic reads or writes in the interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Io {
    /// The varying's location; none for a built-in.
    pub location: Option<u32>,
    /// Locations that it may touch.
    pub slots: u32,
    /// It is the high half of 32 bits.
    pub high: bool,
}

/// Where varyings begin among the driver's numbers of inputs and outputs, and how many there are.
const FIRST_VARYING: u32 = 32;
const VARYINGS: u32 = 32;

impl<'t> Nir<'t> {
    /// Reads a text whose loads are numbered by attributes; none where it is not NIR.
    #[cfg(test)]
    pub fn read(text: &'t str) -> Option<Nir<'t>> {
        Nir::numbered(text, Numbering::Attributes)
    }

    /// Reads a text; none where it is not NIR.
    pub fn numbered(text: &'t str, numbering: Numbering) -> Option<Nir<'t>> {
        text.contains("shader: MESA_SHADER_").then_some(())?;
        let lines = || text.lines().take(MAX_LINES);
        let statements = |dialect| {
            let numbered = lines().enumerate();
            numbered.filter_map(move |(number, line)| Some((number, statement(line, dialect)?))).collect::<Vec<_>>()
        };
        // What marks a value or an intrinsic of one is not what marks one of another.
        let all = DIALECTS.iter().map(|dialect| (dialect, statements(dialect)));
        let (dialect, mut statements) =
            all.max_by_key(|(_, all)| (all.len(), all.iter().filter(|(_, s)| s.is_intrinsic).count()))?;
        if numbering == Numbering::Locations {
            statements.iter_mut().for_each(|(_, statement)| statement.forget_number());
        }
        let regions = control::regions(lines(), &statements);
        let statements: Vec<Statement<'t>> = statements.into_iter().map(|(_, statement)| statement).collect();
        let is_branch = |(index, s): (usize, &Statement<'t>)| (s.dest.is_none() && s.op == "if").then_some(index);
        let branches = statements.iter().enumerate().filter_map(is_branch).collect();
        let dests = statements.iter().zip(0..);
        let by_name = dests.filter_map(|(s, index)| Some((s.dest?.name, index))).collect();
        let mut totals: HashMap<&str, u32> = HashMap::new();
        let mut occurrences = HashMap::new();
        for (index, statement) in statements.iter().enumerate().filter(|(_, statement)| !statement.is_fixed()) {
            let total = totals.entry(statement.op).or_default();
            occurrences.insert(index, *total);
            *total += 1;
        }
        let written = lines().find_map(|line| line.trim_start().strip_prefix("outputs_written:"));
        let outputs_written = written.map_or_else(Vec::new, ranges);
        let marks_uniform = statements.iter().filter_map(|s| s.dest).any(|dest| dest.uniform.is_some());
        Some(Nir {
            dialect,
            numbering,
            marks_uniform,
            statements,
            by_name,
            occurrences,
            totals,
            branches,
            regions,
            outputs_written,
        })
    }

    /// The statement that makes a value.
    pub fn made(&self, name: &str) -> Option<(usize, &Statement<'t>)> {
        let index = *self.by_name.get(name)?;
        Some((index, self.statements.get(index)?))
    }

    /// What decides between the values of a phi; none where the text does not show it.
    pub fn region(&self, index: usize) -> Option<&Region> {
        self.regions.get(&index)
    }

    /// The values that a phi's branches depend on.
    pub fn conditions(&self, index: usize) -> impl Iterator<Item = Node> {
        let branches = self.regions.get(&index).and_then(|region| self.branches.get(region.branches.clone()));
        let statements = branches.into_iter().flatten().filter_map(|index| self.statements.get(*index));
        statements.flat_map(|branch| &branch.operands).filter_map(|operand| self.nodes(operand)).flatten()
    }

    /// Of an intrinsic whose value may depend on where it stands, as on the lanes that run there or on what was stored
    /// before: how many of its name come before it, and how many there are. Forms of one module that have as many have the
    /// same ones.
    pub fn occurrence(&self, index: usize) -> Option<(u32, u32)> {
        let before = self.occurrences.get(&index)?;
        let total = self.totals.get(self.statements.get(index)?.op)?;
        Some((*before, *total))
    }

    /// The components that an operand reads.
    pub fn nodes(&self, operand: &Operand<'t>) -> Option<Vec<Node>> {
        let (index, made) = self.made(operand.name)?;
        let components = made.dest?.components;
        if operand.swizzle.is_empty() {
            return Some((0..components).map(|component| (index, component)).collect());
        }
        let letters = operand.swizzle.chars().map(|letter| Some((index, component_of(letter)?)));
        letters.collect::<Option<Vec<Node>>>()
    }

    /// A constant's component, as printed.
    pub fn constant(&self, (index, component): Node) -> Option<&'t str> {
        let made = self.statements.get(index)?;
        let all = (made.op == "load_const").then_some(&made.literals)?;
        Some(all.get(usize::from(component))?.split(' ').next().unwrap_or_default())
    }

    /// A value's first component, where it is a constant number.
    pub fn number(&self, operand: &Operand<'t>) -> Option<u32> {
        let text = self.constant(*self.nodes(operand)?.first()?)?;
        u32::from_str_radix(text.strip_prefix("0x")?, 16).ok()
    }

    /// The locations of the varyings that the shader writes by its header, in order.
    pub fn locations_written(&self) -> impl Iterator<Item = u32> + '_ {
        self.outputs_written.iter().filter_map(|number| varying(*number))
    }

    /// The locations of the varyings that its statements store; none where one of them does not say which.
    pub fn locations_stored(&self) -> Option<BTreeSet<u32>> {
        let stores = self.statements.iter().filter(|statement| statement.op == "store_output");
        let all: Option<Vec<Io>> = stores.map(Statement::io).collect();
        Some(all?.into_iter().filter_map(|io| io.location).collect())
    }
}

impl<'t> Statement<'t> {
    /// Its name without what says that it is exact, or that it does not wrap.
    pub fn name(&self) -> &'t str {
        self.op.split(['!', '.']).next().unwrap_or(self.op)
    }

    /// Whether it is the same wherever it stands: it computes, or it loads what no shader changes.
    fn is_fixed(&self) -> bool {
        !self.is_intrinsic
            || self.op.starts_with("load_") && !CHANGED.contains(&self.op)
            || COMPUTING.contains(&self.op.trim_end_matches("_fine").trim_end_matches("_coarse"))
    }

    /// Leaves out the compiler's own number of an input that has a location: it depends on which others are read.
    fn forget_number(&mut self) {
        let has_location = self.index("io location").is_some_and(|location| !location.starts_with("UNKNOWN"));
        if has_location && self.op.starts_with("load_") {
            self.indices.retain(|(name, _)| !["base", "range"].contains(name));
        }
    }

    /// Whether it reads a register or a variable, which may have had another value before: what that is, is not followed.
    pub fn reads_register(&self) -> bool {
        self.op.starts_with("load_reg")
            || self.op == "load_deref"
            || self.literals.iter().any(|literal| is_register(literal.trim_start_matches('-')))
    }

    /// A named index.
    pub fn index(&self, name: &str) -> Option<&'t str> {
        self.indices.iter().find(|(other, _)| *other == name).map(|(_, value)| *value)
    }

    /// A named index that is a number.
    pub fn number(&self, name: &str) -> Option<u32> {
        self.index(name)?.parse().ok()
    }

    /// Where it reads or writes in the interface.
    pub fn io(&self) -> Option<Io> {
        let mut words = self.index("io location")?.split(' ');
        let at = words.next()?;
        let location = match at.strip_prefix("VARYING_SLOT_VAR") {
            // Slots of another kind are not known: `VARYING_SLOT_VAR0_16BIT`.
            Some(number) => Some(number.parse().ok().filter(|location| *location < VARYINGS)?),
            None => at.parse().ok().and_then(varying),
        };
        let rest: Vec<&str> = words.collect();
        let slots = rest.iter().find_map(|word| word.strip_prefix("slots=")?.parse().ok()).unwrap_or(1);
        Some(Io { location, slots, high: rest.contains(&"high_16bits") })
    }
}

/// The location of an input or output number; none of a built-in.
fn varying(number: u32) -> Option<u32> {
    number.checked_sub(FIRST_VARYING).filter(|location| *location < VARYINGS)
}

/// Numbers and ranges of numbers: `0,32-34`.
fn ranges(text: &str) -> Vec<u32> {
    let one = |part: &str| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last) = (first.trim().parse::<u32>().ok()?, last.trim().parse::<u32>().ok()?);
        Some(first..=last.min(FIRST_VARYING + VARYINGS))
    };
    text.split(',').filter_map(one).flatten().collect()
}

/// The component of a letter: `x` to `w`, or `a` to `p` of wider values.
fn component_of(letter: char) -> Option<u8> {
    let four = "xyzw".find(letter);
    let at = four.or_else(|| ('a'..='p').position(|other| other == letter))?;
    u8::try_from(at).ok()
}

fn statement<'t>(line: &'t str, dialect: &'static Dialect) -> Option<Statement<'t>> {
    let line = line.trim();
    let made = line.split_once(" = ").filter(|(left, _)| {
        let name = left.rsplit(' ').next().unwrap_or_default();
        name.starts_with(dialect.value) && !left.contains('(')
    });
    let (dest, right) = match made {
        Some((left, right)) => (Some(dest(left)?), right.trim()),
        // Without a value only what stores matters, intrinsics and what writes a register, and what a branch depends on.
        None => match line.split_once(" = ").filter(|(left, _)| is_register(left)) {
            Some((_, right)) => (None, right.trim()),
            None => (None, (line.starts_with(dialect.intrinsic) || is_branch(line, dialect)).then_some(line)?),
        },
    };
    let (right, is_intrinsic) = match right.strip_prefix(dialect.intrinsic) {
        Some(rest) => (rest, true),
        None => (right, false),
    };
    // The type of a texture instruction precedes its name.
    let right = if right.starts_with('(') { right.split_once(')')?.1 } else { right };
    let (op, rest) = right.split_once(' ').unwrap_or((right, ""));
    let mut statement = Statement {
        dest,
        is_intrinsic,
        op,
        operands: Vec::new(),
        indices: Vec::new(),
        literals: Vec::new(),
        comment: None,
    };
    let mut rest = rest.trim();
    if is_intrinsic || op == "load_const" {
        while let Some((group, tail)) = rest.strip_prefix('(').and_then(closed) {
            if op == "load_const" {
                statement.literals.extend(split(group));
            } else if group.split(' ').next().is_some_and(|word| word.contains('=')) || group.contains("location=") {
                statement.indices.extend(split(group).filter_map(index));
            } else {
                operands(&mut statement, group, dialect);
            }
            rest = tail.trim_start();
        }
        statement.comment = comment(rest);
    } else {
        let end = [rest.find(" // "), rest.find("/*")].into_iter().flatten().min().unwrap_or(rest.len());
        operands(&mut statement, rest.get(..end).unwrap_or(rest), dialect);
    }
    Some(statement)
}

/// Whether a name is of a register, or of a part of one: `r7`, `r7.x`, `r7[ssa_3]`. Intel's forms end with some.
fn is_register(name: &str) -> bool {
    name.strip_prefix('r').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

/// Whether a line is of a branch that depends on a value: `if %7 {`.
fn is_branch(line: &str, dialect: &Dialect) -> bool {
    line.strip_prefix("if ").is_some_and(|rest| rest.starts_with(dialect.value))
}

/// The value on the left: `vec1 32 div ssa_7`, `div 32x4 %7`, `con 1 %5`.
fn dest(left: &str) -> Option<Dest<'_>> {
    let mut words = left.split_ascii_whitespace().rev();
    let name = words.next()?;
    let (mut components, mut bits, mut uniform) = (1, 32, None);
    for word in words {
        if ["con", "div"].contains(&word) {
            uniform = Some(word == "con");
        } else if let Some(count) = word.strip_prefix("vec").and_then(|count| count.parse().ok()) {
            components = count;
        } else if let Some((width, count)) = word.split_once('x') {
            (bits, components) = (width.parse().ok()?, count.parse().ok()?);
        } else if let Ok(width) = word.parse() {
            bits = width;
        }
    }
    Some(Dest { name, uniform, components: components.min(16), bits })
}

/// The contents of open parentheses, and what follows them.
fn closed(text: &str) -> Option<(&str, &str)> {
    let mut depth = 1u32;
    for (at, letter) in text.char_indices() {
        match letter {
            '(' => depth = depth.checked_add(1)?,
            ')' if depth == 1 => return Some((text.get(..at)?, text.get(at + 1..)?)),
            ')' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Parts between commas outside of parentheses.
fn split(text: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0i32;
    let between = move |letter: char| {
        depth += i32::from(letter == '(') - i32::from(letter == ')');
        letter == ',' && depth == 0
    };
    text.split(between).map(str::trim).filter(|part| !part.is_empty())
}

fn operands<'t>(statement: &mut Statement<'t>, text: &'t str, dialect: &Dialect) {
    // The way to a phi: `b1: %5`. They are taken in the order of the blocks that they come from.
    let way = |part: &'t str| part.split_once(": ").map_or(("", part), |(block, value)| (block, value));
    let mut parts: Vec<(&str, &str)> = split(text).map(way).collect();
    let number = |block: &str| block.trim_start_matches(|c: char| !c.is_ascii_digit()).parse::<u32>().ok();
    parts.sort_by_key(|(block, _)| number(block));
    for (_, part) in parts {
        let text = part.trim_start_matches(['-', '|']);
        let text = text.strip_prefix("abs(").unwrap_or(text);
        if let Some(path) = text.strip_prefix('&').filter(|path| path.contains(dialect.value)) {
            pointer(statement, path, dialect);
            continue;
        }
        if !text.starts_with(dialect.value) {
            statement.literals.push(part);
            continue;
        }
        // Its constant value, or its role in a texture instruction, stands after it.
        let word = text.split([' ', ')', '|']).next().unwrap_or_default();
        let (name, swizzle) = word.split_once('.').unwrap_or((word, ""));
        statement.operands.push(Operand { name, swizzle, plain: part.starts_with(dialect.value) });
    }
}

/// Takes a pointer into a variable: `(*%18)[%68] (function_temp float)`, `%0->world (push_const mat4)`.
fn pointer<'t>(statement: &mut Statement<'t>, path: &'t str, dialect: &Dialect) {
    let end = path.rfind([']', '>']).map_or(0, |at| at + 1);
    let (values, rest) = path.split_at_checked(end).unwrap_or((path, ""));
    let names = values.split(|c: char| !(c.is_ascii_alphanumeric() || ['%', '_'].contains(&c)));
    let names = names.filter(|name| name.starts_with(dialect.value));
    statement.operands.extend(names.map(|name| Operand { name, swizzle: "", plain: true }));
    statement.literals.push(rest.trim());
}

/// A named index, without the number that some versions print after its name.
fn index(part: &str) -> Option<(&str, &str)> {
    let (name, value) = part.split_once('=')?;
    Some((name.trim(), value.split(" /*").next()?.trim()))
}

fn comment(rest: &str) -> Option<&str> {
    let rest = rest.trim();
    let name = match rest.strip_prefix("/*") {
        Some(inner) => inner.strip_suffix("*/")?,
        None => rest.strip_prefix("//")?,
    };
    Some(name.trim()).filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The statement of a line, in the dialect that has it: another one does not know its values, or its intrinsics.
    fn one(line: &str) -> Statement<'_> {
        let all = DIALECTS.iter().filter_map(|dialect| statement(line, dialect));
        all.max_by_key(|one| (one.is_intrinsic, one.operands.len())).expect("a statement")
    }

    #[test]
    fn reads_loads_of_both_dialects_alike() {
        let old = one("\tvec1 16 div ssa_7 = intrinsic load_interpolated_input (ssa_1, ssa_2) (base=3, component=1, \
                       dest_type=float16 /*144*/, io location=35 slots=1 /*163*/)\t/* a */");
        let new = one("    div 16    %7 = @load_interpolated_input (%1, %2 (0x0)) (base=3, component=1, \
                       dest_type=float16, io location=VARYING_SLOT_VAR3 slots=1)  // a");
        let flat = |s: &Statement<'_>| {
            let dest = s.dest.map(|dest| (dest.components, dest.bits));
            (s.op.to_owned(), dest, s.operands.len(), s.number("base"), s.number("component"), s.io())
        };
        assert_eq!(flat(&old), flat(&new));
        // With debug information Mesa 26 names values as Mesa 22 does.
        let line = "    div 16 ssa_7 = @load_interpolated_input (ssa_1, ssa_2 (0x0)) (base=3, component=1, \
                    dest_type=float16, io location=VARYING_SLOT_VAR3 slots=1 no_signed_zero)  // a";
        assert_eq!(flat(&one(line)), flat(&new));
        let text = format!("shader: MESA_SHADER_FRAGMENT\n    con 32 ssa_2 = load_const (0x00000000)\n{line}\n");
        let read = Nir::read(&text).expect("a form");
        assert_eq!(read.statements.iter().map(|s| s.is_intrinsic).collect::<Vec<_>>(), [false, true]);
        let number = read.statements.last().and_then(|load| read.number(load.operands.get(1)?));
        assert_eq!(number, Some(0), "its operands are known");
        assert_eq!((old.comment, new.comment), (Some("a"), Some("a")));
        assert_eq!(new.io(), Some(Io { location: Some(3), slots: 1, high: false }));
        let high = one("con 16x2 %9 = @load_input (%1 (0x0)) (base=2, range=0, component=0, dest_type=float16, \
                        io location=VARYING_SLOT_VAR2 slots=1 high_16bits no_signed_zero)  // s.parts[1]");
        assert_eq!(high.io(), Some(Io { location: Some(2), slots: 1, high: true }));
        assert_eq!((high.comment, high.dest.map(|d| (d.components, d.bits))), (Some("s.parts[1]"), Some((2, 16))));
        let built_in =
            one("div 32 %9 = @load_input (%1 (0x0)) (base=2, io location=VARYING_SLOT_PRIMITIVE_ID slots=1)");
        assert_eq!(built_in.io().map(|io| io.location), Some(None));
    }

    #[test]
    fn reads_stores_without_a_result() {
        let old = one("\tintrinsic store_output (ssa_6, ssa_1) (base=33, wrmask=xyz /*7*/, component=0)");
        assert_eq!((old.op, old.operands.len(), old.index("wrmask")), ("store_output", 2, Some("xyz")));
        let new = one("   @export_amd (%106) (target=32, enabled_channels=15, flags=0)");
        assert_eq!((new.op, new.operands.len(), new.number("target")), ("export_amd", 1, Some(32)));
        let none = one("   @barrier (execution_scope=WORKGROUP, mem_modes=shader_out|image)");
        assert_eq!((none.op, none.operands.len(), none.indices.len()), ("barrier", 0, 2));
        let masked = one("   @store_buffer_amd (%119, %122, %104 (0x0), %126, %118) (base=16, wrmask=xyzw)");
        assert_eq!((masked.operands.len(), masked.number("base")), (5, Some(16)));
    }

    #[test]
    fn reads_arithmetic() {
        let text = "shader: MESA_SHADER_VERTEX\noutputs_written: 0,21,32-34\n\
            con 32x2 %3 = load_const (0x00000001, 0x3f800000 = 1.000000 = 1065353216)\n\
            div 32x8 %4 = @load_smem_amd (%2, %1 (0x40)) (align_mul=4, align_offset=0)\n\
            div 32 %5 = ffma %4.h, -%3.y (1.000000), %4.a // exact\n\
            con 32 %6 = undefined\n\
            div 32 %7 = phi b1: %5, b2: %6\n\
            div 32x4 %8 = (float32)tex %4 (texture_handle), %5 (coord), 0 (texture)\n\
            if %7 {\n";
        let nir = Nir::read(text).expect("a form");
        assert_eq!(nir.statements.len(), 7, "and the branch");
        assert_eq!(nir.locations_written().collect::<Vec<_>>(), [0, 1, 2]);
        let made = nir.made("%5").expect("it is made").1;
        assert_eq!(
            made.operands.iter().map(|o| (o.name, o.swizzle, o.plain)).collect::<Vec<_>>(),
            [("%4", "h", true), ("%3", "y", false), ("%4", "a", true)]
        );
        assert_eq!(nir.nodes(&made.operands[0]), Some(vec![(1, 7)]));
        assert_eq!(
            [nir.constant((0, 0)), nir.constant((0, 1)), nir.constant((0, 2))],
            [Some("0x00000001"), Some("0x3f800000"), None]
        );
        assert_eq!(nir.made("%7").map(|(_, s)| s.operands.len()), Some(2));
        assert_eq!(nir.made("%8").map(|(_, s)| (s.op, s.operands.len(), s.literals.len())), Some(("tex", 2, 1)));
        assert!(Nir::read("BB0:\n\ts_endpgm\n").is_none());
    }

    #[test]
    fn registers_and_pointers_are_read() {
        let one = |line: &str| {
            let made = one(line);
            let names: Vec<String> = made.operands.iter().map(|operand| operand.name.to_owned()).collect();
            (made.dest.is_some(), names.join(" "), made.literals.join(" "), made.reads_register())
        };
        let of = |dest, operands: &str, literals: &str, reads| (dest, operands.to_owned(), literals.to_owned(), reads);
        assert_eq!(one("r7 = iadd r7, ssa_9"), of(false, "ssa_9", "r7", true));
        assert_eq!(one("r7[ssa_3] = mov ssa_9"), of(false, "ssa_9", "", false));
        assert_eq!(one("div 32 %8 = @load_reg (%7) (base=0)"), of(true, "%7", "", true));
        let pointer = "32 %5 = deref_array &(*%18)[%68] (function_temp float)  // &in@layers-temp[%68]";
        assert_eq!(one(pointer), of(true, "%18 %68", "(function_temp float)", false));
        let member = one("32 %1 = deref_struct &%0->world (push_const mat4x16a0B)  // &draw.world");
        assert_eq!(member, of(true, "%0", "world (push_const mat4x16a0B)", false));
    }

    #[test]
    fn inputs_that_have_a_location_have_no_other_number() {
        let text = "shader: MESA_SHADER_VERTEX\n\
            32x4 %1 = @load_input (%0) (base=3, component=0, io location=VERT_ATTRIB_GENERIC2 slots=1)\n\
            32 %2 = @load_input (%0) (base=4, component=1, io location=UNKNOWN slots=1)\n";
        let numbers = |numbering| {
            let nir = Nir::numbered(text, numbering).expect("a form");
            nir.statements.iter().map(|statement| statement.number("base")).collect::<Vec<_>>()
        };
        assert_eq!(numbers(Numbering::Attributes), [Some(3), Some(4)]);
        assert_eq!(numbers(Numbering::Locations), [None, Some(4)]);
        let slot = one("32 %1 = @load_input (%0) (component=0, io location=VARYING_SLOT_VAR0_16BIT slots=1)");
        assert_eq!(slot.io(), None, "a slot of another kind");
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_read(text in "(shader: MESA_SHADER_\n)?([%@=(), \n./*a-z0-9éssa_-]|intrinsic |load_const |vec4 |32x){0,200}") {
            if let Some(nir) = Nir::read(&text) {
                for statement in &nir.statements {
                    _ = statement.io();
                    statement.operands.iter().for_each(|operand| _ = nir.nodes(operand));
                }
            }
        }
    }
}
