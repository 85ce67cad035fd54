//! From pipeline descriptions to modules: what the readers of descriptions share.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::Loaded;
use crate::findings::{self, Place, Rule};
use lanescope_model::program::{LoadedModule, StageKind};
use lanescope_pipeline::pipe::Form;
use lanescope_pipeline::{ConstantTypes, Pipeline, StageDescription};
use lanescope_spirv::{MAX_INSTRUCTIONS, Module};

/// A description with the modules of its stages: those that could be made.
pub(super) struct Described {
    pub pipeline: Pipeline,
    /// The modules that the stages name, by their index here. Files beside the description that one was made from are
    /// among its includes.
    pub modules: Vec<LoadedModule>,
    /// What was made, each once, however many stages name it.
    made: BTreeMap<Origin, Result<Made, String>>,
    /// Instructions of all modules.
    instructions: usize,
}

/// What a module is made from.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Origin {
    /// A file, what it is written in, and the stage and entry point that it is compiled for, where that makes a difference.
    File(PathBuf, Form, Option<(StageKind, String)>),
    /// A text or an object of the description, by its number.
    Part(usize),
}

/// A module.
enum Made {
    /// No stage has it yet.
    Unused(Box<LoadedModule>),
    /// Stages have it under these indices: one for each set of constants.
    Used(Vec<usize>),
}

impl Described {
    pub fn of(pipeline: Pipeline) -> Described {
        Described { pipeline, modules: Vec::new(), made: BTreeMap::new(), instructions: 0 }
    }

    /// Whether a module was made of this, or could not be.
    pub fn knows(&self, origin: &Origin) -> bool {
        self.made.contains_key(origin)
    }

    /// Keeps what was made, for [`Described::give`].
    pub fn made(&mut self, origin: Origin, made: Result<Loaded, String>) {
        let made = made.and_then(|loaded| match loaded {
            Loaded::Module(module) => Ok(Made::Unused(module)),
            _ => Err("is not SPIR-V".to_owned()),
        });
        self.made.insert(origin, made);
    }

    /// Gives a stage its module: its entry point found, its constants' values read. Stages share a module where they
    /// specialise it alike.
    /// What does not work is a finding under `rule`, and the stage stays without.
    pub fn give(&mut self, stage: usize, origin: &Origin, constants: &[Vec<u8>], rule: &'static Rule, file: &str) {
        let Some(description) = self.pipeline.stages.get_mut(stage) else { return };
        let place = Place::description(&description.from).in_file(file);
        let of_stage = Some(description.stage);
        let module = match self.made.get(origin) {
            Some(Ok(Made::Unused(made))) => Ok(made.as_ref()),
            Some(Ok(Made::Used(all))) => {
                all.first().and_then(|index| self.modules.get(*index)).ok_or_else(|| "is not SPIR-V".to_owned())
            }
            Some(Err(why)) => Err(why.clone()),
            None => Err("is not SPIR-V".to_owned()),
        };
        let module = module.and_then(|made| entry(&made.module, description).map(|()| made));
        let module = match module {
            Ok(module) => module,
            Err(why) => return self.pipeline.findings.push(rule.at(of_stage, Some(place), why)),
        };
        let types = ConstantTypes::of(&module.module);
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
        match self.index(stage, origin) {
            Ok(index) => self.pipeline.stages[stage].module = Some(index),
            Err(why) => self.pipeline.findings.push(rule.at(of_stage, Some(place), why)),
        }
    }

    /// The index of the module for a stage: that of a stage with the same constants, or a new one.
    fn index(&mut self, stage: usize, origin: &Origin) -> Result<usize, String> {
        let constants = |stage: &StageDescription| -> Vec<_> {
            stage.constants.iter().map(|constant| (constant.id, constant.value.clone())).collect()
        };
        let own = self.pipeline.stages.get(stage).map(constants);
        let made = self.made.get_mut(origin).and_then(|made| made.as_mut().ok()).ok_or("is not SPIR-V")?;
        let of_others = |index| self.pipeline.stages.iter().find(move |other| other.module == Some(index));
        let copy = match made {
            Made::Unused(_) => None,
            Made::Used(all) => {
                let same = |index: &&usize| of_others(**index).map(constants) == own;
                if let Some(index) = all.iter().find(same) {
                    return Ok(*index);
                }
                all.first().and_then(|index| self.modules.get(*index))
            }
        };
        let instructions = match (&*made, copy) {
            (Made::Unused(module), _) => module.module.len(),
            (_, Some(module)) => module.module.len(),
            _ => 0,
        };
        if self.instructions.saturating_add(instructions) > MAX_INSTRUCTIONS {
            let many = "the pipeline's shaders have more than";
            return Err(format!("{many} {MAX_INSTRUCTIONS} instructions, the most that is read"));
        }
        let copy = copy.cloned();
        let index = self.modules.len();
        let module = match (std::mem::replace(made, Made::Used(vec![index])), copy) {
            (Made::Unused(module), _) => *module,
            (Made::Used(mut all), Some(copy)) => {
                all.push(index);
                *made = Made::Used(all);
                copy
            }
            (used, None) => {
                *made = used;
                return Err("is not SPIR-V".to_owned());
            }
        };
        self.instructions += instructions;
        self.modules.push(module);
        Ok(index)
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
