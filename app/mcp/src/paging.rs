//! A long text, part by part.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Characters of a page where the client names no number.
pub const USUAL: usize = 16_000;
/// The most characters of a page.
pub const MOST: usize = 200_000;

/// A part of a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Page {
    /// The text of this page.
    pub text: String,
    /// Where it begins, in characters from the start of the whole text.
    pub offset: usize,
    /// Characters of the whole text.
    pub total: usize,
    /// Where the next page begins; absent on the last one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub next_offset: Option<usize>,
}

impl Page {
    /// The page of a text that begins at an offset, with at most so many characters. It ends with a line where it has
    /// more than one.
    ///
    /// # Errors
    /// An offset after the end.
    pub fn of(text: &str, offset: usize, most: usize) -> Result<Page, String> {
        let total = text.chars().count();
        if offset > total {
            return Err(format!("`offset` is {offset}: the text has {total} characters"));
        }
        let at = |chars: usize| text.char_indices().nth(chars).map_or(text.len(), |(at, _)| at);
        let rest = text.get(at(offset)..).unwrap_or_default();
        let cut = rest.char_indices().nth(most).map(|(at, _)| at);
        let part = match cut {
            None => rest,
            Some(cut) => {
                let whole = rest.get(..cut).unwrap_or_default();
                let end = whole.rfind('\n').map_or(cut, |line| line + 1);
                whole.get(..end).unwrap_or_default()
            }
        };
        let end = offset + part.chars().count();
        Ok(Page { text: part.to_owned(), offset, total, next_offset: (end < total).then_some(end) })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Pages follow each other without a gap, end, and are the whole text together.
        #[test]
        fn pages_are_the_text(text in "[a-zé\n]{0,200}", most in 1usize..40) {
            let (mut all, mut offset) = (String::new(), Some(0));
            while let Some(at) = offset {
                let page = Page::of(&text, at, most).expect("is inside");
                prop_assert!(page.offset == at && page.total == text.chars().count());
                prop_assert!(page.text.chars().count() <= most);
                prop_assert!(page.next_offset.is_none_or(|next| next > at));
                all.push_str(&page.text);
                offset = page.next_offset;
            }
            prop_assert_eq!(all, text);
        }
    }

    #[test]
    fn an_offset_after_the_end_is_refused() {
        assert_eq!(Page::of("ab", 2, 9).map(|page| page.text), Ok(String::new()));
        assert!(Page::of("ab", 3, 9).is_err_and(|why| why.contains("2 characters")));
    }
}
