//! Which chips drivers compile for, and why not for others: plain data.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::offline::Backend;
use lanescope_model::chip::Chip;

/// What this machine offers to compile with.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Installed {
    /// Every chip of the tables, by vendor; empty where drivers were not queried.
    pub chips: Vec<Offered>,
    /// The manifests of Vulkan drivers that the loader finds.
    pub manifests: Vec<PathBuf>,
}

/// A chip, and whether a driver supports it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Offered {
    /// The chip.
    pub chip: Chip,
    /// The device for it, or why there is none.
    pub device: Result<Offer, Unavailable>,
}

/// A device that compiles for a chip.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Offer {
    /// Its name.
    pub name: String,
    /// Its driver.
    pub driver: String,
    /// By which means.
    pub backend: Backend,
    /// It compiles stages apart.
    pub pipeline_libraries: bool,
    /// Where it compiles single stages but no graphics pipeline: the reason, in words.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub no_pipelines: Option<String>,
}

/// Why a chip is not offered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Unavailable {
    /// In words, with the driver's or the loader's own message.
    pub why: String,
    /// The package of Debian and Ubuntu that brings it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub package: Option<String>,
}

impl std::fmt::Display for Unavailable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.package {
            Some(package) => write!(f, "{} (Debian and Ubuntu: package {package})", self.why),
            None => f.write_str(&self.why),
        }
    }
}
