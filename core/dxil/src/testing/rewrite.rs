//! Samples with other bitcode: records are changed, the rest of the file is rebuilt around them.

use super::{bytes, container};
use crate::bitstream::writer::Writer;
use crate::bitstream::{Entry, Stream};
use crate::container::DigestState;
use crate::findings;
use crate::module::{Kind, Module};

/// Ids of blocks.
pub const CONSTANTS: u32 = 11;
pub const FUNCTION: u32 = 12;
pub const SYMBOLS: u32 = 14;
pub const TYPES: u32 = 17;
/// The code of a call's record.
pub const CALL: u64 = 34;

/// A record: its code, its operands.
pub type Record = (u64, Vec<u64>);

/// A block of bitcode.
#[derive(Debug, Default)]
pub struct Block {
    pub id: u32,
    pub items: Vec<Item>,
}

/// Contents of a block.
#[derive(Debug)]
pub enum Item {
    Block(Block),
    Record(Record),
}

impl Block {
    /// The module that bitcode holds. Abbreviations are resolved.
    pub fn read(bitcode: &[u8]) -> Block {
        let mut stream = Stream::new(bitcode, 0).expect("is bitcode");
        let mut open = vec![Block::default()];
        while !(open.len() == 1 && stream.at_end()) {
            match stream.next().expect("reads") {
                Entry::Block(id) => {
                    stream.enter(id).expect("reads");
                    open.push(Block { id, items: Vec::new() });
                }
                Entry::End => {
                    let done = open.pop().expect("was opened");
                    open.last_mut().expect("has a parent").items.push(Item::Block(done));
                }
                Entry::Record(code) => {
                    let record = (code, stream.take_operands().to_vec());
                    open.last_mut().expect("is open").items.push(Item::Record(record));
                }
            }
        }
        match open.remove(0).items.pop() {
            Some(Item::Block(module)) => module,
            _ => unreachable!("bitcode holds a module"),
        }
    }

    /// Bitcode of this module.
    pub fn bitcode(&self) -> Vec<u8> {
        let mut writer = Writer::bitcode();
        writer.block(2, u64::from(self.id), 4, |w| self.write(w).fixed(0, 4));
        writer.bytes()
    }

    fn write<'w>(&self, mut writer: &'w mut Writer) -> &'w mut Writer {
        for item in &self.items {
            writer = match item {
                Item::Block(block) => writer.inner(u64::from(block.id), |w| block.write(w)),
                Item::Record((code, operands)) => writer.record(*code, operands),
            };
        }
        writer
    }

    /// The blocks of an id, at any depth.
    pub fn blocks(&mut self, id: u32) -> Vec<&mut Block> {
        let mut out = Vec::new();
        for item in &mut self.items {
            if let Item::Block(block) = item {
                if block.id == id {
                    out.push(block);
                } else {
                    out.extend(block.blocks(id));
                }
            }
        }
        out
    }

    /// The records that lie directly in it.
    pub fn records(&mut self) -> impl Iterator<Item = &mut Record> {
        self.items.iter_mut().filter_map(|item| match item {
            Item::Record(record) => Some(record),
            Item::Block(_) => None,
        })
    }

    /// The records of the calls of functions whose name starts so.
    pub fn calls(&mut self, module: &Module, name: &str) -> Vec<&mut Record> {
        let is_call = |kind: &Kind| match kind {
            Kind::Call(call) => Some(module.name(call.callee).starts_with(name)),
            _ => None,
        };
        let wanted: Vec<bool> = module
            .defined()
            .flat_map(|(_, body)| body.instructions.iter().filter_map(|instruction| is_call(&instruction.kind)))
            .collect();
        let bodies = self.blocks(FUNCTION).into_iter();
        let calls = bodies.flat_map(|body| {
            body.items.iter_mut().filter_map(|item| match item {
                Item::Record(record) if record.0 == CALL => Some(record),
                _ => None,
            })
        });
        calls.zip(wanted).filter(|(_, wanted)| *wanted).map(|(record, _)| record).collect()
    }
}

/// The first operand of a call's record that is an argument: after attributes, flags, type and callee.
pub const FIRST_ARGUMENT: usize = 4;

/// An integer as a constant's record has it.
pub fn rotated(value: i64) -> u64 {
    if value < 0 { value.unsigned_abs() << 1 | 1 } else { (value as u64) << 1 }
}

/// A sample whose program was changed. What was signed is signed again; other digests stay.
pub fn rewritten(name: &str, change: impl FnOnce(&mut Block, &Module)) -> Vec<u8> {
    let file = bytes(name);
    let module = super::sample(name);
    let read = container::read(&file, &mut Vec::new()).expect("is a container");
    let mut parts: Vec<([u8; 4], Vec<u8>)> = Vec::new();
    for part in &read.parts {
        let data = read.data(&file, part, findings::BITCODE_RANGE).all().to_vec();
        parts.push((part.name.0, data));
    }
    let (_, program) = parts.iter_mut().find(|(name, _)| name == b"DXIL").expect("has a program");
    let mut block = Block::read(&program[24..]);
    change(&mut block, &module);
    let bitcode = block.bitcode();
    program.truncate(24);
    let size = bitcode.len() as u32;
    program[4..8].copy_from_slice(&(6 + size / 4).to_le_bytes());
    program[20..24].copy_from_slice(&size.to_le_bytes());
    program.extend(bitcode);
    let mut out = made(&parts);
    match read.digest.state {
        DigestState::Valid => sign(&mut out),
        _ => out[4..20].copy_from_slice(&read.digest.stored),
    }
    out
}

/// A container of parts, with no digest.
pub fn made(parts: &[([u8; 4], Vec<u8>)]) -> Vec<u8> {
    let mut file = b"DXBC".to_vec();
    file.extend([0; 16]);
    let words = |file: &mut Vec<u8>, words: &[u32]| file.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    let first = 32 + 4 * parts.len();
    let starts = parts.iter().scan(first, |at, (_, data)| {
        let start = *at as u32;
        *at += 8 + data.len();
        Some(start)
    });
    let starts: Vec<u32> = starts.collect();
    let size = first + parts.iter().map(|(_, data)| 8 + data.len()).sum::<usize>();
    words(&mut file, &[1, size as u32, parts.len() as u32]);
    words(&mut file, &starts);
    for (name, data) in parts {
        file.extend(name);
        words(&mut file, &[data.len() as u32]);
        file.extend(data);
    }
    file
}

/// Writes the digest of the contents.
pub fn sign(file: &mut [u8]) {
    let computed = container::read(file, &mut Vec::new()).expect("is a container").digest.computed;
    file[4..20].copy_from_slice(&computed);
}

/// A sample with every constant of one value, which is an op's number, changed into another.
pub fn renumbered(name: &str, old: u32, new: i64) -> Vec<u8> {
    rewritten(name, |block, _| {
        let old = rotated(i64::from(old.cast_signed()));
        let mut changed = 0;
        for constants in block.blocks(CONSTANTS) {
            for (code, operands) in constants.records() {
                if *code == 4 && *operands == [old] {
                    (*code, *operands) = if new == 0 { (2, Vec::new()) } else { (4, vec![rotated(new)]) };
                    changed += 1;
                }
            }
        }
        assert!(changed > 0, "{name} has no such constant");
    })
}

/// Undoes nothing: the sample's program, rewritten.
pub fn unchanged(name: &str) -> Vec<u8> {
    rewritten(name, |_, _| {})
}
