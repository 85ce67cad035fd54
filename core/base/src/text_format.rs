//! Numbers as text: counts with their noun, sizes with their unit.

/// A count with its noun: `1 function`, `3 functions`, `2 branches`, `2 memory accesses`, `2 entries`.
pub fn counted(count: impl Into<Count>, noun: &str) -> String {
    let Count(count) = count.into();
    if count == 1 { format!("1 {noun}") } else { format!("{count} {}", plural(noun)) }
}

/// A noun with its article, by its first letter: `an image`. A `u` is taken for that of `a uniform`.
pub fn with_article(noun: &str) -> String {
    let article = if noun.starts_with(['a', 'e', 'i', 'o']) { "an" } else { "a" };
    format!("{article} {noun}")
}

/// A size in the largest unit that it is a whole number of, or from 1 MiB on with one decimal: `256 MiB`, `48 bytes`,
/// `1.5 GiB`.
pub fn size(bytes: u64) -> String {
    const KIB: u64 = 1 << 10;
    const MIB: u64 = 1 << 20;
    const GIB: u64 = 1 << 30;
    match bytes {
        0 => "0 bytes".to_owned(),
        GIB.. if bytes.is_multiple_of(GIB) => format!("{} GiB", bytes / GIB),
        MIB.. if bytes.is_multiple_of(MIB) => format!("{} MiB", bytes / MIB),
        KIB..MIB if bytes.is_multiple_of(KIB) => format!("{} KiB", bytes / KIB),
        GIB.. => format!("{:.1} GiB", bytes as f64 / GIB as f64),
        MIB.. => format!("{:.1} MiB", bytes as f64 / MIB as f64),
        bytes => counted(bytes, "byte"),
    }
}

/// A duration: `1.5 µs`, `2.25 ms`, `870 ms`, `4.2 s`, `3 min 32 s`, `2 h 5 min`.
pub fn duration(nanoseconds: u64) -> String {
    match nanoseconds {
        0 => "0 µs".to_owned(),
        1..10_000 => format!("{:.1} µs", nanoseconds as f64 / 1e3),
        10_000..1_000_000 => format!("{:.0} µs", nanoseconds as f64 / 1e3),
        1_000_000..100_000_000 => format!("{:.2} ms", nanoseconds as f64 / 1e6),
        _ => milliseconds(nanoseconds.saturating_add(500_000) / 1_000_000),
    }
}

/// A duration that is known in whole milliseconds: `0 ms`, `87 ms`, `4.2 s`, `3 min 32 s`.
pub fn milliseconds(milliseconds: u64) -> String {
    let seconds = milliseconds.saturating_add(500) / 1000;
    match milliseconds {
        0..1000 => format!("{milliseconds} ms"),
        1000..59_950 => format!("{:.1} s", milliseconds as f64 / 1e3),
        59_950..3_599_500 => format!("{} min {} s", seconds / 60, seconds % 60),
        _ => {
            let minutes = seconds.saturating_add(30) / 60;
            format!("{} h {} min", minutes / 60, minutes % 60)
        }
    }
}

/// A count with its noun.
#[derive(Debug, Clone, Copy)]
pub struct Count(u64);

impl From<usize> for Count {
    fn from(count: usize) -> Self {
        Count(count as u64)
    }
}

impl From<u64> for Count {
    fn from(count: u64) -> Self {
        Count(count)
    }
}

impl From<u32> for Count {
    fn from(count: u32) -> Self {
        Count(count.into())
    }
}

/// A noun in the plural, by the rules that its end asks for.
fn plural(noun: &str) -> String {
    let hisses = ["s", "x", "ch", "sh"].iter().any(|end| noun.ends_with(end));
    if let Some(before) = noun.strip_suffix("vertex") {
        return format!("{before}vertices");
    }
    let vowel = |before: &str| before.ends_with(['a', 'e', 'i', 'o', 'u']);
    match noun.strip_suffix('y') {
        Some(before) if !vowel(before) => format!("{before}ies"),
        _ if hisses => format!("{noun}es"),
        _ => format!("{noun}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_sizes_with_units() {
        for (bytes, expected) in [
            (0, "0 bytes"),
            (1, "1 byte"),
            (1000, "1000 bytes"),
            (1 << 10, "1 KiB"),
            (1 << 28, "256 MiB"),
            (1536, "1536 bytes"),
            (300 << 20, "300 MiB"),
            ((300 << 20) + 1, "300.0 MiB"),
            (1 << 31, "2 GiB"),
            (3 << 29, "1536 MiB"),
            ((3 << 29) + 1, "1.5 GiB"),
        ] {
            assert_eq!(size(bytes), expected);
        }
    }

    #[test]
    fn formats_durations_with_units() {
        for (nanoseconds, expected) in [
            (0, "0 µs"),
            (1_500, "1.5 µs"),
            (870_000, "870 µs"),
            (2_250_000, "2.25 ms"),
            (870_000_000, "870 ms"),
            (4_200_000_000, "4.2 s"),
            (59_949_000_000, "59.9 s"),
            (59_999_000_000, "1 min 0 s"),
            (211_705_000_000, "3 min 32 s"),
            (3_599_600_000_000, "1 h 0 min"),
            (7_500_000_000_000, "2 h 5 min"),
        ] {
            assert_eq!(duration(nanoseconds), expected);
        }
        assert_eq!([0, 87, 999, 1000].map(milliseconds), ["0 ms", "87 ms", "999 ms", "1.0 s"]);
        assert!(duration(u64::MAX).ends_with(" min"));
    }

    #[test]
    fn adds_article_to_nouns() {
        let all = ["image", "uniform_block", "sampler"].map(with_article);
        assert_eq!(all, ["an image", "a uniform_block", "a sampler"]);
    }

    #[test]
    fn adds_plural_to_nouns() {
        for (count, noun, expected) in [
            (0_u32, "row", "0 rows"),
            (1, "row", "1 row"),
            (2, "branch", "2 branches"),
            (1, "branch", "1 branch"),
            (3, "memory access", "3 memory accesses"),
            (2, "entry", "2 entries"),
            (2, "array", "2 arrays"),
            (2, "vertex", "2 vertices"),
        ] {
            assert_eq!(counted(count, noun), expected);
        }
    }
}
