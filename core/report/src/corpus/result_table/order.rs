//! The rows in the order of a column.

use std::cmp::Ordering;

use super::{ResultColumn, ResultTable};
use lanescope_passes::table;

impl ResultTable {
    /// All rows by a column. Equal rows keep their order; rows without contents come last. Numbers sort as numbers.
    pub fn order(&self, column: ResultColumn, descending: bool) -> Vec<u32> {
        let mut rows: Vec<u32> = (0..u32::try_from(self.len()).unwrap_or(u32::MAX)).collect();
        let turned = |order: Ordering| if descending { order.reverse() } else { order };
        match (column, self.words(column)) {
            (ResultColumn::Number(_), _) => {
                let mut keyed: Vec<(f64, u32)> =
                    rows.iter().map(|row| (self.number(*row as usize, column).unwrap_or(f64::NAN), *row)).collect();
                keyed.sort_unstable_by(|(a, x), (b, y)| {
                    let by_value = match (a.is_nan(), b.is_nan()) {
                        (false, false) => turned(a.total_cmp(b)),
                        (a, b) => a.cmp(&b),
                    };
                    by_value.then(x.cmp(y))
                });
                rows = keyed.into_iter().map(|(_, row)| row).collect();
            }
            (_, Some(words)) => {
                let mut sorted: Vec<(usize, &String)> = words.words().iter().enumerate().collect();
                sorted.sort_by(|(_, a), (_, b)| match (a.is_empty(), b.is_empty()) {
                    (false, false) => turned(table::compare(a, b)),
                    (a, b) => a.cmp(&b),
                });
                let mut rank = vec![0; sorted.len()];
                for (place, (word, _)) in sorted.into_iter().enumerate() {
                    if let Some(rank) = rank.get_mut(word) {
                        *rank = place;
                    }
                }
                rows.sort_by_key(|row| rank.get(words.at(*row as usize)).copied());
            }
            (_, None) => {
                let name = |row: &u32| self.names.get(self.pipeline(*row as usize));
                // Names of databases end in digits of a hash: their bytes are order enough.
                rows.sort_by(|a, b| turned(name(a).cmp(name(b))));
            }
        }
        rows
    }
}
