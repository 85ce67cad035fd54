//! What the flags of glslc and of glslang mean here. Those of DXC and Slang are beside this file.

mod dxc;
mod slangc;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use lanescope_core::load::{hlsl_kind, hlsl_profile, stage_of_extension, stage_of_name};
use lanescope_core::options::{
    Conversion, HlslCompiler, TargetEnv, defined_name, glsl_version, macro_definition, macro_name,
};
use lanescope_core::program::StageKind;

use crate::worker::FileFlags;

/// A shader compiler.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compiler {
    /// Shaderc's.
    Glslc,
    /// glslang's, by its earlier name.
    GlslangValidator,
    /// glslang's.
    Glslang,
    /// The DirectX shader compiler.
    Dxc,
    /// The Slang compiler.
    Slangc,
}

impl Compiler {
    /// All of them.
    pub const ALL: [Compiler; 5] =
        [Compiler::Glslc, Compiler::GlslangValidator, Compiler::Glslang, Compiler::Dxc, Compiler::Slangc];

    /// The name of its executable.
    pub fn name(self) -> &'static str {
        match self {
            Compiler::Glslc => "glslc",
            Compiler::GlslangValidator => "glslangValidator",
            Compiler::Glslang => "glslang",
            Compiler::Dxc => "dxc",
            Compiler::Slangc => "slangc",
        }
    }

    /// Whether it compiles nothing where its version is asked for.
    fn ends_after_version(self) -> bool {
        matches!(self, Compiler::Glslc | Compiler::Dxc)
    }

    /// Whether a macro that is defined again has the later value. In glslang that is an error.
    fn redefines(self) -> bool {
        matches!(self, Compiler::Glslc | Compiler::Dxc)
    }

    /// Of the name of an executable, with its folder.
    fn of(word: &str) -> Option<Compiler> {
        let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
        let name = name.strip_suffix(".exe").unwrap_or(name);
        Compiler::ALL.into_iter().find(|compiler| compiler.name() == name)
    }
}

/// Programs that start the command that follows them: their names, their options that take the next word, and how many words
/// they take before the command.
const STARTERS: [(&str, &[&str], usize); 10] = [
    ("env", &["-u", "--unset", CHDIR[0], CHDIR[1]], 0),
    ("ccache", &[], 0),
    ("sccache", &[], 0),
    ("time", &["-f", "--format", "-o", "--output"], 0),
    ("nice", &["-n", "--adjustment"], 0),
    ("ionice", &["-c", "--class", "-n", "--classdata"], 0),
    ("timeout", &["-k", "--kill-after", "-s", "--signal"], 1),
    ("nohup", &[], 0),
    ("command", &[], 0),
    ("exec", &["-a"], 0),
];

/// Options of `env` that change the folder.
const CHDIR: [&str; 2] = ["-C", "--chdir"];

/// Whether what starts a command changes its folder.
pub fn changes_folder(words: &[String]) -> bool {
    let before = words.len() - program(words.iter().map(String::as_str)).count();
    let changes = |word: &String| CHDIR.iter().any(|option| word.split('=').next() == Some(option));
    words.get(..before).is_some_and(|starters| starters.iter().any(changes))
}

/// Whether a word may stand before a command: `[3/8]`, `[ 50%]`, `+`, `NAME=VALUE`, `then`.
fn precedes(word: &str) -> bool {
    const OF_SHELLS: [&str; 10] = ["{", "!", "if", "then", "else", "elif", "do", "while", "until", "+"];
    if OF_SHELLS.contains(&word) {
        return true;
    }
    let is_progress = word.starts_with('[') || word.ends_with(']') || word.ends_with("%]");
    let is_setting = word.split_once('=').is_some_and(|(name, _)| macro_name(name).is_ok());
    is_progress || is_setting || word == "$" || word == "++"
}

/// The words of a command from the name of its program on, after what starts it.
pub fn program<'w, I: Iterator<Item = &'w str> + Clone>(words: I) -> I {
    let mut rest = words;
    loop {
        let here = rest.clone();
        let Some(word) = rest.next() else { return here };
        if precedes(word) {
            continue;
        }
        let starter = STARTERS.iter().find(|(name, ..)| word.rsplit('/').next() == Some(*name));
        let Some((_, with_value, taken)) = starter else { return here };
        let mut after = rest.clone();
        while let Some(option) = after.next().filter(|option| option.starts_with('-')) {
            if with_value.contains(&option) {
                after.next();
            }
            rest = after.clone();
        }
        for _ in 0..*taken {
            rest.next();
        }
    }
}

/// Whether words begin with a shader compiler.
pub fn begins<'w>(words: impl Iterator<Item = &'w str> + Clone) -> bool {
    program(words).next().is_some_and(|word| Compiler::of(word).is_some())
}

/// The compiler of a command and its arguments, if it is one of a shader compiler.
pub fn command(words: &[String]) -> Option<(Compiler, &[String])> {
    let at = words.len() - program(words.iter().map(String::as_str)).count();
    Some((Compiler::of(words.get(at)?)?, words.get(at + 1..)?))
}

/// A command of a compiler, as far as it is meant here.
#[derive(Debug)]
pub struct Command {
    /// The files that it compiles, each with its flags.
    pub files: Vec<(PathBuf, FileFlags)>,
}

impl Command {
    /// Reads the arguments of a command that is run in a folder; `None` for one that compiles nothing.
    ///
    /// # Errors
    /// A flag that is not known, or that cannot be meant here.
    pub fn read(compiler: Compiler, arguments: &[String], folder: &Path) -> Result<Option<Command>, String> {
        // The compilers print what is asked for, and end.
        const ASKS: [&str; 4] = ["--help", "-h", "-help", "--show-limits"];
        // glslang compiles the files too, if any.
        const ASKS_VERSION: [&str; 3] = ["--version", "-version", "-v"];
        let has = |asks: &[&str]| arguments.iter().any(|argument| asks.contains(&argument.as_str()));
        if has(&ASKS) || (compiler.ends_after_version() && has(&["--version"])) {
            return Ok(None);
        }
        let mut reader = Reader::new(compiler, arguments, folder);
        let mut files = match compiler {
            Compiler::Glslc => reader.glslc(),
            Compiler::GlslangValidator | Compiler::Glslang => reader.glslang(),
            Compiler::Dxc => dxc::read(&mut reader),
            Compiler::Slangc => slangc::read(&mut reader),
        }?;
        if files.is_empty() && has(&ASKS_VERSION) {
            return Ok(None);
        }
        if files.is_empty() {
            return Err("the command has no input file".to_owned());
        }
        files.iter_mut().try_for_each(|(path, flags)| checked(path, flags))?;
        Ok(Some(Command { files }))
    }
}

/// A stage that the name of a file says too must be the same.
fn checked(path: &Path, flags: &mut FileFlags) -> Result<(), String> {
    match (flags.stage, stage_of_extension(path)) {
        (Some(stage), Some(named)) if stage != named => {
            Err(format!("compiles {} as stage {stage}, but its name has stage {named}", path.display()))
        }
        (Some(_), Some(_)) => {
            // Nothing is said that is not known, so that files of one pipeline stay together.
            flags.stage = None;
            Ok(())
        }
        _ => Ok(()),
    }
}

/// The files with their flags.
pub type Files = Vec<(PathBuf, FileFlags)>;

/// Reads arguments one after the other.
pub struct Reader<'a> {
    compiler: Compiler,
    arguments: std::slice::Iter<'a, String>,
    folder: &'a Path,
    /// What was read.
    pub conversion: Conversion,
}

impl<'a> Reader<'a> {
    fn new(compiler: Compiler, arguments: &'a [String], folder: &'a Path) -> Reader<'a> {
        Reader { compiler, arguments: arguments.iter(), folder, conversion: Conversion::default() }
    }

    /// The next argument.
    pub fn word(&mut self) -> Option<&'a str> {
        self.arguments.next().map(String::as_str)
    }

    /// The value of a flag: the rest of its word, or the next one.
    pub fn value(&mut self, flag: &str, rest: &'a str) -> Result<&'a str, String> {
        let value = if rest.is_empty() { self.word() } else { Some(rest) };
        value.ok_or_else(|| format!("`{flag}` has no value"))
    }

    /// A path from the root, where the folder is known.
    pub fn path(&self, path: &str) -> PathBuf {
        self.folder.join(path)
    }

    /// Takes `-D`, `-U` and `-I`, each with its value or before it. False for other flags.
    pub fn common(&mut self, word: &'a str) -> Result<bool, String> {
        let (flag, rest) = match word.split_at_checked(2) {
            Some((flag @ ("-D" | "-U" | "-I"), rest)) => (flag, rest),
            _ => return Ok(false),
        };
        let value = self.value(flag, rest)?;
        let wrong = |why: String| format!("`{flag}{value}`: {why}");
        match flag {
            "-D" => self.define(value).map_err(wrong)?,
            "-U" => self.undefine(value).map_err(wrong)?,
            _ => self.conversion.include_dirs.push(self.path(value).to_string_lossy().into_owned()),
        }
        Ok(true)
    }

    /// Defines a macro, also one that was cancelled before.
    fn define(&mut self, value: &str) -> Result<(), String> {
        macro_definition(value)?;
        let name = defined_name(value);
        if self.compiler.redefines() {
            self.conversion.defines.retain(|one| defined_name(one) != name);
        }
        self.conversion.undefines.retain(|one| one != name);
        self.conversion.defines.push(value.to_owned());
        Ok(())
    }

    /// Cancels a macro; one that is defined after it counts.
    fn undefine(&mut self, name: &str) -> Result<(), String> {
        macro_name(name)?;
        self.conversion.defines.retain(|one| defined_name(one) != name);
        self.conversion.undefines.retain(|one| one != name);
        self.conversion.undefines.push(name.to_owned());
        Ok(())
    }

    fn glslc(&mut self) -> Result<Files, String> {
        // What does not change the module: outputs, lists of dependencies, debug information, warnings.
        const SILENT: [&str; 11] =
            ["-c", "-g", "-MD", "-MMD", "-MP", "-w", "-Werror", "-O0", "-mfmt=bin", "-mfmt=num", "-v"];
        const SILENT_WITH_VALUE: [&str; 4] = ["-o", "-MF", "-MT", "-MQ"];
        // The defaults of glslc.
        self.conversion.target_env = Some(TargetEnv::Vulkan10);
        self.conversion.include_directive = true;
        let (mut stage, mut entry, mut is_hlsl) = (None, None, false);
        let mut files = Vec::new();
        while let Some(word) = self.word() {
            if SILENT.contains(&word) || word == "-x" && self.language(&mut is_hlsl)? || self.common(word)? {
                continue;
            }
            if SILENT_WITH_VALUE.contains(&word) {
                self.value(word, "")?;
            } else if let Some(value) = word.strip_prefix("-fshader-stage=") {
                stage = Some(glslc_stage(value)?);
            } else if let Some(value) = word.strip_prefix("-fentry-point=") {
                entry = Some(value.to_owned());
            } else if let Some(value) = word.strip_prefix("-std=") {
                glsl_version(value)?;
                self.conversion.std = Some(value.to_owned());
            } else if let Some(value) = word.strip_prefix("--target-env=") {
                self.conversion.target_env = Some(environment(value)?);
            } else if word.starts_with('-') {
                return Err(format!("unknown flag `{word}`"));
            } else {
                files.push((self.path(word), stage));
            }
        }
        self.files(files, entry, is_hlsl)
    }

    fn language(&mut self, is_hlsl: &mut bool) -> Result<bool, String> {
        match self.value("-x", "")? {
            "glsl" => *is_hlsl = false,
            "hlsl" => *is_hlsl = true,
            other => return Err(format!("unknown language `-x {other}`")),
        }
        Ok(true)
    }

    fn glslang(&mut self) -> Result<Files, String> {
        const SILENT: [&str; 15] = [
            "-V",
            "-V100",
            "-g",
            "-g0",
            "-gV",
            "-gVS",
            "-s",
            "-w",
            "-t",
            "-H",
            "--quiet",
            "-Od",
            "-x",
            "-v",
            "--version",
        ];
        const SILENT_WITH_VALUE: [&str; 4] = ["-o", "--vn", "--variable-name", "--depfile"];
        // The default of -V.
        self.conversion.target_env = Some(TargetEnv::Vulkan10);
        let (mut stage, mut entry, mut function, mut is_hlsl, mut is_vulkan) = (None, None, None, false, false);
        let mut files = Vec::new();
        while let Some(word) = self.word() {
            is_vulkan |= ["-V", "-V100"].contains(&word);
            // Alone it is the language.
            if word == "-D" {
                is_hlsl = true;
                continue;
            }
            if SILENT.contains(&word) || self.common(word)? {
                continue;
            }
            match word {
                _ if SILENT_WITH_VALUE.contains(&word) => {
                    self.value(word, "")?;
                }
                "-S" => stage = Some(short_stage(self.value(word, "")?)?),
                "-e" | "--entry-point" => entry = Some(self.value(word, "")?.to_owned()),
                // The function; `-e` then is how the module calls it.
                "--source-entrypoint" | "--sep" => function = Some(self.value(word, "")?.to_owned()),
                "--target-env" => {
                    self.conversion.target_env = Some(environment(self.value(word, "")?)?);
                    is_vulkan = true;
                }
                "--glsl-version" => {
                    let value = self.value(word, "")?;
                    glsl_version(value)?;
                    self.conversion.std = Some(value.to_owned());
                }
                "--define-macro" => self.value(word, "").and_then(|value| self.define(value))?,
                "--undef-macro" => self.value(word, "").and_then(|name| self.undefine(name))?,
                _ if word.starts_with('-') => return Err(format!("unknown flag `{word}`")),
                _ => files.push((self.path(word), stage)),
            }
        }
        if !is_vulkan && !files.is_empty() {
            return Err("neither -V nor --target-env vulkan…: the command does not compile for Vulkan".to_owned());
        }
        // The stage counts for all files, wherever it stands.
        let files = files.into_iter().map(|(path, _)| (path, stage)).collect();
        self.files(files, function.or(entry), is_hlsl)
    }

    /// The files with what was read. HLSL goes through glslang's front end, for the profile of its stage.
    fn files(
        &self,
        files: Vec<(PathBuf, Option<StageKind>)>,
        entry: Option<String>,
        is_hlsl: bool,
    ) -> Result<Files, String> {
        let one = |(path, stage): (PathBuf, Option<StageKind>)| {
            let by_name = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("hlsl"));
            if is_hlsl && !by_name {
                return Err(format!("compiles {} as HLSL; expected a name that ends in .hlsl", path.display()));
            }
            let mut flags = FileFlags { conversion: self.conversion.clone(), stage, ..FileFlags::default() };
            if by_name {
                let stage = stage.ok_or_else(|| format!("{}: no flag sets the stage", path.display()))?;
                flags.conversion.hlsl_compiler = HlslCompiler::Glslang;
                flags.conversion.profile = Some(profile_of(stage)?);
                flags.stage = None;
                flags.entries = entry.iter().cloned().collect();
            } else if let Some(entry) = entry.as_ref().filter(|entry| *entry != "main") {
                return Err(format!("entry point `{entry}`: the entry point of GLSL is `main`"));
            }
            Ok((path, flags))
        };
        files.into_iter().map(one).collect()
    }
}

/// The profile that stands for a stage of HLSL in glslang, which has one shader model.
fn profile_of(stage: StageKind) -> Result<String, String> {
    let kind = hlsl_kind(stage);
    if !matches!(kind, "vs" | "hs" | "ds" | "gs" | "ps" | "cs") {
        return Err(format!("glslang does not compile HLSL of stage {stage}"));
    }
    let profile = format!("{kind}_6_0");
    hlsl_profile(&profile).map(|()| profile)
}

/// A stage as glslang names it: by the extension of its files.
fn short_stage(text: &str) -> Result<StageKind, String> {
    stage_of_name(text).ok_or_else(|| format!("unknown stage `{text}`"))
}

/// A stage as glslc names it.
fn glslc_stage(text: &str) -> Result<StageKind, String> {
    let long = match text {
        "vertex" => Some(StageKind::Vertex),
        "fragment" => Some(StageKind::Fragment),
        "compute" => Some(StageKind::Compute),
        "geometry" => Some(StageKind::Geometry),
        "tesscontrol" => Some(StageKind::TessControl),
        "tesseval" => Some(StageKind::TessEval),
        _ => None,
    };
    long.map_or_else(|| short_stage(text), Ok)
}

/// A target environment of either compiler.
fn environment(text: &str) -> Result<TargetEnv, String> {
    if text == "vulkan" {
        return Ok(TargetEnv::Vulkan10);
    }
    text.parse().map_err(|_| format!("unsupported target environment `{text}`"))
}
