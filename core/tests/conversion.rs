//! How DXIL is converted: every switch on every sample, which descriptors registers become, what stops a conversion.

use std::path::{Path, PathBuf};

use lanescope_core::dxil::ops::{NOT_CONVERTED, Opcode, op};
use lanescope_core::load::{load, load_with};
use lanescope_core::options::{Conversion, ConversionSwitch, RegisterBindings};
use lanescope_core::program::{LoadedDxil, Program};

fn samples() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples/dxil");
    let entries = std::fs::read_dir(folder).expect("the samples are there").map(|entry| entry.expect("reads").path());
    let mut paths: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|e| e == "dxil")).collect();
    paths.sort();
    paths
}

fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples/dxil").join(name)
}

fn converted(path: &Path, conversion: &Conversion) -> Program {
    load_with(&[path.to_owned()], &[], conversion).unwrap_or_else(|error| panic!("{error}"))
}

/// Names of entry points, and why they were not converted.
fn fates(dxil: &LoadedDxil) -> Vec<(&str, Option<&str>)> {
    dxil.entries.iter().map(|entry| (entry.name.as_str(), entry.why.as_deref())).collect()
}

/// Modules are put before the validator when they are loaded, so an existing conversion is valid.
#[test]
fn every_switch_converts_every_sample_that_converts_without() {
    let mut changed = std::collections::BTreeMap::new();
    for path in samples() {
        let plain = converted(&path, &Conversion::default());
        for &switch in ConversionSwitch::ALL {
            let with = converted(&path, &Conversion { with: [switch].into(), ..Conversion::default() });
            // The converter's stores to a payload are not those of the Vulkan memory model, and the validator says so.
            let payload = switch == ConversionSwitch::VulkanMemoryModel && path.ends_with("brick_wall.as.dxil");
            if payload {
                let why = fates(&with.dxil[0])[0].1.expect("is not converted");
                assert!(why.contains("NonPrivatePointer"), "{why}");
                continue;
            }
            assert_eq!(fates(&with.dxil[0]), fates(&plain.dxil[0]), "{} with {switch}", path.display());
            let differs = with.modules.iter().zip(&plain.modules).any(|(with, plain)| with.module != plain.module);
            *changed.entry(switch).or_insert(0) += usize::from(differs);
        }
    }
    // No sample has types of minimum precision.
    let unseen = [ConversionSwitch::Native16Bit, ConversionSwitch::RelaxedPrecision];
    for switch in ConversionSwitch::ALL {
        assert_eq!(changed[switch] == 0, unseen.contains(switch), "{switch}: {changed:?}");
    }
}

#[test]
fn registers_map_to_the_requested_descriptors() {
    let places = |conversion: &Conversion| -> Vec<String> {
        let program = converted(&sample("prefix_sum.cs.dxil"), conversion);
        program.dxil[0].bindings.iter().map(|row| format!("{} {}", row.name(), row.place())).collect()
    };
    assert_eq!(places(&Conversion::default()), ["t0 set0.binding0", "u0 set0.binding1"]);
    let registers = Conversion { bindings: RegisterBindings::Registers, ..Conversion::default() };
    assert_eq!(places(&registers), ["t0 set0.binding0", "u0 set0.binding0"]);
    let physical = Conversion { with: [ConversionSwitch::PhysicalBuffers].into(), ..Conversion::default() };
    assert_eq!(places(&physical), ["t0 push constant 0", "u0 push constant 8"]);
}

#[test]
fn waves_are_those_of_the_shader_or_of_the_conversion() {
    let wave = |name: &str, wave_size: Option<u32>| {
        let program = converted(&sample(name), &Conversion { wave_size, ..Conversion::default() });
        let wave = program.wave_size_of(&program.stages[0]);
        wave.map(|wave| (wave.to_string(), wave.preferred))
    };
    assert_eq!(wave("wave_range.fixed.cs.dxil", None), Some(("32".to_owned(), 32)));
    assert_eq!(wave("wave_range.ranged.cs.dxil", None), Some(("16 to 64".to_owned(), 32)));
    assert_eq!(wave("wave_range.ranged.cs.dxil", Some(64)), Some(("64".to_owned(), 64)));
    assert_eq!(wave("prefix_sum.cs.dxil", None), None);
}

#[test]
fn names_what_stops_a_conversion() {
    let program = load(&[sample("long_vectors_node.lib.dxil")], &[]).expect("loads");
    let fates = fates(&program.dxil[0]);
    let why = |name: &str| fates.iter().find(|(entry, _)| *entry == name).and_then(|(_, why)| *why);
    let rows = why("SumRows").expect("is not converted");
    assert!(rows.contains("RawBufferVectorLoad, op 303") && rows.contains("8 x float"), "{rows}");
    assert_eq!(why("Finish"), None);
    // A compute shader of the library, which is no node.
    assert_eq!(why("ClearAll"), None);
}

#[test]
fn what_the_converter_does_not_survive_does_not_reach_it() {
    let regressions = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/regressions/dxil");
    let program = converted(&regressions.join("component_type_unknown.dxil"), &Conversion::default());
    let why = fates(&program.dxil[0])[0].1.expect("is not converted");
    assert!(why.contains("component type 57, which DXIL does not have"), "{why}");
    let program = converted(&regressions.join("entry_without_function.dxil"), &Conversion::default());
    let fates = fates(&program.dxil[0]);
    let why = fates.iter().find(|(name, _)| *name == "Seed").and_then(|(_, why)| *why).expect("is not converted");
    assert_eq!(why, "Seed has no body, which the converter needs");
    let program = converted(&regressions.join("constant_of_other_types.dxil"), &Conversion::default());
    assert!(program.dxil[0].dxil.program.is_none(), "the bitcode is invalid");
}

/// The sources of the converter, which cargo unpacked to build it.
fn converter_sources() -> PathBuf {
    let metadata = std::process::Command::new(env!("CARGO"))
        .args(["metadata", "--offline", "--format-version", "1"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    let text = String::from_utf8(metadata.stdout).expect("is UTF-8");
    let manifest = text.split('"').find(|text| text.contains("/dxil-spirv-sys-") && text.ends_with("Cargo.toml"));
    Path::new(manifest.expect("the crate is a dependency")).with_file_name("dxil-spirv")
}

/// What is said of each stable op is what the converter's table of functions has: `OP(LoadInput) = …`.
#[test]
fn list_of_ops_without_conversion_is_that_of_the_converter() {
    let folder = converter_sources();
    let read =
        |name: &str| std::fs::read_to_string(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    let (numbers, table) = (read("dxil.hpp"), read("opcodes/opcodes_dxil_builtins.cpp"));
    let known: std::collections::BTreeSet<&str> = table
        .lines()
        .filter_map(|line| line.trim().strip_prefix("OP(")?.split_once(')'))
        .filter(|(_, rest)| rest.trim_start().starts_with('='))
        .map(|(name, _)| name)
        .collect();
    let list = numbers.split_once("enum class Op ").expect("the numbers are there").1;
    let list = list.split_once("};").expect("the list ends").0;
    let without: Vec<u16> = list
        .lines()
        .filter_map(|line| line.trim().trim_end_matches(',').split_once(" = "))
        .filter(|(name, _)| !known.contains(name))
        .map(|(name, number)| number.parse().unwrap_or_else(|error| panic!("{name} = {number}: {error}")))
        .filter(|number| op(Opcode(u32::from(*number))).is_ok())
        .collect();
    assert!(known.len() > 250, "{} functions", known.len());
    assert_eq!(without, NOT_CONVERTED);
}
