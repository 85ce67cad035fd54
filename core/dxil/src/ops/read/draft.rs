//! A table as its source has it, before what follows from it is filled in.

use std::collections::{BTreeMap, BTreeSet};

use super::super::opcode::{FeatureId, Opcode, TableKind, Version};
use super::super::symbol::{Scalar, ShaderKind, TypeSymbol};
use super::super::table::{Attribute, Database, Flag, Op, OpTable, Operand, Overload, Source};
use super::super::tables::Tables;
use super::{Note, Text, Texts};
use crate::findings::Severity;

/// Slots that a table can have: the index has 16 bits.
pub const MOST_SLOTS: usize = 1 << 16;

/// The class of holes.
pub const RESERVED: &str = "Reserved";

/// The letters of overloads, in the order of the bits of DxilOperations.cpp.
pub const LETTERS: [(char, Scalar); 10] = [
    ('h', Scalar::F16),
    ('f', Scalar::F32),
    ('d', Scalar::F64),
    ('1', Scalar::I1),
    ('8', Scalar::I8),
    ('w', Scalar::I16),
    ('i', Scalar::I32),
    ('l', Scalar::I64),
    ('u', Scalar::Udt),
    ('o', Scalar::Object),
];

/// Classes whose callee is not the class with a small first letter.
const CALLEES: [(&str, &str); 3] =
    [("CBufferLoad", "cbufferLoad"), ("CBufferLoadLegacy", "cbufferLoadLegacy"), ("GSInstanceID", "gsInstanceID")];

/// Both tables.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Draft {
    /// The slots, stable and experimental.
    pub slots: [Vec<Slot>; 2],
    /// Names of the tables.
    pub names: [String; 2],
    /// Stable slots in each version of DXIL.
    pub sizes: BTreeMap<Version, u16>,
    /// The shader model of experimental ops, where the source has one for all.
    pub experimental_model: Option<Version>,
    /// The newest shader model, and the newest released one.
    pub known: Option<[Version; 2]>,
    /// The newest DXIL version, and the newest released one.
    pub dxil: Option<[Version; 2]>,
}

/// One slot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slot {
    /// The op.
    pub name: String,
    /// Its class.
    pub class: String,
    /// The callee after `dx.op.`, where the source has it.
    pub callee: Option<String>,
    /// The overloads in letters.
    pub overloads: String,
    /// Effects on memory and control.
    pub attribute: Attribute,
    /// Return type.
    pub returns: TypeSymbol,
    /// Operands after the opcode.
    pub operands: Vec<Operand>,
    /// Its group.
    pub category: Option<String>,
    /// The least shader model.
    pub model: Version,
    /// The least shader model with translation.
    pub translated: Option<Version>,
    /// Its stages; any if empty.
    pub stages: Vec<ShaderKind>,
    /// How it depends on neighbouring lanes.
    pub flags: BTreeSet<Flag>,
}

/// The first shader model.
pub const FIRST_MODEL: Version = Version { major: 6, minor: 0 };

impl Slot {
    /// A hole.
    pub fn reserved(name: String) -> Slot {
        Slot { class: RESERVED.to_owned(), overloads: "v".to_owned(), ..Slot::named(name) }
    }

    /// An op of which nothing is known but its name.
    pub fn named(name: String) -> Slot {
        Slot {
            name,
            class: String::new(),
            callee: None,
            overloads: String::new(),
            attribute: Attribute::None,
            returns: TypeSymbol::Void,
            operands: Vec::new(),
            category: None,
            model: FIRST_MODEL,
            translated: None,
            stages: Vec::new(),
            flags: BTreeSet::new(),
        }
    }

    /// Whether it is a hole.
    pub fn is_reserved(&self) -> bool {
        self.class == RESERVED
    }
}

/// The callee of a class, after `dx.op.`.
pub fn callee_of(class: &str) -> String {
    if let Some((_, callee)) = CALLEES.iter().find(|(of, _)| *of == class) {
        return (*callee).to_owned();
    }
    let mut chars = class.chars();
    chars.next().map(|first| first.to_ascii_lowercase()).into_iter().chain(chars).collect()
}

/// The dimensions of overload letters, and the letters in full: `<` alone stands for vectors of the scalars before it.
///
/// # Errors
///
/// What is wrong with them.
pub fn overloads(text: &str) -> Result<(String, Vec<Overload>), String> {
    if text == "v" {
        return Ok((text.to_owned(), Vec::new()));
    }
    let (mut full, mut out) = (Vec::new(), Vec::new());
    for dimension in text.split(',') {
        let (scalars, vectors) = match dimension.split_once('<') {
            None => (dimension, None),
            Some((scalars, "")) => (scalars, Some(scalars)),
            Some((scalars, vectors)) => (scalars, Some(vectors)),
        };
        let read = |letters: &str| {
            let mut all = Vec::new();
            for letter in letters.chars() {
                let Some((_, scalar)) = LETTERS.iter().find(|(of, _)| *of == letter) else {
                    return Err(format!("overload letter `{letter}` in `{text}` is not known"));
                };
                if all.contains(scalar) {
                    return Err(format!("overload letter `{letter}` is twice in `{text}`"));
                }
                all.push(*scalar);
            }
            Ok(all)
        };
        let overload = Overload { scalar: read(scalars)?, vector_of: read(vectors.unwrap_or_default())? };
        if overload.scalar.is_empty() && overload.vector_of.is_empty() {
            return Err(format!("overload dimension {} of `{text}` is empty", out.len()));
        }
        if overload.vector_of.iter().any(|scalar| matches!(scalar, Scalar::Udt | Scalar::Object)) {
            return Err(format!("`{text}` has vectors of structures or objects"));
        }
        full.push(vectors.map_or_else(|| scalars.to_owned(), |vectors| format!("{scalars}<{vectors}")));
        out.push(overload);
    }
    if out.len() > 4 {
        return Err(format!("`{text}` has {} overload dimensions, at most 4 are allowed", out.len()));
    }
    Ok((full.join(","), out))
}

impl Draft {
    /// Reads versions from headers, where they are there.
    pub fn models(&mut self, texts: &Texts, notes: &mut Vec<Note>) {
        let number = |text: &Text, name: &str| {
            let (_, after) = text.text.split_once(&format!("{name} = "))?;
            after.split(|c: char| !c.is_ascii_digit()).next()?.parse::<u32>().ok()
        };
        if let Some(text) = &texts.shader_model {
            let of = |name: &str| {
                let major = number(text, &format!("kHighest{name}Major"))?;
                Some(Version { major, minor: number(text, &format!("kHighest{name}Minor"))? })
            };
            self.known = of("").zip(of("Released")).map(|(known, released)| [known, released]);
            if self.known.is_none() {
                let text = "kHighestMinor or kHighestReleasedMinor was not found".to_owned();
                notes.push(Note { severity: Severity::Note, file: texts_name(texts), line: None, text });
            }
        }
        if let Some(text) = &texts.constants {
            let major = number(text, "kDxilMajor");
            self.dxil = major.and_then(|major| {
                let of = |name: &str| Some(Version { major, minor: number(text, name)? });
                Some([of("kDxilMinor")?, of("kDxilReleasedMinor")?])
            });
            let sizes = text.text.match_indices("NumOpCodes_Dxil_").filter_map(|(at, name)| {
                let rest = text.text.get(at + name.len()..)?;
                let (version, rest) = rest.split_once(" = ")?;
                let version = version.replacen('_', ".", 1).parse().ok()?;
                Some((version, rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()?))
            });
            let sizes: BTreeMap<Version, u16> = sizes.collect();
            if self.sizes.is_empty() {
                self.sizes = sizes;
            } else if !sizes.is_empty() && sizes != self.sizes {
                let text = "the sizes of the stable table differ from those of the sources: generated files are stale";
                let file = text_name(&texts.constants);
                notes.push(Note { severity: Severity::Error, file, line: None, text: text.to_owned() });
            }
        }
    }

    /// The tables, with what follows from them.
    pub fn finish(self, file: &str) -> Database {
        let own = Tables::bundled().database();
        let newest = |slots: &[Slot]| slots.iter().filter(|slot| !slot.is_reserved()).map(|slot| slot.model).max();
        let [stable, experimental] = self.slots.each_ref().map(|slots| newest(slots));
        let before = |model: Version| Version { minor: model.minor.saturating_sub(1), ..model };
        let guessed = match self.experimental_model.or(experimental) {
            Some(model) if Some(model) > stable => [model, before(model)],
            _ => [stable.unwrap_or(FIRST_MODEL); 2],
        };
        let [highest, released] = self.known.unwrap_or(guessed);
        // Shader model 6.N has DXIL 1.N.
        let paired = [highest, released].map(|model| Version { major: 1, minor: model.minor });
        let [highest_dxil, released_dxil] = self.dxil.unwrap_or(paired);
        let source = Source {
            project: "given".to_owned(),
            commit: String::new(),
            commit_date: String::new(),
            highest_dxil_version: highest_dxil,
            released_dxil_version: released_dxil,
            highest_shader_model: highest,
            released_shader_model: released,
            file: Some(file.to_owned()),
            remarks: Vec::new(),
        };
        let mut tables = Vec::new();
        for ((kind, slots), name) in TableKind::ALL.iter().zip(self.slots).zip(self.names) {
            let ops: Vec<Op> = slots
                .into_iter()
                .take(MOST_SLOTS)
                .enumerate()
                .map(|(index, slot)| op(slot, *kind, index as u16, &self.sizes))
                .collect();
            tables.push(OpTable {
                feature_id: kind.feature(),
                name,
                experimental: *kind == TableKind::Experimental,
                count: u16::try_from(ops.len()).unwrap_or(u16::MAX),
                reserved_count: u16::try_from(ops.iter().filter(|op| op.reserved).count()).unwrap_or(u16::MAX),
                ops,
            });
        }
        let sum = |of: fn(&OpTable) -> u16| tables.iter().map(of).fold(0, u16::saturating_add);
        Database {
            format: 1,
            source,
            notes: Vec::new(),
            type_legend: own.type_legend.clone(),
            core_table_size_by_dxil_version: self.sizes,
            op_count: sum(|table| table.count),
            reserved_count: sum(|table| table.reserved_count),
            tables,
            private: Vec::new(),
        }
    }
}

fn texts_name(texts: &Texts) -> String {
    text_name(&texts.shader_model)
}

fn text_name(text: &Option<Text>) -> String {
    text.as_ref().map(|text| text.name.clone()).unwrap_or_default()
}

fn op(slot: Slot, kind: TableKind, index: u16, sizes: &BTreeMap<Version, u16>) -> Op {
    let FeatureId(feature) = kind.feature();
    let opcode = Opcode(u32::from(feature) << 16 | u32::from(index));
    let covered = sizes.iter().find(|(_, size)| index < **size).map(|(version, _)| *version);
    let dxil_version = covered.filter(|_| kind == TableKind::Stable);
    let reserved = slot.is_reserved();
    // A slot cannot be older than the table that covers it.
    let of_slot = dxil_version.map(|version| Version { major: 6, minor: version.minor });
    let since = of_slot.into_iter().chain([slot.model]).max();
    let (overload_string, overloads) = overloads(&slot.overloads).unwrap_or((slot.overloads, Vec::new()));
    let first = Operand {
        position: 0,
        name: "opcode".to_owned(),
        type_symbol: TypeSymbol::I32,
        immediate: true,
        enumeration: None,
        max: None,
    };
    let callee = slot.callee.unwrap_or_else(|| callee_of(&slot.class));
    let live = |version: Version| (!reserved).then_some(version);
    Op {
        opcode,
        name: slot.name,
        reserved,
        function_prefix: (!reserved).then(|| format!("{}{callee}", super::super::CALLEE_PREFIX)),
        class: slot.class,
        category: slot.category,
        min_shader_model: live(slot.model),
        since: since.and_then(live),
        since_translated: slot.translated,
        dxil_version,
        stages: slot.stages,
        attribute: slot.attribute,
        overload_string,
        overloads,
        flags: slot.flags.into_iter().collect(),
        returns: slot.returns,
        operands: std::iter::once(first).chain(slot.operands).collect(),
    }
}

/// What LLVM's type says of an operand: whether an integer is used unsigned is not part of it.
pub fn coarse(symbol: TypeSymbol) -> TypeSymbol {
    match symbol {
        TypeSymbol::U32 => TypeSymbol::I32,
        TypeSymbol::U8 => TypeSymbol::I8,
        other => other,
    }
}

/// Compares hctdb.py with the files that a build generates from it.
pub fn compare_generated(written: &Draft, generated: &Draft, notes: &mut Vec<Note>) {
    let mut note = |text: String| {
        let text = format!("{text}: generated files are stale");
        notes.push(Note { severity: Severity::Error, file: String::new(), line: None, text });
    };
    for ((kind, ours), theirs) in TableKind::ALL.iter().zip(&written.slots).zip(&generated.slots) {
        if ours.len() != theirs.len() {
            let (count, generated) = (ours.len(), theirs.len());
            note(format!("the {kind} table has {count} slots in hctdb.py and {generated} in DxilOperations.cpp"));
        }
        for (index, (ours, theirs)) in ours.iter().zip(theirs).enumerate() {
            let what = [
                ("name", ours.name != theirs.name),
                ("class", ours.class != theirs.class),
                ("attribute", ours.attribute != theirs.attribute),
                ("overloads", overloads(&ours.overloads) != overloads(&theirs.overloads)),
                ("types", !same_types(ours, theirs)),
                ("shader model", ours.model != theirs.model || ours.translated != theirs.translated),
                ("stages", sorted(&ours.stages) != sorted(&theirs.stages)),
            ];
            let differ: Vec<&str> = what.into_iter().filter(|(_, differs)| *differs).map(|(what, _)| what).collect();
            if !differ.is_empty() {
                let (name, differ) = (&ours.name, differ.join(", "));
                note(format!("{kind} slot {index}, {name}: {differ} in DxilOperations.cpp differ"));
            }
        }
    }
}

fn same_types(ours: &Slot, theirs: &Slot) -> bool {
    let of = |slot: &Slot| {
        let types = std::iter::once(slot.returns).chain(slot.operands.iter().map(|operand| operand.type_symbol));
        types.map(coarse).collect::<Vec<_>>()
    };
    of(ours) == of(theirs)
}

fn sorted(stages: &[ShaderKind]) -> BTreeSet<ShaderKind> {
    stages.iter().copied().collect()
}
