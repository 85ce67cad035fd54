//! The disassemblies of two AMD code objects, compared.

use lanescope_driver::isa::without_encodings;
use schemars::JsonSchema;
use serde::Serialize;

/// The line that llvm-objdump begins a section of code with.
const SECTION: &str = "Disassembly of section ";

/// The disassemblies of two objects, by instructions: without encodings and addresses.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct AssemblyComparison {
    /// Whether they have the same instructions; absent where they are not compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub equal: Option<bool>,
    /// Lines of both, labels among them.
    pub lines: [usize; 2],
    /// The difference as `diff -u` writes it, where they differ.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diff: Option<String>,
    /// Why they are not compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_compared: Option<String>,
}

impl AssemblyComparison {
    /// Compares the listings of llvm-objdump, or says why one is missing. `unified` writes the difference of two texts.
    pub fn of(listings: [Result<&str, &str>; 2], unified: impl FnOnce(&str, &str) -> String) -> AssemblyComparison {
        let [left, right] = listings;
        match (left, right) {
            (Ok(left), Ok(right)) => {
                let (left, right) = (instructions(left), instructions(right));
                let equal = left == right;
                AssemblyComparison {
                    equal: Some(equal),
                    lines: [&left, &right].map(|text| text.lines().count()),
                    diff: (!equal).then(|| unified(&left, &right)),
                    not_compared: None,
                }
            }
            (Err(why), _) | (_, Err(why)) => {
                AssemblyComparison { equal: None, lines: [0; 2], diff: None, not_compared: Some(why.to_owned()) }
            }
        }
    }

    /// What came of it, in a line.
    pub fn verdict(&self) -> String {
        match (self.equal, &self.not_compared) {
            (_, Some(why)) => format!("not compared: {why}"),
            (Some(true), _) if self.lines == [0, 0] => "none in either".to_owned(),
            (Some(true), _) => "the same".to_owned(),
            _ => format!("differs: {} and {} lines", self.lines[0], self.lines[1]),
        }
    }
}

/// The labels and instructions of a listing of llvm-objdump, without its header, encodings and addresses.
pub fn instructions(listing: &str) -> String {
    let plain = without_encodings(listing);
    let mut out = String::new();
    let mut is_code = false;
    for line in plain.lines() {
        is_code |= line.starts_with(SECTION);
        if !is_code || line.trim().is_empty() || line.starts_with(SECTION) {
            continue;
        }
        match (label(line), line.trim_start()) {
            (Some(label), _) => out.push_str(label),
            (None, code) => {
                out.push_str("  ");
                // Operands may be after a tab.
                out.push_str(&code.replace('\t', " "));
            }
        }
        out.push('\n');
    }
    out
}

/// `<name>:` of `0000000000000000 <name>:`.
fn label(line: &str) -> Option<&str> {
    let (address, name) = line.split_once(' ')?;
    let is_address = address.len() == 16 && address.bytes().all(|byte| byte.is_ascii_hexdigit());
    (is_address && name.starts_with('<')).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LISTING: &str = "
a.elf:\tfile format elf64-amdgpu

Disassembly of section .text:

0000000000000000 <_amdgpu_cs_main>:
\ts_mov_b32 s4, s1                                           // 000000000004: BE840301
\ts_endpgm                                                   // 000000000024: BF810000
";

    #[test]
    fn compares_instructions_without_names_addresses_and_encodings() {
        assert_eq!(instructions(LISTING), "<_amdgpu_cs_main>:\n  s_mov_b32 s4, s1\n  s_endpgm\n");
        let moved =
            LISTING.replace("a.elf", "b.elf").replace("000000000024", "000000000124").replace("0000 <", "0100 <");
        let compare = |other: Result<&str, &str>| {
            AssemblyComparison::of([Ok(LISTING), other], |left, right| format!("{}|{}", left.len(), right.len()))
        };
        assert_eq!((compare(Ok(&moved)).equal, compare(Ok(&moved)).verdict().as_str()), (Some(true), "the same"));
        let other = compare(Ok(&LISTING.replace("s_mov_b32 s4, s1", "s_nop 0")));
        assert_eq!((other.equal, other.lines), (Some(false), [3, 3]));
        assert!(other.diff.is_some() && other.verdict() == "differs: 3 and 3 lines");
        let missing = compare(Err("llvm-objdump is not on PATH"));
        assert_eq!((missing.equal, missing.diff.as_ref()), (None, None));
        assert_eq!(missing.verdict(), "not compared: llvm-objdump is not on PATH");
        let none = AssemblyComparison::of([Ok("\nx: file format\n"), Ok("")], |_, _| String::new());
        assert_eq!(none.verdict(), "none in either");
    }
}
