//! The ELF file: header, sections, symbols, and the bytes that notes are in.

use lanescope_base::ids::{Hash64, Hex, RegisterValue, hash};
use lanescope_base::named_enum;
use lanescope_model::target::Target;
use lanescope_passes::findings::{OBJECT_DAMAGED, OBJECT_LIMIT};
use object::elf;
use object::read::elf::{FileHeader as _, ProgramHeader as _, SectionHeader as _, SectionTable, Sym as _};
use object::{LittleEndian as LE, SectionIndex};
use schemars::JsonSchema;
use serde::Serialize;

use crate::chip;
use crate::findings::Findings;
use crate::metadata::HardwareStage;

type FileHeader = elf::FileHeader64<LE>;
type Sections<'d> = SectionTable<'d, FileHeader>;

/// Bytes of the ELF header.
const HEADER: usize = 64;
/// EM_AMDGPU.
const MACHINE: u16 = 224;
/// Sections, and symbols, that are listed.
const LISTED: usize = 16384;
/// Bytes of a name that are kept.
const NAME: usize = 1024;
/// The section with the register values of the mesa3d ABI.
const CONFIG: &str = ".AMDGPU.config";

/// Why a file is not a code object that is read here.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotAnObject {
    /// It does not begin as ELF files do.
    #[error("not an AMD code object: expected an ELF file (first bytes 7f 45 4c 46)")]
    NotElf,
    /// It ends in the header.
    #[error("ELF header is damaged: expected {HEADER} bytes, found {found}")]
    Short {
        /// Its size.
        found: usize,
    },
    /// The header has another class, byte order or version.
    #[error("not an AMD code object: expected a 64-bit little-endian ELF file, version 1")]
    Form,
    /// It is for another machine.
    #[error("not an AMD code object: expected machine {MACHINE} (EM_AMDGPU), found {found}")]
    Machine {
        /// The number in the header.
        found: u16,
    },
}

named_enum!(
    /// The ABI of an object: who loads it.
    Abi {
        /// ROCm.
        AmdHsa = "amdhsa",
        /// PAL: AMDVLK, and D3D12 and Vulkan drivers of Windows.
        AmdPal = "amdpal",
        /// Mesa with LLVM.
        Mesa3d = "mesa3d",
    }
);

/// What the ELF header says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Header {
    /// The ABI; absent for an EI_OSABI that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub abi: Option<Abi>,
    /// EI_OSABI.
    pub os_abi: u8,
    /// EI_ABIVERSION.
    pub abi_version: u8,
    /// The type of the file: `REL`, `DYN`.
    #[serde(rename = "type")]
    pub kind: String,
    /// e_flags. Bits 7:0 are the chip's number.
    pub flags: RegisterValue,
    /// The chip's LLVM name; absent for a number that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chip: Option<String>,
    /// The chip, where it is a known target.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<Target>,
}

/// A section.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Section {
    /// Its index in the file.
    pub index: usize,
    /// Its name; absent where that cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Its type, as readelf names it: `PROGBITS`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Its flags, as readelf writes them: `AX`.
    pub flags: String,
    /// Its offset in the file.
    pub offset: Hex<1>,
    /// Its size in bytes.
    pub size: u64,
    /// The power of two that its address is a multiple of.
    pub align: u64,
    /// XXH3 of its contents; absent where the file does not have all of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hash: Option<Hash64>,
}

/// A symbol.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Symbol {
    /// Its name; absent where that cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The hardware stage that the name says: `_amdgpu_ps_main`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stage: Option<HardwareStage>,
    /// Its type: `FUNC`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Its binding: `GLOBAL`.
    pub binding: String,
    /// The name of its section; `UNDEF` or `ABS` where it has none.
    pub section: String,
    /// Its value: in a REL file, the offset in its section.
    pub value: Hex<1>,
    /// Its size in bytes; 0 where the writer says none.
    pub size: u64,
}

/// The bytes of notes, and where they are.
pub(crate) struct NoteBytes<'d> {
    /// The section, or the segment.
    pub place: String,
    /// Alignment of what is in it.
    pub align: u64,
    pub bytes: &'d [u8],
}

/// What is in an ELF file.
pub(crate) struct Contents<'d> {
    pub header: Header,
    pub sections: Vec<Section>,
    pub symbols: Vec<Symbol>,
    pub notes: Vec<NoteBytes<'d>>,
    /// The contents of [`CONFIG`].
    pub config: Option<&'d [u8]>,
}

/// Reads the ELF file.
pub(crate) fn read<'d>(bytes: &'d [u8], findings: &mut Findings<'_>) -> Result<Contents<'d>, NotAnObject> {
    let file = file_header(bytes)?;
    let mut contents =
        Contents { header: header(file), sections: Vec::new(), symbols: Vec::new(), notes: Vec::new(), config: None };
    match file.sections(LE, bytes) {
        Ok(table) => {
            sections(&table, bytes, &mut contents, findings);
            symbols(&table, bytes, &mut contents.symbols, findings);
        }
        Err(why) => findings.add(OBJECT_DAMAGED, "section headers", expected(why)),
    }
    if contents.notes.is_empty() {
        segments(file, bytes, &mut contents.notes, findings);
    }
    Ok(contents)
}

/// What the reader of ELF files says, as the message of a finding.
fn expected(why: object::read::Error) -> String {
    format!("cannot be read: {why}")
}

fn file_header(bytes: &[u8]) -> Result<&FileHeader, NotAnObject> {
    if !bytes.starts_with(&elf::ELFMAG) {
        return Err(NotAnObject::NotElf);
    }
    if bytes.len() < HEADER {
        return Err(NotAnObject::Short { found: bytes.len() });
    }
    let file = FileHeader::parse(bytes).map_err(|_| NotAnObject::Form)?;
    if file.is_big_endian() {
        return Err(NotAnObject::Form);
    }
    match file.e_machine(LE).0 {
        MACHINE => Ok(file),
        found => Err(NotAnObject::Machine { found }),
    }
}

fn header(file: &FileHeader) -> Header {
    let ident = file.e_ident();
    let os_abi = ident.os_abi.0;
    let abi = match os_abi {
        64 => Some(Abi::AmdHsa),
        65 => Some(Abi::AmdPal),
        66 => Some(Abi::Mesa3d),
        _ => None,
    };
    let kind = match file.e_type(LE).0 {
        1 => "REL".to_owned(),
        2 => "EXEC".to_owned(),
        3 => "DYN".to_owned(),
        other => format!("{other:#x}"),
    };
    let flags = file.e_flags(LE).0;
    let chip = chip::name(flags);
    Header {
        abi,
        os_abi,
        abi_version: ident.abi_version,
        kind,
        flags: Hex(u64::from(flags)),
        chip: chip.map(str::to_owned),
        target: chip.and_then(chip::target),
    }
}

/// A name, at most [`NAME`] bytes of it.
fn name(bytes: &[u8], place: &str, findings: &mut Findings<'_>) -> String {
    let kept = bytes.get(..NAME).unwrap_or(bytes);
    if kept.len() < bytes.len() {
        let message = format!("name of {} bytes is cut after {NAME}", bytes.len());
        findings.add(OBJECT_LIMIT, place, message);
    }
    String::from_utf8_lossy(kept).into_owned()
}

fn sections<'d>(table: &Sections<'d>, bytes: &'d [u8], contents: &mut Contents<'d>, findings: &mut Findings<'_>) {
    let count = table.len().saturating_sub(1);
    if count > LISTED {
        findings.add(OBJECT_LIMIT, "section headers", format!("{count} sections; the first {LISTED} are listed"));
    }
    // Sections of a whole file do not overlap, so that all contents together are no larger than the file.
    let mut left = bytes.len();
    let mut take = |data: &[u8]| left.checked_sub(data.len()).map(|rest| left = rest).is_some();
    for (SectionIndex(index), section) in table.enumerate().skip(1).take(LISTED) {
        let place = format!("section {index}");
        let name = match table.section_name(LE, section) {
            Ok(found) => Some(name(found, &place, findings)),
            Err(why) => {
                findings.add(OBJECT_DAMAGED, &place, expected(why));
                None
            }
        };
        let data = section.data(LE, bytes);
        if let Err(why) = &data {
            let (offset, size) = (section.sh_offset(LE), section.sh_size(LE));
            let message = format!("offset {offset:#x} and size {size} exceed the file's {} bytes ({why})", bytes.len());
            findings.add(OBJECT_DAMAGED, &place, message);
        }
        let data = data.ok().filter(|data| {
            let fits = take(data);
            if !fits {
                findings.add(OBJECT_DAMAGED, &place, "overlaps other sections; its contents are not read");
            }
            fits
        });
        let kind = section.sh_type(LE);
        if let Some(data) = data {
            if kind == elf::SHT_NOTE {
                let place = name.clone().unwrap_or_else(|| place.clone());
                contents.notes.push(NoteBytes { place, align: section.sh_addralign(LE), bytes: data });
            }
            if name.as_deref() == Some(CONFIG) {
                contents.config = Some(data);
            }
        }
        contents.sections.push(Section {
            index,
            name,
            kind: section_kind(kind.0),
            flags: section_flags(section.sh_flags(LE).0),
            offset: Hex(section.sh_offset(LE)),
            size: section.sh_size(LE),
            align: section.sh_addralign(LE),
            hash: data.filter(|_| kind != elf::SHT_NOBITS).map(hash),
        });
    }
}

fn section_kind(kind: u32) -> String {
    let name = match kind {
        0 => "NULL",
        1 => "PROGBITS",
        2 => "SYMTAB",
        3 => "STRTAB",
        4 => "RELA",
        5 => "HASH",
        6 => "DYNAMIC",
        7 => "NOTE",
        8 => "NOBITS",
        9 => "REL",
        11 => "DYNSYM",
        0x6fff_4c03 => "LLVM_ADDRSIG",
        0x6fff_fff6 => "GNU_HASH",
        _ => return format!("{kind:#x}"),
    };
    name.to_owned()
}

fn section_flags(flags: u64) -> String {
    let letters = [(1, 'W'), (2, 'A'), (4, 'X'), (0x10, 'M'), (0x20, 'S'), (0x40, 'I'), (0x80, 'L'), (0x200, 'G')];
    let mut text: String = letters.iter().filter(|(bit, _)| flags & bit != 0).map(|(_, letter)| *letter).collect();
    let rest = letters.iter().fold(flags, |rest, (bit, _)| rest & !bit);
    if rest != 0 {
        text.push_str(&format!(" {rest:#x}"));
    }
    text
}

fn symbols(table: &Sections<'_>, bytes: &[u8], out: &mut Vec<Symbol>, findings: &mut Findings<'_>) {
    let read = |kind| table.symbols(LE, bytes, kind);
    let symbols =
        match read(elf::SHT_SYMTAB).and_then(|all| if all.is_empty() { read(elf::SHT_DYNSYM) } else { Ok(all) }) {
            Ok(symbols) => symbols,
            Err(why) => return findings.add(OBJECT_DAMAGED, "symbol table", expected(why)),
        };
    let count = symbols.len().saturating_sub(1);
    if count > LISTED {
        findings.add(OBJECT_LIMIT, "symbol table", format!("{count} symbols; the first {LISTED} are listed"));
    }
    for (index, symbol) in symbols.enumerate().skip(1).take(LISTED) {
        let place = format!("symbol {}", index.0);
        let name = match symbol.name(LE, symbols.strings()) {
            Ok(found) => Some(name(found, &place, findings)),
            Err(why) => {
                findings.add(OBJECT_DAMAGED, &place, expected(why));
                None
            }
        };
        let section = match symbol.st_shndx(LE).0 {
            0 => "UNDEF".to_owned(),
            0xfff1 => "ABS".to_owned(),
            0xfff2 => "COMMON".to_owned(),
            index => {
                let section = table.section(SectionIndex(usize::from(index))).ok();
                let named = section.and_then(|section| table.section_name(LE, section).ok());
                let kept = named.map(|named| String::from_utf8_lossy(named.get(..NAME).unwrap_or(named)).into_owned());
                kept.unwrap_or_else(|| format!("section {index}"))
            }
        };
        out.push(Symbol {
            stage: name.as_deref().and_then(HardwareStage::of_symbol),
            name,
            kind: symbol_kind(symbol.st_type().0),
            binding: binding(symbol.st_bind().0),
            section,
            value: Hex(symbol.st_value(LE)),
            size: symbol.st_size(LE),
        });
    }
}

fn symbol_kind(kind: u8) -> String {
    let name = match kind {
        0 => "NOTYPE",
        1 => "OBJECT",
        2 => "FUNC",
        3 => "SECTION",
        4 => "FILE",
        10 => "AMDGPU_HSA_KERNEL",
        _ => return kind.to_string(),
    };
    name.to_owned()
}

fn binding(binding: u8) -> String {
    let name = match binding {
        0 => "LOCAL",
        1 => "GLOBAL",
        2 => "WEAK",
        _ => return binding.to_string(),
    };
    name.to_owned()
}

/// The notes of segments: of a file whose section headers were removed.
fn segments<'d>(file: &FileHeader, bytes: &'d [u8], out: &mut Vec<NoteBytes<'d>>, findings: &mut Findings<'_>) {
    let headers = match file.program_headers(LE, bytes) {
        Ok(headers) => headers,
        Err(why) => return findings.add(OBJECT_DAMAGED, "program headers", expected(why)),
    };
    let mut left = bytes.len();
    for (index, segment) in headers.iter().enumerate().filter(|(_, segment)| segment.p_type(LE) == elf::PT_NOTE) {
        let place = format!("segment {index}");
        let Ok(data) = segment.data(LE, bytes) else {
            findings.add(OBJECT_DAMAGED, &place, "exceeds the file");
            continue;
        };
        let Some(rest) = left.checked_sub(data.len()) else {
            findings.add(OBJECT_DAMAGED, &place, "overlaps other segments; it is not read");
            continue;
        };
        left = rest;
        out.push(NoteBytes { place, align: segment.p_align(LE), bytes: data });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_why_a_file_is_not_an_object() {
        let mut bytes = vec![0; HEADER];
        let why = |bytes: &[u8]| file_header(bytes).expect_err("is not an object");
        assert_eq!(why(&bytes), NotAnObject::NotElf);
        bytes[..7].copy_from_slice(b"\x7fELF\x02\x01\x01");
        assert_eq!(why(&bytes[..20]), NotAnObject::Short { found: 20 });
        bytes[18] = 62;
        assert_eq!(why(&bytes), NotAnObject::Machine { found: 62 });
        bytes[5] = 2;
        assert_eq!(why(&bytes), NotAnObject::Form);
        bytes[4..6].copy_from_slice(&[1, 1]);
        assert_eq!(why(&bytes), NotAnObject::Form);
    }

    #[test]
    fn a_long_name_is_cut() {
        let mut findings = Findings::of("a.elf");
        assert_eq!(name(&[b'x'; 2000], "symbol 1", &mut findings).len(), NAME);
        let found = findings.done();
        assert_eq!(
            (found[0].code.as_str(), found[0].message.as_str()),
            ("object.limit", "name of 2000 bytes is cut after 1024")
        );
    }

    #[test]
    fn damaged_section_headers_are_a_finding() {
        let mut bytes = vec![0; HEADER];
        bytes[..7].copy_from_slice(b"\x7fELF\x02\x01\x01");
        // Section headers far beyond the end.
        (bytes[18], bytes[0x2f], bytes[0x3a], bytes[0x3c]) = (224, 1, 64, 3);
        let mut findings = Findings::of("a.elf");
        assert!(read(&bytes, &mut findings).is_ok_and(|contents| contents.sections.is_empty()));
        assert_eq!(findings.done()[0].code, "object.damaged");
    }

    #[test]
    fn writes_flags_as_readelf_does() {
        assert_eq!([section_flags(6), section_flags(0), section_flags(3 | 1 << 40)].join("|"), "AX||WA 0x10000000000");
    }
}
