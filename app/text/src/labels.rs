//! Labels of variables in the cells of slot grids.

use std::collections::BTreeMap;

use lanescope_core::packing::Packing;
use unicode_width::UnicodeWidthStr as _;

/// What stands for a variable.
pub struct Letter<'l> {
    pub letter: &'l str,
    pub name: &'l str,
    /// The number of its colour.
    pub hue: usize,
}

/// The label of each variable: its name if that fits every cell, otherwise a letter.
pub struct Labels {
    short: BTreeMap<String, (usize, String)>,
    lettered: bool,
}

impl Labels {
    /// Labels for cells and halves of so many columns.
    pub fn within(packing: &Packing, cell: usize, half: usize) -> Labels {
        let mut names: Vec<((u32, u8), &str, u32)> = Vec::new();
        let scalars = packing.interface.iter().map(|s| ((s.location.0, s.component.0), s.variable.as_str(), s.bits));
        let mapped = packing.map.iter().map(|m| ((m.from.location.0, m.from.component.0), m.variable.as_str(), m.bits));
        names.extend(mapped.chain(scalars));
        names.sort();
        let fits = |name: &str, bits: u32| name.width() + 2 <= if bits < 32 { half } else { cell - 1 };
        let lettered = !names.iter().all(|(_, name, bits)| fits(name, *bits));
        let mut short = BTreeMap::new();
        for (_, name, _) in names {
            let next = short.len();
            short
                .entry(name.to_owned())
                .or_insert_with(|| (next, if lettered { letters(next) } else { name.to_owned() }));
        }
        Labels { short, lettered }
    }

    pub fn of(&self, variable: &str) -> (usize, &str) {
        self.short.get(variable).map_or((0, "?"), |(index, label)| (*index, label.as_str()))
    }

    /// The letter of each variable, where letters stand for names.
    pub fn letters(&self) -> Vec<Letter<'_>> {
        let all = self.short.iter().filter(|_| self.lettered);
        let mut letters: Vec<_> = all.map(|(name, (hue, letter))| Letter { letter, name, hue: *hue }).collect();
        letters.sort_by_key(|letter| letter.hue);
        letters
    }
}

/// a, b, … z, aa, ab, …
pub(super) fn letters(mut index: usize) -> String {
    let mut text = String::new();
    loop {
        let digit = u8::try_from(index % 26).unwrap_or(0);
        text.insert(0, char::from(b'a' + digit));
        match (index / 26).checked_sub(1) {
            Some(rest) => index = rest,
            None => return text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_count_like_spreadsheet_columns() {
        let all: Vec<_> = [0, 1, 25, 26, 27, 51, 52, 701, 702].into_iter().map(letters).collect();
        assert_eq!(all, ["a", "b", "z", "aa", "ab", "az", "ba", "zz", "aaa"]);
    }
}
