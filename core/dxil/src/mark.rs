//! Programs whose instructions mark where they come from, for a converter that drops debug information: before each
//! instruction of another source line stands a store of a number to a variable of its own. What the stores become shows
//! which instructions of the converter's output belong to the line.

use std::collections::BTreeMap;

use super::copy::{ATTACHMENT_BLOCK, CONSTANTS_BLOCK, Change, Copied, FUNCTION_BLOCK, METADATA_BLOCK, Record, changed};
use super::error::Fault;
use super::module::{Body, Constant, Instruction, Kind, Module, Type};
use super::source_lines::SourceLines;
use super::strip::{ATTACHMENT, DECLARE_BLOCKS, is_for_debuggers, without_debug_information};
use super::{Dxil, Program};
use lanescope_base::findings::SourceLine;

/// Records of constants: the type of those that follow, an integer.
const SET_TYPE: u64 = 1;
const INTEGER: u64 = 4;
/// Records of functions.
const ALLOCA: u64 = 19;
const STORE: u64 = 44;
/// The record of a value as metadata: type, value.
const VALUE: u64 = 2;
/// Alignment of four bytes as records have it, and that the type of an `alloca` is the one of its contents.
const ALIGN_4: u64 = 3;
const EXPLICIT: u64 = 1 << 6;
/// A call that states its function type.
const CALL_TYPE: u64 = 1 << 15;
/// The numbers that marks store: this one and those after it, or the next 2^24 after those in which the program has one.
const FIRST_MARK: u32 = 0x4d00_0000;
const RANGE: u32 = 1 << 24;

/// A program with marks.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Marked {
    /// The bitcode without debug information and with marks; it has no container.
    pub dxil: Dxil,
    /// The number that stands for no line. One more stands for the first of `lines`, and so on.
    pub first: u32,
    /// The lines.
    pub lines: Vec<SourceLine>,
}

impl Marked {
    /// The line that a number stands for: `Some(None)` where it stands for none, `None` where it is no mark.
    pub fn line(&self, number: u32) -> Option<Option<&SourceLine>> {
        match number.checked_sub(self.first)? {
            0 => Some(None),
            mark => self.lines.get(mark as usize - 1).map(Some),
        }
    }
}

/// Marks a program. `None` where no instruction has a location, where the debug information of functions is more than
/// what instructions say, or where the program has numbers everywhere that could be marks.
///
/// # Errors
/// Bitcode that cannot be read, though it could before.
pub fn marked(dxil: &Dxil, program: &Program) -> Result<Option<Marked>, Fault> {
    let mut lines = Vec::new();
    let places = places(&program.module, &mut lines);
    let Some(stripped) = without_debug_information(dxil, program)? else { return Ok(None) };
    let Some(plain) = stripped.program.as_ref().filter(|_| !lines.is_empty()) else { return Ok(None) };
    let module = &plain.module;
    let word = module.types.all().iter().position(|ty| *ty == Type::Integer(32));
    let (Some(word), Some(first)) = (word, free_numbers(module, lines.len())) else { return Ok(None) };
    let defined: Vec<(&Body, Vec<u32>)> = module.defined().map(|(_, body)| body).zip(places).collect();
    let marks: Vec<Function<'_>> =
        defined.into_iter().map(|(body, places)| Function::new(module, body, marks(body, &places))).collect();
    if !marks.iter().all(Function::is_in_order) {
        return Ok(None);
    }
    let mut change = Marks { module, word: word as u64, first, functions: marks.into_iter(), now: None };
    let dxil = changed(&stripped, plain, &mut change)?;
    Ok((dxil.program.is_some() && dxil.is_sound()).then_some(Marked { dxil, first, lines }))
}

/// For each function with a body, the number of the line of each instruction that is not for debuggers, 0 for none. The
/// lines are appended: the first one has number 1.
fn places(module: &Module, lines: &mut Vec<SourceLine>) -> Vec<Vec<u32>> {
    let source = SourceLines::of(module);
    let mut known: BTreeMap<&SourceLine, u32> = BTreeMap::new();
    let mut of_function = |index: usize, body: &Body| {
        let kept = body.instructions.iter().enumerate().filter(|(_, is)| !is_for_debuggers(module, is));
        let number = |(at, _): (usize, &Instruction)| {
            let Some(line) = source.line(index, at) else { return 0 };
            *known.entry(line).or_insert_with(|| {
                lines.push(line.clone());
                lines.len() as u32
            })
        };
        kept.map(number).collect()
    };
    let bodies =
        module.functions.iter().enumerate().filter_map(|(index, function)| Some((index, function.body.as_deref()?)));
    bodies.map(|(index, body)| of_function(index, body)).collect()
}

/// The first of numbers for so many lines that no constant of the program has.
fn free_numbers(module: &Module, lines: usize) -> Option<u32> {
    let used = |first: u32| {
        let is_taken = |constant: &Constant| match constant {
            Constant::Integer(number) => *number as u32 & !(RANGE - 1) == first,
            Constant::Data(numbers) => numbers.iter().any(|number| *number as u32 & !(RANGE - 1) == first),
            _ => false,
        };
        let of_functions = module.defined().flat_map(|(_, body)| &body.constants);
        module.constants.iter().chain(of_functions).any(is_taken)
    };
    let mut all = (FIRST_MARK..=0x7f00_0000).step_by(RANGE as usize);
    if lines < RANGE as usize { all.find(|first| !used(*first)) } else { None }
}

/// The number of the line that is to be marked before each instruction. A block that only joins others stays as it is.
fn marks(body: &Body, places: &[u32]) -> Vec<Option<u32>> {
    let mut out = vec![None; body.instructions.len()];
    for block in &body.blocks {
        let is_code =
            |is: &Instruction| !matches!(is.kind, Kind::Phi(_) | Kind::Alloca { .. }) && !is.kind.is_terminator();
        if !body.block(block).any(|(_, is)| is_code(is)) {
            continue;
        }
        let mut now = 0;
        for (index, is) in body.block(block).filter(|(_, is)| !matches!(is.kind, Kind::Phi(_) | Kind::Alloca { .. })) {
            let place = places.get(index).copied().unwrap_or(0);
            // The end of a block has the line of what is before it, unless it has its own.
            if place != now && !(place == 0 && is.kind.is_terminator()) {
                out[index] = Some(place);
                now = place;
            }
        }
    }
    out
}

/// A function, and its marks.
struct Function<'m> {
    body: &'m Body,
    marks: Vec<Option<u32>>,
    /// Lines that it marks, each once, in order: the places of their constants.
    own: BTreeMap<u32, u32>,
    /// The number of its first instruction's value.
    bound: u32,
    /// Instructions so far, and the number of the next value, before the change.
    at: usize,
    next: u32,
}

impl<'m> Function<'m> {
    fn new(module: &Module, body: &'m Body, marks: Vec<Option<u32>>) -> Function<'m> {
        let mut own = BTreeMap::new();
        marks.iter().flatten().for_each(|line| _ = own.insert(*line, 0));
        own.values_mut().zip(0..).for_each(|(place, at)| *place = at);
        let results = body.instructions.iter().filter(|is| is.result.is_some()).count();
        let bound = (module.values.len() + body.values.len() - results) as u32;
        Function { body, marks, own, bound, at: 0, next: bound }
    }

    /// Whether the values of its instructions come after all others.
    fn is_in_order(&self) -> bool {
        self.body.instructions.iter().filter_map(|is| is.result).all(|result| result.0 >= self.bound)
    }

    /// How many values come before those of its instructions: a constant for each line, the number 1, the variable.
    fn added(&self) -> u32 {
        self.own.len() as u32 + 2
    }

    fn one(&self) -> u32 {
        self.bound + self.own.len() as u32
    }

    fn variable(&self) -> u32 {
        self.one() + 1
    }

    /// A value's number after the change.
    fn moved(&self, value: u32) -> u32 {
        if value < self.bound { value } else { value.wrapping_add(self.added()) }
    }
}

struct Marks<'m> {
    module: &'m Module,
    /// The type of 32-bit integers.
    word: u64,
    first: u32,
    functions: std::vec::IntoIter<Function<'m>>,
    now: Option<Function<'m>>,
}

impl Marks<'_> {
    /// The constants of a function.
    fn constants(&self, function: &Function<'_>, out: &mut Copied) {
        out.record(SET_TYPE, &[self.word]);
        for line in function.own.keys() {
            out.record(INTEGER, &[u64::from(self.first + line) << 1]);
        }
        out.record(INTEGER, &[1 << 1]);
    }

    fn instruction(&self, function: &mut Function<'_>, record: &Record<'_>, out: &mut Copied) {
        if function.at == 0 {
            let one = u64::from(function.one());
            out.record(ALLOCA, &[self.word, self.word, one, ALIGN_4 | EXPLICIT]);
        }
        let mark = function.marks.get(function.at).copied().flatten();
        if let Some(place) = mark.and_then(|line| function.own.get(&line)) {
            let now = function.moved(function.next);
            let (pointer, value) = (now - function.variable(), now - (function.bound + place));
            out.record(STORE, &[pointer.into(), value.into(), ALIGN_4, 0]);
        }
        let mut operands = record.operands.to_vec();
        let is = function.body.instructions.get(function.at);
        Moved { module: self.module, function, operands: &mut operands, at: 0 }.all(record.code, is.map(|is| &is.kind));
        out.record(record.code, &operands);
        function.at += 1;
        function.next = is.and_then(|is| is.result).map_or(function.next, |result| result.0 + 1);
    }
}

impl Change for Marks<'_> {
    fn start(&mut self, block: u32) {
        if block == FUNCTION_BLOCK {
            self.now = self.functions.next();
        }
    }

    fn record(&mut self, block: u32, record: &Record<'_>, out: &mut Copied) {
        let Some(mut function) = self.now.take().filter(|function| !function.own.is_empty()) else {
            return out.record(record.code, record.operands);
        };
        match (block, record.code) {
            (FUNCTION_BLOCK, DECLARE_BLOCKS) => {
                out.record(record.code, record.operands);
                if function.body.constants.is_empty() {
                    out.open(CONSTANTS_BLOCK);
                    self.constants(&function, out);
                    out.close();
                }
            }
            (FUNCTION_BLOCK, _) => self.instruction(&mut function, record, out),
            (ATTACHMENT_BLOCK, ATTACHMENT) if record.operands.len() % 2 == 1 => {
                let mut operands = record.operands.to_vec();
                let index = operands[0] as usize;
                let marks = function.marks.get(..=index).unwrap_or_default().iter().flatten().count();
                operands[0] = operands[0].saturating_add(marks as u64 + 1);
                out.record(record.code, &operands);
            }
            (METADATA_BLOCK, VALUE) if record.operands.len() == 2 => {
                let value = u32::try_from(record.operands[1]).unwrap_or(u32::MAX);
                out.record(record.code, &[record.operands[0], function.moved(value).into()]);
            }
            _ => out.record(record.code, record.operands),
        }
        self.now = Some(function);
    }

    fn end(&mut self, block: u32, outer: Option<u32>, out: &mut Copied) {
        let Some(function) = self.now.take().filter(|function| !function.own.is_empty()) else { return };
        if (block, outer) == (CONSTANTS_BLOCK, Some(FUNCTION_BLOCK)) && !function.body.constants.is_empty() {
            self.constants(&function, out);
        }
        self.now = (block != FUNCTION_BLOCK).then_some(function);
    }
}

/// The operands of an instruction, whose relative numbers of values are made those after the change, in order.
struct Moved<'o, 'm> {
    module: &'o Module,
    function: &'o Function<'m>,
    operands: &'o mut [u64],
    at: usize,
}

impl Moved<'_, '_> {
    /// All operands of a record (LLVM 3.7, `BitcodeWriter`).
    fn all(&mut self, code: u64, is: Option<&Kind>) {
        match code {
            // Arithmetic, select, comparisons, insertelement, shufflevector, atomics.
            2 | 9 | 28 | 38 => self.pair(),
            5 => {
                self.pair();
                self.value();
            }
            7 | 8 | 29 => {
                self.pair();
                self.typed();
            }
            // Casts, returns, extractvalue, loads.
            3 | 10 | 20 | 26 | 41 => self.typed(),
            // GEP.
            4 | 30 | 43 => {
                self.at = if code == 43 { 2 } else { 0 };
                self.rest();
            }
            // Extractelement, insertvalue, stores.
            6 | 27 | 44 | 45 => {
                self.typed();
                self.typed();
            }
            24 => self.pair(),
            11 if self.operands.len() == 3 => {
                self.at = 2;
                self.value();
            }
            // Cases are numbered from the first value of all.
            12 => {
                self.at = 1;
                self.value();
                self.absolute(3, usize::MAX);
            }
            16 => self.phi(),
            ALLOCA => self.absolute(2, 1),
            34 => self.call(is),
            37 => {
                self.pair();
                self.value();
            }
            46 => {
                self.typed();
                self.pair();
            }
            _ => {}
        }
    }

    /// The value at an operand, and whether it comes later.
    fn value(&mut self) -> bool {
        let Some(operand) = self.operands.get_mut(self.at) else { return false };
        self.at += 1;
        let value = self.function.next.wrapping_sub(*operand as u32);
        if value < self.function.bound {
            *operand = (*operand).wrapping_add(self.function.added().into());
        }
        value >= self.function.next
    }

    /// A value whose type follows where it comes later.
    fn typed(&mut self) {
        let is_later = self.value();
        self.at += usize::from(is_later);
    }

    fn pair(&mut self) {
        self.typed();
        self.value();
    }

    fn rest(&mut self) {
        while self.at < self.operands.len() {
            self.typed();
        }
    }

    /// Every second operand from one on, at most so many, numbered from the first value of all.
    fn absolute(&mut self, from: usize, most: usize) {
        for operand in self.operands.iter_mut().skip(from).step_by(2).take(most) {
            *operand = self.function.moved(u32::try_from(*operand).unwrap_or(u32::MAX)).into();
        }
    }

    /// Signed numbers and blocks after the type.
    fn phi(&mut self) {
        for operand in self.operands.iter_mut().skip(1).step_by(2) {
            let distance = unrotated(*operand);
            let value = self.function.next.wrapping_sub(distance as u32);
            if value < self.function.bound {
                *operand = rotated(distance.wrapping_add(self.function.added().into()));
            }
        }
    }

    /// The callee, and the arguments that are values.
    fn call(&mut self, is: Option<&Kind>) {
        let has_type = self.operands.get(1).is_some_and(|flags| flags & CALL_TYPE != 0);
        self.at = 2 + usize::from(has_type);
        self.typed();
        let Some(Kind::Call(call)) = is else { return };
        let Some(Type::Function { parameters, .. }) = self.module.types.get(call.function_type) else { return };
        for parameter in parameters {
            match self.module.types.get(*parameter) {
                Some(Type::Label | Type::Metadata) => self.at += 1,
                _ => _ = self.value(),
            }
        }
        self.rest();
    }
}

fn unrotated(number: u64) -> i64 {
    let magnitude = (number >> 1) as i64;
    if number & 1 == 0 { magnitude } else { -magnitude }
}

fn rotated(number: i64) -> u64 {
    if number < 0 { number.unsigned_abs() << 1 | 1 } else { (number as u64) << 1 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{data, file, names};

    /// The lines of the instructions of a body with marks, and how many marks it has.
    fn found<'m>(marked: &'m Marked, body: &Body) -> (Vec<(String, Option<&'m SourceLine>)>, usize) {
        let module = &marked.dxil.program.as_ref().expect("a program").module;
        let (mut out, mut count, mut now) = (Vec::new(), 0, None);
        for block in &body.blocks {
            now = None;
            for (_, is) in body.block(block).skip(usize::from(block.first == 0)) {
                if let Kind::Store { value, .. } = is.kind
                    && let Some(line) = module.integer(Some(body), value).and_then(|number| marked.line(number as u32))
                {
                    (now, count) = (line, count + 1);
                    continue;
                }
                let kind = format!("{:?}", std::mem::discriminant(&is.kind));
                out.push((kind, now.filter(|_| !matches!(is.kind, Kind::Phi(_) | Kind::Alloca { .. }))));
            }
        }
        assert!(now.is_none() || count > 0);
        (out, count)
    }

    #[test]
    fn marks_stand_before_the_instructions_of_their_lines() {
        let samples = names().into_iter().map(|name| file(&name)).chain(["precise.cs.dxil", "array.ps.dxil"].map(data));
        let mut all = 0;
        for dxil in samples {
            for program in [&dxil.program, &dxil.debug].into_iter().flatten() {
                let source = SourceLines::of(&program.module);
                let Some(marked) = marked(&dxil, program).expect("reads") else {
                    assert!(source.is_empty());
                    continue;
                };
                let other = &marked.dxil.program.as_ref().expect("a program").module;
                let pairs = program.module.functions.iter().zip(&other.functions).enumerate();
                for (index, (function, other)) in pairs {
                    let (Some(body), Some(other)) = (&function.body, &other.body) else { continue };
                    let (instructions, count) = found(&marked, other);
                    let kept = body.instructions.iter().enumerate();
                    let kept = kept.filter(|(_, is)| !is_for_debuggers(&program.module, is));
                    let kept: Vec<_> = kept.map(|(at, is)| (at, &is.kind)).collect();
                    assert_eq!(kept.len(), instructions.len());
                    for ((at, is), (kind, line)) in kept.into_iter().zip(instructions) {
                        assert_eq!(format!("{:?}", std::mem::discriminant(is)), kind);
                        let own = source.line(index, at);
                        // Blocks that only join others have no marks.
                        assert!(line == own || line.is_none() || own.is_none(), "{at}: {line:?}, {own:?}");
                        all += usize::from(line.is_some() && line == own);
                    }
                    assert!(count > 0);
                }
            }
        }
        assert!(all > 30, "{all}");
    }

    #[test]
    fn numbers_of_the_program_are_no_marks() {
        let mut dxil = data("precise.cs.dxil");
        let program = dxil.debug.as_mut().expect("debug information");
        assert_eq!(free_numbers(&program.module, 5), Some(FIRST_MARK));
        program.module.constants.push(Constant::Integer((FIRST_MARK + 7).into()));
        assert_eq!(free_numbers(&program.module, 5), Some(FIRST_MARK + RANGE));
        assert_eq!(free_numbers(&program.module, RANGE as usize), None);
    }

    #[test]
    fn rotated_numbers_are_those_of_records() {
        for number in [0, 1, -1, 5, -300, i64::from(i32::MAX), -i64::from(i32::MAX)] {
            assert_eq!(unrotated(rotated(number)), number);
        }
    }
}
