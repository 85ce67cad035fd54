//! Containers whose metadata names one long text again and again.

/// A pixel shader whose only input has a semantic of `length` letters and `rows` rows.
pub fn of_a_semantic(length: usize, rows: usize) -> Vec<u8> {
    made(rows, 1, length, |metadata, semantic| metadata.element(semantic, rows))
}

/// A pixel shader whose type annotations name one structure `times` times; its name has `length` letters.
pub fn of_a_structure(length: usize, times: usize) -> Vec<u8> {
    made(16, length, 1, |metadata, semantic| {
        let value = metadata.add(2, [1, STRUCTURES]);
        let annotation = metadata.add(3, [5]);
        let pairs = (0..times).flat_map(|_| [value, annotation]);
        let all = metadata.add(3, [1].into_iter().chain(pairs));
        metadata.name(b"dx.typeAnnotations", all);
        metadata.element(semantic, 1)
    })
}

/// The value of the structure's type in the modules below: it follows the integers.
const STRUCTURES: u64 = 16;

/// A container with such a module: integers from 0 on, a structure, metadata.
fn made(
    integers: usize,
    structure: usize,
    semantic: usize,
    more: impl FnOnce(&mut Metadata<'_>, u64) -> u64,
) -> Vec<u8> {
    let integers = integers.max(STRUCTURES as usize);
    let mut bits = Bits::default();
    bits.fixed(0xdec0_4342, 32);
    bits.block(2, 8, |bits| {
        bits.record(1, [1]);
        bits.block(4, 17, |bits| {
            bits.record(1, [2]);
            bits.record(7, [32]);
            bits.record(19, letters(structure));
            bits.record(20, [0, 0]);
        });
        bits.block(4, 11, |bits| {
            bits.record(1, [0]);
            (0..integers).for_each(|number| bits.record(4, [(number as u64) << 1]));
            bits.record(1, [1]);
            bits.record(3, []);
        });
        bits.block(4, 15, |bits| {
            let mut metadata = Metadata { bits, count: 0, names: Vec::new() };
            for number in 0..integers as u64 {
                metadata.add(2, [0, number]);
            }
            let semantic = metadata.add(1, letters(semantic));
            let element = more(&mut metadata, semantic);
            let inputs = metadata.add(3, [element]);
            let signatures = metadata.add(3, [inputs, 0, 0]);
            let main = metadata.add(1, b"main".map(u64::from));
            let entry = metadata.add(3, [0, main, signatures, 0, 0]);
            let stage = metadata.add(1, b"ps".map(u64::from));
            let model = metadata.add(3, [stage, 7, 1]);
            let version = metadata.add(3, [2, 1]);
            metadata.name(b"dx.version", version);
            metadata.name(b"dx.shaderModel", model);
            metadata.name(b"dx.entryPoints", entry);
            metadata.end();
        });
    });
    let bitcode = bits.bytes;
    let size = bitcode.len() as u32;
    let words = |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
    let mut program = words(&[0x60, (24 + size) / 4]);
    program.extend(b"DXIL");
    program.extend(words(&[0x100, 16, size]));
    program.extend(bitcode);
    let parts = [(b"ISG1", words(&[0, 8])), (b"DXIL", program)];
    let first = 32 + 4 * parts.len();
    let second = first + 8 + parts[0].1.len();
    let end = second + 8 + parts[1].1.len();
    let mut file = b"DXBC".to_vec();
    file.extend([0; 16]);
    file.extend(words(&[1, end as u32, parts.len() as u32, first as u32, second as u32]));
    for (name, data) in parts {
        file.extend(name);
        file.extend(words(&[data.len() as u32]));
        file.extend(data);
    }
    file
}

fn letters(count: usize) -> impl Iterator<Item = u64> + Clone {
    std::iter::repeat_n(u64::from(b'a'), count)
}

/// A block of metadata; operands of tuples are one more than the number of a piece.
struct Metadata<'b> {
    bits: &'b mut Bits,
    count: u64,
    names: Vec<(Vec<u8>, u64)>,
}

impl Metadata<'_> {
    /// Adds a piece. Answers with what tuples call it.
    fn add(&mut self, code: u64, operands: impl IntoIterator<Item = u64>) -> u64 {
        self.bits.record(code, operands);
        self.count += 1;
        self.count
    }

    /// An element of a signature with so many rows, numbered from 0 on.
    fn element(&mut self, semantic: u64, rows: usize) -> u64 {
        let indices = self.add(3, 1..=rows as u64);
        self.add(3, [1, semantic, 10, 1, indices, 3, 2, 5, 1, 1, 0])
    }

    fn name(&mut self, name: &[u8], piece: u64) {
        self.names.push((name.to_vec(), piece - 1));
    }

    fn end(self) {
        for (name, piece) in self.names {
            self.bits.record(4, name.into_iter().map(u64::from));
            self.bits.record(10, [piece]);
        }
    }
}

/// An LLVM bitstream without abbreviations.
#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    open: u64,
    used: u32,
}

impl Bits {
    fn fixed(&mut self, value: u64, width: u32) {
        self.open |= value << self.used;
        self.used += width;
        while self.used >= 8 {
            self.bytes.push(self.open as u8);
            self.open >>= 8;
            self.used -= 8;
        }
    }

    fn chunks(&mut self, mut value: u64, width: u32) {
        let more = 1 << (width - 1);
        while value >= more {
            self.fixed(value & (more - 1) | more, width);
            value >>= width - 1;
        }
        self.fixed(value, width);
    }

    fn align(&mut self) {
        while self.used > 0 || !self.bytes.len().is_multiple_of(4) {
            self.fixed(0, 1);
        }
    }

    fn record(&mut self, code: u64, operands: impl IntoIterator<Item = u64>) {
        let operands: Vec<u64> = operands.into_iter().collect();
        self.fixed(3, 4);
        self.chunks(code, 6);
        self.chunks(operands.len() as u64, 6);
        operands.into_iter().for_each(|operand| self.chunks(operand, 6));
    }

    /// A block in one whose ids have `outer` bits; its own have 4.
    fn block(&mut self, outer: u32, id: u64, fill: impl FnOnce(&mut Bits)) {
        self.fixed(1, outer);
        self.chunks(id, 8);
        self.chunks(4, 4);
        self.align();
        let size = self.bytes.len();
        self.fixed(0, 32);
        fill(self);
        self.fixed(0, 4);
        self.align();
        let words = (self.bytes.len() - size) / 4 - 1;
        self.bytes[size..size + 4].copy_from_slice(&(words as u32).to_le_bytes());
    }
}
