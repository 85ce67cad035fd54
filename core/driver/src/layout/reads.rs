//! The attributes that a fragment shader reads, as the driver's intermediate form (Mesa's NIR) of it has them: each with
//! its location, and the name of its variable where the text gives it.

use std::collections::BTreeSet;

use super::deltas::{self, DELTAS};
use super::nir::{Nir, Node, Statement};

/// What a driver numbers the channels by that a fragment shader reads.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Numbering {
    /// Attributes, in an order of the driver's own (AMD). Built-in values are among them.
    #[default]
    Attributes,
    /// Locations. Built-in values have other numbers.
    Locations,
}

/// A channel: attribute or location, and the component.
pub(super) type Channel = (u32, u8);

/// One channel of an attribute that is loaded.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Load {
    /// The attribute; the location where those are what is numbered.
    pub attribute: u32,
    /// Its channel, 0 to 3.
    pub channel: u8,
    /// It is the high half of the channel.
    pub high: bool,
    /// The varying's location; none for a built-in.
    pub location: Option<u32>,
    /// How it is loaded.
    pub how: How,
    /// Its width.
    pub bits: u8,
    /// The variable that it was a load of, as the driver names it, without members and elements.
    pub name: Option<String>,
}

/// How an attribute is loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum How {
    /// Interpolated.
    Interpolated,
    /// As the provoking vertex, or the primitive, has it.
    Flat,
    /// As a vertex has it that is named.
    Vertex,
}

/// All that a text loads.
#[derive(Debug, Clone, Default)]
pub(super) struct Reads {
    /// The channels, each once for each name and way.
    pub loads: BTreeSet<Load>,
    /// Some load is of a form that is not known.
    pub is_partial: bool,
    numbering: Numbering,
}

/// The intrinsics that load attributes: how, and which operand counts locations from the first.
const LOADS: [(&str, How, usize); 5] = [
    (DELTAS, How::Interpolated, 0),
    ("load_interpolated_input", How::Interpolated, 1),
    ("load_input", How::Flat, 0),
    ("load_per_primitive_input", How::Flat, 0),
    ("load_input_vertex", How::Vertex, 1),
];

impl Reads {
    /// The loads whose values are used.
    pub fn of(nir: &Nir<'_>) -> Reads {
        let (loads, is_partial) = loads(nir);
        let used = used(nir);
        let loads = loads.into_iter().filter(|(node, _)| used.contains(node)).map(|(_, load)| load).collect();
        Reads { loads, is_partial, numbering: nir.numbering }
    }

    /// The channels that are read: those of varyings alone where locations are numbered.
    pub fn channels(&self) -> BTreeSet<Channel> {
        let counts = |load: &&Load| self.numbering == Numbering::Attributes || load.location.is_some();
        self.loads.iter().filter(counts).map(|load| (load.attribute, load.channel)).collect()
    }

    /// Whether these are the channels that an assembly reads, no more and no less. Only then is a channel that is not
    /// loaded here known to be unread.
    pub fn agrees(&self, read: &BTreeSet<Channel>) -> bool {
        !self.is_partial && self.channels() == *read
    }

    /// The loads of a component of a location.
    pub fn at(&self, location: u32, channel: u8) -> impl Iterator<Item = &Load> {
        self.loads.iter().filter(move |load| (load.location, load.channel) == (Some(location), channel))
    }
}

/// What each component of a load loads; and whether some load is of a form that is not known.
pub(super) fn loads(nir: &Nir<'_>) -> (Vec<(Node, Load)>, bool) {
    let mut out = Vec::new();
    let mut is_partial = false;
    let interpolated = deltas::interpolated(nir);
    for (index, statement) in nir.statements.iter().enumerate().filter(|(_, s)| s.is_intrinsic) {
        match LOADS.iter().find(|(op, ..)| *op == statement.op) {
            Some((_, how, offset)) => match channels(nir, statement, *how, *offset) {
                Some(all) => {
                    let values = interpolated.get(&index).into_iter().flatten();
                    out.extend(values.zip(all.first().into_iter().cycle()).map(|(node, load)| (*node, load.clone())));
                    out.extend(all.into_iter().zip(0u8..).map(|(load, n)| ((index, n), load)));
                }
                None => is_partial = true,
            },
            None => is_partial |= statement.op.starts_with("load_") && statement.op.contains("input"),
        }
    }
    (out, is_partial)
}

/// The components of values that some statement reads.
fn used(nir: &Nir<'_>) -> BTreeSet<(usize, u8)> {
    let operands = nir.statements.iter().flat_map(|statement| &statement.operands);
    operands.filter_map(|operand| nir.nodes(operand)).flatten().collect()
}

/// The channels of a load's components, in order; none of a form that is not known.
fn channels(nir: &Nir<'_>, statement: &Statement<'_>, how: How, offset: usize) -> Option<Vec<Load>> {
    let io = statement.io()?;
    let dest = statement.dest?;
    let add = nir.number(statement.operands.get(offset)?)?;
    let first = u8::try_from(statement.number("component")?).ok()?;
    let location = io.location.map(|location| location.saturating_add(add));
    let attribute = match nir.numbering {
        // A built-in value has none.
        Numbering::Locations => location.unwrap_or(0),
        Numbering::Attributes => statement.number("base")?.checked_add(add)?,
    };
    let name = statement.comment.map(|name| variable(name).to_owned());
    let is_one = statement.op == DELTAS;
    let one = |component: u8| {
        let channel = first.checked_add(if is_one { 0 } else { component }).filter(|channel| *channel < 4)?;
        Some(Load { attribute, channel, high: io.high, location, how, bits: dest.bits, name: name.clone() })
    };
    (0..dest.components).map(one).collect()
}

/// A variable's name, without what makes scalars, members and elements of one differ.
pub(super) fn variable(name: &str) -> &str {
    name.split(['@', '#', '.', '[']).next().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::{IsaFacts, read};
    use lanescope_model::program::StageKind;

    const TEXT: &str = "shader: MESA_SHADER_FRAGMENT\n\
        con 32 %1 = load_const (0x00000000)\n\
        div 32x3 %2 = @load_interpolated_input (%9, %1 (0x0)) (base=2, component=1, io location=VARYING_SLOT_VAR4 slots=1)  // t\n\
        div 16 %3 = @load_input (%1 (0x0)) (base=0, range=0, component=3, io location=VARYING_SLOT_VAR0 slots=1 high_16bits)\n\
        div 32 %4 = fadd %2.x, %2.z\n\
        @export_amd (%4, %3) (target=0)\n";

    #[test]
    fn components_that_nothing_uses_are_not_read() {
        let reads = Reads::of(&Nir::read(TEXT).expect("a form"));
        let found: Vec<_> = reads.loads.iter().map(|l| (l.attribute, l.channel, l.high, l.location)).collect();
        assert_eq!(found, [(0, 3, true, Some(0)), (2, 1, false, Some(4)), (2, 3, false, Some(4))]);
        assert_eq!(reads.at(4, 1).map(|load| load.name.as_deref()).collect::<Vec<_>>(), [Some("t")]);
        let isa = "\tv_interp_p1_f32_e32 v1, v0, attr2.y\n\tv_interp_mov_f32_e32 v2, p0, attr0.w\n\
                   \tv_interp_p1_f32_e32 v1, v0, attr2.w\n";
        let channels = |isa: &str| {
            let facts: IsaFacts = read(isa, StageKind::Fragment);
            facts.interpolations.iter().map(|read| (read.attribute, read.channel)).collect()
        };
        assert!(reads.agrees(&channels(isa)));
        let less = isa.lines().next().unwrap_or_default();
        assert!(!reads.agrees(&channels(less)), "a channel is missing");
        let more = format!("{isa}\tv_interp_mov_f32_e32 v2, p0, attr1.w\n");
        assert!(!reads.agrees(&channels(&more)), "a channel is not known");
    }

    #[test]
    fn unknown_load_form_leaves_reads_unknown() {
        for other in [
            TEXT.replace("@load_input ", "@load_other_input_amd "),
            TEXT.replace("io location=VARYING_SLOT_VAR4 slots=1", "slots=1"),
            TEXT.replace("(%1 (0x0)) (base=0", "(%4) (base=0"),
        ] {
            assert!(Reads::of(&Nir::read(&other).expect("a form")).is_partial, "{other}");
        }
    }
}
