//! Sums over the pipelines of applications, without a driver: what guesses achieve, which cache serves which shader, how many
//! location maps there are.

use lanescope_core::corpus::Row;
use lanescope_core::driver::speculative::corpus::{AllVariants, Search, Timelines};

use crate::folders::is_database;

/// What rows say, summed up by application: a database, or all other files together.
#[derive(Debug, Clone, Default)]
pub struct Survey {
    /// What each combination of guesses achieves.
    pub search: Search,
    /// What the caches serve.
    pub timelines: Timelines,
    /// The location maps.
    pub variants: AllVariants,
}

impl Survey {
    /// Adds the row of the next pipeline.
    pub fn take(&mut self, row: Row) {
        let application = if is_database(row.database.as_ref()) { row.database.as_str() } else { "" };
        if row.guesses.iter().any(|tally| tally.stages > 0) {
            self.search.add(application, &row.guesses);
        }
        if !row.lookups.is_empty() {
            self.timelines.add(application, row.lookups);
        }
        if let Some(variant) = row.variant {
            self.variants.add(&row.pipeline, *variant);
        }
    }
}
