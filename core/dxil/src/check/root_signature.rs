//! Compares the resources that a shader declares with the root signature in its container.

use super::add;
use crate::file::Dxil;
use crate::findings::{self, Finding, Place};
use crate::psv::Binding;
use crate::root_places::{class_of, end_of, placed, sees};

/// The most dwords of root arguments.
const MAX_DWORDS: u64 = 64;
/// The flag of a local root signature: its arguments are in records, without that limit.
const LOCAL: u32 = 0x80;
/// The flags that deny a stage the root arguments.
const DENY: [(&str, u32); 7] = [
    ("vertex", 0x2),
    ("hull", 0x4),
    ("domain", 0x8),
    ("geometry", 0x10),
    ("pixel", 0x20),
    ("amplification", 0x100),
    ("mesh", 0x200),
];

pub(super) fn check(dxil: &Dxil, out: &mut Vec<Finding>) {
    let Some(root) = dxil.applied_root_signature().filter(|root| root.is_read()) else { return };
    let place = || Some(dxil.root_signature_from().map_or_else(|| Place::part("RTS0"), Place::description));
    if let Some(dwords) = root.dwords().filter(|dwords| *dwords > MAX_DWORDS && root.flags & LOCAL == 0) {
        let message = format!("the root arguments take {dwords} dwords, the limit is {MAX_DWORDS}");
        add(out, findings::ROOT_SIGNATURE_SIZE.at(None, place(), message));
    }
    // A library has no stage: its functions may use other root signatures.
    let Some(psv) = dxil.psv.as_ref().filter(|psv| psv.stage != "library") else { return };
    let denied = DENY.iter().any(|(stage, flag)| *stage == psv.stage && root.flags & flag != 0);
    if denied && !psv.resources.is_empty() {
        let message = format!("the {} shader has resources, but the flags deny it root arguments", psv.stage);
        add(out, findings::ROOT_SIGNATURE_LACKS.at(None, place(), message));
    }
    for why in placed(root, psv).into_iter().filter_map(|resource| resource.why_not) {
        add(out, findings::ROOT_SIGNATURE_LACKS.at(None, place(), why));
    }
    let declared: Vec<&Binding> = psv.resources.iter().filter(|binding| class_of(binding) == Some("sampler")).collect();
    for sampler in root.samplers.iter().filter(|sampler| sees(&psv.stage, &sampler.visibility)) {
        let is_declared = |binding: &&&Binding| {
            binding.space == sampler.space && (binding.lower..=end_of(binding)).contains(&sampler.register)
        };
        if declared.iter().any(|binding| is_declared(&binding)) {
            let message = format!(
                "the static sampler s{}, space {} is not applied in runs: a sampler is bound there instead",
                sampler.register, sampler.space
            );
            add(out, findings::STATIC_SAMPLER.at(None, place(), message));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parts::{Parameter, Range, RootSignature};
    use crate::testing::file;

    /// Whether one of the findings has this code and this text.
    fn has(found: &[Finding], code: &str, text: &str) -> bool {
        found.iter().any(|finding| finding.code == code && finding.message.contains(text))
    }

    /// The findings of a sample with its root signature changed.
    fn found(change: impl FnOnce(&mut RootSignature)) -> Vec<Finding> {
        of(file("signed_map.ps.dxil"), change)
    }

    fn of(mut dxil: Dxil, change: impl FnOnce(&mut RootSignature)) -> Vec<Finding> {
        change(dxil.root_signature.as_mut().expect("has one"));
        let mut out = Vec::new();
        check(&dxil, &mut out);
        out
    }

    fn table(of: &RootSignature) -> usize {
        of.parameters.iter().position(|parameter| parameter.kind == "table").expect("a table")
    }

    #[test]
    fn what_the_compiler_accepted_is_covered() {
        assert!(found(|_| {}).iter().all(|finding| finding.code == "C65"), "{:?}", found(|_| {}));
    }

    #[test]
    fn one_range_covers_all_registers_of_a_declaration() {
        let texture = |range: &mut Range| range.register += 1;
        let lacking = found(|root| {
            let at = table(root);
            root.parameters[at].ranges.iter_mut().filter(|range| range.class == "srv").for_each(texture);
        });
        assert!(has(&lacking, "C63", "not covered"), "{lacking:?}");
        let unseen =
            found(|root| root.parameters.iter_mut().for_each(|parameter| parameter.visibility = "vertex".into()));
        assert!(has(&unseen, "C63", "not covered"), "{unseen:?}");
        let denied = found(|root| root.flags |= 0x20);
        assert!(has(&denied, "C63", "deny it root arguments"), "{denied:?}");
    }

    #[test]
    fn a_texture_has_no_root_descriptor() {
        let mut dxil = file("signed_map.ps.dxil");
        let bindings = &mut dxil.psv.as_mut().expect("has one").resources;
        bindings.iter_mut().for_each(|binding| binding.upper = Some(binding.lower));
        let found = of(dxil, |root| {
            let at = table(root);
            let srv = root.parameters[at].ranges.iter().find(|range| range.class == "srv").expect("a texture").clone();
            root.parameters[at] = Parameter {
                kind: "srv".into(),
                register: Some(srv.register),
                space: Some(srv.space),
                ranges: Vec::new(),
                ..root.parameters[at].clone()
            };
        });
        assert!(has(&found, "C63", "is a texture or a typed buffer, but a root descriptor"), "{found:?}");
    }

    #[test]
    fn root_arguments_have_a_limit() {
        let large = |flags| {
            found(move |root| {
                root.flags |= flags;
                let constants = Parameter { kind: "constants".into(), dwords: Some(63), ..root.parameters[0].clone() };
                root.parameters.extend([constants.clone(), constants]);
            })
        };
        assert!(has(&large(0), "C64", "dwords"), "{:?}", large(0));
        assert!(!has(&large(LOCAL), "C64", "dwords"));
    }
}
