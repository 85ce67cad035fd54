//! Values of ranges of numbers: what many have in common is one.

/// Numbers from a first to a last one, which have the same value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Run<T> {
    pub first: u32,
    pub last: u32,
    pub value: T,
}

/// Runs, sorted. Numbers between them have no value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Runs<T>(Vec<Run<T>>);

impl<T> Default for Runs<T> {
    fn default() -> Runs<T> {
        Runs(Vec::new())
    }
}

impl<T: Clone + PartialEq> Runs<T> {
    /// The value of a number.
    #[inline]
    pub fn get(&self, at: u32) -> Option<&T> {
        // Most look for the last one.
        let run = match self.0.last() {
            Some(run) if run.first <= at => run,
            _ => &self.0[self.0.partition_point(|run| run.first <= at).checked_sub(1)?],
        };
        (at <= run.last).then_some(&run.value)
    }

    pub fn iter(&self) -> std::slice::Iter<'_, Run<T>> {
        self.0.iter()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Bytes of the runs themselves.
    pub fn bytes(&self) -> usize {
        self.0.capacity() * size_of::<Run<T>>()
    }

    /// Adds a run after all others.
    pub fn push(&mut self, first: u32, last: u32, value: T) {
        match self.0.last_mut() {
            Some(before) if before.last.checked_add(1) == Some(first) && before.value == value => before.last = last,
            _ => self.0.push(Run { first, last, value }),
        }
    }

    /// The value of one number, to be changed: a run of its own, which starts with `new` if there is none.
    pub fn alone(&mut self, at: u32, new: impl FnOnce() -> T) -> &mut T {
        let next = self.0.partition_point(|run| run.last < at);
        let place = match self.0.get(next).filter(|run| run.first <= at).cloned() {
            None => {
                self.0.insert(next, Run { first: at, last: at, value: new() });
                next
            }
            Some(run) if run.first == at && run.last == at => next,
            Some(Run { first, last, value }) => {
                let part = |first, last| Run { first, last, value: value.clone() };
                let before = (first < at).then(|| part(first, at - 1));
                let after = (last > at).then(|| part(at + 1, last));
                let place = next + usize::from(before.is_some());
                self.0.splice(next..=next, before.into_iter().chain([part(at, at)]).chain(after));
                place
            }
        };
        &mut self.0[place].value
    }

    /// Makes runs that follow each other with the same value one.
    pub fn merge(&mut self) {
        self.0.dedup_by(|next, before| {
            let is_same = before.last.checked_add(1) == Some(next.first) && before.value == next.value;
            if is_same {
                before.last = next.last;
            }
            is_same
        });
    }

    /// Whether any runs could be one.
    pub fn is_split(&self) -> bool {
        let goes_on =
            |pair: &[Run<T>]| pair[0].last.checked_add(1) == Some(pair[1].first) && pair[0].value == pair[1].value;
        self.0.windows(2).any(goes_on)
    }

    /// The ranges in which the values of both stay the same: first and last number, both values.
    pub fn beside<'r>(&'r self, other: &'r Runs<T>) -> Beside<'r, T> {
        Beside { own: &self.0, other: &other.0, next: 0 }
    }

    /// The values of both, joined where both have one.
    pub fn joined(&self, other: &Runs<T>, mut join: impl FnMut(&T, &T) -> T) -> Runs<T> {
        let mut out = Runs(Vec::with_capacity(self.0.len().max(other.0.len())));
        for (first, last, own, other) in self.beside(other) {
            let value = match (own, other) {
                (Some(own), Some(other)) => join(own, other),
                (Some(one), None) | (None, Some(one)) => one.clone(),
                (None, None) => continue,
            };
            out.push(first, last, value);
        }
        out
    }
}

/// Ranges of two lists of runs.
pub(super) struct Beside<'r, T> {
    own: &'r [Run<T>],
    other: &'r [Run<T>],
    next: u64,
}

impl<'r, T> Iterator for Beside<'r, T> {
    type Item = (u32, u32, Option<&'r T>, Option<&'r T>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let skip = |runs: &mut &'r [Run<T>], next: u64| {
            if let [first, rest @ ..] = *runs
                && u64::from(first.last) < next
            {
                *runs = rest;
            }
        };
        skip(&mut self.own, self.next);
        skip(&mut self.other, self.next);
        let heads = [self.own.first(), self.other.first()];
        let starts = heads.into_iter().flatten().map(|run| u64::from(run.first).max(self.next));
        let start = starts.min()? as u32;
        let here = heads.map(|run| run.filter(|run| run.first <= start));
        let end = |run: &Run<T>| if run.first <= start { run.last } else { run.first - 1 };
        let last = heads.into_iter().flatten().map(end).min()?;
        self.next = u64::from(last) + 1;
        let [own, other] = here.map(|run| run.map(|run| &run.value));
        Some((start, last, own, other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(values: &[Option<u8>]) -> Runs<u8> {
        let mut runs = Runs::default();
        for (at, value) in (0..).zip(values) {
            if let Some(value) = value {
                runs.push(at, at, *value);
            }
        }
        runs
    }

    fn values(runs: &Runs<u8>) -> Vec<Option<u8>> {
        (0..12).map(|at| runs.get(at).copied()).collect()
    }

    proptest! {
        #[test]
        fn runs_are_the_values_of_each_number(
            one in prop::collection::vec(prop::option::of(0..3u8), 12),
            other in prop::collection::vec(prop::option::of(0..3u8), 12),
            at in 0..12u32,
        ) {
            let (own, theirs) = (of(&one), of(&other));
            prop_assert_eq!(&values(&own), &one);
            prop_assert!(!own.is_split());
            let joined = own.joined(&theirs, |a, b| *a.max(b));
            let expected: Vec<_> = one.iter().zip(&other).map(|(a, b)| *a.max(b)).collect();
            prop_assert_eq!(values(&joined), expected);
            let mut changed = own.clone();
            *changed.alone(at, || 9) += 10;
            let mut expected = one.clone();
            expected[at as usize] = Some(expected[at as usize].unwrap_or(9) + 10);
            prop_assert_eq!(values(&changed), expected);
            *changed.alone(at, || 9) = one[at as usize].unwrap_or(0);
            changed.merge();
            prop_assert!(!changed.is_split());
            if one[at as usize].is_some() {
                prop_assert_eq!(changed, own);
            }
        }
    }
}
