//! GPUs that drivers compile for without the hardware, of all vendors. Layout and registers are modelled for AMD's
//! alone, which are a [`Target`].

use std::fmt;
use std::str::FromStr;

use lanescope_base::named_enum;
use serde::{Deserialize, Serialize};

use crate::target::{TARGETS, Target, plain};

mod table;

pub use table::{INTEL_GPU, OTHERS, OtherInfo};

named_enum!(
    /// Who makes the GPU.
    Vendor {
        /// AMD: Mesa's RADV.
        Amd = "amd",
        /// Intel: Mesa's ANV, and HASVK for generations before Skylake.
        Intel = "intel",
        /// NVIDIA: Mesa's NVK.
        Nvidia = "nvidia",
        /// Qualcomm: Mesa's Turnip.
        Qualcomm = "qualcomm",
        /// Apple: Mesa's Honeykrisp.
        Apple = "apple",
    }
);

named_enum!(
    /// A driver of Mesa, by the name that Mesa gives it.
    Driver {
        /// AMD's.
        Radv = "RADV",
        /// Intel's, from Skylake on.
        Anv = "ANV",
        /// Intel's, before Skylake.
        Hasvk = "HASVK",
        /// NVIDIA's.
        Nvk = "NVK",
        /// Qualcomm's.
        Turnip = "Turnip",
        /// Apple's.
        Honeykrisp = "Honeykrisp",
    }
);

impl Driver {
    /// Whose chips it compiles for.
    pub fn vendor(self) -> Vendor {
        match self {
            Driver::Radv => Vendor::Amd,
            Driver::Anv | Driver::Hasvk => Vendor::Intel,
            Driver::Nvk => Vendor::Nvidia,
            Driver::Turnip => Vendor::Qualcomm,
            Driver::Honeykrisp => Vendor::Apple,
        }
    }

    /// The file of its library, without `.so`: which of the installed manifests is the driver's.
    pub fn library(self) -> &'static str {
        match self {
            Driver::Radv => "libvulkan_radeon",
            Driver::Anv => "libvulkan_intel",
            Driver::Hasvk => "libvulkan_intel_hasvk",
            Driver::Nvk => "libvulkan_nouveau",
            Driver::Turnip => "libvulkan_freedreno",
            Driver::Honeykrisp => "libvulkan_asahi",
        }
    }

    /// Whether the name of its device contains the [id](OtherInfo::id) of the chip.
    pub fn names_chips(self) -> bool {
        matches!(self, Driver::Turnip | Driver::Honeykrisp)
    }
}

impl Vendor {
    /// The vendor's name as people write it.
    pub fn title(self) -> &'static str {
        match self {
            Vendor::Amd => "AMD",
            Vendor::Intel => "Intel",
            Vendor::Nvidia => "NVIDIA",
            Vendor::Qualcomm => "Qualcomm",
            Vendor::Apple => "Apple",
        }
    }
}

/// A GPU that a driver may compile for. In order of vendor, then of the tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Chip {
    /// AMD's: a target of the model too.
    Amd(Target),
    /// Another vendor's.
    Other(Other),
}

/// A row of [`OTHERS`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Other(usize);

impl Other {
    /// All of them, by vendor.
    pub fn all() -> impl Iterator<Item = Other> {
        (0..OTHERS.len()).map(Other)
    }

    /// Its row.
    pub fn info(self) -> &'static OtherInfo {
        &OTHERS[self.0]
    }
}

impl From<Target> for Chip {
    fn from(target: Target) -> Chip {
        Chip::Amd(target)
    }
}

impl Chip {
    /// The name that reports write and flags take.
    pub fn name(self) -> &'static str {
        match self {
            Chip::Amd(target) => target.name(),
            Chip::Other(other) => other.info().name,
        }
    }

    /// Who makes it.
    pub fn vendor(self) -> Vendor {
        match self {
            Chip::Amd(_) => Vendor::Amd,
            Chip::Other(other) => other.info().driver.vendor(),
        }
    }

    /// Other names that flags take.
    pub fn aliases(self) -> &'static [&'static str] {
        match self {
            Chip::Amd(target) => target.info().aliases,
            Chip::Other(other) => other.info().aliases,
        }
    }

    /// The driver that compiles for it.
    pub fn driver(self) -> Driver {
        match self {
            Chip::Amd(_) => Driver::Radv,
            Chip::Other(other) => other.info().driver,
        }
    }

    /// What it is, in a few words.
    pub fn about(self) -> &'static str {
        match self {
            Chip::Amd(target) => target.info().about,
            Chip::Other(other) => other.info().about,
        }
    }

    /// The target of the model; none for another vendor's.
    pub fn target(self) -> Option<Target> {
        match self {
            Chip::Amd(target) => Some(target),
            Chip::Other(_) => None,
        }
    }

    /// The chip of that name: one of a table, else one that AMD's driver may know. `None` for what cannot be a name.
    pub fn of_driver(name: &str) -> Option<Chip> {
        let wanted = plain(name);
        let is = |row: &OtherInfo| row.names().any(|name| plain(name) == wanted);
        let known = name.parse().ok().map(Chip::Amd);
        let other = || Other::all().find(|other| is(other.info())).map(Chip::Other);
        known.or_else(other).or_else(|| Target::of_driver(name).map(Chip::Amd))
    }

    /// Every chip of the tables, by vendor.
    pub fn all() -> impl Iterator<Item = Chip> {
        TARGETS.iter().map(|row| Chip::Amd(row.target)).chain(Other::all().map(Chip::Other))
    }
}

impl fmt::Display for Chip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Text that is no chip's name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a chip name: expected letters and digits")]
pub struct NotAChip(String);

impl FromStr for Chip {
    type Err = NotAChip;

    fn from_str(name: &str) -> Result<Chip, NotAChip> {
        Chip::of_driver(name).ok_or_else(|| NotAChip(name.to_owned()))
    }
}

impl Serialize for Chip {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

lanescope_base::text_schema!(Chip: "chip: AMD's by its LLVM name, another vendor's by the name in `lanescope help targets`");

impl<'de> Deserialize<'de> for Chip {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_leads_to_one_chip() {
        let mut seen = std::collections::BTreeMap::new();
        for target in TARGETS {
            for name in std::iter::once(&target.name).chain(target.aliases) {
                seen.insert(plain(name), Chip::Amd(target.target));
            }
        }
        for other in Other::all() {
            let chip = Chip::Other(other);
            for name in other.info().names() {
                assert!(seen.insert(plain(name), chip).is_none(), "{name} appears twice");
                assert_eq!(name.to_uppercase().parse(), Ok(chip));
            }
            let text = serde_json::to_string(&chip).expect("writes");
            assert_eq!(serde_json::from_str::<Chip>(&text).expect("reads"), chip);
        }
        assert_eq!("navi 21".parse(), Ok(Chip::Amd(Target::Gfx1030)));
        assert_eq!("Hawaii".parse::<Chip>().map(Chip::vendor), Ok(Vendor::Amd));
        assert!("a/b".parse::<Chip>().is_err());
    }

    #[test]
    fn chips_are_in_order_of_their_vendors() {
        let all: Vec<Chip> = Chip::all().collect();
        assert!(all.windows(2).all(|two| two[0] < two[1] && two[0].vendor() <= two[1].vendor()));
        for vendor in Vendor::ALL {
            assert!(all.iter().any(|chip| chip.vendor() == *vendor), "{vendor}");
        }
    }
}
