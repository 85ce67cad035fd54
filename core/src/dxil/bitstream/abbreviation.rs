//! An abbreviation: how the operands of a kind of record are written.

use super::bits::Bits;

/// How one operand is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Encoding {
    /// This value, in no bits.
    Literal(u64),
    /// So many bits.
    Fixed(u32),
    /// Chunks of so many bits.
    Vbr(u32),
    /// Six bits, a character each.
    Char6,
}

const CHAR6: &[u8; 64] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._";

impl Encoding {
    #[inline]
    pub fn read(self, bits: &mut Bits<'_>) -> Option<u64> {
        match self {
            Encoding::Literal(value) => Some(value),
            Encoding::Fixed(width) => bits.fixed(width),
            Encoding::Vbr(width) => bits.vbr(width),
            Encoding::Char6 => Some(u64::from(CHAR6[bits.fixed(6)? as usize & 63])),
        }
    }

    /// The fewest bits that it takes.
    pub fn bits(self) -> u32 {
        match self {
            Encoding::Literal(_) => 0,
            Encoding::Fixed(width) | Encoding::Vbr(width) => width,
            Encoding::Char6 => 6,
        }
    }
}

/// A record's code, its operands, and the array or blob that may end it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Abbreviation {
    pub code: Encoding,
    pub operands: Vec<Encoding>,
    pub array: Option<Encoding>,
    pub blob: bool,
}

/// One operand as it is defined.
enum Definition {
    Scalar(Encoding),
    Array,
    Blob,
}

impl Abbreviation {
    /// Reads a definition: the reason why it cannot be used, or nothing where the stream ends.
    pub fn read(bits: &mut Bits<'_>) -> Option<Result<Abbreviation, String>> {
        let count = bits.vbr(5)?;
        // A literal takes nine bits, an encoding four.
        bits.check_count(count, 4)?;
        let mut scalars = Vec::new();
        let mut array = None;
        let mut blob = false;
        for index in 0..count {
            let last = index + 1 == count;
            match definition(bits)? {
                Err(why) => return Some(Err(why)),
                Ok(_) if blob => return Some(Err("a blob is not its last operand".to_owned())),
                Ok(Definition::Scalar(encoding)) if array == Some(None) => {
                    if !last {
                        return Some(Err("an array is not the last operand but one".to_owned()));
                    }
                    array = Some(Some(encoding));
                }
                Ok(_) if array.is_some() => return Some(Err("an array of arrays or blobs".to_owned())),
                Ok(Definition::Scalar(encoding)) => scalars.push(encoding),
                Ok(Definition::Array) => array = Some(None),
                Ok(Definition::Blob) => blob = true,
            }
        }
        if array == Some(None) {
            return Some(Err("an array has no element".to_owned()));
        }
        if scalars.is_empty() {
            return Some(Err("its first operand, the code, is missing or no number".to_owned()));
        }
        let code = scalars.remove(0);
        Some(Ok(Abbreviation { code, operands: scalars, array: array.flatten(), blob }))
    }

    /// The memory it takes.
    pub fn bytes(&self) -> usize {
        size_of::<Abbreviation>() + self.operands.capacity() * size_of::<Encoding>()
    }
}

fn definition(bits: &mut Bits<'_>) -> Option<Result<Definition, String>> {
    if bits.fixed(1)? == 1 {
        return Some(Ok(Definition::Scalar(Encoding::Literal(bits.vbr(8)?))));
    }
    let encoding = bits.fixed(3)?;
    Some(Ok(match encoding {
        1 | 2 => {
            let width = bits.vbr(5)?;
            match (width, encoding) {
                (0, _) => Definition::Scalar(Encoding::Literal(0)),
                (65.., _) => return Some(Err(format!("an operand of {width} bits"))),
                (1, 2) => return Some(Err("a number in chunks of one bit".to_owned())),
                (_, 1) => Definition::Scalar(Encoding::Fixed(width as u32)),
                _ => Definition::Scalar(Encoding::Vbr(width as u32)),
            }
        }
        3 => Definition::Array,
        4 => Definition::Scalar(Encoding::Char6),
        5 => Definition::Blob,
        _ => return Some(Err(format!("encoding {encoding}"))),
    }))
}
