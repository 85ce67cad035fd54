//! Disassembly of DXIL containers, with the line numbers that findings refer to.

use std::fmt::Write as _;
use std::io::{self, Write};

use lanescope_core::program::Program;

use super::{Style, plain};

/// Writes the program of each container. Returns whether there is a container.
pub fn write(program: &Program, out: &mut dyn Write, style: Style) -> io::Result<bool> {
    for (index, loaded) in program.dxil.iter().enumerate() {
        let path = program.inputs.get(loaded.input).map_or("", |input| &input.path);
        let path = plain(path);
        if program.dxil.len() > 1 {
            let blank = if index > 0 { "\n" } else { "" };
            writeln!(out, "{blank}{}; {path}{:#}", style.strong, style.strong)?;
        }
        match loaded.dxil.disassembly() {
            Some(listing) => out.write_all(numbered(&listing.text, style).as_bytes())?,
            None if loaded.dxil.is_old_bytecode() => {
                writeln!(out, "; {path}: shader model 5 or earlier: bytecode cannot be disassembled")?;
            }
            None => writeln!(out, "; {path}: no readable program")?,
        }
        if let Some(debug) = loaded.dxil.debug_disassembly() {
            writeln!(out, "\n{}; {path}, with debug information{:#}", style.strong, style.strong)?;
            out.write_all(numbered(&debug.text, style).as_bytes())?;
        }
    }
    Ok(!program.dxil.is_empty())
}

fn numbered(text: &str, style: Style) -> String {
    let digits = text.lines().count().to_string().len().max(3);
    let mut out = String::with_capacity(text.len() * 5 / 4);
    for (number, line) in (1..).zip(text.lines()) {
        // A text takes every write.
        let _ = writeln!(out, "{}{number:>digits$}{:#}  {}", style.dim, style.dim, plain(line));
    }
    out
}
