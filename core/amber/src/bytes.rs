//! The contents of buffers as bytes.

use lanescope_base::half;

use crate::number::Number;
use crate::read;
use crate::script::{Buffer, BufferForm, FileForm, Initializer, Script, Size};
use crate::types::Scalar;
use crate::types::layout::Layout;

/// The largest buffer, in bytes.
pub const MAX_BUFFER: usize = 256 << 20;

/// What a script says a buffer contains at first.
#[derive(Debug, Clone, PartialEq)]
pub enum Contents {
    /// These bytes.
    Bytes(Vec<u8>),
    /// The bytes of a file, in the buffer's initializer.
    InFile,
    /// As many zeros as the framebuffer has texels.
    OfFramebuffer,
}

impl Script {
    /// What a buffer contains at first.
    ///
    /// # Errors
    /// A type that cannot be laid out, or a size above [`MAX_BUFFER`].
    pub fn contents(&self, buffer: &Buffer) -> Result<Contents, String> {
        let layout = self.layout(&buffer.ty, buffer.packing())?;
        let elements = match (&buffer.form, &buffer.initializer) {
            (_, Initializer::File { .. }) => return Ok(Contents::InFile),
            (_, Initializer::Data(data)) => data.len().div_ceil(layout.segments.len().max(1)) as u64,
            (BufferForm::Attachment { .. }, _) => return Ok(Contents::OfFramebuffer),
            (BufferForm::Elements { size: Size::Elements(size), .. }, _) => u64::from(*size),
            _ => buffer.extent().unwrap_or([0; 3]).iter().map(|size| u64::from(*size)).fold(1, u64::saturating_mul),
        };
        let size = elements.saturating_mul(u64::from(layout.size));
        if size > MAX_BUFFER as u64 {
            return Err(format!("`{}` has {size} bytes, expected at most {MAX_BUFFER}", buffer.name));
        }
        let mut bytes = vec![0; size as usize];
        match &buffer.initializer {
            Initializer::Data(data) => place_all(&mut bytes, &layout, data.iter().copied()),
            Initializer::Fill(value) => place_all(&mut bytes, &layout, std::iter::repeat(*value)),
            Initializer::Series { from, by } => series(&mut bytes, &layout, *from, *by),
            Initializer::Absent | Initializer::File { .. } => {}
        }
        Ok(Contents::Bytes(bytes))
    }
}

/// The numbers of all elements, in the order in which a script lists them. None where elements do not fill the bytes, or
/// a number is not within its element.
pub fn numbers(bytes: &[u8], layout: &Layout) -> Option<Vec<Number>> {
    let size = layout.size.max(1) as usize;
    if !bytes.len().is_multiple_of(size) {
        return None;
    }
    let of = |element: &[u8]| -> Option<Vec<Number>> {
        layout.segments.iter().map(|one| number(element.get(one.offset as usize..)?, one.scalar)).collect()
    };
    bytes.chunks_exact(size).map(of).collect::<Option<Vec<_>>>().map(|all| all.concat())
}

/// The number at the beginning of some bytes.
fn number(bytes: &[u8], scalar: Scalar) -> Option<Number> {
    let size = scalar.size() as usize;
    let mut word = [0; 8];
    word[..size].copy_from_slice(bytes.get(..size)?);
    let bits = u64::from_le_bytes(word);
    let signed = |bits: u64, size: usize| {
        let shift = 64 - 8 * size as u32;
        match ((bits << shift) as i64) >> shift {
            value @ ..0 => Number::Negative(value),
            value => Number::Unsigned(value as u64),
        }
    };
    Some(match scalar {
        Scalar::Uint8 | Scalar::Uint16 | Scalar::Uint32 | Scalar::Uint64 => Number::Unsigned(bits),
        Scalar::Int8 | Scalar::Int16 | Scalar::Int32 | Scalar::Int64 => signed(bits, size),
        Scalar::Float16 => Number::Float(half::value(bits as u16)),
        // By its shortest decimal: 0.1 and not 0.10000000149011612.
        Scalar::Float => {
            let value = f32::from_bits(bits as u32);
            Number::Float(value.to_string().parse().unwrap_or(f64::from(value)))
        }
        Scalar::Double => Number::Float(f64::from_bits(bits)),
    })
}

impl Script {
    /// What a buffer contains at first, of a file with its contents.
    ///
    /// # Errors
    /// A buffer that states no size; a binary file with more or less than that; a text with what is not a number of the
    /// type, or with too many of them.
    pub fn contents_of_file(&self, buffer: &Buffer, form: FileForm, file: &[u8]) -> Result<Vec<u8>, String> {
        let layout = self.layout(&buffer.ty, buffer.packing())?;
        let BufferForm::Elements { size: Size::Elements(elements), .. } = buffer.form else {
            return Err(format!("{form} for a buffer without SIZE"));
        };
        let size = u64::from(elements).saturating_mul(u64::from(layout.size));
        if size > MAX_BUFFER as u64 {
            return Err(format!("`{}` has {size} bytes, expected at most {MAX_BUFFER}", buffer.name));
        }
        match form {
            FileForm::Binary if file.len() as u64 == size => Ok(file.to_vec()),
            FileForm::Binary => Err(format!("{} bytes; {elements} elements have {size}", file.len())),
            FileForm::Text => {
                let text = std::str::from_utf8(file).map_err(|_| "it is not a text in UTF-8".to_owned())?;
                let each = layout.segments.len().max(1);
                let most = MAX_BUFFER / layout.size.max(1) as usize * each;
                let numbers = read::numbers(text, &layout, most).map_err(|error| error.to_string())?;
                // As the reference implementation has it: more numbers make the buffer larger, fewer leave zeros.
                let elements = numbers.len().div_ceil(each).max(elements as usize);
                let mut bytes = vec![0; elements * layout.size as usize];
                place_all(&mut bytes, &layout, numbers.into_iter());
                Ok(bytes)
            }
            FileForm::Png => Err("a picture is not a list of elements".to_owned()),
        }
    }
}

/// Writes numbers one after the other, as far as there are elements.
fn place_all(bytes: &mut [u8], layout: &Layout, mut numbers: impl Iterator<Item = Number>) {
    for element in bytes.chunks_exact_mut(layout.size.max(1) as usize) {
        for segment in &layout.segments {
            let Some(number) = numbers.next() else { return };
            if let Some(place) = element.get_mut(segment.offset as usize..) {
                put(place, segment.scalar, number);
            }
        }
    }
}

/// Numbers that increase: floating point by sums of 64 bits, integers modulo 2^64.
fn series(bytes: &mut [u8], layout: &Layout, from: Number, by: Number) {
    let is_float = layout.segments.first().is_some_and(|segment| segment.scalar.is_float());
    if is_float {
        let values = std::iter::successors(Some(from.value()), |value| Some(value + by.value()));
        return place_all(bytes, layout, values.map(Number::Float));
    }
    let whole = |number: Number| number.integer().unwrap_or(number.value() as i64 as u64);
    let values = std::iter::successors(Some(whole(from)), |value| Some(value.wrapping_add(whole(by))));
    place_all(bytes, layout, values.map(Number::Unsigned));
}

/// Writes a number as a type has it: rounded to the nearest, or modulo the type's size.
fn put(place: &mut [u8], scalar: Scalar, number: Number) {
    let whole = number.integer().unwrap_or(number.value() as i64 as u64);
    let bits = match scalar {
        Scalar::Float16 => u64::from(half::nearest(number.value())),
        Scalar::Float => u64::from((number.value() as f32).to_bits()),
        Scalar::Double => number.value().to_bits(),
        _ => whole,
    };
    let size = scalar.size() as usize;
    if let Some(place) = place.get_mut(..size) {
        place.copy_from_slice(&bits.to_le_bytes()[..size]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read;
    use crate::types::layout::Packing;

    fn contents(buffer: &str) -> Vec<u8> {
        let text = format!("#!amber\nSTRUCT s\n uint8 a\n float b\nEND\nBUFFER b {buffer}\n");
        let script = read(text.as_bytes()).expect("reads");
        match script.contents(&script.buffers[0]).expect("has contents") {
            Contents::Bytes(bytes) => bytes,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn numbers_become_bytes() {
        assert_eq!(contents("DATA_TYPE int16 DATA 1 -2 0xfffe END"), [1, 0, 254, 255, 254, 255]);
        assert_eq!(contents("DATA_TYPE float SIZE 1 FILL 1"), 1f32.to_le_bytes());
        assert_eq!(contents("DATA_TYPE float16 DATA 1.5 END"), [0, 0x3e]);
        assert_eq!(contents("DATA_TYPE uint8 SIZE 4 SERIES_FROM 254 INC_BY 1"), [254, 255, 0, 1]);
        assert_eq!(contents("DATA_TYPE double SIZE 2 SERIES_FROM 0.5 INC_BY 0.25")[8..], 0.75f64.to_le_bytes());
        assert_eq!(contents("DATA_TYPE int32[] STD140 DATA 1 2 END").len(), 32);
        assert_eq!(contents("DATA_TYPE vec3<uint8> DATA 1 2 3 4 END"), [1, 2, 3, 0, 4, 0, 0, 0]);
        assert_eq!(contents("DATA_TYPE s DATA 7 1.0 END"), [7, 0, 0, 0, 0, 0, 0x80, 0x3f]);
        assert_eq!(contents("DATA_TYPE R8G8_UINT WIDTH 1 HEIGHT 2 FILL 3"), [3; 4]);
        assert!(contents("DATA_TYPE uint32 SIZE 0 FILL 3").is_empty());
    }

    #[test]
    fn bytes_become_the_numbers_that_made_them() {
        for buffer in [
            "DATA_TYPE int16 DATA 1 -2 32767 END",
            "DATA_TYPE float DATA 0.1 -0.0 1.5 END",
            "DATA_TYPE float16 DATA 1.5 0.0999755859375 END",
            "DATA_TYPE int64 DATA -9223372036854775808 7 END",
            "DATA_TYPE s DATA 7 0.25 8 -1.0 END",
            "DATA_TYPE vec3<uint8> DATA 1 2 3 4 5 6 END",
        ] {
            let text = format!("#!amber\nSTRUCT s\n uint8 a\n float b\nEND\nBUFFER b {buffer}\n");
            let script = read(text.as_bytes()).expect("reads");
            let layout = script.layout(&script.buffers[0].ty, Packing::Std430).expect("has a layout");
            let Initializer::Data(data) = &script.buffers[0].initializer else { panic!("has data") };
            assert_eq!(numbers(&contents(buffer), &layout).as_ref(), Some(data), "{buffer}");
        }
        let layout = Layout { segments: Vec::new(), size: 4, align: 4 };
        assert_eq!(numbers(&[0; 6], &layout), None);
    }

    #[test]
    fn files_fill_the_elements_that_are_said_or_more() {
        let text = b"#!amber\nBUFFER b DATA_TYPE vec2<float> SIZE 2 FILE TEXT b.txt\n";
        let script = read(text).expect("reads");
        let of = |form, file: &[u8]| script.contents_of_file(&script.buffers[0], form, file);
        let four = [1f32, 2.5, -3.0, 4.0].map(f32::to_le_bytes).concat();
        assert_eq!(of(FileForm::Text, b"1 2.5\n# more\n-3 4 "), Ok(four.clone()));
        assert_eq!(of(FileForm::Binary, &four), Ok(four.clone()));
        assert_eq!(of(FileForm::Text, b"1 2.5"), Ok([1f32, 2.5, 0.0, 0.0].map(f32::to_le_bytes).concat()));
        let more = [1f32, 2.5, -3.0, 4.0, 5.0, 0.0].map(f32::to_le_bytes).concat();
        assert_eq!(of(FileForm::Text, b"1 2.5 -3 4\n5"), Ok(more));
        assert_eq!(of(FileForm::Text, b"1 two"), Err("line 1: expected a number, found `two`".to_owned()));
        assert_eq!(of(FileForm::Binary, &four[1..]), Err("15 bytes; 2 elements have 16".to_owned()));
        assert!(of(FileForm::Text, &[0xff]).is_err());
    }

    #[test]
    fn others_have_no_bytes_of_their_own() {
        let text = b"#!amber\nBUFFER a FORMAT R8_UNORM\nBUFFER b DATA_TYPE uint8 SIZE 4 FILE BINARY b.bin\n";
        let script = read(text).expect("reads");
        assert_eq!(script.contents(&script.buffers[0]), Ok(Contents::OfFramebuffer));
        assert_eq!(script.contents(&script.buffers[1]), Ok(Contents::InFile));
    }
}
