//! Entry points, their execution modes, and the functions they reach.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::enums::{ExecutionMode, ExecutionModel, Op, StorageClass};
use super::module::{Inst, Module};
use lanescope_base::StageKind;
use lanescope_base::ids::Id;

/// An entry point.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryPoint {
    /// Its stage; absent for kernels and models that are not shaders.
    pub stage: Option<StageKind>,
    /// The execution model's number.
    pub model: u32,
    /// Its function.
    pub function: Id,
    /// Its name as text: see [`entry_name`].
    pub name: String,
    /// The bytes of its name, as the module has them: what a driver compares with. No zero.
    pub name_bytes: Vec<u8>,
    /// The variables of its interface.
    pub interface: Vec<Id>,
    /// Its execution modes, with their operands (literals, or ids for the modes that take ids).
    pub modes: Vec<(u32, Vec<u32>)>,
}

impl EntryPoint {
    /// The operands of an execution mode, if it is set.
    pub fn mode(&self, mode: ExecutionMode) -> Option<&[u32]> {
        self.modes.iter().find(|(m, _)| *m == mode as u32).map(|(_, operands)| operands.as_slice())
    }
}

/// A function: its id and the instructions from `OpFunction` to `OpFunctionEnd`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Function {
    /// Its id.
    pub id: Id,
    /// Indices of its instructions, both ends included.
    pub insts: std::ops::Range<u32>,
}

fn stage(model: u32) -> Option<StageKind> {
    Some(match ExecutionModel::from_u32(model)? {
        ExecutionModel::Vertex => StageKind::Vertex,
        ExecutionModel::TessellationControl => StageKind::TessControl,
        ExecutionModel::TessellationEvaluation => StageKind::TessEval,
        ExecutionModel::Geometry => StageKind::Geometry,
        ExecutionModel::Fragment => StageKind::Fragment,
        ExecutionModel::GLCompute => StageKind::Compute,
        ExecutionModel::TaskEXT | ExecutionModel::TaskNV => StageKind::Task,
        ExecutionModel::MeshEXT | ExecutionModel::MeshNV => StageKind::Mesh,
        ExecutionModel::RayGenerationKHR => StageKind::RayGeneration,
        ExecutionModel::IntersectionKHR => StageKind::Intersection,
        ExecutionModel::AnyHitKHR => StageKind::AnyHit,
        ExecutionModel::ClosestHitKHR => StageKind::ClosestHit,
        ExecutionModel::MissKHR => StageKind::Miss,
        ExecutionModel::CallableKHR => StageKind::Callable,
        ExecutionModel::Kernel => return None,
    })
}

pub(super) fn functions(module: &Module) -> Vec<Function> {
    let mut out: Vec<Function> = Vec::new();
    let mut open: Option<(Id, u32)> = None;
    for inst in module.insts_in(module.globals().len() as u32..module.len() as u32) {
        if inst.op() == Some(Op::Function) {
            open = inst.result().map(|id| (id, inst.index.0));
        } else if inst.op() == Some(Op::FunctionEnd)
            && let Some((id, start)) = open.take()
        {
            out.push(Function { id, insts: start..inst.index.0 + 1 });
        }
    }
    out
}

/// The name of an entry point as text: a byte that is not UTF-8 is `\xff`. Different names stay different, so a backslash
/// is two in names with such a byte or the text of one.
pub fn entry_name(bytes: &[u8]) -> String {
    if let Some(text) = std::str::from_utf8(bytes).ok().filter(|text| !text.contains("\\x")) {
        return text.to_owned();
    }
    let mut text = String::new();
    for chunk in bytes.utf8_chunks() {
        text.push_str(&chunk.valid().replace('\\', "\\\\"));
        for byte in chunk.invalid() {
            // Writing to a string does not fail.
            let _ = write!(text, "\\x{byte:02x}");
        }
    }
    text
}

pub(super) fn entry_points(module: &Module) -> Vec<EntryPoint> {
    let mut out: Vec<EntryPoint> = Vec::new();
    // By function: the entry points that it is. Each execution mode is looked up, since a module may have many of both.
    let mut by_function: BTreeMap<Id, Vec<usize>> = BTreeMap::new();
    for inst in module.globals() {
        match inst.op() {
            Some(Op::EntryPoint) => {
                let (name_bytes, len) = inst.bytes_at(3);
                by_function.entry(inst.id_at(2)).or_default().push(out.len());
                out.push(EntryPoint {
                    stage: stage(inst.word_at(1)),
                    model: inst.word_at(1),
                    function: inst.id_at(2),
                    name: entry_name(&name_bytes),
                    name_bytes,
                    interface: inst.words_from(3 + len).iter().map(|&id| Id(id)).collect(),
                    modes: Vec::new(),
                });
            }
            Some(Op::ExecutionMode | Op::ExecutionModeId) => {
                for &at in by_function.get(&inst.id_at(1)).into_iter().flatten() {
                    out[at].modes.push((inst.word_at(2), inst.words_from(3).to_vec()));
                }
            }
            _ => {}
        }
    }
    out
}

impl Module {
    /// The entry points, in module order.
    pub fn entry_points(&self) -> &[EntryPoint] {
        &self.entry_points
    }

    /// The functions, in module order.
    pub fn functions(&self) -> &[Function] {
        &self.functions
    }

    /// The function of an id.
    pub fn function(&self, id: Id) -> Option<&Function> {
        let start = self.def(id)?.index.0;
        let at = self.functions.binary_search_by_key(&start, |function| function.insts.start).ok()?;
        self.functions.get(at)
    }

    /// The functions that an entry point can call, itself included, each once, in module order.
    pub fn reachable(&self, entry: &EntryPoint) -> Vec<&Function> {
        let mut seen = BTreeSet::from([entry.function]);
        let mut work = vec![entry.function];
        while let Some(id) = work.pop() {
            let Some(function) = self.function(id) else { continue };
            for inst in self.insts_in(function.insts.clone()) {
                if inst.op() == Some(Op::FunctionCall) && seen.insert(inst.id_at(3)) {
                    work.push(inst.id_at(3));
                }
            }
        }
        // Looked up, not searched for: a module may have thousands of entry points.
        let mut out: Vec<&Function> = seen.into_iter().filter_map(|id| self.function(id)).collect();
        out.sort_by_key(|function| function.insts.start);
        out
    }

    /// The ids that an entry point uses: those that the instructions of its functions name, and the outputs of its
    /// interface with an initializer, which have that value without being named. Where the grammar cannot place an
    /// operand any word may be an id, except that of an input or an output of another interface.
    pub fn ids_used_by(&self, entry: &EntryPoint) -> BTreeSet<Id> {
        let (mut used, mut unplaced) = (BTreeSet::new(), BTreeSet::new());
        for function in self.reachable(entry) {
            for inst in self.insts_in(function.insts.clone()) {
                if self.for_each_id_used(&inst, |id| _ = used.insert(id)).is_err() {
                    unplaced.extend(inst.words_from(1).iter().map(|&word| Id(word)));
                }
            }
        }
        let is =
            |inst: &Inst<'_>, class: StorageClass| inst.op() == Some(Op::Variable) && inst.word_at(3) == class as u32;
        let of_interface = |inst: Inst<'_>| is(&inst, StorageClass::Input) || is(&inst, StorageClass::Output);
        let interface: BTreeSet<Id> = entry.interface.iter().copied().collect();
        used.extend(unplaced.iter().filter(|id| interface.contains(id) || !self.def(**id).is_some_and(of_interface)));
        let is_initialized = |inst: Inst<'_>| is(&inst, StorageClass::Output) && inst.words.len() > 4;
        used.extend(entry.interface.iter().copied().filter(|id| self.def(*id).is_some_and(is_initialized)));
        used
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_keep_bytes_that_are_not_utf8() {
        assert_eq!(entry_name(b"gr\xf6n \xc3\xbc\xff"), "gr\\xf6n \u{fc}\\xff");
        let names: [&[u8]; 7] = [b"\xff", b"\\xff", b"\\\xff", b"\\\\xff", b"\\\\\\xff", b"\\\\\xff", b"\\\\\\\\xff"];
        let texts: BTreeSet<String> = names.iter().map(|name| entry_name(name)).collect();
        assert_eq!(texts.len(), names.len(), "{texts:?}");
        assert_eq!((entry_name(b"a\\b"), entry_name(b"a\\xff")), ("a\\b".to_owned(), "a\\\\xff".to_owned()));
        let [first, second] = [*b"a\xff\xfe\xfd", *b"b\0\0\0"].map(u32::from_le_bytes);
        let words = vec![0x0723_0203, 0x0001_0300, 0, 9, 0, 5 << 16 | Op::EntryPoint as u32, 5, 2, first, second];
        let module = Module::parse(words).expect("a module");
        let entry = &module.entry_points()[0];
        assert_eq!((entry.name.as_str(), &entry.name_bytes[..]), ("a\\xff\\xfe\\xfdb", &b"a\xff\xfe\xfdb"[..]));
    }

    /// A chain of many functions, each of which calls the next: each is looked up, not searched for.
    #[test]
    fn follows_calls_in_linear_time() {
        const COUNT: u32 = 60_000;
        let (void, ty, first) = (1, 2, 3);
        let mut words =
            vec![0x0723_0203, 0x0001_0300, 0, first + 2 * COUNT, 0, 0x0002_0013, void, 0x0003_0021, ty, void];
        for at in 0..COUNT {
            words.extend([0x0005_0036, void, first + at, 0, ty]);
            if at + 1 < COUNT {
                words.extend([0x0004_0039, void, first + COUNT + at, first + at + 1]);
            }
            words.push(0x0001_0038);
        }
        let module = Module::parse(words).expect("a module");
        let (model, name) = (ExecutionModel::GLCompute as u32, String::new());
        let entry = EntryPoint {
            stage: stage(model),
            model,
            function: Id(first),
            name,
            name_bytes: vec![],
            interface: vec![],
            modes: vec![],
        };
        assert_eq!(module.reachable(&entry).len(), COUNT as usize);
        assert_eq!(module.function(Id(first + 1)).map(|function| function.id), Some(Id(first + 1)));
        assert_eq!(module.function(Id(void)), None);
    }
}
