//! Findings about one database, limited in number.

use std::collections::BTreeMap;

use crate::findings::{Finding, Place, Rule};

/// Findings of one rule that are listed one by one.
const EACH: usize = 40;

/// Findings about one file.
#[derive(Debug)]
pub(crate) struct Notes<'f> {
    file: &'f str,
    findings: Vec<Finding>,
    /// Number of findings by code.
    counts: BTreeMap<&'static str, (&'static Rule, usize)>,
}

impl<'f> Notes<'f> {
    /// None yet, of the file of that name.
    pub fn of(file: &'f str) -> Notes<'f> {
        Notes { file, findings: Vec::new(), counts: BTreeMap::new() }
    }

    /// A rule is broken at a place in the database's words: `group lit surface`.
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
