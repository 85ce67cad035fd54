//! Writes bitstreams, without abbreviations.

/// Bits of a bitstream, the first one lowest in its byte.
#[derive(Default)]
pub(crate) struct Writer {
    bytes: Vec<u8>,
    /// Number of bits.
    bits: usize,
}

impl Writer {
    /// A stream with bitcode's magic.
    pub fn bitcode() -> Writer {
        let mut writer = Writer::default();
        writer.fixed(0xdec0_4342, 32);
        writer
    }

    /// Number of bits so far.
    pub fn bits(&self) -> usize {
        self.bits
    }

    /// A number of up to 64 bits.
    pub fn fixed(&mut self, mut value: u64, mut width: u32) -> &mut Self {
        while width > 0 {
            let within = (self.bits % 8) as u32;
            if within == 0 {
                self.bytes.push(0);
            }
            let taken = width.min(8 - within);
            if let Some(last) = self.bytes.last_mut() {
                *last |= ((value & ((1 << taken) - 1)) as u8) << within;
            }
            value >>= taken;
            width -= taken;
            self.bits += taken as usize;
        }
        self
    }

    /// A number in chunks of a width, whose highest bit says that more follow.
    pub fn vbr(&mut self, mut value: u64, width: u32) -> &mut Self {
        let more = 1 << (width - 1);
        while value >= more {
            self.fixed(value & (more - 1) | more, width);
            value >>= width - 1;
        }
        self.fixed(value, width)
    }

    /// Zeros up to the next word of 32 bits.
    pub fn align(&mut self) -> &mut Self {
        let rest = self.bits.next_multiple_of(32) - self.bits;
        self.fixed(0, rest as u32)
    }

    /// The start of a block, in one whose abbreviations' ids have `outer` bits; they have `width` bits inside. Returns
    /// its place, for [`Writer::close`].
    pub fn open(&mut self, outer: u32, id: u64, width: u64) -> usize {
        self.fixed(1, outer).vbr(id, 8).vbr(width, 4).align();
        self.fixed(0, 32);
        self.bits / 8
    }

    /// The length of the block that was opened there, which ends here, after [`END_BLOCK`](super::END_BLOCK).
    pub fn close(&mut self, start: usize) -> &mut Self {
        self.align();
        let words = ((self.bytes.len() - start) / 4) as u32;
        self.bytes[start - 4..start].copy_from_slice(&words.to_le_bytes());
        self
    }

    /// A record without an abbreviation, in a block whose ids have `width` bits.
    pub fn unabbreviated(&mut self, width: u32, code: u64, operands: &[u64]) -> &mut Self {
        self.fixed(super::UNABBREV_RECORD, width).vbr(code, 6).vbr(operands.len() as u64, 6);
        for operand in operands {
            self.vbr(*operand, 6);
        }
        self
    }

    /// What was written, up to a whole word.
    pub fn bytes(&mut self) -> Vec<u8> {
        self.align();
        std::mem::take(&mut self.bytes)
    }
}

#[cfg(test)]
impl Writer {
    /// A block in one whose ids have `outer` bits; its end is the caller's, its length is written.
    pub fn block(
        &mut self,
        outer: u32,
        id: u64,
        width: u64,
        inside: impl for<'w> FnOnce(&'w mut Writer) -> &'w mut Writer,
    ) -> &mut Self {
        let start = self.open(outer, id, width);
        inside(self);
        self.close(start)
    }

    /// A block in another one, both with ids of four bits, with its end.
    pub fn inner(&mut self, id: u64, inside: impl for<'w> FnOnce(&'w mut Writer) -> &'w mut Writer) -> &mut Self {
        self.block(4, id, 4, |w| inside(w).fixed(0, 4))
    }

    /// A record without an abbreviation, in a block whose ids have four bits.
    pub fn record(&mut self, code: u64, operands: &[u64]) -> &mut Self {
        self.unabbreviated(4, code, operands)
    }
}
