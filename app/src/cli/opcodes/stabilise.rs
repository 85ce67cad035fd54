//! A plan for experimental ops that become stable: numbers, files to change, and calls to renumber.

use std::io::Write as _;
use std::path::PathBuf;

use clap::Args;
use lanescope_core::dxil::ops::stabilise::{Stabilised, stabilise};
use lanescope_core::dxil::ops::{Opcode, Tables, free_from};
use lanescope_core::text_format::counted;

use super::super::CliError;
use super::renumber;
use super::tables::TableArg;
use crate::cli::streams;

/// Places of a name that are listed at most.
const LISTED: usize = 20;

#[derive(Debug, Args)]
pub struct Stabilise {
    /// Experimental ops, by their names
    #[arg(value_name = "NAME", required = true)]
    names: Vec<String>,

    /// First stable number: `next`, or the number that is expected to be next
    #[arg(long, value_name = "next|NUMBER", default_value = "next", value_parser = first)]
    at: First,

    /// Folder or file whose calls are renumbered, and which is searched for the names (may be repeated)
    #[arg(long = "in", value_name = "PATH")]
    paths: Vec<PathBuf>,

    /// Write the files of --in; without this flag, only the diff is printed
    #[arg(long, requires = "paths")]
    write: bool,

    /// New file for the diff of the written changes
    #[arg(short, long, value_name = "FILE", default_value = "opcodes.patch", requires = "write")]
    output: PathBuf,

    #[command(flatten)]
    table: TableArg,
}

/// Where new numbers start.
#[derive(Debug, Clone, Copy)]
enum First {
    Next,
    Number(Opcode),
}

fn first(text: &str) -> Result<First, String> {
    let number = || Opcode::parse(text).map(First::Number);
    if text == "next" { Some(First::Next) } else { number() }.ok_or_else(|| "expected `next` or a number".to_owned())
}

impl Stabilise {
    pub fn run(&self) -> Result<(), CliError> {
        let tables = self.table.read()?;
        let moved = stabilise(tables, &self.names).map_err(CliError::Unusable)?;
        if let (First::Number(asked), Some(first)) = (self.at, moved.first())
            && asked != first.to
        {
            let (asked, next) = (asked.shown(), first.to.shown());
            let why = format!("--at {asked}: the next free stable number is {next}; another one leaves a hole");
            return Err(CliError::Unusable(why));
        }
        let mut out = streams::plain();
        plan(&moved, tables, &mut out)?;
        if self.paths.is_empty() {
            writeln!(out, "calls: lanescope opcodes{} DIR", flags(&moved))?;
            return Ok(out.flush()?);
        }
        let names: Vec<&str> = moved.iter().map(|one| one.op.name.as_str()).collect();
        let places = renumber::places_of(&self.paths, &names)?;
        writeln!(out, "{} of the names in the given files:", counted(places.len(), "place"))?;
        for place in places.iter().take(LISTED) {
            writeln!(out, "  {place}")?;
        }
        if places.len() > LISTED {
            writeln!(out, "  and {} more", places.len() - LISTED)?;
        }
        out.flush()?;
        drop(out);
        let map: Vec<(Opcode, Opcode)> = moved.iter().map(|one| (one.op.opcode, one.to)).collect();
        renumber::run(&map, &self.paths, self.write.then_some(self.output.as_path()))
    }
}

/// The pairs as flags of `opcodes`.
fn flags(moved: &[Stabilised]) -> String {
    moved.iter().map(|one| format!(" --map {:#}={}", one.op.opcode, one.to)).collect()
}

fn plan(moved: &[Stabilised], tables: Tables, out: &mut impl std::io::Write) -> std::io::Result<()> {
    let source = &tables.database().source;
    let (model, dxil) = (source.highest_shader_model, source.highest_dxil_version);
    let slots = moved.last().map_or(0, |last| last.to.0 + 1);
    writeln!(out, "tables: {}", source.short())?;
    for Stabilised { op, to } in moved {
        let callee = op.function_prefix.as_deref().unwrap_or_default();
        writeln!(out, "{:#} ({}) = {to}  {}, callee {callee}", op.opcode, op.opcode, op.name)?;
    }
    let names = moved.iter().map(|one| one.op.name.as_str()).collect::<Vec<_>>().join(", ");
    let free = free_from(model);
    let steps = [
        format!(
            "utils/hct/hctdb.py, populate_CoreOps: copy the add_dxil_op calls of {names} to the end in this order, before \
             set_op_count_for_version({}, {}) and `assert op_count == {slots}`",
            dxil.major, dxil.minor
        ),
        format!(
            "utils/hct/hctdb.py, populate_ExperimentalOps: at the old place of each either rename the op (a name may \
             exist once in both tables), or write reserve_dxil_op_range(\"…\", 1); a hole may be filled from shader model \
             {free} on"
        ),
        format!(
            "utils/hct/hctdb.py, populate_categories_and_models: move the names to a loop of stable ops, with \
             shader_model = {}, {}; raise experimental_sm when {model} is released",
            model.major, model.minor
        ),
        "build with HLSL_COPY_GENERATED_SOURCES: DxilConstants.h, DxilInstructions.h, DxilOperations.cpp, docs/DXIL.rst"
            .to_owned(),
        "lib/HLSL/HLOperationLower.cpp: the lowering names the new OP::OpCode".to_owned(),
        "lib/DxilValidation, lib/DxilPIXPasses, lib/DXIL, tools/clang/lib/SPIRV: `case OpCode::` of the names".to_owned(),
        "tools/clang/test (DXC, LitDXILValidation, CodeGenDXIL, HLSLFileCheck, HLSLFileCheckLit, DXILValidation): renumber \
         the calls in .ll and FileCheck lines, but not in tests of the old number"
            .to_owned(),
        format!(
            "at the release of {model}: kHighestReleasedMinor in DxilShaderModel.h, kDxilReleasedMinor in DxilConstants.h, \
             latest-release.json"
        ),
        "LLVM: llvm/lib/Target/DirectX/DXIL.td has the number in DXILOp<…>; llvm/test/CodeGen/DirectX has it in calls"
            .to_owned(),
        "hlsl_intrinsic_opcodes.json and gen_intrin_main.txt: no change, numbers of intrinsics do not move".to_owned(),
        "drivers: take both numbers for one release".to_owned(),
    ];
    for (step, text) in (1..).zip(steps) {
        writeln!(out, "{step:2}. {text}")?;
    }
    Ok(())
}
