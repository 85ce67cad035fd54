//! Names and numbers of inputs in the driver's intermediate form (Mesa's NIR).

/// One fragment input as the driver has it: a variable, or one scalar of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Input {
    /// Its name, without what makes scalars of one variable differ.
    pub name: String,
    /// Its first location.
    pub location: u32,
    /// Its first attribute.
    pub attribute: u32,
    /// Channels that it has in each of its attributes, as bits 0 to 3.
    pub channels: u8,
}

/// The longest list that is read.
const MAX_INPUTS: usize = 1024;

/// The inputs that a text declares: `decl_var shader_in INTERP_MODE_FLAT uint layer@2 (VARYING_SLOT_VAR1.x, 1, 0)`.
pub(super) fn inputs(text: &str) -> Vec<Input> {
    text.lines().filter_map(input).take(MAX_INPUTS).collect()
}

fn input(line: &str) -> Option<Input> {
    // Qualifiers stand before: `decl_var centroid shader_in …`.
    let (qualifiers, rest) = line.trim_start().strip_prefix("decl_var ")?.split_once("shader_in ")?;
    if qualifiers.contains('(') {
        return None;
    }
    let (before, place) = rest.split_once(" (VARYING_SLOT_VAR")?;
    let mut words = before.split_ascii_whitespace().rev();
    let (name, ty) = (words.next()?, words.next()?);
    let mut parts = place.trim_end_matches(')').split(", ");
    let (location, letters) = parts.next()?.split_once('.')?;
    let bits = letters.chars().map(|c| "xyzw".find(c)).collect::<Option<Vec<_>>>();
    // Letters from `a` on: a matrix, whose columns take an attribute each.
    let channels = bits.map_or(0b1111, |bits| bits.iter().fold(0u8, |mask, bit| mask | 1 << bit));
    // Every 64-bit component takes two channels; those of a third and fourth go on in the next attribute.
    let wide = ty.contains("64") || ty.starts_with("double") || ty.starts_with("dvec") || ty.starts_with("dmat");
    Some(Input {
        name: name.split('@').next()?.to_owned(),
        location: location.parse().ok()?,
        attribute: parts.next()?.parse().ok()?,
        channels: if wide { 0b1111 } else { channels },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_numbers_and_channels_are_read() {
        let text = "decl_var shader_in INTERP_MODE_FLAT int cell@3 (VARYING_SLOT_VAR2.z, 5, 0)\n\
            decl_var centroid shader_in INTERP_MODE_NONE float near (VARYING_SLOT_VAR0.x, 0, 0)\n\
            decl_var shader_in INTERP_MODE_NONE mat3 frame (VARYING_SLOT_VAR7.abcdefghi, 6, 0)\n\
            decl_var shader_out INTERP_MODE_NONE float out (VARYING_SLOT_VAR0.x, 0, 0)\n\
            decl_var shader_in INTERP_MODE_NONE float broken (VARYING_SLOT_VAR.x, 0, 0)\n";
        let input =
            |name: &str, location, attribute, channels| Input { name: name.to_owned(), location, attribute, channels };
        let expected = [input("cell", 2, 5, 0b100), input("near", 0, 0, 0b1), input("frame", 7, 6, 0b1111)];
        assert_eq!(inputs(text), expected);
    }
}
