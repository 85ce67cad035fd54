//! Where the texels of an image lie in memory.

use lanescope_base::named_enum;
use lanescope_interpreter::Image;

/// Bytes of a block of texels. Source: addrlib's `Block256_2d`.
const BLOCK: u64 = 256;

named_enum!(
    /// How the texels of an image lie in memory. Images of one row, and texel buffers, are linear with each.
    Tiling {
        /// Row by row, with a pitch.
        Linear = "linear",
        /// In blocks of 256 bytes; inside, 64 bytes are 4×4 texels of 32 bits, and 128 bytes 8×4. The sizes of blocks are
        /// addrlib's, the order inside is a guess.
        Tiled = "tiled",
        /// In blocks of 256 bytes with the order of addrlib's standard swizzle for graphics IP 10 (`SW_256B_S`): 128 bytes
        /// are 4×8 texels of 32 bits.
        Standard = "standard",
    }
);

/// A bit of a texel's coordinate.
#[derive(Debug, Clone, Copy)]
enum Bit {
    X(u32),
    Y(u32),
}

use Bit::{X, Y};

/// The bits of an address within a block, from the lowest one that selects a texel; by log2 of a texel's bytes. A block is
/// 16×16, 16×8, 8×8, 8×4, 4×4 texels.
const TILED: [&[Bit]; 5] = [
    &[X(0), X(1), X(2), Y(0), Y(1), Y(2), X(3), Y(3)],
    &[X(0), X(1), X(2), Y(0), Y(1), X(3), Y(2)],
    &[X(0), X(1), Y(0), Y(1), X(2), Y(2)],
    &[X(0), Y(0), X(1), Y(1), X(2)],
    &[X(0), Y(0), X(1), Y(1)],
];

/// The same of the standard swizzle.
const STANDARD: [&[Bit]; 5] = [
    &[X(0), X(1), X(2), X(3), Y(0), Y(1), Y(2), Y(3)],
    &[X(0), X(1), X(2), Y(0), Y(1), Y(2), X(3)],
    &[X(0), X(1), Y(0), Y(1), Y(2), X(2)],
    &[X(0), Y(0), Y(1), X(1), X(2)],
    &[Y(0), Y(1), X(0), X(1)],
];

/// Where a texel lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TexelPlace {
    /// Byte address in the image.
    pub address: u64,
    /// A number of the 2×2 block of texels that it is in.
    pub quad: u64,
}

/// The places of an image's texels.
#[derive(Debug, Clone)]
pub(crate) struct Texels {
    levels: Vec<Level>,
    /// Bytes of a texel.
    bytes: u64,
    /// The order inside a block; absent for rows.
    order: Option<&'static [Bit]>,
}

/// A level of detail of all layers.
#[derive(Debug, Clone)]
struct Level {
    /// Its first byte where levels follow each other without padding.
    packed: u64,
    /// Its first byte in memory, and its first quad.
    base: u64,
    quads: u64,
    /// Width, height.
    size: [u64; 2],
    /// Bytes from a row to the next, or from a row of blocks to the next.
    pitch: u64,
    /// Rows, or rows of blocks, of a slice.
    rows: u64,
}

impl Texels {
    /// The places of an image of that many bytes. `pitch` is what a row of the first level takes at least, in bytes.
    pub fn new(image: &Image, bytes: u64, tiling: Tiling, pitch: Option<u64>) -> Texels {
        let size_of = |level: u32| image.size.map(|side| u64::from(side.checked_shr(level).unwrap_or(0).max(1)));
        let texels = |level: u32| size_of(level).iter().product::<u64>() * u64::from(image.layers);
        let all: u64 = (0..image.levels).map(texels).sum();
        let texel = (bytes / all.max(1)).max(1);
        let has_rows = image.size[1] > 1 || image.size[2] > 1;
        let order = match tiling {
            Tiling::Linear => None,
            Tiling::Tiled => Some(&TILED),
            Tiling::Standard => Some(&STANDARD),
        };
        let order = order.filter(|_| has_rows && texel.is_power_of_two());
        let order = order.and_then(|orders| orders.get(texel.trailing_zeros() as usize).copied());
        let (mut packed, mut base, mut quads) = (0, 0, 0);
        let mut levels = Vec::new();
        for level in 0..image.levels {
            let [width, height, depth] = size_of(level);
            let least = pitch.filter(|_| level == 0).unwrap_or(0);
            let (pitch, rows) = match order {
                None => ((width * texel).max(least).next_multiple_of(if least == 0 { BLOCK } else { 1 }), height),
                Some(order) => {
                    let [x, y] = block(order);
                    (width.div_ceil(x) * BLOCK, height.div_ceil(y))
                }
            };
            levels.push(Level { packed, base, quads, size: [width, height], pitch, rows });
            let slices = depth * u64::from(image.layers);
            packed += width * height * slices * texel;
            base = (base + pitch * rows * slices).next_multiple_of(BLOCK);
            quads += width.div_ceil(2) * height.div_ceil(2) * slices;
        }
        Texels { levels, bytes: texel, order }
    }

    /// The level of the texel at an offset in the image's texels without padding.
    pub fn level(&self, offset: u64) -> u32 {
        self.levels.partition_point(|level| level.packed <= offset).saturating_sub(1) as u32
    }

    /// The place of the texel at an offset in the image's texels without padding.
    pub fn place(&self, offset: u64) -> TexelPlace {
        let Some(level) = self.levels.get(self.level(offset) as usize) else {
            return TexelPlace { address: offset, quad: offset };
        };
        let index = (offset - level.packed) / self.bytes;
        let [width, height] = level.size;
        let (x, y, slice) = (index % width, index / width % height, index / width / height);
        let quad = level.quads + (slice * height.div_ceil(2) + y / 2) * width.div_ceil(2) + x / 2;
        let address = match self.order {
            None => (slice * level.rows + y) * level.pitch + x * self.bytes,
            Some(order) => {
                let [columns, rows] = block(order);
                let start = (slice * level.rows + y / rows) * level.pitch + x / columns * BLOCK;
                let bit = |bit: &Bit| match *bit {
                    X(bit) => x >> bit & 1,
                    Y(bit) => y >> bit & 1,
                };
                let inside = order.iter().rev().fold(0, |all, one| all << 1 | bit(one));
                start + inside * self.bytes
            }
        };
        TexelPlace { address: level.base + address, quad }
    }

    /// Bytes from a row of the first level to the next; absent where texels are in blocks.
    pub fn pitch(&self) -> Option<u64> {
        self.levels.first().filter(|_| self.order.is_none()).map(|level| level.pitch)
    }
}

/// Width and height of a block in texels.
fn block(order: &[Bit]) -> [u64; 2] {
    let columns = order.iter().filter(|bit| matches!(bit, X(_))).count();
    [1 << columns, 1 << (order.len() - columns)]
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use lanescope_spirv::enums::ImageFormat;

    fn image(size: [u32; 3], layers: u32, levels: u32) -> Image {
        let format = ImageFormat::Rgba8;
        Image { set: 0, binding: 0, element: 0, format, size, layers, levels, texels: Vec::new() }
    }

    fn bytes_of(size: [u32; 3], layers: u32, levels: u32, texel: u64) -> u64 {
        let level = |level: u32| size.iter().map(|&side| u64::from((side >> level).max(1))).product::<u64>();
        (0..levels).map(level).sum::<u64>() * u64::from(layers) * texel
    }

    #[test]
    fn blocks_have_the_sizes_of_addrlib() {
        let sizes = [[16, 16], [16, 8], [8, 8], [8, 4], [4, 4]];
        for (log2, size) in sizes.into_iter().enumerate() {
            for order in [TILED[log2], STANDARD[log2]] {
                assert_eq!((block(order), order.len() + log2), (size, 8), "{} bytes", 1 << log2);
            }
        }
    }

    #[test]
    fn texels_of_32_bits_fill_a_line_as_the_tiling_says() {
        let of = |tiling, line: u64| {
            let texels = Texels::new(&image([64, 64, 1], 1, 1), 64 * 64 * 4, tiling, Some(4096));
            let inside: Vec<[u64; 2]> = (0..64 * 64)
                .filter(|at| texels.place(at * 4).address < line)
                .map(|at| [at % 64 + 1, at / 64 + 1])
                .collect();
            inside.into_iter().fold([0; 2], |most, at| [most[0].max(at[0]), most[1].max(at[1])])
        };
        assert_eq!([of(Tiling::Tiled, 64), of(Tiling::Tiled, 128), of(Tiling::Tiled, 32)], [[4, 4], [8, 4], [4, 2]]);
        assert_eq!([of(Tiling::Standard, 64), of(Tiling::Standard, 128)], [[4, 4], [4, 8]]);
        assert_eq!([of(Tiling::Linear, 64), of(Tiling::Linear, 128)], [[16, 1], [32, 1]]);
    }

    #[test]
    fn each_texel_has_its_own_bytes() {
        for (size, layers, levels) in [([5, 7, 1], 3, 3), ([16, 1, 1], 2, 1), ([6, 6, 5], 1, 2), ([1, 1, 1], 1, 1)] {
            for texel in [1, 2, 4, 8, 16] {
                for &tiling in Tiling::ALL {
                    let bytes = bytes_of(size, layers, levels, texel);
                    let texels = Texels::new(&image(size, layers, levels), bytes, tiling, None);
                    let places: BTreeSet<u64> = (0..bytes / texel).map(|at| texels.place(at * texel).address).collect();
                    assert_eq!(places.len() as u64, bytes / texel, "{size:?} {texel} {tiling}");
                    assert!(places.iter().all(|place| place % texel == 0));
                }
            }
        }
    }

    #[test]
    fn images_of_one_row_are_linear() {
        for &tiling in Tiling::ALL {
            let texels = Texels::new(&image([100, 1, 1], 1, 1), 400, tiling, None);
            assert_eq!((texels.place(396).address, texels.pitch()), (396, Some(512)), "{tiling}");
        }
    }
}
