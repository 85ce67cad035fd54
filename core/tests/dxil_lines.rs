//! Source lines of DXIL that was converted: those of the debug information, though the converter drops it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use lanescope_core::dxil::Dxil;
use lanescope_core::dxil::substitute::substitute;
use lanescope_core::findings::Place;
use lanescope_core::load::{LoadOptions, load, load_with_options};
use lanescope_core::program::Program;
use lanescope_core::spirv::Lines;
use lanescope_core::spirv::enums::Op;

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name)
}

fn opened(name: &str) -> Program {
    load(&[path(name)], &[]).unwrap_or_else(|error| panic!("{error}"))
}

/// The lines of the instructions of an opcode, in the order of the module, and the only file of all lines.
fn lines_of(program: &Program, op: Op) -> (Vec<Option<u32>>, String) {
    let module = &program.modules[0].module;
    let lines = Lines::of(module);
    let files: BTreeSet<String> = module.insts().filter_map(|inst| Some(lines.line(inst.index)?.file)).collect();
    assert_eq!(files.len(), 1, "{files:?}");
    let own = module.insts().filter(|inst| inst.op() == Some(op));
    let own = own.map(|inst| lines.line(inst.index).map(|line| line.line)).collect();
    (own, files.into_iter().next().expect("a file"))
}

#[test]
fn instructions_have_the_lines_of_the_source() {
    let program = opened("samples/dxil/orbit_debug.cs.dxil");
    assert_eq!(program.dxil[0].entries[0].has_source_lines, Some(true));
    let (products, file) = lines_of(&program, Op::FMul);
    assert_eq!(file, "orbit_debug.hlsl");
    // The angle, then the two lines that use its sine and cosine.
    assert_eq!(products, [21, 12, 12, 13, 13].map(Some));
    assert_eq!(lines_of(&program, Op::FSub).0, [Some(12)]);
    assert_eq!(lines_of(&program, Op::FAdd).0, [Some(13)]);
    assert!(lines_of(&program, Op::Store).0.iter().all(|line| *line == Some(24)));
    assert_eq!(lines_of(&program, Op::TypeVoid).0, [None]);
    let sources = program.source_files();
    assert!(sources.iter().any(|source| source.file == file && source.text.contains("float3 Advance(")));
}

#[test]
fn the_module_is_the_one_without_debug_information() {
    // The container with its debug information left out: the same program, but for the names of its resources.
    let (with, without) = (opened("core/dxil/tests/data/precise.cs.dxil"), opened("samples/dxil/prefix_sum.cs.dxil"));
    assert_eq!(with.dxil[0].entries[0].has_source_lines, Some(true));
    assert_eq!(without.dxil[0].entries[0].has_source_lines, None);
    assert!(Lines::of(&without.modules[0].module).is_empty());
    let module = &with.modules[0].module;
    let stored = module.insts().filter(|inst| inst.op() == Some(Op::Store)).count();
    assert_eq!(stored, 1, "marks are left out");
    assert_eq!(lines_of(&with, Op::FMul).0, [15, 8].map(Some));
}

#[test]
fn lines_can_be_left_out() {
    const SAMPLE: &str = "samples/dxil/orbit_debug.cs.dxil";
    let wanted = LoadOptions { without_lines: true, ..LoadOptions::default() };
    let without = load_with_options(&[path(SAMPLE)], &wanted).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(without.dxil[0].entries[0].has_source_lines, Some(false));
    assert!(Lines::of(&without.modules[0].module).is_empty());
    assert_eq!(without.modules[0].module.words(), opened(SAMPLE).modules[0].module.words());
}

#[test]
fn findings_name_the_line_of_the_source() {
    let bytes = std::fs::read(path("core/dxil/tests/data/precise.cs.dxil")).expect("reads");
    let dxil = Dxil::read(bytes).expect("is a container");
    let debug = dxil.bitcode(dxil.debug.as_ref().expect("debug information")).to_vec();
    let dxil = Dxil::read(debug).expect("is bitcode");
    // `sqrt` becomes an op that takes two values.
    const SQRT: u32 = 24;
    const FMAX: u32 = 35;
    let changed = substitute(&dxil, dxil.program.as_ref().expect("a program"), SQRT, FMAX).expect("reads");
    let found = Dxil::read(changed.file).expect("is a container").findings("a", 0);
    let places = found.into_iter().filter(|finding| finding.code.starts_with('X')).filter_map(|finding| finding.place);
    let places: Vec<Place> = places
        .map(|place| match place {
            Place::File { inside: Some(inside), .. } => *inside,
            place => place,
        })
        .collect();
    let [place @ Place::Call { source: Some(source), .. }, ..] = places.as_slice() else { panic!("{places:?}") };
    assert_eq!((source.file.as_str(), source.line), ("precise.hlsl", 8));
    assert!(place.to_string().contains(", precise.hlsl:8"), "{place}");
}

#[test]
fn lines_come_from_a_pdb_too() {
    for name in ["buffers.pdb", "private.cs.dxil"] {
        let program = opened(&format!("app/tests/data/dxil/{name}"));
        assert_eq!(program.dxil[0].entries[0].has_source_lines, Some(true), "{name}");
        let (stores, file) = lines_of(&program, Op::Store);
        assert!(stores.iter().all(Option::is_some) && !stores.is_empty(), "{name}: {stores:?}");
        assert!(program.source_files().iter().any(|source| source.file == file), "{name}: {file}");
    }
    // A slim PDB has no program.
    assert!(opened("app/tests/data/dxil/slim.pdb").modules.is_empty());
}
