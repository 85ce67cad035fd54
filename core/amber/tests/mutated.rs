//! Scripts with words that are lost, doubled, swapped and replaced: each reads, or is an error with a line of the file,
//! and what reads is written and reads as the same.

use lanescope_amber::{read, write};
use proptest::prelude::*;

const ALL: &str = include_str!("all.amber");

/// A script that reads has a text that reads as the same; an error has a line of the text.
fn holds(text: &[u8]) {
    match read(text) {
        Ok(script) => {
            let written = write(&script).unwrap_or_else(|error| panic!("{error}\n{}", String::from_utf8_lossy(text)));
            assert_eq!(read(written.as_bytes()).as_ref(), Ok(&script));
        }
        Err(error) => {
            let lines = 1 + text.iter().filter(|byte| **byte == b'\n').count();
            assert!((1..=lines).contains(&(error.line as usize)), "{error}");
        }
    }
}

/// Words that a mutation puts in.
const WORDS: &[&str] = &[
    "END",
    "0",
    "-1",
    "1.5",
    "nan",
    "0xffffffff",
    "4294967296",
    "#",
    "\\\n",
    "\n",
    "\"",
    "DATA",
    "SIZE",
    "EQ",
    "on",
    "RUN",
    "BUFFER_ARRAY",
    "vec4<double>",
    "mat4x4<float>[]",
    "R8_UINT",
    "TOLERANCE",
    "%",
    "FLAGS",
    "REPEAT 2\n",
    "STD140",
    "é",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn words_of_a_script_change(changes in prop::collection::vec((any::<prop::sample::Index>(), 0..5u8, any::<prop::sample::Index>()), 1..4)) {
        let mut words: Vec<&str> = ALL.split_inclusive([' ', '\n']).collect();
        for (place, what, other) in changes {
            // Nothing is left where the only word was removed.
            if words.is_empty() {
                break;
            }
            let (at, from) = (place.index(words.len()), other.index(words.len()));
            match what {
                0 => drop(words.remove(at)),
                1 => words.insert(at, words[from]),
                2 => words.swap(at, from),
                3 => words[at] = WORDS[other.index(WORDS.len())],
                _ => words.truncate(at.max(1)),
            }
        }
        holds(words.concat().as_bytes());
    }

    /// `nan` differs from itself: nothing that reads may keep one as a plain number.
    #[test]
    fn any_word_may_be_nan(place in any::<prop::sample::Index>()) {
        let mut words: Vec<&str> = ALL.split_inclusive([' ', '\n']).collect();
        let at = place.index(words.len());
        words[at] = if words[at].ends_with('\n') { "nan\n" } else { "nan " };
        holds(words.concat().as_bytes());
    }

    #[test]
    fn bytes_of_a_script_change(place in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let mut text = ALL.as_bytes().to_vec();
        let at = place.index(text.len());
        text[at] = byte;
        holds(&text);
    }

    #[test]
    fn any_bytes_read_or_are_an_error(text in prop::collection::vec(any::<u8>(), 0..200)) {
        holds(&text);
    }

    #[test]
    fn any_words_read_or_are_an_error(text in "(PIPELINE|RUN|BUFFER|IMAGE|END|EXPECT|SHADER|a|b|compute|graphics|[0-9]{1,3}| |\n){0,60}") {
        holds(text.as_bytes());
    }
}
