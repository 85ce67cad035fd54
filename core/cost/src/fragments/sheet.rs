//! A draw's accesses as sections of a sheet.

use lanescope_base::text_format::counted;

use super::report::{DrawAccesses, FragmentCost, FragmentVariant, StageAccesses};
use super::table::{footprints_table, fragment_accesses_table, fragment_lines_table, variants_table};
use crate::sheet::{Part, Sheet};
use crate::table::{accesses_table, layouts_table, marked_sources_table};
use crate::tiling::Tiling;

impl DrawAccesses {
    /// Adds the sections to a sheet.
    pub(crate) fn add_to(&self, sheet: &mut Sheet) {
        for stage in &self.workgroups {
            stage.add_to(sheet);
        }
        if let Some(fragment) = &self.fragment {
            fragment.add_to(sheet);
        }
        if !self.not_counted.is_empty() {
            let all = self.not_counted.iter().cloned().map(Part::Item);
            sheet.section("Accesses that are not counted", "", all);
        }
    }
}

impl StageAccesses {
    fn add_to(&self, sheet: &mut Sheet) {
        let StageAccesses { stage, cost } = self;
        let [x, y, z] = cost.size;
        let title = format!("Accesses of the {stage} shader");
        let note = format!("{} {x}×{y}×{z}, waves of {}, {}", cost.entry, cost.wave, cost.chip);
        let notes = cost.depends.iter().map(|one| one.sentence(&cost.contents)).chain(cost.notes.iter().cloned());
        let notes = notes.map(Part::Item);
        let parts = [Part::Prose(cost.dispatch()), Part::Prose(cost.advice.sentence())];
        if cost.accesses.is_empty() {
            sheet.section(title, note, parts.into_iter().chain(notes));
            return;
        }
        let [dispatch, advice] = parts;
        let tables = [Part::table(layouts_table(cost)), advice, Part::table(accesses_table(cost))];
        sheet.section(title, note, [dispatch].into_iter().chain(tables).chain(notes));
        if !cost.sources.is_empty() {
            sheet.section(
                format!("Sources of the {stage} shader"),
                "",
                [Part::table(marked_sources_table(&cost.sources))],
            );
        }
    }
}

impl FragmentCost {
    fn add_to(&self, sheet: &mut Sheet) {
        let [width, height] = self.size;
        let note =
            format!("{} in a draw to {width}×{height} pixels, waves of {}, {}", self.entry, self.wave, self.chip);
        let draw = format!(
            "{} and {}; {} counted. Images: {}. What is not given: {}.",
            counted(self.fragments, "fragment"),
            counted(self.helpers, "helper invocation"),
            self.counted,
            self.tiling,
            self.contents
        );
        if self.accesses.is_empty() {
            sheet.section(
                "Accesses of the fragment shader",
                note,
                [Part::Prose(draw), Part::Prose(self.sentence.clone())],
            );
            return;
        }
        let order =
            "The order in which quads are packed into waves is the interpreter's: that of hardware is not known (G).";
        let parts = [
            Part::Prose(format!("{draw} {order}")),
            Part::table(variants_table(self)),
            Part::Prose(self.sentence.clone()),
        ];
        sheet.section("Accesses of the fragment shader", note, parts);
        let tables = [Some(fragment_accesses_table(self)), fragment_lines_table(self)];
        let note =
            self.selected().map(|one| format!("waves of {}, {} images", one.wave, one.tiling)).unwrap_or_default();
        sheet.section("Accesses by instruction", note, tables.into_iter().flatten().map(Part::table));
        if !self.footprints.is_empty() {
            let note = "texels that are read, by level";
            sheet.section("Texture footprints", note, [Part::table(footprints_table(self))]);
        }
        let depends = self.depends.iter().map(|one| one.sentence(&self.contents));
        sheet.section("Notes on accesses", "", depends.chain(self.notes.iter().cloned()).map(Part::Item));
        sheet.section("Sources of accesses", "", [Part::table(marked_sources_table(&self.sources))]);
    }

    /// Which tiling has the fewest lines in the selected waves, and what helper invocations touch.
    pub(super) fn comparison(&self) -> String {
        let Some(selected) = self.selected().filter(|one| one.total.lanes > 0) else {
            return "No fragment accesses memory that is counted.".to_owned();
        };
        let line = self.line;
        let lines = |one: &&FragmentVariant| one.total.lines(line);
        let own: Vec<&FragmentVariant> = self.variants.iter().filter(|one| one.wave == selected.wave).collect();
        let others = |least: u64| {
            let rest = own.iter().filter(|one| lines(one) != least);
            rest.map(|one| format!("{} {}", one.tiling, lines(one))).collect::<Vec<_>>().join(", ")
        };
        let tilings = match own.iter().map(lines).min() {
            _ if own.len() < 2 => "No image is accessed: tilings do not differ.".to_owned(),
            Some(least) if own.iter().any(|one| lines(one) != least) => {
                let best: Vec<&str> =
                    own.iter().filter(|one| lines(one) == least).map(|one| Tiling::name(one.tiling)).collect();
                format!(
                    "Fewest lines of {line} bytes in waves of {}: {} {least}; {}.",
                    selected.wave,
                    best.join(" and "),
                    others(least)
                )
            }
            _ => format!("No difference between the tilings by lines of {line} bytes in waves of {}.", selected.wave),
        };
        let total = &selected.total;
        let helpers = match total.helper_lanes {
            0 => "No helper invocation accesses memory.".to_owned(),
            count => {
                let only = total.lines(line).saturating_sub(total.lines_without_helpers);
                format!(
                    "Helper invocations make {count} of {} accesses of lanes ({} %); {only} of the {} lines are touched by them \
                     alone.",
                    total.lanes,
                    total.helper_share(),
                    total.lines(line)
                )
            }
        };
        format!("{tilings} {helpers}")
    }
}
