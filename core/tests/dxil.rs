//! DXIL containers: every sample's report, our reader beside dxil-spirv's, and files that are not as they should be.

use std::path::{Path, PathBuf};

use dxil_spirv::ParsedBlob;
use dxil_spirv::binding::{
    Bindless, CbvVulkanBinding, D3dBinding, SrvVulkanBinding, UavVulkanBinding, VulkanBinding, VulkanDescriptorType,
};
use lanescope_core::analyse;
use lanescope_core::dxil::container::DigestState;
use lanescope_core::dxil::{Dxil, escaped};
use lanescope_core::load::load;
use lanescope_core::options::Options;
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
        finding.place = finding.place.take().map(|place| sample_path(&place));
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

#[test]
fn entry_points_are_those_that_dxil_spirv_finds() {
    let mut entries = 0;
    for path in samples() {
        let file = std::fs::read(&path).expect("reads");
        let parsed = ParsedBlob::parse(&file).expect("dxil-spirv reads it");
        let count = parsed.num_entry_points().expect("counts");
        let theirs: Vec<String> =
            (0..count).map(|index| escaped(parsed.entry_point_name(index).expect("has a name").as_bytes())).collect();
        let ours = Dxil::read(file).expect("we read it");
        let program = ours.program.as_ref().expect("a program");
        let function = |entry: &lanescope_core::dxil::metadata::EntryPoint| {
            entry.function.clone().unwrap_or_else(|| entry.name.clone())
        };
        let mut mine: Vec<String> = program.dx.entries.iter().map(function).collect();
        let mut theirs = theirs;
        mine.sort();
        theirs.sort();
        assert_eq!(mine, theirs, "{}", path.display());
        entries += mine.len();
    }
    assert!(entries > 60, "{entries}");
}

/// Class, space, first register, count.
type Register = (String, u32, u32, u32);

/// The converter's own callbacks say which registers and which interface elements it met.
#[test]
fn signatures_and_resources_are_those_that_dxil_spirv_finds() {
    use std::sync::{Arc, Mutex};
    for path in samples().into_iter().filter(|path| !name(path).contains(".lib.")) {
        let file = std::fs::read(&path).expect("reads");
        let ours = Dxil::read(file.clone()).expect("we read it");
        let program = ours.program.as_ref().expect("a program");
        // Of a mesh shader's interface it knows no registers.
        if program.header.kind == 13
            || program.header.kind == 6
            || (program.header.major, program.header.minor) > (6, 9)
        {
            continue;
        }
        let parsed = ParsedBlob::parse(&file).expect("dxil-spirv reads it");
        let mut converter = dxil_spirv::Converter::new(&parsed).expect("a converter");
        let seen: Arc<Mutex<Vec<(bool, String, u32)>>> = Arc::default();
        let note = |input: bool| {
            let seen = seen.clone();
            move |io: &dxil_spirv::binding::D3dShaderStageIo| {
                let row = (input, io.semantic.clone(), io.semantic_index);
                seen.lock().expect("one thread").push(row);
                Some(dxil_spirv::binding::VulkanShaderStageIo {
                    location: io.start_row,
                    component: 0,
                    flags: dxil_spirv::binding::VulkanShaderStageIoFlags::None,
                })
            }
        };
        converter.set_stage_input_remapper(note(true));
        converter.set_stage_output_remapper(note(false));
        let registers: Arc<Mutex<Vec<Register>>> = Arc::default();
        let note = |class: &'static str| {
            let registers = registers.clone();
            move |binding: &D3dBinding| {
                let row = (class.to_owned(), binding.register_space, binding.register_index, binding.range_size);
                registers.lock().expect("one thread").push(row);
                VulkanBinding {
                    set: 0,
                    binding: binding.register_index,
                    root_constant_index: 0,
                    bindless: Bindless { heap_root_offset: 0, use_heap: false },
                    descriptor_type: VulkanDescriptorType::Identity,
                }
            }
        };
        let (srv, uav, cbv, sampler) = (note("srv"), note("uav"), note("cbv"), note("sampler"));
        converter.set_srv_remapper(move |binding| {
            let at = srv(binding);
            Some(SrvVulkanBinding { buffer_binding: at, offset_binding: at })
        });
        converter.set_uav_remapper(move |uav_binding| {
            let at = uav(&uav_binding.binding);
            Some(UavVulkanBinding { buffer_binding: at, counter_binding: at, offset_binding: at })
        });
        converter.set_cbv_remapper(move |binding| Some(CbvVulkanBinding::Uniform(cbv(binding))));
        converter.set_sampler_remapper(move |binding| Some(sampler(binding)));
        // Whether the words that follow are any good is not asked here: locations overlap.
        let _ = converter.run();
        let entry = program.dx.entries.first().expect("an entry point");
        let mut theirs = seen.lock().expect("one thread").clone();
        theirs.sort();
        theirs.dedup();
        let user = |input: bool, list: &[lanescope_core::dxil::metadata::SignatureElement]| {
            let rows = list.iter().filter(|element| element.kind == "none").map(move |element| {
                let index = element.indices.first().copied().unwrap_or(0);
                (input, element.semantic.clone(), index)
            });
            rows.collect::<Vec<_>>()
        };
        let signatures = &entry.signatures;
        let mut mine = user(true, &signatures.input);
        mine.extend(user(false, &signatures.output));
        mine.extend(user(entry.kind == "domain", &signatures.patch));
        mine.sort();
        mine.dedup();
        assert_eq!(mine, theirs, "{}", path.display());
        let mut theirs = registers.lock().expect("one thread").clone();
        theirs.sort();
        theirs.dedup();
        let mut mine: Vec<Register> =
            ours.resources().iter().map(|r| (r.class.clone(), r.space, r.lower, r.count.unwrap_or(u32::MAX))).collect();
        mine.sort();
        assert_eq!(mine, theirs, "{}", path.display());
    }
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
            // What is said of ops has tests of its own.
            let findings = read.findings("a.dxil").into_iter().map(|finding| finding.code);
            let mut codes: Vec<String> = findings.filter(|code| !code.starts_with('X')).collect();
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
fn parts_that_no_compiler_writes_so_are_named_by_their_rule() {
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
    // A gap before a part, and bytes behind the last one.
    let mut gap = container(&[sfi0]);
    gap.splice(36..36, [0; 4]);
    let size = gap.len() as u32;
    put(&mut gap, 32, 40);
    put(&mut gap, 24, size);
    assert_eq!(codes(&signed(gap))[0], "C11");
    let mut behind = container(&[sfi0]);
    behind.extend([0; 4]);
    let size = behind.len() as u32;
    put(&mut behind, 24, size);
    assert_eq!(codes(&signed(behind))[0], "C14");
    // A size that is no multiple of four.
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

#[test]
fn runtime_data_that_does_not_hold_is_named_by_its_rule() {
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
    assert_eq!(changed(table(4), 1 << 30)[0], "C51");
    assert_eq!(changed(table(4) + 4, 0)[0], "C51");
    assert_eq!(changed(table(4) + 8, 0x00ff_ffff)[0], "C52");
    assert_eq!(changed(table(11) + 8, 9)[0], "D003");
    assert!(changed(table(3) + 8 + 16, 5).contains(&"D003".to_owned()));
}

#[test]
fn what_the_digest_says_is_shown_with_the_shader_model() {
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
