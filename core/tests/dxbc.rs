//! Containers of shader model 5: they open, show what they hold, convert and run.

use crate::bytecode;
use std::path::PathBuf;

use lanescope_core::analyse;
use lanescope_core::dxil::Dxil;
use lanescope_core::gpu::{DeviceOptions, Inputs, run_program};
use lanescope_core::load::load;
use lanescope_core::options::Options;
use lanescope_core::program::{Program, StageKind};
use lanescope_core::run::ResourceNames;

fn loaded(files: &[(&str, Vec<u8>)]) -> Program {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let write = |(name, bytes): &(&str, Vec<u8>)| -> PathBuf {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).expect("writes");
        path
    };
    let paths: Vec<PathBuf> = files.iter().map(write).collect();
    let program = load(&paths, &[]).unwrap_or_else(|error| panic!("{error}"));
    for loaded in &program.dxil {
        let why: Vec<_> = loaded.entries.iter().filter_map(|entry| entry.why.as_ref()).collect();
        assert!(why.is_empty(), "{why:?}");
    }
    program
}

fn on_llvmpipe(program: &Program, inputs: &Inputs) -> lanescope_core::run::Execution {
    let options = DeviceOptions { device: Some("llvmpipe".to_owned()), validate: true, ..DeviceOptions::default() };
    let done = run_program(&options, program, Some([1, 1, 1]), inputs).unwrap_or_else(|error| panic!("{error}"));
    assert!(done.run.warnings.is_empty(), "{:?}", done.run.warnings);
    done
}

#[test]
fn identifies_bytecode() {
    let read = |file| Dxil::read(file).expect("is a container");
    let vertex = read(bytecode::vertex());
    let header = vertex.bytecode().expect("has bytecode");
    assert_eq!((&*header.kind, header.model.as_str()), ("vertex", "5.0"));
    let summary = vertex.summary(0);
    assert_eq!((summary.kind.as_deref(), summary.shader_model.as_deref()), (Some("vertex"), Some("5.0")));
    let names: Vec<_> = summary.signatures.output.iter().map(|e| format!("{} {:?}", e.semantic, e.register)).collect();
    assert_eq!(names, ["SV_Position Some(0)", "COLOR Some(1)"]);
    assert_eq!(summary.signatures.output[0].system_value, "Position");
    let codes: Vec<String> = vertex.findings("a.dxbc", 0).into_iter().map(|finding| finding.code).collect();
    assert_eq!(codes, ["C17"]);
    assert_eq!(read(bytecode::compute()).bytecode().map(|header| header.kind).as_deref(), Some("compute"));
}

#[test]
fn a_compute_shader_of_model_5_runs() {
    let program = loaded(&[("ids.cso", bytecode::compute())]);
    assert_eq!(program.stages[0].stage, StageKind::Compute);
    let rows: Vec<String> =
        program.dxil[0].bindings.iter().map(|row| format!("{} {}", row.name(), row.place())).collect();
    assert_eq!(rows, ["u0 set0.binding0"]);
    let names = ResourceNames::of(&program);
    let done = on_llvmpipe(&program, &Inputs { zeros: true, names, ..Inputs::default() });
    let buffer = &done.run.buffers[0];
    assert_eq!((buffer.name.as_str(), buffer.register.as_deref()), ("u0", Some("u0")));
    let words: Vec<u32> =
        done.contents(&buffer.name).as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
    assert_eq!(words[..5], [0, 1, 2, 3, 0]);
}

#[test]
fn a_pair_of_model_5_packs_and_draws() {
    let program = loaded(&[("a.vs.dxbc", bytecode::vertex()), ("a.ps.dxbc", bytecode::pixel())]);
    let report = analyse(&program, &Options::default()).expect("analyses");
    let packing = report.packing.as_ref().expect("packs");
    assert!(packing.missing.is_empty(), "{:?}", packing.missing);
    assert_eq!(packing.map.len(), 4, "{:?}", packing.map);
    let done = on_llvmpipe(&program, &Inputs::default());
    let color = done.contents("color0");
    // Some pixels are covered: they are not all the clear colour.
    assert!(color.chunks(16).any(|pixel| pixel != &color[..16]), "nothing was drawn");
}

/// What fxc counts of a shader is not the module that DXC puts under the same name.
#[test]
fn statistics_of_model_5_are_not_dxil() {
    let read = Dxil::read(bytecode::with_statistics()).expect("is a container");
    let codes: Vec<String> = read.findings("a.dxbc", 0).into_iter().map(|finding| finding.code).collect();
    assert_eq!(codes, ["C17"], "as without them");
    let summary = read.summary(0);
    let part = summary.container.parts.iter().find(|part| part.fourcc == "STAT").expect("is there");
    assert_eq!((part.bytes, part.about.as_str()), (148, "statistics of shader model 5"));
    let program = loaded(&[("a.vs.dxbc", bytecode::with_statistics()), ("a.ps.dxbc", bytecode::pixel())]);
    let report = analyse(&program, &Options::default()).expect("analyses");
    assert_eq!(report.packing.as_ref().map(|packing| packing.map.len()), Some(4));
}

/// Whatever is broken in it, bytecode is an error or a finding.
#[test]
fn broken_bytecode_is_refused_safely() {
    let whole = bytecode::pixel();
    for cut in 0..whole.len() {
        let mut file = whole[..cut].to_vec();
        if let Some(size) = file.get_mut(24..28) {
            size.copy_from_slice(&(cut as u32).to_le_bytes());
        }
        if let Ok(read) = Dxil::read(file) {
            let _ = (read.bytecode(), read.summary(0), read.findings("a", 0));
        }
    }
    // No stage of that number, and a length that is none.
    let code = whole.windows(4).position(|name| name == b"SHEX").expect("is there") + 8;
    let mut odd = whole.clone();
    odd[code + 2] = 77;
    assert_eq!(Dxil::read(odd).expect("reads").bytecode().map(|header| header.kind).as_deref(), Some("77"));
    let mut short = whole;
    short[code + 4..code + 8].fill(0);
    assert_eq!(Dxil::read(short).expect("reads").bytecode(), None);
}
