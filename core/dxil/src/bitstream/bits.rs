//! A cursor over bits, and a budget for the memory that its results may use.

use super::abbreviation::Encoding;
use crate::error::Fault;
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
    #[inline]
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

/// The bits that come next, taken out of the data up to eight bytes at a time. Every field of every record passes
/// through it, so that its sums are those that cannot overflow without a check: `have` is at most 63.
#[derive(Debug, Clone, Copy)]
struct Window {
    /// The bits, the next one lowest. Those above the ones that count are the data's too, or zero.
    word: u64,
    /// Number of valid bits.
    have: u32,
    /// The byte after them.
    next: usize,
}

impl Window {
    /// A window at a byte of the data.
    fn at(next: usize) -> Window {
        Window { word: 0, have: 0, next }
    }

    /// Fills it to at least 56 bits, or with all that are left.
    #[inline(always)]
    fn fill(&mut self, data: &[u8]) {
        match data.get(self.next..).and_then(|rest| rest.first_chunk::<8>()) {
            Some(chunk) => {
                self.word |= u64::from_le_bytes(*chunk).wrapping_shl(self.have);
                let bytes = 63u32.wrapping_sub(self.have) / 8;
                self.next = self.next.wrapping_add(bytes as usize);
                self.have = self.have.wrapping_add(8 * bytes);
            }
            None => self.fill_last(data),
        }
    }

    /// The slow path for the last bytes of the data.
    #[cold]
    fn fill_last(&mut self, data: &[u8]) {
        while self.have < 56
            && let Some(byte) = data.get(self.next)
        {
            self.word |= u64::from(*byte) << self.have;
            self.next += 1;
            self.have += 8;
        }
    }

    /// Takes `width` bits, which are there.
    #[inline(always)]
    fn take(&mut self, width: u32) -> u64 {
        let value = self.word & !u64::MAX.wrapping_shl(width);
        self.word = self.word.wrapping_shr(width);
        self.have = self.have.wrapping_sub(width);
        value
    }

    /// A number of one chunk or two of `width` bits, 2 to 28; nothing is taken of one that is longer or is not there.
    #[inline(always)]
    fn take_vbr(&mut self, width: u32) -> Option<u64> {
        let more = 1u64.wrapping_shl(width.wrapping_sub(1));
        let first = self.word & more.wrapping_mul(2).wrapping_sub(1);
        if first & more == 0 {
            return (self.have >= width).then(|| self.take(width));
        }
        let second = self.word.wrapping_shr(width) & more.wrapping_mul(2).wrapping_sub(1);
        if second & more != 0 || self.have < 2 * width {
            return None;
        }
        self.take(2 * width);
        Some(first & more.wrapping_sub(1) | second.wrapping_shl(width.wrapping_sub(1)))
    }

    /// Like the above, for any number of chunks, as long as all of them are present and the number fits the window.
    #[inline(always)]
    fn take_long_vbr(&mut self, width: u32) -> Option<u64> {
        let more = 1u64.wrapping_shl(width.wrapping_sub(1));
        let (mut value, mut shift, mut used) = (0u64, 0u32, 0u32);
        loop {
            if used.wrapping_add(width) > self.have {
                return None;
            }
            let chunk = self.word.wrapping_shr(used);
            value |= (chunk & more.wrapping_sub(1)).wrapping_shl(shift);
            used = used.wrapping_add(width);
            if chunk & more == 0 {
                self.take(used);
                return Some(value);
            }
            shift = shift.wrapping_add(width.wrapping_sub(1));
        }
    }
}

/// The cursor. Positions are bits from the start of the data.
#[derive(Debug, Clone)]
pub(crate) struct Bits<'a> {
    data: &'a [u8],
    window: Window,
    /// Offset of the data in the file, in bytes.
    base: u64,
    /// Why the last read failed. Kept beside the value, so that reading one stays cheap.
    fault: Option<Fault>,
}

impl<'a> Bits<'a> {
    pub fn new(data: &'a [u8], base: u64) -> Self {
        Bits { data, window: Window::at(0), base, fault: None }
    }

    #[inline(always)]
    pub fn position(&self) -> usize {
        // The container holds at most 2 GiB: eight times that is far below the top of `usize`.
        self.window.next.wrapping_mul(8).wrapping_sub(self.window.have as usize)
    }

    pub fn end(&self) -> usize {
        self.data.len().saturating_mul(8)
    }

    pub fn left(&self) -> usize {
        self.end() - self.position()
    }

    /// The bit of the file at a position.
    #[inline]
    pub fn place(&self, position: usize) -> u64 {
        self.base.saturating_mul(8).saturating_add(position as u64)
    }

    /// Reads the four bytes that every bitcode starts with, and reports what is there instead.
    pub fn skip_magic(&mut self) -> Result<(), Fault> {
        let head = self.data.get(..4).unwrap_or(self.data);
        let fault = |rule, message: String| Err(Fault::at_byte(rule, self.base, message));
        match head {
            [b'B', b'C', 0xc0, 0xde] if self.data.len().is_multiple_of(4) => {
                self.window = Window::at(4);
                Ok(())
            }
            [b'B', b'C', 0xc0, 0xde] => {
                let message = format!("bitcode size is {}, expected a multiple of 4", self.data.len());
                fault(findings::BITCODE_MAGIC, message)
            }
            [0xde, 0xc0, 0x17, 0x0b] => {
                fault(findings::WRAPPED_BITCODE, "wrapped bitcode is not allowed in DXIL".to_owned())
            }
            _ => fault(findings::BITCODE_MAGIC, format!("not LLVM bitcode: expected 42 43 c0 de, found {head:02x?}")),
        }
    }

    /// Why the last read failed.
    pub fn take_fault(&mut self) -> Fault {
        match self.fault.take() {
            Some(fault) => fault,
            None => Fault::at_bit(findings::BITCODE_END, self.place(self.position()), "nothing was read"),
        }
    }

    #[cold]
    fn fail<T>(&mut self, fault: Fault) -> Option<T> {
        self.fault = Some(fault);
        None
    }

    #[cold]
    fn ended<T>(&mut self) -> Option<T> {
        let place = self.place(self.position());
        self.fail(Fault::at_bit(findings::BITCODE_END, place, "unexpected end of bitcode"))
    }

    /// An unsigned number of `width` bits, at most 64.
    #[inline(always)]
    pub fn fixed(&mut self, width: u32) -> Option<u64> {
        if width > self.window.have {
            self.window.fill(self.data);
            if width > self.window.have {
                return self.wide(width);
            }
        }
        Some(self.window.take(width))
    }

    /// A number of more bits than a filled window has, or than are left.
    #[cold]
    fn wide(&mut self, width: u32) -> Option<u64> {
        if width as usize > self.left() {
            return self.ended();
        }
        let low = self.window.take(32);
        self.window.fill(self.data);
        Some(low | self.window.take(width - 32) << 32)
    }

    /// A number in chunks of `width` bits, 2 to 64.
    #[inline(always)]
    pub fn vbr(&mut self, width: u32) -> Option<u64> {
        if width <= 28 {
            if self.window.have < 2 * width {
                self.window.fill(self.data);
            }
            if let Some(value) = self.window.take_vbr(width) {
                return Some(value);
            }
        }
        self.long_vbr(width)
    }

    #[inline(never)]
    fn long_vbr(&mut self, width: u32) -> Option<u64> {
        self.window.fill(self.data);
        if let Some(value) = self.window.take_long_vbr(width) {
            return Some(value);
        }
        let start = self.position();
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

    /// Reads one number for each place, each as its encoding says.
    #[inline(always)]
    pub fn all_encoded(&mut self, encodings: &[Encoding], places: &mut [u64]) -> Option<()> {
        let mut window = self.window;
        for (place, encoding) in places.iter_mut().zip(encodings) {
            window.fill(self.data);
            let value = match *encoding {
                Encoding::Literal(value) => Some(value),
                Encoding::Fixed(width) => (width <= window.have).then(|| window.take(width)),
                Encoding::Vbr(width @ ..=28) => window.take_vbr(width),
                Encoding::Vbr(_) | Encoding::Char6 => None,
            };
            *place = match value {
                Some(value) => value,
                None => {
                    self.window = window;
                    let value = encoding.read(self)?;
                    window = self.window;
                    value
                }
            };
        }
        self.window = window;
        Some(())
    }

    /// Reads one number of `width` bits for each place, each passed through `with`.
    #[inline(always)]
    pub fn all_fixed(&mut self, width: u32, places: &mut [u64], with: impl Fn(u64) -> u64) -> Option<()> {
        // A window of its own stays in registers from one number to the next.
        let mut window = self.window;
        for place in places {
            if width > window.have {
                window.fill(self.data);
                if width > window.have {
                    self.window = window;
                    *place = with(self.wide(width)?);
                    window = self.window;
                    continue;
                }
            }
            *place = with(window.take(width));
        }
        self.window = window;
        Some(())
    }

    /// Reads one number in chunks of `width` bits, 2 to 28, for each place.
    #[inline(always)]
    pub fn all_vbr(&mut self, width: u32, places: &mut [u64]) -> Option<()> {
        let mut window = self.window;
        for place in places {
            if window.have < 2 * width {
                window.fill(self.data);
            }
            *place = match window.take_vbr(width) {
                Some(value) => value,
                None => {
                    self.window = window;
                    let value = self.long_vbr(width)?;
                    window = self.window;
                    value
                }
            };
        }
        self.window = window;
        Some(())
    }

    #[cold]
    fn over_long<T>(&mut self, start: usize) -> Option<T> {
        let place = self.place(start);
        self.fail(Fault::at_bit(findings::LONG_INTEGER, place, format!("over-long integer at bit {place}")))
    }

    /// Moves to the next multiple of 32 bits.
    pub fn align(&mut self) -> Option<()> {
        let odd = (self.position() % 32) as u32;
        if odd > 0 {
            self.fixed(32 - odd)?;
        }
        Some(())
    }

    /// Moves to a byte, forwards; its place is a position.
    pub fn seek(&mut self, position: usize) -> Option<()> {
        if position > self.end() || position < self.position() {
            return self.ended();
        }
        self.window = Window::at(position / 8);
        Some(())
    }

    /// Whether `count` operands of at least `bits` bits each can follow.
    #[inline(always)]
    pub fn check_count(&mut self, count: u64, bits: u32) -> Option<()> {
        // So few of at most 64 bits each are far from what a number holds.
        if count <= SMALL_OPERANDS && count * u64::from(bits) <= self.left() as u64 {
            return Some(());
        }
        self.check_large_count(count, bits)
    }

    #[cold]
    fn check_large_count(&mut self, count: u64, bits: u32) -> Option<()> {
        let bits = if count > SMALL_OPERANDS { LARGE_OPERAND_BITS.max(u64::from(bits)) } else { u64::from(bits) };
        if count.saturating_mul(bits) <= self.left() as u64 {
            return Some(());
        }
        let message = format!("record claims {count} operands, but {} bits remain", self.left());
        let place = self.place(self.position());
        self.fail(Fault::at_bit(findings::RECORD_LENGTH, place, message))
    }

    /// A length, and so many bytes on their own words.
    pub fn blob(&mut self) -> Option<&'a [u8]> {
        let length = self.vbr(6)?;
        self.check_count(length, 8)?;
        self.align()?;
        let start = self.position() / 8;
        let end = start.saturating_add(length as usize);
        let Some(bytes) = self.data.get(start..end) else { return self.ended() };
        self.window = Window::at(end);
        self.align()?;
        Some(bytes)
    }
}
