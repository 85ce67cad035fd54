//! The module: its words, and the index built over them in one pass.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::by_id::ById;
use super::decorations::Decorations;
use super::entry::{EntryPoint, Function};
use super::enums::Op;
use super::grammar::OpInfo;
use super::lines::Lines;
use super::types::Type;
use super::{constants, entry, grammar};
use lanescope_base::ids::Id;

/// The largest id bound taken: SPIR-V's universal limit (specification, section 2.17).
pub const MAX_BOUND: u32 = 0x3f_ffff;

/// The most instructions taken: the validator has some 200 bytes for each, and twice as many while its list grows.
pub const MAX_INSTRUCTIONS: usize = 1 << 21;

const HEADER_WORDS: usize = 5;
const MAGIC: u32 = 0x0723_0203;

/// Index of an instruction in its module.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InstId(pub u32);

/// The position of an instruction, and its opcode's entry in the grammar: looked up once.
#[derive(Debug, Clone, Copy)]
struct Extent {
    word: u32,
    op: Option<Op>,
    len: u16,
    has_type: bool,
    has_result: bool,
}

/// A placeholder for an index that the module does not have.
const NOWHERE: Extent = Extent { word: 0, op: None, len: 0, has_type: false, has_result: false };

/// A SPIR-V module in host byte order. Serialised as its words, and its lines where they are beside it. Modules are
/// equal if their words are.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "Form", into = "Form")]
pub struct Module {
    words: Vec<u32>,
    insts: Vec<Extent>,
    /// By id: the index of the defining instruction.
    defs: ById,
    raw: Vec<InstId>,
    /// The number of instructions before the first function.
    globals: u32,
    /// The number of instructions before the first type, constant or variable.
    header: u32,
    pub(super) decorations: Decorations,
    pub(super) entry_points: Vec<EntryPoint>,
    pub(super) functions: Vec<Function>,
    pub(super) constants: constants::Constants,
    /// The lines of instructions that do not carry them.
    lines: Option<Box<Lines>>,
}

/// A module as it is serialised.
#[derive(Serialize, Deserialize, JsonSchema)]
struct Form {
    words: Vec<u32>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    lines: Option<Box<Lines>>,
}

/// Why words are not a module. Locations are word offsets from the start of the file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    /// Fewer words than a header has.
    #[error("header: expected {HEADER_WORDS} words, found {found}")]
    Header {
        /// Words found.
        found: usize,
    },
    /// The first word is not SPIR-V's.
    #[error("word 0 (byte 0x0): expected magic number {MAGIC:#010x}, found {found:#010x}")]
    Magic {
        /// The first word.
        found: u32,
    },
    /// The id bound is 0 or above the universal limit.
    #[error("word 3 (byte 0xc): expected an id bound of 1 to {MAX_BOUND} (SPIR-V universal limits), found {found}")]
    Bound {
        /// The bound.
        found: u32,
    },
    /// More instructions than are read.
    #[error("word {word} (byte {:#x}): more than {MAX_INSTRUCTIONS} instructions", word * 4)]
    TooMany {
        /// The first word of the first one that is too many.
        word: usize,
    },
    /// An instruction's word count is 0.
    #[error("word {word} (byte {:#x}): instruction #{instruction} has a word count of 0", word * 4)]
    CountZero {
        /// Index of the instruction.
        instruction: usize,
        /// Its first word.
        word: usize,
    },
    /// An instruction reaches past the end.
    #[error(
        "word {word} (byte {:#x}): instruction #{instruction} ({name}) needs {count} words, but {left} remain",
        word * 4
    )]
    Truncated {
        /// Index of the instruction.
        instruction: usize,
        /// Its name.
        name: String,
        /// Its first word.
        word: usize,
        /// Its word count.
        count: usize,
        /// Words left.
        left: usize,
    },
    /// A string operand does not end inside its instruction.
    #[error("word {word} (byte {:#x}): the string of instruction #{instruction} ({name}) is not terminated", word * 4)]
    StringOpen {
        /// Index of the instruction.
        instruction: usize,
        /// Its name.
        name: String,
        /// Its first word.
        word: usize,
    },
    /// A result id is 0 or not below the bound.
    #[error(
        "word {word} (byte {:#x}): instruction #{instruction} ({name}) has result id {id}, but the id bound is {bound}",
        word * 4
    )]
    ResultId {
        /// Index of the instruction.
        instruction: usize,
        /// Its name.
        name: String,
        /// Its first word.
        word: usize,
        /// The id.
        id: u32,
        /// The module's bound.
        bound: u32,
    },
}

/// One instruction of a module.
#[derive(Debug, Clone, Copy)]
pub struct Inst<'m> {
    /// Its index.
    pub index: InstId,
    /// Offset of its first word from the start of the file.
    pub word: u32,
    /// All its words.
    pub words: &'m [u32],
    op: Option<Op>,
    has_type: bool,
    has_result: bool,
}

impl<'m> Inst<'m> {
    /// The opcode's number.
    pub fn opcode(&self) -> u16 {
        self.words.first().map_or(0, |w| (w & 0xffff) as u16)
    }

    /// The opcode, if it is in the grammar.
    #[inline]
    pub fn op(&self) -> Option<Op> {
        self.op
    }

    /// The opcode's name, `OpFAdd`, or its number if it is not in the grammar.
    pub fn name(&self) -> String {
        opcode_name(self.opcode())
    }

    /// Word `i` of the instruction (word 0 holds opcode and count), or 0 where it is shorter.
    #[inline]
    pub fn word_at(&self, i: usize) -> u32 {
        self.words.get(i).copied().unwrap_or(0)
    }

    /// Word `i` as an id.
    #[inline]
    pub fn id_at(&self, i: usize) -> Id {
        Id(self.word_at(i))
    }

    /// The words from `i` on.
    #[inline]
    pub fn words_from(&self, i: usize) -> &'m [u32] {
        self.words.get(i..).unwrap_or(&[])
    }

    /// The result type, if the opcode has one.
    #[inline]
    pub fn result_type(&self) -> Option<Id> {
        self.has_type.then(|| self.id_at(1))
    }

    /// The result id, if the opcode has one.
    #[inline]
    pub fn result(&self) -> Option<Id> {
        self.has_result.then(|| self.id_at(1 + usize::from(self.has_type)))
    }

    /// The string that starts at word `i`, and how many words it takes. What is not UTF-8 is U+FFFD.
    pub fn string_at(&self, i: usize) -> (String, usize) {
        let (bytes, len) = self.bytes_at(i);
        (String::from_utf8_lossy(&bytes).into_owned(), len)
    }

    /// The bytes of the string that starts at word `i`, and how many words it takes.
    pub(super) fn bytes_at(&self, i: usize) -> (Vec<u8>, usize) {
        let words = self.words_from(i);
        let len = words.iter().position(|w| w.to_le_bytes().contains(&0)).map_or(words.len(), |end| end + 1);
        let bytes = words[..len].iter().flat_map(|w| w.to_le_bytes()).take_while(|&b| b != 0).collect();
        (bytes, len)
    }
}

pub(super) fn opcode_name(opcode: u16) -> String {
    grammar::info(opcode).map_or_else(|| format!("opcode {opcode}"), |info| format!("Op{}", info.name))
}

impl Module {
    /// Reads a module from words in host byte order.
    ///
    /// Cost: one pass, memory linear in the words.
    pub fn parse(words: Vec<u32>) -> Result<Module, ParseError> {
        if words.len() < HEADER_WORDS {
            return Err(ParseError::Header { found: words.len() });
        }
        if words[0] != MAGIC {
            return Err(ParseError::Magic { found: words[0] });
        }
        let bound = words[3];
        if bound == 0 || bound > MAX_BOUND {
            return Err(ParseError::Bound { found: bound });
        }
        let mut module = Module {
            insts: Vec::with_capacity((words.len() / 4).min(MAX_INSTRUCTIONS)),
            defs: ById::new(bound, words.len()),
            words,
            raw: Vec::new(),
            globals: 0,
            header: 0,
            decorations: Decorations::default(),
            entry_points: Vec::new(),
            functions: Vec::new(),
            constants: constants::Constants::default(),
            lines: None,
        };
        module.split(bound)?;
        let function = module.insts.iter().position(|extent| extent.op == Some(Op::Function));
        module.globals = function.unwrap_or(module.insts.len()) as u32;
        let defines = |extent: &Extent| extent.has_result && !matches!(extent.op, Some(Op::String | Op::ExtInstImport));
        let header = module.insts.iter().take(module.globals as usize).position(defines);
        module.header = header.map_or(module.globals, |at| at as u32);
        module.decorations = Decorations::of(&module);
        module.functions = entry::functions(&module);
        module.entry_points = entry::entry_points(&module);
        module.constants = constants::Constants::of(&module);
        Ok(module)
    }

    /// Finds where each instruction starts, and which id it defines.
    fn split(&mut self, bound: u32) -> Result<(), ParseError> {
        let mut word = HEADER_WORDS;
        while word < self.words.len() {
            let instruction = self.insts.len();
            if instruction >= MAX_INSTRUCTIONS {
                return Err(ParseError::TooMany { word });
            }
            let first = self.words[word];
            let (count, opcode) = ((first >> 16) as usize, (first & 0xffff) as u16);
            if count == 0 {
                return Err(ParseError::CountZero { instruction, word });
            }
            let left = self.words.len() - word;
            if count > left {
                return Err(ParseError::Truncated { instruction, name: opcode_name(opcode), word, count, left });
            }
            let extent = Extent { word: word as u32, len: count as u16, ..NOWHERE };
            match grammar::info(opcode) {
                Some(&OpInfo { op, has_type, has_result, .. }) => {
                    self.insts.push(Extent { op: Some(op), has_type, has_result, ..extent });
                    let inst = self.inst(InstId(instruction as u32));
                    if let Some(at) = string_operand(op)
                        && !inst.words_from(at).iter().any(|w| w.to_le_bytes().contains(&0))
                    {
                        return Err(ParseError::StringOpen { instruction, name: opcode_name(opcode), word });
                    }
                    if let Some(id) = inst.result() {
                        if id.0 == 0 || id.0 >= bound {
                            let (name, id) = (opcode_name(opcode), id.0);
                            return Err(ParseError::ResultId { instruction, name, word, id, bound });
                        }
                        self.defs.set(id, instruction as u32);
                    }
                }
                None => {
                    self.insts.push(extent);
                    self.raw.push(InstId(instruction as u32));
                }
            }
            word += count;
        }
        Ok(())
    }

    /// The words, header included.
    pub fn words(&self) -> &[u32] {
        &self.words
    }

    /// SPIR-V version as major and minor.
    pub fn version(&self) -> (u8, u8) {
        ((self.words[1] >> 16) as u8, (self.words[1] >> 8) as u8)
    }

    /// The id bound: every id is below it.
    pub fn bound(&self) -> u32 {
        self.words[3]
    }

    /// Number of instructions.
    pub fn len(&self) -> usize {
        self.insts.len()
    }

    /// Whether it has no instructions.
    pub fn is_empty(&self) -> bool {
        self.insts.is_empty()
    }

    /// One instruction. An index from another module reads as an empty instruction.
    #[inline]
    pub fn inst(&self, index: InstId) -> Inst<'_> {
        self.at(index, self.insts.get(index.0 as usize).unwrap_or(&NOWHERE))
    }

    #[inline]
    fn at(&self, index: InstId, &Extent { word, op, len, has_type, has_result }: &Extent) -> Inst<'_> {
        let start = word as usize;
        Inst { index, word, words: &self.words[start..start + usize::from(len)], op, has_type, has_result }
    }

    /// All instructions, in order.
    pub fn insts(&self) -> impl DoubleEndedIterator<Item = Inst<'_>> + ExactSizeIterator {
        self.insts_in(0..self.insts.len() as u32)
    }

    /// The instructions before the first function: types, constants, variables and their decorations.
    pub fn globals(&self) -> impl DoubleEndedIterator<Item = Inst<'_>> + ExactSizeIterator {
        self.insts_in(0..self.globals)
    }

    /// The instructions before the first function from the first type, constant or variable on. A module's entry
    /// points, names and decorations come before those, so this costs less than [`Module::globals`] where it is done
    /// for each entry point.
    pub fn definitions(&self) -> impl DoubleEndedIterator<Item = Inst<'_>> + ExactSizeIterator {
        self.insts_in(self.header..self.globals)
    }

    /// The number of instructions before the first of [`Module::definitions`].
    pub fn header(&self) -> u32 {
        self.header
    }

    /// The instructions of a range of indices: none for a range that is not all within the module.
    pub fn insts_in(
        &self,
        range: std::ops::Range<u32>,
    ) -> impl DoubleEndedIterator<Item = Inst<'_>> + ExactSizeIterator {
        let extents = self.insts.get(range.start as usize..range.end as usize).unwrap_or(&[]);
        extents.iter().enumerate().map(move |(at, extent)| self.at(InstId(range.start + at as u32), extent))
    }

    /// The instruction that defines an id.
    #[inline]
    pub fn def(&self, id: Id) -> Option<Inst<'_>> {
        self.def_index(id).map(|index| self.inst(index))
    }

    /// The index of the instruction that defines an id.
    #[inline]
    pub fn def_index(&self, id: Id) -> Option<InstId> {
        self.defs.get(id).map(InstId)
    }

    /// The type of a value.
    #[inline]
    pub fn type_of(&self, id: Id) -> Option<Id> {
        self.def(id)?.result_type()
    }

    /// Calls `found` with each id that an instruction of this module uses (its result id apart, its result type
    /// included).
    ///
    /// # Errors
    /// Where the grammar cannot place an operand: any word of the instruction may be an id.
    pub fn for_each_id_used(&self, inst: &Inst<'_>, found: impl FnMut(Id)) -> Result<(), grammar::Unplaced> {
        grammar::for_each_id_used(inst.words, self.literal_words(inst), found)
    }

    /// The set and the instruction of an `OpExtInst`: `GLSL.std.450 Sqrt`, or the number where the grammar has no name.
    /// None for other instructions.
    pub fn extended_name(&self, inst: &Inst<'_>) -> Option<String> {
        if !matches!(inst.op(), Some(Op::ExtInst | Op::ExtInstWithForwardRefsKHR)) {
            return None;
        }
        let import = self.def(inst.id_at(3)).filter(|import| import.op() == Some(Op::ExtInstImport));
        let set = import.map_or_else(|| format!("%{}", inst.id_at(3)), |import| import.string_at(2).0);
        let number = inst.word_at(4);
        let name = grammar::extended_name(&set, number);
        Some(name.map_or_else(|| format!("{set} {number}"), |name| format!("{set} {name}")))
    }

    /// Calls `found` with each id that an instruction of this module may use: those of [`Module::for_each_id_used`], or
    /// every word where the grammar cannot place an operand. An id may be reported more than once.
    pub fn for_each_possible_id(&self, inst: &Inst<'_>, mut found: impl FnMut(Id)) {
        if self.for_each_id_used(inst, &mut found).is_err() {
            inst.words_from(1).iter().for_each(|&word| found(Id(word)));
        }
    }

    /// Calls `found` with the index of each word of an instruction that [`Module::for_each_id_used`] reports.
    ///
    /// # Errors
    /// Those of [`Module::for_each_id_used`].
    pub fn for_each_id_place(&self, inst: &Inst<'_>, found: impl FnMut(usize)) -> Result<(), grammar::Unplaced> {
        grammar::for_each_id_place(inst.words, self.literal_words(inst), found)
    }

    /// Number of words of each case's literal, where the instruction has cases.
    fn literal_words(&self, inst: &Inst<'_>) -> usize {
        if inst.op() == Some(Op::Switch) { self.case_words(inst) } else { 1 }
    }

    /// Number of words of each case's literal of an `OpSwitch`: as many as its selector has.
    pub fn case_words(&self, switch: &Inst<'_>) -> usize {
        let selector = self.type_of(switch.id_at(1)).and_then(|ty| self.ty(ty));
        if matches!(selector, Some(Type::Int { bits, .. }) if bits > 32) { 2 } else { 1 }
    }

    /// The module with the lines that its instructions come from, instead of those that they carry. What is made of the
    /// module by an edit has none.
    #[must_use]
    pub fn with_lines(self, lines: Lines) -> Module {
        Module { lines: (!lines.is_empty()).then(|| Box::new(lines)), ..self }
    }

    /// The lines that the module was given.
    pub(super) fn given_lines(&self) -> Option<&Lines> {
        self.lines.as_deref()
    }

    /// Instructions that are not in the grammar, kept as raw words.
    pub fn raw(&self) -> &[InstId] {
        &self.raw
    }
}

/// The start of a string that must end inside the instruction.
fn string_operand(op: Op) -> Option<usize> {
    Some(match op {
        Op::Extension | Op::SourceExtension | Op::SourceContinued | Op::ModuleProcessed => 1,
        Op::Name | Op::String | Op::ExtInstImport => 2,
        Op::MemberName | Op::EntryPoint => 3,
        _ => return None,
    })
}

impl PartialEq for Module {
    fn eq(&self, other: &Self) -> bool {
        self.words == other.words
    }
}

impl std::fmt::Debug for Module {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Module({} words, {} instructions)", self.words.len(), self.insts.len())
    }
}

impl TryFrom<Form> for Module {
    type Error = ParseError;

    fn try_from(form: Form) -> Result<Self, ParseError> {
        Ok(Module { lines: form.lines, ..Module::parse(form.words)? })
    }
}

impl From<Module> for Form {
    fn from(module: Module) -> Self {
        Form { words: module.words, lines: module.lines }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const HEADER: [u32; 5] = [MAGIC, 0x0001_0300, 0, 8, 0];

    fn parse(tail: &[u32]) -> Result<Module, ParseError> {
        Module::parse(HEADER.iter().chain(tail).copied().collect())
    }

    #[test]
    fn rejects_broken_words_with_their_location() {
        assert_eq!(Module::parse(vec![MAGIC, 0]), Err(ParseError::Header { found: 2 }));
        assert_eq!(Module::parse(vec![1; 5]), Err(ParseError::Magic { found: 1 }));
        assert_eq!(Module::parse(vec![MAGIC, 0, 0, u32::MAX, 0]), Err(ParseError::Bound { found: u32::MAX }));
        assert_eq!(parse(&[0x0001_0000, 0]), Err(ParseError::CountZero { instruction: 1, word: 6 }));
        let message = parse(&[0x0003_0005, 1]).expect_err("cut short").to_string();
        assert_eq!(message, "word 5 (byte 0x14): instruction #0 (OpName) needs 3 words, but 2 remain");
        assert!(matches!(parse(&[0x0003_0005, 1, 0x4141_4141]), Err(ParseError::StringOpen { .. })));
        assert!(matches!(parse(&[0x0002_0013, 8]), Err(ParseError::ResultId { id: 8, bound: 8, .. })));
        let no_ops = vec![0x0001_0000; MAX_INSTRUCTIONS];
        assert_eq!(parse(&no_ops).expect("as many as are read").len(), MAX_INSTRUCTIONS);
        let word = HEADER_WORDS + MAX_INSTRUCTIONS;
        assert_eq!(parse(&[&no_ops[..], &[0x0001_0000]].concat()), Err(ParseError::TooMany { word }));
    }

    #[test]
    fn an_unknown_opcode_keeps_its_words_and_is_marked() {
        let module = parse(&[0x0002_0013, 1, 0x0003_fff0, 7, 9]).expect("reads");
        assert_eq!(module.raw(), [InstId(1)]);
        assert_eq!(module.inst(InstId(1)).words, [0x0003_fff0, 7, 9]);
        assert_eq!(module.def(Id(1)).and_then(|i| i.op()), Some(Op::TypeVoid));
    }

    #[test]
    fn a_case_of_a_switch_is_as_wide_as_its_selector() {
        for (bits, literal) in [(32, &[5][..]), (64, &[5, 6])] {
            let value = 0x002b | (3 + literal.len() as u32) << 16;
            let switch = 0x00fb | (4 + literal.len() as u32) << 16;
            let ty = [0x0004_0015, 1, bits, 0];
            let words = [&ty[..], &[value, 1, 2], literal, &[switch, 2, 3], literal, &[4]].concat();
            let module = parse(&words).expect("reads");
            let mut found = Vec::new();
            assert_eq!(module.for_each_id_used(&module.inst(InstId(2)), |id| found.push(id.0)), Ok(()));
            assert_eq!(found, [2, 3, 4], "{bits} bits");
        }
    }

    proptest! {
        #[test]
        fn reads_or_rejects_any_words(tail in proptest::collection::vec(any::<u32>(), 0..64), small in any::<bool>()) {
            let tail: Vec<u32> = if small { tail.iter().map(|w| (w & 0x0007_01ff) | 0x0001_0000).collect() } else { tail };
            if let Ok(module) = parse(&tail) {
                for inst in module.insts() {
                    let _ = module.for_each_id_used(&inst, |_| {});
                }
            }
        }
    }
}
