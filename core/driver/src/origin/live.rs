//! Registers that are alive at the instructions that come from each place of a source.

use std::collections::{BTreeMap, BTreeSet};

use super::{Origin, OriginRule};
use crate::isa::{IsaFacts, Pressure};

/// What is alive at the instructions of one place.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LiveAt {
    /// The most registers that are alive at one of its instructions, of each file.
    pub most: Pressure,
    /// Instructions of the assembly whose origin is known to be there. Others may come from there too.
    pub instructions: u32,
    /// How the origins are known.
    pub by: BTreeSet<OriginRule>,
}

/// What is alive at each place of a source that some instructions are known to come from. `place` is where an instruction of
/// the module stands, by index; several instructions have one place. None where the text is too tangled to follow.
pub fn live_by_place<P: Ord>(
    origins: &[Origin],
    facts: &IsaFacts,
    place: impl Fn(u32) -> Option<P>,
) -> BTreeMap<P, LiveAt> {
    let mut out: BTreeMap<P, LiveAt> = BTreeMap::new();
    for origin in origins {
        let Some(pressure) = facts.pressure.get(origin.instruction as usize) else { continue };
        let places: BTreeSet<P> = origin.spirv.iter().filter_map(|inst| place(*inst)).collect();
        for place in places {
            let at = out.entry(place).or_default();
            at.most.vgprs = at.most.vgprs.max(pressure.vgprs);
            at.most.sgprs = at.most.sgprs.max(pressure.sgprs);
            at.instructions += 1;
            at.by.insert(origin.by);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_has_the_most_of_its_instructions() {
        let origin = |instruction, spirv: &[u32], by| Origin { instruction, spirv: spirv.to_vec(), lines: vec![], by };
        let pressure = |vgprs, sgprs| Pressure { vgprs, sgprs };
        let facts = IsaFacts { pressure: vec![pressure(3, 9), pressure(7, 4), pressure(5, 5)], ..IsaFacts::default() };
        // Instructions 10 and 11 stand on line 1, 20 on line 2, 30 nowhere.
        let line = |inst: u32| (inst < 30).then_some(inst / 10);
        let origins = [
            origin(0, &[10, 11], OriginRule::Varying),
            origin(1, &[20], OriginRule::Output),
            origin(2, &[11, 20, 30], OriginRule::OnlyOne),
            origin(9, &[10], OriginRule::Varying),
        ];
        let found = live_by_place(&origins, &facts, line);
        let at = |line: u32| {
            let LiveAt { most, instructions, by } = &found[&line];
            (most.vgprs, most.sgprs, *instructions, by.len())
        };
        assert_eq!((at(1), at(2)), ((5, 9, 2, 2), (7, 5, 2, 2)));
        assert_eq!(found.len(), 2);
    }
}
