//! From a description of a pipeline to modules: what the readers of descriptions share.

use super::Loaded;
use crate::findings::{self, Rule};
use crate::pipeline::{ConstantTypes, Pipeline, StageDescription};
use crate::program::LoadedModule;
use crate::spirv::Module;

/// A description with the modules of its stages: those that could be made.
pub(super) struct Described {
    pub pipeline: Pipeline,
    /// The modules that the stages name, by their index here. Files beside the description that one was made from are
    /// among its includes.
    pub modules: Vec<LoadedModule>,
}

impl Described {
    pub fn of(pipeline: Pipeline) -> Described {
        Described { pipeline, modules: Vec::new() }
    }

    /// Gives a stage its module: its entry point found, its constants' values read.
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
        let made = made.and_then(|loaded| {
            let Loaded::Module(made) = loaded else { return Err("is not SPIR-V".to_owned()) };
            entry(&made.module, description)?;
            Ok(*made)
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
