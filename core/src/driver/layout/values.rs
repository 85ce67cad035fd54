//! What the stage before writes, as the driver's intermediate form (Mesa's NIR) of that stage alone has it: constants,
//! and values that are written twice.

use std::collections::{BTreeMap, BTreeSet};

/// What a component of an output carries.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Carries {
    /// A number, as printed.
    Constant(String),
    /// A component of a computed value: its name there, and which.
    Computed(String, usize),
}

/// The values of the outputs, by location and component as the module has them.
#[derive(Debug, Default)]
pub(super) struct Written {
    /// The value, and how many stores come before it.
    values: BTreeMap<(u32, u8), (Carries, usize)>,
}

/// Where varyings begin among the driver's output numbers, and how many there are.
const FIRST: u32 = 32;
const COUNT: u32 = 32;
/// Bytes of one slot of a wave in the buffer of attributes: 16 for each of 32 lanes.
const SLOT_BYTES: usize = 16 * 32;
/// The most names that a value is followed through: moves of moves.
const MAX_STEPS: usize = 64;

impl Written {
    /// The outputs of a text: `intrinsic store_output (ssa_44, ssa_1) (base=33, wrmask=xy /*3*/, component=0, …`. From
    /// GFX11 on they are stores to a buffer, whose slots stand in the order of `locations`.
    pub fn of(text: &str, locations: &BTreeSet<u32>) -> Written {
        let mut values: BTreeMap<&str, &str> = BTreeMap::new();
        let mut out = BTreeMap::new();
        for line in text.lines() {
            if let Some((left, right)) = line.split_once(" = ")
                && let Some(name) = left.split_ascii_whitespace().last().filter(|name| name.starts_with("ssa_"))
            {
                values.entry(name).or_insert(right);
                continue;
            }
            let stored = store(line).or_else(|| buffered(line, &values, locations));
            let Some((value, location, mask, first)) = stored else { continue };
            // Bits of the mask count from the value's first component, which goes to the first channel.
            for written in mask {
                let Some(channel) = first.checked_add(written).filter(|channel| *channel < 4) else { continue };
                let position = out.len();
                match follow(&values, value, usize::from(written)) {
                    // Written on several ways through the shader: no one value.
                    _ if out.contains_key(&(location, channel)) => _ = out.insert((location, channel), None),
                    carries => _ = out.insert((location, channel), carries.map(|carries| (carries, position))),
                }
            }
        }
        Written { values: out.into_iter().filter_map(|(place, carries)| Some((place, carries?))).collect() }
    }

    /// What a place carries.
    pub fn get(&self, location: u32, component: u8) -> Option<&Carries> {
        self.values.get(&(location, component)).map(|(carries, _)| carries)
    }

    /// How many stores come before that of a place.
    pub fn position(&self, location: u32, component: u8) -> Option<usize> {
        self.values.get(&(location, component)).map(|(_, position)| *position)
    }
}

/// The value, the location, the value's components that are written, and the first channel that they go to.
fn store(line: &str) -> Option<(&str, u32, Vec<u8>, u8)> {
    let rest = line.trim_start().strip_prefix("intrinsic store_output (")?;
    let value = rest.split([',', ')']).next()?;
    let field = |name: &str| rest.split_once(name)?.1.split([' ', ',', ')']).next();
    let location = field("base=")?.parse::<u32>().ok()?.checked_sub(FIRST).filter(|location| *location < COUNT)?;
    let mask = field("wrmask=")?.chars().map(|c| u8::try_from("xyzw".find(c)?).ok()).collect::<Option<Vec<u8>>>()?;
    Some((value, location, mask, field("component=")?.parse().ok()?))
}

/// The same of a store to the buffer of attributes: `intrinsic store_buffer_amd (VALUE, buffer, 0, OFFSET, lane) (…`.
fn buffered<'t>(
    line: &'t str,
    values: &BTreeMap<&str, &str>,
    locations: &BTreeSet<u32>,
) -> Option<(&'t str, u32, Vec<u8>, u8)> {
    let rest = line.trim_start().strip_prefix("intrinsic store_buffer_amd (")?;
    let (operands, fields) = rest.split_once(')')?;
    let mut operands = operands.split(", ");
    let (value, offset) = (operands.next()?, operands.nth(2)?);
    if !fields.contains("mem_modes=shader_out") {
        return None;
    }
    // The first slot's offset is what all others add to.
    let bytes = match values.get(offset).and_then(|made| made.strip_prefix("iadd ")) {
        Some(sum) => match follow(values, sum.split(", ").nth(1)?, 0)? {
            Carries::Constant(hex) => usize::from_str_radix(hex.strip_prefix("0x")?, 16).ok()?,
            Carries::Computed(..) => return None,
        },
        None => 0,
    };
    let location = locations.iter().nth(bytes / SLOT_BYTES)?;
    Some((value, *location, vec![0, 1, 2, 3], 0))
}

/// A component of a value, through moves and vectors put together.
fn follow(values: &BTreeMap<&str, &str>, value: &str, component: usize) -> Option<Carries> {
    let (mut name, mut component) = (value.to_owned(), component);
    for _ in 0..MAX_STEPS {
        let Some(made) = values.get(name.as_str()) else { return Some(Carries::Computed(name, component)) };
        let (op, rest) = made.split_once(' ').unwrap_or((made, ""));
        let source = match op {
            "load_const" => {
                let all = rest.trim_start_matches('(').split(", ").nth(component)?;
                return Some(Carries::Constant(all.split([' ', ')']).next()?.to_owned()));
            }
            "vec2" | "vec3" | "vec4" => rest.split(", ").nth(component)?,
            "mov" => rest,
            "undefined" => return None,
            // Lanes that do not run leave nothing.
            "phi" => {
                let all = rest.split(", ").filter_map(|way| way.split_once(": ")).map(|(_, value)| value.trim());
                let defined: BTreeSet<&str> = all.filter(|v| values.get(v).is_none_or(|m| *m != "undefined")).collect();
                let mut defined = defined.into_iter();
                match (defined.next(), defined.next()) {
                    (Some(one), None) => {
                        name = one.to_owned();
                        continue;
                    }
                    _ => return Some(Carries::Computed(name, component)),
                }
            }
            _ => return Some(Carries::Computed(name, component)),
        };
        let source = source.trim();
        let (from, swizzle) = source.split_once('.').unwrap_or((source, ""));
        let letter = if op == "mov" { component } else { 0 };
        component = match swizzle.chars().nth(letter) {
            Some(letter) => "xyzw".find(letter)?,
            None => letter,
        };
        name = from.to_owned();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_followed_to_where_they_are_made() {
        let text = "\tvec4 32 div ssa_4 = intrinsic load_buffer_amd (ssa_1) (base=0)\n\
            \tvec1 32 con ssa_5 = load_const (0x3f800000 = 1.000000)\n\
            \tvec3 32 div ssa_6 = vec3 ssa_4.y, ssa_5, ssa_4.x\n\
            \tvec2 32 div ssa_7 = mov ssa_4.yx\n\
            \tintrinsic store_output (ssa_6, ssa_1) (base=33, wrmask=xyz /*7*/, component=0, src_type=float32)\n\
            \tintrinsic store_output (ssa_7, ssa_1) (base=34, wrmask=xy /*3*/, component=2, src_type=float32)\n\
            \tintrinsic store_output (ssa_7, ssa_1) (base=0, wrmask=xy /*3*/, component=0, src_type=float32)\n\
            \tintrinsic store_output (ssa_5, ssa_1) (base=35, wrmask=x /*1*/, component=0, src_type=float32)\n\
            \tintrinsic store_output (ssa_4, ssa_1) (base=35, wrmask=x /*1*/, component=0, src_type=float32)\n";
        let written = Written::of(text, &BTreeSet::new());
        let of = |component| Some(Carries::Computed("ssa_4".to_owned(), component));
        let one = Some(Carries::Constant("0x3f800000".to_owned()));
        let at = |location, component| written.get(location, component).cloned();
        assert_eq!([at(1, 0), at(1, 1), at(1, 2)], [of(1), one, of(0)]);
        assert_eq!([at(2, 0), at(2, 2), at(2, 3)], [None, of(1), of(0)]);
        assert_eq!(at(3, 0), None, "two stores");
    }

    #[test]
    fn stores_to_the_buffer_of_attributes_are_slots_in_order() {
        let text = "\tvec1 32 con ssa_1 = load_const (0x00000000 = 0.000000)\n\
            \tvec1 32 con ssa_2 = undefined\n\
            \tvec1 32 div ssa_3 = phi block_1: ssa_1, block_2: ssa_2\n\
            \tvec1 32 con ssa_70 = ishl ssa_68, ssa_69\n\
            \tvec1 32 con ssa_71 = load_const (0x00000200 = 0.000000)\n\
            \tvec1 32 con ssa_72 = iadd ssa_70, ssa_71\n\
            \tvec4 32 div ssa_77 = vec4 ssa_3, ssa_4, ssa_2, ssa_2\n\
            \tintrinsic store_buffer_amd (ssa_77, ssa_76, ssa_1, ssa_70, ssa_71) (base=0, mem_modes=shader_out /*8*/)\n\
            \tintrinsic store_buffer_amd (ssa_77, ssa_76, ssa_1, ssa_72, ssa_71) (base=0, mem_modes=shader_out /*8*/)\n\
            \tintrinsic store_buffer_amd (ssa_77, ssa_76, ssa_1, ssa_70, ssa_71) (base=0, mem_modes=ssbo /*8*/)\n";
        let written = Written::of(text, &BTreeSet::from([3, 7]));
        let zero = Some(Carries::Constant("0x00000000".to_owned()));
        let other = Some(Carries::Computed("ssa_4".to_owned(), 0));
        let at = |location, component| written.get(location, component).cloned();
        assert_eq!([at(3, 0), at(3, 1), at(3, 2)], [zero.clone(), other, None]);
        assert_eq!([at(7, 0), at(0, 0)], [zero, None]);
    }
}
