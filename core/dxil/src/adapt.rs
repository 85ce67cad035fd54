//! Changes bitcode in place, by a few bits, so that a converter takes what it would take for something else.

use super::bitstream::{Entry, Stream};
use super::error::Fault;
use super::module::{Module, Type, TypeId, Value, ValueKind};
use super::substitute::{chunks, read, write};
use super::{Dxil, Program};

/// Blocks of LLVM's bitcode.
const MODULE_BLOCK: u32 = 8;
const CONSTANTS_BLOCK: u32 = 11;
const FUNCTION_BLOCK: u32 = 12;
const METADATA_BLOCK: u32 = 15;
/// A record of a block of constants that sets the type of those after it.
const SET_TYPE: u64 = 1;
/// A record of a block of metadata: a string.
const STRING: u64 = 1;
/// Width of the chunks of a number in a record without an abbreviation.
const CHUNK: u32 = 6;
/// Width of a string's letters as compilers abbreviate them.
const LETTER: u32 = 8;

/// The file with its `i8` constants as `i32` ones, of the same length; `None` where it has none, or where a record does not
/// have room for the other type. DXIL has such constants as operands of ops alone: columns, vertices, masks.
///
/// # Errors
/// Bitcode that cannot be read, though it could before.
pub fn widened_bytes(dxil: &Dxil, program: &Program) -> Result<Option<Vec<u8>>, Fault> {
    let module = &program.module;
    let of_bits = |bits: u32| module.types.all().iter().position(|ty| *ty == Type::Integer(bits));
    let (Some(byte), Some(word)) = (of_bits(8), of_bits(32)) else { return Ok(None) };
    let (byte, word) = (byte as u64, word as u64);
    let ends = ends(dxil, program, CONSTANTS_BLOCK, &|code, operands| code == SET_TYPE && *operands == [byte])?;
    let types = module.types.all().len() as u64;
    let width = (types + 1).next_power_of_two().trailing_zeros();
    let Some(file) = replaced(dxil, &ends, (byte, word), width) else { return Ok(None) };
    let after = Dxil::read(file.clone())?;
    let same = after.program.as_ref().is_some_and(|after| is_widened(module, &after.module));
    Ok(same.then_some(file))
}

/// The file with a shader model that is no library's, of the same length: `dx.shaderModel` says `lix` instead of `lib`. The
/// kinds of its entry points are those that their own metadata says.
///
/// # Errors
/// Bitcode that cannot be read, though it could before.
pub fn without_library_model(dxil: &Dxil, program: &Program) -> Result<Option<Vec<u8>>, Fault> {
    let name = b"lib".map(u64::from);
    let ends = ends(dxil, program, METADATA_BLOCK, &|code, operands| code == STRING && *operands == name)?;
    let Some(file) = replaced(dxil, &ends, (u64::from(b'b'), u64::from(b'x')), LETTER) else { return Ok(None) };
    let after = Dxil::read(file.clone())?;
    let same = |after: &Module| {
        let model = after.metadata.of_name("dx.shaderModel").and_then(|nodes| nodes.first()).copied();
        let word = model.and_then(|node| after.metadata.operands(node)?.flatten().next());
        word.and_then(|word| after.metadata.text(word)).as_deref() == Some("lix")
            && after.functions == program.module.functions
    };
    Ok(after.program.as_ref().is_some_and(|after| same(&after.module)).then_some(file))
}

/// The bits of the file after the records of a kind of block that are wanted, by their code and their operands.
fn ends(
    dxil: &Dxil,
    program: &Program,
    block: u32,
    is_wanted: &dyn Fn(u64, &[u64]) -> bool,
) -> Result<Vec<u64>, Fault> {
    let mut stream = Stream::new(dxil.bitcode(program), program.header.bitcode)?;
    let (mut out, mut open) = (Vec::new(), Vec::new());
    while !(open.is_empty() && stream.at_end()) {
        match stream.next()? {
            Entry::Block(id) if id == block || matches!(id, MODULE_BLOCK | FUNCTION_BLOCK) => {
                stream.enter(id)?;
                open.push(id);
            }
            Entry::Block(id) => stream.skip(id)?,
            Entry::End => drop(open.pop()),
            Entry::Record(code) if open.last() == Some(&block) => {
                let operands = stream.take_operands();
                if is_wanted(code, &operands) {
                    out.push(stream.behind());
                }
                stream.recycle(operands);
            }
            Entry::Record(_) => {}
        }
    }
    Ok(out)
}

/// The file with the last number of some records replaced; `None` where there are none, or one has no room for it.
fn replaced(dxil: &Dxil, ends: &[u64], numbers: (u64, u64), width: u32) -> Option<Vec<u8>> {
    let mut file = dxil.file().to_vec();
    for end in ends {
        let (start, bits, value) = patched(&file, *end, numbers, width)?;
        write(&mut file, start, bits, value);
    }
    (!ends.is_empty()).then_some(file)
}

/// Where a number is that ends a record, and what to write there: as compilers abbreviate it, or in chunks.
fn patched(file: &[u8], end: u64, (old, new): (u64, u64), width: u32) -> Option<(u64, u32, u64)> {
    let at = |bits: u32, value: u64| {
        let start = end.checked_sub(u64::from(bits))?;
        (read(file, start, bits) == Some(value)).then_some(start)
    };
    if let Some(start) = at(width, old) {
        return Some((start, width, new));
    }
    let (value, count) = chunks(old, CHUNK, 1);
    let (other, needed) = chunks(new, CHUNK, count);
    let start = at(count * CHUNK, value)?;
    (needed == count).then_some((start, count * CHUNK, other))
}

/// Whether a module is another with its bytes made words.
fn is_widened(before: &Module, after: &Module) -> bool {
    let widened = |ty: TypeId| match before.types.get(ty) {
        Some(Type::Integer(8)) => Some(&Type::Integer(32)),
        other => other,
    };
    let values = |a: &[Value], b: &[Value]| {
        a.len() == b.len()
            && a.iter().zip(b).all(|(a, b)| {
                let ty = if matches!(a.kind, ValueKind::Constant(_)) { widened(a.ty) } else { before.types.get(a.ty) };
                a.kind == b.kind && ty == after.types.get(b.ty)
            })
    };
    before.types == after.types
        && values(&before.values, &after.values)
        && before.constants == after.constants
        && before.functions.len() == after.functions.len()
        && before.functions.iter().zip(&after.functions).all(|(a, b)| match (&a.body, &b.body) {
            (Some(a), Some(b)) => {
                values(&a.values, &b.values) && a.constants == b.constants && a.instructions == b.instructions
            }
            (a, b) => a.is_none() && b.is_none(),
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{file, names};

    #[test]
    fn bytes_become_words_and_nothing_else_changes() {
        let mut changed = 0;
        for name in names() {
            let dxil = file(&name);
            let program = dxil.program.as_ref().expect("a program");
            let Some(other) = widened_bytes(&dxil, program).expect("reads") else { continue };
            assert_eq!(other.len(), dxil.file().len(), "{name}");
            let after = Dxil::read(other).expect("a container");
            let module = &after.program.as_ref().expect("a program").module;
            let is_byte = |value: &Value| {
                matches!(value.kind, ValueKind::Constant(_)) && module.types.get(value.ty) == Some(&Type::Integer(8))
            };
            let bodies = module.defined().flat_map(|(_, body)| &body.values);
            assert!(!module.values.iter().chain(bodies).any(is_byte), "{name}");
            changed += 1;
        }
        assert!(changed > 10, "{changed}");
    }

    #[test]
    fn libraries_lose_their_model_and_nothing_else() {
        let mut changed = 0;
        for name in names() {
            let dxil = file(&name);
            let program = dxil.program.as_ref().expect("a program");
            let other = without_library_model(&dxil, program).expect("reads");
            assert_eq!(other.is_some(), dxil.is_library(), "{name}");
            changed += usize::from(other.is_some_and(|other| other.len() == dxil.file().len()));
        }
        assert!(changed > 5, "{changed}");
    }
}
