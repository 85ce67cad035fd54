//! Short lists that lie where they are named: most types, addresses and calls have a handful of members, and a module
//! has hundreds of them.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;

/// A list of up to `N` things in place, or of more elsewhere. It is a slice to whoever reads it.
#[derive(Clone)]
pub struct List<T, const N: usize>(Place<T, N>);

#[derive(Clone)]
enum Place<T, const N: usize> {
    Here(u8, [T; N]),
    Elsewhere(Vec<T>),
}

impl<T: Copy + Default, const N: usize> Default for List<T, N> {
    fn default() -> Self {
        List(Place::Here(0, [T::default(); N]))
    }
}

impl<T: Copy + Default, const N: usize> List<T, N> {
    /// An empty list that will have so many members.
    #[inline]
    pub(super) fn of(count: usize) -> Self {
        if count > N { List(Place::Elsewhere(Vec::with_capacity(count))) } else { List::default() }
    }

    /// Adds a member.
    #[inline]
    pub(super) fn push(&mut self, member: T) {
        match &mut self.0 {
            Place::Here(count, here) => match here.get_mut(usize::from(*count)) {
                Some(place) => {
                    *place = member;
                    *count += 1;
                }
                None => {
                    let mut all = Vec::with_capacity(2 * N);
                    all.extend_from_slice(here);
                    all.push(member);
                    self.0 = Place::Elsewhere(all);
                }
            },
            Place::Elsewhere(all) => all.push(member),
        }
    }

    /// The memory that it takes beside its own.
    pub(super) fn bytes(&self) -> usize {
        match &self.0 {
            Place::Here(..) => 0,
            Place::Elsewhere(all) => all.capacity() * size_of::<T>(),
        }
    }
}

impl<T, const N: usize> Deref for List<T, N> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        match &self.0 {
            Place::Here(count, here) => here.get(..usize::from(*count)).unwrap_or_default(),
            Place::Elsewhere(all) => all,
        }
    }
}

impl<'l, T, const N: usize> IntoIterator for &'l List<T, N> {
    type Item = &'l T;
    type IntoIter = std::slice::Iter<'l, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<T: Copy + Default, const N: usize> From<&[T]> for List<T, N> {
    fn from(all: &[T]) -> Self {
        let mut list = List::of(all.len());
        all.iter().for_each(|member| list.push(*member));
        list
    }
}

impl<T: PartialEq, const N: usize> PartialEq for List<T, N> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Eq, const N: usize> Eq for List<T, N> {}

impl<T: Hash, const N: usize> Hash for List<T, N> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}

impl<T: fmt::Debug, const N: usize> fmt::Debug for List<T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_the_same_wherever_it_lies() {
        for count in 0..20u32 {
            let all: Vec<u32> = (0..count).collect();
            let list: List<u32, 4> = all.as_slice().into();
            let mut pushed: List<u32, 4> = List::default();
            all.iter().for_each(|member| pushed.push(*member));
            assert_eq!(&*list, all);
            assert_eq!(pushed, list);
            assert_eq!(list.bytes(), if count > 4 { 4 * count as usize } else { 0 });
        }
    }
}
