//! Abbreviations: the encodings of a record's operands.

use super::bits::Bits;

/// The encoding of one operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Encoding {
    /// This value, in no bits.
    Literal(u64),
    /// A fixed number of bits.
    Fixed(u32),
    /// Chunks of so many bits.
    Vbr(u32),
    /// Six bits, a character each.
    Char6,
}

const CHAR6: &[u8; 64] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._";

impl Encoding {
    pub fn read(self, bits: &mut Bits<'_>) -> Option<u64> {
        match self {
            Encoding::Literal(value) => Some(value),
            Encoding::Fixed(width) => bits.fixed(width),
            Encoding::Vbr(width) => bits.vbr(width),
            Encoding::Char6 => Some(u64::from(CHAR6[bits.fixed(6)? as usize & 63])),
        }
    }

    /// Reads as many operands as there are places.
    pub fn read_all(self, bits: &mut Bits<'_>, places: &mut [u64]) -> Option<()> {
        match self {
            Encoding::Literal(value) => places.fill(value),
            Encoding::Char6 => bits.all_fixed(6, places, |number| u64::from(CHAR6[number as usize & 63]))?,
            Encoding::Fixed(width) => bits.all_fixed(width, places, |number| number)?,
            Encoding::Vbr(width @ ..=28) => bits.all_vbr(width, places)?,
            Encoding::Vbr(width) => {
                for place in places {
                    *place = bits.vbr(width)?;
                }
            }
        }
        Some(())
    }

    /// The fewest bits that it takes.
    #[inline]
    pub fn bits(self) -> u32 {
        match self {
            Encoding::Literal(_) => 0,
            Encoding::Fixed(width) | Encoding::Vbr(width) => width,
            Encoding::Char6 => 6,
        }
    }
}

/// A record's code and operands, and the array or blob that may end it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Abbreviation {
    /// Range of its encodings in the list of all: that of the code, then those of the operands.
    first: u32,
    end: u32,
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
    /// Reads a definition and adds its encodings to `all`: the reason why it cannot be used, or nothing where the
    /// stream ends.
    pub fn read(bits: &mut Bits<'_>, all: &mut Vec<Encoding>) -> Option<Result<Abbreviation, String>> {
        let count = bits.vbr(5)?;
        // A literal takes nine bits, an encoding four.
        bits.check_count(count, 4)?;
        let first = all.len() as u32;
        let mut array = None;
        let mut blob = false;
        for index in 0..count {
            let last = index + 1 == count;
            match definition(bits)? {
                Err(why) => return Some(Err(why)),
                Ok(_) if blob => return Some(Err("a blob is not the last operand".to_owned())),
                Ok(Definition::Scalar(encoding)) if array == Some(None) => {
                    if !last {
                        return Some(Err("an array is not the second-to-last operand".to_owned()));
                    }
                    array = Some(Some(encoding));
                }
                Ok(_) if array.is_some() => {
                    return Some(Err("the element of an array is an array or a blob".to_owned()));
                }
                Ok(Definition::Scalar(encoding)) => all.push(encoding),
                Ok(Definition::Array) => array = Some(None),
                Ok(Definition::Blob) => blob = true,
            }
        }
        if array == Some(None) {
            return Some(Err("an array has no element type".to_owned()));
        }
        let end = all.len() as u32;
        if first == end {
            return Some(Err("the first operand, the record code, is missing or not a number".to_owned()));
        }
        Some(Ok(Abbreviation { first, end, array: array.flatten(), blob }))
    }

    /// Its own encodings among all: that of the code first.
    #[inline]
    pub fn encodings<'e>(&self, all: &'e [Encoding]) -> &'e [Encoding] {
        all.get(self.first as usize..self.end as usize).unwrap_or_default()
    }

    /// The memory it takes.
    pub fn bytes(&self) -> usize {
        2 * (size_of::<Abbreviation>() + (self.end - self.first) as usize * size_of::<Encoding>())
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
                (65.., _) => return Some(Err(format!("operand width is {width} bits, expected at most 64"))),
                (1, 2) => return Some(Err("a VBR operand has chunks of one bit".to_owned())),
                (_, 1) => Definition::Scalar(Encoding::Fixed(width as u32)),
                _ => Definition::Scalar(Encoding::Vbr(width as u32)),
            }
        }
        3 => Definition::Array,
        4 => Definition::Scalar(Encoding::Char6),
        5 => Definition::Blob,
        _ => return Some(Err(format!("unknown encoding {encoding}"))),
    }))
}
