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

/// A size in the largest unit that it is a whole number of: `256 MiB`, `48 bytes`.
pub fn size(bytes: u64) -> String {
    match bytes {
        0 => "0 bytes".to_owned(),
        bytes if bytes.is_multiple_of(1 << 20) => format!("{} MiB", bytes >> 20),
        bytes if bytes.is_multiple_of(1 << 10) => format!("{} KiB", bytes >> 10),
        bytes => counted(bytes, "byte"),
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
        ] {
            assert_eq!(size(bytes), expected);
        }
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
