//! A strip: what lies where in a stretch of memory.

use std::collections::BTreeMap;

/// Parts of a stretch, in the order of their places.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Strip {
    /// What it is of.
    pub title: String,
    /// Its length in bytes.
    pub bytes: u64,
    /// The parts. They do not overlap.
    pub parts: Vec<StripPart>,
}

/// A part of a strip.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StripPart {
    /// What it belongs to: parts of one item have one colour.
    pub item: usize,
    /// The item's name.
    pub label: String,
    /// Bytes before it.
    pub offset: u64,
    /// Its bytes.
    pub bytes: u64,
}

impl Strip {
    /// The items in the order in which they begin, with their names.
    pub fn items(&self) -> Vec<(usize, &str)> {
        let mut out: Vec<(usize, &str)> = Vec::new();
        for part in &self.parts {
            if !out.iter().any(|(item, _)| *item == part.item) {
                out.push((part.item, &part.label));
            }
        }
        out
    }

    /// The strip in so many equal cells: of each the item that has most of it.
    pub fn cells(&self, count: usize) -> Vec<Option<usize>> {
        let mut cells: Vec<BTreeMap<usize, u128>> = vec![BTreeMap::new(); count];
        let (whole, many) = (u128::from(self.bytes).max(1), count as u128);
        for part in &self.parts {
            // Places are taken times the number of cells: a cell is then as long as the strip.
            let (start, end) = (u128::from(part.offset), u128::from(part.offset) + u128::from(part.bytes));
            let (mut at, end) = (start * many, end.min(whole) * many);
            while at < end {
                let own = at / whole;
                let next = ((own + 1) * whole).min(end);
                if let Some(cell) = usize::try_from(own).ok().and_then(|own| cells.get_mut(own)) {
                    *cell.entry(part.item).or_insert(0) += next - at;
                }
                at = next;
            }
        }
        let most = |cell: &BTreeMap<usize, u128>| {
            cell.iter().max_by_key(|(item, bytes)| (**bytes, std::cmp::Reverse(**item))).map(|(item, _)| *item)
        };
        cells.iter().map(most).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strip(parts: &[(usize, u64)]) -> Strip {
        let mut end = 0;
        let part = |(item, bytes): &(usize, u64)| {
            let offset = end;
            end += bytes;
            StripPart { item: *item, label: format!("N{item}"), offset, bytes: *bytes }
        };
        let parts = parts.iter().map(part).collect();
        Strip { title: String::new(), bytes: end, parts }
    }

    #[test]
    fn a_cell_has_the_item_with_most_of_it() {
        let strip = strip(&[(4, 16), (1, 48), (4, 64)]);
        assert_eq!(strip.items(), [(4, "N4"), (1, "N1")]);
        assert_eq!(strip.cells(8), [4, 1, 1, 1, 4, 4, 4, 4].map(Some));
        assert_eq!(strip.cells(2), [1, 4].map(Some));
        assert_eq!(strip.cells(0), []);
        assert_eq!(self::strip(&[]).cells(2), [None, None]);
    }

    #[test]
    fn lengths_near_the_limit_do_not_overflow() {
        let strip = strip(&[(0, u64::MAX - 32), (1, 32)]);
        assert_eq!(strip.cells(3), [Some(0); 3]);
    }
}
