//! What the channels of a linked pair are for, by use: both forms of the fragment shader, linked and alone, are followed
//! from what they write down to what they load.
//!
//! Both forms come from one module, so what they write is the same. From there on, operations that are alike (same name,
//! width, constants and indices; of a phi also the same branches) have operands that are alike, until the linked form
//! loads a channel. What the form alone computes in that place is what the channel carries:
//! * a scalar as it is, where nothing is computed, or only what leaves it, as a product with one, or where the stage before
//!   is shown to write there what it writes to the scalar ([`Same`]);
//! * else arithmetic that the driver moved before the rasteriser, of all scalars that it reads.
//!
//! Where the order of operands, or the operations, are not alike, expressions of both forms are found again by what makes
//! them ([`digests`]), or by their values for random inputs ([`values`]).

use std::collections::{BTreeMap, BTreeSet};

mod cover;
mod digests;
mod divergence;
mod operations;
mod order;
mod roots;
mod search;
mod shape;
mod side;
#[cfg(test)]
mod tests;
mod values;

use super::nir::Nir;
use super::reads::loads;
use super::same::Same;
use super::values::Written;
use search::Search;
use side::Side;

/// A channel that a fragment shader loads: attribute, channel, high half.
pub(super) type At = (u32, u8, bool);
/// A scalar as it is named when compiled alone: location, channel, high half.
pub(super) type Scalar = (u32, u8, bool);

/// How often what was found helps to find more.
const ROUNDS: usize = 3;

/// A fragment shader, and what the stage before it writes, where that is one that is looked into. Without it no values are
/// known.
#[derive(Clone, Copy)]
pub(super) struct Pair<'a, 't> {
    pub fragment: &'a Nir<'t>,
    pub before: Option<&'a Written<'t>>,
}

/// Why a scalar needs no channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Folded {
    /// The stage before writes a constant.
    Constant,
    /// The stage before writes what the driver finds to be the same for all invocations of a wave, and the fragment shader
    /// computes it itself.
    Uniform,
}

/// What is found.
#[derive(Debug, Default)]
pub(super) struct Uses {
    /// The scalars that a channel carries as they are.
    pub carries: BTreeMap<At, BTreeSet<Scalar>>,
    /// The scalars that a channel's value is computed from.
    pub made_of: BTreeMap<At, BTreeSet<Scalar>>,
    /// The scalars that no channel is needed for.
    pub folded: BTreeMap<Scalar, Folded>,
}

/// What a pair's channels are for; none of forms that are too large to be followed.
pub(super) fn uses(linked: Pair<'_, '_>, alone: Pair<'_, '_>) -> Option<Uses> {
    // A load that is not understood may be of any channel.
    if [linked, alone].iter().any(|pair| loads(pair.fragment).1) {
        return Some(Uses::default());
    }
    let mut before = linked.before.zip(alone.before).map(|(linked, alone)| {
        let mut same = Same::new(&linked.nir, &alone.nir);
        same.learn(linked.position.iter().copied().zip(alone.position.iter().copied()));
        same
    });
    let mut fragment = Same::new(linked.fragment, alone.fragment);
    let alone = Side::alone(alone)?;
    let mut out = None;
    for _ in 0..ROUNDS {
        let linked = Side::linked(linked, before.as_ref(), &fragment)?;
        let found = Search::new(&linked, &alone, before.as_mut()).all()?;
        if let Some(before) = &mut before {
            before.learn(found.moved.into_iter());
        }
        fragment.learn(found.plain.into_iter());
        out = Some(found.uses);
    }
    out
}
