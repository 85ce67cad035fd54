//! The shaders of a row: a line of CSV, and a row of the table, for each.

use super::row::{DriverRow, Row};
use lanescope_driver::{Value, Version};
use lanescope_model::program::StageKind;

/// One executable of a driver's result; without drivers one stage, or what was not read.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Shader<'r> {
    /// The driver's name of the executable, or the stage. Empty where nothing was read.
    pub name: &'r str,
    /// The chip or device. Empty without a driver.
    pub place: &'r str,
    /// The version of the program that a driver compiled.
    pub variant: Option<Version>,
    /// Lanes of its waves, where a driver says so.
    pub subgroup: Option<u64>,
    /// Nanoseconds of pipeline creation. The same for all executables of a pipeline.
    pub time: Option<u64>,
    /// Why there is no result. Empty if there is one.
    pub failure: &'r str,
    /// Its numbers by statistic: those that are computed, then the driver's, hashes too.
    pub values: Vec<(&'r str, Value)>,
}

impl Row {
    /// The shaders: each executable of each driver; without drivers each stage. At least one.
    ///
    /// What is computed of a stage is with the driver's executable that has the stage in its name, else with the first
    /// one; what is computed of the whole pipeline is with the first one.
    pub fn shaders(&self) -> Vec<Shader<'_>> {
        let mut out = Vec::new();
        for driver in &self.drivers {
            let first = out.len();
            let failure = driver.failure.as_deref().unwrap_or_default();
            if driver.executables.is_empty() {
                out.push(Shader { failure, ..Shader::of_driver(driver) });
            }
            for executable in &driver.executables {
                out.push(Shader {
                    name: &executable.name,
                    subgroup: Some(executable.subgroup_size.into()),
                    failure,
                    ..Shader::of_driver(driver)
                });
            }
            self.add_own(out.get_mut(first..).unwrap_or_default());
            if let Some(shader) = out.get_mut(first + driver.fragment()) {
                driver.slot_values().for_each(|(name, value)| shader.values.push((name, value)));
            }
            for (shader, executable) in out.iter_mut().skip(first).zip(&driver.executables) {
                let values = executable.statistics.0.iter();
                shader.values.extend(values.map(|(name, value)| (name.as_str(), *value)));
            }
        }
        if self.drivers.is_empty() {
            let failure = self.failure.as_deref().unwrap_or_default();
            let none = Shader { failure, ..Shader::default() };
            out.extend(self.stages.iter().map(|stage| Shader { name: stage.stage.name(), ..none.clone() }));
            if out.is_empty() {
                out.push(none);
            }
            self.add_own(&mut out);
        }
        out
    }

    /// The titles of [`Row::texts`].
    pub const TEXTS: [&'static str; 6] =
        ["Tiles", "Guessed layout", "Not packed", "Findings by code", "Disagreements", "Recommended layout"];

    /// What is measured of a shader as text, in the order of [`Row::TEXTS`]; empty where there is nothing to say. What
    /// belongs to the whole pipeline is with its first shader.
    pub fn texts(&self, shader: &Shader<'_>, is_first: bool) -> [String; 6] {
        let name = shader.name.to_ascii_lowercase();
        let stage = self.stages.iter().find(|stage| name.contains(stage.stage.name()));
        let is_fragment = name.contains(StageKind::Fragment.name());
        let tiles = stage.and_then(|stage| Some(stage.workgroup.as_ref()?.tiles.clone()));
        let layout = stage.and_then(|stage| stage.layout.as_ref()).map(|layout| {
            let usable = if layout.usable == Some(true) { "usable" } else { "guessed" };
            match (layout.guessed, layout.hit, layout.broken) {
                (false, ..) => "not guessed",
                (true, Some(true), _) => "hit",
                (true, _, Some(broken)) if layout.usable != Some(true) => broken.name(),
                _ => usable,
            }
        });
        let packing = self.packing.as_ref().filter(|_| is_fragment);
        let codes = self.findings.iter().filter(|_| is_first).map(|(code, count)| match count {
            1 => code.clone(),
            count => format!("{code} ×{count}"),
        });
        let own = |driver: &&DriverRow| driver.place == shader.place && Some(driver.variant) == shader.variant;
        let disagreements = self.drivers.iter().find(own).map(|driver| driver.disagreements.join(" "));
        [
            tiles.unwrap_or_default(),
            layout.unwrap_or_default().to_owned(),
            packing.and_then(|packing| packing.fallback).map(|why| why.name().to_owned()).unwrap_or_default(),
            codes.collect::<Vec<_>>().join(" "),
            disagreements.unwrap_or_default(),
            self.accesses.as_ref().filter(|_| is_first).map(|accesses| accesses.advice()).unwrap_or_default(),
        ]
    }

    /// Adds what is computed to the shaders that it is of.
    fn add_own<'r>(&'r self, shaders: &mut [Shader<'r>]) {
        for (of, name, value) in self.own_values() {
            let names = |shader: &Shader<'_>| !of.is_empty() && shader.name.to_ascii_lowercase().contains(of);
            let at = shaders.iter().position(names).unwrap_or(0);
            if let Some(shader) = shaders.get_mut(at) {
                shader.values.push((name, value));
            }
        }
    }
}

impl<'r> Shader<'r> {
    fn of_driver(driver: &'r DriverRow) -> Shader<'r> {
        let (place, variant, time) = (driver.place.as_str(), Some(driver.variant), driver.nanoseconds);
        Shader { place, variant, time, ..Shader::default() }
    }
}
