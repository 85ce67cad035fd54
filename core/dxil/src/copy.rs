//! Copies of bitcode with changes: every record is written anew, without abbreviations.

use super::bitstream::writer::Writer;
use super::bitstream::{END_BLOCK, Entry, Stream};
use super::error::Fault;
use super::{Dxil, Program};

/// Blocks of LLVM's bitcode.
pub(crate) const CONSTANTS_BLOCK: u32 = 11;
pub(crate) const FUNCTION_BLOCK: u32 = 12;
pub(crate) const METADATA_BLOCK: u32 = 15;
pub(crate) const ATTACHMENT_BLOCK: u32 = 16;
/// Width of the ids of abbreviations, of which there are none, outside of and in each block.
const WIDTH: u32 = 2;

/// A record that is copied.
pub(crate) struct Record<'r> {
    pub code: u64,
    pub operands: &'r [u64],
}

/// What happens to the records of a copy.
pub(crate) trait Change {
    /// A block starts.
    fn start(&mut self, _block: u32) {}
    /// Writes what a record of a block becomes.
    fn record(&mut self, block: u32, record: &Record<'_>, out: &mut Copied);
    /// Writes what follows the last record of a block; `outer` is the block around it.
    fn end(&mut self, _block: u32, _outer: Option<u32>, _out: &mut Copied) {}
}

/// The copy so far.
pub(crate) struct Copied {
    writer: Writer,
    /// Open blocks: number, and place of its start.
    open: Vec<(u32, usize)>,
}

impl Copied {
    /// Writes a record.
    pub fn record(&mut self, code: u64, operands: &[u64]) {
        self.writer.unabbreviated(WIDTH, code, operands);
    }

    /// Starts a block.
    pub fn open(&mut self, block: u32) {
        let start = self.writer.open(WIDTH, block.into(), WIDTH.into());
        self.open.push((block, start));
    }

    /// Ends the block that was opened last.
    pub fn close(&mut self) {
        if let Some((_, start)) = self.open.pop() {
            self.writer.fixed(END_BLOCK, WIDTH).close(start);
        }
    }

    fn block(&self) -> Option<u32> {
        self.open.last().map(|(block, _)| *block)
    }
}

/// The bitcode of a program, changed; it has no container.
///
/// # Errors
/// Bitcode that cannot be read, though it could before.
pub(crate) fn changed(dxil: &Dxil, program: &Program, change: &mut dyn Change) -> Result<Dxil, Fault> {
    let mut stream = Stream::new(dxil.bitcode(program), program.header.bitcode)?;
    let mut out = Copied { writer: Writer::bitcode(), open: Vec::new() };
    while !(out.open.is_empty() && stream.at_end()) {
        let before = out.writer.bits();
        match stream.next()? {
            Entry::Block(id) => {
                stream.enter(id)?;
                out.open(id);
                change.start(id);
            }
            Entry::End => {
                let Some(block) = out.block() else { break };
                let outer = out.open.len().checked_sub(2).and_then(|at| out.open.get(at)).map(|(block, _)| *block);
                change.end(block, outer, &mut out);
                out.close();
            }
            Entry::Record(code) => {
                let operands = stream.take_operands();
                match out.block() {
                    Some(block) => {
                        let record = Record { code, operands: &operands };
                        change.record(block, &record, &mut out);
                    }
                    None => out.record(code, &operands),
                }
                stream.recycle(operands);
            }
        }
        stream.charge((out.writer.bits() - before).div_ceil(8))?;
    }
    Dxil::read(out.writer.bytes())
}
