//! The order of rows: by one column, or as declared. Numbers sort as numbers, with their units.

use std::cmp::Ordering;

use super::{Cell, Table};

/// What rows are sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Sort {
    /// Index of the column.
    pub column: usize,
    /// The largest first.
    pub descending: bool,
}

impl Sort {
    /// The order after a click on the title of a column: ascending, then descending, then as declared.
    pub fn after_click(now: Option<Sort>, column: usize) -> Option<Sort> {
        match now.filter(|now| now.column == column) {
            None => Some(Sort { column, descending: false }),
            Some(Sort { descending: false, .. }) => Some(Sort { column, descending: true }),
            Some(Sort { descending: true, .. }) => None,
        }
    }

    /// The sign of a sorted column.
    pub fn sign(self) -> &'static str {
        if self.descending { "▼" } else { "▲" }
    }

    /// The order in words: `sorted, ascending`.
    pub fn words(self) -> &'static str {
        if self.descending { "sorted, descending" } else { "sorted, ascending" }
    }
}

impl Table {
    /// Indices of the rows in an order. Rows that detail another row stay below it.
    pub fn order(&self, sort: Option<Sort>) -> Vec<usize> {
        let text = |row: usize, column: usize| {
            let cell = self.rows.get(row).and_then(|row| row.cells.get(column));
            cell.map(|cell: &Cell| cell.text().into_owned()).unwrap_or_default()
        };
        let sort = sort.filter(|sort| sort.column < self.columns.len());
        order(self.rows.len(), |row| self.rows.get(row).is_some_and(|row| row.level > 0), text, sort)
    }

    /// The same table with its rows in an order.
    pub fn sorted(&self, sort: Option<Sort>) -> Table {
        let rows = self.order(sort).into_iter().filter_map(|row| self.rows.get(row).cloned()).collect();
        Table { rows, ..self.clone() }
    }
}

/// Indices of `count` rows in an order, by the texts of their cells. A row that `details` another one stays below it.
/// Equal rows keep their order, and empty cells are last.
pub fn order(
    count: usize,
    details: impl Fn(usize) -> bool,
    text: impl Fn(usize, usize) -> String,
    sort: Option<Sort>,
) -> Vec<usize> {
    let Some(Sort { column, descending }) = sort else { return (0..count).collect() };
    let mut blocks: Vec<(Key, usize, usize)> = Vec::new();
    for row in 0..count {
        match blocks.last_mut().filter(|_| details(row)) {
            Some((.., end)) => *end = row + 1,
            None => blocks.push((Key::of(&text(row, column)), row, row + 1)),
        }
    }
    blocks.sort_by(|(a, ..), (b, ..)| match (a.is_empty(), b.is_empty()) {
        (false, false) if descending => b.compare(a),
        (false, false) => a.compare(b),
        (a, b) => a.cmp(&b),
    });
    blocks.into_iter().flat_map(|(_, first, end)| first..end).collect()
}

/// Compares two texts as the cells of a sorted column are compared.
pub fn compare(a: &str, b: &str) -> Ordering {
    Key::of(a).compare(&Key::of(b))
}

/// What a text is compared by: the number that it starts with, then its words.
#[derive(Debug)]
struct Key {
    number: Option<f64>,
    words: String,
}

impl Key {
    fn of(text: &str) -> Key {
        let text = text.trim().trim_start_matches(['≤', '≥', '~', '▲', '▼', ' ']);
        if matches!(text, "-" | "–" | "—") {
            return Key { number: None, words: String::new() };
        }
        let (number, rest) = number(text);
        Key { number, words: rest.trim_start().to_lowercase() }
    }

    fn is_empty(&self) -> bool {
        self.number.is_none() && self.words.is_empty()
    }

    fn compare(&self, other: &Key) -> Ordering {
        match (self.number, other.number) {
            (Some(a), Some(b)) => a.total_cmp(&b).then_with(|| natural(&self.words, &other.words)),
            // Numbers are before words.
            (a, b) => b.is_some().cmp(&a.is_some()).then_with(|| natural(&self.words, &other.words)),
        }
    }
}

/// The number that a text starts with, in its unit, and the rest of the text.
fn number(text: &str) -> (Option<f64>, &str) {
    let unsigned = text.trim_start_matches(['-', '−', '+']);
    let negative = text.starts_with(['-', '−']);
    let end = |text: &str, is: fn(char) -> bool| text.find(|c: char| !is(c)).unwrap_or(text.len());
    let (value, rest) = match unsigned.strip_prefix("0x") {
        Some(digits) => {
            let (digits, rest) = digits.split_at(end(digits, |c| c.is_ascii_hexdigit()));
            (u64::from_str_radix(digits, 16).ok().map(|value| value as f64), rest)
        }
        None => {
            let whole = end(unsigned, |c| c.is_ascii_digit());
            let (_, after) = unsigned.split_at(whole);
            let fraction = after.strip_prefix('.').map_or(0, |after| end(after, |c| c.is_ascii_digit()));
            let length = if fraction > 0 { whole + 1 + fraction } else { whole };
            let (digits, rest) = unsigned.split_at(length);
            (digits.parse::<f64>().ok().filter(|_| whole > 0), rest)
        }
    };
    match value {
        None => (None, text),
        Some(value) => {
            let value = value * unit(rest);
            (Some(if negative { -value } else { value }), rest)
        }
    }
}

/// What a number is multiplied by because of the unit after it.
fn unit(rest: &str) -> f64 {
    let word = rest.trim_start();
    let word = word.get(..word.find(|c: char| !c.is_alphabetic()).unwrap_or(word.len())).unwrap_or_default();
    match word {
        "KiB" => 1024.0,
        "MiB" => 1024.0 * 1024.0,
        "GiB" => 1024.0 * 1024.0 * 1024.0,
        "ns" => 1e-9,
        "µs" | "us" => 1e-6,
        "ms" => 1e-3,
        "min" => 60.0,
        "h" => 3600.0,
        _ => 1.0,
    }
}

/// Compares words with the numbers in them as numbers: `CNTL_9` before `CNTL_10`.
fn natural(a: &str, b: &str) -> Ordering {
    let (mut left, mut right) = (a.chars().peekable(), b.chars().peekable());
    loop {
        match (left.peek().copied(), right.peek().copied()) {
            (None, None) => return a.cmp(b),
            (Some(x), Some(y)) if x.is_ascii_digit() && y.is_ascii_digit() => {
                let digits = |chars: &mut std::iter::Peekable<std::str::Chars<'_>>| {
                    let mut out = String::new();
                    while let Some(c) = chars.next_if(char::is_ascii_digit) {
                        if c != '0' || !out.is_empty() {
                            out.push(c);
                        }
                    }
                    out
                };
                let (x, y) = (digits(&mut left), digits(&mut right));
                match x.len().cmp(&y.len()).then_with(|| x.cmp(&y)) {
                    Ordering::Equal => {}
                    other => return other,
                }
            }
            (x, y) if x == y => {
                left.next();
                right.next();
            }
            (x, y) => return x.cmp(&y),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{Column, Row};
    use super::*;

    fn sorted(texts: &[&str], descending: bool) -> Vec<String> {
        let sort = Some(Sort { column: 0, descending });
        let order = order(texts.len(), |_| false, |row, _| texts[row].to_owned(), sort);
        order.into_iter().map(|row| texts[row].to_owned()).collect()
    }

    #[test]
    fn numbers_sort_as_numbers_and_empty_cells_last() {
        assert_eq!(sorted(&["10", "", "9", "-2", "0x10", "-"], false), ["-2", "9", "10", "0x10", "", "-"]);
        assert_eq!(sorted(&["10", "", "9", "-2"], true), ["10", "9", "-2", ""]);
        assert_eq!(sorted(&["1 MiB", "900 bytes", "1 KiB"], false), ["900 bytes", "1 KiB", "1 MiB"]);
        assert_eq!(sorted(&["1.5 ms", "2 µs", "1 s"], false), ["2 µs", "1.5 ms", "1 s"]);
        assert_eq!(sorted(&["10.x", "2.y", "2.x"], false), ["2.x", "2.y", "10.x"]);
    }

    #[test]
    fn numbers_inside_words_sort_as_numbers() {
        assert_eq!(sorted(&["CNTL_10", "cntl_9", "CNTL_2", "8"], false), ["8", "CNTL_2", "cntl_9", "CNTL_10"]);
    }

    #[test]
    fn a_click_sorts_both_ways_and_then_as_declared() {
        let first = Sort::after_click(None, 1);
        let second = Sort::after_click(first, 1);
        assert_eq!(first, Some(Sort { column: 1, descending: false }));
        assert_eq!(second, Some(Sort { column: 1, descending: true }));
        assert_eq!(Sort::after_click(second, 1), None);
        assert_eq!(Sort::after_click(second, 0), Some(Sort { column: 0, descending: false }));
    }

    #[test]
    fn details_stay_below_their_row() {
        let mut table = Table::new([Column::left("a")]);
        for (text, level) in [("2", 0), ("x", 1), ("1", 0), ("z", 1), ("y", 1)] {
            table.rows.push(Row { cells: vec![text.into()], level, ..Row::default() });
        }
        let texts =
            |sort| table.sorted(sort).rows.iter().map(|row| row.cells[0].text().into_owned()).collect::<Vec<_>>();
        assert_eq!(texts(Some(Sort { column: 0, descending: false })), ["1", "z", "y", "2", "x"]);
        assert_eq!(texts(Some(Sort { column: 7, descending: false })), ["2", "x", "1", "z", "y"]);
        assert_eq!(texts(None), ["2", "x", "1", "z", "y"]);
    }

    proptest! {
        #[test]
        fn any_texts_have_one_order(texts in proptest::collection::vec(any::<String>(), 0..8)) {
            let all: Vec<&str> = texts.iter().map(String::as_str).collect();
            let up = sorted(&all, false);
            for pair in up.windows(2).filter(|pair| !Key::of(&pair[1]).is_empty()) {
                prop_assert!(compare(&pair[0], &pair[1]) != Ordering::Greater, "{:?}", pair);
            }
            prop_assert_eq!(up.len(), texts.len());
        }
    }
}
