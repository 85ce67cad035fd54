//! Every text that a user may read: string literals of the sources, and the help texts of the command line. They are
//! kept in `tests/data/strings`, a list for each crate, one a line with its file, so that a review sees each change; and none
//! of them uses a banned expression. `⏎` is a line break and `⇥` a tab; runs of blanks are kept.
//!
//! `UPDATE_STRINGS=1` writes the lists anew.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// Folders of sources whose texts reach users.
const ROOTS: [&str; 34] = [
    "core/amber/src",
    "core/base/src",
    "core/codeobject/src",
    "core/cost/src",
    "core/dxc/src",
    "core/slang/src",
    "core/dxil/src",
    "core/exec/src",
    "core/glslang/src",
    "core/inspector/src",
    "core/interpreter/src",
    "core/load/src",
    "core/model/src",
    "core/passes/src",
    "core/pipeline/src",
    "core/driver/src",
    "core/hunt/src",
    "core/reduce/src",
    "core/report/src",
    "core/run/src",
    "core/sodb/src",
    "core/spirv/src",
    "core/src",
    "core/pictures/src",
    "views/src",
    "app/dap/src",
    "app/host/src",
    "app/lsp/src",
    "app/mcp/src",
    "app/text/src",
    "app/tui/src",
    "app/window/src",
    "app/workbench/src",
    "app/src",
];
/// Doc comments there are help texts.
const HELP: [&str; 2] = ["app/src/cli", "app/host/src/flags"];
/// The folder of the lists, from the root of the repository.
const LISTS: &str = "app/tests/data/strings";
/// Texts that may use such an expression: `FILE<tab>TEXT<tab>REASON` a line.
const EXCEPTIONS: &str = "app/tests/data/string_exceptions.txt";

/// Expressions that are not plain technical English, each with what to write instead.
const EXPRESSIONS: [(&str, &str); 13] = [
    ("is no", "is not a, has no"),
    ("are no", "are not, have no"),
    ("told", "listed, reported"),
    ("tells", "lists, reports"),
    ("behind", "after"),
    ("whatever", "any, all"),
    ("wherever", "in each place where"),
    ("nobody", "no one"),
    ("somebody", "a user"),
    ("in place of", "instead of"),
    ("mended", "fixed"),
    ("holds against", "contains"),
    ("as ever", "unchanged"),
];

#[test]
fn the_lists_of_texts_are_current() {
    let mut found: BTreeMap<String, String> = BTreeMap::new();
    for (file, text) in texts() {
        let folder = ROOTS.iter().filter(|folder| file.starts_with(*folder)).max_by_key(|folder| folder.len());
        let (name, rest) =
            match folder.and_then(|folder| Some((folder.strip_suffix("/src")?, file.get(folder.len() + 1..)?))) {
                Some((folder, rest)) => (folder.replace('/', "-"), rest),
                None => panic!("{file} is in none of the folders"),
            };
        found.entry(format!("{name}.txt")).or_default().push_str(&format!("{rest}\t{text}\n"));
    }
    let folder = root().join(LISTS);
    if std::env::var_os("UPDATE_STRINGS").is_some() {
        fs::remove_dir_all(&folder).expect("removes the lists");
        fs::create_dir(&folder).expect("makes their folder");
        found.iter().for_each(|(name, list)| fs::write(folder.join(name), list).expect("writes a list"));
    }
    let listed = fs::read_dir(&folder).expect("the lists are there").map(|entry| {
        let path = entry.expect("reads").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        (name, fs::read_to_string(&path).expect("reads"))
    });
    let listed: BTreeMap<String, String> = listed.collect();
    let differ = |a: &BTreeMap<String, String>, b: &BTreeMap<String, String>| {
        let other: BTreeSet<(&str, &str)> = lines(b).collect();
        let only = lines(a).filter(|line| !other.contains(line)).take(20);
        only.map(|(name, line)| format!("{name}: {line}")).collect::<Vec<_>>()
    };
    assert!(
        found == listed,
        "the lists in {LISTS} are not current: UPDATE_STRINGS=1 writes them\nnew: {:#?}\ngone: {:#?}",
        differ(&found, &listed),
        differ(&listed, &found)
    );
}

/// The lines of all lists, each with the name of its list.
fn lines(lists: &BTreeMap<String, String>) -> impl Iterator<Item = (&str, &str)> {
    lists.iter().flat_map(|(name, list)| list.lines().map(move |line| (name.as_str(), line)))
}

#[test]
fn texts_use_plain_expressions() {
    let exceptions = fs::read_to_string(root().join(EXCEPTIONS)).expect("reads");
    let mut excused: BTreeSet<(String, String)> = BTreeSet::new();
    for line in exceptions.lines().filter(|line| !line.trim().is_empty()) {
        let [file, text, reason] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{EXCEPTIONS}: {line}") };
        assert!(!reason.trim().is_empty(), "{EXCEPTIONS}: {line}: no reason");
        excused.insert((file.to_owned(), text.to_owned()));
    }
    let mut found = Vec::new();
    for (file, text) in texts() {
        let lower = text.to_lowercase();
        let used = EXPRESSIONS.iter().find(|(expression, _)| uses(&lower, expression));
        let Some((expression, instead)) = used else { continue };
        if !excused.remove(&(file.clone(), text.clone())) {
            found.push(format!("{file}: `{expression}` ({instead}): {text}"));
        }
    }
    assert!(found.is_empty(), "{} texts:\n{}", found.len(), found.join("\n"));
    assert!(excused.is_empty(), "{EXCEPTIONS}: not found any more: {excused:#?}");
}

/// A message is one line of words with one blank between them: a literal that goes on in the next line without a
/// backslash is torn. Texts of several lines, and columns, are not messages.
#[test]
fn messages_have_no_runs_of_blanks() {
    let is_torn = |text: &str| {
        let chars: Vec<char> = text.chars().collect();
        let is_word = |c: char| c.is_lowercase() || c == ',' || c == ';';
        let mut before = None;
        for (at, &c) in chars.iter().enumerate() {
            if c == ' ' || c == '⏎' {
                continue;
            }
            let gap = before.map_or(0, |before: usize| at - before);
            let blanks = before.is_some_and(|before| chars[before + 1..at].contains(&' '));
            if gap > 2 && blanks && before.is_some_and(|before| is_word(chars[before])) && c.is_lowercase() {
                return true;
            }
            before = Some(at);
        }
        false
    };
    let columns = ["Examples:", "Again  ", "? keys  "];
    let is_listing = |text: &str| text.matches('⏎').count() > 1 || columns.iter().any(|start| text.starts_with(start));
    let torn: Vec<String> = texts()
        .into_iter()
        .filter(|(_, text)| !is_listing(text) && is_torn(text))
        .map(|(file, text)| format!("{file}: {text}"))
        .collect();
    assert!(torn.is_empty(), "{} texts:\n{}", torn.len(), torn.join("\n"));
}

/// A literal that goes on in the next line fills its line: short lines are left from an edit.
#[test]
fn continued_literals_fill_their_lines() {
    let mut short = Vec::new();
    for path in ROOTS.iter().flat_map(|folder| sources(&root().join(folder))) {
        let file = path.strip_prefix(root()).expect("below the root").display().to_string();
        if file.split('/').any(|part| part == "tests" || part.ends_with("tests.rs")) {
            continue;
        }
        let source = fs::read_to_string(&path).expect("reads");
        let lines: Vec<&str> = source.lines().collect();
        for (at, pair) in lines.windows(2).enumerate() {
            let Some(body) = pair[0].strip_suffix('\\').map(str::trim_end) else { continue };
            let next = pair[1].trim();
            // Lines that end with a line break of their own, and the first lines of blocks.
            let is_block = pair[0].contains("\\n") || next.contains("\\n") || body.ends_with('"');
            let first = next.split(' ').next().unwrap_or_default().trim_end_matches('\\');
            let has_words = body.chars().filter(|c| c.is_alphabetic()).count() > 1;
            let fits = body.chars().count() + first.chars().count() + 3 <= 112;
            if !is_block && has_words && !first.is_empty() && fits {
                short.push(format!("{file}:{}: {}", at + 1, pair[0].trim()));
            }
        }
    }
    assert!(short.is_empty(), "{} lines:\n{}", short.len(), short.join("\n"));
}

/// Whether a text has an expression as whole words. "There is no" and "is no longer" are plain English.
fn uses(text: &str, expression: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(expression).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + expression.len()..]);
        let whole = !before.ends_with(is_word) && !after.starts_with(is_word);
        let there = expression.ends_with(" no") && before.trim_end().ends_with("there");
        let no_longer = expression.ends_with(" no") && after.starts_with(" longer");
        whole && !there && !no_longer
    })
}

/// Each text with its file, in order.
fn texts() -> BTreeSet<(String, String)> {
    let mut out = BTreeSet::new();
    for path in ROOTS.iter().flat_map(|folder| sources(&root().join(folder))) {
        let file = path.strip_prefix(root()).expect("below the root").display().to_string();
        let is_test = |part: &str| {
            part.ends_with("tests.rs") || ["tests", "fixtures.rs", "testing.rs", "golden.rs"].contains(&part)
        };
        if file.split('/').any(is_test) {
            continue;
        }
        let source = fs::read_to_string(&path).expect("reads");
        let tokens: TokenStream = source.parse().unwrap_or_else(|error| panic!("{file}: {error}"));
        let mut add = |text: &str| {
            let text = text.trim().replace("\r\n", "⏎").replace('\n', "⏎").replace('\t', "⇥");
            if text.contains(' ') && text.chars().any(char::is_alphabetic) {
                out.insert((file.clone(), text));
            }
        };
        walk(tokens, HELP.iter().any(|folder| file.starts_with(folder)), &mut add);
    }
    out
}

/// What says why the program cannot go on: who reads it changes the program.
const OF_DEFECTS: [&str; 6] = ["expect", "panic", "unreachable", "assert", "assert_eq", "debug_assert"];

/// Walks tokens, macros' included. Attributes are left out, but for doc comments where `help` says so; so is what
/// follows `#[cfg(test)]`, and what only defects show.
fn walk(tokens: TokenStream, help: bool, add: &mut impl FnMut(&str)) {
    let mut tokens = tokens.into_iter().peekable();
    let mut is_test = false;
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Ident(ident) if OF_DEFECTS.iter().any(|name| ident == name) => {
                tokens.next_if(|next| matches!(next, TokenTree::Punct(punct) if punct.as_char() == '!'));
                tokens.next_if(|next| matches!(next, TokenTree::Group(_)));
            }
            TokenTree::Punct(punct) if punct.as_char() == '#' => {
                if let Some(TokenTree::Punct(_)) = tokens.peek() {
                    tokens.next();
                }
                if let Some(TokenTree::Group(group)) = tokens.next() {
                    let text = group.stream().to_string();
                    is_test |= text.replace(' ', "") == "cfg(test)";
                    if help && (text.starts_with("doc") || text.starts_with("arg") || text.starts_with("command")) {
                        walk(group.stream(), help, add);
                    }
                }
            }
            TokenTree::Group(group) => {
                // The body of a module or function for tests, or its parameters.
                if !is_test {
                    walk(group.stream(), help, add);
                }
                is_test &= group.delimiter() != Delimiter::Brace;
            }
            TokenTree::Punct(punct) => is_test &= punct.as_char() != ';',
            TokenTree::Literal(literal) => {
                if let Ok(text) = syn::parse_str::<syn::LitStr>(&literal.to_string()) {
                    add(&text.value());
                }
            }
            TokenTree::Ident(_) => {}
        }
    }
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut out = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        if entry.is_dir() {
            out.extend(sources(&entry));
        } else if entry.extension().is_some_and(|extension| extension == "rs") {
            out.push(entry);
        }
    }
    out.sort();
    out
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}
