//! Command lines of shader compilers in the log of a build: `compile_commands.json`, the output of `ninja -t compdb`, or
//! text with a command in each line.
//!
//! [`compilers`] knows what the flags of each compiler mean here. A command with a flag that it does not know is left out,
//! with the reason.

mod compilers;
mod shell;

use std::path::{Path, PathBuf};

use serde::Deserialize;

use self::compilers::{Command, Compiler};
use self::shell::Part;
use super::{Group, Groups};
use crate::files::text_at_most;
use crate::folders::Skipped;

/// The largest log that is read, in bytes.
const MAX_LOG: u64 = 256 << 20;

/// Why a command is left out that the log has as it was written, not as it was run.
const REPLACED: &str =
    "the shell puts something else for a part of it (`$NAME`, `$(…)`); expected the command as it was run";

/// Where `cd` or `pushd` leads; `None` where that is not known.
fn moved(from: &Path, arguments: &[&str]) -> Option<PathBuf> {
    let mut operands = arguments.iter().filter(|argument| !["--", "-P", "-L"].contains(argument));
    let to = operands.next().filter(|to| !to.starts_with(['-', '~', '+']))?;
    operands.next().is_none().then(|| from.join(to))
}

/// What a log has of shaders.
#[derive(Debug, Default)]
pub struct BuildLog {
    /// The files that are compiled, by their flags.
    groups: Groups,
    /// Commands that are left out, by their lines, and files that do not exist.
    pub skipped: Vec<Skipped>,
    /// How many commands were read.
    commands: usize,
}

/// A command of a compilation database.
#[derive(Debug, Deserialize)]
struct Entry {
    directory: PathBuf,
    #[serde(default)]
    command: Option<String>,
    #[serde(default)]
    arguments: Option<Vec<String>>,
}

impl BuildLog {
    /// Reads a log. Relative paths of a text are those of `folder`.
    ///
    /// # Errors
    /// A file that cannot be read, that is not a compilation database where it begins as one, or that has no command of a
    /// shader compiler.
    pub fn read(path: &Path, folder: &Path) -> Result<BuildLog, String> {
        let (text, name) = (text_at_most(path, MAX_LOG)?, path.display().to_string());
        let mut out = BuildLog::default();
        if text.trim_start().starts_with('[') && text.trim_start()[1..].trim_start().starts_with(['{', ']']) {
            out.read_database(&text, &name)?;
        } else {
            out.read_text(&text, &name, folder);
        }
        match out.commands {
            0 => Err(format!("{name}: no command of glslc, glslangValidator, glslang, dxc or slangc")),
            _ => Ok(out),
        }
    }

    /// The files, by their flags.
    pub fn into_groups(self) -> Vec<Group> {
        self.groups.into_groups()
    }

    fn read_database(&mut self, text: &str, name: &str) -> Result<(), String> {
        let entries: Vec<Entry> = serde_json::from_str(text)
            .map_err(|error| format!("{name}: expected a compilation database (directory, command, file): {error}"))?;
        for (entry, number) in entries.into_iter().zip(1..) {
            let place = format!("{name}, command {number}");
            match (entry.arguments, entry.command) {
                (Some(words), _) => self.words(&words, Ok(&entry.directory), &place),
                (None, Some(command)) => self.line(&command, entry.directory.clone(), &place),
                (None, None) => return Err(format!("{place}: neither `command` nor `arguments`")),
            }
        }
        Ok(())
    }

    fn read_text(&mut self, text: &str, name: &str, folder: &Path) {
        // make says where it is.
        let mut folders = vec![folder.to_owned()];
        let (mut whole, mut first) = (String::new(), 1);
        for (line, number) in text.lines().zip(1..) {
            if whole.is_empty() {
                first = number;
            }
            // A command goes on after a backslash.
            if let Some(start) = line.strip_suffix('\\') {
                whole.push_str(start);
                whole.push(' ');
                continue;
            }
            whole.push_str(line);
            let line = std::mem::take(&mut whole);
            let quoted = |line: &str| {
                line.split_once(['\'', '`', '"']).map(|(_, rest)| rest.trim_end_matches(['\'', '"']).to_owned())
            };
            if line.contains(": Entering directory ") {
                // ninja says the folder as it was told.
                folders.extend(quoted(&line).map(|to| folder.join(to)));
            } else if line.contains(": Leaving directory ") && folders.len() > 1 {
                folders.pop();
            } else {
                let here = folders.last().cloned().unwrap_or_default();
                self.line(&line, here, &format!("{name}:{first}"));
            }
        }
        if !whole.is_empty() {
            let here = folders.last().cloned().unwrap_or_default();
            self.line(&whole, here, &format!("{name}:{first}"));
        }
    }

    /// Reads a line: commands with `&&`, `||`, `;` or `|` between them. `cd` changes the folder.
    fn line(&mut self, line: &str, folder: PathBuf, place: &str) {
        if !Compiler::ALL.iter().any(|compiler| line.contains(compiler.name())) {
            return;
        }
        let Some(parts) = shell::parts(line) else {
            if compilers::begins(line.split_whitespace()) {
                self.commands += 1;
                self.skip(place, "the quotation mark is not closed".to_owned());
            }
            return;
        };
        let mut here = Some(folder);
        let mut outside = Vec::new();
        for part in parts {
            match part {
                Part::Opens => outside.push(here.clone()),
                Part::Closes => here = outside.pop().flatten(),
                Part::Command { words, is_replaced } => {
                    let program: Vec<&str> = compilers::program(words.iter().map(String::as_str)).collect();
                    match program.as_slice() {
                        ["cd" | "pushd", to @ ..] => here = here.filter(|_| !is_replaced).and_then(|at| moved(&at, to)),
                        ["popd", ..] => here = None,
                        _ => {
                            let known =
                                here.as_deref().ok_or("its folder is not known: a command before it changes that");
                            self.words(&words, if is_replaced { Err(REPLACED) } else { known }, place);
                        }
                    }
                }
            }
        }
    }

    /// Takes a command, if it is one of a shader compiler.
    fn words(&mut self, words: &[String], folder: Result<&Path, &str>, place: &str) {
        let Some((compiler, arguments)) = compilers::command(words) else { return };
        let read = folder.map_err(str::to_owned).and_then(|folder| match compilers::changes_folder(words) {
            true => Err("its folder is not known: an option of env changes that".to_owned()),
            false => Command::read(compiler, arguments, folder),
        });
        match read {
            Ok(None) => {}
            Ok(Some(command)) => {
                self.commands += 1;
                for (file, flags) in command.files {
                    if file.is_file() {
                        self.groups.add(file, flags);
                    } else {
                        self.skip(place, format!("{}: there is no such file", file.display()));
                    }
                }
            }
            Err(why) => {
                self.commands += 1;
                self.skip(place, format!("{}: {why}", compiler.name()));
            }
        }
    }

    fn skip(&mut self, place: &str, why: String) {
        self.skipped.push(Skipped { path: PathBuf::from(place), why });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log(name: &str, text: &str) -> (tempfile::TempDir, Result<BuildLog, String>) {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::create_dir(folder.path().join("sub")).expect("writable");
        for name in ["a.frag", "b.vert", "sub/c.comp"] {
            std::fs::write(folder.path().join(name), "").expect("writable");
        }
        let path = folder.path().join(name);
        std::fs::write(&path, text.replace("ROOT", &folder.path().display().to_string())).expect("writable");
        let read = BuildLog::read(&path, folder.path());
        (folder, read)
    }

    /// The files below the folder and their flags, then what was left out.
    fn rows(name: &str, text: &str) -> Vec<String> {
        let (folder, read) = log(name, text);
        let (read, root) = (read.expect("has commands"), folder.path().display().to_string());
        let short = |path: &Path| path.strip_prefix(folder.path()).unwrap_or(path).display().to_string();
        let skipped: Vec<_> = read
            .skipped
            .iter()
            .map(|one| format!("{}: {}", short(&one.path), one.why.replace(root.as_str(), "ROOT")))
            .collect();
        let groups = read.groups.into_groups();
        let files =
            groups.iter().flat_map(|group| group.paths.iter().map(|path| format!("{} {}", short(path), group.flags)));
        files.chain(skipped).collect()
    }

    #[test]
    fn reads_lines_of_text() {
        let text = "[1/3] glslc -DA=1 --target-env=vulkan1.2 a.frag -o a.spv\nstrip glslc\necho glslc b.vert\n\
                    make[1]: Entering directory 'ROOT/sub'\n/opt/bin/glslc -DB='x y' \\\n  --target-env=vulkan1.1 c.comp -o c.spv\n\
                    make[1]: Leaving directory 'ROOT/sub'\ncd sub && glslc --target-env=vulkan1.3 c.comp > b.vert 2>&1; glslc -fmagic a.frag\n\
                    [2/3] cd sub && glslc '-DA=;' -DB=\"a > b && c\" -DC=\\; c.comp 2>/dev/null >>x\n\
                    glslc --target-env=vulkan1.1 missing.frag\nglslc 'a.frag\nglslc --version\n";
        assert_eq!(
            rows("build.log", text),
            [
                "a.frag target_env=vulkan1.2 include_directive=on define=A=1",
                "sub/c.comp target_env=vulkan1.1 include_directive=on define='B=x y'",
                "sub/c.comp target_env=vulkan1.3 include_directive=on",
                "sub/c.comp target_env=vulkan1.0 include_directive=on define=A=; define='B=a > b && c' define=C=;",
                "build.log:8: glslc: unknown flag `-fmagic`",
                "build.log:10: ROOT/missing.frag: there is no such file",
                "build.log:11: the quotation mark is not closed",
            ]
        );
    }

    #[test]
    fn measures_nothing_of_which_the_folder_or_a_part_is_not_known() {
        let to = |stage: &str| format!("glslc -fshader-stage={stage} --target-env=vulkan1.2");
        let text = [
            "cd -- sub && glslc c.comp".to_owned(),
            "(cd -P sub && glslc c.comp); glslc a.frag".to_owned(),
            "ninja: Entering directory `sub'".to_owned(),
            "if glslc --target-env=vulkan1.3 c.comp; then echo; fi".to_owned(),
            "ninja: Leaving directory `sub'".to_owned(),
            "cd - && glslc a.frag".to_owned(),
            "env -C sub glslc c.comp".to_owned(),
            "env --chdir=sub glslc c.comp".to_owned(),
            "glslc -DVER=`date` a.frag && glslc \"-DVER=$VER\" a.frag".to_owned(),
            format!("{} a.frag", to("a/b")),
        ];
        let unknown = "its folder is not known";
        let replaced = "the shell puts something else for a part of it";
        let rows = rows("build.log", &text.join("\n"));
        let expected = [
            "a.frag target_env=vulkan1.0 include_directive=on".to_owned(),
            "sub/c.comp target_env=vulkan1.0 include_directive=on".to_owned(),
            "sub/c.comp target_env=vulkan1.3 include_directive=on".to_owned(),
            format!("build.log:6: glslc: {unknown}"),
            format!("build.log:7: glslc: {unknown}"),
            format!("build.log:8: glslc: {unknown}"),
            format!("build.log:9: glslc: {replaced}"),
            format!("build.log:9: glslc: {replaced}"),
            "build.log:10: glslc: unknown stage `a/b`".to_owned(),
        ];
        let mut rows = rows;
        rows[..3].sort();
        rows.dedup();
        assert_eq!(rows.len(), expected.len() - 1, "{rows:#?}");
        let mut of = expected.to_vec();
        of.dedup();
        assert!(rows.iter().zip(&of).all(|(row, expected)| row.starts_with(expected)), "{rows:#?}");
    }

    #[test]
    fn reads_compilation_databases() {
        let text = r#"[
            {"directory": "ROOT", "command": "glslangValidator -V -DA a.frag -o a.spv", "file": "a.frag"},
            {"directory": "ROOT/sub", "arguments": ["glslc", "-I", "..", "c.comp"], "file": "c.comp"},
            {"directory": "ROOT", "command": "cc -c x.c", "file": "x.c"}
        ]"#;
        let folder = |rows: Vec<String>| {
            rows.iter().map(|row| row.split(" include_dir=").next().unwrap_or_default().to_owned()).collect::<Vec<_>>()
        };
        let rows = rows("compile_commands.json", text);
        assert!(rows[1].ends_with("sub/.."), "{rows:?}");
        assert_eq!(
            folder(rows),
            ["a.frag target_env=vulkan1.0 define=A", "sub/c.comp target_env=vulkan1.0 include_directive=on"]
        );
    }

    #[test]
    fn what_is_not_a_log_is_an_error() {
        let error = |text: &str| log("x", text).1.err().unwrap_or_default();
        assert!(error("cc -c a.c\n").contains("no command of glslc"));
        assert!(error("[{\"file\": 1}]").contains("expected a compilation database"));
        assert!(error("[{\"directory\": \"/\"}]").contains("neither `command` nor `arguments`"));
        assert!(error("[]").contains("no command of glslc"));
    }
}
