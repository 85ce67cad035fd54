//! Registers and their fields as types: a field of another register does not compile, and neither does a misspelt one.

use std::marker::PhantomData;

/// Number of graphics IPs with tables.
pub(super) const IPS: usize = 4;

/// Place of a field that an IP's register lacks.
pub(super) const NO: u8 = u8::MAX;

/// A register, as a type.
pub(super) trait Named {
    /// Its name in the tables.
    const NAME: &'static str;
}

/// A field that register `R` has on each graphics IP that has `R`.
pub(super) struct Field<R> {
    at: [u8; IPS],
    register: PhantomData<fn() -> R>,
}

/// A field that register `R` has on some graphics IPs only.
pub(super) struct OptionalField<R> {
    at: [u8; IPS],
    register: PhantomData<fn() -> R>,
}

impl<R> Field<R> {
    /// A field by its index among the register's fields, for each IP.
    pub(super) const fn at(at: [u8; IPS]) -> Field<R> {
        Field { at, register: PhantomData }
    }

    /// The same field, for code that is shared with a register that may lack it.
    pub(super) const fn optional(self) -> OptionalField<R> {
        OptionalField::at(self.at)
    }
}

impl<R> OptionalField<R> {
    /// A field by its index among the register's fields, for each IP.
    pub(super) const fn at(at: [u8; IPS]) -> OptionalField<R> {
        OptionalField { at, register: PhantomData }
    }
}

/// Where a field is.
pub(super) trait FieldOf<R>: Copy {
    /// Its index among the fields of the IP's register; `None` if that lacks it.
    fn index(self, ip: usize) -> Option<usize>;
}

impl<R> FieldOf<R> for Field<R> {
    fn index(self, ip: usize) -> Option<usize> {
        self.optional().index(ip)
    }
}

impl<R> FieldOf<R> for OptionalField<R> {
    fn index(self, ip: usize) -> Option<usize> {
        self.at.get(ip).filter(|at| **at != NO).map(|at| usize::from(*at))
    }
}

impl<R> Clone for Field<R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R> Copy for Field<R> {}

impl<R> Clone for OptionalField<R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R> Copy for OptionalField<R> {}
