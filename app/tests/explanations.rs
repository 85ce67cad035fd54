//! The examples of findings raise the codes that they explain, and `lanescope help CODE` shows every explanation.

use std::path::Path;

use crate::common::{copy_samples, lanescope, outcome};
use lanescope_core::findings::{AREAS, Example, Rule, rules};

/// The codes that a command reports: those of its findings, or the one that its error names.
fn reports(folder: &Path, command: &str, code: &str) -> bool {
    let arguments = command.split(' ').chain(["--format", "json"]);
    let output = lanescope().current_dir(folder).args(arguments).output().expect("starts");
    let error = String::from_utf8_lossy(&output.stderr);
    let Ok(report) = serde_json::from_slice::<serde_json::Value>(&output.stdout) else { return error.contains(code) };
    // Those of the program, and those of its run.
    let lists = [&report["findings"], &report["run"]["findings"]];
    lists.iter().filter_map(|list| list.as_array()).flatten().any(|finding| finding["code"] == code)
}

/// Whether the example raises its code; nothing where it cannot be run without a device or a driver.
fn raises(rule: &Rule, folder: &Path) -> Option<bool> {
    for (name, text) in rule.example.files() {
        std::fs::write(folder.join(name), text).expect("writes");
    }
    match &rule.example {
        Example::Command(command) | Example::Files { command, .. } => Some(reports(folder, command, rule.code)),
        Example::Changed { sample, .. } => {
            let file = std::fs::read(folder.join(sample)).expect("the sample exists");
            let extension = Path::new(sample).extension().expect("an extension").to_string_lossy().into_owned();
            let name = format!("changed.{extension}");
            std::fs::write(folder.join(&name), rule.example.changed(&file).expect("the bytes exist")).expect("writes");
            Some(reports(folder, &format!("inspect {name}"), rule.code))
        }
        Example::OnDevice(_) | Example::Described(_) => None,
    }
}

#[test]
fn every_example_that_can_be_run_raises_its_code() {
    let folder = copy_samples();
    let results: Vec<_> = rules().filter_map(|rule| Some((rule.code, raises(rule, folder.path())?))).collect();
    let silent: Vec<&str> = results.iter().filter(|result| !result.1).map(|result| result.0).collect();
    assert!(silent.is_empty(), "these examples do not raise their code: {silent:?}");
    assert!(results.len() >= 160, "only {} examples can be run", results.len());
}

#[test]
fn help_lists_codes_by_area_and_explains_each_in_any_case() {
    let (status, list, _) = outcome(["help", "findings"]);
    assert_eq!(status, 0);
    for area in AREAS {
        let (_, rest) = list.split_once(&format!("\n{}:\n", area.title)).unwrap_or_else(|| panic!("no {}", area.title));
        let section = rest.split("\n\n").next().unwrap_or_default();
        for rule in area.rules {
            assert!(section.contains(&format!("  {}  {}", rule.code, rule.severity)), "{}", rule.code);
        }
    }
    for code in ["c10", "C10", "foz.CRC", "p006"] {
        let (status, page, error) = outcome(["help", code]);
        assert_eq!(status, 0, "{code}: {error}");
        for part in ["Meaning:\n", "Example:\n", "What to do:\n"] {
            assert!(page.contains(part), "{code}: {page}");
        }
        assert!(page.lines().all(|line| line.chars().count() <= 100), "{page}");
    }
    let (_, page, _) = outcome(["help", "C10"]);
    assert!(page.starts_with("C10  error  part overlaps another part\n"), "{page}");
    let (status, _, error) = outcome(["help", "C99"]);
    assert!(status == 2 && error.contains("no help for `C99`"), "{error}");
}
