//! What a report of a compiler's bug needs, in one folder: the modules, the command, the versions, what happened.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use lanescope_core::driver::{self, CompileOptions, Failure, Version, chips};
use lanescope_core::load::disassemble;
use lanescope_core::program::Program;
use lanescope_core::run::Blob;

use crate::writing::write_files;

/// The most failures of one name that are kept.
const MOST: u32 = 99;

/// Writes the folder `VERSION-STAGES-DRIVER` under `parent` and answers with it. What another failure of that name left
/// stays, and this one's folder has a number behind its name; the same failure again is written once.
///
/// # Errors
/// What the file system says, with the file's name.
pub fn save(
    parent: &Path,
    program: &Program,
    of: Version,
    failure: &Failure,
    with: &CompileOptions,
    command: &[String],
) -> Result<PathBuf, String> {
    let stages: Vec<_> = program.stages.iter().map(|stage| stage.stage.name()).collect();
    let place = with.chip.map_or_else(|| with.device.clone().unwrap_or_default(), |chip| chip.to_string());
    let name = format!("{of}-{}-{place}", stages.join("-"));
    // A device's name may hold anything.
    let name: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '_' }).collect();
    let (mut files, mut named) = (Vec::new(), Vec::new());
    for stage in &program.stages {
        let module = program.module_of(stage);
        let file = format!("{}.{}.spv", stage.module, stage.stage);
        let bytes: Vec<u8> = module.words().iter().flat_map(|word| word.to_le_bytes()).collect();
        let text = disassemble(module).unwrap_or_else(|why| format!("; no disassembly: {why}\n"));
        files.push((file.clone(), Blob(bytes)));
        files.push((format!("{file}asm"), Blob(text.into_bytes())));
        named.push(file);
    }
    files.push(("README.txt".to_owned(), Blob(about(&named, failure, with, command).into_bytes())));
    let mut folders =
        std::iter::once(parent.join(&name)).chain((2..=MOST).map(|number| parent.join(format!("{name}-{number}"))));
    let holds = |folder: &Path| {
        files.iter().all(|(name, Blob(bytes))| fs::read(folder.join(name)).is_ok_and(|there| there == *bytes))
    };
    let folder = folders.find(|folder| !folder.exists() || holds(folder));
    let folder =
        folder.ok_or_else(|| format!("{}: {MOST} failures of that name are kept", parent.join(&name).display()))?;
    if !folder.exists() {
        write_files(&folder, &files, false).map_err(|error| error.to_string())?;
    }
    Ok(folder)
}

/// This process's command, each word as a shell takes it.
pub fn this_command() -> Vec<String> {
    std::env::args_os().map(|word| quoted(&word.to_string_lossy())).collect()
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./=,:@%+".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

fn about(files: &[String], failure: &Failure, with: &CompileOptions, command: &[String]) -> String {
    let chip = with.chip.and_then(|target| chips().find(|chip| chip.target == target));
    let variables: Vec<_> =
        driver::environment(chip).into_iter().map(|(name, value)| format!("{name}={value}")).collect();
    let on = match (with.chip, &with.device) {
        (Some(chip), _) => format!(" --chip {chip}"),
        (None, Some(device)) => format!(" --device '{device}'"),
        (None, None) => " --device 0".to_owned(),
    };
    let apart = if with.apart { " --apart" } else { "" };
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = writeln!(text, "{}\n", failure.finding().message);
    let _ = writeln!(text, "Compiler     {}", failure.compiler);
    let _ = writeln!(text, "Lanescope    {}", env!("CARGO_PKG_VERSION"));
    let _ = writeln!(text, "Environment  {}", variables.join(" "));
    let _ = writeln!(text, "Command      {}", command.join(" "));
    let _ = writeln!(text, "Again        lanescope isa {}{on}{apart} --no-cache", files.join(" "));
    text
}

#[cfg(test)]
mod tests {
    use lanescope_core::driver::Fate;
    use lanescope_core::load::load;
    use lanescope_core::target::Target;

    use super::*;

    #[test]
    fn a_word_is_quoted_where_a_shell_would_read_more_into_it() {
        for (word, expected) in [
            ("a-b_c/d.e=1,2:3@4%5+6", "a-b_c/d.e=1,2:3@4%5+6"),
            ("a b", "'a b'"),
            ("", "''"),
            ("$x", "'$x'"),
            ("it's", r"'it'\''s'"),
        ] {
            assert_eq!(quoted(word), expected);
        }
    }

    #[test]
    fn a_folder_holds_modules_command_and_versions() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let shader = folder.path().join("a.comp");
        fs::write(&shader, "#version 450\nvoid main() {}").expect("writable");
        let program = load(&[shader], &[]).expect("a shader");
        let failure = Failure {
            compiler: "RADV for gfx900 (radv 1)".to_owned(),
            of: Version::Original,
            stages: vec![program.stages[0].stage],
            fate: Fate::Died("SIGSEGV".to_owned()),
            missing: false,
            repro: None,
        };
        let with = CompileOptions { chip: Some(Target::Gfx900), ..CompileOptions::default() };
        let command = ["lanescope".to_owned(), "isa".to_owned(), "a.comp".to_owned()];
        let save = |failure: &Failure| {
            let made = save(&folder.path().join("r"), &program, Version::Original, failure, &with, &command);
            made.expect("writable")
        };
        let made = save(&failure);
        assert_eq!(save(&failure), made, "the same is kept once");
        let other = Failure { fate: Fate::Died("SIGBUS".to_owned()), ..failure.clone() };
        assert!(save(&other).ends_with("original-compute-gfx900-2"), "what is there stays");
        assert!(made.ends_with("original-compute-gfx900"), "{}", made.display());
        let again = load(&[made.join("0.compute.spv")], &[]).expect("the module reads again");
        assert_eq!(again.modules[0].module, program.modules[0].module);
        let asm = fs::read_to_string(made.join("0.compute.spvasm")).expect("written");
        assert!(asm.contains("OpEntryPoint GLCompute"), "{asm}");
        let about = fs::read_to_string(made.join("README.txt")).expect("written");
        for words in [
            "died on the original compute shader: SIGSEGV",
            "RADV for gfx900 (radv 1)",
            "RADV_FORCE_FAMILY=vega10",
            "lanescope isa a.comp",
            "lanescope isa 0.compute.spv --chip gfx900 --no-cache",
        ] {
            assert!(about.contains(words), "{words}: {about}");
        }
    }
}
