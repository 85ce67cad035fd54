//! Which inputs addresses and branches may depend on: where values flow from and to, whichever branch is taken.

use std::collections::{BTreeMap, BTreeSet};

use lanescope_base::ids::Id;
use lanescope_spirv::enums::{Op, StorageClass};
use lanescope_spirv::opcode::{Control, Facts, ImageUse};
use lanescope_spirv::{EntryPoint, Inst, Module, Roots};

/// What accesses of an entry point depend on, by variable of a descriptor or of push constants.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Depends {
    /// The instructions whose addresses may depend on the contents of the variable.
    pub addresses: BTreeMap<Id, BTreeSet<u32>>,
    /// Variables whose contents branches may depend on.
    pub branches: BTreeSet<Id>,
}

/// More turns than any shader of a known compiler takes.
const MAX_TURNS: usize = 64;

/// Follows values through an entry point. Absent where they were followed for too long.
pub(crate) fn depends(module: &Module, entry: &EntryPoint) -> Option<Depends> {
    let insts: Vec<Inst<'_>> =
        module.reachable(entry).into_iter().flat_map(|function| module.insts_in(function.insts.clone())).collect();
    let mut flow =
        Flow { module, values: BTreeMap::new(), contents: BTreeMap::new(), roots: Roots::of_entry(module, entry) };
    for inst in module.globals().filter(|inst| inst.op() == Some(Op::Variable)) {
        flow.roots_of(inst.result());
    }
    for _ in 0..MAX_TURNS {
        let mut changed = false;
        for inst in &insts {
            changed |= flow.visit(inst);
        }
        if !changed {
            return Some(flow.found(&insts));
        }
    }
    None
}

type Sources = BTreeSet<Id>;

struct Flow<'m> {
    module: &'m Module,
    /// By id of a value: what it depends on; of a pointer, what its address depends on.
    values: BTreeMap<Id, Sources>,
    /// By variable that the program writes: what its contents depend on.
    contents: BTreeMap<Id, Sources>,
    roots: Roots<'m>,
}

impl Flow<'_> {
    fn roots_of(&mut self, variable: Option<Id>) {
        if let Some(variable) = variable {
            self.contents.entry(variable).or_default();
        }
    }

    /// The variables that a pointer, or the handle of an image, may lead to.
    fn roots(&self, pointer: Id) -> BTreeSet<Id> {
        self.roots.of(pointer).variables
    }

    fn class(&self, variable: Id) -> Option<StorageClass> {
        let inst = self.module.def(variable).filter(|inst| inst.op() == Some(Op::Variable))?;
        StorageClass::from_u32(inst.word_at(3))
    }

    fn of(&self, id: Id) -> Sources {
        self.values.get(&id).cloned().unwrap_or_default()
    }

    /// What a read through a pointer depends on.
    fn read(&self, pointer: Id) -> Sources {
        let mut out = self.of(pointer);
        for root in self.roots(pointer) {
            match self.class(root) {
                Some(StorageClass::Uniform | StorageClass::StorageBuffer | StorageClass::PushConstant) => {
                    out.insert(root);
                }
                // A handle: what is read through it is added where it is read.
                Some(StorageClass::UniformConstant | StorageClass::Input) => {}
                _ => out.extend(self.contents.get(&root).into_iter().flatten().copied()),
            }
        }
        out
    }

    fn add(&mut self, id: Option<Id>, sources: Sources) -> bool {
        let Some(id) = id.filter(|_| !sources.is_empty()) else { return false };
        let known = self.values.entry(id).or_default();
        let before = known.len();
        known.extend(sources);
        known.len() != before
    }

    /// Follows an instruction once; whether anything is new.
    fn visit(&mut self, inst: &Inst<'_>) -> bool {
        let facts = inst.facts();
        let result = inst.result();
        match inst.op() {
            Some(Op::Variable) => {
                self.roots_of(result);
                false
            }
            Some(Op::Load) => self.add(result, self.read(inst.id_at(3))),
            Some(Op::FunctionCall) => self.call(inst),
            Some(Op::ImageTexelPointer) => {
                let sources = self.uses(inst, |id| id != inst.id_at(3));
                self.add(result, sources)
            }
            _ if facts.written_pointer().is_some() || facts.is_atomic() => {
                let Some(at) = facts.written_pointer().or(facts.atomic_pointer()) else { return false };
                let pointer = inst.id_at(at);
                let written = self.uses(inst, |id| id != pointer);
                let mut changed = false;
                for root in self.roots(pointer) {
                    let known = self.contents.entry(root).or_default();
                    let before = known.len();
                    known.extend(written.iter().copied());
                    known.extend(self.values.get(&pointer).into_iter().flatten().copied());
                    changed |= known.len() != before;
                }
                let of_result = if facts.is_atomic() { self.read(pointer) } else { Sources::new() };
                self.add(result, of_result) || changed
            }
            _ => {
                let mut sources = self.uses(inst, |_| true);
                if reads_texels(facts) {
                    sources.extend(self.roots(inst.id_at(3)));
                }
                self.add(result, sources)
            }
        }
    }

    /// What the operands depend on that are wanted.
    fn uses(&self, inst: &Inst<'_>, wanted: impl Fn(Id) -> bool) -> Sources {
        let mut out = Sources::new();
        self.module.for_each_possible_id(inst, |id| {
            if wanted(id) {
                out.extend(self.values.get(&id).into_iter().flatten().copied());
            }
        });
        out
    }

    fn call(&mut self, inst: &Inst<'_>) -> bool {
        let callee = inst.id_at(3);
        let Some(function) = self.module.function(callee) else { return false };
        let body: Vec<Inst<'_>> = self.module.insts_in(function.insts.clone()).collect();
        let parameters = body.iter().filter(|inst| inst.op() == Some(Op::FunctionParameter)).map(Inst::result);
        let mut changed = false;
        for (parameter, &argument) in parameters.zip(inst.words_from(4)) {
            let Some(parameter) = parameter else { continue };
            changed |= self.add(Some(parameter), self.of(Id(argument)));
        }
        let returned = body.iter().filter(|inst| inst.op() == Some(Op::ReturnValue));
        let returned = returned.flat_map(|inst| self.of(inst.id_at(1))).collect();
        self.add(inst.result(), returned) || changed
    }

    /// What addresses and branches depend on, at the end.
    fn found(&self, insts: &[Inst<'_>]) -> Depends {
        let mut out = Depends::default();
        for inst in insts {
            if inst.facts().control == Control::Branch {
                out.branches.extend(self.uses(inst, |_| true));
            }
            for source in self.address(inst) {
                out.addresses.entry(source).or_default().insert(inst.index.0);
            }
        }
        out
    }

    /// What the address of an access depends on; nothing where it is not one.
    fn address(&self, inst: &Inst<'_>) -> Sources {
        let facts = inst.facts();
        let pointer = match inst.op() {
            Some(Op::Load) => Some(3),
            _ => facts.written_pointer().or(facts.atomic_pointer()),
        };
        let is_own = |root: &Id| {
            matches!(self.class(*root), Some(StorageClass::Function | StorageClass::Private | StorageClass::Input))
        };
        match (pointer, facts.image) {
            (Some(at), _) => {
                let pointer = inst.id_at(at);
                let roots = self.roots(pointer);
                let counts = roots.is_empty() || !roots.iter().all(is_own);
                if counts { self.of(pointer) } else { Sources::new() }
            }
            (None, _) if reads_texels(facts) => self.uses(inst, |_| true),
            (None, Some(ImageUse::Write)) => self.of(inst.id_at(2)),
            _ => Sources::new(),
        }
    }
}

/// Whether an instruction's result is made of texels.
fn reads_texels(facts: &Facts) -> bool {
    facts.takes_image_first() && facts.image != Some(ImageUse::Pointer)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanescope_testing::program;

    /// Names of what addresses depend on, and of what branches do.
    fn of(body: &str) -> [Vec<String>; 2] {
        let source = format!(
            "layout(local_size_x = 8) in; layout(binding = 0) readonly buffer Index {{ uint at[]; }} index;
             layout(binding = 1) buffer Data {{ uint u[]; }} data; layout(binding = 2, r32ui) uniform uimage2D image;
             layout(push_constant) uniform Push {{ uint width; }} push; shared uint kept[64];
             uint next(uint x) {{ return x * 2u; }}
             void main() {{ uint i = gl_GlobalInvocationID.x; {body} }}"
        );
        let program = program(&[("comp", &source)]);
        let module = &program.modules[0].module;
        let found = depends(module, &module.entry_points()[0]).expect("few instructions");
        let name = |id: &Id| module.name(*id).unwrap_or_default().to_owned();
        [found.addresses.keys().map(name).collect(), found.branches.iter().map(name).collect()]
    }

    /// Each turn follows one more of the copies, which are in reverse order.
    #[test]
    fn says_where_values_were_not_followed_to_the_end() {
        let copies = |count: usize| {
            let declared: Vec<String> = (0..=count).map(|at| format!("a{at} = 0u")).collect();
            let copied: String = (0..count).rev().map(|at| format!("a{} = a{at};", at + 1)).collect();
            let source = format!(
                "layout(local_size_x = 8) in; layout(binding = 0) buffer Data {{ uint u[]; }} data;
                 void main() {{ uint {}; {copied} a0 = data.u[0]; data.u[a{count}] = 1u; }}",
                declared.join(", ")
            );
            let program = program(&[("comp", &source)]);
            let module = &program.modules[0].module;
            depends(module, &module.entry_points()[0]).map(|found| found.addresses.len())
        };
        assert_eq!([copies(10), copies(2 * MAX_TURNS)], [Some(1), None]);
    }

    #[test]
    fn addresses_depend_on_what_they_are_made_of() {
        for (body, addresses, branches) in [
            ("data.u[i] = index.at[i];", &[][..], &[][..]),
            ("data.u[index.at[i]] = 1u;", &["index"], &[]),
            ("data.u[i * push.width] = 1u;", &["push"], &[]),
            ("data.u[i] = data.u[next(index.at[i])];", &["index"], &[]),
            ("uint at = i; at += index.at[0]; data.u[at] = 1u;", &["index"], &[]),
            ("kept[i] = index.at[i]; barrier(); data.u[kept[0]] = 1u;", &["index"], &[]),
            ("if (i < push.width) data.u[i] = 1u;", &[], &["push"]),
            ("for (uint n = 0u; n < index.at[i]; ++n) data.u[n] = 1u;", &[], &["index"]),
            ("imageStore(image, ivec2(imageLoad(image, ivec2(i, 0)).x), uvec4(push.width));", &["image"], &[]),
            ("data.u[atomicAdd(data.u[0], 1u)] = 1u;", &["data"], &[]),
        ] {
            let all = |names: &[&str]| -> Vec<String> { names.iter().map(|&name| name.to_owned()).collect() };
            let expected = [all(addresses), all(branches)];
            let mut found = of(body);
            found.iter_mut().for_each(|names| names.sort());
            assert_eq!(found, expected, "{body}");
        }
    }
}
