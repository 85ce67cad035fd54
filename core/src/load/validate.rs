//! SPIRV-Tools' validator, before any pass sees a module.

use spirv_tools::TargetEnv;
use spirv_tools::val::{self, Validator, ValidatorOptions};

use super::error::Problem;
use super::nesting;
use crate::findings;
use crate::program::{BrokenRule, LoadedModule};
use crate::spirv::Module;
use crate::spirv::enums::{ExecutionMode, Op};

/// Rules that a readable module may break: the validator's words for them, and the finding they become.
const READABLE: &[(&str, &findings::Rule)] = &[
    ("call graph with cycles", findings::RECURSION),
    ("must not have a product of zero", findings::SIZE_ZERO),
    ("BuiltIn PrimitiveId variable needs to be", findings::PRIMITIVE_ID_TYPE),
];

/// Reads words as a module of input 0, and validates it.
pub(super) fn loaded(words: Vec<u32>) -> Result<LoadedModule, Problem> {
    let module = Module::parse(words).map_err(Problem::Parse)?;
    let broken_rule = validate(&module)?;
    Ok(LoadedModule { broken_rule, ..LoadedModule::new(0, module) })
}

/// Validates for Vulkan. A broken rule that leaves the module readable is handed back; anything else is an error.
///
/// The validator stops at the first broken rule, so the module is then looked at once more with that rule out of the
/// way: nothing that is unreadable slips through behind it. What it would take too long for is not given to it.
pub(super) fn validate(module: &Module) -> Result<Option<BrokenRule>, Problem> {
    nesting::check(module)?;
    let Err(error) = run(module.words(), TargetEnv::Vulkan_1_4) else { return Ok(None) };
    let message = message_of(&error);
    let Some((_, rule)) = READABLE.iter().find(|(words, _)| message.contains(words)) else {
        return Err(problem(module, &error));
    };
    let sized = with_some_size(module);
    if let Err(second) = run(&sized, TargetEnv::Universal_1_6)
        && !READABLE.iter().any(|(words, _)| message_of(&second).contains(words))
    {
        return Err(problem(module, &second));
    }
    let first_line = message.lines().next().unwrap_or_default().to_owned();
    Ok(Some(BrokenRule { code: rule.code.to_owned(), message: first_line }))
}

/// Validates a module that was made here, not loaded: any broken rule is an error, with the validator's message.
pub fn check(module: &Module) -> Result<(), String> {
    run(module.words(), TargetEnv::Vulkan_1_4).map_err(|error| message_of(&error))
}

fn run(words: &[u32], env: TargetEnv) -> Result<(), spirv_tools::Error> {
    // What a module may assume of its pipeline is the pipeline's to say: take the widest block layout.
    let options = ValidatorOptions { scalar_block_layout: true, ..ValidatorOptions::default() };
    val::create(Some(env)).validate(words, Some(options))
}

/// The words with every literal workgroup size replaced by one that breaks no rule.
fn with_some_size(module: &Module) -> Vec<u32> {
    let mut words = module.words().to_vec();
    for inst in module.insts() {
        let is_size = inst.word_at(2) == ExecutionMode::LocalSize as u32 && inst.words.len() == 6;
        if inst.op() == Some(Op::ExecutionMode) && is_size {
            let at = inst.word as usize;
            words[at + 3..at + 6].copy_from_slice(&[4, 2, 1]);
        }
    }
    words
}

fn problem(module: &Module, error: &spirv_tools::Error) -> Problem {
    let message = message_of(error);
    if let Some(opcode) = message.strip_prefix("Invalid opcode: ").and_then(|number| number.parse::<u16>().ok())
        && let Some(inst) = module.insts().find(|inst| inst.opcode() == opcode)
    {
        return Problem::UnknownOpcode { opcode, word: inst.word as usize };
    }
    let instruction = error.diagnostic.as_ref().map_or(0, |diagnostic| diagnostic.index).min(module.len());
    Problem::Invalid { instruction, message }
}

/// The message and, below it, what it quotes.
pub(super) fn message_of(error: &spirv_tools::Error) -> String {
    match &error.diagnostic {
        Some(diagnostic) if diagnostic.notes.trim().is_empty() => diagnostic.message.clone(),
        Some(diagnostic) => format!("{}\n{}", diagnostic.message, diagnostic.notes.trim_end()),
        None => format!("SPIRV-Tools: {}", error.inner),
    }
}
