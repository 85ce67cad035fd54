//! Which rows are shown: words, and conditions on numbers.

use super::texts::Words;
use super::{ResultColumn, ResultTable};

/// Rows that are looked at before matches are handed out.
const CHUNK: usize = 8192;

/// Conditions that a row fulfills, all of them: `fragment & VGPRs >= 64`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RowFilter {
    terms: Vec<Term>,
}

#[derive(Debug, Clone, PartialEq)]
enum Term {
    /// A word in one of the texts of the row, in lower case.
    Word(String),
    /// A number of the row.
    Number(ResultColumn, Comparison, f64),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Comparison {
    Less,
    LessOrEqual,
    Equal,
    NotEqual,
    GreaterOrEqual,
    Greater,
}

/// The signs of comparisons; a longer one comes before its beginning.
const SIGNS: [(&str, Comparison); 7] = [
    ("<=", Comparison::LessOrEqual),
    (">=", Comparison::GreaterOrEqual),
    ("!=", Comparison::NotEqual),
    ("==", Comparison::Equal),
    ("<", Comparison::Less),
    (">", Comparison::Greater),
    ("=", Comparison::Equal),
];

/// Why a text is not a filter.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FilterError {
    /// A column that the table does not have, or that has no numbers.
    #[error("`{0}` is not a statistic of this result")]
    Column(String),
    /// What is compared with is not a number.
    #[error("`{0}` is not a number")]
    Value(String),
}

impl RowFilter {
    /// Parses a filter: terms with `&` between them. A term is a comparison of a statistic with a number, or words that
    /// occur in the texts of a row, in any case.
    ///
    /// # Errors
    /// See [`FilterError`].
    pub fn parse(text: &str, table: &ResultTable) -> Result<RowFilter, FilterError> {
        let mut terms = Vec::new();
        for part in text.split('&') {
            let sign = SIGNS.iter().filter_map(|(sign, is)| Some((part.find(sign)?, sign.len(), *is)));
            let Some((at, length, is)) = sign.min_by_key(|(at, length, _)| (*at, std::cmp::Reverse(*length))) else {
                terms.extend(part.split_whitespace().map(|word| Term::Word(word.to_lowercase())));
                continue;
            };
            let (name, rest) = part.split_at(at);
            let (name, value) = (name.trim(), rest.get(length..).unwrap_or_default().trim());
            let column = table.column(name).filter(|column| matches!(column, ResultColumn::Number(_)));
            let column = column.ok_or_else(|| FilterError::Column(name.to_owned()))?;
            let number = value.parse::<f64>().ok().filter(|number| !number.is_nan());
            terms.push(Term::Number(column, is, number.ok_or_else(|| FilterError::Value(value.to_owned()))?));
        }
        Ok(RowFilter { terms })
    }

    /// Whether all rows are shown.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }
}

impl ResultTable {
    /// Hands out the rows of a filter in this order (that of the file without one), some at a time, the first ones soon.
    /// Ends where `take` returns false.
    pub fn filtered(&self, filter: &RowFilter, order: Option<&[u32]>, mut take: impl FnMut(Vec<u32>) -> bool) {
        let count = u32::try_from(self.len()).unwrap_or(u32::MAX);
        let matches: Vec<Matches<'_>> = filter.terms.iter().map(|term| self.matches(term)).collect();
        let is_match = |row: &u32| matches.iter().all(|term| term.has(self, *row as usize));
        match order {
            Some(order) => {
                order.chunks(CHUNK).all(|chunk| take(chunk.iter().copied().filter(|row| is_match(row)).collect()));
            }
            None => {
                let starts = (0..count).step_by(CHUNK);
                let end = |start: u32| start.saturating_add(CHUNK as u32).min(count);
                starts.map(|start| (start..end(start)).filter(|row| is_match(row)).collect()).all(take);
            }
        }
    }

    fn matches<'t>(&'t self, term: &'t Term) -> Matches<'t> {
        match term {
            Term::Number(column, is, value) => Matches::Number(*column, *is, *value),
            Term::Word(word) => {
                let columns = [&self.kinds, &self.shaders, &self.places, &self.variants, &self.failures];
                let has = |words: &'t Words| {
                    (words, words.words().iter().map(|text| contains(text, word)).collect::<Vec<bool>>())
                };
                let columns = columns.into_iter().chain(&self.texts).map(has);
                Matches::Word(word, columns.filter(|(_, all)| all.contains(&true)).collect())
            }
        }
    }
}

/// A term, with the words that match it looked up.
enum Matches<'t> {
    Word(&'t str, Vec<(&'t Words, Vec<bool>)>),
    Number(ResultColumn, Comparison, f64),
}

impl Matches<'_> {
    fn has(&self, table: &ResultTable, row: usize) -> bool {
        match self {
            Matches::Word(word, columns) => {
                let is_in = |(words, matching): &(&Words, Vec<bool>)| matching.get(words.at(row)) == Some(&true);
                columns.iter().any(is_in) || contains(table.names.get(table.pipeline(row)), word)
            }
            Matches::Number(column, is, value) => table.number(row, *column).is_some_and(|number| match is {
                Comparison::Less => number < *value,
                Comparison::LessOrEqual => number <= *value,
                Comparison::Equal => number == *value,
                Comparison::NotEqual => number != *value,
                Comparison::GreaterOrEqual => number >= *value,
                Comparison::Greater => number > *value,
            }),
        }
    }
}

/// Whether a text contains a word that is in lower case, in any case.
fn contains(text: &str, word: &str) -> bool {
    if !text.is_ascii() {
        return text.to_lowercase().contains(word);
    }
    let (text, word) = (text.as_bytes(), word.as_bytes());
    word.is_empty() || text.windows(word.len()).any(|part| part.eq_ignore_ascii_case(word))
}
