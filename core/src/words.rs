//! Words for people.

/// A count with its noun, which takes an `s` unless there is one: `1 call`, `2 calls`.
pub fn counted(count: impl TryInto<u64>, noun: &str) -> String {
    let count = count.try_into().unwrap_or(u64::MAX);
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_one() {
        assert_eq!([0u32, 1, 2].map(|count| counted(count, "call")), ["0 calls", "1 call", "2 calls"]);
    }
}
