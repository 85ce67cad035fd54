//! What a report of a compiler's bug needs, in one folder: the modules, the command, the versions, what happened.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use lanescope_core::driver::{self, CompileOptions, Failure, Version, chips};
use lanescope_core::load::disassemble;
use lanescope_core::program::Program;

/// Writes the folder `VERSION-STAGES-DRIVER` under `parent` and answers with it. What an earlier failure of the same
/// name left is overwritten.
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
    let folder = parent.join(name);
    let write =
        |path: PathBuf, bytes: &[u8]| fs::write(&path, bytes).map_err(|error| format!("{}: {error}", path.display()));
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut files = Vec::new();
    for stage in &program.stages {
        let module = program.module_of(stage);
        let file = format!("{}.{}.spv", stage.module, stage.stage);
        let bytes: Vec<u8> = module.words().iter().flat_map(|word| word.to_le_bytes()).collect();
        write(folder.join(&file), &bytes)?;
        let text = disassemble(module).unwrap_or_else(|why| format!("; no disassembly: {why}\n"));
        write(folder.join(format!("{file}asm")), text.as_bytes())?;
        files.push(file);
    }
    write(folder.join("README.txt"), about(&files, failure, with, command).as_bytes())?;
    Ok(folder)
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
        let made = save(&folder.path().join("r"), &program, Version::Original, &failure, &with, &command);
        let made = made.expect("writable");
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
