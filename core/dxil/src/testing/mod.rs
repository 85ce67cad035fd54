//! The samples, for tests.

use std::path::PathBuf;

use super::container;
use super::file::Dxil;
use super::module::Module;
use crate::findings;

pub mod rewrite;

/// The bytes of a sample.
pub fn bytes(name: &str) -> Vec<u8> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../samples");
    let path = ["dxil", "work_graphs"].map(|kind| folder.join(kind).join(name));
    path.iter().find_map(|path| std::fs::read(path).ok()).unwrap_or_else(|| panic!("there is no sample {name}"))
}

/// The module of a sample's program.
pub fn sample(name: &str) -> Module {
    part(name, b"DXIL").unwrap_or_else(|| panic!("{name} has no program"))
}

/// The module of a part of a sample.
pub fn part(name: &str, part: &[u8; 4]) -> Option<Module> {
    let file = bytes(name);
    let container = container::read(&file, &mut Vec::new()).expect("is a container");
    let data = container.data(&file, container.part(part)?, findings::BITCODE_RANGE);
    let size = data.u32(20, "size").expect("a header") as usize;
    let bitcode = data.slice(24, size, "bitcode").expect("inside");
    Some(Module::parse(bitcode, data.place(24)).unwrap_or_else(|fault| panic!("{name}: {fault}")))
}

/// Every sample's module, by name.
pub fn modules() -> Vec<(String, Module)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../samples");
    let files = ["dxil", "work_graphs"].into_iter().flat_map(|kind| {
        let files = std::fs::read_dir(folder.join(kind)).expect("the samples are there");
        files.map(|file| file.expect("reads").file_name().to_string_lossy().into_owned())
    });
    let mut names: Vec<String> = files.filter(|name| name.ends_with(".dxil")).collect();
    names.sort();
    names.into_iter().map(|name| (name.clone(), sample(&name))).collect()
}

/// A sample, read.
pub fn file(name: &str) -> Dxil {
    Dxil::read(bytes(name)).unwrap_or_else(|fault| panic!("{name}: {fault}"))
}

/// A container of `tests/data`, each beside its source.
pub fn data(name: &str) -> Dxil {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name);
    let file = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    Dxil::read(file).unwrap_or_else(|fault| panic!("{name}: {fault}"))
}

/// The names of every sample.
pub fn names() -> Vec<String> {
    modules().into_iter().map(|(name, _)| name).collect()
}

#[test]
fn example_of_the_documentation_is_a_sample() {
    assert_eq!(include_bytes!("../../assets/example.dxil").as_slice(), bytes("quad_derivatives.cs.dxil"));
}
