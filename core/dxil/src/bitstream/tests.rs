use super::bits::Bits;
use super::writer::Writer;
use super::*;

#[test]
fn numbers_of_every_width_round_trip() {
    for width in 2..=64u32 {
        let values = [0, 1, 2, 31, 32, u64::MAX, 1 << 63, 0x0123_4567_89ab_cdef];
        let mut writer = Writer::default();
        for value in values {
            writer.fixed(value, width).vbr(value, width);
        }
        let bytes = writer.bytes();
        let mut bits = Bits::new(&bytes, 0);
        for value in values {
            let cut = if width < 64 { value & ((1 << width) - 1) } else { value };
            assert_eq!(bits.fixed(width), Some(cut), "fixed({width})");
            assert_eq!(bits.vbr(width), Some(value), "vbr({width})");
        }
    }
}

#[test]
fn rejects_reads_past_the_end_and_endless_numbers() {
    let bytes = [0xff; 64];
    let mut bits = Bits::new(&bytes[..4], 100);
    bits.fixed(20).expect("is there");
    assert_eq!(bits.fixed(13), None);
    let fault = bits.take_fault();
    assert_eq!(
        (fault.rule.code, fault.to_string()),
        ("C28", "byte 0x66 (bit 4): unexpected end of bitcode".to_owned())
    );
    let mut bits = Bits::new(&bytes, 0);
    assert_eq!(bits.vbr(6), None);
    assert_eq!(bits.take_fault().rule.code, "C33");
}

/// A stream with one block of id 8, whose inside is written by `inside`.
fn block(width: u64, inside: impl for<'w> FnOnce(&'w mut Writer) -> &'w mut Writer) -> Vec<u8> {
    let mut writer = Writer::bitcode();
    writer.block(2, 8, width, inside);
    writer.bytes()
}

/// Reads a stream to its end: the records, or the code of the fault.
fn records(data: &[u8]) -> Result<Vec<(u64, Vec<u64>)>, String> {
    let mut stream = Stream::new(data, 0).map_err(|fault| fault.rule.code.to_owned())?;
    let mut out = Vec::new();
    let mut depth = 0;
    loop {
        if depth == 0 && stream.at_end() {
            return Ok(out);
        }
        match stream.next().map_err(|fault| fault.rule.code.to_owned())? {
            Entry::Block(id) => {
                stream.enter(id).map_err(|fault| fault.rule.code.to_owned())?;
                depth += 1;
            }
            Entry::End => depth -= 1,
            Entry::Record(code) => out.push((code, stream.take_operands().to_vec())),
        }
    }
}

#[test]
fn reads_abbreviations_arrays_and_blobs() {
    let data = block(4, |w| {
        // Code 7, a literal, a field, an array of characters.
        w.fixed(2, 4).vbr(5, 5);
        w.fixed(1, 1).vbr(7, 8).fixed(1, 1).vbr(300, 8).fixed(0, 1).fixed(1, 3).vbr(5, 5);
        w.fixed(0, 1).fixed(3, 3).fixed(0, 1).fixed(4, 3);
        // A code of variable width, then a blob.
        w.fixed(2, 4).vbr(2, 5).fixed(0, 1).fixed(2, 3).vbr(6, 5).fixed(0, 1).fixed(5, 3);
        w.fixed(4, 4).fixed(19, 5).vbr(3, 6).fixed(0, 6).fixed(26, 6).fixed(63, 6);
        w.fixed(5, 4).vbr(9, 6).vbr(5, 6).align();
        for byte in b"bytes" {
            w.fixed(u64::from(*byte), 8);
        }
        w.align().fixed(3, 4).vbr(11, 6).vbr(2, 6).vbr(1 << 40, 6).vbr(0, 6).fixed(0, 4)
    });
    let text = |text: &str| text.bytes().map(u64::from).collect::<Vec<_>>();
    let first = [vec![300, 19], text("aA_")].concat();
    assert_eq!(records(&data), Ok(vec![(7, first), (9, text("bytes")), (11, vec![1 << 40, 0])]));
}

#[test]
fn names_rule_of_unreadable_input() {
    let cases: [(&str, Vec<u8>); 15] = [
        ("C27", b"BC".to_vec()),
        ("C26", vec![0xde, 0xc0, 0x17, 0x0b, 0, 0, 0, 0]),
        ("C28", block(4, |w| w.fixed(3, 4).fixed((1 << 28) - 1, 28))),
        ("C29", block(4, |w| w.fixed(0, 4).align().fixed(0, 32))),
        ("C30", block(4, |w| w.fixed(4, 4))),
        ("C31", block(4, |w| w.fixed(2, 4).vbr(0, 5))),
        ("C31", block(4, |w| w.fixed(2, 4).vbr(2, 5).fixed(0, 1).fixed(3, 3).fixed(1, 1).vbr(1, 8))),
        ("C31", block(4, |w| w.fixed(2, 4).vbr(2, 5).fixed(1, 1).vbr(1, 8).fixed(0, 1).fixed(3, 3))),
        ("C31", block(4, |w| w.fixed(2, 4).vbr(1, 5).fixed(0, 1).fixed(1, 3).vbr(65, 5))),
        ("C31", block(4, |w| w.fixed(2, 4).vbr(1, 5).fixed(0, 1).fixed(7, 3))),
        ("C32", block(0, |w| w)),
        ("C32", block(33, |w| w)),
        ("C34", block(4, |w| w.fixed(3, 4).vbr(1, 6).vbr(1 << 30, 6))),
        // An array of literals, which take no bits.
        ("C34", {
            block(4, |w| {
                w.fixed(2, 4).vbr(3, 5).fixed(1, 1).vbr(1, 8).fixed(0, 1).fixed(3, 3).fixed(1, 1).vbr(9, 8);
                w.fixed(4, 4).vbr(u64::from(u32::MAX), 6).align()
            })
        }),
        // BLOCKINFO defines an abbreviation for no block.
        ("C36", block(4, |w| w.fixed(1, 4).vbr(0, 8).vbr(4, 4).align().fixed(1, 32).fixed(2, 4))),
    ];
    for (index, (code, data)) in cases.iter().enumerate() {
        let padded = if data.len() > 8 { [data.as_slice(), &[0; 32]].concat() } else { data.clone() };
        let found = if *code == "C28" { records(data) } else { records(&padded) };
        assert_eq!(found, Err((*code).to_owned()), "case {index}");
    }
}

/// Literals take no bits: a record of four bits may have thousands.
#[test]
fn limits_operands_without_bits() {
    let scalars = |uses: usize| {
        block(4, |w| {
            w.fixed(2, 4).vbr(1001, 5);
            for _ in 0..1001 {
                w.fixed(1, 1).vbr(7, 8);
            }
            (0..uses).fold(w, |w, _| w.fixed(4, 4)).fixed(0, 4)
        })
    };
    assert_eq!(records(&scalars(10)).map(|records| records.len()), Ok(10));
    assert_eq!(records(&scalars(1000)), Err("C35".to_owned()));
    // Arrays of them take the bits of their length alone.
    let arrays = block(4, |w| {
        w.fixed(2, 4).vbr(3, 5).fixed(1, 1).vbr(1, 8).fixed(0, 1).fixed(3, 3).fixed(1, 1).vbr(9, 8);
        (0..1000).fold(w, |w, _| w.fixed(4, 4).vbr(500, 6)).fixed(0, 4)
    });
    assert_eq!(records(&arrays), Err("C35".to_owned()));
}

#[test]
fn limits_nesting() {
    let mut writer = Writer::default();
    writer.fixed(0xdec0_4342, 32);
    let depth = 40;
    for level in 0..depth {
        writer.fixed(1, if level == 0 { 2 } else { 4 }).vbr(8, 8).vbr(4, 4).align().fixed((depth - 1 - level) * 2, 32);
    }
    assert_eq!(records(&writer.bytes()), Err("C36".to_owned()));
}

/// An operand of an abbreviation, as a test names it.
#[derive(Clone, Copy)]
enum Operand {
    Literal,
    /// An encoding without a width.
    Plain(u64),
    /// An encoding with one.
    Wide(u64, u64),
}

/// Every way in which the page of the format says that an abbreviation can be wrong.
#[test]
fn rejects_unusable_abbreviations() {
    use Operand::{Literal, Plain, Wide};
    let (fixed, vbr, array, char6, blob) = (1, 2, 3, 4, 5);
    let cases: &[(&str, &[Operand])] = &[
        ("code, is missing", &[]),
        ("code, is missing", &[Plain(array), Plain(char6)]),
        ("code, is missing", &[Plain(blob)]),
        ("has no element", &[Literal, Plain(array)]),
        ("not the second-to-last operand", &[Literal, Plain(array), Plain(char6), Plain(char6)]),
        ("the element of an array is an array or a blob", &[Literal, Plain(array), Plain(array)]),
        ("the element of an array is an array or a blob", &[Literal, Plain(array), Plain(blob)]),
        ("a blob is not the last operand", &[Literal, Plain(blob), Literal]),
        ("operand width is 65 bits, expected at most 64", &[Wide(fixed, 65)]),
        ("operand width is 65 bits, expected at most 64", &[Wide(vbr, 65)]),
        ("chunks of one bit", &[Wide(vbr, 1)]),
        ("unknown encoding 0", &[Plain(0)]),
        ("unknown encoding 6", &[Plain(6)]),
        ("unknown encoding 7", &[Plain(7)]),
    ];
    for (why, operands) in cases {
        let data = block(4, |w| {
            w.fixed(2, 4).vbr(operands.len() as u64, 5);
            for operand in *operands {
                match operand {
                    Literal => w.fixed(1, 1).vbr(1, 8),
                    Plain(encoding) => w.fixed(0, 1).fixed(*encoding, 3),
                    Wide(encoding, width) => w.fixed(0, 1).fixed(*encoding, 3).vbr(*width, 5),
                };
            }
            w.fixed(0, 64)
        });
        let mut stream = Stream::new(&data, 0).expect("has the magic");
        assert_eq!(stream.next(), Ok(Entry::Block(8)));
        stream.enter(8).expect("is a block");
        let fault = stream.next().expect_err("cannot be used");
        assert_eq!(fault.rule.code, "C31");
        assert!(fault.message.starts_with("bad abbreviation in block 8: ") && fault.message.contains(why), "{fault}");
    }
}

#[test]
fn rejects_blocks_with_wrong_lengths() {
    // One word longer than what is in it, one word shorter, and one that ends after the stream.
    let of = |words: u64| {
        let mut writer = Writer::bitcode();
        writer.fixed(1, 2).vbr(8, 8).vbr(4, 4).align().fixed(words, 32);
        writer.fixed(3, 4).vbr(1, 6).vbr(2, 6).vbr(7, 6).vbr(7, 6).fixed(0, 4).align();
        writer.bytes()
    };
    assert_eq!(records(&of(1)), Ok(vec![(1, vec![7, 7])]));
    for words in [0, 2, 3, 1 << 20, u64::from(u32::MAX)] {
        assert_eq!(records(&of(words)), Err("C29".to_owned()), "{words} words");
    }
    // A block in BLOCKINFO, and a number of eleven chunks of six bits, the last of which says that more follow.
    let nested = block(4, |w| w.block(4, 0, 4, |w| w.fixed(1, 4).vbr(9, 8).vbr(4, 4).align().fixed(0, 32)));
    assert_eq!(records(&nested), Err("C36".to_owned()));
    let long = block(4, |w| w.fixed(3, 4).vbr(1, 6).vbr(1, 6).fixed(u64::MAX, 64).fixed(u64::MAX, 64));
    assert_eq!(records(&[long.as_slice(), &[0; 32]].concat()), Err("C33".to_owned()));
}
