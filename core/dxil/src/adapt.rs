//! Changes bitcode in place, by a few bits, so that a converter takes what it would take for something else.

use super::bitstream::{Entry, Stream};
use super::error::Fault;
use super::module::{MetadataId, Module, Node, Type, TypeId, Value, ValueKind};
use super::names::MODEL_KIND;
use super::substitute::{chunks, read, write};
use super::{Dxil, Program};

/// Blocks of LLVM's bitcode.
const MODULE_BLOCK: u32 = 8;
const CONSTANTS_BLOCK: u32 = 11;
const FUNCTION_BLOCK: u32 = 12;
const METADATA_BLOCK: u32 = 15;
/// A record of a block of constants that sets the type of those after it.
const SET_TYPE: u64 = 1;
/// A record of a block of metadata: a tuple of metadata.
const TUPLE: u64 = 3;
/// The metadata of the shader model.
const MODEL: &str = "dx.shaderModel";
const TYPES_BLOCK: u32 = 17;
/// A record of a block of types: a function. Whether it is variadic, its result, its parameters.
const FUNCTION: u64 = 21;
const PARAMETERS: usize = 2;
/// Width of the chunks of a number in a record without an abbreviation.
const CHUNK: u32 = 6;

/// The file with its `i8` constants and parameters as `i32` ones, of the same length; `None` where it has none, or where a
/// record does not have room for the other type. DXIL has them as operands of ops alone: columns, vertices, masks.
///
/// # Errors
/// Bitcode that cannot be read, though it could before.
pub fn widened_bytes(dxil: &Dxil, program: &Program) -> Result<Option<Vec<u8>>, Fault> {
    let module = &program.module;
    let of_bits = |bits: u32| module.types.all().iter().position(|ty| *ty == Type::Integer(bits));
    let (Some(byte), Some(word)) = (of_bits(8), of_bits(32)) else { return Ok(None) };
    let (byte, word) = (byte as u64, word as u64);
    let constants = records(dxil, program, CONSTANTS_BLOCK, &|code, operands| code == SET_TYPE && *operands == [byte])?;
    let has_byte = |operands: &[u64]| operands.get(PARAMETERS..).is_some_and(|types| types.contains(&byte));
    let functions = records(dxil, program, TYPES_BLOCK, &|code, operands| code == FUNCTION && has_byte(operands))?;
    if constants.is_empty() {
        return Ok(None);
    }
    let types = module.types.all().len() as u64;
    let width = (types + 1).next_power_of_two().trailing_zeros();
    let mut file = dxil.file().to_vec();
    let replaced = replace(&mut file, &constants, 0, (byte, word), width)
        .and_then(|()| replace(&mut file, &functions, PARAMETERS, (byte, word), width));
    if replaced.is_none() {
        return Ok(None);
    }
    let after = Dxil::read(file.clone())?;
    let same = after.program.as_ref().is_some_and(|after| is_widened(module, &after.module));
    Ok(same.then_some(file))
}

/// The file with a shader model that is no library's, of the same length: `dx.shaderModel` names another string of the
/// metadata, one that is no kind of shader. The string `lib` stays: it may be the name of an entry point or a resource too.
/// The kinds of the entry points are those that their own metadata says. `None` where it is no library, or where no such
/// string has a number of the same width.
///
/// # Errors
/// Bitcode that cannot be read, though it could before.
pub fn without_library_model(dxil: &Dxil, program: &Program) -> Result<Option<Vec<u8>>, Fault> {
    let metadata = &program.module.metadata;
    let Some(model) = metadata.of_name(MODEL).and_then(|nodes| nodes.first()).copied() else { return Ok(None) };
    let named = metadata.operands(model).and_then(|mut operands| operands.next().flatten());
    if named.and_then(|name| metadata.bytes(name)) != Some(b"lib".as_slice()) {
        return Ok(None);
    }
    let operands: Vec<u64> = metadata.raw_operands(model).unwrap_or_default().iter().copied().map(u64::from).collect();
    let Some(kind) = operands.first().copied() else { return Ok(None) };
    let bits = |number: u64| chunks(number, CHUNK, 1).1 * CHUNK;
    let is_no_kind = |text: &[u8]| MODEL_KIND.iter().all(|(name, _)| name.as_bytes() != text);
    let mut others = metadata.nodes().filter(|(id, _)| metadata.bytes(*id).is_some_and(is_no_kind));
    let other = others.find_map(|(id, _)| Some(u64::from(id.0) + 1).filter(|other| bits(*other) == bits(kind)));
    let tuples = records(dxil, program, METADATA_BLOCK, &|code, found| code == TUPLE && *found == operands)?;
    let (Some(other), [(end, _)]) = (other, tuples.as_slice()) else { return Ok(None) };
    let mut file = dxil.file().to_vec();
    let Some((start, bits)) = chunked(&file, *end, &operands).and_then(|places| places.first().copied()) else {
        return Ok(None);
    };
    write(&mut file, start, bits, chunks(other, CHUNK, 1).0);
    let after = Dxil::read(file.clone())?;
    let same = |after: &Module| {
        let changed = &after.metadata;
        let same_piece = |(id, piece): (MetadataId, &Node)| {
            let same_operands = metadata.raw_operands(id) == changed.raw_operands(id) || id == model;
            let kind = changed.node(id).map(|other| other.kind);
            kind == Some(piece.kind) && same_operands && metadata.bytes(id) == changed.bytes(id)
        };
        let own = changed.raw_operands(model).and_then(|operands| operands.first());
        own.is_some_and(|own| u64::from(*own) == other)
            && metadata.nodes().all(same_piece)
            && changed.len() == metadata.len()
            && after.functions == program.module.functions
    };
    Ok(after.program.as_ref().is_some_and(|after| same(&after.module)).then_some(file))
}

/// A record: the bit of the file after it, and its operands.
type Found = (u64, Vec<u64>);

/// The records of a kind of block that are wanted, by their code and their operands.
fn records(
    dxil: &Dxil,
    program: &Program,
    block: u32,
    is_wanted: &dyn Fn(u64, &[u64]) -> bool,
) -> Result<Vec<Found>, Fault> {
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
                    out.push((stream.behind(), operands.to_vec()));
                }
                stream.recycle(operands);
            }
            Entry::Record(_) => {}
        }
    }
    Ok(out)
}

/// Replaces a number in the operands of records from one on; `None` where one has no room for it.
fn replace(file: &mut [u8], records: &[Found], from: usize, numbers: (u64, u64), width: u32) -> Option<()> {
    for (end, operands) in records {
        let operands = operands.get(from..)?;
        let places = fixed(file, *end, operands, width).or_else(|| chunked(file, *end, operands))?;
        for (start, bits) in operands.iter().zip(places).filter(|(number, _)| **number == numbers.0).map(|(_, at)| at) {
            let value = match bits == width {
                true => numbers.1,
                false => {
                    let (value, needed) = chunks(numbers.1, CHUNK, bits / CHUNK);
                    (needed * CHUNK == bits).then_some(value)?
                }
            };
            write(file, start, bits, value);
        }
    }
    Some(())
}

/// Where the last numbers of a record stand, as compilers abbreviate them: start and width of each.
fn fixed(file: &[u8], end: u64, numbers: &[u64], width: u32) -> Option<Vec<(u64, u32)>> {
    let start = end.checked_sub(u64::from(width) * numbers.len() as u64)?;
    let places = (0..).map(|at: u64| start + at * u64::from(width)).zip(numbers);
    places.map(|(at, number)| (read(file, at, width) == Some(*number)).then_some((at, width))).collect()
}

/// The same for numbers in chunks.
fn chunked(file: &[u8], end: u64, numbers: &[u64]) -> Option<Vec<(u64, u32)>> {
    let mut end = end;
    let mut places = Vec::new();
    for number in numbers.iter().rev() {
        let (value, count) = chunks(*number, CHUNK, 1);
        let bits = count * CHUNK;
        end = end.checked_sub(u64::from(bits))?;
        (read(file, end, bits) == Some(value)).then_some(())?;
        places.push((end, bits));
    }
    places.reverse();
    Some(places)
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
                let is_constant = matches!(a.kind, ValueKind::Constant(_));
                let same = if is_constant { widened(a.ty) == after.types.get(b.ty) } else { a.ty == b.ty };
                a.kind == b.kind && same
            })
    };
    let same_type = |(a, b): (&Type, &Type)| match (a, b) {
        (
            Type::Function { vararg, result, parameters },
            Type::Function { vararg: other, result: returned, parameters: given },
        ) => {
            (vararg, result) == (other, returned)
                && parameters.len() == given.len()
                && parameters.iter().zip(given).all(|(a, b)| widened(*a) == after.types.get(*b))
        }
        (a, b) => a == b,
    };
    before.types.all().len() == after.types.all().len()
        && before.types.all().iter().zip(after.types.all()).all(same_type)
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
            let Some(other) = other else { continue };
            assert_eq!(other.len(), dxil.file().len(), "{name}");
            let after = Dxil::read(other).expect("a container");
            let module = &after.program.as_ref().expect("a program").module;
            let texts = |module: &Module| {
                module.metadata.nodes().filter_map(|(id, _)| module.metadata.text(id)).collect::<Vec<_>>()
            };
            assert_eq!(texts(module), texts(&program.module), "{name}");
            assert!(texts(module).contains(&"lib".to_owned()), "{name}");
            changed += 1;
        }
        assert!(changed > 5, "{changed}");
    }
}
