//! Names of chips that only a driver knows.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

/// The longest name, in bytes.
const LONGEST: usize = 32;
/// How many different names one process takes.
const MOST: usize = 256;

/// A chip family by the driver's own name, in lower case: a chip newer, or older, than [`super::TARGETS`] lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FamilyName(&'static str);

impl FamilyName {
    /// A name of at most 32 ASCII letters, digits, `_` and `-`. `None` for anything else, and once a process has taken
    /// 256 different ones.
    pub fn new(name: &str) -> Option<FamilyName> {
        // Names live as long as the process, so that a target stays a plain value: hence both bounds.
        static KNOWN: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
        if name.is_empty() || name.len() > LONGEST || !name.bytes().all(fits) {
            return None;
        }
        let name = name.to_ascii_lowercase();
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = known.get(name.as_str()) {
            return Some(FamilyName(known));
        }
        if known.len() >= MOST {
            return None;
        }
        let name: &'static str = Box::leak(name.into_boxed_str());
        known.insert(name);
        Some(FamilyName(name))
    }

    /// The name.
    pub fn name(self) -> &'static str {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_each_name_once_and_refuses_what_is_not_a_name() {
        let name = FamilyName::new("Hawaii").expect("a name");
        assert_eq!(name.name(), "hawaii");
        assert_eq!(Some(name), FamilyName::new("HAWAII"));
        for bad in ["", "a b", "../x", "naïve", &"x".repeat(33)] {
            assert_eq!(FamilyName::new(bad), None, "{bad:?}");
        }
    }
}
