//! MD5 (RFC 1321): the hash of a program's bitcode, and the rounds of the container's digest.

/// Left rotations of the four steps of each round.
const ROTATIONS: [[u32; 4]; 4] = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]];

/// The integer parts of 2^32 |sin(i + 1)|.
const SINES: [u32; 64] = [
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501, 0x698098d8,
    0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821, 0xf61e2562, 0xc040b340,
    0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8, 0x21e1cde6, 0xc33707d6, 0xf4d50d87,
    0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a, 0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c,
    0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70, 0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039,
    0xe6db99e5, 0x1fa27cf8, 0xc4ac5665, 0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92,
    0xffeff47d, 0x85845dd1, 0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb,
    0xeb86d391,
];

/// The running state.
pub(super) struct State([u32; 4]);

impl State {
    pub(super) fn new() -> State {
        State([0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476])
    }

    /// Takes one block.
    pub(super) fn block(&mut self, block: &[u8; 64]) {
        let mut words = [0u32; 16];
        for (word, bytes) in words.iter_mut().zip(block.as_chunks::<4>().0) {
            *word = u32::from_le_bytes(*bytes);
        }
        let [mut a, mut b, mut c, mut d] = self.0;
        /// One step: `mix` of the sum so far with `b`, `c` and `d`. What `b`, the newest value, is not needed for comes
        /// first, so that each step waits for the one before it as late as it can.
        macro_rules! step {
            ($a:ident $b:ident $c:ident $d:ident, $mix:expr, $round:literal, $step:expr, $word:expr) => {
                let sum = $a.wrapping_add(words[$word & 15]).wrapping_add(SINES[16 * $round + $step]);
                let sum: u32 = $mix(sum, $b, $c, $d);
                $a = $b.wrapping_add(sum.rotate_left(ROTATIONS[$round][$step & 3]));
            };
        }
        /// Sixteen steps, with their mix and their order of the words.
        macro_rules! round {
            ($round:literal, $mix:expr, $word:expr) => {
                round!($round, $mix, $word, 0 4 8 12);
            };
            ($round:literal, $mix:expr, $word:expr, $($first:literal)+) => {
                $(
                    step!(a b c d, $mix, $round, $first, $word($first));
                    step!(d a b c, $mix, $round, $first + 1, $word($first + 1));
                    step!(c d a b, $mix, $round, $first + 2, $word($first + 2));
                    step!(b c d a, $mix, $round, $first + 3, $word($first + 3));
                )+
            };
        }
        round!(0, |sum: u32, b: u32, c: u32, d: u32| sum.wrapping_add(d ^ (b & (c ^ d))), |step: usize| step);
        // The two halves share no bit, so that they can be added one by one.
        round!(1, |sum: u32, b: u32, c: u32, d: u32| sum.wrapping_add(!d & c).wrapping_add(d & b), |step: usize| 5
            * step
            + 1);
        round!(2, |sum: u32, b: u32, c: u32, d: u32| sum.wrapping_add(b ^ (c ^ d)), |step: usize| 3 * step + 5);
        round!(3, |sum: u32, b: u32, c: u32, d: u32| sum.wrapping_add(c ^ (b | !d)), |step: usize| 7 * step);
        for (sum, part) in self.0.iter_mut().zip([a, b, c, d]) {
            *sum = sum.wrapping_add(part);
        }
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
    let mut state = State::new();
    let (blocks, rest) = data.as_chunks::<64>();
    blocks.iter().for_each(|block| state.block(block));
    let mut last = [0u8; 128];
    last[..rest.len()].copy_from_slice(rest);
    last[rest.len()] = 0x80;
    let used = if rest.len() < 56 { 64 } else { 128 };
    last[used - 8..used].copy_from_slice(&(data.len() as u64).wrapping_mul(8).to_le_bytes());
    last[..used].as_chunks::<64>().0.iter().for_each(|block| state.block(block));
    state.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_rfc_test_suite() {
        let hex = |data: &[u8]| md5(data).iter().map(|b| format!("{b:02x}")).collect::<String>();
        assert_eq!(hex(b""), "d41d8cd98f00b204e9800998ecf8427e");
        assert_eq!(hex(b"abc"), "900150983cd24fb0d6963f7d28e17f72");
        let digits = b"12345678901234567890123456789012345678901234567890123456789012345678901234567890";
        assert_eq!(hex(digits), "57edf4a22be3c955ac49da2e2107b67a");
        // Long enough that the length needs a block of its own.
        let letters = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
        assert_eq!(hex(letters), "d174ab98d277d9f5a5611c2c9f419d9f");
    }
}
