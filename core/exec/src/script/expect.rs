//! The checks of a script.

use super::{CheckFailure, Done, Execute, Expectation, Runner, Stop};
use lanescope_amber::check::{Found, check};
use lanescope_amber::script::command::{Check, Expect};

/// The most checks of which it is kept what they expect and find.
const MAX_EXPECTATIONS: usize = 1 << 14;

impl<'s, X: Execute> Runner<'s, X> {
    fn found(&self, name: &str) -> Option<Found<'_>> {
        let held = self.buffers.get(name)?;
        let buffer = self.script.buffer(name)?;
        let size = held.extent.map(|[width, height, _]| [width, height]);
        Some(Found { bytes: &held.bytes, ty: &buffer.ty, layout: self.layouts.get(name)?, size })
    }

    pub(super) fn expect(&mut self, expect: &'s Expect) -> Done<(), X> {
        let line = expect.line.0;
        let other = match &expect.check {
            Check::EqualBuffer(other) | Check::Rmse { other, .. } | Check::HistogramEmd { other, .. } => Some(other),
            Check::Values { .. } | Check::Pixels { .. } => None,
        };
        for name in [&expect.buffer].into_iter().chain(other) {
            let not = |what: &str| Err(Stop::not_possible(line, format!("EXPECT of {what}")));
            if self.script.buffer(name).is_some_and(|buffer| buffer.samples() > 1) {
                return not(&format!("a buffer with SAMPLES: `{name}`"));
            }
            if self.buffers.get(name.as_str()).is_some_and(|held| held.levels() > 1) {
                return not(&format!("an image with MIP_LEVELS: it does not say of which level of `{name}`"));
            }
        }
        if let Check::Values { tolerances, .. } = &expect.check
            && tolerances.len() > 1
        {
            return Err(Stop::not_possible(line, "TOLERANCE of several numbers for a buffer"));
        }
        let Some(found) = self.found(&expect.buffer) else {
            return Err(Stop::not_possible(line, format!("no buffer `{}`", expect.buffer)));
        };
        let mismatch = check(&expect.check, found, other.and_then(|other| self.found(other)));
        let seen = expect.check.found(found);
        self.done.checks += 1;
        if self.done.expectations.len() < MAX_EXPECTATIONS {
            let differ = mismatch.as_ref().map_or(0, |mismatch| mismatch.count);
            let (place, expected, found) = match &mismatch {
                Some(first) => (Some(first.place.clone()), first.expected.clone(), Some(first.found.clone())),
                None => (None, expect.check.expected(), seen),
            };
            let (command, repetition) = (expect.head(), self.repetition);
            self.done.expectations.push(Expectation { line, command, place, expected, found, differ, repetition });
        }
        if let Some(mismatch) = mismatch {
            self.done.failures.push(CheckFailure {
                line,
                buffer: expect.buffer.clone(),
                place: mismatch.place,
                expected: mismatch.expected,
                found: mismatch.found,
                count: mismatch.count,
                repetition: self.repetition,
            });
        }
        Ok(())
    }
}
