//! Response files: `@FILE` on a command line stands for the arguments in the file, as for gcc.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use lanescope_host::files::read_at_most;
use lanescope_host::flags::words::words;

/// The largest response file that is read, in bytes; how deep they nest; how many arguments they may make.
const MAX_FILE: u64 = 16 << 20;
const MAX_DEPTH: usize = 16;
const MAX_ARGUMENTS: usize = 1 << 20;

/// Commands for whose inputs `@FILE` is a list of paths.
const WITH_LISTS: [&str; 4] = ["corpus", "slots", "guess-layout", "partial"];

/// Flags after which `@FILE` is their own value.
const WITH_VALUES: [&str; 1] = ["--push"];

/// Puts the arguments of response files in their places. After `--`, after a command whose inputs may be lists, and after a
/// flag whose value may be a file, `@FILE` stays as it is.
///
/// # Errors
/// The response file that cannot be used, and why.
pub fn expanded(arguments: impl Iterator<Item = OsString>) -> Result<Vec<OsString>, String> {
    let mut out = Expanded::default();
    for (at, argument) in arguments.enumerate() {
        // The first one is the name of the program.
        if at == 0 { out.words.push(argument) } else { out.take(argument, &mut Vec::new())? }
    }
    Ok(out.words)
}

#[derive(Default)]
struct Expanded {
    words: Vec<OsString>,
    /// What follows stays as it is.
    literal: bool,
}

impl Expanded {
    fn take(&mut self, argument: OsString, inside: &mut Vec<OsString>) -> Result<(), String> {
        let is_value = self.words.last().is_some_and(|last| WITH_VALUES.iter().any(|flag| last == flag));
        let literal = self.literal || is_value;
        let file = argument.as_bytes().strip_prefix(b"@").filter(|name| !name.is_empty() && !literal);
        let Some(file) = file.map(OsStr::from_bytes) else {
            // The command is the first argument.
            let is_command = self.words.len() == 1 && argument.to_str().is_some_and(|word| WITH_LISTS.contains(&word));
            self.literal |= is_command || argument == "--";
            self.words.push(argument);
            return if self.words.len() > MAX_ARGUMENTS {
                Err(format!("response files have more than {MAX_ARGUMENTS} arguments, which is the limit"))
            } else {
                Ok(())
            };
        };
        let name = format!("@{}", file.to_string_lossy());
        if inside.iter().any(|outer| outer == file) {
            return Err(format!("{name}: the response file names itself"));
        }
        if inside.len() >= MAX_DEPTH {
            return Err(format!("{name}: response files are nested more than {MAX_DEPTH} deep"));
        }
        let bytes = read_at_most(Path::new(file), MAX_FILE).map_err(|why| {
            let hint = if inside.is_empty() { " (a file whose name begins with @ is named ./@…)" } else { "" };
            format!("response file {why}{hint}")
        })?;
        let words = words(&bytes).map_err(|line| format!("{name}, line {line}: the quotation mark is not closed"))?;
        inside.push(file.to_owned());
        words.into_iter().try_for_each(|word| self.take(word, inside))?;
        inside.pop();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    /// By every name that they have.
    #[test]
    fn commands_with_lists_are_commands() {
        let command = super::super::Cli::command();
        let mut names: Vec<&str> = Vec::new();
        for word in WITH_LISTS {
            let found = command.find_subcommand(word).unwrap_or_else(|| panic!("{word} is no command"));
            names.extend(std::iter::once(found.get_name()).chain(found.get_all_aliases()));
        }
        names.sort_unstable();
        names.dedup();
        let mut expected = WITH_LISTS.to_vec();
        expected.sort_unstable();
        assert_eq!(names, expected);
    }

    #[test]
    fn the_value_of_a_flag_stays() {
        let line = ["lanescope", "run", "--push", "@draw.txt", "a.comp"];
        let all = expanded(line.iter().map(OsString::from)).expect("expands");
        assert_eq!(all, line.map(OsString::from));
        assert!(expanded(["lanescope", "run", "@/nowhere/draw.txt"].iter().map(OsString::from)).is_err());
    }

    #[test]
    fn files_are_put_in_place() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        let inner = path("inner").display().to_string();
        std::fs::write(path("inner"), "-DB b.frag").expect("writable");
        std::fs::write(path("outer"), format!("-DA\n@{inner}\n")).expect("writable");
        let line = |text: &str| {
            let outer = path("outer").display().to_string();
            let text = text.replace("OUTER", &outer).replace("INNER", &inner);
            let all = expanded(text.split(' ').map(OsString::from))?;
            Ok::<_, String>(all.iter().map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" "))
        };
        assert_eq!(line("lanescope inspect @OUTER @").as_deref(), Ok("lanescope inspect -DA -DB b.frag @"));
        assert_eq!(line("lanescope inspect -- @INNER"), Ok(format!("lanescope inspect -- @{inner}")));
        assert_eq!(line("lanescope corpus @INNER"), Ok(format!("lanescope corpus @{inner}")));
        std::fs::write(path("inner"), "corpus @list").expect("writable");
        assert_eq!(line("lanescope @INNER").as_deref(), Ok("lanescope corpus @list"));
        std::fs::write(path("inner"), format!("a @{inner}")).expect("writable");
        assert!(line("lanescope inspect @INNER").is_err_and(|why| why.contains("names itself")));
        std::fs::write(path("inner"), "'a").expect("writable");
        assert!(line("lanescope inspect @INNER").is_err_and(|why| why.contains("line 1: the quotation mark")));
        assert!(line("lanescope inspect @/nowhere").is_err_and(|why| why.contains("/nowhere: cannot be read")));
    }
}
