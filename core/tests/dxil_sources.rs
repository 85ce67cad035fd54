//! Sources that a container keeps, compressed or not, in each of the places where a compiler puts them.

use std::io::Write;
use std::path::Path;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use lanescope_core::dxil::Dxil;

/// Data as zlib packs it.
fn zlib(data: &[u8], level: u32) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::new(level));
    encoder.write_all(data).expect("writes into memory");
    encoder.finish().expect("writes into memory")
}

/// Two files, their contents long enough to be worth compressing.
fn files() -> [(&'static str, String); 2] {
    [
        ("main.hlsl", "#include \"light.hlsli\"\r\n\tfloat4 main() : SV_Target { return light(); }\r\n".repeat(12)),
        ("light.hlsli", "float4 light() { return float4(1, 1, 1, 1); } // \x1b[31m\n".repeat(20)),
    ]
}

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn padded(mut data: Vec<u8>) -> Vec<u8> {
    data.resize(data.len().next_multiple_of(4), 0);
    data
}

fn zero_ended(text: &str) -> Vec<u8> {
    [text.as_bytes(), &[0]].concat()
}

/// A container with a single part.
fn container(name: &[u8; 4], part: &[u8]) -> Vec<u8> {
    let mut file = [b"DXBC".to_vec(), vec![0; 16]].concat();
    file.extend(words(&[1, 44 + part.len() as u32, 1, 36]));
    file.extend(name);
    file.extend(words(&[part.len() as u32]));
    file.extend(part);
    file
}

/// SRCI, and how many bytes the contents of all files have once unpacked.
fn srci(packed: bool) -> (Vec<u8>, u32) {
    let section = |kind: u32, data: Vec<u8>| {
        let data = padded(data);
        [words(&[8 + data.len() as u32, kind << 16]), data].concat()
    };
    let entries = files().map(|(_, text)| {
        let text = zero_ended(&text);
        let padded_text = padded(text.clone());
        [words(&[12 + padded_text.len() as u32, 0, text.len() as u32]), padded_text].concat()
    });
    let plain = entries.concat();
    let stored = if packed { zlib(&plain, 6) } else { plain.clone() };
    let (size, compression) = (stored.len() as u32, u32::from(packed) << 16);
    let contents = [words(&[20 + size, compression, size, plain.len() as u32, 2]), stored].concat();
    let entries = files().map(|(name, text)| {
        let name = zero_ended(name);
        let bytes = name.len() as u32;
        let name = padded(name);
        [words(&[16 + name.len() as u32, 0, bytes, text.len() as u32 + 1]), name].concat()
    });
    let entries = entries.concat();
    let names = [words(&[0, 2]), (entries.len() as u16).to_le_bytes().to_vec(), entries].concat();
    let arguments = b"-T\0ps_6_0\0-Zi\0\0".to_vec();
    let arguments = [words(&[0, arguments.len() as u32, 2]), arguments].concat();
    let all = [section(0, contents), section(1, names), section(2, arguments)].concat();
    ([words(&[8 + all.len() as u32, 3 << 16]), all].concat(), plain.len() as u32)
}

fn shown() -> Vec<(String, String)> {
    let [(main, text), (light, other)] = files();
    vec![(main.to_owned(), text.replace("\r\n", "\n")), (light.to_owned(), other.replace('\x1b', "\\1B"))]
}

#[test]
fn sources_of_a_pdb_are_listed_and_shown() {
    for packed in [false, true] {
        let (part, bytes) = srci(packed);
        let dxil = Dxil::read(container(b"SRCI", &part)).expect("is a container");
        let sources = dxil.source_list().expect("has sources");
        let listed: Vec<_> = sources.files.iter().map(|file| (file.name.as_str(), file.bytes as usize)).collect();
        assert_eq!(listed, files().each_ref().map(|(name, text)| (*name, text.len())));
        assert_eq!((sources.contents_bytes, sources.compressed), (Some(bytes), packed));
        let arguments: Vec<_> = sources.arguments.iter().map(|(name, value)| format!("{name} {value}")).collect();
        assert_eq!(arguments, ["-T ps_6_0", "-Zi "]);
        assert_eq!(dxil.source_texts(), shown());
        assert!(packed == (part.len() < bytes as usize), "{}", part.len());
        assert_eq!(dxil.summary(0).sources, Some(sources));
    }
}

/// PDBI: tables like those of RDAT, which hold the sources as strings.
fn pdbi(packed: bool) -> Vec<u8> {
    let mut strings = vec![0];
    let mut string = |text: &str| {
        let at = strings.len() as u32;
        strings.extend(zero_ended(text));
        at
    };
    let rows: Vec<u8> = files().iter().flat_map(|(name, text)| words(&[string(name), string(text)])).collect();
    let (name, profile, value, library) = (string("shader.pdb"), string("-T"), string("ps_6_0"), string("noise"));
    // Sources 0 and 1, library 0, two strings of arguments.
    let arrays = words(&[2, 0, 1, 1, 0, 2, profile, value]);
    let raw = (0u8..16).chain([9; 100]).collect::<Vec<u8>>();
    // Sources, libraries, arguments; hash; name; toolchain 0 with nothing left; a container inside.
    let info = words(&[0, 3, 5, 0, 16, name, 0, 0, 0, 16, 100]);
    let libraries = words(&[library, 16, 50]);
    let table = |rows: Vec<u8>, count: u32| [words(&[count, rows.len() as u32 / count]), rows].concat();
    let parts = [
        (1, strings),
        (2, arrays),
        (5, raw),
        (0x1_0001, table(info, 1)),
        (0x1_0002, table(rows, 2)),
        (0x1_0003, table(libraries, 1)),
    ];
    let mut offset = 8 + 4 * parts.len() as u32;
    let (mut offsets, mut body) = (Vec::new(), Vec::new());
    for (kind, data) in parts {
        let data = padded(data);
        offsets.push(offset);
        offset += 8 + data.len() as u32;
        body.extend(words(&[kind, data.len() as u32]));
        body.extend(data);
    }
    let data = [words(&[0x10, offsets.len() as u32]), words(&offsets), body].concat();
    let stored = if packed { zlib(&data, 6) } else { data.clone() };
    let header = [words(&[u32::from(packed) << 16, stored.len() as u32, data.len() as u32])].concat();
    padded([header, stored].concat())
}

#[test]
fn shows_the_contents_of_a_newer_pdb() {
    for packed in [false, true] {
        let dxil = Dxil::read(container(b"PDBI", &pdbi(packed))).expect("is a container");
        let odd: Vec<_> = dxil.faults.iter().filter(|fault| fault.part.is_some()).collect();
        assert!(odd.is_empty(), "{odd:?}");
        let summary = dxil.summary(0);
        let info = summary.debug_info.expect("is read");
        assert_eq!((info.name.as_str(), info.compressed, info.container_bytes), ("shader.pdb", packed, 100));
        assert_eq!(info.hash, "0x000102030405060708090a0b0c0d0e0f");
        assert_eq!((info.libraries, info.toolchain), (vec![("noise".to_owned(), 50)], None));
        let sources = summary.sources.expect("has sources");
        let listed: Vec<_> = sources.files.iter().map(|file| (file.name.as_str(), file.bytes as usize)).collect();
        assert_eq!(listed, files().each_ref().map(|(name, text)| (*name, text.len())));
        assert_eq!(sources.arguments, [("-T".to_owned(), "ps_6_0".to_owned())]);
        assert_eq!(dxil.source_texts(), shown());
    }
}

#[test]
fn refuses_decompression_bombs_with_their_sizes() {
    // 64 MiB of zeros.
    let bomb = zlib(&vec![0; 64 << 20], 9);
    let size = bomb.len() as u32;
    let part = padded([words(&[1 << 16, size, 64 << 20]), bomb].concat());
    let dxil = Dxil::read(container(b"PDBI", &part)).expect("is a container");
    let fault = dxil.faults.iter().find(|fault| fault.rule.code == "C56").expect("is refused");
    assert!(
        fault.message.starts_with(&format!("compressed data of {size} bytes claims 67108864 bytes, expected at most "))
    );
    assert!(dxil.debug_info.is_none() && dxil.source_texts().is_empty());
    // A part that is cut: what can be read of the rest is.
    let whole = pdbi(true);
    let mut cut = whole.clone();
    cut.truncate(whole.len() - 8);
    let dxil = Dxil::read(container(b"PDBI", &cut)).expect("is a container");
    assert!(dxil.faults.iter().any(|fault| fault.rule.code == "C59"), "{:?}", dxil.faults);
}

/// A program with debug information holds its sources in its metadata.
#[test]
fn sources_in_metadata_are_those_of_the_sample() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples/dxil");
    let read = |name: &str| std::fs::read(folder.join(name)).expect("the sample is there");
    let dxil = Dxil::read(read("orbit_debug.cs.dxil")).expect("is a container");
    let texts = dxil.source_texts();
    let [(name, text)] = texts.as_slice() else { panic!("{} sources", texts.len()) };
    let source = String::from_utf8(read("orbit_debug.hlsl")).expect("is text");
    assert!(name.ends_with("orbit_debug.hlsl"), "{name}");
    assert_eq!(text.trim_end(), source.replace("\r\n", "\n").trim_end());
    let summary = dxil.summary(0);
    let sources = summary.sources.expect("has sources");
    assert_eq!(sources.main.as_deref(), Some(name.as_str()));
    assert!(!sources.arguments.is_empty(), "{sources:?}");
    let (module, debug) =
        (summary.module.expect("a program"), summary.debug_module.expect("one with debug information"));
    assert!(module.located == 0 && debug.located > 10 && debug.bytes > module.bytes, "{module:?} {debug:?}");
}
