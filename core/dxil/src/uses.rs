//! The ops that a container's program calls, for the report.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use crate::disassemble::{Disassembly, Namer, disassemble};
use crate::file::{Dxil, Program};
use crate::findings::{Finding, ListingLine};
use crate::metadata::{Dx, Resources};
use crate::module::Operand;
use crate::names;
use crate::op_calls::{CallPlace, Facts, OpCall, calls, check};
use crate::ops::{FeatureId, Opcode, ShaderKind, TableKind, Tables, Version, meaning};
use crate::rdat::Rdat;
use crate::source_lines::SourceLines;

/// Op tables that were read from a file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct TableUsed {
    /// The file.
    pub file: String,
    /// The newest shader model that is released, as the tables have it.
    pub released_shader_model: Version,
    /// The newest shader model in the tables.
    pub highest_shader_model: Version,
    /// Slots of the stable table.
    pub stable: usize,
    /// Slots of the experimental table.
    pub experimental: usize,
    /// What was not understood in the file, and rules that the tables break.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty", default))]
    pub remarks: Vec<String>,
}

impl TableUsed {
    /// What is said of tables; nothing of those of this build, also where names of private ops were added.
    pub fn of(tables: Tables) -> Option<TableUsed> {
        let source = &tables.database().source;
        source.file.is_some().then(|| TableUsed {
            file: source.short(),
            released_shader_model: source.released_shader_model,
            highest_shader_model: source.highest_shader_model,
            stable: tables.table(TableKind::Stable).ops.len(),
            experimental: tables.table(TableKind::Experimental).ops.len(),
            remarks: source.remarks.clone(),
        })
    }
}

/// One op that is called, or a number that is none.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct OpUse {
    /// The number in the call's first operand, unsigned; absent where that is not a constant.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub opcode: Option<Opcode>,
    /// The number in eight hexadecimal digits.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub hex: Option<String>,
    /// The FeatureID: `0x8000`.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub feature: Option<String>,
    /// Its table; absent for a FeatureID that has none.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub table: Option<TableKind>,
    /// Its name; absent where no op has the number.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub name: Option<String>,
    /// Its class; absent where no op has the number.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub class: Option<String>,
    /// The shader model that brought it.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub since: Option<Version>,
    /// Number of calls.
    pub count: usize,
    /// Locations of the calls.
    pub sites: Vec<Site>,
}

/// One call.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Site {
    /// The function that it is in.
    pub function: String,
    /// Its index among the function's instructions.
    pub instruction: usize,
    /// Its line in the disassembly, from 1.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub line: Option<u32>,
    /// The overloads, as the callee's name says.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub overload: Option<String>,
    /// The operands after the opcode.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty", default))]
    pub operands: Vec<SiteOperand>,
    /// When the operand list that fits was replaced; absent for the one of the op table.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub operands_before: Option<String>,
}

/// One operand of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct SiteOperand {
    /// Its name; absent where no known operand list fits.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub name: Option<String>,
    /// A constant, or the value's name in the disassembly: `%3`.
    pub value: String,
    /// Meaning of the number, for a kind or a set of flags: `sync_thread_group|groupshared_fence`.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub meaning: Option<String>,
}

/// The ops that a container's program calls, and its preview state.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Ops {
    /// The ops, stable ones first, by number; numbers that are not ops come last.
    pub uses: Vec<OpUse>,
    /// Rules that calls break.
    pub findings: Vec<Finding>,
    /// The program as text.
    pub disassembly: Disassembly,
}

impl Dxil {
    /// The program as text, with the names of resources that only other parts still have.
    pub fn disassembly(&self) -> Option<Disassembly> {
        let program = self.program.as_ref()?;
        Some(disassemble(&program.module, &self.named(program), &self.source_lines()))
    }

    /// The program with debug information as text, where the container has it beside the other.
    pub fn debug_disassembly(&self) -> Option<Disassembly> {
        let program = self.debug_program()?;
        Some(disassemble(&program.module, &self.named(program), &SourceLines::of(&program.module)))
    }

    /// The ops that the program calls, checked, and the text in which their lines are counted; `input` is the file that
    /// findings say their lines are of.
    pub fn ops(&self, input: usize) -> Ops {
        let Some(program) = &self.program else { return Ops::default() };
        let module = &program.module;
        let lines = self.source_lines();
        let disassembly = disassemble(module, &self.named(program), &lines);
        let calls = calls(module);
        let place = |call: &OpCall<'_>| {
            let function = module.functions.get(call.function).map_or("", |function| module.function_name(function));
            let line = disassembly.line(call.function, call.instruction);
            let line = line.map(|line| ListingLine { input, line });
            let source = lines.line(call.function, call.instruction).cloned();
            CallPlace { function: function.to_owned(), instruction: call.instruction, line, source }
        };
        let findings = check(module, &calls, &self.facts(program), &place);
        Ops { uses: uses(program, &calls, &disassembly), findings, disassembly }
    }

    fn named(&self, program: &Program) -> Dx {
        Dx { resources: Resources(self.resources()), ..program.dx.clone() }
    }

    /// Facts of the container about its program.
    fn facts(&self, program: &Program) -> Facts {
        let (module, dx, header) = (&program.module, &program.dx, &program.header);
        let version = |(major, minor): (u32, u32)| Version { major, minor };
        let kind_of = |kind: &str| {
            let number = names::KIND.iter().position(|name| *name == kind)?;
            ShaderKind::of_number(u32::try_from(number).ok()?)
        };
        // A hull shader's patch constant function is named by the metadata alone.
        let entries = dx.entries.iter().flat_map(|entry| {
            let patch = entry.properties.hull.as_ref().map(|hull| hull.patch_function.as_str());
            let names = [Some(entry.function.as_deref().unwrap_or(&entry.name)), patch].into_iter().flatten();
            names.filter_map(|name| {
                let function = module.functions.iter().position(|function| module.function_name(function) == name)?;
                Some((function, kind_of(&entry.kind)?))
            })
        });
        Facts {
            kind: ShaderKind::of_number(header.kind).unwrap_or(ShaderKind::Library),
            model: dx.model.map(|model| version((model.major, model.minor))),
            header_model: Some(version((header.major, header.minor))),
            dxil: dx.version.map(version),
            validator: dx.validator.map(version),
            digest: Some(self.container.digest.state),
            entries: entries.collect(),
            experimental_rdat: self.rdat.as_ref().is_some_and(Rdat::has_experimental_tables),
        }
    }
}

fn uses(program: &Program, calls: &[OpCall<'_>], disassembly: &Disassembly) -> Vec<OpUse> {
    let module = &program.module;
    let mut out: BTreeMap<Option<Opcode>, OpUse> = BTreeMap::new();
    let mut namer: Option<(usize, Namer<'_>)> = None;
    for call in calls {
        let Some(function) = module.functions.get(call.function) else { continue };
        // Calls come function after function.
        if namer.as_ref().is_none_or(|(index, _)| *index != call.function) {
            namer = Namer::new(module, function).map(|namer| (call.function, namer));
        }
        let Some((_, namer)) = &namer else { continue };
        let operand = |(name, operand): (Option<&str>, Operand)| SiteOperand {
            name: name.map(str::to_owned),
            value: namer.operand(&operand),
            meaning: name.zip(call.op()).and_then(|(name, op)| meaning(op, name, namer.integer(&operand)?)),
        };
        let site = Site {
            function: module.function_name(function).to_owned(),
            instruction: call.instruction,
            line: disassembly.line(call.function, call.instruction),
            overload: call.overload().map(str::to_owned),
            operands: call.operands().map(operand).collect(),
            operands_before: call.fit.as_ref().and_then(|fit| fit.until).map(str::to_owned),
        };
        match out.entry(call.opcode) {
            Entry::Occupied(found) => {
                let found = found.into_mut();
                found.count = found.count.saturating_add(1);
                found.sites.push(site);
            }
            Entry::Vacant(slot) => {
                slot.insert(op_use(call, site));
            }
        }
    }
    let (ops, numbers): (Vec<_>, Vec<_>) = out.into_values().partition(|found| found.name.is_some());
    ops.into_iter().chain(numbers).collect()
}

fn op_use(call: &OpCall<'_>, site: Site) -> OpUse {
    let op = call.op();
    OpUse {
        opcode: call.opcode,
        hex: call.opcode.map(|opcode| format!("{opcode:#}")),
        feature: call.opcode.map(|opcode| FeatureId::to_string(&opcode.feature())),
        table: call.opcode.and_then(Opcode::table),
        name: op.map(|op| op.name.clone()),
        class: op.map(|op| op.class.clone()),
        since: op.and_then(|op| op.since),
        count: 1,
        sites: vec![site],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::findings::Severity;
    use crate::testing::{bytes, file, names};

    #[test]
    fn samples_call_only_allowed_ops() {
        for name in names() {
            let ops = file(&name).ops(0);
            let wrong: Vec<_> = ops.findings.iter().filter(|finding| finding.severity != Severity::Note).collect();
            assert!(wrong.is_empty(), "{name}: {wrong:?}");
            let preview = name.starts_with("preview") || name.starts_with("experimental");
            let experimental = ops.uses.iter().any(|found| found.feature.as_deref() == Some("0x8000"));
            assert_eq!(preview, experimental, "{name}");
            assert!(ops.uses.iter().all(|found| found.count == found.sites.len() && found.name.is_some()));
        }
    }

    #[test]
    fn uses_are_listed_with_their_operands() {
        let ops = file("experimental_ops.cs.dxil").ops(0);
        let rows: Vec<String> = ops
            .uses
            .iter()
            .flat_map(|found| {
                found.sites.iter().map(|site| {
                    let operands: Vec<String> = site
                        .operands
                        .iter()
                        .map(|operand| {
                            let meaning = operand.meaning.as_ref().map(|text| format!(" ({text})")).unwrap_or_default();
                            format!("{} {}{meaning}", operand.name.as_deref().unwrap_or("?"), operand.value)
                        })
                        .collect();
                    let name = found.name.as_deref().unwrap_or("?");
                    let line = site.line.unwrap_or(0);
                    format!(
                        "{:11} {name} {}:{} line {line}: {}",
                        found.opcode.map_or(0, Opcode::signed),
                        site.function,
                        site.instruction,
                        operands.join(", ")
                    )
                })
            })
            .collect();
        let found: Vec<_> =
            ops.findings.iter().map(|f| format!("{} {} [{}]", f.code, f.message, f.place_text())).collect();
        insta::assert_snapshot!(format!("{}\n\n{}", rows.join("\n"), found.join("\n")));
    }

    /// An experimental op in a container that no validator has seen.
    #[test]
    fn findings_have_their_lines() {
        let mut bytes = bytes("experimental_ops.cs.dxil");
        bytes[4..20].fill(0);
        let ops = Dxil::read(bytes).expect("is a container").ops(3);
        let lines: Vec<&str> = ops.disassembly.text.lines().collect();
        let unsigned: Vec<_> = ops.findings.iter().filter(|finding| finding.code == "X11").collect();
        assert_eq!(unsigned.len(), 2);
        for finding in unsigned {
            let at = finding.line.expect("has a line");
            let text = lines[at.line as usize - 1];
            let op = finding.message.split(' ').nth(2).expect("names the op");
            assert!(at.input == 3 && text.contains(&format!("dx.op {op}")), "{at:?}: {text}");
            assert!(finding.place_text().contains(&format!("line {}", at.line)));
        }
        let whole = ops.findings.iter().find(|finding| finding.code == "X20").expect("is said");
        assert_eq!(whole.line, None);
    }
}
