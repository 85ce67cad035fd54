//! The push constant block of a program, and its members by name: `float scale=2; uvec2 size=8,8`.

use std::ops::ControlFlow;

use serde_json::Value;

use super::values::{NamedType, listed, number};
use super::{Blob, MAX_PUSH_CONSTANTS, PushBytes};
use lanescope_base::text_format::counted;
use lanescope_model::program::{Program, StageKind};
use lanescope_spirv::enums::StorageClass;
use lanescope_spirv::shape::{self, Field, Leaf, Shape, leaf_of, path as path_of};
use lanescope_spirv::{EntryPoint, Module};

/// Names that an error suggests.
const SUGGESTED: usize = 4;

/// A push constant block of a stage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PushBlock {
    /// The stage that has it.
    pub stage: Option<StageKind>,
    /// The variable's name.
    pub variable: Option<String>,
    /// Its type.
    pub shape: Shape,
}

/// The part of a block that a path is of.
enum Part<'s> {
    Whole(&'s Shape, u64),
    Leaf(Leaf),
}

impl PushBlock {
    /// The blocks that the entry points of a program use, in their order.
    pub fn of(program: &Program) -> Vec<PushBlock> {
        let mut out: Vec<PushBlock> = Vec::new();
        for stage in &program.stages {
            let module = program.module_of(stage);
            let Some(entry) = module.entry_points().get(stage.entry_index) else { continue };
            out.extend(PushBlock::of_entry(module, entry));
        }
        out
    }

    /// The blocks that an entry point uses: one in a valid module.
    pub fn of_entry(module: &Module, entry: &EntryPoint) -> Vec<PushBlock> {
        let used = module.ids_used_by(entry);
        let one = |inst: lanescope_spirv::Inst<'_>| {
            let id = inst.result().filter(|id| inst.is_variable() && used.contains(id))?;
            if inst.word_at(3) != StorageClass::PushConstant as u32 {
                return None;
            }
            let shape = Shape::of(module, module.pointee(id)?);
            Some(PushBlock { stage: entry.stage, variable: module.name(id).map(str::to_owned), shape })
        };
        module.globals().filter_map(one).collect()
    }

    /// Its size in bytes.
    pub fn bytes(&self) -> u64 {
        self.shape.bytes().checked_next_multiple_of(4).unwrap_or(u64::MAX)
    }

    /// Its members that have numbers, with the names of their types: `light.color` is `float32x3`.
    pub fn members(&self) -> Vec<(String, String)> {
        let ty = |path: &String| self.find(path).ok().flatten().map(|part| part.type_name());
        self.paths().into_iter().filter_map(|path| Some((path.clone(), ty(&path)?))).collect()
    }

    /// Visits its numbers, vectors and columns with their paths and their values in these contents.
    pub fn visit(&self, contents: &[u8], mut visitor: impl FnMut(String, &Leaf, Vec<Value>)) {
        self.shape.visit((contents.len() as u64).min(MAX_PUSH_CONSTANTS), |steps, leaf| {
            visitor(path_of(steps), leaf, leaf.values(contents));
            ControlFlow::Continue(())
        });
    }

    /// The part of a path; without the variable's name before it, or with it. None where it has no such member.
    fn find(&self, path: &str) -> Result<Option<Part<'_>>, String> {
        let steps = steps(path)?;
        let member = |steps: &[Step<'_>]| matches!((steps.first(), &self.shape), (Some(Step::Member(name)), Shape::Struct { members }) if has(members, name));
        let steps = match steps.split_first() {
            Some((Step::Member(first), rest)) if !member(&steps) && self.variable.as_deref() == Some(*first) => rest,
            _ => &steps,
        };
        walk(&self.shape, steps, path)
    }

    /// Paths of all numbers, without the components of vectors.
    fn paths(&self) -> Vec<String> {
        let mut out = Vec::new();
        self.shape.visit(MAX_PUSH_CONSTANTS, |steps, _| {
            let mut steps = steps.to_vec();
            // Columns and elements are not named one by one.
            while matches!(steps.last(), Some(shape::Step::Index(_))) {
                steps.pop();
            }
            let path = path_of(&steps);
            if out.last() != Some(&path) {
                out.push(path);
            }
            ControlFlow::Continue(())
        });
        out
    }
}

fn has(members: &[Field], name: &str) -> bool {
    members.iter().any(|member| member.name == name)
}

/// A step of a path that was typed.
enum Step<'t> {
    Member(&'t str),
    Index(u32),
}

/// The steps of `lights[2].color`.
fn steps(path: &str) -> Result<Vec<Step<'_>>, String> {
    let wrong = || format!("`{path}` is not a member: expected for example scale, light.color or rows[1]");
    let mut out = Vec::new();
    for part in path.split('.') {
        let (name, mut rest) = part.split_at(part.find('[').unwrap_or(part.len()));
        if name.is_empty() || name.contains(|c: char| c.is_whitespace() || c == ']') {
            return Err(wrong());
        }
        out.push(Step::Member(name));
        while !rest.is_empty() {
            let inner = rest.strip_prefix('[').and_then(|rest| rest.split_once(']')).ok_or_else(wrong)?;
            out.push(Step::Index(inner.0.trim().parse().map_err(|_| wrong())?));
            rest = inner.1;
        }
    }
    Ok(out)
}

fn walk<'s>(block: &'s Shape, steps: &[Step<'_>], path: &str) -> Result<Option<Part<'s>>, String> {
    let past = |index: u32, count: u32| format!("`{path}`: index {index} is past the end, there are {count}");
    let mut at = Part::Whole(block, 0);
    for step in steps {
        at = match (at, step) {
            (Part::Whole(Shape::Struct { members }, offset), Step::Member(name)) => {
                match members.iter().find(|member| member.name == *name) {
                    Some(member) => Part::Whole(&member.shape, offset.saturating_add(u64::from(member.offset))),
                    None => return Ok(None),
                }
            }
            (Part::Whole(Shape::Array { element, count, stride }, offset), Step::Index(index)) => {
                if let Some(count) = count.filter(|count| index >= count) {
                    return Err(past(*index, count));
                }
                Part::Whole(element, offset.saturating_add(u64::from(*index) * u64::from(*stride)))
            }
            (Part::Whole(shape @ Shape::Matrix { columns, .. }, offset), Step::Index(index)) => {
                Part::Leaf(leaf_of(shape, offset, u64::from(*index)).ok_or_else(|| past(*index, *columns))?)
            }
            (Part::Whole(shape @ Shape::Vector { .. }, offset), step) => match leaf_of(shape, offset, 0) {
                Some(leaf) => Part::Leaf(component(leaf, step, past)?.ok_or_else(|| no_part(path))?),
                None => return Err(no_part(path)),
            },
            (Part::Leaf(leaf), step) if leaf.count > 1 => {
                Part::Leaf(component(leaf, step, past)?.ok_or_else(|| no_part(path))?)
            }
            _ => return Err(no_part(path)),
        };
    }
    Ok(Some(at))
}

fn no_part(path: &str) -> String {
    format!("`{path}`: the last part is not a member, an element or a component of what is before it")
}

/// A component of a vector, by index or by letter.
fn component(leaf: Leaf, step: &Step<'_>, past: impl Fn(u32, u32) -> String) -> Result<Option<Leaf>, String> {
    let index = match step {
        Step::Index(index) => *index,
        Step::Member(name) => match ["xyzw", "rgba", "stpq"].iter().find_map(|letters| letters.find(*name)) {
            Some(index) if name.len() == 1 => index as u32,
            _ => return Ok(None),
        },
    };
    if index >= leaf.count {
        return Err(past(index, leaf.count));
    }
    let offset = leaf.offset.saturating_add(u64::from(leaf.stride) * u64::from(index));
    Ok(Some(Leaf { offset, count: 1, ..leaf }))
}

impl Part<'_> {
    /// Its numbers, in order.
    fn leaves(&self) -> Vec<Leaf> {
        let mut out = Vec::new();
        match self {
            Part::Leaf(leaf) => out.push(*leaf),
            Part::Whole(shape, offset) => shape.visit(MAX_PUSH_CONSTANTS, |_, leaf| {
                out.push(Leaf { offset: leaf.offset.saturating_add(*offset), ..*leaf });
                ControlFlow::Continue(())
            }),
        }
        out
    }

    fn type_name(&self) -> String {
        match self {
            Part::Whole(shape, _) => shape.name(),
            Part::Leaf(Leaf { scalar, count: 1, .. }) => scalar.to_string(),
            Part::Leaf(Leaf { scalar, count, .. }) => format!("{scalar}x{count}"),
        }
    }

    /// Whether a named type is its own.
    fn is(&self, ty: NamedType) -> bool {
        let (scalar, rows, columns) = match self {
            Part::Whole(Shape::Array { element, .. }, offset) => return Part::Whole(element, *offset).is(ty),
            Part::Whole(Shape::Scalar(scalar), _) => (*scalar, 1, 1),
            Part::Whole(Shape::Vector { scalar, count }, _) => (*scalar, *count, 1),
            Part::Whole(Shape::Matrix { scalar, columns, rows, .. }, _) => (*scalar, *rows, *columns),
            Part::Whole(..) => return false,
            Part::Leaf(leaf) => (leaf.scalar, leaf.count, 1),
        };
        (scalar, rows, columns) == (ty.scalar, ty.rows, ty.columns)
    }
}

/// Push constants by the names of the members of a program's blocks, separated by semicolons or lines; a type before a name is
/// checked. Lines that begin with `#` or `//` are left out.
///
/// # Errors
/// A program without push constants; an unknown member, with the names that it has; another type, another count of values; a
/// name that two stages have for different bytes.
pub fn assigned(blocks: &[PushBlock], text: &str) -> Result<Vec<PushBytes>, String> {
    let lines = text.lines().map(str::trim).filter(|line| !line.starts_with('#') && !line.starts_with("//"));
    let items = lines.flat_map(|line| line.split(';')).map(str::trim).filter(|item| !item.is_empty());
    let mut out = Vec::new();
    for item in items {
        if blocks.is_empty() {
            return Err("the program has no push constant block".to_owned());
        }
        let (name, values) =
            item.split_once('=').ok_or_else(|| format!("`{item}`: expected NAME=VALUE or TYPE NAME=VALUE"))?;
        let (ty, path) = match name.trim().rsplit_once(char::is_whitespace) {
            Some((ty, path)) => {
                let ty = ty.trim();
                let known = NamedType::named(ty).ok_or_else(|| format!("`{item}`: `{ty}` is not a type of numbers"))?;
                (Some((ty, known)), path)
            }
            None => (None, name.trim()),
        };
        let leaves = found(blocks, path, ty)?;
        put(&leaves, path, &listed(values), &mut out)?;
    }
    Ok(out)
}

/// The numbers that a path names.
fn found(blocks: &[PushBlock], path: &str, ty: Option<(&str, NamedType)>) -> Result<Vec<Leaf>, String> {
    let mut found: Option<Vec<Leaf>> = None;
    for block in blocks {
        let Some(part) = block.find(path)? else { continue };
        if let Some((name, ty)) = ty
            && !part.is(ty)
        {
            return Err(format!("`{path}` is {}, not {name}", part.type_name()));
        }
        let leaves = part.leaves();
        match &found {
            Some(other) if *other != leaves => {
                return Err(format!("`{path}`: two stages have this name for different bytes; use --push-hex"));
            }
            _ => found = Some(leaves),
        }
    }
    found.ok_or_else(|| unknown(blocks, path))
}

fn unknown(blocks: &[PushBlock], path: &str) -> String {
    let mut names: Vec<String> = blocks.iter().flat_map(PushBlock::paths).collect();
    names.sort();
    names.dedup();
    let all = names.len();
    if all > SUGGESTED {
        let near = |name: &String| strsim::jaro_winkler(name, path);
        names.sort_by(|a, b| near(b).total_cmp(&near(a)));
        names.truncate(SUGGESTED);
        return format!("no push constant `{path}`; the nearest of {all} are {}", names.join(", "));
    }
    format!("no push constant `{path}`; there are {}", names.join(", "))
}

fn put(leaves: &[Leaf], path: &str, values: &[&str], out: &mut Vec<PushBytes>) -> Result<(), String> {
    let places = || leaves.iter().flat_map(|leaf| leaf.offsets().map(|offset| (leaf.scalar, offset)));
    let count = places().count();
    if count != values.len() {
        let (wanted, has) = (counted(count, "value"), values.len());
        return Err(format!("`{path}`: {wanted} expected, {has} found"));
    }
    for ((scalar, offset), value) in places().zip(values) {
        let bits = number(scalar, value).map_err(|why| format!("`{path}`: {why}"))?;
        let bytes = &bits.to_le_bytes()[..scalar.bytes() as usize];
        let offset = u32::try_from(offset).unwrap_or(u32::MAX);
        match out.last_mut() {
            Some(PushBytes { offset: first, bytes: Blob(known) })
                if *first as usize + known.len() == offset as usize =>
            {
                known.extend(bytes);
            }
            _ => out.push(PushBytes { offset, bytes: Blob(bytes.to_vec()) }),
        }
    }
    Ok(())
}

/// Push constants as hexadecimal digits, from the beginning or from an offset: `00000040`, `16:0a000000`.
///
/// # Errors
/// What is not pairs of hexadecimal digits; more bytes than any block has.
pub fn from_hex(text: &str) -> Result<PushBytes, String> {
    let wrong = || format!("`{text}`: expected pairs of hexadecimal digits, or OFFSET:DIGITS");
    let (offset, digits) = match text.split_once(':') {
        Some((offset, digits)) => (offset.trim().parse().map_err(|_| wrong())?, digits),
        None => (0, text),
    };
    let digits: Vec<u32> = digits
        .chars()
        .filter(|c| !c.is_whitespace())
        .map(|c| c.to_digit(16))
        .collect::<Option<_>>()
        .ok_or_else(wrong)?;
    if digits.is_empty() || !digits.len().is_multiple_of(2) {
        return Err(wrong());
    }
    if digits.len() as u64 / 2 > MAX_PUSH_CONSTANTS {
        return Err(format!("{} bytes of push constants: at most {MAX_PUSH_CONSTANTS} are taken", digits.len() / 2));
    }
    let bytes = digits.chunks(2).map(|pair| (pair[0] << 4 | pair[1]) as u8).collect();
    Ok(PushBytes { offset, bytes: Blob(bytes) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanescope_testing::program;

    const SHADER: &str = "struct Light { vec3 color; float power; };
        layout(push_constant) uniform P { float scale; uvec2 size; Light lights[2]; mat3x2 m; } pc;
        layout(binding = 0) buffer B { float x; };
        void main() { x = pc.scale * pc.lights[1].power + pc.size.x + pc.m[0][0]; }";

    fn blocks() -> Vec<PushBlock> {
        PushBlock::of(&program(&[("comp", SHADER)]))
    }

    fn bytes(text: &str) -> Result<Vec<(u32, Vec<u32>)>, String> {
        let word = |four: &[u8]| four.iter().rev().fold(0, |word, byte| word << 8 | u32::from(*byte));
        let words = |given: PushBytes| (given.offset, given.bytes.0.chunks(4).map(word).collect());
        Ok(assigned(&blocks(), text)?.into_iter().map(words).collect())
    }

    #[test]
    fn members_are_named() {
        assert_eq!(blocks()[0].bytes(), 72);
        let two = 2f32.to_bits();
        assert_eq!(bytes("float scale=2; uvec2 size=8,9"), Ok(vec![(0, vec![two]), (8, vec![8, 9])]));
        assert_eq!(bytes("pc.scale = 2"), Ok(vec![(0, vec![two])]));
        assert_eq!(
            bytes("# a line\nlights[1].color=0 2 0\nsize[1]=3\n"),
            Ok(vec![(32, vec![0, two, 0]), (12, vec![3])])
        );
        assert_eq!(bytes("lights[0].color.y=2; size.x=1"), Ok(vec![(20, vec![two]), (8, vec![1])]));
        assert_eq!(bytes("m[1]=2,0"), Ok(vec![(56, vec![two, 0])]));
        assert_eq!(bytes("m[2][1]=2"), Ok(vec![(68, vec![two])]));
        assert_eq!(bytes("lights=0,0,0,2,0,0,0,2").map(|all| all[0].1.len()), Ok(8));
        assert_eq!(bytes("mat3x2 m=0,0,0,0,0,2").map(|all| all[0].0), Ok(48));
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        for (text, why) in [
            ("scal=2", "no push constant `scal`; the nearest of 7 are scale"),
            ("lights[2].power=1", "index 2 is past the end, there are 2"),
            ("size=1", "2 values expected, 1 found"),
            ("uvec3 size=1,2,3", "`size` is uint32x2, not uvec3"),
            ("float size.x=1", "`size.x` is uint32, not float"),
            ("size=1,-2", "does not fit"),
            ("scale", "expected NAME=VALUE"),
            ("scale.x=1", "last part"),
            ("size.xy=1,2", "last part"),
            ("thing scale=1", "not a type"),
            ("lights[=1", "is not a member"),
            ("m[3]=1,2", "there are 3"),
        ] {
            assert!(bytes(text).is_err_and(|error| error.contains(why)), "{text}: {:?}", bytes(text));
        }
        assert!(assigned(&[], "scale=1").is_err_and(|why| why.contains("no push constant block")));
        assert_eq!(assigned(&[], "  "), Ok(Vec::new()));
    }

    #[test]
    fn one_name_for_different_bytes_is_refused() {
        let stage = |offset: u32| {
            format!(
                "layout(push_constant) uniform P {{ layout(offset = {offset}) float a; layout(offset = 32) float b; }};
                 layout(location = 0) out float o; void main() {{ o = a + b; gl_Position = vec4(a); }}"
            )
        };
        let fragment = stage(16).replace("gl_Position = vec4(a);", "");
        let program = program(&[("vert", &stage(0)), ("frag", &fragment)]);
        let blocks = PushBlock::of(&program);
        assert!(assigned(&blocks, "a=1").is_err_and(|why| why.contains("different bytes")));
        assert_eq!(assigned(&blocks, "b=1").map(|all| all[0].offset), Ok(32));
    }

    #[test]
    fn hexadecimal_digits_are_bytes() {
        assert_eq!(from_hex("0a0B"), Ok(PushBytes { offset: 0, bytes: Blob(vec![10, 11]) }));
        assert_eq!(from_hex("16: 00 ff"), Ok(PushBytes { offset: 16, bytes: Blob(vec![0, 255]) }));
        for wrong in ["", "0", "0g", "x:00", ":00", "-1:00"] {
            assert!(from_hex(wrong).is_err(), "{wrong}");
        }
        assert!(from_hex(&"00".repeat(5000)).is_err_and(|why| why.contains("at most")));
    }
}
