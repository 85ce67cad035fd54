//! The rules for calls of ops: the number is an op, the module may use the op, the callee matches.

use std::collections::{BTreeMap, BTreeSet};

use super::{OpCall, allows, before, earlier_name, stages_of, suffix};
use crate::container::DigestState;
use crate::findings::{self, Finding, ListingLine, Place, Rule};
use crate::module::Module;
use crate::ops::{FeatureId, NoOp, Op, Opcode, ShaderKind, Version};
use lanescope_base::StageKind;

/// The minor number of the offline library target, which may hold anything and is not a preview.
const OFFLINE: u32 = 15;

/// Facts about the shader from the rest of the container.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facts {
    /// The program's kind.
    pub kind: ShaderKind,
    /// The shader model in `dx.shaderModel`.
    pub model: Option<Version>,
    /// The shader model in the program header.
    pub header_model: Option<Version>,
    /// `dx.version`.
    pub dxil: Option<Version>,
    /// `dx.valver`: 0.0 where the module is not meant to be validated.
    pub validator: Option<Version>,
    /// State of the container's digest; absent for a module without container.
    pub digest: Option<DigestState>,
    /// A library's entry points: index of the function, and the kind.
    pub entries: Vec<(usize, ShaderKind)>,
    /// Whether the reflection data has tables that only previews write.
    pub experimental_rdat: bool,
}

/// The location of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallPlace {
    /// The function.
    pub function: String,
    /// The index of the call's instruction in the function.
    pub instruction: usize,
    /// Its line of the disassembly.
    pub line: Option<ListingLine>,
}

/// Checks every call. `place` gives the location of a call.
///
/// Calls that break one rule in the same words are one finding, at the first of them.
pub fn check(
    module: &Module,
    calls: &[OpCall<'_>],
    facts: &Facts,
    place: &dyn Fn(&OpCall<'_>) -> CallPlace,
) -> Vec<Finding> {
    let mut checker = Checker { module, facts, place, found: Vec::new(), known: BTreeMap::new() };
    let stages = stages_of(module, facts.kind, &facts.entries);
    for call in calls {
        checker.call(call, stages.get(call.function));
    }
    checker.whole(calls);
    checker.finish()
}

/// The stage of a finding about one kind of shader.
pub fn stage_kind(kind: ShaderKind) -> Option<StageKind> {
    Some(match kind {
        ShaderKind::Pixel => StageKind::Fragment,
        ShaderKind::Vertex => StageKind::Vertex,
        ShaderKind::Geometry => StageKind::Geometry,
        ShaderKind::Hull => StageKind::TessControl,
        ShaderKind::Domain => StageKind::TessEval,
        ShaderKind::Compute => StageKind::Compute,
        ShaderKind::RayGeneration => StageKind::RayGeneration,
        ShaderKind::Intersection => StageKind::Intersection,
        ShaderKind::AnyHit => StageKind::AnyHit,
        ShaderKind::ClosestHit => StageKind::ClosestHit,
        ShaderKind::Miss => StageKind::Miss,
        ShaderKind::Callable => StageKind::Callable,
        ShaderKind::Mesh => StageKind::Mesh,
        ShaderKind::Amplification => StageKind::Task,
        ShaderKind::Library | ShaderKind::Node => return None,
    })
}

/// A broken rule: where it was met first, with which message, and how often.
struct Found {
    rule: &'static Rule,
    place: Option<CallPlace>,
    message: String,
    count: u32,
}

struct Checker<'c> {
    module: &'c Module,
    facts: &'c Facts,
    place: &'c dyn Fn(&OpCall<'_>) -> CallPlace,
    found: Vec<Found>,
    /// The index in `found` of a rule and its message.
    known: BTreeMap<(&'static str, String), usize>,
}

impl Checker<'_> {
    fn raise(&mut self, rule: &'static Rule, call: Option<&OpCall<'_>>, message: String) {
        let at = *self.known.entry((rule.code, message.clone())).or_insert(self.found.len());
        match self.found.get_mut(at) {
            Some(found) => found.count = found.count.saturating_add(1),
            None => self.found.push(Found { rule, place: call.map(self.place), message, count: 1 }),
        }
    }

    fn finish(self) -> Vec<Finding> {
        let stage = stage_kind(self.facts.kind);
        let finding = |found: Found| {
            let line = found.place.as_ref().and_then(|place| place.line);
            let more = found.count.saturating_sub(1);
            let place = found.place.map(|CallPlace { function, instruction, line }| Place::Call {
                function,
                instruction,
                line: line.map(|line| line.line),
                more,
            });
            Finding { line, ..found.rule.at(stage, place, found.message) }
        };
        self.found.into_iter().map(finding).collect()
    }

    fn call(&mut self, call: &OpCall<'_>, stages: Option<&BTreeSet<ShaderKind>>) {
        let at = Some(call);
        match &call.op {
            None => self.raise(findings::OP_NOT_CONSTANT, at, "dx.op call without a constant opcode".to_owned()),
            Some(Err(error)) => {
                let rule = match error {
                    NoOp::Invalid => findings::OP_INVALID,
                    NoOp::Feature { .. } => findings::OP_FEATURE,
                    NoOp::PastStable { .. } => findings::OP_UNDEFINED,
                    NoOp::PastExperimental { .. } => findings::OP_UNDEFINED_EXPERIMENTAL,
                    NoOp::Reserved { .. } => findings::OP_RESERVED,
                };
                self.raise(rule, at, error.to_string());
            }
            Some(Ok(op)) => {
                self.versions(call, op);
                if op.is_experimental() {
                    self.experimental(call, op);
                }
                for stage in stages.into_iter().flatten().filter(|stage| !op.allowed_in(**stage)) {
                    self.raise(findings::OP_STAGE, at, format!("{} is not available in {stage} shaders", op.name));
                }
                self.callee(call, op);
            }
        }
    }

    fn versions(&mut self, call: &OpCall<'_>, op: &Op) {
        if let (Some(needed), Some(has)) = (op.dxil_version, self.facts.dxil)
            && has < needed
        {
            let message =
                format!("opcode {} ({}) needs DXIL {needed}, but the module declares {has}", op.opcode, op.name);
            self.raise(findings::OP_NEEDS_DXIL, Some(call), message);
        }
        if let (Some(needed), Some(has)) = (op.since, self.model())
            && has < needed
        {
            let message = format!("{} needs shader model {needed}, but the module is for {has}", op.name);
            self.raise(findings::OP_NEEDS_MODEL, Some(call), message);
        }
    }

    fn experimental(&mut self, call: &OpCall<'_>, op: &Op) {
        let name = &op.name;
        if let Some(model) = self.model().filter(|model| !self.module.tables.is_preview(*model)) {
            let minor = if model.minor == OFFLINE { "x".to_owned() } else { model.minor.to_string() };
            let message = format!("experimental op {name} in shader model {}.{minor}", model.major);
            self.raise(findings::OP_EXPERIMENTAL_RELEASED, Some(call), message);
        }
        let (rule, what) = match self.facts.digest {
            None | Some(DigestState::Preview | DigestState::Absent) => return,
            Some(DigestState::Valid) => (findings::OP_EXPERIMENTAL_SIGNED, "in a container signed as final"),
            Some(DigestState::Debug) => (findings::OP_EXPERIMENTAL_SIGNED, "in a container signed as final (debug)"),
            Some(DigestState::Wrong) => (findings::OP_NOT_PREVIEW, "in a container not marked preview"),
            Some(DigestState::Missing) => {
                (findings::OP_UNSIGNED, "in an unsigned container, which runtimes treat as a preview only for now")
            }
            Some(DigestState::Bypass) => {
                (findings::OP_UNSIGNED, "in a container marked bypass, which is for released shader models only")
            }
        };
        self.raise(rule, Some(call), format!("experimental op {name} {what}"));
    }

    fn callee(&mut self, call: &OpCall<'_>, op: &'static Op) {
        let at = Some(call);
        let database = self.module.tables.database().source.short();
        if let Some((name, until)) = earlier_name(op, call.callee) {
            let message = format!(
                "name and callee of {} are those before {} ({name}, {}); the table is from {database}",
                op.name,
                before(until),
                call.callee
            );
            return self.raise(findings::OP_OPERANDS, at, message);
        }
        let served = call.served();
        if !served.is_some_and(|served| served.ops.contains(&op)) {
            let (number, class) = (op.opcode.shown(), &op.class);
            // Names of experimental ops change in place: a name of no op may be that of another compiler.
            if op.is_experimental() && served.is_none() {
                let message = format!(
                    "callee {} is of no op, opcode {number} is {} (class {class}); the table is from {database}",
                    call.callee, op.name
                );
                return self.raise(findings::OP_OPERANDS, at, message);
            }
            let message =
                format!("callee {} is not the function of opcode {number} {} (class {class})", call.callee, op.name);
            return self.raise(findings::OP_CALLEE, at, message);
        }
        let Some(fit) = &call.fit else { return };
        if fit.operands.is_none() {
            let ty = self.module.types.name(call.call.function_type);
            let message = format!("operand list of {} differs: {ty}; the table is from {database}", op.name);
            return self.raise(findings::OP_OPERANDS, at, message);
        }
        if let Some(until) = fit.until {
            let before = before(until);
            let message =
                format!("operand list of {} is the one before {before}; the table is from {database}", op.name);
            self.raise(findings::OP_OPERANDS, at, message);
        }
        let types = &self.module.types;
        let mut spelt = Some(Vec::new());
        let mut refused = Vec::new();
        for (overload, ty) in op.overloads.iter().zip(fit.overloads) {
            let Some(ty) = ty else { return };
            if !allows(overload, types, ty) {
                refused.push(types.name(ty));
            }
            spelt = spelt.and_then(|mut all| {
                all.push(suffix(types, ty)?);
                Some(all)
            });
        }
        for name in &refused {
            self.raise(findings::OP_OVERLOAD, at, format!("overload {name} is not allowed for {}", op.name));
        }
        if let Some(spelt) = spelt.map(|all| all.join(".")).filter(|_| refused.is_empty())
            && spelt != call.overload().unwrap_or_default()
        {
            let message = format!("type of callee {} has overload `{spelt}`", call.callee);
            self.raise(findings::OP_OVERLOAD, at, message);
        }
    }

    /// Findings that are reported once per module.
    fn whole(&mut self, calls: &[OpCall<'_>]) {
        let opcodes = || calls.iter().filter_map(|call| call.opcode);
        let experimental = || calls.iter().filter_map(OpCall::op).filter(|op| op.is_experimental());
        let any = experimental().next().is_some();
        if self.facts.digest == Some(DigestState::Preview) && !any {
            self.raise(findings::PREVIEW_UNUSED, None, "preview shader model without experimental ops".to_owned());
        }
        if let (Some(header), Some(metadata)) = (self.facts.header_model, self.facts.model)
            && self.module.tables.is_preview(header) != self.module.tables.is_preview(metadata)
        {
            let message = format!(
                "preview state is ambiguous: model {header} in the program header, {metadata} in dx.shaderModel"
            );
            self.raise(findings::PREVIEW_AMBIGUOUS, None, message);
        }
        // The offline target has them in each version, and a module that is not meant to be validated.
        let is_validated = self.facts.validator != Some(Version { major: 0, minor: 0 });
        let tables = self.module.tables;
        let is_released = |model: &Version| !tables.is_preview(*model) && model.minor != OFFLINE && is_validated;
        if let Some(model) = self.model().filter(|model| self.facts.experimental_rdat && is_released(model)) {
            let message = format!("experimental reflection data in shader model {model}");
            self.raise(findings::RDAT_EXPERIMENTAL, None, message);
        }
        if any {
            let distinct: BTreeSet<Opcode> = experimental().map(|op| op.opcode).collect();
            let features: BTreeSet<FeatureId> = opcodes().map(Opcode::feature).collect();
            let features: Vec<String> = features.iter().map(FeatureId::to_string).collect();
            let message = format!(
                "{} experimental calls, {} distinct ops, FeatureIDs used: {}",
                experimental().count(),
                distinct.len(),
                features.join(", ")
            );
            self.raise(findings::OP_SUMMARY, None, message);
        }
    }

    fn model(&self) -> Option<Version> {
        self.facts.model.or(self.facts.header_model)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::module::{Call, Constant, Kind, Operand, Type, ValueKind};
    use crate::op_calls::calls;
    use crate::ops::{Tables, op};
    use crate::testing::rewrite::{SYMBOLS, rewritten};
    use crate::testing::{modules, sample};

    /// A compute shader of the given model, signed as such a model is.
    fn facts(model: &str) -> Facts {
        let model: Version = model.parse().expect("a version");
        Facts {
            kind: ShaderKind::Compute,
            model: Some(model),
            header_model: Some(model),
            dxil: Some(Version { major: 1, minor: model.minor }),
            validator: Some(Version { major: 1, minor: model.minor }),
            digest: Some(if Tables::bundled().is_preview(model) { DigestState::Preview } else { DigestState::Valid }),
            entries: Vec::new(),
            experimental_rdat: false,
        }
    }

    /// Codes with messages, without the summary.
    fn check_all(module: &Module, facts: &Facts) -> Vec<(String, String)> {
        let place = |call: &OpCall<'_>| CallPlace {
            function: call.function.to_string(),
            instruction: call.instruction,
            line: None,
        };
        let found = check(module, &calls(module), facts, &place);
        found.into_iter().map(|finding| (finding.code, finding.message)).filter(|(code, _)| code != "X20").collect()
    }

    /// A sample with the number of the first call of an op replaced.
    fn renumbered(name: &str, old: u32, new: i64) -> Module {
        let mut module = sample(name);
        let (function, argument) = {
            let all = calls(&module);
            let call = all.iter().find(|call| call.opcode == Some(Opcode(old))).expect("the op is called");
            let first = match call.call.arguments[0] {
                Operand::Value(id) => id,
                _ => unreachable!("an opcode is a value"),
            };
            (call.function, first)
        };
        let shared = module.values.len() as u32;
        let ValueKind::Constant(index) =
            module.value(module.functions[function].body.as_deref(), argument).expect("there").kind
        else {
            unreachable!("an opcode is a constant")
        };
        let body = module.functions[function].body.as_mut().expect("defined");
        let constants = if argument.0 < shared { &mut module.constants } else { &mut body.constants };
        constants[index as usize] = Constant::Integer(new);
        module
    }

    /// Changes every call, by its callee's name.
    fn each_call(module: &mut Module, mut change: impl FnMut(&str, &mut Call)) {
        let names = module.names.clone();
        for function in &mut module.functions {
            for is in function.body.iter_mut().flat_map(|body| &mut body.instructions) {
                if let Kind::Call(call) = &mut is.kind {
                    change(names.of(call.callee.0), call);
                }
            }
        }
    }

    #[track_caller]
    fn only(module: &Module, facts: &Facts, code: &str, words: &str) {
        let found = check_all(module, facts);
        assert!(!found.is_empty(), "nothing was found");
        assert!(found.iter().any(|(c, m)| c == code && m.contains(words)), "{found:?}");
    }

    #[test]
    fn distinguishes_numbers_that_are_not_ops() {
        let release = facts("6.6");
        // 96 is FlattenedThreadIdInGroup.
        for (new, code, words) in [
            (0x8001_0000u32 as i32, "X02", "0x8001"),
            (0x0001_0004, "X02", "0x0001"),
            (-1, "X03", "invalid value"),
            (312, "X04", "ends at 311"),
            (0x8000_0023u32 as i32, "X05", "newer compiler"),
            (230, "X06", "preview"),
            (0x8000_0020u32 as i32, "X06", "hole"),
        ] {
            only(&renumbered("experimental_ops.cs.dxil", 96, new.into()), &release, code, words);
        }
        // The same numbers as the bitcode's unsigned 32 bits.
        only(&renumbered("experimental_ops.cs.dxil", 96, 0xffff_ffff), &release, "X03", "invalid value");
    }

    #[test]
    fn requires_opcode_to_be_constant_i32() {
        let mut module = sample("experimental_ops.cs.dxil");
        each_call(&mut module, |_, call| call.arguments.clear());
        only(&module, &facts("6.10"), "X01", "without a constant");
        let undefined = {
            let mut module = renumbered("experimental_ops.cs.dxil", 96, 0);
            for constant in module.functions.iter_mut().filter_map(|f| f.body.as_mut()).flat_map(|b| &mut b.constants) {
                *constant = Constant::Undef;
            }
            module.constants.iter_mut().for_each(|constant| *constant = Constant::Undef);
            module
        };
        only(&undefined, &facts("6.10"), "X01", "without a constant");
    }

    #[test]
    fn requires_model_and_version_of_op() {
        let module = sample("quad_derivatives.cs.dxil");
        assert_eq!(check_all(&module, &facts("6.6")), []);
        let old = Facts { dxil: "1.5".parse().ok(), ..facts("6.5") };
        only(&module, &old, "X14", "AnnotateHandle needs shader model 6.6, but the module is for 6.5");
        only(&module, &old, "X07", "opcode 216 (AnnotateHandle) needs DXIL 1.6");
        let vectors = op(Opcode(311)).expect("FDot");
        assert_eq!((vectors.min_shader_model, vectors.since), ("6.0".parse().ok(), "6.9".parse().ok()));
    }

    #[test]
    fn experimental_ops_need_a_marked_preview() {
        let module = sample("experimental_ops.cs.dxil");
        assert_eq!(check_all(&module, &facts("6.10")), []);
        let with = |digest| Facts { digest: Some(digest), ..facts("6.10") };
        only(&module, &facts("6.9"), "X08", "GetGroupWaveIndex in shader model 6.9");
        only(&module, &facts("6.15"), "X08", "in shader model 6.x");
        only(&module, &facts("6.9"), "X14", "needs shader model 6.10");
        only(&module, &with(DigestState::Valid), "X09", "signed as final");
        only(&module, &with(DigestState::Debug), "X09", "signed as final (debug)");
        only(&module, &with(DigestState::Wrong), "X10", "not marked preview");
        only(&module, &with(DigestState::Missing), "X11", "unsigned");
        only(&module, &with(DigestState::Bypass), "X11", "bypass");
        only(&sample("prefix_sum.cs.dxil"), &with(DigestState::Preview), "X12", "without experimental ops");
        let both = Facts { header_model: "6.9".parse().ok(), ..facts("6.10") };
        only(&module, &both, "X13", "6.9 in the program header, 6.10 in dx.shaderModel");
        let rdat = Facts { experimental_rdat: true, ..facts("6.9") };
        only(&sample("prefix_sum.cs.dxil"), &rdat, "X19", "shader model 6.9");
        let unvalidated = Facts { validator: "0.0".parse().ok(), ..rdat };
        assert_eq!(check_all(&sample("prefix_sum.cs.dxil"), &unvalidated), []);
        let place = |_: &OpCall<'_>| CallPlace { function: String::new(), instruction: 0, line: None };
        let found = check(&module, &calls(&module), &facts("6.10"), &place);
        assert_eq!((found[0].code.as_str(), found.len()), ("X20", 1));
        assert_eq!(found[0].message, "2 experimental calls, 2 distinct ops, FeatureIDs used: 0x0000, 0x8000");
    }

    #[test]
    fn rejects_ops_in_other_stages() {
        let module = sample("experimental_ops.cs.dxil");
        let pixel = Facts { kind: ShaderKind::Pixel, ..facts("6.10") };
        only(&module, &pixel, "X15", "GetGroupWaveIndex is not available in pixel shaders");
        let library = sample("preview_hits.lib.dxil");
        let hits = Facts { kind: ShaderKind::Library, ..facts("6.10") };
        let of = |kind| {
            let all = (0..library.functions.len()).map(|index| (index, kind)).collect();
            Facts { entries: all, ..hits.clone() }
        };
        only(&library, &of(ShaderKind::Callable), "X15", "ClusterID is not available in callable shaders");
        let closest = check_all(&library, &of(ShaderKind::ClosestHit));
        assert!(closest.iter().all(|(_, message)| !message.starts_with("ClusterID")), "{closest:?}");
        // What no entry reaches is the library's.
        assert!(check_all(&library, &hits).iter().all(|(_, message)| !message.starts_with("ClusterID")));
    }

    #[test]
    fn checks_name_and_type_of_callee() {
        let preview = facts("6.10");
        // GroupIndex as ThreadIdInGroup, which has a component.
        only(
            &renumbered("experimental_ops.cs.dxil", 96, 95),
            &preview,
            "X16",
            "is not the function of opcode 95 ThreadIdInGroup",
        );
        // An op of floats as one of integers.
        only(
            &renumbered("tessellated_patch.ps.dxil", 36, 37),
            &facts("6.9"),
            "X17",
            "overload float is not allowed for IMax",
        );
        let mut module = sample("lit_surface.ps.dxil");
        let integers = module.functions.iter().find(|function| module.function_name(function) == "dx.op.loadInput.i32");
        let integers = integers.expect("declared").value;
        each_call(&mut module, |name, call| {
            if name == "dx.op.loadInput.f32" {
                call.callee = integers;
            }
        });
        only(&module, &facts("6.9"), "X17", "type of callee dx.op.loadInput.i32 has overload `f32`");
    }

    #[test]
    fn distinguishes_operand_lists_by_callee_type() {
        let shortened = |last: usize| {
            let mut module = sample("preview_matrix.cs.dxil");
            let mut types = module.types.clone();
            each_call(&mut module, |name, call| {
                if name.starts_with("dx.op.linAlgMatrixStoreToDescriptor") {
                    let Some(Type::Function { vararg, result, parameters }) = types.get(call.function_type).cloned()
                    else {
                        unreachable!("a call has a function's type")
                    };
                    let parameters = parameters[..parameters.len() - last].into();
                    call.function_type = types.intern(Type::Function { vararg, result, parameters });
                    call.arguments = call.arguments[..call.arguments.len() - last].into();
                }
            });
            module.types = types;
            module
        };
        let names = |module: &Module| -> Vec<Option<&str>> {
            let all = calls(module);
            let store = all.iter().find(|call| call.callee.contains("StoreToDescriptor")).expect("is called");
            store.operands().map(|(name, _)| name).collect()
        };
        let today = ["matrix", "handle", "offset", "stride", "layout", "align"].map(Some);
        assert_eq!(names(&shortened(0)), today);
        assert_eq!(names(&shortened(1)), today[..5]);
        assert_eq!(names(&shortened(2)), [None; 4]);
        let preview = facts("6.10");
        assert_eq!(check_all(&shortened(0), &preview), []);
        let words = "LinAlgMatrixStoreToDescriptor is the one before March 2026; the table is from 9a3e225da";
        only(&shortened(1), &preview, "X18", words);
        only(&shortened(2), &preview, "X18", "operand list of LinAlgMatrixStoreToDescriptor differs: void (i32, ");
    }

    #[test]
    fn samples_follow_the_rules() {
        for (name, module) in modules() {
            let preview = name.contains("preview") || name.contains("experimental");
            let found = check_all(&module, &facts(if preview { "6.10" } else { "6.9" }));
            // Stages need the facts of each sample, which are not read here.
            let found: Vec<_> = found.into_iter().filter(|(code, _)| code != "X15").collect();
            assert_eq!(found, [], "{name}");
        }
    }

    /// What is found in a shader whose callee of op 34 has another name.
    fn with_callee(new: &[u8]) -> (String, String) {
        let file = rewritten("preview_debugging.cs.dxil", |block, _| {
            let old = b"dx.op.isDebuggingEnabled";
            let mut renamed = 0;
            for symbols in block.blocks(SYMBOLS) {
                for (_, operands) in symbols.records() {
                    let name: Vec<u8> = operands.iter().skip(1).map(|letter| *letter as u8).collect();
                    if name == old {
                        operands.truncate(1);
                        operands.extend(new.iter().map(|letter| u64::from(*letter)));
                        renamed += 1;
                    }
                }
            }
            assert_eq!(renamed, 1);
        });
        let dxil = crate::Dxil::read(file).expect("is a container");
        let found = check_all(&dxil.program.expect("a program").module, &facts("6.10"));
        let [only] = found.as_slice() else { panic!("{found:?}") };
        only.clone()
    }

    /// The public preview of shader model 6.10 has another name for op 34, and another order in op 31.
    #[test]
    fn forms_of_the_public_preview_are_notes() {
        let (code, message) = with_callee(b"dx.op.isDebuggerPresent");
        assert_eq!(code, "X18");
        let words = "name and callee of IsDebuggingEnabled are those before July 2026, as in the 1.10.2605 preview \
                     (IsDebuggerPresent, dx.op.isDebuggerPresent)";
        assert!(message.starts_with(words), "{message}");
        // A name of no op is that of a compiler which is not known; one of another op is wrong.
        let (code, message) = with_callee(b"dx.op.isDebuggerHere");
        assert_eq!(code, "X18");
        let words = "callee dx.op.isDebuggerHere is of no op, opcode 0x80000022 (-2147483614) is IsDebuggingEnabled";
        assert!(message.starts_with(words), "{message}");
        assert_eq!(with_callee(b"dx.op.waveIsFirstLane").0, "X16");
        // A callee of no op is none of these.
        assert_eq!(earlier_name(op(Opcode(0x8000_0022)).expect("is there"), "dx.op.isDebugging"), None);
        assert_eq!(earlier_name(op(Opcode(34)).expect("is there"), "dx.op.isDebuggerPresent"), None);
    }

    #[test]
    fn nodes_have_no_ops_of_models_without_nodes() {
        for (number, in_node, in_compute) in
            [(0x8000_0001, false, true), (0x8000_0021, false, true), (247, true, false), (96, true, true)]
        {
            let op = op(Opcode(number)).expect("is there");
            let allowed = [ShaderKind::Node, ShaderKind::Compute].map(|stage| op.allowed_in(stage));
            assert_eq!(allowed, [in_node, in_compute], "{}", op.name);
        }
    }
}
