//! Pipeline descriptions with bytes changed: reading them ends, in bounded memory,
//! and never panics.
//!
//! `MUTATIONS=100000 SEED=7` runs it for longer, and elsewhere.

mod random;

use std::io::Cursor;
use std::path::Path;
use std::time::{Duration, Instant};

use lanescope_core::pipeline::foz::{Database, Key, open};
use lanescope_core::pipeline::pipe;
use random::Random;

/// The longest that one file of a few kilobytes may take.
const PATIENCE: Duration = Duration::from_secs(5);

/// The most memory that this process may ever have held: a stated size does not justify that much.
const MOST_KIB: u64 = 1 << 20;

/// Lines that descriptions seldom have.
const LINES: &[&str] = &[
    "userDataNode[4000000000].type = PushConst\n",
    "userDataNode[0].next[0].next[0].next[0].type = DescriptorTableVaPtr\n",
    "userDataNode[0].sizeInDwords = 0xFFFFFFFF\n",
    "userDataNode[0].next[0].offsetInDwords = -1\n",
    "colorBuffer[8].format = VK_FORMAT_R8_UINT\n",
    "binding[65535].stride = 5000000000\n",
    "[FsSpirv]\n",
    "[GraphicsLibrary]\nfragment = x.pipe\n",
    "specConst.mapEntry[0].offset = 4294967295\n",
    "[",
    "a = 1 ; b = 2\n",
];

/// Changes a file in some of the ways in which files break.
fn mutate(bytes: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len() + 1);
        let most = 1 << random.below(10);
        let length = random.below(most).min(bytes.len() - at);
        match random.below(8) {
            0 => bytes.truncate(at),
            1 => drop(bytes.drain(at..at + length)),
            2 => {
                let copy = bytes[at..at + length].to_vec();
                let to = random.below(bytes.len() + 1);
                bytes.splice(to..to, copy);
            }
            3 => {
                let line = random.one_of(LINES);
                bytes.splice(at..at, line.bytes());
            }
            4 => {
                let word = random.one_of(&[0, 1, 0x7fff_ffff, 0x8000_0000, u32::MAX]).to_le_bytes();
                bytes.iter_mut().skip(at).zip(word).for_each(|(byte, new)| *byte = new);
            }
            5 => {
                let digit = random.one_of(b"0123456789abcdefx[].=,\n \0");
                bytes.iter_mut().skip(at).take(1).for_each(|byte| *byte = digit);
            }
            _ => {
                let bit = 1 << random.below(8);
                bytes.iter_mut().skip(at).take(1).for_each(|byte| *byte ^= bit);
            }
        }
    }
}

/// Reads what may be a database: its list, and every pipeline of it.
fn read_database(bytes: Vec<u8>) -> bool {
    let Ok(database) = Database::open(vec![("a.foz".to_owned(), Cursor::new(bytes))]) else { return false };
    let listing = database.list("", |_| true);
    for row in listing.pipelines.iter().take(64) {
        for place in database.pipelines(&Key(row.hash.0).to_string()) {
            let _ = open(&database, &place);
        }
    }
    true
}

#[test]
fn broken_descriptions_are_read_without_panic_or_end() {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples");
    let names = ["textured_quad.pipe", "tiled_blur.pipe", "tiled_blur.foz", "effects.foz"];
    let files = names.map(|name| (name, std::fs::read(samples.join(name)).expect("a sample")));
    let number = |variable: &str, default: u64| -> u64 {
        std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
    };
    let (first, count) = (number("SEED", 1), number("MUTATIONS", 2_000));
    let (mut read, mut failed) = (0, Vec::new());
    for seed in first..first + count {
        let start = Instant::now();
        let result = std::panic::catch_unwind(|| {
            let mut random = Random(seed);
            let (name, bytes) = &files[random.below(files.len())];
            let mut bytes = bytes.clone();
            mutate(&mut bytes, &mut random);
            match name.ends_with(".pipe") {
                true => pipe::read(name, &bytes).is_ok(),
                false => read_database(bytes),
            }
        });
        match result {
            Ok(whole) => read += u64::from(whole),
            Err(_) => failed.push(format!("seed {seed} panics")),
        }
        if start.elapsed() > PATIENCE {
            failed.push(format!("seed {seed} takes {:?}", start.elapsed()));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert!(read > count / 3, "only {read} of {count} were descriptions at all");
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let peak: Option<u64> = peak.and_then(|text| text.trim().trim_end_matches("kB").trim().parse().ok());
    assert!(peak.is_none_or(|kib| kib < MOST_KIB), "{peak:?} KiB were held");
}
