//! Which drivers' texts are interpreted, and which versions of them the readers were tested on.
//!
//! RADV's assembly is read as its compiler ACO makes it ([`super::isa`]), and those of the dialects of [`super::texts`].
//! What a version outside the table prints is still read and shown, but its facts are marked as those of a version that is
//! not verified, and any line that has no fact is named. Statistics and texts of other drivers are shown as they are.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::DriverStage;
use super::isa::{IsaFacts, Unread};
use super::texts::{Dialect, not_understood};
use lanescope_passes::findings::{Finding, NOT_UNDERSTOOD};

/// A version of Mesa.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct MesaVersion {
    /// 22 of 22.3.6.
    pub major: u16,
    /// 3 of 22.3.6.
    pub minor: u16,
    /// 6 of 22.3.6; 0 where none is given.
    pub patch: u16,
}

/// Whether something that is read from a driver's output can be relied on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum Verified {
    /// The driver's version is one that was tested, and every line is understood.
    Yes,
    /// Facts may be missing or wrong.
    No {
        /// Why, as a clause: `Mesa 27.0.0 is not a verified version (22.3, 25.0, 26.1 to 26.2)`.
        reason: String,
        /// The first line that is not understood, if any.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        unread: Option<Unread>,
    },
    /// Output of another driver or compiler: shown as is.
    NotInterpreted,
}

/// What a range of versions was tested for.
struct Tested {
    /// What the driver prints.
    dialect: Dialect,
    /// The first and last minor version, as major and minor.
    versions: [(u16, u16); 2],
    /// With what the assembly reader was tested: releases, and the disassembler's generations of LLVM.
    assembly: Option<&'static str>,
    /// With what the replay of the linker was.
    linker: Option<&'static str>,
}

/// The one table of verified versions.
const TESTED: [Tested; 8] = [
    amd([(22, 3), (22, 3)], "22.3.6, LLVM 15", Some("22.3.6")),
    amd([(25, 0), (25, 0)], "25.0.7, LLVM 19", None),
    amd([(26, 1), (26, 2)], "26.1.6 and 26.2.6, LLVM 19 to 22", None),
    other(Dialect::Nak, [(26, 2), (26, 2)], "26.2.6"),
    other(Dialect::Ir3, [(26, 2), (26, 2)], "26.2.6"),
    other(Dialect::Gen, [(22, 3), (22, 3)], "22.3.6"),
    other(Dialect::Gen, [(25, 0), (25, 0)], "25.0.7"),
    other(Dialect::Gen, [(26, 1), (26, 2)], "26.1.6 and 26.2.6"),
];

const fn amd(versions: [(u16, u16); 2], assembly: &'static str, linker: Option<&'static str>) -> Tested {
    Tested { dialect: Dialect::Amd, versions, assembly: Some(assembly), linker }
}

const fn other(dialect: Dialect, versions: [(u16, u16); 2], assembly: &'static str) -> Tested {
    Tested { dialect, versions, assembly: Some(assembly), linker: None }
}

impl MesaVersion {
    /// The version that a driver's text names: `radv Mesa 22.3.6`, `Mesa 25.0.7-2`, `Mesa 26.3.0-devel (git-0123456789)`.
    pub fn of(driver: &str) -> Option<MesaVersion> {
        // A driver's own name may have the word too: `turnip Mesa driver Mesa 26.2.6`.
        let (_, version) = driver.rsplit_once("Mesa ")?;
        let end = version.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(version.len());
        let mut numbers = version.get(..end)?.split('.').map(|number| number.parse::<u16>());
        let (major, minor) = (numbers.next()?.ok()?, numbers.next()?.ok()?);
        let patch = numbers.next().and_then(Result::ok).unwrap_or(0);
        Some(MesaVersion { major, minor, patch })
    }
}

impl std::fmt::Display for MesaVersion {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(&format!("{}.{}.{}", self.major, self.minor, self.patch))
    }
}

/// Whether the reader of assembly was tested on a driver's version. `driver` is its name and version, as in
/// [`super::Compilation::driver`].
pub fn assembly(driver: &str) -> Verified {
    verified(driver, |tested| tested.assembly)
}

/// Whether the replay of the linker, which places varyings without the driver's output, was tested on its version.
pub fn linker(driver: &str) -> Verified {
    verified(driver, |tested| tested.linker)
}

/// Whether one listing is verified: its version, and whether each of its lines is understood.
pub fn listing(driver: &str, text: &str, facts: &IsaFacts) -> Verified {
    let of_version = assembly(driver);
    let reason = match &of_version {
        Verified::NotInterpreted => return of_version,
        Verified::No { reason, .. } => Some(reason.clone()),
        Verified::Yes => None,
    };
    match (reason, not_understood(text, facts)) {
        (None, None) if facts.instructions.is_empty() => Verified::NotInterpreted,
        (None, None) => Verified::Yes,
        (Some(reason), unread) => Verified::No { reason, unread },
        (None, Some(unread)) => Verified::No { reason: "a line is not understood".to_owned(), unread: Some(unread) },
    }
}

fn verified(driver: &str, tested: impl Fn(&Tested) -> Option<&'static str>) -> Verified {
    let no = |reason: String| Verified::No { reason, unread: None };
    let Some(dialect) = Dialect::of(driver) else { return Verified::NotInterpreted };
    // RADV names LLVM where that compiles shaders, and ACO does not.
    if dialect.is_amd() && driver.contains("(LLVM") {
        return no("the driver compiles with LLVM instead of ACO".to_owned());
    }
    let Some(version) = MesaVersion::of(driver) else {
        return no(format!("`{driver}` names no Mesa version"));
    };
    let minor = (version.major, version.minor);
    let known = |row: &&Tested| row.dialect == dialect && tested(row).is_some();
    if TESTED.iter().filter(known).any(|row| (row.versions[0]..=row.versions[1]).contains(&minor)) {
        return Verified::Yes;
    }
    let range = |row: &Tested| match row.versions {
        [(major, minor), last] if (major, minor) == last => format!("{major}.{minor}"),
        [(major, minor), (to_major, to_minor)] => format!("{major}.{minor} to {to_major}.{to_minor}"),
    };
    let all: Vec<String> = TESTED.iter().filter(known).map(range).collect();
    no(format!("Mesa {version} is not a verified version ({})", all.join(", ")))
}

impl Verified {
    /// The state and the reason as text.
    pub fn text(&self) -> String {
        match self {
            Verified::Yes => "verified".to_owned(),
            Verified::No { reason, unread: None } => format!("not verified: {reason}"),
            Verified::No { reason, unread: Some(unread) } => format!("not verified: {reason}; {}", unread.describe()),
            Verified::NotInterpreted => "not interpreted".to_owned(),
        }
    }

    /// Whether all facts can be relied on.
    pub fn is_yes(&self) -> bool {
        matches!(self, Verified::Yes)
    }
}

impl Unread {
    /// The line from 1, its text, and what about it is not understood.
    pub fn describe(&self) -> String {
        format!("line {} `{}` is {}", self.line.saturating_add(1), self.text, self.why)
    }
}

/// One finding for each place and driver whose assembly is not fully understood, with the first line that was not.
pub fn findings(rows: &[DriverStage]) -> Vec<Finding> {
    let mut known: Vec<(&str, &str)> = Vec::new();
    let mut out = Vec::new();
    // A line says more than a version: rows that have one come first.
    let unread = |row: &&DriverStage| !matches!(row.verified, Some(Verified::No { unread: Some(_), .. }));
    let mut rows: Vec<&DriverStage> = rows.iter().collect();
    rows.sort_by_key(unread);
    for row in rows {
        let Some(Verified::No { reason, unread }) = &row.verified else { continue };
        let place = (row.place(), row.driver.as_str());
        if known.contains(&place) {
            continue;
        }
        known.push(place);
        let line = match unread {
            Some(unread) => format!("the {} {}: {}", row.of, row.title(), unread.describe()),
            None => "all lines are understood".to_owned(),
        };
        let text = format!("assembly of {} for {} is not fully understood: {reason}; {line}", row.driver, row.place());
        out.push(NOT_UNDERSTOOD.at(Some(row.stage), None, text));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::isa::read;
    use super::super::{Compilation, CompiledPipeline, Executable, Link, Representation, Version};
    use super::*;
    use lanescope_model::program::StageKind;

    #[test]
    fn versions_are_read_from_the_drivers_text() {
        let version = |major, minor, patch| Some(MesaVersion { major, minor, patch });
        for (text, expected) in [
            ("radv Mesa 22.3.6", version(22, 3, 6)),
            ("Mesa 25.0.7-2", version(25, 0, 7)),
            ("radv Mesa 25.0.7-2+deb13u1", version(25, 0, 7)),
            ("radv Mesa 26.3.0-devel (git-0123456789)", version(26, 3, 0)),
            ("radv Mesa 24.1", version(24, 1, 0)),
            ("radv", None),
            ("radv Mesa x", None),
            ("turnip Mesa driver Mesa 26.2.6-1", version(26, 2, 6)),
            ("Intel open-source Mesa driver Mesa 22.3.6", version(22, 3, 6)),
            ("radv Mesa 99999999.1.2", None),
            ("NVIDIA 535.54.03", None),
        ] {
            assert_eq!(MesaVersion::of(text), expected, "{text}");
        }
    }

    #[test]
    fn versions_outside_the_table_are_named() {
        for driver in ["radv Mesa 22.3.6", "radv Mesa 25.0.7-2+deb13u1", "radv Mesa 26.1.6-1", "radv Mesa 26.2.6-1"] {
            assert_eq!(assembly(driver), Verified::Yes, "{driver}");
        }
        assert_eq!(assembly("NVK Mesa 26.2.6-1"), Verified::Yes);
        let nvk = assembly("NVK Mesa 24.1.0").text();
        assert_eq!(nvk, "not verified: Mesa 24.1.0 is not a verified version (26.2)");
        // Of other vendors no linker is replayed.
        assert!(!linker("NVK Mesa 26.2.6-1").is_yes());
        for version in ["22.3.6", "25.0.7-2", "26.1.6-1", "26.2.6-1"] {
            assert_eq!(assembly(&format!("Intel open-source Mesa driver Mesa {version}")), Verified::Yes, "{version}");
        }
        let intel = assembly("Intel open-source Mesa driver Mesa 24.1.0").text();
        assert_eq!(intel, "not verified: Mesa 24.1.0 is not a verified version (22.3, 25.0, 26.1 to 26.2)");
        assert_eq!(linker("radv Mesa 22.3.6"), Verified::Yes);
        assert!(!linker("radv Mesa 25.0.7").is_yes());
        for (driver, text) in [
            ("radv Mesa 27.0.0", "not verified: Mesa 27.0.0 is not a verified version (22.3, 25.0, 26.1 to 26.2)"),
            ("radv Mesa 24.3.4", "not verified: Mesa 24.3.4 is not a verified version (22.3, 25.0, 26.1 to 26.2)"),
            ("radv Mesa 22.3.6 (LLVM 15.0.6)", "not verified: the driver compiles with LLVM instead of ACO"),
            ("radv", "not verified: `radv` names no Mesa version"),
            ("llvmpipe Mesa 22.3.6 (LLVM 15.0.6)", "not interpreted"),
            ("NVIDIA 535.54.03", "not interpreted"),
        ] {
            assert_eq!(assembly(driver).text(), text, "{driver}");
        }
    }

    #[test]
    fn a_line_that_is_not_understood_makes_a_listing_unverified() {
        let listing = |driver: &str, line: &str| {
            let text = format!("BB0:\n\t{line}\n\ts_endpgm\n");
            listing(driver, &text, &read(&text, StageKind::Fragment))
        };
        assert_eq!(listing("radv Mesa 22.3.6", "s_nop 0"), Verified::Yes);
        let why = "line 2 `exp_new v0` is an instruction of an unknown family";
        let text = listing("radv Mesa 22.3.6", "exp_new v0").text();
        assert_eq!(text, format!("not verified: a line is not understood; {why}"));
        let text = listing("radv Mesa 27.1.0", "exp_new v0").text();
        assert!(text.starts_with("not verified: Mesa 27.1.0 is") && text.ends_with(why), "{text}");
        assert_eq!(listing("ANV Mesa 27.1.0", "exp_new v0"), Verified::NotInterpreted);
        let json = serde_json::to_string(&listing("radv Mesa 22.3.6", "exp_new v0")).expect("is JSON");
        assert_eq!(
            json,
            r#"{"state":"no","reason":"a line is not understood","unread":{"line":1,"text":"exp_new v0","why":"an instruction of an unknown family"}}"#
        );
    }

    /// The row of a driver that returns one fragment shader's assembly.
    fn rows(driver: &str, line: &str) -> Vec<DriverStage> {
        let (name, description) = ("Assembly".to_owned(), String::new());
        let assembly = Representation { name, description, text: format!("BB0:\n\t{line}\n\ts_endpgm\n") };
        let executable = Executable {
            name: "fragment".to_owned(),
            description: String::new(),
            stages: vec![StageKind::Fragment],
            subgroup_size: 64,
            statistics: Vec::new(),
            texts: vec![assembly],
        };
        let (stages, entries) = (vec![StageKind::Fragment], vec!["main".to_owned()]);
        let pipeline = CompiledPipeline { stages, entries, nanoseconds: 1, executables: vec![executable] };
        DriverStage::rows(&[Compilation {
            device: "a device".to_owned(),
            driver: driver.to_owned(),
            chip: None,
            icd: None,
            of: Version::Original,
            link: Link::Whole,
            pipelines: vec![pipeline],
            peak_memory: None,
            handed_on: Vec::new(),
            notes: Vec::new(),
        }])
    }

    #[test]
    fn one_finding_per_driver_that_is_not_understood() {
        assert_eq!(findings(&rows("radv Mesa 25.0.7", "s_nop 0")), []);
        assert_eq!(findings(&rows("NVIDIA 535.54.03", "exp_new v0")), []);
        let rows = [rows("radv Mesa 27.0.0", "s_nop 0"), rows("radv Mesa 27.0.0", "exp_new v0")].concat();
        let found = findings(&rows);
        let [finding] = found.as_slice() else { panic!("one for both rows: {found:?}") };
        assert_eq!((finding.code.as_str(), finding.stage), ("I005", Some(StageKind::Fragment)));
        let text = "assembly of radv Mesa 27.0.0 for a device is not fully understood: Mesa 27.0.0 is not a verified \
            version (22.3, 25.0, 26.1 to 26.2); the original fragment: line 2 `exp_new v0` is an instruction of an unknown \
            family";
        assert_eq!(finding.message, text);
    }

    #[test]
    fn the_assembly_of_another_vendor_has_no_facts() {
        let [other, own] =
            ["NVIDIA 535.54.03", "radv Mesa 22.3.6"].map(|driver| rows(driver, "s_nop 0").swap_remove(0));
        assert_eq!(
            (other.verified.clone(), other.is_interpreted(), &other.facts),
            (Some(Verified::NotInterpreted), false, &None)
        );
        assert!(own.is_interpreted() && own.facts.is_some() && other.isa.is_some());
        // Reports of before have no key.
        let mut json = serde_json::to_value(&own).expect("is JSON");
        json.as_object_mut().expect("is an object").remove("verified");
        let old: DriverStage = serde_json::from_value(json).expect("still reads");
        assert_eq!((&old.verified, old.is_interpreted()), (&None, true));
    }
}
