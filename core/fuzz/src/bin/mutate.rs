//! Runs a target on changed seeds, without libFuzzer: `mutate TARGET RUNS [SEED]`.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::Instant;

use lanescope_fuzz::hostile::Random;
use lanescope_fuzz::{TARGETS, Target, seeds};

/// Writes the input before each run that fails.
struct Kept {
    folder: PathBuf,
    data: Vec<u8>,
}

impl Drop for Kept {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let path = self.folder.join("mutated");
            let written = std::fs::create_dir_all(&self.folder).and_then(|()| std::fs::write(&path, &self.data));
            eprintln!("{}: {written:?}", path.display());
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let words = std::env::args_os().skip(1);
    let arguments: Vec<String> = words.map(|word| word.to_string_lossy().into_owned()).collect();
    let names = || TARGETS.iter().map(|target| target.name).collect::<Vec<_>>().join(", ");
    let [name, runs, rest @ ..] = arguments.as_slice() else {
        return Err(format!("expected TARGET RUNS [SEED]; targets: {}", names()).into());
    };
    let target = Target::named(name).ok_or_else(|| format!("`{name}` is not a target: {}", names()))?;
    let runs: u64 = runs.parse()?;
    let mut random = Random::new(rest.first().map_or(Ok(0), |seed| seed.parse())?);
    let seeds: Vec<Vec<u8>> =
        seeds()?.into_iter().filter(|seed| seed.target == target.name).map(|seed| seed.data).collect();
    let mut kept = Kept { folder: Path::new("artifacts").join(target.name), data: Vec::new() };
    let start = Instant::now();
    for run in 0..runs {
        kept.data.clone_from(&seeds[random.below(seeds.len())]);
        change(&mut kept.data, &seeds, &mut random);
        target.run(&kept.data);
        if run % 100_000 == 99_999 {
            println!("{} runs, {:.0} each second", run + 1, (run + 1) as f64 / start.elapsed().as_secs_f64());
        }
    }
    println!("{runs} runs of {} seeds in {:.0} s", seeds.len(), start.elapsed().as_secs_f64());
    Ok(())
}

/// Changes some words: to small numbers, to neighbours, to bits of themselves, to words of the same or another seed.
fn change(data: &mut Vec<u8>, seeds: &[Vec<u8>], random: &mut Random) {
    let words = data.len() / 4;
    if words == 0 {
        return;
    }
    for _ in 0..=random.below(4) {
        let at = random.below(words) * 4;
        let read = |data: &[u8], at: usize| {
            let bytes = data.get(at..at + 4).and_then(|bytes| bytes.try_into().ok());
            bytes.map_or(0, u32::from_le_bytes)
        };
        let old = read(data, at);
        let other = &seeds[random.below(seeds.len())];
        let new = match random.below(8) {
            0 => random.below(64) as u32,
            1 => old.wrapping_add(1 + random.below(3) as u32),
            2 => old.wrapping_sub(1 + random.below(3) as u32),
            3 => old ^ 1 << random.below(32),
            4 => [u32::MAX, 0x8000_0000, 0x7f80_0000, 0x7fc0_0000, 1 << 16][random.below(5)],
            5 => read(other, random.below(other.len().max(4) / 4) * 4),
            _ => read(data, random.below(words) * 4),
        };
        data[at..at + 4].copy_from_slice(&new.to_le_bytes());
    }
    if random.below(64) == 0 {
        data.truncate(random.below(data.len()));
    }
}
