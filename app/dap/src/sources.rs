//! Files that lines of a module name: on disk, as a text that the module or the session carries, or neither; and the
//! disassembly, which stands in for them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use lanescope_core::ids::Id;
use lanescope_core::interpreter::debugger::describe;
use lanescope_core::interpreter::debugger::session::Session;
use lanescope_core::interpreter::{Place, Program};
use lanescope_core::spirv::{InstId, SourceLine};
use serde::Deserialize;
use serde_json::{Value, json};

/// The reference of the disassembly.
const DISASSEMBLY: i64 = 1;
/// The reference of the first file.
const FIRST_FILE: i64 = 2;
/// The address of the first instruction: clients ask for instructions before the first one, too.
const BASE: i64 = 0x1_0000_0000;

/// A source as a client names it.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct SourceArgument {
    /// Its path.
    pub path: Option<String>,
    /// Its reference, where it has no path.
    pub source_reference: Option<i64>,
}

/// A file.
#[derive(Debug)]
struct File {
    /// As the module names it.
    name: String,
    /// Lines with an instruction that is run.
    lines: BTreeSet<u32>,
    /// On disk: as it was found, and without links.
    path: Option<PathBuf>,
    real: Option<PathBuf>,
    /// Its text, where it is not on disk.
    text: Option<String>,
}

/// All files of a module.
#[derive(Debug)]
pub struct Sources {
    files: Vec<File>,
    /// The name of the disassembly.
    disassembly: String,
}

/// What a client means by a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found<'s> {
    /// A file, by its name in the module, with its lines that have an instruction.
    File(&'s str, &'s BTreeSet<u32>),
    /// The disassembly: line n is instruction n - 1.
    Disassembly,
}

/// A place in a source.
#[derive(Debug, Clone, PartialEq)]
pub struct Shown {
    /// The source, as a client takes it.
    pub source: Value,
    /// The line, from 1.
    pub line: u32,
}

impl Sources {
    /// Looks for the files on disk: where the module says, else beside the files that were opened.
    pub fn new(session: &Session, opened: &[PathBuf]) -> Sources {
        let program = session.debugger().machine().program();
        let file = |(name, lines): (String, BTreeSet<u32>)| {
            let path = on_disk(&name, opened);
            let text = if path.is_none() { session.source_text(&name) } else { None };
            let real = path.as_ref().and_then(|path| path.canonicalize().ok());
            File { name, lines, path, real, text }
        };
        let files = program.lines_of_files().into_iter().filter(|(name, _)| !name.is_empty()).map(file).collect();
        Sources { files, disassembly: format!("{} {} (SPIR-V)", program.stage(), program.entry()) }
    }

    /// Where an instruction is shown: at its source line, or in the disassembly.
    pub fn shown(&self, line: Option<&SourceLine>, inst: InstId) -> Shown {
        let found = line.and_then(|line| Some((self.of_file(self.index(&line.file)?)?, line.line)));
        let (source, line) = found.unwrap_or_else(|| (self.disassembly(), inst.0.saturating_add(1)));
        Shown { source, line }
    }

    /// All sources, as a client takes them.
    pub fn all(&self) -> Vec<Value> {
        (0..self.files.len()).filter_map(|at| self.of_file(at)).chain([self.disassembly()]).collect()
    }

    /// What a client means; none for another file.
    pub fn find(&self, source: &SourceArgument) -> Option<Found<'_>> {
        if let Some(reference) = source.source_reference.filter(|reference| *reference > 0) {
            if reference == DISASSEMBLY {
                return Some(Found::Disassembly);
            }
            let at = usize::try_from(reference - FIRST_FILE).ok()?;
            return self.files.get(at).map(|file| Found::File(&file.name, &file.lines));
        }
        let path = Path::new(source.path.as_deref()?);
        let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let file = self.files.iter().find(|file| file.real.as_deref() == Some(&path))?;
        Some(Found::File(&file.name, &file.lines))
    }

    /// The text of a source.
    ///
    /// # Errors
    /// A reference of nothing.
    pub fn text(&self, reference: i64, program: &Program) -> Result<String, String> {
        if reference == DISASSEMBLY {
            let all = (0..instructions(program)).map(|inst| instruction(program, inst) + "\n");
            return Ok(all.collect());
        }
        let file = usize::try_from(reference.saturating_sub(FIRST_FILE)).ok().and_then(|at| self.files.get(at));
        let text = file.and_then(|file| file.text.clone());
        text.ok_or_else(|| format!("source: no text has the reference {reference}"))
    }

    fn index(&self, name: &str) -> Option<usize> {
        self.files.iter().position(|file| file.name == name)
    }

    /// Absent for a file that is neither on disk nor carried.
    fn of_file(&self, at: usize) -> Option<Value> {
        let file = self.files.get(at)?;
        let name = file.name.rsplit(['/', '\\']).next().unwrap_or(&file.name);
        match (&file.path, &file.text) {
            (Some(path), _) => Some(json!({ "name": name, "path": path.to_string_lossy() })),
            (None, Some(_)) => {
                let origin = "text that the module carries";
                Some(json!({ "name": name, "sourceReference": FIRST_FILE + at as i64, "origin": origin }))
            }
            (None, None) => None,
        }
    }

    fn disassembly(&self) -> Value {
        json!({ "name": self.disassembly, "sourceReference": DISASSEMBLY, "origin": "disassembly" })
    }
}

/// The path of a file that a module names; absent where there is none.
fn on_disk(name: &str, opened: &[PathBuf]) -> Option<PathBuf> {
    let own = Path::new(name);
    let beside = |opened: &PathBuf| {
        let is_it = opened.file_name().is_some_and(|last| Some(last) == own.file_name());
        let beside = opened.parent().map(|folder| folder.join(own));
        [is_it.then(|| opened.clone()), beside].into_iter().flatten().find(|path| path.is_file())
    };
    let found = if own.is_file() { Some(own.to_owned()) } else { opened.iter().find_map(beside) };
    found.and_then(|path| std::path::absolute(path).ok())
}

/// The number of instructions of a module.
pub fn instructions(program: &Program) -> u32 {
    u32::try_from(program.module().insts().count()).unwrap_or(u32::MAX)
}

/// An instruction as a text, as the debugger of the command line prints it.
pub fn instruction(program: &Program, inst: u32) -> String {
    let inst = InstId(inst);
    let result = program.module().inst(inst).result();
    let nowhere = Id(0);
    describe::instruction(program, Place { function: nowhere, block: nowhere, index: 0, inst, result })
}

/// The address of an instruction.
pub fn address(inst: InstId) -> String {
    address_of(i64::from(inst.0))
}

/// The address of the instruction with a number, which may be before the first one.
pub fn address_of(number: i64) -> String {
    format!("{:#x}", BASE.saturating_add(number).max(0))
}

/// The number of the instruction at an address, which may be one that the module does not have.
///
/// # Errors
/// Not an address.
pub fn number_at(address: &str) -> Result<i64, String> {
    let digits = address.strip_prefix("0x").or_else(|| address.strip_prefix("0X"));
    let number = match digits {
        Some(digits) => i64::from_str_radix(digits, 16).ok(),
        None => address.parse().ok(),
    };
    let number = number.filter(|number| *number >= 0);
    number.map(|number| number - BASE).ok_or_else(|| format!("invalid address `{address}`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_lead_back() {
        for inst in [0, 1, u32::MAX] {
            assert_eq!(number_at(&address(InstId(inst))), Ok(i64::from(inst)));
        }
        assert_eq!(number_at(&address_of(-5)), Ok(-5));
        assert_eq!(address_of(i64::MIN), "0x0");
        for wrong in ["", "0x", "-1", "0x-1", "main", "0xfffffffffffffffff"] {
            assert!(number_at(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn files_are_found_where_they_are_and_beside_those_that_were_opened() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir(at("inc")).expect("writable");
        for name in ["a.comp", "inc/b.glsl"] {
            std::fs::write(at(name), "x").expect("writable");
        }
        let opened = [at("a.comp")];
        let found = |name: &str| on_disk(name, &opened);
        let real = |name: &str| std::path::absolute(at(name)).ok();
        assert_eq!(found(&at("a.comp").to_string_lossy()), real("a.comp"));
        assert_eq!(found("/elsewhere/a.comp"), real("a.comp"), "the file that was opened");
        assert_eq!(found("inc/b.glsl"), real("inc/b.glsl"));
        assert_eq!(found("c.glsl"), None);
        assert_eq!(found("inc"), None, "not a folder");
    }
}
