//! From a description of a pipeline to modules: what the readers of descriptions share.

use std::ffi::OsString;
use std::path::PathBuf;

use super::{Loaded, validate};
use crate::findings::{self, Rule};
use crate::pipeline::{ConstantTypes, Pipeline, StageDescription};
use crate::program::{BrokenRule, LoadedModule};
use crate::spirv::Module;

/// A description with the modules of its stages: those that could be made.
pub(super) struct Described {
    pub pipeline: Pipeline,
    /// The modules that the stages name, by their index here.
    pub modules: Vec<StageModule>,
}

/// The module of a stage.
pub(super) struct StageModule {
    pub module: Module,
    pub broken_rule: Option<BrokenRule>,
    pub source: Option<String>,
    /// Files that it was made from, beside the description.
    pub includes: Vec<OsString>,
}

impl StageModule {
    /// The module as a program has it, of the input of that index.
    pub fn loaded(self, input: usize) -> LoadedModule {
        let StageModule { module, broken_rule, source, includes } = self;
        LoadedModule { input, module, source, includes, broken_rule }
    }
}

impl Described {
    pub fn of(pipeline: Pipeline) -> Described {
        Described { pipeline, modules: Vec::new() }
    }

    /// Gives a stage its module: read, put before the validator, its entry point found, its constants' values read.
    /// What does not work is a finding under `rule`, and the stage stays without.
    pub fn give(
        &mut self,
        stage: usize,
        made: Result<Loaded, String>,
        constants: &[Vec<u8>],
        rule: &'static Rule,
        file: &str,
    ) {
        let Some(description) = self.pipeline.stages.get_mut(stage) else { return };
        let place = format!("{file}, {}", description.from);
        let made = made.and_then(module).and_then(|made| {
            entry(&made.module, description)?;
            Ok(made)
        });
        match made {
            Ok(made) => {
                let of_stage = Some(description.stage);
                let types = ConstantTypes::of(&made.module);
                for (constant, bytes) in description.constants.iter_mut().zip(constants) {
                    if bytes.is_empty() {
                        continue;
                    }
                    match types.value(constant.id, bytes) {
                        Ok(value) => constant.value = value,
                        Err(why) => {
                            constant.wrong_size = true;
                            let rule = if rule == findings::FOZ_STAGE_UNUSABLE {
                                findings::FOZ_SPEC_RANGE
                            } else {
                                findings::PIPE_SPEC_RANGE
                            };
                            self.pipeline.findings.push(rule.at(of_stage, Some(place.clone()), why));
                        }
                    }
                }
                description.module = Some(self.modules.len());
                self.modules.push(made);
            }
            Err(why) => self.pipeline.findings.push(rule.at(Some(description.stage), Some(place), why)),
        }
    }
}

fn module(loaded: Loaded) -> Result<StageModule, String> {
    let Loaded::Module { words, source, includes } = loaded else {
        return Err("is no SPIR-V".to_owned());
    };
    let module = Module::parse(words).map_err(|error| format!("SPIR-V, {error}"))?;
    let broken_rule = validate::validate(&module).map_err(|problem| problem.to_string())?;
    let includes = includes.into_iter().map(PathBuf::into_os_string).collect();
    Ok(StageModule { module, broken_rule, source, includes })
}

/// Whether the module has the entry point.
fn entry(module: &Module, description: &StageDescription) -> Result<(), String> {
    let wanted = (Some(description.stage), description.entry.as_str());
    if module.entry_points().iter().any(|entry| (entry.stage, entry.name.as_str()) == wanted) {
        return Ok(());
    }
    let known: Vec<_> = module
        .entry_points()
        .iter()
        .map(|entry| format!("{} ({})", entry.name, entry.stage.map_or("kernel", |stage| stage.name())))
        .collect();
    let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
    Err(format!("the module has no {} entry point `{}`; it has {known}", description.stage, description.entry))
}
