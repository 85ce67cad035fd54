//! LLVM's bitstream: blocks, abbreviations and records, bounded by the bytes that are present.
//!
//! Nothing is reserved by a count that the stream claims, no length is trusted before the bits that it needs are
//! there, and what grows out of the stream is charged to a [`Budget`].

mod abbreviation;
mod bits;
pub(crate) mod writer;

use std::ops::Deref;

use abbreviation::{Abbreviation, Encoding};
use bits::Bits;
pub use bits::Budget;

use super::error::Fault;
use crate::findings;

/// Maximum nesting of blocks.
const MAX_DEPTH: usize = 16;
/// The most operands of records with abbreviations, for each bit of the stream: those that are not literals take one at
/// least.
const OPERANDS_PER_BIT: usize = 4;
/// The width of abbreviation ids outside every block.
const TOP_WIDTH: u32 = 2;
/// The block that contains other blocks' abbreviations.
const BLOCK_INFO: u32 = 0;

pub(crate) const END_BLOCK: u64 = 0;
const ENTER_SUBBLOCK: u64 = 1;
const DEFINE_ABBREV: u64 = 2;
const UNABBREV_RECORD: u64 = 3;

/// The next entry of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Entry {
    /// A block starts.
    Block(u32),
    /// The block ends.
    End,
    /// A record of this code; [`Stream::take_operands`] has its operands.
    Record(u64),
}

#[derive(Debug)]
struct Scope {
    block: u32,
    /// Start of the block, for messages.
    start: u64,
    /// Width of abbreviation ids.
    width: u32,
    /// End of the block by its length.
    end: usize,
    /// Index of its first usable abbreviation, which has id 4.
    abbreviations: usize,
}

/// The operands of a record. Their memory serves the next one.
#[derive(Debug, Default)]
pub(crate) struct Numbers {
    all: Vec<u64>,
    count: usize,
}

impl Deref for Numbers {
    type Target = [u64];

    #[inline]
    fn deref(&self) -> &[u64] {
        self.all.get(..self.count).unwrap_or_default()
    }
}

impl Numbers {
    /// Space for this many more, with arbitrary contents.
    #[inline]
    fn more(&mut self, count: usize) -> &mut [u64] {
        let start = self.count;
        self.count += count;
        if self.all.len() < self.count {
            self.all.resize(self.count.max(64), 0);
        }
        self.all.get_mut(start..self.count).unwrap_or_default()
    }
}

/// A bitstream that is being read.
#[derive(Debug)]
pub(crate) struct Stream<'a> {
    bits: Bits<'a>,
    /// Rest of the memory that the stream may fill.
    pub budget: Budget,
    scopes: Vec<Scope>,
    /// Width of abbreviation ids where the cursor is.
    width: u32,
    abbreviations: Vec<Abbreviation>,
    /// The operands of all of them.
    encodings: Vec<Encoding>,
    /// Abbreviations that can be used, as indices, block in block.
    usable: Vec<u32>,
    /// Start of the abbreviations of the current block.
    first_usable: usize,
    /// Abbreviations that BLOCKINFO gives to blocks: block, abbreviation.
    info: Vec<(u32, u32)>,
    operands: Numbers,
    /// Number of operands that records with abbreviations may still have: literals take no bits.
    operands_left: usize,
    /// Start of the current record.
    record: usize,
}

impl<'a> Stream<'a> {
    /// Starts after the magic of `data`, whose first byte lies at `base` in the file.
    pub fn new(data: &'a [u8], base: u64) -> Result<Self, Fault> {
        let mut bits = Bits::new(data, base);
        bits.skip_magic()?;
        Ok(Stream {
            operands_left: bits.end().saturating_mul(OPERANDS_PER_BIT),
            bits,
            budget: Budget::of_input(data.len()),
            scopes: Vec::with_capacity(4),
            width: TOP_WIDTH,
            abbreviations: Vec::with_capacity(32),
            encodings: Vec::with_capacity(64),
            usable: Vec::with_capacity(32),
            first_usable: 0,
            info: Vec::with_capacity(16),
            operands: Numbers::default(),
            record: 0,
        })
    }

    /// Takes the operands of the last record out, to be given back with [`Stream::recycle`].
    #[inline]
    pub fn take_operands(&mut self) -> Numbers {
        std::mem::take(&mut self.operands)
    }

    /// Gives them back, so that their memory serves the next record.
    #[inline]
    pub fn recycle(&mut self, operands: Numbers) {
        self.operands = operands;
    }

    /// Start of the last record, or of the block being entered: a bit of the file.
    #[inline]
    pub fn place(&self) -> u64 {
        self.bits.place(self.record)
    }

    /// The bit of the file after the last record.
    pub fn behind(&self) -> u64 {
        self.bits.place(self.bits.position())
    }

    /// A fault at the last record.
    pub fn fault(&self, rule: &'static findings::Rule, message: impl Into<String>) -> Fault {
        Fault::at_bit(rule, self.place(), message)
    }

    /// Charges the budget for what a record turns into.
    #[inline]
    pub fn charge(&mut self, bytes: usize) -> Result<(), Fault> {
        if self.budget.take(bytes) {
            return Ok(());
        }
        let message = format!("the contents need more than {} bytes of memory", self.budget.limit());
        Err(self.fault(findings::RECORD_BUDGET, message))
    }

    /// The result of a read, or why it failed.
    #[inline]
    fn got<T>(&mut self, value: Option<T>) -> Result<T, Fault> {
        value.ok_or_else(|| self.bits.take_fault())
    }

    /// Bits of the block after the last record.
    pub fn block_bits(&self) -> usize {
        self.scopes.last().map_or(0, |scope| scope.end.saturating_sub(self.bits.position()))
    }

    /// Bits after the last record.
    pub fn bits_left(&self) -> usize {
        self.bits.left()
    }

    /// Whether everything was read, at top level.
    pub fn at_end(&self) -> bool {
        self.scopes.is_empty() && self.bits.left() < 32
    }

    /// The next entry. After [`Entry::Block`] either [`Stream::enter`] or [`Stream::skip`] follows.
    pub fn next(&mut self) -> Result<Entry, Fault> {
        loop {
            self.record = self.bits.position();
            let id = self.bits.fixed(self.width);
            match self.got(id)? {
                END_BLOCK => return self.leave().map(|()| Entry::End),
                ENTER_SUBBLOCK => {
                    let id = self.bits.vbr(8);
                    let id = self.got(id)?;
                    if self.scopes.last().is_some_and(|scope| scope.block == BLOCK_INFO) {
                        return Err(self.fault(findings::BLOCK_NESTING, format!("block {id} inside BLOCKINFO")));
                    }
                    let Ok(id) = u32::try_from(id) else {
                        return Err(self.fault(findings::NEWER_LLVM, format!("unknown block id {id}")));
                    };
                    if id != BLOCK_INFO {
                        return Ok(Entry::Block(id));
                    }
                    self.enter(id)?;
                    self.block_info()?;
                }
                DEFINE_ABBREV => {
                    let index = self.define()?;
                    if self.scopes.is_empty() {
                        let message = "abbreviation outside any block";
                        return Err(self.fault(findings::BAD_ABBREVIATION, message));
                    }
                    self.usable.push(index);
                }
                UNABBREV_RECORD => return self.unabbreviated().map(Entry::Record),
                id => return self.abbreviated(id).map(Entry::Record),
            }
        }
    }

    /// Enters the block that was just announced.
    pub fn enter(&mut self, block: u32) -> Result<(), Fault> {
        if self.scopes.len() >= MAX_DEPTH {
            return Err(self.fault(findings::BLOCK_NESTING, format!("blocks nest deeper than {MAX_DEPTH}")));
        }
        let (width, end) = self.block_header(block)?;
        self.charge(size_of::<Scope>() + 8 * self.info.len())?;
        let abbreviations = self.usable.len();
        self.usable.extend(self.info.iter().filter(|(of, _)| *of == block).map(|(_, abbreviation)| *abbreviation));
        self.scopes.push(Scope { block, start: self.bits.place(self.record), width, end, abbreviations });
        (self.width, self.first_usable) = (width, abbreviations);
        Ok(())
    }

    /// Skips the block that was just announced.
    pub fn skip(&mut self, block: u32) -> Result<(), Fault> {
        let (_, end) = self.block_header(block)?;
        let done = self.bits.seek(end);
        self.got(done)
    }

    fn block_header(&mut self, block: u32) -> Result<(u32, usize), Fault> {
        let width = self.bits.vbr(4);
        let width = self.got(width)?;
        if !(1..=32).contains(&width) {
            return Err(self
                .fault(findings::ABBREVIATION_WIDTH, format!("block {block}: width of abbreviation ids is {width}")));
        }
        let words = self.bits.align().and_then(|()| self.bits.fixed(32));
        let words = self.got(words)?;
        let end = self.bits.position() as u64 + words * 32;
        let limit = self.scopes.last().map_or(self.bits.end(), |scope| scope.end);
        if end > limit as u64 {
            let message = format!(
                "block {block}: length is {words} words, but {} bits remain",
                limit.saturating_sub(self.bits.position())
            );
            return Err(self.fault(findings::BLOCK_LENGTH, message));
        }
        Ok((width as u32, end as usize))
    }

    fn leave(&mut self) -> Result<(), Fault> {
        let Some(scope) = self.scopes.pop() else {
            return Err(self.fault(findings::BLOCK_LENGTH, "END_BLOCK outside any block"));
        };
        self.usable.truncate(scope.abbreviations);
        let outer = self.scopes.last().map(|scope| (scope.width, scope.abbreviations));
        (self.width, self.first_usable) = outer.unwrap_or((TOP_WIDTH, 0));
        let done = self.bits.align();
        self.got(done)?;
        if self.bits.position() != scope.end {
            let message = format!(
                "block {} at bit {}: expected to end at bit {} by its length, ends at bit {}",
                scope.block,
                scope.start,
                self.bits.place(scope.end),
                self.bits.place(self.bits.position())
            );
            return Err(self.fault(findings::BLOCK_LENGTH, message));
        }
        Ok(())
    }

    fn block_info(&mut self) -> Result<(), Fault> {
        let mut current = None;
        loop {
            self.record = self.bits.position();
            let id = self.bits.fixed(self.width);
            match self.got(id)? {
                END_BLOCK => return self.leave(),
                ENTER_SUBBLOCK => {
                    return Err(self.fault(findings::BLOCK_NESTING, "block inside BLOCKINFO"));
                }
                DEFINE_ABBREV => {
                    let Some(block) = current else {
                        let message = "BLOCKINFO defines an abbreviation before it sets a block id";
                        return Err(self.fault(findings::BLOCK_NESTING, message));
                    };
                    let index = self.define()?;
                    self.charge(8)?;
                    self.info.push((block, index));
                }
                UNABBREV_RECORD => {
                    // Names of blocks and records are of no use here.
                    if self.unabbreviated()? == 1 {
                        current = self.operands.first().and_then(|id| u32::try_from(*id).ok());
                    }
                }
                id => return Err(self.undefined(id)),
            }
        }
    }

    fn undefined(&self, id: u64) -> Fault {
        let block = self.scopes.last().map_or("the top level".to_owned(), |scope| format!("block {}", scope.block));
        self.fault(findings::UNDEFINED_ABBREVIATION, format!("{block} uses undefined abbreviation {id}"))
    }

    fn define(&mut self) -> Result<u32, Fault> {
        let block = self.scopes.last().map_or(0, |scope| scope.block);
        let read = Abbreviation::read(&mut self.bits, &mut self.encodings);
        let abbreviation = self.got(read)?.map_err(|why| {
            self.fault(findings::BAD_ABBREVIATION, format!("bad abbreviation in block {block}: {why}"))
        })?;
        self.charge(abbreviation.bytes())?;
        let index = self.abbreviations.len() as u32;
        self.abbreviations.push(abbreviation);
        Ok(index)
    }

    fn unabbreviated(&mut self) -> Result<u64, Fault> {
        let code = unabbreviated(&mut self.bits, &mut self.operands);
        self.got(code)
    }

    fn abbreviated(&mut self, id: u64) -> Result<u64, Fault> {
        let at = usize::try_from(id - 4).ok().and_then(|at| at.checked_add(self.first_usable));
        let index = at.and_then(|at| self.usable.get(at)).copied();
        let Some(abbreviation) = index.and_then(|index| self.abbreviations.get(index as usize)) else {
            return Err(self.undefined(id));
        };
        let encodings = abbreviation.encodings(&self.encodings);
        let code = abbreviated(&mut self.bits, abbreviation, encodings, &mut self.operands);
        let code = self.got(code)?;
        match self.operands_left.checked_sub(self.operands.count) {
            Some(left) => self.operands_left = left,
            None => {
                let message = format!("records have more than {OPERANDS_PER_BIT} operands for each bit of the bitcode");
                return Err(self.fault(findings::RECORD_BUDGET, message));
            }
        }
        Ok(code)
    }
}

/// Reads a record without an abbreviation: its code, and its operands into `operands`.
fn unabbreviated(bits: &mut Bits<'_>, operands: &mut Numbers) -> Option<u64> {
    let code = bits.vbr(6)?;
    let count = bits.vbr(6)?;
    // Each operand takes at least six bits.
    bits.check_count(count, 6)?;
    operands.count = 0;
    bits.all_vbr(6, operands.more(count as usize))?;
    Some(code)
}

/// Reads a record as an abbreviation says: its code, and its operands into `operands`.
fn abbreviated(
    bits: &mut Bits<'_>,
    abbreviation: &Abbreviation,
    encodings: &[Encoding],
    operands: &mut Numbers,
) -> Option<u64> {
    operands.count = 0;
    let (code, scalars) = encodings.split_first()?;
    let code = match code {
        Encoding::Literal(code) => *code,
        code => code.read(bits)?,
    };
    bits.all_encoded(scalars, operands.more(scalars.len()))?;
    if let Some(element) = abbreviation.array {
        let count = bits.vbr(6)?;
        // A literal element takes no bits; it is counted as one all the same.
        bits.check_count(count, element.bits().max(1))?;
        element.read_all(bits, operands.more(count as usize))?;
    }
    if abbreviation.blob {
        let bytes = bits.blob()?;
        for (place, byte) in operands.more(bytes.len()).iter_mut().zip(bytes) {
            *place = u64::from(*byte);
        }
    }
    Some(code)
}

#[cfg(test)]
mod tests;
