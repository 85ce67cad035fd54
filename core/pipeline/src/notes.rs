//! The findings of a reader and the text that it keeps, both limited in number.

use std::collections::BTreeMap;

use crate::Kept;
use crate::findings::{Finding, Place, Rule};

/// Findings of one rule that are listed one by one.
const EACH: usize = 40;
/// Things that are kept as written.
const KEPT: usize = 4096;

/// Findings about one file.
#[derive(Debug)]
pub struct Notes<'f> {
    file: &'f str,
    findings: Vec<Finding>,
    /// Number of findings by code.
    counts: BTreeMap<&'static str, (&'static Rule, usize)>,
    kept: Vec<Kept>,
}

impl<'f> Notes<'f> {
    /// None yet, of the file of that name.
    pub fn of(file: &'f str) -> Notes<'f> {
        Notes { file, findings: Vec::new(), counts: BTreeMap::new(), kept: Vec::new() }
    }

    /// A rule is broken in a line.
    pub fn add(&mut self, rule: &'static Rule, line: u32, message: impl Into<String>) {
        self.add_in(rule, Place::line(line), message);
    }

    /// A rule is broken at a byte.
    pub fn add_at_byte(&mut self, rule: &'static Rule, byte: u64, message: impl Into<String>) {
        self.add_in(rule, Place::byte(byte), message);
    }

    /// A rule is broken at a place in the description's words: `line 31`, `graphics pipeline 0x…`.
    pub fn add_at(&mut self, rule: &'static Rule, place: &str, message: impl Into<String>) {
        self.add_in(rule, Place::description(place), message);
    }

    fn add_in(&mut self, rule: &'static Rule, place: Place, message: impl Into<String>) {
        let count = self.counts.entry(rule.code).or_insert((rule, 0));
        count.1 += 1;
        if count.1 <= EACH {
            self.findings.push(rule.at(None, Some(place.in_file(self.file)), message));
        }
    }

    /// Something is kept as written.
    pub fn keep(&mut self, line: u32, name: impl Into<String>, text: impl Into<String>) {
        self.keep_at(&format!("line {line}"), name, text);
    }

    /// Something is kept as written.
    pub fn keep_at(&mut self, place: &str, name: impl Into<String>, text: impl Into<String>) {
        if self.kept.len() < KEPT {
            self.kept.push(Kept { from: place.to_owned(), name: name.into(), text: text.into() });
        }
    }

    /// What was said and kept. Rules that were broken too often to list each time are counted.
    pub fn done(mut self) -> (Vec<Finding>, Vec<Kept>) {
        for (rule, count) in self.counts.into_values().filter(|(_, count)| *count > EACH) {
            let message = format!("{} more like these are not listed", count - EACH);
            self.findings.push(rule.at(None, Some(Place::file(self.file)), message));
        }
        (self.findings, self.kept)
    }
}
