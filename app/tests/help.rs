//! Help texts are correct: every example is run, every page and topic is listed, and the worked sample of findings
//! prints what it shows.

use std::io::Read as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::common::{copy_samples, ended, lanescope, outcome, samples, words};
use rustix::process::{Pid, Signal, kill_process};

/// The commands that `--help` lists.
fn commands() -> Vec<String> {
    let (status, help, _) = outcome(["--help"]);
    assert!(status == 0 && !help.contains("worker"));
    let list = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let names = list.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    names.map(|line| line.split_whitespace().next().expect("a name").to_owned()).collect()
}

/// The command lines of a text: those with an indentation of two.
fn examples(text: &str) -> Vec<&str> {
    let lines = text.lines().filter(|line| line.starts_with("  lanescope"));
    lines.map(|line| line.trim().split("  ").next().unwrap_or_default()).collect()
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
    let mut command = lanescope();
    command.current_dir(folder).args(arguments);
    let output = match arguments.first().is_some_and(|first| first == "watch") {
        true => interrupted(command),
        false => ended(command),
    };
    if let Some(to) = to.filter(|to| !to.starts_with('~')) {
        std::fs::write(folder.join(to), &output.stdout).expect("writes");
    }
    Some(output)
}

/// The output of a command that ends by Ctrl+C only, which comes after its first output.
fn interrupted(mut command: Command) -> Output {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("starts");
    let mut first = [0];
    child.stdout.as_mut().expect("piped").read_exact(&mut first).expect("prints something");
    kill_process(Pid::from_child(&child), Signal::INT).expect("runs");
    child.wait_with_output().expect("ends")
}

fn assert_works(line: &str, output: &Output) {
    if line.starts_with("lanescope tui") {
        // Here is no terminal, which it says.
        assert!(output.status.code() == Some(2) && output.stdout.is_empty(), "{line}: {output:?}");
        return;
    }
    // `diff` is expected to find differences, and some samples are there for their findings. Of many pipelines some
    // are not for every chip.
    let fine = matches!(output.status.code(), Some(0 | 1)) || line.contains("--corpus .");
    assert!(fine, "{line}: {:?} {}", output.status, String::from_utf8_lossy(&output.stderr));
}

/// No line is longer than a page is wide, and none ends early where its sentence continues.
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
    let folder = copy_samples();
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
fn command_lines_of_the_readme_work() {
    let commands = commands();
    let folder = copy_samples();
    let readme = std::fs::read_to_string(samples().join("../README.md")).expect("the README exists");
    let (_, rest) = readme.split_once("\n## Examples\n").expect("the section exists");
    let (text, _) = rest.split_once("\n## ").expect("a section follows");
    let text = text.replace("\n    ", "\n  ");
    let lines = examples(&text);
    assert_eq!(lines.len(), 12, "{lines:?}");
    for line in lines {
        if let Some(output) = run(line, folder.path(), &commands) {
            assert_works(line, &output);
        }
    }
}

/// The names that `lanescope help` lists beside commands.
fn listed() -> Vec<String> {
    let (status, all, _) = outcome(["help"]);
    assert_eq!(status, 0);
    let (_, list) = all.split_once("\nPages of the manual").expect("the list of pages");
    let name = |line: &str| Some(line.strip_prefix("  lanescope help ")?.split_whitespace().next()?.to_owned());
    list.lines().filter_map(name).collect()
}

#[test]
fn help_lists_every_page_topic_and_command() {
    let listed = listed();
    let mut expected: Vec<String> = std::fs::read_dir(samples().join("../assets/manual"))
        .expect("the manual exists")
        .filter_map(|entry| Some(entry.ok()?.file_name().to_str()?.strip_suffix(".md")?.to_owned()))
        .filter(|name| name != "SUMMARY")
        .chain(["findings", "targets"].map(str::to_owned))
        .collect();
    expected.sort();
    let mut sorted = listed.clone();
    sorted.sort();
    assert_eq!(sorted, expected);
    let (_, all, _) = outcome(["help"]);
    for line in all.lines() {
        assert!(line.chars().count() <= 100, "{line}");
    }
    for command in commands() {
        assert!(all.lines().any(|line| line.starts_with(&format!("  {command} "))), "{command}");
    }
}

#[test]
fn help_of_a_page_ends_with_the_usage_of_its_command() {
    let page = |name: &str| {
        let (status, page, message) = outcome(["help", name]);
        assert_eq!(status, 0, "{name}: {message}");
        page
    };
    for (name, title, command) in [
        ("work-graphs", "Work graphs", "graph"),
        ("packing", "Packing", ""),
        ("drivers", "Drivers", "isa"),
        ("dxil", "DXIL and HLSL", ""),
        ("opcodes", "Opcodes", "opcodes"),
    ] {
        let text = page(name);
        assert_eq!(text.lines().next(), Some(title));
        let usage = format!("Usage: lanescope {command}");
        let tail: Vec<&str> = text.lines().rev().take(4).collect();
        assert_eq!(tail.iter().any(|line| line.starts_with(&usage)), !command.is_empty(), "{name}: {tail:?}");
    }
    for (one, other) in [("graph", "graphs"), ("graph", "work-graphs"), ("swizzle", "workgroups"), ("run", "running")] {
        assert_eq!(page(one), page(other));
    }
    assert!(page("inspect").contains("Options:"), "a command without a page has its flags");
    for name in listed() {
        let text = page(&name);
        assert!(!text.contains("]("), "{name} shows the source of a link");
        for line in text.lines() {
            assert!(line.chars().count() <= 100, "{name} has a long line:\n{line}");
        }
    }
    for command in commands() {
        let (status, flags, _) = outcome([command.as_str(), "--help"]);
        assert!(status == 0 && flags.contains("Usage: lanescope"), "{command}");
        assert!(flags.contains("Options:"), "{command} --help prints its flags");
        // Every command has help: a page or its flags.
        assert!(!page(&command).is_empty());
    }
    let (status, _, message) = outcome(["help", "nothing"]);
    assert!(status == 2 && message.contains("packing") && message.contains("inspect"), "{message}");
    assert_eq!(outcome(["inspect"]).0, 2);
}

#[test]
fn the_worked_sample_of_findings_shows_what_its_page_says() {
    let commands = commands();
    let folder = copy_samples();
    let (status, page, _) = outcome(["help", "findings"]);
    assert_eq!(status, 0);
    assert_fits("findings", &page);
    let mut shown = 0;
    let mut output_text = String::new();
    for line in page.lines() {
        if let Some(line) = examples(line).first() {
            let Some(output) = run(line, folder.path(), &commands) else { continue };
            assert_works(line, &output);
            output_text = squeeze(&String::from_utf8_lossy(&output.stdout));
        } else if let Some(words) = line.strip_prefix("  > ") {
            assert!(output_text.contains(&squeeze(words)), "`{words}` is not in\n{output_text}");
            shown += 1;
        }
    }
    assert!(shown > 0);
}

/// One space between words, for any column widths.
fn squeeze(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn completions_and_man_pages_have_every_command() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let (status, script, _) = outcome(["completions", shell]);
        assert_eq!(status, 0);
        assert!(commands().iter().all(|command| script.contains(command.as_str())), "{shell}");
        // Only these two complete text after a command.
        let offers = script.contains("guessed-layouts");
        assert_eq!(offers, ["bash", "zsh"].contains(&shell), "{shell} offers the pages of help");
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
        // A hyphen is written as a minus sign in roff.
        let command = command.replace('-', "\\-");
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
