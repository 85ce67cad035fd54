//! Findings about inputs, as marks in the picture.

use emath::{Pos2, vec2};
use lanescope_core::findings::{Finding, Severity};
use lanescope_core::ids::{Component, Location};
use lanescope_core::packing::Packing;
use lanescope_core::report::Report;
use lanescope_inspector::destination::varying;
use lanescope_inspector::selection::Varying;

use super::picture::Sheet;
use crate::picture::{Anchor, Font, Shape};

/// A finding at a place of the interface.
#[derive(Debug, Clone, PartialEq)]
pub struct Flag {
    /// The place as written; without a component, all of the location.
    pub varying: Varying,
    /// Severity.
    pub severity: Severity,
    /// Code and message.
    pub text: String,
}

impl Flag {
    /// Whether it is about this place.
    pub fn is_at(&self, location: u32, component: u8) -> bool {
        self.varying.location == location && self.varying.component.is_none_or(|own| own == component)
    }
}

/// The findings of a report about one interface.
pub fn flags(report: &Report, packing: &Packing) -> Vec<Flag> {
    let own = report.findings.iter().filter(|finding| finding.stage == Some(packing.consumer));
    let flag = |finding: &Finding| {
        let text = format!("{} {}", finding.code, finding.message);
        Some(Flag { varying: varying(finding, report)?, severity: finding.severity, text })
    };
    own.filter_map(flag).collect()
}

impl Sheet<'_> {
    /// The worst finding at any of these places, or a warning where the input is not written.
    pub(crate) fn flag(
        &self,
        is_missing: bool,
        places: impl Iterator<Item = (Location, Component)>,
    ) -> Option<Severity> {
        let at = |(location, component): (Location, Component)| {
            let here = self.flags.iter().filter(move |flag| flag.is_at(location.0, component.0));
            here.map(|flag| flag.severity).min()
        };
        places.filter_map(at).chain(is_missing.then_some(Severity::Warning)).min()
    }

    /// Puts the sign of a finding: each severity has its own shape and letter.
    pub(crate) fn badge(&mut self, at: Pos2, severity: Severity) {
        let (corners, radius, color, letter) = match severity {
            Severity::Error => (4, 8.5, self.theme.warn, "×"),
            Severity::Warning => return self.warning(at),
            Severity::Note => (16, 7.0, self.theme.accent, "i"),
        };
        let corner = |step: u8| {
            let angle = std::f32::consts::TAU * (f32::from(step) + 0.5) / f32::from(corners);
            at + vec2(angle.cos(), angle.sin()) * radius
        };
        let points = (0..corners).map(corner).collect();
        self.picture.push(Shape::Polygon { points, fill: color });
        let ink = self.theme.ink_on(color);
        self.picture.text(at, Anchor::Middle, 9.0, Font::Code, ink, letter);
    }

    /// Puts a warning sign.
    pub(crate) fn warning(&mut self, at: Pos2) {
        let points = vec![at + vec2(-7.5, 6.0), at + vec2(0.0, -7.0), at + vec2(7.5, 6.0)];
        self.picture.push(Shape::Polygon { points, fill: self.theme.warn });
        let ink = self.theme.ink_on(self.theme.warn);
        self.picture.text(at + vec2(0.0, 1.5), Anchor::Middle, 9.0, Font::Code, ink, "!");
    }
}

#[cfg(test)]
mod tests {
    use lanescope_core::findings::{ALIASED_INPUT, DYNAMIC_INDEX, INTERFACE_MISMATCH, Place};

    use super::super::picture::flagged_picture;
    use super::*;
    use crate::gallery;
    use crate::theme::Theme;

    #[test]
    fn findings_are_marked_at_their_inputs() {
        let mut report = gallery::packing_report(gallery::note_example());
        let packing = report.packing.clone().expect("a packing");
        let first = packing.map[0].clone();
        let signs = |report: &Report| {
            let picture = flagged_picture(&packing, &flags(report, &packing), &Theme::light());
            let is_sign =
                |shape: &Shape| matches!(shape, Shape::Text(text) if ["!", "i"].contains(&text.text.as_str()));
            picture.items.iter().filter(|item| is_sign(&item.shape)).count()
        };
        let before = signs(&report);
        let place = |location| Some(Place::Slot { variable: Some("a".to_owned()), location, components: Vec::new() });
        let stage = Some(packing.consumer);
        report.findings.push(INTERFACE_MISMATCH.at(stage, place(first.from.location), "read as integer"));
        let marked = signs(&report);
        assert!(marked >= before + 2, "on both sides: {before}, {marked}");
        // Another stage's findings and places that are not drawn add nothing.
        report.findings.push(ALIASED_INPUT.at(None, place(first.from.location), ""));
        report.findings.push(DYNAMIC_INDEX.at(stage, Some(Place::variable("nothing")), ""));
        assert_eq!(signs(&report), marked);
    }
}
