//! What help says works: every example is run, and every topic's worked sample shows what its page says that it shows.

mod common;

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Output;

use common::{lanescope, outcome, samples};

/// The samples, copied: examples take no other file for granted.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    copy(&samples(), folder.path());
    folder
}

fn copy(from: &Path, to: &Path) {
    for entry in std::fs::read_dir(from).expect("the samples are there") {
        let path = entry.expect("reads").path();
        let to = to.join(path.file_name().expect("a name"));
        if path.is_dir() {
            std::fs::create_dir(&to).expect("writes");
            copy(&path, &to);
        } else {
            std::fs::copy(&path, to).expect("copies");
        }
    }
}

/// The commands that `--help` lists.
fn commands() -> Vec<String> {
    let (status, help, _) = outcome(["--help"]);
    assert!(status == 0 && !help.contains("worker"));
    let list = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let names = list.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    names.map(|line| line.split_whitespace().next().expect("a name").to_owned()).collect()
}

/// The command lines of a text: those that stand two columns in.
fn examples(text: &str) -> Vec<&str> {
    let lines = text.lines().filter(|line| line.starts_with("  lanescope"));
    lines.map(|line| line.trim().split("  ").next().unwrap_or_default()).collect()
}

/// The words of a command line; what stands between single quotes is one.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for (index, part) in line.split('\'').enumerate() {
        let quoted = index % 2 == 1;
        for (at, piece) in part.split(|c| c == ' ' && !quoted).enumerate() {
            if at > 0 {
                words.push(String::new());
            }
            if let Some(last) = words.last_mut() {
                last.push_str(piece);
            }
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Runs a command line as a shell would, as far as examples need one. The window, which needs a display, is left out.
fn run(line: &str, folder: &Path, commands: &[String]) -> Option<Output> {
    let line = line.split(" | ").next().unwrap_or_default();
    let (line, to) = line.split_once(" > ").map_or((line, None), |(line, to)| (line, Some(to)));
    let words = words(line);
    let arguments = &words[1..];
    if !arguments.first().is_some_and(|first| commands.iter().any(|command| command == first)) {
        return None;
    }
    let output = lanescope().current_dir(folder).args(arguments).output().expect("starts");
    if let Some(to) = to.filter(|to| !to.starts_with('~')) {
        std::fs::write(folder.join(to), &output.stdout).expect("writes");
    }
    Some(output)
}

fn assert_works(line: &str, output: &Output) {
    // A difference is what `diff` is asked for, and some samples are there for their findings. Of many pipelines some
    // are not for every chip.
    let fine = matches!(output.status.code(), Some(0 | 1)) || line.contains("--corpus .");
    assert!(fine, "{line}: {:?} {}", output.status, String::from_utf8_lossy(&output.stderr));
}

/// No line is longer than a page is wide, and none ends early where its sentence goes on.
fn assert_fits(what: &str, page: &str) {
    for (line, next) in page.lines().zip(page.lines().skip(1).chain([""])) {
        let width = |text: &str| text.chars().count();
        assert!(width(line) <= 100, "{what} has a long line:\n{line}");
        let word = next.split(' ').next().unwrap_or_default();
        let goes_on = !line.is_empty() && !line.ends_with(['.', ':']) && !line.starts_with(' ') && !word.is_empty();
        assert!(!goes_on || width(line) + 1 + width(word) > 100, "{what} breaks a line before `{next}`:\n{line}");
    }
}

#[test]
fn every_command_has_two_examples_that_work() {
    let commands = commands();
    assert!(commands.len() >= 15, "{commands:?}");
    let folder = folder();
    for command in &commands {
        let (status, help, _) = outcome([command.as_str(), "--help"]);
        assert_eq!(status, 0);
        let examples = examples(&help);
        assert!(examples.len() >= 2, "{command} has {examples:?}");
        assert_fits(command, &help);
        for line in examples {
            if let Some(output) = run(line, folder.path(), &commands) {
                assert_works(line, &output);
            }
        }
    }
}

#[test]
fn the_command_lines_of_the_readme_work() {
    let commands = commands();
    let folder = folder();
    let readme = samples().join("../README.md");
    let readme = std::fs::read_to_string(readme).expect("the README is there");
    let between = |from: &str, to: &str| {
        let (_, rest) = readme.split_once(from).unwrap_or_else(|| panic!("no `{from}`"));
        rest.split_once(to).unwrap_or_else(|| panic!("no `{to}`")).0.replace("\n    ", "\n  ")
    };
    let parts = [
        (between("## On the command line\n", "\nWhat opens"), folder.path().to_owned(), 25),
        (between("In `samples/work_graphs`:\n", "\n- Stepping"), folder.path().join("work_graphs"), 7),
    ];
    for (text, folder, least) in parts {
        let lines = examples(&text);
        assert!(lines.len() >= least, "{lines:?}");
        // All samples as a corpus take minutes: help has that line, and runs it.
        for line in lines.into_iter().filter(|line| !line.contains("--corpus")) {
            if let Some(output) = run(line, &folder, &commands) {
                assert_works(line, &output);
            }
        }
    }
}

#[test]
fn the_worked_sample_of_every_topic_shows_what_its_page_says() {
    let commands = commands();
    let (_, all, _) = outcome(["help"]);
    let topics: BTreeSet<&str> =
        all.lines().filter_map(|line| line.strip_prefix("  lanescope help ")?.split_whitespace().next()).collect();
    for topic in ["packing", "swizzle", "registers", "graphs", "partial", "dxil", "drivers", "findings"] {
        assert!(topics.contains(topic), "{topic} is none of {topics:?}");
    }
    for topic in topics {
        let folder = folder();
        let (status, page, _) = outcome(["help", topic]);
        assert_eq!(status, 0);
        assert_fits(topic, &page);
        let mut shown = 0;
        let mut told = String::new();
        for line in page.lines() {
            if let Some(line) = examples(line).first() {
                let Some(output) = run(line, folder.path(), &commands) else { continue };
                assert_works(line, &output);
                told = squeeze(&String::from_utf8_lossy(&output.stdout));
            } else if let Some(words) = line.strip_prefix("  > ") {
                assert!(told.contains(&squeeze(words)), "{topic}: `{words}` is not in\n{told}");
                shown += 1;
            }
        }
        assert!(shown > 0 || topic == "targets", "{topic} shows nothing");
    }
    let (status, _, message) = outcome(["help", "nothing"]);
    assert!(status == 2 && message.contains("packing"), "{message}");
    assert_eq!(outcome(["inspect"]).0, 2);
}

/// One blank between words, whatever the columns are.
fn squeeze(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn completions_and_manual_pages_know_every_command() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let (status, script, _) = outcome(["completions", shell]);
        assert_eq!(status, 0);
        assert!(commands().iter().all(|command| script.contains(command.as_str())), "{shell}");
        // PowerShell's and elvish's generators offer no values.
        let offers = script.contains("swizzle") || ["elvish", "powershell"].contains(&shell);
        assert!(offers, "{shell} offers the topics of help");
        let hidden = script.contains("__worker") || script.contains("Hosts compilers");
        assert!(!hidden, "{shell} offers what is not for users");
        let offers_values = script.contains("gfx1200") && script.contains("note-union");
        assert_eq!(offers_values, !["elvish", "powershell"].contains(&shell), "{shell} offers chips and orders");
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let out = folder.path().join("man1");
    let out = out.to_str().expect("is UTF-8");
    assert_eq!(outcome(["man", "--out", out]).0, 0);
    for command in commands() {
        let page = std::fs::read_to_string(format!("{out}/lanescope-{command}.1")).expect("a page");
        assert!(page.contains(".SH \"EXAMPLES\"\n.nf\n  lanescope"), "{command}: {page}");
        assert!(page.contains(&format!(".SH SYNOPSIS\n.nf\nlanescope {command}")), "{page}");
        assert!(page.contains(&format!(".SH NAME\nlanescope\\-{command} \\-")), "{page}");
    }
    let (status, _, message) = outcome(["man", "--out", out]);
    assert!(status == 2 && message.contains("--force"), "{message}");
    assert_eq!(outcome(["man", "--out", out, "--force"]).0, 0);
    let (status, page, _) = outcome(["man"]);
    assert!(status == 0 && page.contains(".TH"));
}
