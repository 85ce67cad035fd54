//! The manual is true: every command that a page shows is run, and prints what the page says.

use std::path::{Path, PathBuf};

use crate::common::{copy_samples, ended, lanescope, stage_names, words};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../assets/manual")
}

/// The pages, by their files' names.
fn pages() -> Vec<(String, String)> {
    let entries = std::fs::read_dir(folder()).expect("the folder exists").map(|entry| entry.expect("reads").path());
    let mut pages: Vec<_> = entries
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .map(|path| (path.file_stem().expect("a name").to_string_lossy().into_owned(), path))
        .filter(|(name, _)| name != "SUMMARY")
        .map(|(name, path)| (name, std::fs::read_to_string(path).expect("is UTF-8")))
        .collect();
    pages.sort();
    pages
}

/// A command of a page, and the output that the page shows.
#[derive(Debug)]
struct Shown<'t> {
    command: &'t str,
    output: Vec<&'t str>,
    /// Numbers and executables' names may be others: times, and what a version of a driver decides.
    numbers_vary: bool,
}

/// The commands in the blocks of a page that begin with ```console.
fn shown(page: &str) -> Vec<Shown<'_>> {
    let mut out: Vec<Shown<'_>> = Vec::new();
    let mut block = None;
    for line in page.lines() {
        match (block, line.strip_prefix("```")) {
            (Some(_), Some(_)) => block = None,
            (None, Some(info)) => block = Some((info.starts_with("console"), info.ends_with("numbers-vary"))),
            (Some((true, numbers_vary)), None) => match line.strip_prefix("$ ") {
                Some(command) => out.push(Shown { command, output: Vec::new(), numbers_vary }),
                None => out.last_mut().expect("a block begins with a command").output.push(line),
            },
            _ => {}
        }
    }
    out
}

/// A line without its numbers, with one blank between words, without the rule of a heading, and with the executables'
/// names of Mesa 25.
fn without_numbers(line: &str) -> String {
    let line = stage_names(line);
    let line = line.trim_end_matches('─');
    let mut out = String::new();
    let mut in_number = false;
    for c in line.chars() {
        let is_more = in_number && c == '.';
        if c.is_ascii_digit() || is_more {
            if !in_number {
                out.push('#');
            }
            in_number = true;
        } else {
            in_number = false;
            out.push(c);
        }
    }
    out.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether lines are those that are expected: `...` represents any number of lines, or for the end of a line.
fn matches(expected: &[&str], found: &[&str], numbers_vary: bool) -> bool {
    let same = |expected: &str, found: &str| match expected.strip_suffix(" ...") {
        Some(start) => found.starts_with(start),
        None if numbers_vary => without_numbers(expected) == without_numbers(found),
        None => expected == found.trim_end(),
    };
    match expected.split_first() {
        None => found.is_empty(),
        Some((&"...", rest)) => (0..=found.len()).any(|skip| matches(rest, &found[skip..], numbers_vary)),
        Some((line, rest)) => {
            found.split_first().is_some_and(|(first, more)| same(line, first) && matches(rest, more, numbers_vary))
        }
    }
}

#[test]
fn elisions_match_lines_and_the_rest_of_a_line() {
    let found = ["one 1", "two", "", "three 3.5 ms"];
    assert!(matches(&["one 1", "...", "three 3.5 ms"], &found, false));
    assert!(matches(&["...", "two", "..."], &found, false));
    assert!(matches(&["...", "three  4 ms"], &found, true));
    assert!(matches(&["one ...", "two", "", "three ..."], &found, false));
    assert!(!matches(&["...", "two"], &found, false));
    assert!(!matches(&["one 2", "..."], &found, false));
    assert!(!matches(&["...", "four", "..."], &found, true));
    assert!(matches(&["Driver: Vertex Shader ──"], &["Driver: vertex ─────"], true));
    assert!(!matches(&["Driver: Vertex Shader ──"], &["Driver: vertex ─────"], false));
    assert!(!matches(&["Driver: Vertex Shader ──"], &["Driver: fragment ───"], true));
}

#[test]
fn manual_commands_print_what_the_pages_show() {
    let pages = pages();
    assert!(pages.len() >= 16, "{}", pages.len());
    let mut wrong = Vec::new();
    for (name, text) in pages {
        let folder = copy_samples();
        let commands = shown(&text);
        assert!(!commands.is_empty(), "{name} shows no command");
        for Shown { command, output: expected, numbers_vary } in commands {
            let (line, to) = command.split_once(" > ").map_or((command, None), |(line, to)| (line, Some(to)));
            let words = words(line);
            assert_eq!(words[0], "lanescope", "{name}: {command}");
            let mut process = lanescope();
            process.current_dir(folder.path()).args(&words[1..]).env("XDG_CACHE_HOME", folder.path().join(".cache"));
            let output = ended(process);
            if let Some(to) = to {
                std::fs::write(folder.path().join(to), &output.stdout).expect("writes");
                assert!(output.status.success() && expected.is_empty(), "{name}: {command}");
                continue;
            }
            // A terminal shows both.
            let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
            let found: Vec<&str> = text.lines().collect();
            if !matches(&expected, &found, numbers_vary) {
                wrong.push(format!("{name}: `{command}` prints\n{text}\ninstead of\n{}", expected.join("\n")));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn pages_are_named_in_the_readme() {
    let readme = std::fs::read_to_string(folder().join("../../README.md")).expect("the README exists");
    for (name, _) in pages() {
        assert!(readme.contains(&format!("(assets/manual/{name}.md)")), "the README does not link to {name}");
    }
    assert!(readme.lines().count() <= 120, "the README has {} lines", readme.lines().count());
}

#[test]
fn links_and_pictures_of_the_readme_exist() {
    let readme = std::fs::read_to_string(folder().join("../../README.md")).expect("the README exists");
    let links = readme.split("](").skip(1).filter_map(|rest| Some(rest.split_once(')')?.0));
    let mut count = 0;
    for link in links.filter(|link| !link.starts_with("https://")) {
        assert!(folder().join("../..").join(link).is_file(), "the README links to {link}");
        count += 1;
    }
    assert!(count >= 19, "{count} links");
}
