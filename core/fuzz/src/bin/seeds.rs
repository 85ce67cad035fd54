//! Writes what the targets start from: the samples, and their parts, into `corpus`.

use std::io::Write;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::ZlibEncoder;
use lanescope_fuzz::dxil::container;
use lanescope_fuzz::selector;

fn main() -> std::io::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut count = 0;
    for folder in ["dxil", "work_graphs"] {
        let mut paths: Vec<PathBuf> = Vec::new();
        for entry in std::fs::read_dir(root.join("../../samples").join(folder))? {
            paths.push(entry?.path());
        }
        paths.retain(|path| path.extension().is_some_and(|e| e == "dxil"));
        for path in paths {
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            count += seeds(root, &name, &std::fs::read(&path)?)?;
        }
    }
    for (name, sources) in [("plain", sources(false)), ("packed", sources(true))] {
        let first = selector(b"SRCI", 0).expect("is a part");
        count += write(root, "runtime", name, &[&[first], sources.as_slice()].concat())?;
    }
    println!("{count} seeds");
    Ok(())
}

fn write(root: &Path, target: &str, name: &str, data: &[u8]) -> std::io::Result<usize> {
    let folder = root.join("corpus").join(target);
    std::fs::create_dir_all(&folder)?;
    std::fs::write(folder.join(name), data)?;
    Ok(1)
}

/// A file, and each of its parts.
fn seeds(root: &Path, name: &str, file: &[u8]) -> std::io::Result<usize> {
    let mut count = write(root, "whole", name, file)? + write(root, "container", name, file)?;
    let read = container::read(file, &mut Vec::new()).expect("a sample is a container");
    let program = read.part(b"DXIL").expect("a sample has a program").data_offset() as usize;
    let kind = u32::from(u16::from_le_bytes([file[program + 2], file[program + 3]]));
    for part in &read.parts {
        let start = part.data_offset() as usize;
        let data = &file[start..start + part.size as usize];
        let name = format!("{name}.{}", part.name);
        count += match &part.name.0 {
            // Behind the program header and the magic.
            b"DXIL" | b"STAT" | b"ILDB" => write(root, "bitstream", &name, &data[28..])?,
            part => match selector(part, kind) {
                Some(first) => write(root, "runtime", &name, &[&[first], data].concat())?,
                None => 0,
            },
        };
    }
    Ok(count)
}

/// Data as zlib packs it.
fn zlib(data: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(data).expect("writes into memory");
    encoder.finish().expect("writes into memory")
}

/// The sources of a PDB: one file of one line, and an argument.
fn sources(packed: bool) -> Vec<u8> {
    let words = |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
    let text = b"void main() {}\n\0";
    let entry = [words(&[12 + 16, 0, 16]), text.to_vec()].concat();
    let stored = if packed { zlib(&entry) } else { entry.clone() };
    let padded = |mut data: Vec<u8>| {
        data.resize(data.len().next_multiple_of(4), 0);
        data
    };
    let section = |kind: u32, data: Vec<u8>| {
        let data = padded(data);
        [words(&[8 + data.len() as u32, kind << 16]), data].concat()
    };
    let size = stored.len() as u32;
    let compression = u32::from(packed) << 16;
    let contents = [words(&[20 + size, compression, size, entry.len() as u32, 1]), stored].concat();
    let names = [words(&[0, 1]), vec![24, 0], words(&[24, 0, 7, 16]), b"a.hlsl\0\0".to_vec()].concat();
    let arguments = [words(&[0, 9, 1]), b"-T\0cs_6_0".to_vec(), vec![0]].concat();
    let all = [section(0, contents), section(1, names), section(2, arguments)].concat();
    [words(&[8 + all.len() as u32, 3 << 16]), all].concat()
}

/// The reader's counters call these. This program runs it once and counts nothing.
mod uncounted {
    macro_rules! ignored {
        ($($name:ident ( $($type:ty),* );)+) => {
            $(
                #[unsafe(no_mangle)]
                extern "C" fn $name($(_: $type),*) {}
            )+
        };
    }
    ignored! {
        __sanitizer_cov_8bit_counters_init(*const u8, *const u8);
        __sanitizer_cov_pcs_init(*const u8, *const u8);
        __sanitizer_cov_trace_pc_indir(usize);
        __sanitizer_cov_trace_cmp1(u8, u8);
        __sanitizer_cov_trace_cmp2(u16, u16);
        __sanitizer_cov_trace_cmp4(u32, u32);
        __sanitizer_cov_trace_cmp8(u64, u64);
        __sanitizer_cov_trace_const_cmp1(u8, u8);
        __sanitizer_cov_trace_const_cmp2(u16, u16);
        __sanitizer_cov_trace_const_cmp4(u32, u32);
        __sanitizer_cov_trace_const_cmp8(u64, u64);
        __sanitizer_cov_trace_switch(u64, *const u64);
    }
}
