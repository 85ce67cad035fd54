//! `(Program, Options)` to [`Report`]: runs the passes, in order, and gathers what they found.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use crate::report::{Report, SCHEMA, SpecConstant, StageReport};
use lanescope_dxil as dxil;
use lanescope_dxil::container::DigestState;
use lanescope_dxil::linkage::OutputLinkage;
use lanescope_model::dxil_interface::semantics;
use lanescope_model::options::Options;
use lanescope_model::program::{CompilerMessage, LoadedDxil, Program, StageKind};
use lanescope_model::specialised::{AnalyseError, specialised};
use lanescope_model::target::Target;
use lanescope_passes::findings::{self, Finding, ListingLine, Place};
use lanescope_passes::graph;
use lanescope_passes::guessed_layout;
use lanescope_passes::liveness::Stages;
use lanescope_passes::packing::{Linkage, Packing};
use lanescope_passes::registers::{self, Register};
use lanescope_passes::workgroup;
use lanescope_pipeline::Pipeline;

/// Which parts of a report are made. Parts that others need are made with them, and findings are those of the parts that
/// were made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parts {
    /// Packed interfaces.
    pub packing: bool,
    /// Lane maps of workgroups.
    pub workgroups: bool,
    /// Register values, which need the packed interfaces and the lane maps.
    pub registers: bool,
    /// Guessed layouts.
    pub guessed_layouts: bool,
    /// All else: DXIL containers, work graphs, modules' findings.
    pub rest: bool,
}

impl Parts {
    /// The whole report.
    pub const ALL: Parts =
        Parts { packing: true, workgroups: true, registers: true, guessed_layouts: true, rest: true };

    fn links(self) -> bool {
        self.packing || self.registers
    }
}

/// Analyses a program. No I/O, no clock: the same program and options give the same report.
pub fn analyse(program: &Program, options: &Options) -> Result<Report, AnalyseError> {
    analyse_parts(program, options, Parts::ALL)
}

/// As [`analyse`], for a report of which only some parts are made.
pub fn analyse_parts(program: &Program, options: &Options, parts: Parts) -> Result<Report, AnalyseError> {
    let specialised = specialised(program, options)?;
    let mut findings = if parts.rest { module_findings(&specialised, options) } else { Vec::new() };
    let live = Stages::of(&specialised);
    let linkage = if parts.links() { Linkage::of(&live, options.producer) } else { None };
    let mut packing = linkage.as_ref().map(|linkage| linkage.pack(options));
    if let Some(packing) = &mut packing {
        add_semantics(program, packing);
    }
    let mut inner = Vec::new();
    if parts.packing {
        inner.extend(Linkage::inner(&live));
        inner.extend(Linkage::tessellation(&live));
    }
    let mut inner_packing: Vec<Packing> = inner.iter().map(|linkage| linkage.pack(options)).collect();
    inner_packing.iter_mut().for_each(|packing| add_semantics(program, packing));
    let packed = linkage.iter().zip(&packing).chain(inner.iter().zip(&inner_packing));
    findings.extend(packed.flat_map(|(linkage, packing)| linkage.findings(options, packing)));
    let mut layouts = Vec::new();
    if parts.workgroups || parts.registers {
        layouts = group_layouts(&specialised, options, &mut findings);
    }
    let mut registers = Vec::new();
    if parts.registers {
        registers = register_values(&live, linkage.as_ref(), packing.as_ref(), &layouts, options, &mut findings);
    }
    // Of several with one name the first counts.
    let sizes: BTreeMap<_, _> = layouts.iter().rev().map(|l| ((l.stage, l.entry.as_str()), l.size)).collect();
    let group_map = if parts.workgroups { workgroup::group_map(options, &mut findings) } else { None };
    let stages = specialised
        .stages
        .iter()
        .map(|stage| StageReport {
            stage: stage.stage,
            entry: stage.entry.clone(),
            input: specialised.modules[stage.module].input,
            workgroup_size: sizes.get(&(stage.stage, stage.entry.as_str())).copied(),
            driver_hashes: program.driver_hashes(stage.module, &stage.entry),
        })
        .collect();
    let (mut dxil, mut graph) = (None, None);
    if parts.rest {
        findings.extend(unread_macros(program));
        for loaded in &program.modules {
            let path = program.inputs.get(loaded.input).map(|input| input.path.as_str()).unwrap_or_default();
            findings.extend(compiler_warnings(&loaded.warnings, path));
        }
        dxil = containers(program, &mut findings);
        if let Some(packing) = packing.as_mut().filter(|packing| packing.producer.is_some()) {
            packing.output_linkage = output_linkage(dxil.as_ref());
        }
        graph = graph::graph(program, &options.overrides).map(|(graph, found)| {
            findings.extend(found);
            graph
        });
    }
    let mut partial = Vec::new();
    if parts.guessed_layouts {
        let side = guessed_layout::Side::of(program);
        // A layout is guessed before specialization constants have values.
        partial = match &specialised {
            Cow::Borrowed(_) => guessed_layout::stages_of(program, &live, options, side, &mut findings),
            Cow::Owned(_) => guessed_layout::stages(program, options, side, &mut findings),
        };
    }
    let pipeline = program.pipeline.as_deref();
    findings.extend(pipeline.iter().flat_map(|pipeline| pipeline.findings.iter().cloned()));
    findings.sort_by_key(|finding| finding.severity);
    let findings = findings::distinct(&findings).into_iter().cloned().collect();
    Ok(Report {
        schema: SCHEMA,
        inputs: program.inputs.clone(),
        included: included(program),
        options: options.clone(),
        stages,
        pipeline: pipeline.map(|pipeline| Box::new(Pipeline { findings: Vec::new(), ..pipeline.clone() })),
        spec_constants: spec_constants(program, &specialised),
        packing,
        inner_packing,
        workgroup: layouts,
        group_map,
        dxil,
        graph,
        registers,
        partial,
        driver: Vec::new(),
        driver_costs: Vec::new(),
        driver_failures: Vec::new(),
        driver_layouts: Vec::new(),
        driver_registers: Vec::new(),
        findings,
    })
}

/// The files that were read beside those that were named, each once.
fn included(program: &Program) -> Vec<String> {
    let of_modules = program.modules.iter().flat_map(|module| &module.includes);
    let all = of_modules.chain(program.dxil.iter().flat_map(|loaded| &loaded.includes));
    let mut known = BTreeSet::new();
    all.filter(|path| known.insert(*path)).map(|path| path.to_string_lossy().into_owned()).collect()
}

/// The registers of a program for a target, with the packing of its report: the report's own for the report's target.
///
/// # Errors
/// As [`analyse`].
pub fn registers_for(program: &Program, report: &Report, target: Target) -> Result<Vec<Register>, AnalyseError> {
    if target == report.options.target {
        return Ok(report.registers.clone());
    }
    let options = Options { target, ..report.options.clone() };
    let specialised = specialised(program, &options)?;
    let live = Stages::of(&specialised);
    let linkage = Linkage::of(&live, options.producer);
    // These are the report's findings too.
    let mut findings = Vec::new();
    let layouts = group_layouts(&specialised, &options, &mut findings);
    let packing = report.packing.as_ref();
    Ok(register_values(&live, linkage.as_ref(), packing, &layouts, &options, &mut findings))
}

/// The lane maps of all stages with workgroups. The program has its specialization constants set.
fn group_layouts(program: &Program, options: &Options, findings: &mut Vec<Finding>) -> Vec<workgroup::Layout> {
    let mut layouts = Vec::new();
    for stage in program.stages.iter().filter(|stage| stage.stage.has_workgroup()) {
        let module = program.module_of(stage);
        let entry = module.entry_points().get(stage.entry_index);
        let options = program.options_of_stage(options, stage.stage);
        layouts.extend(entry.and_then(|entry| workgroup::layout(module, entry, &options, findings)));
    }
    layouts
}

fn register_values(
    live: &Stages<'_>,
    linkage: Option<&Linkage>,
    packing: Option<&Packing>,
    layouts: &[workgroup::Layout],
    options: &Options,
    findings: &mut Vec<Finding>,
) -> Vec<Register> {
    // Beside a packed interface its registers are shown unpacked, to be compared row by row.
    let unpacked = linkage.zip(packing).map(|(linkage, packing)| linkage.unpacked(packing));
    let of_pixels = live.program().options_of_stage(options, StageKind::Fragment);
    registers::registers(live, packing.zip(unpacked.as_ref()), layouts, &of_pixels, findings)
}

fn spec_constants(program: &Program, specialised: &Program) -> Vec<SpecConstant> {
    let mut out: Vec<SpecConstant> = Vec::new();
    let mut seen = BTreeSet::new();
    for (before, after) in program.modules.iter().zip(&specialised.modules) {
        let declared = before.module.spec_constants();
        // Most modules are as they were.
        let set = if std::ptr::eq(before, after) { declared.clone() } else { after.module.spec_constants() };
        for (was, is) in declared.into_iter().zip(set) {
            // A compiler may declare one constant twice, as glslang does for workgroup sizes: a user sets it once.
            if !seen.insert((was.spec_id, before.input)) {
                continue;
            }
            out.push(SpecConstant {
                id: was.spec_id,
                input: before.input,
                name: before.module.name(was.id).map(str::to_owned),
                type_name: was.type_name,
                default: was.value,
                value: is.value,
            });
        }
    }
    out
}

/// A finding for each macro that no source of the program uses.
fn unread_macros(program: &Program) -> Vec<Finding> {
    let finding = |name: &str| findings::UNREAD_MACRO.at(None, None, format!("no source file uses the macro {name}"));
    program.unread_macros().into_iter().map(finding).collect()
}

/// Describes an interface in DXIL's terms, for the stages that were converted from there.
fn add_semantics(program: &Program, packing: &mut Packing) {
    let all: Vec<&dxil::Dxil> = program.dxil.iter().map(|loaded| &loaded.dxil).collect();
    for (kind, input) in [(packing.producer, false), (Some(packing.consumer), true)] {
        let Some(stage) = kind.and_then(|kind| program.stage(kind)) else { continue };
        let found = program.dxil.iter().find_map(|loaded| {
            let at = loaded.entries.iter().position(|entry| entry.module == Some(stage.module))?;
            let before = loaded.before.get(at).copied().flatten().and_then(|before| before.of(&all));
            Some((loaded.dxil.program.as_ref()?.dx.entries.get(at)?, before))
        });
        if let Some((entry, before)) = found {
            packing.add_semantics(semantics(entry, input, before));
        }
    }
}

/// What Direct3D 12 is told where a pixel shader and the stage before it are compiled apart.
fn output_linkage(first: Option<&dxil::Summary>) -> Option<OutputLinkage> {
    let all: Vec<&dxil::Summary> = first.into_iter().flat_map(dxil::Summary::all).collect();
    OutputLinkage::of(&all, |_| "").ok().map(|(linkage, _)| linkage)
}

/// What a compiler said of a source.
fn compiler_warnings(warnings: &[CompilerMessage], path: &str) -> Vec<Finding> {
    let finding = |warning: &CompilerMessage| {
        let place = warning.place.clone().unwrap_or_else(|| Place::file(path));
        let details = (!warning.details.is_empty()).then(|| warning.details.clone());
        Finding { details, ..findings::COMPILER_WARNING.at(None, Some(place), &warning.text) }
    };
    warnings.iter().map(finding).collect()
}

/// The containers of the program, and what is wrong with each.
fn containers(program: &Program, findings: &mut Vec<Finding>) -> Option<dxil::Summary> {
    let mut summaries = Vec::new();
    for loaded in &program.dxil {
        let path = program.inputs.get(loaded.input).map(|input| input.path.as_str()).unwrap_or_default();
        let own = loaded.dxil.findings(path, loaded.input).into_iter();
        findings.extend(own.filter(|finding| !(finding.code == findings::DIGEST.code && is_unsigned(loaded))));
        findings.extend(compiler_warnings(&loaded.warnings, path));
        for entry in &loaded.entries {
            let place = |line, source| Place::EntryPoint { name: entry.name.clone(), line, source }.in_file(path);
            if let Some(why) = &entry.why {
                let line = entry.stopped_at.map(|line| ListingLine { input: loaded.input, line });
                let place = place(entry.stopped_at, entry.stopped_at_source.clone());
                let details = entry.details.clone();
                findings.push(Finding { line, details, ..findings::NOT_CONVERTED.at(None, Some(place), why) });
            }
            if !entry.registers_agree {
                let message = "input and output registers of a semantic differ; linked by semantic";
                findings.push(findings::REGISTERS_DIFFER.at(None, Some(place(None, None)), message));
            }
        }
        for (kind, names) in loaded.unchosen(&program.stages) {
            let (count, names) = (names.len(), names.join(", "));
            let message =
                format!("has {count} {kind} entry points ({names}); none is analysed, choose one with --entry");
            findings.push(findings::SEVERAL_OF_A_STAGE.at(None, Some(Place::file(path)), message));
        }
        let mut summary = loaded.dxil.summary(loaded.input);
        summary.conversions.clone_from(&loaded.entries);
        summary.bindings.clone_from(&loaded.bindings);
        summaries.push(summary);
    }
    let mut summaries = summaries.into_iter();
    let mut first = summaries.next()?;
    first.others = summaries.collect();
    Some(first)
}

/// Whether it was compiled here, where nothing signs: no user chose that.
fn is_unsigned(loaded: &LoadedDxil) -> bool {
    loaded.source.is_some() && loaded.dxil.container.digest.state == DigestState::Missing
}

/// What the loader noted and accepted, and values for undeclared constants.
fn module_findings(program: &Program, options: &Options) -> Vec<Finding> {
    let mut out = Vec::new();
    for (index, loaded) in program.modules.iter().enumerate() {
        let path = program.inputs.get(loaded.input).map(|input| input.path.as_str()).unwrap_or_default();
        if loaded.version_assumed {
            let stage = program.stages.iter().find(|stage| stage.module == index).map(|stage| stage.stage);
            let (major, minor) = loaded.module.version();
            let message = format!(
                "no `; Version:` comment before the first instruction; SPIR-V {major}.{minor} is the lowest version \
                 that assembles and validates"
            );
            out.push(findings::VERSION_ASSUMED.at(stage, Some(Place::file(path)), message));
        }
        for broken in &loaded.broken_rules {
            let Some(rule) = findings::rule(&broken.code) else { continue };
            out.push(rule.at(None, Some(Place::file(path)), &broken.message));
            if !broken.stopped {
                continue;
            }
            let message = format!("SPIRV-Tools stopped at {}; the rest of the module was not validated", broken.code);
            out.push(findings::VALIDATION_STOPPED.at(None, Some(Place::file(path)), message));
        }
        for &index in loaded.module.raw() {
            let inst = loaded.module.inst(index);
            let message = format!("{} is not in the grammar; kept as {} raw words", inst.name(), inst.words.len());
            let place = Place::Instruction { index: index.0, word: Some(inst.word) }.in_file(path);
            out.push(findings::RAW_INSTRUCTION.at(None, Some(place), message));
        }
    }
    if options.spec.is_empty() {
        return out;
    }
    let declared = program.modules.iter().flat_map(|loaded| loaded.module.spec_constants());
    let declared: BTreeSet<u32> = declared.map(|declaration| declaration.spec_id).collect();
    for (id, value) in &options.spec {
        if !declared.contains(id) {
            let message =
                format!("specialization constant {id} is not declared by any module; value {value} is ignored");
            out.push(findings::UNKNOWN_SPEC_ID.at(None, None, message));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanescope_base::ids::{Bytes, Hex};
    use lanescope_model::options::SpecValue;
    use lanescope_model::program::{Format, Input, LoadedModule};
    use lanescope_spirv::Module;

    /// Many constants, each declared twice, and values for as many undeclared ones: each is reported once.
    #[test]
    fn reports_each_of_many_specialization_constants_once() {
        const COUNT: u32 = 60_000;
        let mut words = vec![0x0723_0203, 0x0001_0300, 0, 2 + 2 * COUNT, 0, 0x0004_0015, 1, 32, 0];
        for at in 0..2 * COUNT {
            words.extend([0x0004_0047, 2 + at, 1, at / 2, 0x0004_0032, 1, 2 + at, 7]);
        }
        let module = Module::parse(words).expect("a module");
        let file = Input::new(String::new(), Format::Spirv, Bytes(0), Hex(0));
        let loaded = LoadedModule::new(0, module);
        let program = Program { inputs: vec![file], modules: vec![loaded], ..Program::default() };
        let spec = (0..20).map(|at| (COUNT + at, SpecValue("1".to_owned()))).collect();
        let options = Options { spec, ..Options::default() };
        let constants = spec_constants(&program, &program);
        assert_eq!(constants.len(), COUNT as usize);
        assert!(constants.iter().zip(0..).all(|(constant, id)| constant.id == id));
        assert_eq!(module_findings(&program, &options).len(), 20);
    }
}
