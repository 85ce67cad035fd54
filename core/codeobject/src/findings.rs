//! Findings about one object, limited in number.

use std::collections::BTreeMap;

use lanescope_passes::findings::{Finding, Place, Rule};

/// Findings of one rule that are listed one by one.
const EACH: usize = 20;

/// Findings about one file.
#[derive(Debug)]
pub(crate) struct Findings<'f> {
    file: &'f str,
    findings: Vec<Finding>,
    /// Number of findings by code.
    counts: BTreeMap<&'static str, (&'static Rule, usize)>,
}

impl<'f> Findings<'f> {
    /// None yet, of the file of that name.
    pub fn of(file: &'f str) -> Findings<'f> {
        Findings { file, findings: Vec::new(), counts: BTreeMap::new() }
    }

    /// A rule is broken at a place in the object's words: `note 0, .hardware_stages.cs`.
    pub fn add(&mut self, rule: &'static Rule, place: &str, message: impl Into<String>) {
        let count = self.counts.entry(rule.code).or_insert((rule, 0));
        count.1 += 1;
        if count.1 <= EACH {
            let place = Place::description(place).in_file(self.file);
            self.findings.push(rule.at(None, Some(place), message));
        }
    }

    /// The findings. Rules that were broken too often to list each time are counted.
    pub fn done(mut self) -> Vec<Finding> {
        for (rule, count) in self.counts.into_values().filter(|(_, count)| *count > EACH) {
            let message = format!("{} more like these are not listed", count - EACH);
            self.findings.push(rule.at(None, Some(Place::file(self.file)), message));
        }
        self.findings
    }
}
