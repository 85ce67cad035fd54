//! Which lines of the palette match what is typed, and how well.

use nucleo_matcher::pattern::{AtomKind, CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};

use super::Item;

/// What matches less than half as well as the best is not meant: any letters are somewhere in a long line.
const SHARE: u32 = 2;

/// The items whose labels or other words hold the letters of each typed word in order, the best first.
pub fn matching<'i>(items: &'i [Item], typed: &str) -> Vec<&'i Item> {
    let words: Vec<String> = typed.split_whitespace().map(str::to_lowercase).collect();
    if words.is_empty() {
        return items.iter().collect();
    }
    let mut config = Config::DEFAULT;
    config.prefer_prefix = true;
    let mut matcher = Matcher::new(config);
    let pattern = Pattern::new(typed, CaseMatching::Ignore, Normalization::Smart, AtomKind::Fuzzy);
    let mut buffer = Vec::new();
    let mut score = |text: &str| pattern.score(Utf32Str::new(text, &mut buffer), &mut matcher);
    let mut found: Vec<(u32, &Item)> = Vec::new();
    for item in items {
        // Letters of other words are found anywhere; whole words are meant. They count less than the label's.
        let others = item.synonyms.to_lowercase();
        let begins = |word: &String| others.split_whitespace().any(|other| other.starts_with(word.as_str()));
        let by_synonym = if words.iter().all(begins) { score(item.synonyms).map(|score| score * 3 / 4) } else { None };
        found.extend(score(&item.label).max(by_synonym).map(|score| (score, item)));
    }
    let least = found.iter().map(|(score, _)| *score).max().unwrap_or(0) / SHARE;
    found.retain(|(score, _)| *score >= least);
    // Of lines that match alike the shorter one is closer to what was typed.
    found.sort_by_key(|(score, item)| (std::cmp::Reverse(*score), item.label.chars().count()));
    found.into_iter().map(|(_, item)| item).collect()
}

#[cfg(test)]
mod tests {
    use lanescope_inspector::command::Command;

    use super::*;

    fn item(label: &str) -> Item {
        Item { label: label.to_owned(), synonyms: "", note: String::new(), commands: vec![Command::About] }
    }

    #[test]
    fn matches_letters_in_order_and_ranks_whole_words_first() {
        let items = ["Open", "Open by path", "Export picture", "Next tab", "Switch between light and dark"].map(item);
        for (typed, expected) in [
            ("op", &["Open", "Open by path", "Export picture"][..]),
            ("obp", &["Open by path"]),
            ("pic", &["Export picture"]),
            ("DARK", &["Switch between light and dark"]),
            ("nt", &["Next tab"]),
            ("path open", &["Open by path"]),
            ("zz", &[]),
        ] {
            let found: Vec<_> = matching(&items, typed).iter().map(|item| item.label.as_str()).collect();
            assert_eq!(found, expected, "{typed}");
        }
        assert_eq!(matching(&items, " ").len(), items.len());
    }

    #[test]
    fn finds_other_words_after_labels() {
        let theme = Item { synonyms: "theme dark mode", ..item("Switch between light and dark") };
        let items = [theme, item("Follow the mesh"), item("Theme park")];
        let found: Vec<_> = matching(&items, "theme").iter().map(|item| item.label.as_str()).collect();
        assert_eq!(found, ["Theme park", "Follow the mesh", "Switch between light and dark"]);
        assert_eq!(matching(&items, "dark mo").len(), 1);
    }
}
