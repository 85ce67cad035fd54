//! The compilers of drivers, for real: Mesa's AMD compiler makes the samples for chips that nobody has plugged in.

#[path = "../src/json.rs"]
#[allow(dead_code)]
mod json;
#[path = "../src/rewriting.rs"]
#[allow(dead_code)]
mod rewriting;
#[path = "../src/worker/mod.rs"]
#[allow(dead_code, unused_imports)]
mod worker;

use std::path::{Path, PathBuf};

use lanescope_core::driver::{Compilation, CompileOptions, Version, chips, environment};
use lanescope_core::load::load;
use lanescope_core::options::Options;
use lanescope_core::packing::rewrite::rewrite as pack;
use lanescope_core::program::Program;
use lanescope_core::target::Target;
use lanescope_core::workgroup::rewrite::rewrite as swizzle;
use worker::{Client, CompileRequest, Launch, Limits, Reply, Request, WorkerError};

/// The chips that every program is compiled for.
const CHIPS: [Target; 4] = [Target::Gfx900, Target::Gfx1010, Target::Gfx1030, Target::Gfx1100];

fn child(chip: Option<Target>) -> Client {
    let chip = chip.map(|target| chips().find(|chip| chip.target == target).expect("Mesa knows it"));
    let environment = environment(chip).into_iter().map(|(name, value)| (name.into(), value.into())).collect();
    let program = Some(PathBuf::from(env!("CARGO_BIN_EXE_lanescope")));
    Client::start(&Launch { program, limits: Limits::default(), environment }).expect("the executable starts")
}

fn compile(child: &mut Client, request: CompileRequest) -> Result<Compilation, WorkerError> {
    match child.ask(&Request::Compile(Box::new(request)))? {
        Reply::Compiled(compilation) => Ok(*compilation),
        other => panic!("a compilation is answered by {other:?}"),
    }
}

fn samples(files: &[&str]) -> Program {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples");
    let files: Vec<PathBuf> = files.iter().map(|file| folder.join(file)).collect();
    load(&files, &[]).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn a_program_compiled_twice_gives_the_same_text() {
    let pair = samples(&["lit_surface.vert", "lit_surface.frag"]);
    let packed = pack(&pair, &Options::default()).expect("packs").program;
    let group = samples(&["tile_16x16.comp"]);
    let swizzled = swizzle(&group, &Options { reconfig: true, ..Options::default() }).expect("swizzles").program;
    let programs = [
        (Version::Original, pair),
        (Version::Packed, packed),
        (Version::Original, group),
        (Version::Swizzled, swizzled),
    ];
    for chip in CHIPS {
        let mut child = child(Some(chip));
        for (of, program) in &programs {
            let mut once = || {
                let with = CompileOptions { chip: Some(chip), ..CompileOptions::default() };
                let request = CompileRequest { program: program.clone(), of: *of, options: Options::default(), with };
                let mut done = compile(&mut child, request).unwrap_or_else(|error| panic!("{chip} {of}: {error}"));
                done.pipelines.iter_mut().for_each(|pipeline| pipeline.nanoseconds = 0);
                done
            };
            let (first, second) = (once(), once());
            assert!(first.executables().all(|e| e.assembly().is_some_and(|text| text.contains("s_endpgm"))));
            assert_eq!(first, second, "{chip} {of}");
        }
    }
}
