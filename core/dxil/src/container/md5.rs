//! MD5 (RFC 1321): the hash of a program's bitcode, and the rounds of the container's digest.

use md5::block_api::compress;
use md5::{Digest, Md5};

/// The running state of a hash that ends in another way than MD5 does.
pub(super) struct State([u32; 4]);

impl State {
    /// The initial state (RFC 1321, section 3.3).
    pub(super) fn new() -> State {
        State([0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476])
    }

    /// Takes blocks.
    pub(super) fn blocks(&mut self, blocks: &[[u8; 64]]) {
        compress(&mut self.0, blocks);
    }

    pub(super) fn finish(self) -> [u8; 16] {
        let mut out = [0; 16];
        for (bytes, word) in out.as_chunks_mut::<4>().0.iter_mut().zip(self.0) {
            *bytes = word.to_le_bytes();
        }
        out
    }
}

/// The MD5 of some bytes.
pub fn md5(data: &[u8]) -> [u8; 16] {
    Md5::digest(data).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The state that the container's digest uses is MD5's own: one block, padded as RFC 1321 says, gives its hash.
    #[test]
    fn compresses_blocks_as_md5() {
        let mut block = [0; 64];
        block[..3].copy_from_slice(b"abc");
        block[3] = 0x80;
        block[56] = 24;
        let mut state = State::new();
        state.blocks(&[block]);
        let hash = state.finish();
        assert_eq!(hash, md5(b"abc"));
        let hex: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(hex, "900150983cd24fb0d6963f7d28e17f72");
    }
}
