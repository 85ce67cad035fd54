//! Writes ELF files as LLVM does: code, notes, symbols.

use object::elf;
use object::write::elf::{FileHeader, SectionHeader, Sym, Writer};
use rmpv::Value;

/// A code object to write.
#[derive(Debug, Clone, Default)]
pub struct Elf {
    /// EI_OSABI.
    pub os_abi: u8,
    /// EI_ABIVERSION.
    pub abi_version: u8,
    /// e_type.
    pub kind: u16,
    /// e_flags.
    pub flags: u32,
    /// Functions, with their code.
    pub code: Vec<(String, Vec<u32>)>,
    /// Owner, type and data of each note.
    pub notes: Vec<(&'static str, u32, Vec<u8>)>,
    /// Pairs of `.AMDGPU.config`: byte address and value.
    pub config: Vec<(u32, u32)>,
}

/// A section: name, type, flags, alignment, data.
type Content<'d> = (&'d [u8], elf::SectionType, elf::SectionFlags, u64, &'d [u8]);

/// Alignment of functions.
const FUNCTION: usize = 256;
/// `s_code_end` of GFX10 and later: what LLVM fills the space between functions with.
const CODE_END: u32 = 0xbf9f_0000;

/// A value of MessagePack as bytes, in its shortest form.
pub fn packed(value: &Value) -> Vec<u8> {
    let mut out = Vec::new();
    rmpv::encode::write_value(&mut out, value).expect("writes into memory");
    out
}

fn words(words: impl IntoIterator<Item = u32>) -> Vec<u8> {
    words.into_iter().flat_map(u32::to_le_bytes).collect()
}

fn note(name: &str, kind: u32, data: &[u8]) -> Vec<u8> {
    let padded = |bytes: &[u8]| {
        let mut bytes = bytes.to_vec();
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        bytes
    };
    let name = [name.as_bytes(), &[0]].concat();
    let head = words([name.len() as u32, data.len() as u32, kind]);
    [head, padded(&name), padded(data)].concat()
}

impl Elf {
    /// The file.
    pub fn bytes(&self) -> Vec<u8> {
        let mut text = Vec::new();
        let mut places = Vec::new();
        for (_, code) in &self.code {
            while text.len() % FUNCTION != 0 {
                text.extend(CODE_END.to_le_bytes());
            }
            places.push((text.len() as u64, 4 * code.len() as u64));
            text.extend(words(code.iter().copied()));
        }
        let notes: Vec<u8> = self.notes.iter().flat_map(|(name, kind, data)| note(name, *kind, data)).collect();
        let config = words(self.config.iter().flat_map(|(address, value)| [*address, *value]));
        let contents: [Content<'_>; 3] = [
            (b".text", elf::SHT_PROGBITS, elf::SHF_ALLOC | elf::SHF_EXECINSTR, FUNCTION as u64, &text),
            (b".note", elf::SHT_NOTE, elf::SectionFlags(0), 4, &notes),
            (b".AMDGPU.config", elf::SHT_PROGBITS, elf::SectionFlags(0), 1, &config),
        ];
        let contents: Vec<_> = contents.into_iter().filter(|content| !content.4.is_empty()).collect();

        let mut out = Vec::new();
        let mut writer = Writer::new(object::Endianness::Little, true, &mut out);
        writer.reserve_file_header();
        writer.reserve_null_section_index();
        let mut sections = Vec::new();
        for (name, _, _, align, data) in &contents {
            let name = writer.add_section_name(name);
            let index = writer.reserve_section_index();
            sections.push((name, index, writer.reserve(data.len() as u64, *align)));
        }
        writer.reserve_null_symbol_index();
        let names: Vec<_> = self
            .code
            .iter()
            .map(|(name, _)| {
                let id = writer.add_string(name.as_bytes());
                writer.reserve_symbol_index(None);
                id
            })
            .collect();
        writer.reserve_symtab_section_index();
        writer.reserve_symtab();
        writer.reserve_strtab_section_index();
        writer.reserve_strtab().expect("small");
        writer.reserve_shstrtab_section_index();
        writer.reserve_shstrtab().expect("small");
        writer.reserve_section_headers();

        let header = FileHeader {
            os_abi: elf::OsAbi(self.os_abi),
            abi_version: self.abi_version,
            e_type: elf::FileType(self.kind),
            e_machine: elf::Machine(224),
            e_entry: 0,
            e_flags: elf::FileFlags(self.flags),
        };
        writer.write_file_header(&header).expect("writes into memory");
        for (_, _, _, align, data) in &contents {
            writer.write_align(*align);
            writer.write(data);
        }
        writer.write_null_symbol();
        for (name, (value, size)) in names.into_iter().zip(places) {
            let st_name = writer.string_offset(Some(name));
            writer.write_symbol(&Sym {
                section: Some(1),
                st_name,
                // Global, a function.
                st_info: elf::SymbolInfo(0x12),
                st_other: elf::SymbolOther(0),
                st_shndx: elf::SymbolSection(1),
                st_value: value,
                st_size: size,
            });
        }
        writer.write_strtab();
        writer.write_shstrtab();
        writer.write_null_section_header();
        for ((_, kind, flags, align, data), (name, _, offset)) in contents.iter().zip(sections) {
            let sh_name = writer.section_name_offset(Some(name));
            writer.write_section_header(&SectionHeader {
                sh_name,
                sh_type: *kind,
                sh_flags: *flags,
                sh_addr: 0,
                sh_offset: offset,
                sh_size: data.len() as u64,
                sh_link: 0,
                sh_info: 0,
                sh_addralign: *align,
                sh_entsize: 0,
            });
        }
        writer.write_symtab_section_header(1);
        writer.write_strtab_section_header();
        writer.write_shstrtab_section_header();
        out
    }
}
