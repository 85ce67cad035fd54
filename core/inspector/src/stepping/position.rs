//! Which generation of a run is shown.

/// The shown generation among those of a run. Generations are counted from 0; where a graph is started several times, over all
/// starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// Index of the shown generation.
    pub at: usize,
    /// Index of the last one.
    pub last: usize,
    /// Start and the generation's number in it, where there are several starts.
    pub start: Option<[u32; 2]>,
}

impl Position {
    /// What follows the shown generation: `of 6`, `of 13: start 1, generation 2`.
    pub fn rest(&self) -> String {
        let start =
            self.start.map_or_else(String::new, |[start, number]| format!(": start {start}, generation {number}"));
        format!("of {}{start}", self.last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_generation_has_the_number_of_all() {
        let position = Position { at: 6, last: 6, start: None };
        assert_eq!(position.rest(), "of 6");
        assert_eq!(Position { last: 13, start: Some([1, 2]), ..position }.rest(), "of 13: start 1, generation 2");
    }
}
