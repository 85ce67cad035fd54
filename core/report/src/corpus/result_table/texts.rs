//! Columns of texts: names that all differ, and words that many rows share.

use std::collections::HashMap;

/// The longest text that is kept, in bytes; a longer one is cut. Files can contain any text.
const MOST: usize = 4096;

/// Texts one after the other in one allocation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Texts {
    all: String,
    ends: Vec<usize>,
}

impl Texts {
    /// Adds a text.
    pub fn push(&mut self, text: &str) {
        self.all.push_str(cut(text));
        self.ends.push(self.all.len());
    }

    /// A text; empty if there is none.
    pub fn get(&self, at: usize) -> &str {
        let Some(end) = self.ends.get(at) else { return "" };
        let start = at.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        self.all.get(start..*end).unwrap_or_default()
    }

    /// Number of texts.
    pub fn len(&self) -> usize {
        self.ends.len()
    }
}

/// A word for each row; each different word is kept once. Word 0 is the empty one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Words {
    words: Vec<String>,
    known: HashMap<String, u32>,
    rows: Vec<u32>,
}

impl Default for Words {
    fn default() -> Self {
        Words { words: vec![String::new()], known: HashMap::from([(String::new(), 0)]), rows: Vec::new() }
    }
}

impl Words {
    /// Adds the word of the next row.
    pub fn push(&mut self, word: &str) {
        let word = cut(word);
        let at = match self.known.get(word) {
            Some(at) => *at,
            None => {
                // Rows are counted in 32 bits too.
                let at = u32::try_from(self.words.len()).unwrap_or(u32::MAX);
                self.words.push(word.to_owned());
                self.known.insert(word.to_owned(), at);
                at
            }
        };
        self.rows.push(at);
    }

    /// The word of a row.
    pub fn get(&self, row: usize) -> &str {
        self.words.get(self.at(row)).map_or("", String::as_str)
    }

    /// The index of a row's word.
    pub fn at(&self, row: usize) -> usize {
        self.rows.get(row).map_or(0, |at| *at as usize)
    }

    /// The different words, the empty one first.
    pub fn words(&self) -> &[String] {
        &self.words
    }
}

fn cut(text: &str) -> &str {
    let end = (0..=MOST.min(text.len())).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    text.get(..end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_each_word_once_and_cuts_long_texts() {
        let mut words = Words::default();
        ["b", "a", "", "b"].iter().for_each(|word| words.push(word));
        assert_eq!((0..5).map(|row| words.get(row)).collect::<Vec<_>>(), ["b", "a", "", "b", ""]);
        assert_eq!(words.words(), ["", "b", "a"]);
        let mut texts = Texts::default();
        ["a", "", &"é".repeat(MOST)].iter().for_each(|text| texts.push(text));
        assert_eq!((texts.get(0), texts.get(1), texts.get(3)), ("a", "", ""));
        assert_eq!((texts.get(2).len(), texts.len()), (MOST, 3));
    }
}
