//! The module as a whole: SPIR-V in, layouts out.

mod decisions;
mod modules;
mod worked;

use spirv_tools::TargetEnv;
use spirv_tools::assembler::{self, Assembler, AssemblerOptions};

use super::{Facts, Layout, Macro, Micro, layout};
use lanescope_model::options::{Derivatives, LayoutRules, Options};
use lanescope_model::program::StageKind;
use lanescope_spirv::Module;

const ALL_STAGES: [StageKind; 3] = [StageKind::Compute, StageKind::Task, StageKind::Mesh];

/// The module of an assembly text; numeric ids are kept.
fn assembled(text: &str) -> Module {
    let assembler = assembler::create(Some(TargetEnv::Vulkan_1_3));
    let keep_ids = AssemblerOptions { preserve_numeric_ids: true };
    let binary = assembler.assemble(text, keep_ids).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let words: &[u32] = binary.as_ref();
    Module::parse(words.to_vec()).expect("assembled words are a module")
}

/// The layout of a module's first entry point, and the codes of what was found.
fn laid_out(text: &str, options: &Options) -> (Option<Layout>, Vec<String>) {
    let module = assembled(text);
    let mut findings = Vec::new();
    let layout = layout(&module, &module.entry_points()[0], options, &mut findings);
    (layout, findings.into_iter().map(|f| f.code).collect())
}

/// A module with one empty entry point, its modes (without `OpExecutionMode %main`) and its annotations and constants.
fn module_text(stage: StageKind, modes: &[&str], globals: &str) -> String {
    let (capability, model) = match stage {
        StageKind::Task => ("MeshShadingEXT", "TaskEXT"),
        StageKind::Mesh => ("MeshShadingEXT", "MeshEXT"),
        _ => ("Shader", "GLCompute"),
    };
    let modes: String = modes
        .iter()
        .map(|mode| {
            format!("OpExecutionMode{} %main {mode}\n", if mode.starts_with("LocalSizeId") { "Id" } else { "" })
        })
        .collect();
    format!(
        "OpCapability {capability}\nOpMemoryModel Logical GLSL450\nOpEntryPoint {model} %main \"main\"\n{modes}{globals}\n\
         %void = OpTypeVoid\n%fn = OpTypeFunction %void\n%main = OpFunction %void None %fn\n%entry = OpLabel\nOpReturn\n\
         OpFunctionEnd\n"
    )
}

/// The layout of a compute shader of that LocalSize.
fn compute([x, y, z]: [u32; 3], options: &Options) -> (Option<Layout>, Vec<String>) {
    laid_out(&module_text(StageKind::Compute, &[&format!("LocalSize {x} {y} {z}")], ""), options)
}

fn switches(derivatives: Derivatives, force: bool, reconfig: bool) -> Options {
    Options { derivatives: Some(derivatives), force_swizzle: force, reconfig, ..Options::default() }
}

/// Every set of the options that a decision reads, on a chip that computes its ids.
fn all_facts(size: [u32; 3]) -> impl Iterator<Item = Facts> {
    let flags = [false, true];
    LayoutRules::ALL.iter().flat_map(move |&layout_rules| {
        Derivatives::ALL.iter().flat_map(move |&derivatives| {
            flags.into_iter().flat_map(move |force_swizzle| {
                flags.into_iter().flat_map(move |reconfig| {
                    [[0, 0], [3, 3], [3, 0]].map(|interleave| {
                        let options =
                            Options { layout_rules, force_swizzle, reconfig, interleave, ..Options::default() };
                        Facts::new(StageKind::Compute, size, derivatives, &options)
                    })
                })
            })
        })
    })
}

/// `-`, `2x2`, `8xN` or `8xN+2x2`.
fn tiles(micro: Micro, macro_tile: Macro) -> &'static str {
    match (micro == Micro::Quads, macro_tile == Macro::Block8) {
        (false, false) => "-",
        (true, false) => "2x2",
        (false, true) => "8xN",
        (true, true) => "8xN+2x2",
    }
}
