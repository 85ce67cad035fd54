//! DXIL containers: every sample's report, and malformed files.

use std::path::{Path, PathBuf};

use lanescope_core::analyse;
use lanescope_core::dxil::Dxil;
use lanescope_core::dxil::container::DigestState;
use lanescope_core::findings::Place;
use lanescope_core::load::load;
use lanescope_core::options::Options;
use lanescope_core::packing::SemanticPlace;
use lanescope_core::report::Report;

/// Every DXIL sample, by name.
fn samples() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples");
    let mut paths: Vec<PathBuf> = ["dxil", "work_graphs"]
        .iter()
        .flat_map(|name| std::fs::read_dir(folder.join(name)).expect("the samples are there"))
        .map(|entry| entry.expect("reads").path())
        .filter(|path| path.extension().is_some_and(|e| e == "dxil"))
        .collect();
    paths.sort();
    paths
}

fn sample(name: &str) -> Vec<u8> {
    let path = samples().into_iter().find(|path| path.ends_with(name)).expect("the sample is there");
    std::fs::read(path).expect("reads")
}

fn name(path: &Path) -> String {
    path.file_name().expect("a name").to_string_lossy().into_owned()
}

fn report(paths: &[PathBuf]) -> Report {
    let program = load(paths, &[]).unwrap_or_else(|error| panic!("{error}"));
    let mut report = analyse(&program, &Options::default()).expect("analyses");
    let sample_path = |path: &str| path.rsplit_once("samples/").map_or(path.to_owned(), |(_, rest)| rest.to_owned());
    for input in &mut report.inputs {
        input.path = sample_path(&input.path);
    }
    for finding in &mut report.findings {
        if let Some(Place::File { path, .. }) = &mut finding.place {
            *path = sample_path(path);
        }
    }
    report
}

/// What the container says is in the golden text; what other passes make of the SPIR-V has golden texts of its own.
#[test]
fn every_sample_reads_as_its_golden_report() {
    for path in samples() {
        let report = report(std::slice::from_ref(&path));
        assert!(!report.has_errors(), "{}: {:?}", path.display(), report.findings);
        let stages: Vec<String> =
            report.stages.iter().map(|stage| format!("{} {}", stage.stage, stage.entry)).collect();
        let mut section = serde_json::to_value(&report.dxil).expect("is JSON");
        // Ops have golden texts of their own.
        section.as_object_mut().expect("a section").remove("ops");
        let text = serde_json::to_string_pretty(&(section, &report.findings, stages)).expect("is JSON");
        insta::assert_snapshot!(format!("report_{}", name(&path)), text);
    }
}

/// A report and a program survive what the worker does to them.
#[test]
fn a_program_with_a_container_comes_back_from_json() {
    let path = samples().into_iter().find(|path| path.ends_with("lantern_rays.lib.dxil")).expect("is there");
    let program = load(&[path], &[]).expect("loads");
    let text = serde_json::to_string(&program).expect("is JSON");
    let again: lanescope_core::program::Program = serde_json::from_str(&text).expect("reads");
    assert_eq!(again, program);
    let report = analyse(&program, &Options::default()).expect("analyses");
    let text = serde_json::to_string(&report).expect("is JSON");
    let read: Report = serde_json::from_str(&text).expect("reads");
    assert_eq!(serde_json::to_string(&read).expect("is JSON"), text);
}

/// The validator's note about a mesh shader's unsigned PrimitiveId does not stop it.
#[test]
fn a_mesh_shader_with_primitive_ids_loads() {
    let path = samples().into_iter().find(|path| path.ends_with("brick_wall.ms.dxil")).expect("is there");
    let codes: Vec<String> = report(&[path]).findings.into_iter().map(|finding| finding.code).collect();
    assert!(codes.contains(&"L005".to_owned()), "{codes:?}");
}

#[test]
fn a_vertex_and_a_pixel_container_match_by_semantics() {
    let find = |name: &str| samples().into_iter().find(|path| path.ends_with(name)).expect("is there");
    let report = report(&[find("lit_surface.vs.dxil"), find("lit_surface.ps.dxil")]);
    let packing = report.packing.as_ref().expect("packs");
    assert!(packing.missing.is_empty(), "{:?}", packing.missing);
    let names: Vec<&str> = packing.map.iter().map(|mapping| mapping.variable.as_str()).collect();
    insta::assert_debug_snapshot!("lit_surface_packing", (names, &packing.slots));
    let place = |place: &SemanticPlace| {
        let at = format!("{}.{} x{}", place.location, place.component, place.columns);
        format!("{at} {} {}", place.semantic, place.registers())
    };
    let places: Vec<String> = packing.semantics.iter().map(place).collect();
    insta::assert_snapshot!("lit_surface_semantics", places.join("\n"));
    for mapping in &packing.map {
        assert!(packing.semantic(mapping.from.location, mapping.from.component).is_some(), "{mapping:?}");
    }
    let first = report.dxil.as_ref().expect("a section");
    assert_eq!((first.input, first.others.len(), first.others[0].input), (0, 1, 1));
    assert!(report.findings.iter().all(|finding| finding.code != "D009"));
}

/// A container's bytes with its digest made right again, so that only the change is found.
fn signed(mut file: Vec<u8>) -> Vec<u8> {
    let read = Dxil::read(file.clone()).expect("is a container");
    file[4..20].copy_from_slice(&read.container.digest.computed);
    file
}

fn codes(file: &[u8]) -> Vec<String> {
    match Dxil::read(file.to_vec()) {
        Err(fault) => vec![fault.rule.code.to_owned()],
        Ok(read) => {
            // What is said of ops has tests of its own, and so have the sample's static samplers.
            let findings = read.findings("a.dxil", 0).into_iter().map(|finding| finding.code);
            let mut codes: Vec<String> = findings.filter(|code| !code.starts_with('X') && code != "C65").collect();
            codes.dedup();
            codes
        }
    }
}

fn put(file: &mut [u8], at: usize, value: u32) {
    file[at..at + 4].copy_from_slice(&value.to_le_bytes());
}

fn part(file: &[u8], wanted: &[u8; 4]) -> usize {
    let read = Dxil::read(file.to_vec()).expect("is a container");
    read.container.part(wanted).expect("has the part").data_offset() as usize
}

/// A container of these parts, signed.
fn container(parts: &[(&[u8; 4], &[u8])]) -> Vec<u8> {
    let mut file = b"DXBC".to_vec();
    file.extend([0; 16]);
    file.extend([1, 0, 0, 0, 0, 0, 0, 0]);
    file.extend((parts.len() as u32).to_le_bytes());
    let mut offset = 32 + 4 * parts.len();
    for (_, data) in parts {
        file.extend((offset as u32).to_le_bytes());
        offset += 8 + data.len();
    }
    for (name, data) in parts {
        file.extend(*name);
        file.extend((data.len() as u32).to_le_bytes());
        file.extend(*data);
    }
    let size = file.len() as u32;
    put(&mut file, 24, size);
    signed(file)
}

/// A change to a good container, and the rule that finds it.
type Case = (&'static str, fn(&mut Vec<u8>));

#[test]
fn a_broken_container_is_named_by_its_rule() {
    let good = sample("signed_map.ps.dxil");
    assert_eq!(codes(&good), Vec::<String>::new());
    let cases: &[Case] = &[
        ("C01", |f| f.truncate(31)),
        ("C01", |f| f.clear()),
        ("C02", |f| f[0] = 0),
        ("C03", |f| f[20] = 2),
        ("C04", |f| f.truncate(100)),
        ("C05", |f| put(f, 24, 8)),
        ("C05", |f| put(f, 24, 0x8000_0001)),
        ("C06", |f| f.extend([1, 2, 3])),
        ("C07", |f| {
            f.truncate(40);
            put(f, 24, 40);
        }),
        ("C08", |f| put(f, 28, u32::MAX)),
        ("C09", |f| put(f, 32, 0x7fff_0000)),
        ("C09", |f| put(f, 32, 20)),
        ("C10", |f| {
            let first = f[32..36].to_vec();
            f[36..40].copy_from_slice(&first);
        }),
        ("C12", |f| {
            let at = part(f, b"DXIL") - 4;
            put(f, at, 0x10_0000);
        }),
        ("C13", |f| {
            let at = part(f, b"DXIL") - 4;
            put(f, at, u32::MAX);
        }),
        ("C16", |f| {
            let at = part(f, b"STAT") - 8;
            f[at] = 7;
        }),
        ("C20", |f| *f = container(&[(b"DXIL", &[0; 12])])),
        ("C21", |f| {
            let at = part(f, b"DXIL");
            f[at + 8] = 0;
        }),
        ("C22", |f| {
            let at = part(f, b"DXIL");
            put(f, at + 16, 2);
        }),
        ("C22", |f| {
            let at = part(f, b"DXIL");
            put(f, at + 16, 18);
        }),
        ("C23", |f| {
            let at = part(f, b"DXIL");
            put(f, at + 20, u32::MAX);
        }),
        ("C24", |f| {
            let at = part(f, b"DXIL");
            f[at + 2] = 200;
        }),
        ("C24", |f| {
            let at = part(f, b"DXIL");
            f[at + 2] = 7;
        }),
        ("C25", |f| {
            let at = part(f, b"DXIL");
            f[at] = 0x62;
        }),
        ("C26", |f| {
            let at = part(f, b"DXIL") + 24;
            put(f, at, 0x0b17_c0de);
        }),
        ("C27", |f| {
            let at = part(f, b"DXIL") + 24;
            put(f, at, 0);
        }),
        ("C27", |f| {
            let at = part(f, b"DXIL");
            f[at + 20] -= 1;
        }),
        ("C53", |f| {
            let at = part(f, b"PSV0");
            put(f, at, 12);
        }),
        ("C53", |f| {
            let at = part(f, b"PSV0");
            put(f, at + 60, 1 << 30);
        }),
        ("C54", |f| {
            let at = part(f, b"ISG1");
            put(f, at, 0x0fff_ffff);
        }),
        ("C54", |f| {
            let at = part(f, b"ISG1");
            put(f, at + 4, 12);
        }),
        ("C54", |f| {
            let at = part(f, b"ISG1");
            put(f, at + 12, 0x00ff_ffff);
        }),
        ("C57", |f| f[5] ^= 1),
        ("C58", |f| {
            let at = part(f, b"RTS0");
            put(f, at + 4, 1 << 28);
        }),
        ("C58", |f| {
            let at = part(f, b"RTS0");
            put(f, at + 8, u32::MAX - 3);
        }),
        ("D001", |f| {
            let at = part(f, b"ISG1");
            put(f, at + 8 + 20, 9);
        }),
        ("D002", |f| {
            let at = part(f, b"PSV0");
            f[at + 4 + 24] = 5;
        }),
        ("D006", |f| {
            let at = part(f, b"SFI0");
            f[at + 5] = 0xfe;
        }),
    ];
    for (index, (code, change)) in cases.iter().enumerate() {
        let mut file = good.clone();
        change(&mut file);
        let keep = ["C01", "C02", "C03", "C04", "C05", "C57"].contains(code) || Dxil::read(file.clone()).is_err();
        let file = if keep { file } else { signed(file) };
        assert_eq!(codes(&file).first().map(String::as_str), Some(*code), "case {index}: {:?}", codes(&file));
        if let Err(fault) = Dxil::read(file) {
            assert!(fault.to_string().contains("byte 0x"), "{fault}");
        }
    }
}

#[test]
fn reports_malformed_parts_by_rule() {
    let sfi0: (&[u8; 4], &[u8]) = (b"SFI0", &[0; 8]);
    let twice = container(&[sfi0, sfi0]);
    assert_eq!(codes(&twice), ["C15", "C18"]);
    let bytecode = container(&[(b"SHEX", &[0; 16]), (b"ISGN", &[0, 0, 0, 0, 8, 0, 0, 0])]);
    assert_eq!(codes(&bytecode), ["C17"]);
    assert_eq!(codes(&container(&[(b"RTS0", &[3; 24])])), ["C18"]);
    let mut programs = container(&[(b"DXIL", &[0; 24]), (b"STAT", &[0; 24])]);
    let second = programs.windows(4).position(|name| name == b"STAT").expect("is there");
    programs[second..second + 4].copy_from_slice(b"DXIL");
    assert_eq!(codes(&programs), ["C15"]);
    for (part, size) in [(b"SFI0", 4), (b"HASH", 16), (b"ILDN", 5), (b"VERS", 20)] {
        let data = vec![9; size];
        let found = codes(&container(&[(part, &data)]));
        assert_eq!(found[0], "C55", "{found:?}");
    }
    // Sources that claim four GiB.
    let mut sources = vec![0; 40];
    put(&mut sources, 0, 40);
    sources[6] = 1;
    put(&mut sources, 8, 32);
    put(&mut sources, 8 + 20, u32::MAX);
    assert_eq!(codes(&container(&[(b"SRCI", &sources)]))[0], "C56");
    let mut debug = vec![0; 16];
    put(&mut debug, 8, u32::MAX);
    assert_eq!(codes(&container(&[(b"PDBI", &debug)]))[0], "C56");
    assert_eq!(codes(&container(&[(b"PDBI", &[1; 16])]))[0], "C59");
    assert_eq!(codes(&container(&[(b"SRCI", &[0, 0, 0, 0, 0, 0, 1, 0])]))[0], "C59");
    // A part inside another one: what it holds reads as a part's header.
    let mut inside = container(&[(b"SFI0", b"HASH\0\0\0\0"), (b"VERS", &[0; 16])]);
    put(&mut inside, 36, 40 + 8);
    assert_eq!(codes(&inside), ["C10"]);
    // A gap before a part, and bytes after the last one.
    let mut gap = container(&[sfi0]);
    gap.splice(36..36, [0; 4]);
    let size = gap.len() as u32;
    put(&mut gap, 32, 40);
    put(&mut gap, 24, size);
    assert_eq!(codes(&signed(gap))[0], "C11");
    let mut trailing = container(&[sfi0]);
    trailing.extend([0; 4]);
    let size = trailing.len() as u32;
    put(&mut trailing, 24, size);
    assert_eq!(codes(&signed(trailing))[0], "C14");
    // A size that is not a multiple of four.
    let whole = sample("tessellated_patch.vs.dxil");
    let read = Dxil::read(whole.clone()).expect("is a container");
    let data = |name: &[u8; 4]| {
        let part = read.container.part(name).expect("has the part");
        whole[part.data_offset() as usize..][..part.size as usize].to_vec()
    };
    let (isg1, osg1, psv0, dxil) = (data(b"ISG1"), data(b"OSG1"), data(b"PSV0"), data(b"DXIL"));
    let odd = [osg1.clone(), vec![0]].concat();
    let parts: [(&[u8; 4], &[u8]); 4] = [(b"ISG1", &isg1), (b"OSG1", &odd), (b"PSV0", &psv0), (b"DXIL", &dxil)];
    assert_eq!(codes(&container(&parts)), ["C19"]);
}

/// PSV0 of version 1, without resources: what follows its runtime info is the caller's.
fn psv(changed: &[(usize, u8)], rest: &[u32]) -> Vec<u8> {
    let mut info = vec![0u8; 36];
    info[20..24].fill(0xff);
    info[24] = 1;
    for (at, byte) in changed {
        info[*at] = *byte;
    }
    let mut out = 36u32.to_le_bytes().to_vec();
    out.extend(info);
    out.extend(rest.iter().flat_map(|word| word.to_le_bytes()));
    out
}

/// What is wrong, bytes of the runtime info that are set, words after it.
type BrokenPsv<'c> = (&'c str, &'c [(usize, u8)], &'c [u32]);

#[test]
fn reports_invalid_pipeline_state_by_rule() {
    let of = |changed: &[(usize, u8)], rest: &[u32]| codes(&container(&[(b"PSV0", &psv(changed, rest))]));
    let name = u32::from_le_bytes(*b"abc\0");
    // No resources, a string table of four bytes, one semantic index, and an input of one row.
    let element = [0, 0, 0x4400_0001, 0x0000_0301];
    let good = [&[0, 4, name, 1, 7, 16][..], &element].concat();
    assert_eq!(of(&[(28, 1)], &good), ["C18"]);
    assert_eq!(of(&[], &[0, 0, 0]), ["C18"]);
    let mut longer = psv(&[], &[0, 0, 0]);
    longer[0] = 20;
    assert_eq!(codes(&container(&[(b"PSV0", &longer)]))[0], "C53");
    let cases: &[BrokenPsv<'_>] = &[
        ("a resource of 12 bytes", &[], &[1, 12, 0, 0, 0]),
        ("resources without end", &[], &[u32::MAX, 16, 0, 0, 0, 0]),
        ("half a resource", &[], &[1, 16, 0, 0]),
        ("a string table of three bytes", &[], &[0, 3, 0, 0]),
        ("a string table past the end", &[], &[0, 400, 0]),
        ("a string table without its zero", &[], &[0, 4, 0x6162_6364, 0, 0]),
        ("semantic indices past the end", &[], &[0, 0, 9, 0]),
        ("elements of eight bytes", &[(28, 1)], &[0, 4, name, 1, 7, 8, 0, 0]),
        ("fewer elements than counted", &[(29, 2)], &good),
        ("a name past the strings", &[(28, 1)], &[0, 4, name, 1, 7, 16, 9, 0, 1, 0]),
        ("an index past the indices", &[(28, 1)], &[0, 4, name, 1, 7, 16, 0, 1, 1, 0]),
        ("more rows than indices", &[(28, 1)], &[0, 4, name, 1, 7, 16, 0, 0, 2, 0]),
        ("masks past the end", &[(31, 1), (32, 1)], &[0, 0, 0, 0, 0, 0]),
        ("masks of the view past the end", &[(25, 1), (32, 40)], &[0, 0, 0, 0]),
    ];
    for (what, changed, rest) in cases {
        assert_eq!(of(changed, rest)[0], "C53", "{what}");
    }
}

#[test]
fn reports_invalid_signatures_by_rule() {
    let element = |name: u32| [0, name, 0, 0, 3, 0, 0x0f, 0];
    let of = |words: &[u32]| {
        let data: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let dxil = Dxil::read(container(&[(b"ISG1", &data)])).expect("is a container");
        let fault = dxil.faults.iter().find(|fault| fault.part.is_some()).map(|fault| fault.rule.code);
        (fault, dxil.input.and_then(|elements| elements.first().map(|element| element.semantic.clone())))
    };
    let with = |name: u32, text: &[u8; 4]| of(&[&[1, 8][..], &element(name), &[u32::from_le_bytes(*text)]].concat());
    assert_eq!(with(40, b"POS\0"), (None, Some("POS".to_owned())));
    // What is not text, or would steer a terminal, is shown escaped.
    assert_eq!(with(40, b"\x1b\xffA\0"), (None, Some("\\1B\\FFA".to_owned())));
    assert_eq!(with(40, b"POSI").0, Some("C54"), "a name without end");
    assert_eq!(with(400, b"POS\0").0, Some("C54"), "a name past the end");
    assert_eq!(of(&[u32::MAX, 8]).0, Some("C54"), "elements without end");
    assert_eq!(of(&[1 << 27, 8]).0, Some("C54"), "a size that does not fit 32 bits");
    assert_eq!(of(&[0, 12]).0, Some("C54"), "elements that start elsewhere");
    assert_eq!(of(&[1]).0, Some("C54"), "half a header");
}

#[test]
fn reports_invalid_runtime_data_by_rule() {
    let good = sample("07_wide_dag.dxil");
    assert_eq!(codes(&good), Vec::<String>::new());
    let rdat = part(&good, b"RDAT");
    let table = |kind: u32| {
        let read = Dxil::read(good.clone()).expect("reads").rdat.expect("has runtime data");
        read.parts.iter().find(|part| part.kind == kind).expect("has the table").offset as usize
    };
    let changed = |at: usize, value: u32| {
        let mut file = good.clone();
        put(&mut file, at, value);
        codes(&signed(file))
    };
    assert_eq!(changed(rdat, 1)[0], "C50");
    assert_eq!(changed(rdat + 12, 0)[0], "C50");
    assert_eq!(changed(table(4) - 4, 1 << 30)[0], "C50", "a part past the end");
    assert_eq!(changed(table(4), 1 << 30)[0], "C51");
    assert_eq!(changed(table(4) + 4, 0)[0], "C51");
    assert_eq!(changed(table(4) + 4, u32::MAX)[0], "C51", "a size that does not fit 32 bits");
    assert_eq!(changed(table(10) + 4, 4)[0], "C51", "rows shorter than any compiler's");
    assert_eq!(changed(table(10) + 4, 10)[0], "C51", "rows of no whole words");
    assert_eq!(changed(table(4) + 8, 0x00ff_ffff)[0], "C52");
    assert_eq!(changed(table(7) + 8, 0x00ff_ffff)[0], "C52");
    let read = Dxil::read(good.clone()).expect("reads").rdat.expect("has runtime data");
    let strings = read.parts.iter().find(|part| part.kind == 1).expect("has strings");
    let mut endless = good.clone();
    endless[(strings.offset + u64::from(strings.bytes)) as usize - 1] = b'x';
    assert_eq!(codes(&signed(endless))[0], "C52", "strings without end");
    assert_eq!(changed(table(11) + 8, 9)[0], "D003");
    assert!(changed(table(3) + 8 + 16, 5).contains(&"D003".to_owned()));
}

/// What a file is that is not a container, and what a part is called whose name is not text.
#[test]
fn reports_files_that_are_not_containers() {
    let says = |magic: &[u8]| {
        let file = [magic, &[0; 32]].concat();
        Dxil::read(file).expect_err("is no container").message.clone()
    };
    let cases: [(&[u8], &str); 5] = [
        (&[3, 2, 0x23, 7], "(SPIR-V)"),
        (&[0xde, 0xc0, 0x17, 0x0b], "(wrapped LLVM bitcode)"),
        (b"Microsoft C/C++ MSF", "(a PDB)"),
        (b"MZ\x90\0", "(a Windows executable)"),
        (b"abcd", "61 62 63 64"),
    ];
    for (magic, name) in cases {
        assert!(says(magic).ends_with(name), "{}", says(magic));
    }
    let odd = Dxil::read(container(&[(&[1, 2, 3, 4], &[0; 4])])).expect("is a container");
    let named = odd.faults.iter().find(|fault| fault.rule.code == "C16").expect("is said");
    assert!(named.message.contains("0x04030201"), "{named}");
}

/// Parameters of a root signature that all name one long table: what is read of them stays as short as the part.
#[test]
fn a_root_signature_does_not_grow_with_the_square_of_its_size() {
    let (parameters, ranges) = (4000u32, 4000u32);
    let (payload, rows) = (24 + 12 * parameters, 32 + 12 * parameters);
    let mut data: Vec<u8> = [1, parameters, 24, 0, 0, 0].iter().flat_map(|word: &u32| word.to_le_bytes()).collect();
    for _ in 0..parameters {
        data.extend([0, 0, payload].iter().flat_map(|word: &u32| word.to_le_bytes()));
    }
    data.extend([ranges, rows].iter().flat_map(|word| word.to_le_bytes()));
    data.resize(data.len() + 20 * ranges as usize, 0);
    assert_eq!(codes(&container(&[(b"RTS0", &data)]))[0], "C58");
}

/// Patch constants come into a domain shader, which its program's header says also where the program is broken.
#[test]
fn columns_of_patch_constants_depend_on_the_kind() {
    let file = sample("tessellated_patch.ds.dxil");
    let used = |file: &[u8]| {
        let patch = Dxil::read(file.to_vec()).expect("is a container").patch.expect("patch constants");
        patch.iter().map(|element| element.used.to_string()).collect::<Vec<_>>()
    };
    let at = part(&file, b"DXIL");
    let mut broken = file.clone();
    // Where its bitcode begins.
    put(&mut broken, at + 16, 0x5858_5858);
    let broken = signed(broken);
    assert!(Dxil::read(broken.clone()).expect("is a container").program.is_none());
    assert_eq!(used(&broken), used(&file));
    assert!(used(&file).iter().any(|columns| columns.contains('x')), "{:?}", used(&file));
    let mut unknown = broken;
    put(&mut unknown, at + 8, 0);
    assert!(used(&signed(unknown)).iter().all(String::is_empty));
}

#[test]
fn shows_the_digest_state_with_the_shader_model() {
    let with = |name: &str, byte: u8| {
        let mut file = sample(name);
        file[4..20].fill(byte);
        file
    };
    assert_eq!(codes(&with("prefix_sum.cs.dxil", 2)), ["C57", "D007"]);
    assert_eq!(codes(&with("prefix_sum.cs.dxil", 1)), ["C57"]);
    assert_eq!(codes(&with("prefix_sum.cs.dxil", 0)), ["C57"]);
    assert_eq!(codes(&with("experimental_ops.cs.dxil", 2)), ["C57"]);
    assert_eq!(codes(&with("experimental_ops.cs.dxil", 0)), ["C57", "D007"]);
    assert_eq!(codes(&signed(sample("experimental_ops.cs.dxil"))), ["D007"]);
    let states =
        [(0, DigestState::Missing), (1, DigestState::Bypass), (2, DigestState::Preview), (7, DigestState::Wrong)];
    for (byte, state) in states {
        let read = Dxil::read(with("prefix_sum.cs.dxil", byte)).expect("reads");
        assert_eq!(read.container.digest.state, state);
    }
}

/// A library of a released model, said to be of 6.10 in its header and in its metadata.
#[test]
fn nodes_after_shader_model_6_9_are_a_finding() {
    let mut file = sample("long_vectors_node.lib.dxil");
    let at = part(&file, b"DXIL");
    file[at] = 0x6a;
    let found = codes(&signed(file));
    assert!(found.contains(&"D004".to_owned()) && found.contains(&"C25".to_owned()), "{found:?}");
}

/// Inputs at other registers than the outputs of their semantic: read from where the outputs are, and said.
#[test]
fn registers_that_differ_between_stages_are_a_finding() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let write = |name: &str, file: Vec<u8>| {
        let path = folder.path().join(name);
        std::fs::write(&path, file).expect("writes");
        path
    };
    let vertex = write("a.vs.dxil", sample("lit_surface.vs.dxil"));
    let pixel = write("a.ps.dxil", sample("tessellated_patch.ps.dxil"));
    let program = load(&[vertex, pixel], &[]).expect("loads");
    let report = analyse(&program, &Options::default()).expect("analyses");
    let found: Vec<&str> = report.findings.iter().map(|finding| finding.code.as_str()).collect();
    assert!(found.contains(&"D009"), "{found:?}");
}

#[test]
fn does_not_convert_reflection_only_bitcode() {
    let whole = Dxil::read(sample("lit_surface.ps.dxil")).expect("reads");
    let part = whole.container.part(b"STAT").expect("reflection");
    let data = &whole.file()[part.data_offset() as usize..][..part.size as usize];
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("stat.dxil");
    std::fs::write(&path, &data[24..]).expect("writes");
    let loaded = load(&[path], &[]).expect("opens");
    assert!(loaded.modules.is_empty());
    let why = loaded.dxil[0].entries.iter().filter_map(|entry| entry.why.clone()).collect::<Vec<_>>().join("; ");
    assert!(why.contains("no function of the program has a body"), "{why}");
}
