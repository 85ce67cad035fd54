//! Writes bitstreams that no compiler would emit, for tests.

/// Bits to be written.
#[derive(Default)]
pub(crate) struct Writer {
    pub bits: Vec<bool>,
}

impl Writer {
    /// A stream with bitcode's magic.
    pub fn bitcode() -> Writer {
        let mut writer = Writer::default();
        writer.fixed(0xdec0_4342, 32);
        writer
    }

    pub fn fixed(&mut self, value: u64, width: u32) -> &mut Self {
        self.bits.extend((0..width).map(|bit| value >> bit & 1 == 1));
        self
    }

    pub fn vbr(&mut self, mut value: u64, width: u32) -> &mut Self {
        let more = 1 << (width - 1);
        while value >= more {
            self.fixed(value & (more - 1) | more, width);
            value >>= width - 1;
        }
        self.fixed(value, width)
    }

    pub fn align(&mut self) -> &mut Self {
        while !self.bits.len().is_multiple_of(32) {
            self.bits.push(false);
        }
        self
    }

    /// A block in one whose ids have `outer` bits; its end is the caller's, its length is written.
    pub fn block(
        &mut self,
        outer: u32,
        id: u64,
        width: u64,
        inside: impl for<'w> FnOnce(&'w mut Writer) -> &'w mut Writer,
    ) -> &mut Self {
        self.fixed(1, outer).vbr(id, 8).vbr(width, 4).align();
        let at = self.bits.len();
        self.fixed(0, 32);
        inside(self);
        self.align();
        let words = (self.bits.len() - at) / 32 - 1;
        for bit in 0..32 {
            self.bits[at + bit] = words >> bit & 1 == 1;
        }
        self
    }

    /// A block in another one, both with ids of four bits, with its end.
    pub fn inner(&mut self, id: u64, inside: impl for<'w> FnOnce(&'w mut Writer) -> &'w mut Writer) -> &mut Self {
        self.block(4, id, 4, |w| inside(w).fixed(0, 4))
    }

    /// A record without an abbreviation, in a block whose ids have four bits.
    pub fn record(&mut self, code: u64, operands: &[u64]) -> &mut Self {
        self.fixed(3, 4).vbr(code, 6).vbr(operands.len() as u64, 6);
        for operand in operands {
            self.vbr(*operand, 6);
        }
        self
    }

    pub fn bytes(&mut self) -> Vec<u8> {
        self.align();
        let byte = |bits: &[bool]| bits.iter().rev().fold(0u8, |byte, bit| byte << 1 | u8::from(*bit));
        self.bits.chunks(8).map(byte).collect()
    }
}
