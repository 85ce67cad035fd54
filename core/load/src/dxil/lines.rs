//! Source lines of converted modules.
//!
//! The converter drops them. It converts the program once more with marks ([`Marked`]), and where that gives the same
//! instructions but for the marks, those after a mark have its line.

use std::collections::{BTreeMap, BTreeSet};

use crate::LoadOptions;
use lanescope_base::ids::Id;
use lanescope_dxil::Dxil;
use lanescope_dxil::mark::{Marked, marked};
use lanescope_dxil::source_lines::SourceLines;
use lanescope_spirv::enums::{Op, StorageClass};
use lanescope_spirv::{Inst, Lines, Module, SourceLine};

/// The program of a container with marks of its source lines, which the files have the names of that the container keeps.
/// `None` where no instruction has a line, `Some(None)` where they cannot be marked, or are not to be.
pub(super) fn marked_source(dxil: &Dxil, wanted: &LoadOptions) -> Option<Option<Marked>> {
    let private = dxil.private.as_deref();
    let own = [&dxil.debug, &dxil.program].into_iter().flatten().map(|program| (dxil, program));
    let of_private = private.into_iter().flat_map(|private| {
        [&private.debug, &private.program].into_iter().flatten().map(move |program| (private, program))
    });
    let (of, program) = own.chain(of_private).find(|(_, program)| !SourceLines::of(&program.module).is_empty())?;
    if wanted.without_lines {
        return Some(None);
    }
    let Ok(Some(mut marked)) = marked(of, program) else { return Some(None) };
    for line in &mut marked.lines {
        if let Some(name) = of.source_named(&line.file).or_else(|| dxil.source_named(&line.file)) {
            line.file = name;
        }
    }
    Some(Some(marked))
}

/// The lines of a module, by the one that was converted with marks; `None` where their instructions differ.
pub(super) fn lines(plain: &Module, with_marks: &Module, marked: &Marked) -> Option<Lines> {
    let marks = Marks::new(with_marks, marked);
    let mut others = functions(with_marks);
    let mut same = Same { plain, other: with_marks, to: BTreeMap::new(), from: BTreeMap::new(), open: Vec::new() };
    let mut now: Option<&SourceLine> = None;
    let mut found = Vec::new();
    for inst in functions(plain) {
        let other = loop {
            let other = others.next()?;
            match marks.line(&other) {
                Some(line) => now = line,
                None if marks.is_variable(&other) => {}
                None => break other,
            }
        };
        if !same.pair(&inst, &other) {
            return None;
        }
        found.push((inst.index, now));
        if inst.is_terminator() || inst.op() == Some(Op::FunctionEnd) {
            now = None;
        }
    }
    let is_end = others.all(|other| marks.line(&other).is_some() || marks.is_variable(&other));
    (is_end && same.definitions()).then(|| Lines::given(found))
}

/// The instructions of all functions.
fn functions(module: &Module) -> impl Iterator<Item = Inst<'_>> {
    module.insts().skip_while(|inst| inst.op() != Some(Op::Function))
}

/// What of a module's functions are marks.
struct Marks<'m> {
    module: &'m Module,
    marked: &'m Marked,
    /// Variables that a mark is stored to.
    variables: BTreeSet<Id>,
}

impl<'m> Marks<'m> {
    fn new(module: &'m Module, marked: &'m Marked) -> Marks<'m> {
        let mut out = Marks { module, marked, variables: BTreeSet::new() };
        let stored = functions(module).filter(|inst| out.line(inst).is_some()).map(|inst| inst.id_at(1));
        out.variables = stored.collect();
        out
    }

    /// The line that a mark stands for, or `None` where an instruction is no mark.
    fn line(&self, inst: &Inst<'_>) -> Option<Option<&'m SourceLine>> {
        let to = self.module.def(inst.id_at(1)).filter(|_| inst.op() == Some(Op::Store))?;
        let is_own = to.op() == Some(Op::Variable) && to.word_at(3) == StorageClass::Function as u32;
        let number = self.module.constant(inst.id_at(2)).filter(|_| is_own)?.as_u32()?;
        self.marked.line(number)
    }

    fn is_variable(&self, inst: &Inst<'_>) -> bool {
        inst.op() == Some(Op::Variable) && inst.result().is_some_and(|id| self.variables.contains(&id))
    }
}

/// Two modules, and which id of one is which of the other.
struct Same<'m> {
    plain: &'m Module,
    other: &'m Module,
    to: BTreeMap<Id, Id>,
    from: BTreeMap<Id, Id>,
    /// Pairs whose definitions are to be compared.
    open: Vec<(Id, Id)>,
}

impl Same<'_> {
    /// Whether two instructions are the same but for the numbers of ids.
    fn pair(&mut self, inst: &Inst<'_>, other: &Inst<'_>) -> bool {
        if inst.words.first() != other.words.first() {
            return false;
        }
        let Some(ids) = ids(self.plain, inst) else { return false };
        let mut ids = ids.into_iter().peekable();
        for (at, (word, found)) in inst.words.iter().zip(other.words).enumerate() {
            let is_id = ids.next_if_eq(&at).is_some();
            let agree = if is_id { self.ids(Id(*word), Id(*found)) } else { word == found };
            if !agree {
                return false;
            }
        }
        true
    }

    fn ids(&mut self, id: Id, other: Id) -> bool {
        match (self.to.get(&id), self.from.get(&other)) {
            (None, None) => {
                self.to.insert(id, other);
                self.from.insert(other, id);
                self.open.push((id, other));
                true
            }
            (to, from) => to == Some(&other) && from == Some(&id),
        }
    }

    /// Whether what the functions use is the same too: types, constants, variables.
    fn definitions(&mut self) -> bool {
        while let Some((id, other)) = self.open.pop() {
            let same = match (self.plain.def(id), self.other.def(other)) {
                (Some(inst), Some(found)) => self.pair(&inst, &found),
                (inst, found) => inst.is_none() && found.is_none(),
            };
            if !same {
                return false;
            }
        }
        true
    }
}

/// The words of an instruction that are ids, in order; `None` where that is not known.
fn ids(module: &Module, inst: &Inst<'_>) -> Option<Vec<usize>> {
    let mut ids: Vec<usize> = Vec::new();
    module.for_each_id_place(inst, |at| ids.push(at)).ok()?;
    let result = inst.result().map(|_| 1 + usize::from(inst.result_type().is_some()));
    ids.extend(result);
    ids.sort_unstable();
    ids.dedup();
    Some(ids)
}
