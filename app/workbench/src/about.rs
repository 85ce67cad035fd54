//! What this program is made of.

/// Its version.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Its license, as an SPDX expression.
pub const LICENSE: &str = env!("CARGO_PKG_LICENSE");

/// The compilers that are linked in, with their versions, separated by `, `.
pub const COMPILERS: &str = env!("LANESCOPE_COMPILERS");

/// The target triple that it is built for.
pub const TARGET: &str = env!("LANESCOPE_TARGET");

/// The version with the compilers that are linked in, and what it was built for.
pub const BUILD: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    "\ncompilers: ",
    env!("LANESCOPE_COMPILERS"),
    "\nbuilt for ",
    env!("LANESCOPE_TARGET")
);
