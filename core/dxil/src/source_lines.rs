//! The lines of the source that instructions come from: debug information as LLVM 3.7 writes it.

use std::collections::BTreeMap;

use super::Dxil;
use super::module::{Body, DebugLocation, Instruction, Kind, Metadata, MetadataId, Module, NodeKind};
use super::strip::is_for_debuggers;
use lanescope_base::findings::SourceLine;

/// Nodes by their record's code.
const FILE: u32 = 16;
const SUBPROGRAM: u32 = 21;
const LEXICAL_BLOCK: u32 = 22;
const LEXICAL_BLOCK_FILE: u32 = 23;
/// Where a scope has the one around it, and a file its name: one more than the number of a node.
const SCOPE: usize = 1;
const NAME: usize = 1;
/// The most scopes around one.
const MAX_DEPTH: usize = 64;

/// The lines of a program's instructions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SourceLines {
    /// Lines, each once. Line and column, as they are in the source.
    places: Vec<(SourceLine, u32)>,
    /// By function: the place of each instruction, from 1; 0 where it has none.
    of: BTreeMap<usize, Vec<u32>>,
}

impl Dxil {
    /// The lines of the program's instructions: those that they have, else those of the program with debug information
    /// beside it, where that has the same instructions.
    pub fn source_lines(&self) -> SourceLines {
        let Some(program) = &self.program else { return SourceLines::default() };
        let own = SourceLines::of(&program.module);
        match self.debug_program().filter(|_| own.is_empty()) {
            Some(debug) => SourceLines::of(&debug.module).of_same(&debug.module, &program.module),
            None => own,
        }
    }
}

impl SourceLines {
    /// The lines that a module's instructions have.
    pub fn of(module: &Module) -> SourceLines {
        let mut files = Files { metadata: &module.metadata, known: BTreeMap::new() };
        let mut known: BTreeMap<DebugLocation, u32> = BTreeMap::new();
        let mut out = SourceLines::default();
        for (index, function) in module.functions.iter().enumerate() {
            let Some(body) = &function.body else { continue };
            let mut place = |is: &Instruction| {
                let Some(location) = is.location.and_then(|at| body.locations.get(at as usize)) else { return 0 };
                *known.entry(*location).or_insert_with(|| match files.of(location) {
                    Some(file) => {
                        out.places.push((SourceLine { file, line: location.line }, location.column));
                        out.places.len() as u32
                    }
                    None => 0,
                })
            };
            let places: Vec<u32> = body.instructions.iter().map(&mut place).collect();
            if places.iter().any(|place| *place > 0) {
                out.of.insert(index, places);
            }
        }
        out
    }

    /// Whether no instruction has one.
    pub fn is_empty(&self) -> bool {
        self.of.is_empty()
    }

    /// The line of an instruction of a function, both by index.
    pub fn line(&self, function: usize, instruction: usize) -> Option<&SourceLine> {
        self.place(function, instruction).map(|(line, _)| line)
    }

    /// The line of an instruction, and the column, from 1, or 0 where it is not known.
    pub fn place(&self, function: usize, instruction: usize) -> Option<&(SourceLine, u32)> {
        let place = *self.of.get(&function)?.get(instruction)?;
        self.places.get(place.checked_sub(1)? as usize)
    }

    /// The lines for another module that has the same instructions without those for debuggers; none for functions in
    /// which they differ.
    fn of_same(self, from: &Module, to: &Module) -> SourceLines {
        let named = |module: &'_ Module, name: &str| {
            module.functions.iter().position(|function| module.function_name(function) == name)
        };
        let mut of = BTreeMap::new();
        for (index, places) in &self.of {
            let Some(function) = from.functions.get(*index) else { continue };
            let Some(other) = named(to, from.function_name(function)) else { continue };
            let bodies = [Some(function), to.functions.get(other)]
                .map(|function| function.and_then(|function| function.body.as_deref()));
            let [Some(body), Some(other_body)] = bodies else { continue };
            let kept = body.instructions.iter().zip(places).filter(|(is, _)| !is_for_debuggers(from, is));
            let (instructions, places): (Vec<&Instruction>, Vec<u32>) = kept.map(|(is, place)| (is, *place)).unzip();
            let same = instructions.len() == other_body.instructions.len()
                && (instructions.into_iter().zip(&other_body.instructions))
                    .all(|(a, b)| are_alike((from, body, a), (to, other_body, b)));
            if same {
                of.insert(other, places);
            }
        }
        SourceLines { places: self.places, of }
    }
}

/// Whether two instructions of modules whose values and types may be numbered otherwise do the same: operation, blocks,
/// constant integers, callee.
fn are_alike(a: (&Module, &Body, &Instruction), b: (&Module, &Body, &Instruction)) -> bool {
    let operation = |kind: &Kind| match kind {
        Kind::Binary { op, .. } => Some(op.to_string()),
        Kind::Cast { op, .. } => Some(op.to_string()),
        Kind::Compare { predicate, .. } => Some(predicate.name().to_owned()),
        _ => None,
    };
    let blocks = |kind: &Kind| {
        let mut out = Vec::new();
        kind.blocks(|block| out.push(block));
        out
    };
    // Numbers that are constants, among them which op a call is of.
    let integers = |(module, body, is): (&Module, &Body, &Instruction)| {
        let mut out = Vec::new();
        is.kind.values(|value| out.push(module.integer(Some(body), value)));
        out
    };
    let callee = |(module, _, is): (&Module, &Body, &Instruction)| match &is.kind {
        Kind::Call(call) => module.function(call.callee).map(|function| module.function_name(function).to_owned()),
        _ => None,
    };
    let (first, second) = (&a.2.kind, &b.2.kind);
    std::mem::discriminant(first) == std::mem::discriminant(second)
        && a.2.result.is_some() == b.2.result.is_some()
        && operation(first) == operation(second)
        && blocks(first) == blocks(second)
        && integers(a) == integers(b)
        && callee(a) == callee(b)
}

/// The files that scopes are in, each looked up once.
struct Files<'m> {
    metadata: &'m Metadata,
    known: BTreeMap<MetadataId, Option<String>>,
}

impl Files<'_> {
    /// The name of the file of a location that has a line.
    fn of(&mut self, location: &DebugLocation) -> Option<String> {
        let scope = location.scope.filter(|_| location.line > 0)?;
        self.known.entry(scope).or_insert_with(|| file_of(self.metadata, scope)).clone()
    }
}

fn file_of(metadata: &Metadata, mut scope: MetadataId) -> Option<String> {
    for _ in 0..MAX_DEPTH {
        let NodeKind::Debug(code) = metadata.node(scope)?.kind else { return None };
        let numbers = metadata.numbers(scope)?;
        let node = |at: usize| {
            let id = numbers.get(at)?.checked_sub(1)?;
            u32::try_from(id).ok().map(MetadataId)
        };
        let file = match code {
            FILE => return metadata.text(node(NAME)?),
            SUBPROGRAM => node(4),
            LEXICAL_BLOCK | LEXICAL_BLOCK_FILE => node(2),
            _ => return None,
        };
        scope = file.or_else(|| node(SCOPE))?;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::module::BinaryOp;
    use crate::testing::data;

    #[test]
    fn a_program_has_the_lines_of_the_one_with_debug_information() {
        let dxil = data("precise.cs.dxil");
        let (program, debug) = (dxil.program.as_ref().expect("a program"), dxil.debug.as_ref().expect("another"));
        assert!(SourceLines::of(&program.module).is_empty());
        let (lines, of_debug) = (dxil.source_lines(), SourceLines::of(&debug.module));
        let (_, body) = program.module.defined().next().expect("a function");
        let index = program.module.functions.iter().position(|function| function.body.is_some()).expect("a function");
        let of = |op: BinaryOp| {
            let all = body.instructions.iter().enumerate();
            let all = all.filter(move |(_, is)| matches!(is.kind, Kind::Binary { op: own, .. } if own == op));
            all.filter_map(|(at, _)| lines.line(index, at)).map(|line| line.line).collect::<Vec<_>>()
        };
        assert_eq!(of(BinaryOp::FMul), [15, 8]);
        assert_eq!(of(BinaryOp::FSub), [17]);
        assert!(lines.line(index, 0).is_some_and(|line| line.file.ends_with("precise.hlsl")));
        let all = |lines: &SourceLines| lines.of.values().flatten().filter(|place| **place > 0).count();
        assert_eq!(all(&lines), all(&of_debug) - debugger_calls(&debug.module));
        // Where an instruction differs, nothing is known of its function.
        let mut other = program.module.clone();
        let body = other.functions[index].body.as_mut().expect("a body");
        body.instructions.iter_mut().for_each(|is| {
            if let Kind::Binary { op: op @ BinaryOp::FSub, .. } = &mut is.kind {
                *op = BinaryOp::FAdd;
            }
        });
        assert!(of_debug.of_same(&debug.module, &other).is_empty());
    }

    fn debugger_calls(module: &Module) -> usize {
        let all = module.defined().flat_map(|(_, body)| &body.instructions);
        all.filter(|is| is_for_debuggers(module, is) && is.location.is_some()).count()
    }
}
