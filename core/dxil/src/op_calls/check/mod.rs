//! The rules for calls of ops: the number is an op, the module may use the op, the callee matches.

use std::collections::{BTreeMap, BTreeSet};

use super::{OpCall, allows, before, earlier_name, stages_of, suffix};
use crate::container::DigestState;
use crate::findings::{self, Finding, ListingLine, Place, Rule};
use crate::module::{Module, Operand as IrOperand};
use crate::ops::{FeatureId, LAST_WITH_NODES, NoOp, Op, Opcode, ShaderKind, Version};
use lanescope_base::StageKind;
use lanescope_base::findings::SourceLine;

/// The minor number of the offline library target, which may hold anything and is not a preview.
const OFFLINE: u32 = 15;
/// The operand of barriers that says which memory they wait for.
const MEMORY_TYPES: &str = "MemoryTypeFlags";
/// Forms of experimental ops that hlsl-specs 0052 considers and does not choose.
const NOT_ADOPTED: [&str; 3] = ["dx.opx", "dx.create.extensionop", "dx.op.extension"];
/// Its flags of records: those that a node reads, and those that it writes.
const NODE_MEMORY: i64 = 4 | 8;

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
    /// Its line of the source, where the container has debug information.
    pub source: Option<SourceLine>,
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
            let place = found.place.map(|CallPlace { function, instruction, line, source }| Place::Call {
                function,
                instruction,
                line: line.map(|line| line.line),
                source,
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
                    NoOp::Private { .. } => findings::OP_PRIVATE,
                    NoOp::PastStable { .. } => findings::OP_UNDEFINED,
                    NoOp::PastExperimental { .. } => findings::OP_UNDEFINED_EXPERIMENTAL,
                    NoOp::Reserved { .. } => findings::OP_RESERVED,
                };
                self.raise(rule, at, error.to_string());
            }
            Some(Ok(op)) => {
                self.versions(call, op);
                self.work_graph(call, op);
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

    /// Ops and barriers of nodes in a model that has none.
    fn work_graph(&mut self, call: &OpCall<'_>, op: &Op) {
        let has_nodes = |model: &Version| *model <= LAST_WITH_NODES || model.minor == OFFLINE;
        let Some(model) = self.model().filter(|model| !has_nodes(model)) else { return };
        let name = &op.name;
        if op.stages == [ShaderKind::Node] {
            let message = format!("{name} is an op of work graphs, which shader model {model} does not have");
            return self.raise(findings::OP_OF_WORK_GRAPHS, Some(call), message);
        }
        let of_nodes = call.operands().find(|(name, _)| *name == Some(MEMORY_TYPES)).map(|(_, operand)| operand);
        let Some(IrOperand::Value(value)) = of_nodes else { return };
        let body = self.module.functions.get(call.function).and_then(|function| function.body.as_deref());
        if self.module.integer(body, value).is_some_and(|flags| flags & NODE_MEMORY != 0) {
            let message = format!("{name} waits for records of nodes, which shader model {model} does not have");
            self.raise(findings::OP_OF_WORK_GRAPHS, Some(call), message);
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
        self.not_adopted();
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

    /// Functions in the forms of proposals that no compiler follows.
    fn not_adopted(&mut self) {
        let tables = self.module.tables;
        for function in &self.module.functions {
            let name = self.module.function_name(function);
            let form = NOT_ADOPTED
                .iter()
                .find(|form| name == **form || name.strip_prefix(**form).is_some_and(|rest| rest.starts_with('.')));
            if let Some(form) = form.filter(|_| tables.by_callee(name).is_none()) {
                let message =
                    format!("callee {name} is in the form `{form}` of hlsl-specs 0052, a proposal not adopted");
                self.raise(findings::OP_NOT_ADOPTED, None, message);
            }
        }
    }

    fn model(&self) -> Option<Version> {
        self.facts.model.or(self.facts.header_model)
    }
}

#[cfg(test)]
mod next_tables;
#[cfg(test)]
mod tests;
