//! The files that DXC generates from `hctdb.py`: `DxilOperations.cpp`, and `DxilInstructions.h` for names of operands.
//!
//! Arrays and sections are found by the words around them; line breaks mean nothing, since clang-format moves them.

use std::collections::BTreeMap;

use super::super::opcode::{TableKind, Version};
use super::super::symbol::TypeSymbol;
use super::super::table::{Attribute, Flag, Operand};
use super::draft::{Draft, FIRST_MODEL, LETTERS, MOST_SLOTS, Slot, overloads};
use super::{Note, Text, Unreadable};
use crate::findings::Severity;

/// Operand types by the macro that makes them.
pub const TYPES: &[(&str, TypeSymbol)] = &[
    ("A(pV)", TypeSymbol::Void),
    ("A(pI1)", TypeSymbol::I1),
    ("A(pI8)", TypeSymbol::I8),
    ("A(pI16)", TypeSymbol::I16),
    ("A(pI32)", TypeSymbol::I32),
    ("A(pI64)", TypeSymbol::I64),
    ("A(pF16)", TypeSymbol::Half),
    ("A(pF32)", TypeSymbol::Float),
    ("A(pF64)", TypeSymbol::Double),
    ("A(pPF32)", TypeSymbol::FloatPointer),
    ("A(pETy)", TypeSymbol::Overload),
    ("A(pOlTplI1)", TypeSymbol::OverloadI1),
    ("A(pOlTplI32)", TypeSymbol::OverloadI32),
    ("A(pVecElt)", TypeSymbol::Element),
    ("A(pRes)", TypeSymbol::Handle),
    ("A(pHit)", TypeSymbol::HitObject),
    ("A(pNodeHandle)", TypeSymbol::NodeHandle),
    ("A(pNodeRecordHandle)", TypeSymbol::NodeRecordHandle),
    ("A(nodeProperty)", TypeSymbol::NodeInfo),
    ("A(nodeRecordProperty)", TypeSymbol::NodeRecordInfo),
    ("A(resProperty)", TypeSymbol::ResourceProperties),
    ("A(resBind)", TypeSymbol::ResBind),
    ("A(udt)", TypeSymbol::Udt),
    ("A(obj)", TypeSymbol::Object),
    ("A(pPos)", TypeSymbol::SamplePos),
    ("A(pDim)", TypeSymbol::Dimensions),
    ("A(pSDT)", TypeSymbol::SplitDouble),
    ("A(pI32C)", TypeSymbol::I32Carry),
    ("A(p2I32)", TypeSymbol::TwoI32),
    ("A(p4I32)", TypeSymbol::FourI32),
    ("A(EXT(0))", TypeSymbol::Dimension0),
    ("A(EXT(1))", TypeSymbol::Dimension1),
    ("A(EXT(2))", TypeSymbol::Dimension2),
    ("A(EXT(3))", TypeSymbol::Dimension3),
    ("TGSM(EXT(1))", TypeSymbol::Groupshared1),
    ("RRT(pETy)", TypeSymbol::ResRet),
    ("CBRT(pETy)", TypeSymbol::CBufRet),
    ("VEC2(pI32)", TypeSymbol::Int2),
    ("VEC4(pETy)", TypeSymbol::Vec4),
    ("VEC9(pETy)", TypeSymbol::Vec9),
];

/// Sections with ops that have a flag.
const FLAGS: [(&str, &[Flag]); 5] = [
    ("OPCODE-WAVE", &[Flag::Wave]),
    ("OPCODE-GRADIENT", &[Flag::Gradient]),
    // The convergent ops are the derivatives.
    ("OPCODE-CONVERGENT", &[Flag::Derivative, Flag::Convergent]),
    ("OPCODE-FEEDBACK", &[Flag::SamplerFeedback]),
    ("OPCODE-BARRIER", &[Flag::Barrier]),
];

/// A token of C++.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Token<'t> {
    /// A name, or a number.
    Word(&'t str),
    /// A string, without its quotes.
    Text(&'t str),
    /// One character.
    Sign(char),
    /// A comment of one line, without its slashes.
    Comment(&'t str),
}

/// A token with its line.
type Placed<'t> = (usize, Token<'t>);

fn tokens(text: &str) -> Vec<Placed<'_>> {
    let (mut out, mut at, mut line) = (Vec::new(), 0, 1);
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let end_of = |found: Option<usize>| found.unwrap_or(rest.len());
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let (length, token) = if let Some(comment) = rest.strip_prefix("//") {
            let length = end_of(rest.find('\n'));
            (length, Some(Token::Comment(comment.get(..length - 2).unwrap_or_default().trim())))
        } else if rest.starts_with("/*") {
            (rest.find("*/").map_or(rest.len(), |end| end + 2), None)
        } else if let Some(inside) = rest.strip_prefix('"') {
            let end = inside.find(['"', '\n']).unwrap_or(inside.len());
            let closed = usize::from(inside.get(end..).is_some_and(|rest| rest.starts_with('"')));
            (1 + end + closed, Some(Token::Text(inside.get(..end).unwrap_or_default())))
        } else if rest.starts_with(is_word) {
            let length = end_of(rest.find(|c| !is_word(c)));
            (length, Some(Token::Word(rest.get(..length).unwrap_or_default())))
        } else {
            let first = rest.chars().next().unwrap_or(' ');
            (first.len_utf8(), (!first.is_whitespace()).then_some(Token::Sign(first)))
        };
        out.extend(token.map(|token| (line, token)));
        line += rest.get(..length).unwrap_or_default().bytes().filter(|byte| *byte == b'\n').count();
        at += length.max(1);
    }
    out
}

/// Reads both tables.
///
/// # Errors
///
/// An array is missing, or one of its rows is not of the known form.
pub fn read(operations: &Text, instructions: Option<&Text>, notes: &mut Vec<Note>) -> Result<Draft, Unreadable> {
    let all = tokens(&operations.text);
    let mut reader = Reader { file: &operations.name, tokens: &all, notes, draft: Draft::default() };
    reader.properties()?;
    reader.operands()?;
    reader.models();
    reader.flags();
    let mut draft = reader.draft;
    match instructions {
        Some(text) => name_operands(text, &mut draft, notes),
        None => {
            let text = "names of operands are unknown without DxilInstructions.h: they are numbered".to_owned();
            notes.push(Note { severity: Severity::Note, file: operations.name.clone(), line: None, text });
        }
    }
    Ok(draft)
}

struct Reader<'t, 'n> {
    file: &'t str,
    tokens: &'t [Placed<'t>],
    notes: &'n mut Vec<Note>,
    draft: Draft,
}

impl<'t> Reader<'t, '_> {
    fn error(&self, line: usize, why: String) -> Unreadable {
        Unreadable { file: self.file.to_owned(), line: Some(line), why }
    }

    fn note(&mut self, severity: Severity, line: usize, text: String) {
        self.notes.push(Note { severity, file: self.file.to_owned(), line: Some(line), text });
    }

    /// The tokens between two comments.
    fn section(&self, name: &str) -> Option<&'t [Placed<'t>]> {
        let find = |end: &str| {
            let mark = format!("{name}:{end}");
            self.tokens.iter().position(|(_, token)| matches!(token, Token::Comment(text) if *text == mark))
        };
        self.tokens.get(find("BEGIN")? + 1..find("END")?)
    }

    /// The arrays of properties, one for each table.
    fn properties(&mut self) -> Result<(), Unreadable> {
        for ((table, kind), name) in TableKind::ALL.iter().enumerate().zip(["CoreOps", "ExperimentalOps"]) {
            let array = format!("{name}_OpCodeProps");
            let start = self
                .tokens
                .windows(2)
                .position(|pair| matches!(pair, [(_, Token::Word(word)), (_, Token::Sign('['))] if *word == array));
            let Some(start) = start else {
                let why = format!("expected the array {array} with the {kind} ops");
                return Err(Unreadable { file: self.file.to_owned(), line: None, why });
            };
            let rest = self.tokens.get(start..).unwrap_or_default();
            let open = rest.iter().position(|(_, token)| *token == Token::Sign('{')).unwrap_or(rest.len());
            let mut slots = Vec::new();
            let mut at = open + 1;
            while let Some((line, token)) = rest.get(at) {
                match token {
                    Token::Comment(_) | Token::Sign(',') => at += 1,
                    Token::Sign('}') => break,
                    Token::Sign('{') => {
                        let row = rest.get(at..).unwrap_or_default();
                        let (slot, length) = self.row(row, *line)?;
                        at += length;
                        slots.push(slot);
                        if slots.len() > MOST_SLOTS {
                            return Err(
                                self.error(*line, "the array has more rows than an index has numbers".to_owned())
                            );
                        }
                    }
                    _ => return Err(self.error(*line, format!("expected a row of {array}: `{{OC::Name, …}}`"))),
                }
            }
            if let (Some(to), Some(of)) = (self.draft.slots.get_mut(table), self.draft.names.get_mut(table)) {
                *to = slots;
                name.clone_into(of);
            }
        }
        Ok(())
    }

    /// A row, and its number of tokens with the comment after it.
    fn row(&mut self, row: &[Placed<'t>], line: usize) -> Result<(Slot, usize), Unreadable> {
        use Token::{Sign, Text as Quoted, Word};
        let wrong = || r#"expected {OC::Name, "Name", OCC::Class, "callee", Attribute::A, N, {…}, {…}}"#.to_owned();
        let mut depth = 0usize;
        let mut end = 0;
        for (at, (_, token)) in row.iter().enumerate() {
            match token {
                Sign('{') => depth += 1,
                Sign('}') => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                end = at + 1;
                break;
            }
        }
        let inside = row.get(1..end.saturating_sub(1)).unwrap_or_default();
        // Where a line is broken inside a row, no comment is.
        let words: Vec<&Token<'t>> = inside.iter().map(|(_, token)| token).collect();
        let [
            Word("OC"),
            Sign(':'),
            Sign(':'),
            Word(name),
            Sign(','),
            Quoted(text),
            Sign(','),
            Word("OCC"),
            Sign(':'),
            Sign(':'),
            Word(class),
            Sign(','),
            Quoted(callee),
            Sign(','),
            Word("Attribute"),
            Sign(':'),
            Sign(':'),
            Word(attribute),
            Sign(','),
            Word(dimensions),
            Sign(','),
            masks @ ..,
        ] = words.as_slice()
        else {
            return Err(self.error(line, wrong()));
        };
        if name != text {
            self.note(Severity::Error, line, format!("{name} is called \"{text}\""));
        }
        let attribute = match *attribute {
            "None" => Some(Attribute::None),
            "ReadNone" => Some(Attribute::ReadNone),
            "ReadOnly" => Some(Attribute::ReadOnly),
            "NoDuplicate" => Some(Attribute::NoDuplicate),
            "NoReturn" => Some(Attribute::NoReturn),
            "ArgMemOnly" => Some(Attribute::ArgMemOnly),
            other => {
                self.note(Severity::Warning, line, format!("attribute `{other}` of {name} is not known"));
                None
            }
        };
        let masks: Vec<u32> = masks
            .iter()
            .filter_map(|token| match token {
                Word(word) => word.strip_prefix("0x").and_then(|digits| u32::from_str_radix(digits, 16).ok()),
                _ => None,
            })
            .collect();
        let of_masks = of_masks(dimensions.parse().unwrap_or(0), &masks).ok_or_else(|| self.error(line, wrong()))?;
        let comment = row.get(end..).unwrap_or_default().iter().take(2).enumerate().find_map(|(at, (_, token))| {
            let Token::Comment(text) = token else { return None };
            Some((at, text.strip_prefix("Overloads:")?.trim()))
        });
        // Masks have no order: letters in the order of the sources are in the comment.
        let overload_text = match comment {
            Some((_, text)) if same_letters(text, &of_masks) => text.to_owned(),
            Some((_, text)) => {
                let text = format!("{name}: the comment has overloads `{text}`, the masks are of `{of_masks}`");
                self.note(Severity::Warning, line, text);
                of_masks
            }
            None => of_masks,
        };
        let slot = Slot {
            class: (*class).to_owned(),
            callee: Some((*callee).to_owned()),
            overloads: overload_text,
            attribute: attribute.unwrap_or(Attribute::None),
            ..Slot::named((*name).to_owned())
        };
        Ok((slot, end + comment.map_or(0, |(at, _)| at + 1)))
    }

    /// Operand types: a case for each op, a macro for each type.
    fn operands(&mut self) -> Result<(), Unreadable> {
        let Some(section) = self.section("OPCODE-OLOAD-FUNCS") else {
            let why = "expected the section OPCODE-OLOAD-FUNCS with the operand types".to_owned();
            return Err(Unreadable { file: self.file.to_owned(), line: None, why });
        };
        let mut found: BTreeMap<&str, Vec<(usize, String)>> = BTreeMap::new();
        let mut name: Option<&str> = None;
        let mut at = 0;
        while let Some((line, token)) = section.get(at) {
            at += 1;
            match token {
                Token::Word("case") => {
                    name = match section.get(at..at + 5) {
                        Some(
                            [
                                (_, Token::Word("OpCode")),
                                (_, Token::Sign(':')),
                                (_, Token::Sign(':')),
                                (_, Token::Word(name)),
                                _,
                            ],
                        ) => Some(name),
                        _ => return Err(self.error(*line, "expected `case OpCode::Name:`".to_owned())),
                    };
                    at += 5;
                }
                Token::Word("break") => name = None,
                Token::Word(first) => {
                    let Some(name) = name else { continue };
                    let rest = section.get(at..).unwrap_or_default();
                    let length = rest.iter().position(|(_, token)| *token == Token::Sign(';')).unwrap_or(rest.len());
                    let mut text = (*first).to_owned();
                    for (_, token) in rest.get(..length).unwrap_or_default() {
                        match token {
                            Token::Word(word) => text.push_str(word),
                            Token::Sign(sign) => text.push(*sign),
                            _ => {}
                        }
                    }
                    found.entry(name).or_default().push((*line, text));
                    at += length;
                }
                _ => {}
            }
        }
        let mut missing = Vec::new();
        for slot in self.draft.slots.iter_mut().flatten() {
            let Some(types) = found.get(slot.name.as_str()) else {
                missing.push(slot.name.clone());
                continue;
            };
            let mut symbols = Vec::new();
            for (line, text) in types {
                let known = TYPES.iter().find(|(of, _)| of == text).map(|(_, symbol)| *symbol);
                if known.is_none() {
                    let text = format!("type `{text}` of {} is not known: it is not compared", slot.name);
                    self.notes.push(Note {
                        severity: Severity::Warning,
                        file: self.file.to_owned(),
                        line: Some(*line),
                        text,
                    });
                }
                symbols.push(known.unwrap_or(TypeSymbol::Unknown));
            }
            let mut symbols = symbols.into_iter();
            slot.returns = symbols.next().unwrap_or(TypeSymbol::Unknown);
            // The opcode comes after the result.
            let operands = symbols.skip(1).enumerate().map(|(at, type_symbol)| Operand {
                position: u16::try_from(at + 1).unwrap_or(u16::MAX),
                name: format!("operand{}", at + 1),
                type_symbol,
                immediate: false,
                enumeration: None,
                max: None,
            });
            slot.operands = operands.collect();
        }
        if let Some(first) = missing.first() {
            let text = format!("{} ops have no operand types, {first} the first", missing.len());
            self.notes.push(Note { severity: Severity::Error, file: self.file.to_owned(), line: None, text });
        }
        Ok(())
    }

    /// Models and stages: a comment names the ops, the statements after it are about them.
    fn models(&mut self) {
        let Some(section) = self.section("OPCODE-SMMASK") else {
            let text = "the section OPCODE-SMMASK was not found: models and stages are unknown".to_owned();
            self.notes.push(Note { severity: Severity::Warning, file: self.file.to_owned(), line: None, text });
            return;
        };
        let mut at = 0;
        while at < section.len() {
            let rest = section.get(at..).unwrap_or_default();
            let comments = rest.iter().take_while(|(_, token)| matches!(token, Token::Comment(_))).count();
            let names = self.listed(rest.get(..comments).unwrap_or_default());
            let code = rest.get(comments..).unwrap_or_default();
            let length = code.iter().position(|(_, token)| matches!(token, Token::Comment(_))).unwrap_or(code.len());
            let code = code.get(..length).unwrap_or_default();
            let (mut models, mut stages) = (Vec::new(), Vec::new());
            let mut major = None;
            for (index, (line, token)) in code.iter().enumerate() {
                let Token::Word(word) = token else { continue };
                let number = match (code.get(index + 1), code.get(index + 2)) {
                    (Some((_, Token::Sign('='))), Some((_, Token::Word(number)))) => number.parse::<u32>().ok(),
                    _ => None,
                };
                match (*word, number, code.get(index + 2)) {
                    ("major", Some(number), _) => major = Some(number),
                    ("minor", Some(minor), _) => models.extend(major.map(|major| Version { major, minor })),
                    ("SFLAG", _, Some((_, Token::Word(stage)))) => match stage.to_ascii_lowercase().parse() {
                        Ok(stage) => stages.push(stage),
                        Err(_) => self.notes.push(Note {
                            severity: Severity::Warning,
                            file: self.file.to_owned(),
                            line: Some(*line),
                            text: format!("stage `{stage}` is not known"),
                        }),
                    },
                    _ => {}
                }
            }
            for (table, index) in names {
                let slot = self.draft.slots.get_mut(table).and_then(|slots| slots.get_mut(index));
                let Some(slot) = slot else { continue };
                slot.stages.clone_from(&stages);
                // With translation comes first.
                (slot.translated, slot.model) = match models.as_slice() {
                    [translated, model] => (Some(*translated), *model),
                    [model] => (None, *model),
                    _ => (None, FIRST_MODEL),
                };
            }
            at += (comments + length).max(1);
        }
    }

    fn flags(&mut self) {
        for (name, flags) in FLAGS {
            let Some(section) = self.section(name) else { continue };
            let comments: Vec<_> =
                section.iter().filter(|(_, token)| matches!(token, Token::Comment(_))).cloned().collect();
            for (table, index) in self.listed(&comments) {
                if let Some(slot) = self.draft.slots.get_mut(table).and_then(|slots| slots.get_mut(index)) {
                    slot.flags.extend(flags);
                }
            }
        }
    }

    /// The slots that comments name as `Name=number`: table and index.
    fn listed(&mut self, comments: &[Placed<'_>]) -> Vec<(usize, usize)> {
        let mut out = Vec::new();
        for (line, token) in comments {
            let Token::Comment(text) = token else { continue };
            for word in text.split([' ', ',']) {
                let Some((name, number)) = word.split_once('=') else { continue };
                let Ok(number) = number.parse::<u32>() else { continue };
                let table = usize::from(number >> 16 != 0);
                let index = (number & 0xffff) as usize;
                match self.draft.slots.get(table).and_then(|slots| slots.get(index)) {
                    Some(slot) if slot.name == name => out.push((table, index)),
                    found => {
                        let found = found.map_or("no op", |slot| slot.name.as_str()).to_owned();
                        let text = format!("{name} has number {number}, which is {found} in the array");
                        self.note(Severity::Error, *line, text);
                    }
                }
            }
        }
        out
    }
}

/// The letters of masks: the scalars of each dimension, then its vectors.
fn of_masks(dimensions: usize, masks: &[u32]) -> Option<String> {
    const VECTOR: u32 = 1 << 10;
    if dimensions == 0 {
        return Some("v".to_owned());
    }
    let (scalars, vectors) = masks.split_at_checked(dimensions)?;
    if vectors.len() != dimensions {
        return None;
    }
    let letters = |mask: u32| -> String {
        LETTERS.iter().enumerate().filter(|(bit, _)| mask & 1 << bit != 0).map(|(_, (letter, _))| letter).collect()
    };
    let one = |(scalar, vector): (&u32, &u32)| {
        let vector = if scalar & VECTOR != 0 { format!("<{}", letters(*vector)) } else { String::new() };
        letters(*scalar) + &vector
    };
    Some(scalars.iter().zip(vectors).map(one).collect::<Vec<_>>().join(","))
}

/// Whether two texts have the same letters in each dimension, in any order.
fn same_letters(left: &str, right: &str) -> bool {
    let sets = |text: &str| {
        let (_, mut all) = overloads(text).ok()?;
        for overload in &mut all {
            overload.scalar.sort_unstable();
            overload.vector_of.sort_unstable();
        }
        Some(all)
    };
    sets(left).is_some_and(|left| Some(left) == sets(right))
}

/// Takes names of operands from the header.
fn name_operands(text: &Text, draft: &mut Draft, notes: &mut Vec<Note>) {
    let all = tokens(&text.text);
    let mut found: BTreeMap<&str, BTreeMap<usize, &str>> = BTreeMap::new();
    let mut op = None;
    for (at, (_, token)) in all.iter().enumerate() {
        let Token::Word(word) = token else { continue };
        let next = |by: usize| all.get(at + by).map(|(_, token)| token);
        if *word == "struct" {
            op = match next(1) {
                Some(Token::Word(name)) => name.strip_prefix("DxilInst_"),
                _ => None,
            };
        } else if let (Some(op), Some(name)) = (op, word.strip_prefix("arg_"))
            && next(1) == Some(&Token::Sign('='))
            && let Some(Token::Word(number)) = next(2)
            && let Ok(number) = number.parse()
        {
            found.entry(op).or_default().insert(number, name);
        }
    }
    for slot in draft.slots.iter_mut().flatten().filter(|slot| !slot.is_reserved()) {
        let names = found.get(slot.name.as_str());
        let count = names.map_or(0, BTreeMap::len);
        if count != slot.operands.len() {
            let why = format!("{}: {count} operands, but {} in DxilOperations.cpp", slot.name, slot.operands.len());
            notes.push(Note { severity: Severity::Error, file: text.name.clone(), line: None, text: why });
            continue;
        }
        for operand in &mut slot.operands {
            if let Some(name) = names.and_then(|names| names.get(&usize::from(operand.position))) {
                operand.name = (*name).to_owned();
            }
        }
    }
}
