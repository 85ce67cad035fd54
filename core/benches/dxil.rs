//! Reading DXIL, compared with dxil-spirv reading the same bytes in the same run, and with copying them.
//!
//! What each side does:
//! * *a copy*: the file's bytes into a new allocation.
//! * *bitcode*: the program's bitcode alone. dxil-spirv (`parse_dxil`) reads it into its own form of LLVM and looks up
//!   the entry points. We (`Module::parse`) read types, constants, functions, metadata and names, check every reference,
//!   and keep the place of each record.
//! * *program*: a container with nothing but the part `DXIL`. dxil-spirv (`ParsedBlob::parse`) finds the part, reads its
//!   bitcode, the entry points and the subobjects. We (`Dxil::read`) do that, read all other `dx.*` metadata, check the
//!   digest, and decode every call of an op (`calls`).
//! * *container, both programs*: the whole container. dxil-spirv reads the bitcode of `DXIL` and, with
//!   `ParsedBlob::parse_reflection`, that of `STAT` and the signature parts. It passes over the other parts, and checks
//!   no digest.
//! * *container, all parts*: we read every part: `DXIL`, `STAT` and `ILDB`, signatures, PSV0, RDAT, root signature,
//!   hashes, names; check the digest, an MD5 of the whole file; and decode every call of an op.
//! * *container, one program*: what dxil-spirv does for the program alone.
//! * *digest*: the part of ours that container, table of parts and digest take.
//!
//! Like is compared with like in *program* (the same blob, the same program) and in *all parts* beside *both programs* (the
//! same bitcode: `STAT` is nearly as long as the program). *All parts* beside *one program* is stated too: there we read
//! about twice as much bitcode as dxil-spirv does, and an MD5 that waits for itself from step to step.
//!
//! Criterion's figures are followed by a table of ratios, each the minimum of many alternating rounds, so that other
//! load on the machine affects all of them alike.

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use dxil_spirv::ParsedBlob;
use lanescope_core::dxil::Dxil;
use lanescope_core::dxil::container;
use lanescope_core::dxil::module::Module;
use lanescope_core::dxil::op_calls::calls;

/// Every sample of a folder.
fn samples(folder: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples").join(folder);
    let entries = std::fs::read_dir(folder).expect("the samples are there");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("reads").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e == "dxil"));
    paths.sort();
    paths.iter().map(|path| std::fs::read(path).expect("reads")).collect()
}

/// The bitcode of a file's program.
fn bitcode(file: &[u8]) -> Vec<u8> {
    let dxil = Dxil::read(file.to_vec()).expect("a sample is a container");
    dxil.bitcode(dxil.program.as_ref().expect("a sample has a program")).to_vec()
}

/// A container with the program's part and nothing else, unsigned.
fn program_alone(file: &[u8]) -> Vec<u8> {
    let dxil = Dxil::read(file.to_vec()).expect("a sample is a container");
    let part = dxil.container.part(b"DXIL").expect("a sample has a program");
    let data = &file[part.data_offset() as usize..][..part.size as usize];
    let mut out = b"DXBC".to_vec();
    out.extend([0; 16]);
    let size = 36 + 8 + part.size;
    out.extend([1, size, 1, 36].iter().flat_map(|word: &u32| word.to_le_bytes()));
    out.extend(b"DXIL");
    out.extend(part.size.to_le_bytes());
    out.extend(data);
    out
}

/// What is read of a sample.
struct Sample {
    file: Vec<u8>,
    program: Vec<u8>,
    bitcode: Vec<u8>,
}

/// What is measured: its name, and what it does to a sample.
type Case = (&'static str, fn(&Sample) -> usize);

/// Reads a container, and decodes every op that it calls.
fn ours(file: &[u8]) -> usize {
    let dxil = Dxil::read(file.to_vec()).expect("a sample is a container");
    dxil.program.as_ref().map_or(0, |program| calls(&program.module).len())
}

const CASES: [Case; 9] = [
    ("a copy", |s| black_box(s.file.clone()).len()),
    ("bitcode, dxil-spirv", |s| usize::from(dxil_spirv::parse_dxil(&s.bitcode).is_ok())),
    ("bitcode, ours", |s| black_box(Module::parse(&s.bitcode, 0)).map_or(0, |module| module.functions.len())),
    ("program, dxil-spirv", |s| usize::from(ParsedBlob::parse(&s.program).is_ok())),
    ("program, ours", |s| ours(&s.program)),
    ("container, one program, dxil-spirv", |s| usize::from(ParsedBlob::parse(&s.file).is_ok())),
    ("container, both programs, dxil-spirv", |s| {
        usize::from(ParsedBlob::parse(&s.file).is_ok()) + usize::from(ParsedBlob::parse_reflection(&s.file).is_ok())
    }),
    ("container, all parts, ours", |s| ours(&s.file)),
    ("digest, ours", |s| container::read(&s.file, &mut Vec::new()).map_or(0, |read| read.parts.len())),
];

/// What is set against what: words, ours, theirs; indices of cases.
const RATIOS: [(&str, usize, usize); 4] = [
    ("bitcode", 2, 1),
    ("program (the same blob)", 4, 3),
    ("all parts to both programs (the same bitcode)", 7, 6),
    ("all parts to one program (half of the bitcode)", 7, 5),
];

fn reading(criterion: &mut Criterion) {
    for folder in ["dxil", "work_graphs"] {
        let sample = |file: Vec<u8>| Sample { program: program_alone(&file), bitcode: bitcode(&file), file };
        let files: Vec<Sample> = samples(folder).into_iter().map(sample).collect();
        let bytes: usize = files.iter().map(|sample| sample.file.len()).sum();
        let mut group = criterion.benchmark_group(format!("{folder}: {} containers", files.len()));
        group.throughput(Throughput::Bytes(bytes as u64));
        for (name, case) in CASES {
            group.bench_function(name, |bencher| bencher.iter(|| files.iter().map(case).sum::<usize>()));
        }
        group.finish();
        ratios(folder, &files);
    }
}

/// The least time of each case, in turns, and what it is to others.
fn ratios(folder: &str, files: &[Sample]) {
    let mut least = [Duration::MAX; CASES.len()];
    for _ in 0..200 {
        for ((_, case), least) in CASES.iter().zip(&mut least) {
            let start = Instant::now();
            black_box(files.iter().map(case).sum::<usize>());
            *least = start.elapsed().min(*least);
        }
    }
    let of = |part: fn(&Sample) -> &[u8]| files.iter().map(|sample| part(sample).len()).sum::<usize>();
    let (whole, program, code) = (of(|s| &s.file), of(|s| &s.program), of(|s| &s.bitcode));
    println!("{folder}: least of 200 rounds; bytes of containers {whole}, of programs {program}, of bitcode {code}");
    let copy = whole as f64 / least[0].as_secs_f64();
    for ((name, _), time) in CASES.iter().zip(&least) {
        let bytes = match name.split(',').next() {
            Some("bitcode") => code,
            Some("program") => program,
            _ => whole,
        };
        let rate = bytes as f64 / time.as_secs_f64();
        println!("  {name:38} {time:>10.1?} {:8.1} MB/s, {:.4} of a copy", rate / 1e6, rate / copy);
    }
    for (what, ours, theirs) in RATIOS {
        println!("  ours to dxil-spirv, {what}: {:.2}", least[ours].as_secs_f64() / least[theirs].as_secs_f64());
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20).measurement_time(Duration::from_secs(2));
    targets = reading
}
criterion_main!(benches);
