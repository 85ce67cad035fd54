//! Values of `.pipe` files, read as LLPC reads them, with notes where that is unexpected.

/// A number as LLPC reads it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Read<T> {
    pub value: T,
    /// The text is not a plain number of the type: the value is what LLPC makes of it.
    pub odd: bool,
}

/// An integer of 64 bits, as C's `strtoll` with any base reads it.
fn whole(text: &str) -> (i128, bool) {
    let (negative, rest) = match text.as_bytes().first() {
        Some(b'-') => (true, &text[1..]),
        Some(b'+') => (false, &text[1..]),
        _ => (false, text),
    };
    let hex = rest.strip_prefix("0x").or_else(|| rest.strip_prefix("0X"));
    let (digits, base) = match hex {
        Some(digits) => (digits, 16),
        None if rest.len() > 1 && rest.starts_with('0') => (&rest[1..], 8),
        None => (rest, 10),
    };
    let end = digits.find(|c: char| !c.is_digit(base)).unwrap_or(digits.len());
    // More digits than any number that is kept has: the value is out of range in any case.
    let value = digits[..end].chars().take(40).filter_map(|c| c.to_digit(base)).fold(0i128, |value, digit| {
        value.saturating_mul(i128::from(base)).saturating_add(i128::from(digit)).min(1 << 100)
    });
    // `010` is 8: read, but hardly what was meant.
    let odd = end < digits.len() || end == 0 || base == 8;
    (if negative { -value } else { value }, odd)
}

/// A 32-bit integer; the sign is the caller's to choose.
pub fn int(text: &str) -> Read<u32> {
    let (value, odd) = whole(text);
    let fits = value >= i128::from(i32::MIN) && value <= i128::from(u32::MAX);
    Read { value: value as u32, odd: odd || !fits }
}

/// A 64-bit integer; the sign is the caller's to choose.
pub fn long(text: &str) -> Read<u64> {
    let (value, odd) = whole(text);
    let fits = value >= i128::from(i64::MIN) && value <= i128::from(u64::MAX);
    Read { value: value as u64, odd: odd || !fits }
}

/// `true`, `false`, or a number that is 0 or not.
pub fn boolean(text: &str) -> Read<bool> {
    match text {
        "true" | "1" => Read { value: true, odd: false },
        "false" | "0" => Read { value: false, odd: false },
        _ => Read { value: int(text).value != 0, odd: true },
    }
}

/// A floating-point number: decimal or hexadecimal.
pub fn float(text: &str) -> Read<f64> {
    let plain = |rest: &&str| !text.contains("0x") && rest.ends_with(|c: char| c.is_ascii_digit() || c == '.');
    let text = text.strip_suffix(['f', 'F']).filter(plain).unwrap_or(text);
    if let Ok(value) = text.parse() {
        return Read { value, odd: false };
    }
    match hexadecimal(text) {
        Some(value) => Read { value, odd: false },
        None => Read { value: number_at_start(text).parse().unwrap_or(0.0), odd: true },
    }
}

/// The longest start of a text that is a decimal number, `inf` or `nan`; nothing where none is.
fn number_at_start(text: &str) -> &str {
    let after = |at: usize, is: fn(&u8) -> bool| {
        at + text.as_bytes().get(at..).unwrap_or(&[]).iter().take_while(|byte| is(byte)).count()
    };
    let is_at = |at: usize, bytes: &[u8]| text.as_bytes().get(at).is_some_and(|byte| bytes.contains(byte));
    let sign = |at: usize| at + usize::from(is_at(at, b"+-"));
    let start = sign(0);
    for word in ["infinity", "inf", "nan"] {
        let end = start + word.len();
        if text.get(start..end).is_some_and(|t| t.eq_ignore_ascii_case(word)) {
            return &text[..end];
        }
    }
    let whole = after(start, u8::is_ascii_digit);
    let point = whole + usize::from(is_at(whole, b"."));
    let mut end = after(point, u8::is_ascii_digit);
    // A point alone is not a number.
    if whole == start && end == point {
        return "";
    }
    if is_at(end, b"eE") {
        let digits = sign(end + 1);
        let exponent = after(digits, u8::is_ascii_digit);
        end = if exponent > digits { exponent } else { end };
    }
    &text[..end]
}

/// `0x1.8p3`.
fn hexadecimal(text: &str) -> Option<f64> {
    let (sign, rest) = text.strip_prefix('-').map_or((1.0, text), |rest| (-1.0, rest));
    let rest = rest.strip_prefix("0x").or_else(|| rest.strip_prefix("0X"))?;
    let (digits, exponent) = match rest.split_once(['p', 'P']) {
        Some((digits, exponent)) => (digits, exponent.parse::<i32>().ok()?),
        None => (rest, 0),
    };
    let (before, after) = digits.split_once('.').unwrap_or((digits, ""));
    if before.is_empty() && after.is_empty() {
        return None;
    }
    let digit = |value: f64, c: char| Some(value * 16.0 + f64::from(c.to_digit(16)?));
    let value = before.chars().chain(after.chars()).take(64).try_fold(0.0, digit)?;
    let shift = exponent.saturating_sub(4 * after.len().min(64) as i32);
    Some(sign * value * f64::from(shift.clamp(-2000, 2000)).exp2())
}

/// The elements of an array. A separator at the end adds an element of zero, as LLPC reads it.
pub fn elements(text: &str) -> impl Iterator<Item = &str> {
    let separator = |c: char| c == ',' || c.is_whitespace();
    let trailing = text.ends_with(separator).then_some("0");
    text.split(separator).filter(|part| !part.is_empty()).chain(trailing)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_integers_as_c_does() {
        for (text, value, odd) in [
            ("12", 12, false),
            ("-3", -3i32 as u32, false),
            ("0x1F", 31, false),
            ("0", 0, false),
            ("010", 8, true),
            ("12abc", 12, true),
            ("0x", 0, true),
            ("5000000000", 705_032_704, true),
            ("yes", 0, true),
            ("4294967295", u32::MAX, false),
            ("99999999999999999999999999999999999999999999999999999999", 0, true),
        ] {
            let read = int(text);
            assert_eq!(read.odd, odd, "{text}");
            if value != 0 || !odd {
                assert_eq!(read.value, value, "{text}");
            }
        }
        assert_eq!(long("0xFFFFFFFFFFFFFFFF"), Read { value: u64::MAX, odd: false });
        assert_eq!(boolean("yes"), Read { value: false, odd: true });
        assert_eq!(boolean("TRUE"), Read { value: false, odd: true });
        assert_eq!(boolean("2"), Read { value: true, odd: true });
    }

    #[test]
    fn reads_floats_and_arrays_as_c_does() {
        for (text, value, odd) in [
            ("1.5", 1.5, false),
            ("-2", -2.0, false),
            ("0x1.8p3", 12.0, false),
            ("1.5f", 1.5, false),
            ("1.5x", 1.5, true),
            ("x", 0.0, true),
        ] {
            assert_eq!(float(text), Read { value, odd }, "{text}");
        }
        assert!(float("inf").value.is_infinite());
        assert_eq!(elements("1, 2, 3,").collect::<Vec<_>>(), ["1", "2", "3", "0"]);
        assert_eq!(elements("1,  2").collect::<Vec<_>>(), ["1", "2"]);
    }

    /// What Rust reads of each start, the longest first, is what one look finds.
    #[test]
    fn reads_the_longest_number_prefix() {
        let texts = "1.5x 1e 1e+ 1e+3z 1.e2e .5. . -. +.5e-3- 12.. inf5 -INFinit infinityx nanx NaN -nan x e5 .e5 0x1 1_0 \
                     + - -+1 1.2.3 7e8e9 9é é";
        for text in texts.split(' ').chain([""]) {
            let ends = (0..=text.len()).rev().filter_map(|end| text.get(..end));
            let longest = ends.into_iter().find(|start| start.parse::<f64>().is_ok()).unwrap_or("");
            assert_eq!(number_at_start(text), longest, "{text}");
        }
        assert!(float(&"9".repeat(1 << 20)).value.is_infinite());
        assert!(float(&("1".repeat(1 << 20) + "x")).odd);
    }
}
