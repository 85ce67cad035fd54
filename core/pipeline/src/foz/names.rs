//! Selectors of the pipelines of a database.

use std::collections::BTreeMap;

use super::index::Place;
use super::list::{Listing, Row};
use super::{Key, Tag};

impl Listing {
    /// The selector of each pipeline, in their order; see the module.
    pub fn names(&self) -> Vec<String> {
        let kind_and_key = |row: &Row| (row.kind.clone(), Key(row.hash.0));
        names(&self.pipelines.iter().map(kind_and_key).collect::<Vec<_>>())
    }
}

/// The selectors of the pipelines at these places, in their order; see the module.
pub fn names_of_places(places: &[Place]) -> Vec<String> {
    let kind_and_key = |place: &Place| (Tag::kind(place.tag).unwrap_or_default().to_owned(), Key(place.hash));
    names(&places.iter().map(kind_and_key).collect::<Vec<_>>())
}

/// A pipeline's name is its key, with its kind before it where the key stands for one of each of several kinds:
/// `compute:1c14a873c2e0d7b5`.
fn names(pipelines: &[(String, Key)]) -> Vec<String> {
    let mut times = BTreeMap::<u64, usize>::new();
    pipelines.iter().for_each(|(_, key)| *times.entry(key.0).or_default() += 1);
    let several = |key: &Key| times.get(&key.0).is_some_and(|times| *times > 1);
    let name = |(kind, key): &(String, Key)| if several(key) { format!("{kind}:{key}") } else { key.to_string() };
    pipelines.iter().map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distinguishes_same_key_by_kind() {
        let given = [("graphics", 1), ("graphics", 2), ("compute", 2)];
        let names = names(&given.map(|(kind, key)| (kind.to_owned(), Key(key))));
        assert_eq!(names, ["0000000000000001", "graphics:0000000000000002", "compute:0000000000000002"]);
    }
}
