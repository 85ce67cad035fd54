//! A number for each id of a module, in memory proportional to the file, not to the id bound in its header.

use std::collections::BTreeMap;

use lanescope_base::ids::Id;

/// Numbers by id.
#[derive(Debug, Clone, Default)]
pub(super) struct ById {
    /// Of the ids below the module's length in words, which are all of a module that numbers them without large gaps:
    /// the number and 1, or 0.
    near: Vec<u32>,
    /// Numbers of the ids beyond.
    far: BTreeMap<Id, u32>,
}

impl ById {
    /// Nothing yet, for ids below `bound` of a module with so many words.
    pub fn new(bound: u32, words: usize) -> ById {
        ById { near: vec![0; words.min(bound as usize)], far: BTreeMap::new() }
    }

    /// The number of an id. Numbers are those of instructions and words, of which there are fewer than 2^32 - 1.
    #[inline]
    pub fn get(&self, id: Id) -> Option<u32> {
        match self.near.get(id.0 as usize) {
            Some(number) => number.checked_sub(1),
            None => self.far.get(&id).copied(),
        }
    }

    /// Gives an id a number, instead of the one that it has.
    pub fn set(&mut self, id: Id, number: u32) {
        match self.near.get_mut(id.0 as usize) {
            Some(place) => *place = number + 1,
            None => _ = self.far.insert(id, number),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_last_number_of_each_id_in_linear_memory() {
        let mut by_id = ById::new(4_000_000, 17);
        assert_eq!(by_id.near.len(), 17);
        for id in [0, 16, 17, 3_999_999].map(Id) {
            assert_eq!(by_id.get(id), None);
            by_id.set(id, 7);
            by_id.set(id, id.0);
            assert_eq!(by_id.get(id), Some(id.0));
        }
        assert_eq!(by_id.get(Id(18)), None);
        assert_eq!(ById::new(3, 17).near.len(), 3);
    }
}
