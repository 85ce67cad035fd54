//! A cursor over bits, and the memory that what it reads may fill.

use crate::dxil::error::Fault;
use crate::findings;

/// Operands of one record, held in 8 bytes each, that may take as little as one bit in the stream.
const SMALL_OPERANDS: u64 = 1 << 20;
/// The fewest bits of an operand beyond them: what a character of a text takes.
const LARGE_OPERAND_BITS: u64 = 6;

/// Memory that may grow out of an input, so that a short file cannot fill the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    left: usize,
    limit: usize,
}

impl Budget {
    /// Forty times the input, and four MiB for what every module has.
    pub(crate) fn of_input(bytes: usize) -> Budget {
        let limit = bytes.saturating_mul(40).saturating_add(4 << 20);
        Budget { left: limit, limit }
    }

    /// Whether that much was left; takes it.
    pub(crate) fn take(&mut self, bytes: usize) -> bool {
        match self.left.checked_sub(bytes) {
            Some(left) => {
                self.left = left;
                true
            }
            None => false,
        }
    }

    pub(crate) fn limit(&self) -> usize {
        self.limit
    }
}

/// The cursor. Positions are bits from the start of the data.
#[derive(Debug, Clone)]
pub(crate) struct Bits<'a> {
    data: &'a [u8],
    position: usize,
    end: usize,
    /// Offset of the data in the file, in bytes.
    base: u64,
    /// Why the last read gave nothing. Beside the value, so that reading one stays cheap.
    fault: Option<Box<Fault>>,
}

impl<'a> Bits<'a> {
    pub fn new(data: &'a [u8], base: u64) -> Self {
        // The container holds at most 2 GiB: eight times that is far below the top of `usize`.
        Bits { data, position: 0, end: data.len().saturating_mul(8), base, fault: None }
    }

    pub fn position(&self) -> usize {
        self.position
    }

    pub fn end(&self) -> usize {
        self.end
    }

    pub fn left(&self) -> usize {
        self.end - self.position
    }

    /// The bit of the file at a position.
    pub fn place(&self, position: usize) -> u64 {
        self.base.saturating_mul(8).saturating_add(position as u64)
    }

    /// Reads the four bytes that every bitcode starts with, and says what is there instead.
    pub fn skip_magic(&mut self) -> Result<(), Fault> {
        let head = self.data.get(..4).unwrap_or(self.data);
        let fault = |rule, message: String| Err(Fault::at_byte(rule, self.base, message));
        match head {
            [b'B', b'C', 0xc0, 0xde] if self.data.len().is_multiple_of(4) => {
                self.position = 32;
                Ok(())
            }
            [b'B', b'C', 0xc0, 0xde] => {
                let message = format!("bitcode size {}: a multiple of 4 expected", self.data.len());
                fault(findings::BITCODE_MAGIC, message)
            }
            [0xde, 0xc0, 0x17, 0x0b] => {
                fault(findings::WRAPPED_BITCODE, "wrapped bitcode is not allowed in DXIL".to_owned())
            }
            _ => fault(findings::BITCODE_MAGIC, format!("not LLVM bitcode: 42 43 c0 de expected, found {head:02x?}")),
        }
    }

    /// Why the last read gave nothing.
    pub fn take_fault(&mut self) -> Fault {
        match self.fault.take() {
            Some(fault) => *fault,
            None => Fault::at_bit(findings::BITCODE_END, self.place(self.position), "nothing was read"),
        }
    }

    #[cold]
    fn fail<T>(&mut self, fault: Fault) -> Option<T> {
        self.fault = Some(Box::new(fault));
        None
    }

    #[cold]
    fn ended<T>(&mut self) -> Option<T> {
        let place = self.place(self.position);
        self.fail(Fault::at_bit(findings::BITCODE_END, place, "unexpected end of bitcode"))
    }

    /// The bits from the position on, at least 57 of them; zeros stand for those past the end.
    #[inline(always)]
    fn ahead(&self) -> u64 {
        let byte = self.position / 8;
        let word = match self.data.get(byte..).and_then(|rest| rest.first_chunk::<8>()) {
            Some(chunk) => u64::from_le_bytes(*chunk),
            None => self.tail(byte),
        };
        word >> (self.position % 8)
    }

    /// The last bytes of the data as a word.
    #[cold]
    fn tail(&self, byte: usize) -> u64 {
        let mut word = [0; 8];
        for (to, from) in word.iter_mut().zip(self.data.get(byte..).unwrap_or_default()) {
            *to = *from;
        }
        u64::from_le_bytes(word)
    }

    /// An unsigned number of `width` bits, at most 64.
    #[inline(always)]
    pub fn fixed(&mut self, width: u32) -> Option<u64> {
        if width as usize > self.end - self.position {
            return self.ended();
        }
        let mut value = self.ahead();
        let shift = (self.position % 8) as u32;
        if shift + width > 64 {
            let next = self.data.get(self.position / 8 + 8).copied().unwrap_or(0);
            value |= u64::from(next) << (64 - shift);
        }
        self.position += width as usize;
        Some(value & u64::MAX.unbounded_shr(64 - width.min(64)))
    }

    /// A number in chunks of `width` bits, 2 to 64.
    #[inline(always)]
    pub fn vbr(&mut self, width: u32) -> Option<u64> {
        // Most numbers have one chunk or two, which lie in one word.
        if width <= 28 {
            let (word, more) = (self.ahead(), 1u64 << (width - 1));
            let (first, second) = (word & (2 * more - 1), word >> width & (2 * more - 1));
            let (value, bits) = if first & more == 0 {
                (first, width as usize)
            } else {
                (first & (more - 1) | second << (width - 1), 2 * width as usize)
            };
            if (first & more == 0 || second & more == 0) && bits <= self.end - self.position {
                self.position += bits;
                return Some(value);
            }
        }
        self.long_vbr(width)
    }

    #[inline(never)]
    fn long_vbr(&mut self, width: u32) -> Option<u64> {
        let start = self.position;
        let more = 1u64 << (width - 1);
        let (mut value, mut shift) = (0, 0);
        loop {
            let chunk = self.fixed(width)?;
            let low = chunk & (more - 1);
            let long = shift >= 64 || (shift > 0 && low >> (64 - shift) != 0);
            if long && low != 0 {
                return self.over_long(start);
            }
            if shift < 64 {
                value |= low << shift;
            }
            if chunk & more == 0 {
                return Some(value);
            }
            shift += width - 1;
            if shift > 128 {
                return self.over_long(start);
            }
        }
    }

    /// As many numbers of `width` bits, at most 8, as there are places, each passed through `with`.
    #[inline]
    pub fn small(&mut self, width: u32, places: &mut [u64], with: impl Fn(u64) -> u64) -> Option<()> {
        let width = width.clamp(1, 8) as usize;
        let there = (self.end - self.position) / width;
        let ended = there < places.len();
        let mask = (1u64 << width) - 1;
        for places in places.chunks_mut(57 / width) {
            let mut word = self.ahead();
            for place in places.iter_mut() {
                *place = with(word & mask);
                word >>= width;
            }
            self.position = (self.position + width * places.len()).min(self.end);
        }
        if ended { self.ended() } else { Some(()) }
    }

    #[cold]
    fn over_long<T>(&mut self, start: usize) -> Option<T> {
        let place = self.place(start);
        self.fail(Fault::at_bit(findings::LONG_INTEGER, place, format!("over-long integer at bit {place}")))
    }

    /// Moves to the next multiple of 32 bits.
    pub fn align(&mut self) -> Option<()> {
        let aligned = self.position.next_multiple_of(32);
        if aligned > self.end {
            return self.ended();
        }
        self.position = aligned;
        Some(())
    }

    /// Moves to a position, forwards.
    pub fn seek(&mut self, position: usize) -> Option<()> {
        if position > self.end || position < self.position {
            return self.ended();
        }
        self.position = position;
        Some(())
    }

    /// Whether `count` operands of at least `bits` bits each can follow.
    pub fn check_count(&mut self, count: u64, bits: u32) -> Option<()> {
        let bits = if count > SMALL_OPERANDS { LARGE_OPERAND_BITS.max(u64::from(bits)) } else { u64::from(bits) };
        if count.saturating_mul(bits) <= self.left() as u64 {
            return Some(());
        }
        let message = format!("record claims {count} operands, {} bits remain", self.left());
        let place = self.place(self.position);
        self.fail(Fault::at_bit(findings::RECORD_LENGTH, place, message))
    }

    /// A length, and so many bytes on their own words.
    pub fn blob(&mut self) -> Option<&'a [u8]> {
        let length = self.vbr(6)?;
        self.check_count(length, 8)?;
        self.align()?;
        let start = self.position / 8;
        let Some(bytes) = self.data.get(start..start.saturating_add(length as usize)) else { return self.ended() };
        self.position += bytes.len() * 8;
        self.align()?;
        Some(bytes)
    }
}
