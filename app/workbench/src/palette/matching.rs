//! Which lines of the palette match what is typed, and how well.

use super::Item;

/// A match of other words than the label's counts as much worse.
const SYNONYM: usize = 40;

/// The items whose labels or other words hold the typed letters in order, the best first.
pub fn matching<'i>(items: &'i [Item], typed: &str) -> Vec<&'i Item> {
    let wanted: Vec<char> = typed.to_lowercase().chars().filter(|c| !c.is_whitespace()).collect();
    let words: Vec<String> = typed.split_whitespace().map(str::to_lowercase).collect();
    let cost = |item: &Item| {
        // Letters of other words are found anywhere; whole words are meant.
        let others = item.synonyms.to_lowercase();
        let begins = |word: &String| others.split_whitespace().any(|other| other.starts_with(word.as_str()));
        let by_synonym = (!words.is_empty() && words.iter().all(begins)).then_some(SYNONYM);
        [distance(&item.label, &wanted), by_synonym].into_iter().flatten().min()
    };
    let mut found: Vec<(usize, &Item)> = items.iter().filter_map(|item| Some((cost(item)?, item))).collect();
    found.sort_by_key(|(cost, _)| *cost);
    found.into_iter().map(|(_, item)| item).collect()
}

/// How badly a label matches: letters skipped between the first and the last match, more where a word is entered in
/// its middle. `None` if a letter is missing.
fn distance(label: &str, wanted: &[char]) -> Option<usize> {
    let letters: Vec<char> = label.to_lowercase().chars().collect();
    let starts: Vec<usize> = match wanted.first() {
        None => return Some(0),
        Some(first) => (0..letters.len()).filter(|&at| letters[at] == *first).collect(),
    };
    let from = |start: usize| {
        let mut cost = if start == 0 {
            0
        } else if letters[start - 1].is_alphanumeric() {
            8
        } else {
            1
        };
        let mut at = start;
        for wanted in &wanted[1..] {
            let next = (at + 1..letters.len()).find(|&next| letters[next] == *wanted)?;
            let begins_word = !letters[next - 1].is_alphanumeric();
            cost += if next == at + 1 {
                0
            } else if begins_word {
                1
            } else {
                3 + (next - at)
            };
            at = next;
        }
        Some(cost)
    };
    starts.into_iter().filter_map(from).min()
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
            ("nt", &["Next tab", "Switch between light and dark", "Open by path"]),
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
