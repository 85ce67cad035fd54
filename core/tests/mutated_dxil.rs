//! DXIL containers with bytes changed: reading them ends, in bounded memory, and never panics.
//!
//! `MUTATIONS=1000000 SEED=7` runs it for longer, and elsewhere; the fuzz targets in `core/fuzz` continue from there.

mod long_names;
mod random;

use std::alloc::{GlobalAlloc, Layout, System};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use lanescope_core::dxil::Dxil;
use random::Random;

/// The longest that one file of a few thousand bytes may take.
const PATIENCE: Duration = Duration::from_secs(1);

/// Memory that may be held beside so many times the input.
const SLACK: usize = 16 << 20;
/// How often the input's size may be held.
const TIMES: usize = 64;

/// Counts what is held, and the most that ever was.
struct Counting;

/// One test at a time: memory is counted for the whole process.
static ALONE: Mutex<()> = Mutex::new(());
static HELD: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

#[allow(unsafe_code, reason = "an allocator is unsafe to implement; this one hands everything on")]
// SAFETY: every call goes to the system's allocator with the caller's own arguments.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let held = HELD.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        MOST.fetch_max(held, Ordering::Relaxed);
        // SAFETY: the caller's own contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller's own contract.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn samples() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples");
    let mut paths: Vec<PathBuf> = ["dxil", "work_graphs"]
        .iter()
        .flat_map(|name| std::fs::read_dir(folder.join(name)).expect("the samples are there"))
        .map(|entry| entry.expect("reads").path())
        .filter(|path| path.extension().is_some_and(|e| e == "dxil"))
        .collect();
    paths.sort();
    paths.iter().map(|path| std::fs::read(path).expect("reads")).collect()
}

fn mutate(file: &mut Vec<u8>, random: &mut Random) {
    const ODD: &[u32] = &[0, 1, 3, 4, 31, 32, 255, 0xffff, 1 << 20, 1 << 31, u32::MAX - 1, u32::MAX];
    let at = random.below(file.len());
    // Header and small structures are a small share of the bytes: they get their own.
    let near = random.below(file.len().min(1024));
    match random.below(9) {
        0..=2 => file[at] ^= 1 << random.below(8),
        3 => file[at] = random.next() as u8,
        4 | 5 => {
            let at = (if random.below(2) == 0 { near } else { at }) & !3;
            if let Some(word) = file.get_mut(at..at + 4) {
                word.copy_from_slice(&ODD[random.below(ODD.len())].to_le_bytes());
            }
        }
        6 => file[near] ^= 1 << random.below(8),
        7 => {
            let (from, count) = (random.below(file.len()), random.below(64));
            let copy: Vec<u8> = file[from..].iter().copied().take(count).collect();
            for (to, from) in file[at..].iter_mut().zip(copy) {
                *to = from;
            }
        }
        _ => {
            if random.below(16) == 0 {
                file.truncate(at);
            } else {
                file[at] = file[at].wrapping_add(1);
            }
        }
    }
}

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

#[test]
fn changed_containers_are_read_without_panic_or_end() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let samples = samples();
    let (first, count) = (number("SEED", 1), number("MUTATIONS", 20_000));
    let (mut read, mut programs) = (0u64, 0u64);
    let mut failed = Vec::new();
    for seed in first..first + count {
        let mut random = Random(seed);
        let mut file = samples[random.below(samples.len())].clone();
        for _ in 0..=random.below(4) {
            if !file.is_empty() {
                mutate(&mut file, &mut random);
            }
        }
        let size = file.len();
        let before = HELD.load(Ordering::Relaxed);
        MOST.store(before, Ordering::Relaxed);
        let start = Instant::now();
        let result = std::panic::catch_unwind(|| {
            let dxil = Dxil::read(file).ok()?;
            let findings = dxil.findings("a.dxil", 0).len();
            let summary = dxil.summary(0);
            Some((findings, summary.module.is_some()))
        });
        match result {
            Ok(Some((_, program))) => {
                read += 1;
                programs += u64::from(program);
            }
            Ok(None) => {}
            Err(_) => failed.push(format!("seed {seed} panics")),
        }
        let (elapsed, held) = (start.elapsed(), MOST.load(Ordering::Relaxed).saturating_sub(before));
        if elapsed > PATIENCE {
            failed.push(format!("seed {seed} takes {elapsed:?}"));
        }
        if held > size * TIMES + SLACK {
            failed.push(format!("seed {seed} holds {held} bytes for {size}"));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert!(
        read > count / 3 && programs > count / 10,
        "{read} containers and {programs} programs of {count} were read"
    );
}

#[test]
fn one_long_name_in_many_places_is_bounded() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let files = [
        ("semantic", long_names::of_a_semantic(64 << 10, 4000), "D001"),
        ("structure", long_names::of_a_structure(200_000, 1500), "C35"),
    ];
    for (what, file, code) in files {
        let size = file.len();
        let before = HELD.load(Ordering::Relaxed);
        MOST.store(before, Ordering::Relaxed);
        let start = Instant::now();
        let dxil = Dxil::read(file).expect("is a container");
        let findings = dxil.findings("a.dxil", 0);
        let (elapsed, held) = (start.elapsed(), MOST.load(Ordering::Relaxed).saturating_sub(before));
        assert!(findings.iter().any(|finding| finding.code == code), "{what}: {findings:?}");
        assert!(elapsed < PATIENCE && held <= size * TIMES + SLACK, "{what}: {elapsed:?}, {held} bytes for {size}");
    }
}
