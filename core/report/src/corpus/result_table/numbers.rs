//! A column of numbers, of which many rows have none.

/// What stands for no number among whole ones.
const NONE: u32 = u32::MAX;

/// The numbers of a column by row: four bytes each, or eight where one of them is not a whole number below 2^32 - 1.
/// Rows after the last number take nothing.
#[derive(Debug, Clone, PartialEq)]
pub enum Numbers {
    /// Whole numbers.
    Whole(Vec<u32>),
    /// Any numbers; NaN for none.
    Any(Vec<f64>),
}

impl Default for Numbers {
    fn default() -> Self {
        Numbers::Whole(Vec::new())
    }
}

impl Numbers {
    /// Sets the number of a row, which is not before that of the last call.
    pub fn set(&mut self, row: usize, value: f64) {
        let whole = value as u32;
        let fits = f64::from(whole) == value && whole != NONE && (value != 0.0 || value.is_sign_positive());
        if let Numbers::Whole(all) = self
            && !fits
        {
            let number = |value: &u32| if *value == NONE { f64::NAN } else { f64::from(*value) };
            *self = Numbers::Any(all.iter().map(number).collect());
        }
        match self {
            Numbers::Whole(all) => put(all, row, whole, NONE),
            Numbers::Any(all) => put(all, row, value, f64::NAN),
        }
    }

    /// The number of a row.
    pub fn get(&self, row: usize) -> Option<f64> {
        match self {
            Numbers::Whole(all) => all.get(row).filter(|value| **value != NONE).map(|value| f64::from(*value)),
            Numbers::Any(all) => all.get(row).copied().filter(|value| !value.is_nan()),
        }
    }

    /// Number of rows that take space.
    pub fn len(&self) -> usize {
        match self {
            Numbers::Whole(all) => all.len(),
            Numbers::Any(all) => all.len(),
        }
    }
}

fn put<T: Clone>(all: &mut Vec<T>, row: usize, value: T, none: T) {
    if row >= all.len() {
        all.resize(row, none);
        all.push(value);
    } else if let Some(place) = all.get_mut(row) {
        *place = value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_any_number_and_gaps() {
        let mut numbers = Numbers::default();
        numbers.set(1, 7.0);
        numbers.set(4, f64::from(NONE - 1));
        assert!(matches!(numbers, Numbers::Whole(_)));
        let all = |numbers: &Numbers| (0..7).map(|row| numbers.get(row)).collect::<Vec<_>>();
        let mut expected = [None, Some(7.0), None, None, Some(4_294_967_294.0), None, None];
        assert_eq!(all(&numbers), expected);
        for other in [-1.0, 0.5, -0.0, f64::from(NONE), 1e300] {
            let mut numbers = numbers.clone();
            numbers.set(6, other);
            expected[6] = Some(other);
            assert!(matches!(numbers, Numbers::Any(_)), "{other}");
            assert_eq!(all(&numbers), expected, "{other}");
        }
        assert_eq!((numbers.len(), Numbers::default().get(0)), (5, None));
    }
}
