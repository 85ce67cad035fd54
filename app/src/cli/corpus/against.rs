//! What a result is compared with: another result, or the same pipelines measured in another way.

use std::path::PathBuf;
use std::str::FromStr;

use clap::Parser;
use lanescope_core::chip::Chip;
use lanescope_core::driver::{Version, installed};
use lanescope_core::options::PackingOrder;

use crate::cli::CliError;
use crate::cli::args::OptionArgs;
use lanescope_host::corpus::Settings;

/// The side before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Against {
    /// A result; a folder or a database, which is measured the same way.
    Result(PathBuf),
    /// Another chip.
    Chip(Chip),
    /// Another driver, by its manifest.
    Icd(PathBuf),
    /// Another version of the programs.
    Variant(Version),
    /// Another order of the packing classes.
    Order(PackingOrder),
    /// Other options, as on the command line.
    Options(String),
}

impl FromStr for Against {
    type Err = String;

    fn from_str(text: &str) -> Result<Against, String> {
        let Some((key, value)) = text.split_once('=') else { return Ok(Against::Result(PathBuf::from(text))) };
        match key {
            "chip" => Chip::of_driver(value)
                .map(Against::Chip)
                .ok_or_else(|| format!("`{value}` is not a chip name: expected letters and digits")),
            "icd" => Ok(Against::Icd(PathBuf::from(value))),
            "variant" => value.parse().map(Against::Variant),
            "order" => value.parse().map(Against::Order),
            "options" => Ok(Against::Options(value.to_owned())),
            _ => Ok(Against::Result(PathBuf::from(text))),
        }
    }
}

/// The options of the other side.
#[derive(Debug, Parser)]
#[command(name = "--against options=", disable_help_flag = true, disable_version_flag = true)]
struct Side {
    #[command(flatten)]
    options: OptionArgs,
}

impl Against {
    /// The settings of the side before; `None` where it is a result.
    ///
    /// # Errors
    /// A driver that is not among the settings; options that are not valid.
    pub fn side(&self, settings: &Settings) -> Result<Option<Settings>, CliError> {
        let mut side = settings.clone();
        if matches!(self, Against::Chip(_) | Against::Icd(_) | Against::Variant(_)) && side.drivers.is_empty() {
            let why = "--against: no driver to compare (expected --chip, --device or --icd as well)";
            return Err(CliError::Unusable(why.to_owned()));
        }
        match self {
            Against::Result(_) => return Ok(None),
            Against::Chip(chip) => {
                // Drivers have statistics of their own: nothing would be compared.
                let others = side.drivers.iter().filter_map(|driver| driver.with.chip);
                if let Some(other) = others.into_iter().find(|other| other.vendor() != chip.vendor()) {
                    return Err(CliError::Unusable(format!(
                        "--against chip={chip}: {} has other statistics than {}, which compiles for {other}; expected a chip \
                         of the same vendor",
                        chip.driver(),
                        other.driver(),
                    )));
                }
                for driver in &mut side.drivers {
                    (driver.with.chip, driver.with.device) = (Some(*chip), None);
                    driver.place = Some(chip.to_string());
                }
            }
            Against::Icd(manifest) if !manifest.is_file() => {
                let why = format!("{}: not a file (expected the manifest of a Vulkan driver)", manifest.display());
                return Err(CliError::Unusable(why));
            }
            Against::Icd(manifest) => {
                for driver in &mut side.drivers {
                    driver.with.icd = Some(manifest.clone());
                    driver.with.chip =
                        driver.with.chip.filter(|chip| installed::driver_of(manifest) == Some(chip.driver()));
                }
            }
            Against::Variant(version) => {
                side.drivers.iter_mut().for_each(|driver| driver.versions = vec![*version]);
            }
            Against::Order(order) => side.options.order = *order,
            Against::Options(text) => {
                let words = std::iter::once("--against options=").chain(text.split_whitespace());
                let parsed = Side::try_parse_from(words).map_err(|error| {
                    let text = error.render().to_string();
                    CliError::Unusable(format!("--against: {}", text.trim_start_matches("error: ").trim_end()))
                })?;
                parsed.options.check_target()?;
                parsed.options.no_spec_names("corpus")?;
                side.options = parsed.options.options();
                side.own_options = parsed.options.own_options();
            }
        }
        Ok(Some(side))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_results_and_other_ways_to_measure() {
        let parsed = |text: &str| text.parse::<Against>();
        assert_eq!(parsed("a.jsonl"), Ok(Against::Result("a.jsonl".into())));
        assert_eq!(parsed("a=b.jsonl"), Ok(Against::Result("a=b.jsonl".into())));
        assert_eq!(parsed("chip=navi21"), Ok(Against::Chip(lanescope_core::target::Target::Gfx1030.into())));
        assert_eq!(parsed("order=design-note"), Ok(Against::Order(PackingOrder::DesignNote)));
        assert_eq!(parsed("variant=packed"), Ok(Against::Variant(Version::Packed)));
        assert!(parsed("variant=x").is_err_and(|why| why.contains("original, packed, swizzled")));
        assert!(parsed("chip=a/b").is_err_and(|why| why.contains("not a chip name")));
    }
}
