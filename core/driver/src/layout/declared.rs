//! The interface as the driver's intermediate form (Mesa's NIR) declares it: names, numbers, types and interpolation.

use std::collections::BTreeSet;

use super::reads::Load;

/// One variable of an interface as the driver has it: whole, or one scalar of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Declared {
    /// Its name, without what makes scalars of one variable differ.
    pub name: String,
    /// Its first location.
    pub location: u32,
    /// The driver's own number for it: an input's first attribute.
    pub number: u32,
    /// Channels that it has in each of its locations, as bits 0 to 3.
    pub channels: u8,
    /// Locations that it takes; 0 where the text does not say: a structure's.
    pub locations: u32,
    /// The driver's linker moves it: one scalar of 32 bits. Anything else keeps its place.
    pub movable: bool,
    /// Its components are 32 bits wide.
    pub is_32bit: bool,
    /// What keeps it apart from others.
    pub kind: Kind,
}

/// What the driver's linker keeps apart, in the order in which it places them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Kind {
    /// Declared of reduced precision.
    pub reduced: bool,
    /// How it is interpolated: smooth 1, flat 2, noperspective 3, explicitly 4.
    pub mode: u8,
    /// Where: at each sample 0, at a covered place 1, at the centre 2.
    pub at: u8,
}

/// The longest list that is read.
const MAX_DECLARED: usize = 1024;
/// More locations than any interface has.
const MAX_LOCATIONS: u32 = 64;

/// The inputs that a text declares: `decl_var shader_in INTERP_MODE_FLAT uint layer@2 (VARYING_SLOT_VAR1.x, 1, 0)`.
pub(super) fn inputs(text: &str) -> Vec<Declared> {
    text.lines().filter_map(|line| declared(line, "shader_in ")).take(MAX_DECLARED).collect()
}

/// The outputs that a text declares, those that are varyings.
pub(super) fn outputs(text: &str) -> Vec<Declared> {
    text.lines().filter_map(|line| declared(line, "shader_out ")).take(MAX_DECLARED).collect()
}

impl Declared {
    /// What a form that declares nothing loads, as an input.
    pub fn loaded(load: &Load) -> Option<Declared> {
        Some(Declared {
            name: load.name.clone().unwrap_or_default(),
            channels: 1u8.checked_shl(load.channel.into())?,
            number: load.attribute,
            ..Declared::written(load.location?)
        })
    }

    /// A location that a form says is written, as an output.
    pub fn written(location: u32) -> Declared {
        Declared {
            name: String::new(),
            location,
            number: location,
            channels: 0b1111,
            locations: 1,
            movable: false,
            is_32bit: true,
            kind: Kind { reduced: false, mode: 0, at: 0 },
        }
    }

    /// Whether it has a channel of a location.
    pub fn holds(&self, location: u32, channel: u8) -> bool {
        (self.location..self.location.saturating_add(self.locations)).contains(&location)
            && self.channels & 1u8.checked_shl(u32::from(channel)).unwrap_or(0) != 0
    }

    /// Its locations.
    pub fn all_locations(&self) -> std::ops::Range<u32> {
        self.location..self.location.saturating_add(self.locations)
    }

    /// Its first channel.
    pub fn channel(&self) -> u8 {
        u8::try_from(self.channels.trailing_zeros()).unwrap_or(0)
    }
}

/// Every location that some of these take, in order.
pub(super) fn locations(all: &[Declared]) -> BTreeSet<u32> {
    all.iter().flat_map(Declared::all_locations).collect()
}

fn declared(line: &str, mode: &str) -> Option<Declared> {
    // Qualifiers come first: `decl_var centroid shader_in …`.
    let (qualifiers, rest) = line.trim_start().strip_prefix("decl_var ")?.split_once(mode)?;
    if qualifiers.contains('(') {
        return None;
    }
    let (before, place) = rest.split_once(" (VARYING_SLOT_VAR")?;
    let mut words = before.split_ascii_whitespace().rev();
    let (name, ty) = (words.next()?, words.next()?);
    let others: Vec<&str> = words.collect();
    let mut parts = place.trim_end_matches(')').split(", ");
    // No letters stand after a structure, and none after the 16 components of a matrix.
    let at = parts.next()?;
    let (location, letters) = at.split_once('.').unwrap_or((at, ""));
    let bits = letters.chars().map(|c| "xyzw".find(c)).collect::<Option<Vec<_>>>();
    // Letters from `a` on: a matrix, whose columns take a location each.
    let bits = bits.filter(|bits| !bits.is_empty());
    let channels = bits.map_or(0b1111, |bits| bits.iter().fold(0u8, |mask, bit| mask | 1 << bit));
    let ty = if letters.is_empty() && !is_matrix(ty) { Type::STRUCTURE } else { Type::of(ty) };
    // Every 64-bit component takes two channels; those of a third and fourth continue in the next location.
    let channels = match letters.len() {
        1 if ty.bits == 64 => 0b11 << channels.trailing_zeros().min(2),
        _ if ty.bits == 64 => 0b1111,
        _ => channels,
    };
    let has = |word: &str| others.contains(&word);
    let mode = match () {
        () if ty.is_integer || has("INTERP_MODE_FLAT") => 2,
        () if has("INTERP_MODE_NOPERSPECTIVE") => 3,
        () if has("INTERP_MODE_EXPLICIT") => 4,
        () => 1,
    };
    let qualified = |word: &str| qualifiers.split_ascii_whitespace().any(|q| q == word);
    let at = match () {
        () if qualified("sample") => 0,
        () if qualified("centroid") => 1,
        () => 2,
    };
    Some(Declared {
        name: name.split(['@', '#']).next()?.to_owned(),
        location: location.parse().ok().filter(|location| *location < MAX_LOCATIONS)?,
        number: parts.next()?.parse().ok()?,
        channels,
        locations: ty.locations.min(MAX_LOCATIONS),
        movable: ty.is_scalar && ty.bits == 32,
        is_32bit: ty.bits == 32,
        kind: Kind { reduced: has("mediump") || has("lowp"), mode, at },
    })
}

/// A type by its name: `float`, `i16vec3`, `mat3`, `vec2[4]`, `f16mat2x3[2]`.
struct Type {
    is_scalar: bool,
    is_integer: bool,
    bits: u32,
    locations: u32,
}

impl Type {
    /// A structure or an array of some, by the shader's own name: its size is not given.
    const STRUCTURE: Type = Type { is_scalar: false, is_integer: false, bits: 32, locations: 0 };

    fn of(name: &str) -> Type {
        let (element, dimensions) = match name.split_once('[') {
            Some((element, dimensions)) => (element, Some(dimensions)),
            None => (name, None),
        };
        let sizes =
            dimensions.into_iter().flat_map(|text| text.split(['[', ']'])).filter_map(|n| n.parse::<u32>().ok());
        let array = sizes.fold(1u32, u32::saturating_mul);
        let bits = match () {
            () if element.contains("64") || ["double", "dvec", "dmat"].iter().any(|d| element.starts_with(d)) => 64,
            () if element.contains("16") => 16,
            () if element.contains("int8") || element.starts_with("i8") || element.starts_with("u8") => 8,
            () => 32,
        };
        let digits = |text: &str| text.chars().find_map(|c| c.to_digit(10));
        let number_after = |word: &str| element.split_once(word).and_then(|(_, rest)| digits(rest));
        let rows = |columns: u32| element.rsplit_once('x').and_then(|(_, rest)| digits(rest)).unwrap_or(columns);
        let (components, columns) = match (number_after("mat"), number_after("vec")) {
            (Some(columns), _) => (rows(columns), columns),
            (None, Some(components)) => (components, 1),
            (None, None) => (1, 1),
        };
        let wide = if bits == 64 && components > 2 { 2 } else { 1 };
        let integer = ["int", "uint", "ivec", "uvec"].iter().any(|i| element.strip_prefix(i).is_some_and(plain));
        Type {
            is_scalar: dimensions.is_none() && (components, columns) == (1, 1),
            is_integer: integer && bits == 32,
            bits,
            locations: array.saturating_mul(columns).saturating_mul(wide).max(1),
        }
    }
}

/// Whether a type is a matrix, or an array of some.
fn is_matrix(name: &str) -> bool {
    let element = name.split('[').next().unwrap_or_default();
    let sizes = ["mat", "f16mat", "dmat", "f64mat"].iter().find_map(|matrix| element.strip_prefix(matrix));
    sizes.is_some_and(|sizes| sizes.split('x').count() <= 2 && sizes.split('x').all(|n| ["2", "3", "4"].contains(&n)))
}

/// Nothing, or the number of a vector's components.
fn plain(rest: &str) -> bool {
    rest.is_empty() || rest.len() == 1 && rest.bytes().all(|b| b.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_numbers_channels_and_kinds_are_read() {
        let text = "decl_var shader_in INTERP_MODE_FLAT int cell@3 (VARYING_SLOT_VAR2.z, 5, 0)\n\
            decl_var centroid shader_in INTERP_MODE_NONE float near (VARYING_SLOT_VAR0.x, 0, 0)\n\
            decl_var shader_in INTERP_MODE_NONE mat3 frame (VARYING_SLOT_VAR7.abcdefghi, 6, 0)\n\
            decl_var shader_in INTERP_MODE_NOPERSPECTIVE mediump vec2[2] uv (VARYING_SLOT_VAR3.yz, 6, 0)\n\
            decl_var shader_in INTERP_MODE_FLAT f64vec3 wide (VARYING_SLOT_VAR10.xyz, 9, 0)\n\
            decl_var shader_in INTERP_MODE_NONE float16_t half (VARYING_SLOT_VAR12.w, 11, 0)\n\
            decl_var shader_in INTERP_MODE_NONE mat4[2] world (VARYING_SLOT_VAR13, 12, 0)\n\
            decl_var shader_in INTERP_MODE_FLAT mat4_uint[3] own (VARYING_SLOT_VAR21, 20, 0)\n\
            decl_var shader_out INTERP_MODE_NONE float out (VARYING_SLOT_VAR0.x, 32, 0)\n\
            decl_var shader_in INTERP_MODE_NONE float broken (VARYING_SLOT_VAR.x, 0, 0)\n";
        let kind = |reduced, mode, at| Kind { reduced, mode, at };
        let found: Vec<_> = inputs(text)
            .into_iter()
            .map(|d| (d.name, d.location, d.number, d.channels, d.locations, d.movable, d.is_32bit, d.kind))
            .collect();
        let expected = [
            ("cell", 2, 5, 0b100, 1, true, true, kind(false, 2, 2)),
            ("near", 0, 0, 0b1, 1, true, true, kind(false, 1, 1)),
            ("frame", 7, 6, 0b1111, 3, false, true, kind(false, 1, 2)),
            ("uv", 3, 6, 0b110, 2, false, true, kind(true, 3, 2)),
            ("wide", 10, 9, 0b1111, 2, false, false, kind(false, 2, 2)),
            ("half", 12, 11, 0b1000, 1, false, false, kind(false, 1, 2)),
            ("world", 13, 12, 0b1111, 8, false, true, kind(false, 1, 2)),
            ("own", 21, 20, 0b1111, 0, false, true, kind(false, 2, 2)),
        ];
        let expected: Vec<_> =
            expected.into_iter().map(|(n, a, b, c, d, e, f, g)| (n.to_owned(), a, b, c, d, e, f, g)).collect();
        assert_eq!(found, expected);
        assert_eq!(outputs(text).len(), 1);
    }
}
