//! Arguments shared by several commands, and their conversion to a program and its options.

use std::path::{Path, PathBuf};

use clap::Args;
use lanescope_core::AnalyseError;
use lanescope_core::graph::Overrides;
use lanescope_core::load::LoadOptions;
use lanescope_core::options::{
    AutoLayoutRule, ColorTarget, Derivatives, DerivativesBy, GuessedColor, LayoutRules, Options, PackingOrder,
    ProducerChoice, WaveChoice,
};
use lanescope_core::program::{Format, Input, Program};
use lanescope_core::report::Report;
use lanescope_core::target::Target;
use lanescope_core::workgroup::TILE_SIDES;

use super::CliError;
use super::loading::Loading;
use super::spec_args::{self, SpecArg};
use super::workspace::WorkspaceArgs;
use lanescope_host::files::text_at_most;
use lanescope_host::flags::choices::{self, one_of};
use lanescope_host::flags::conversion::ConversionArgs;
use lanescope_host::flags::entry;
use lanescope_host::worker::{Loader, OTHER_ANSWER};
use lanescope_host::workspace::Described;

/// The files to analyse, and all options of the analysis, as typed.
#[derive(Debug, Args)]
pub struct AnalysisArgs {
    /// Shaders to open: SPIR-V, SPIR-V assembly, DXIL, GLSL, HLSL, WGSL or Slang, or a pipeline (.pipe, .foz, .shader_test,
    /// .amber);
    /// several files make one pipeline. `-` is standard input; a lanescope.toml means one of its pipelines
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    #[command(flatten)]
    workspace: WorkspaceArgs,

    #[command(flatten)]
    option_args: OptionArgs,
}

/// The files to analyse, and all options of the analysis, with what the workspace file says of the files.
#[derive(Debug)]
pub struct Analysis {
    files: Vec<PathBuf>,
    option_args: OptionArgs,
}

/// All options of the analysis.
#[derive(Debug, Clone, Args)]
pub struct OptionArgs {
    /// Entry point to use if a file has several (may be repeated)
    #[arg(long, value_name = "NAME", value_parser = entry())]
    entry: Vec<String>,

    /// Pipeline to use if a file has several: the first digits of its hash (`lanescope foz` lists them), or its name in an
    /// Amber script
    #[arg(long, value_name = "HASH|NAME")]
    pipeline: Option<String>,

    /// Use only the options of the command line, not those in a pipeline file (wave size, swizzles, attachments)
    #[arg(long)]
    own_options: bool,

    #[command(flatten)]
    loading: Loading,

    #[command(flatten)]
    conversion: ConversionArgs,

    /// What the workspace file says of the files.
    #[arg(skip)]
    described: Option<Described>,

    /// GPU whose rules and registers are modeled (`lanescope help targets` lists the names) [default: gfx1030]
    #[arg(
        long,
        value_name = "CHIP",
        value_parser = choices::target(),
        hide_possible_values = true,
    )]
    target: Option<Target>,

    /// Wave size; auto is what LLPC chooses for the target, the stage and the workgroup size
    #[arg(
        long,
        value_name = "auto|32|64",
        default_value = "auto",
        value_parser = one_of(WaveChoice::ALL, WaveChoice::name),
        hide_possible_values = true,
    )]
    wave: WaveChoice,

    /// Order of the packing classes: LLPC's, or one of two readings of LLPC's design note
    #[arg(
        long,
        value_name = "llpc|design-note|note-union",
        default_value = "llpc",
        help_heading = "Packing",
        value_parser = one_of(PackingOrder::ALL, PackingOrder::name),
        hide_possible_values = true,
    )]
    order: PackingOrder,

    /// Remove unused locations only; do not move components
    #[arg(long, help_heading = "Packing")]
    no_pack: bool,

    /// Previous stage: the loaded one, none (packs the fragment shader alone), or a geometry shader that is not loaded
    #[arg(
        long,
        value_name = "auto|none|geometry",
        default_value = "auto",
        help_heading = "Packing",
        value_parser = one_of(ProducerChoice::ALL, ProducerChoice::name),
        hide_possible_values = true,
    )]
    producer: ProducerChoice,

    /// Compile the fragment shader first, as LLPC part pipelines do; earlier stages use its stored location map
    #[arg(long, help_heading = "Packing")]
    part_pipeline: bool,

    /// Rules that decide a workgroup's layout: LLPC's code, or its design note
    #[arg(
        long,
        value_name = "llpc|design-note",
        default_value = "llpc",
        help_heading = "Workgroup",
        value_parser = one_of(LayoutRules::ALL, LayoutRules::name),
        hide_possible_values = true,
    )]
    layout_rules: LayoutRules,

    /// Derivative group; overrides the module's execution mode
    #[arg(
        long,
        value_name = "none|linear|quads",
        help_heading = "Workgroup",
        value_parser = one_of(Derivatives::ALL, Derivatives::name),
        hide_possible_values = true,
    )]
    derivatives: Option<Derivatives>,

    /// Swizzle thread IDs for every size that allows it (forceCsThreadIdSwizzling)
    #[arg(long, help_heading = "Workgroup")]
    force_swizzle: bool,

    /// Reconfigure the workgroup layout (reconfigWorkgroupLayout)
    #[arg(long, help_heading = "Workgroup")]
    reconfig: bool,

    /// log2 of the thread ID tile (xInterleave, yInterleave), 0 to 10 each
    #[arg(long, value_name = "X,Y", value_parser = interleave, help_heading = "Workgroup")]
    interleave: Option<[u32; 2]>,

    /// Workgroup size; overrides the module's
    #[arg(long, value_name = "X,Y,Z", value_parser = numbers::<3>, help_heading = "Workgroup")]
    group_size: Option<[u32; 3]>,

    /// Tile size of the workgroup ID swizzle: 4, 8, 16, 32 or 64
    #[arg(long, value_name = "N", value_parser = group_tile, requires = "groups", help_heading = "Workgroup")]
    group_tile: Option<u32>,

    /// Size of the dispatch in workgroups, for --group-tile and for a run [default of a run: enough to cover the largest
    /// 2D storage image, else 1,1,1]
    #[arg(long, value_name = "X,Y,Z", value_parser = numbers::<3>, help_heading = "Workgroup")]
    groups: Option<[u32; 3]>,

    /// Value of a specialization constant (may be repeated)
    #[arg(long, value_name = "ID|NAME=VALUE")]
    spec: Vec<SpecArg>,

    /// Format of a color attachment; add `:blend` if it blends, `:blend-by-alpha` if blending multiplies colors by the
    /// output's alpha, `:unwritten` if its write mask is 0 (may be repeated)
    #[arg(long, value_name = "N=VK_FORMAT[:blend]", value_parser = attachment, help_heading = "Registers")]
    color: Vec<(u32, ColorTarget)>,

    /// Enable alpha to coverage
    #[arg(long, help_heading = "Registers")]
    alpha_to_coverage: bool,

    /// Enable sample shading
    #[arg(long, help_heading = "Registers")]
    sample_shading: bool,

    /// Multiview rendering: each view draws to its own layer
    #[arg(long, help_heading = "Registers")]
    multiview: bool,

    /// Drop writes of 1.0 to PointSize (`optimizePointSizeWrite`)
    #[arg(long, help_heading = "Registers")]
    optimize_point_size: bool,

    /// Give outputs without --color no attachment (instead of one with a default format)
    #[arg(long, help_heading = "Registers")]
    no_default_color: bool,

    /// JSON file with changes to a work graph's nodes before they are linked (`lanescope help graph` shows the format)
    #[arg(long, value_name = "FILE", value_parser = overrides, help_heading = "Work graphs")]
    overrides: Option<Overrides>,

    #[command(flatten)]
    guess: GuessArgs,
}

/// How a layout is guessed.
#[derive(Debug, Clone, Args)]
pub struct GuessArgs {
    /// Descriptor placement in the guessed layout: each binding at a stride of 48 bytes (note), or one after another
    #[arg(
        long = "guessed-layout",
        alias = "auto-layout",
        value_name = "note|sequential",
        default_value = "note",
        help_heading = "Guessed layout",
        value_parser = one_of(AutoLayoutRule::ALL, AutoLayoutRule::name),
        hide_possible_values = true,
    )]
    pub auto_layout: AutoLayoutRule,

    /// Assume that all uniform buffers of the application are dynamic
    #[arg(long, help_heading = "Guessed layout")]
    pub dynamic_uniform: bool,

    /// Assume that all storage buffers of the application are dynamic
    #[arg(long, help_heading = "Guessed layout")]
    pub dynamic_storage: bool,

    /// Format that is guessed for color attachments: as wide as the outputs, or 8 bits per component
    #[arg(
        long,
        value_name = "widest|unorm8",
        default_value = "widest",
        help_heading = "Guessed layout",
        value_parser = one_of(GuessedColor::ALL, GuessedColor::name),
        hide_possible_values = true,
    )]
    pub guessed_color: GuessedColor,
}

/// Parses `N` numbers separated by commas.
pub fn numbers<const N: usize>(text: &str) -> Result<[u32; N], String> {
    let parts: Result<Vec<u32>, _> = text.split(',').map(|part| part.trim().parse()).collect();
    let parts = parts.map_err(|error| format!("expected {N} numbers separated by commas: {error}"))?;
    parts.try_into().map_err(|parts: Vec<u32>| format!("expected {N} numbers, found {}", parts.len()))
}

/// The largest log2 of a thread-id tile's side: a workgroup's side is at most 1024.
const MAX_INTERLEAVE: u32 = 10;

/// Parses the log2 of a thread-id tile's sides.
fn interleave(text: &str) -> Result<[u32; 2], String> {
    let sides = numbers(text)?;
    match sides.iter().find(|side| **side > MAX_INTERLEAVE) {
        Some(side) => Err(format!("invalid log2 of a tile's side {side}: expected 0 to {MAX_INTERLEAVE}")),
        None => Ok(sides),
    }
}

/// Parses the tile size of the workgroup ID swizzle.
fn group_tile(text: &str) -> Result<u32, String> {
    let side = text.parse().ok().filter(|side| TILE_SIDES.contains(side));
    side.ok_or_else(|| format!("expected one of {}", TILE_SIDES.map(|side| side.to_string()).join(", ")))
}

/// Parses `NUMBER=VALUE`.
fn assignment<T: std::str::FromStr<Err: std::fmt::Display>>(text: &str) -> Result<(u32, T), String> {
    let (number, value) = text.split_once('=').ok_or("expected NUMBER=VALUE")?;
    let number = number.trim().parse().map_err(|error| format!("`{number}` before `=` is not a number: {error}"))?;
    Ok((number, value.trim().parse().map_err(|error: T::Err| error.to_string())?))
}

/// Parses `N=FORMAT[:blend]` for one of the hardware's 8 color attachments.
fn attachment(text: &str) -> Result<(u32, ColorTarget), String> {
    let (number, target) = assignment(text)?;
    if number > 7 {
        Err(format!("color attachment {number} does not exist: expected 0 to 7"))
    } else {
        Ok((number, target))
    }
}

/// The largest file of overrides that is read, in bytes.
const MAX_OVERRIDES: u64 = 16 << 20;

/// Reads a file of overrides.
pub fn overrides(path: &str) -> Result<Overrides, String> {
    let text = text_at_most(Path::new(path), MAX_OVERRIDES)?;
    Overrides::parse(&text).map_err(|error| error.to_string())
}

impl AnalysisArgs {
    /// The files and options with what the workspace file says of them.
    ///
    /// # Errors
    /// As [`OptionArgs::in_workspace`].
    pub fn in_workspace(self) -> Result<Analysis, String> {
        let (files, option_args) = self.option_args.in_workspace(&self.files, self.workspace)?;
        Ok(Analysis { files, option_args })
    }
}

impl Analysis {
    /// The same files and options, for another chip.
    pub fn for_target(&self, target: Target) -> Analysis {
        Analysis {
            files: self.files.clone(),
            option_args: OptionArgs { target: Some(target), ..self.option_args.clone() },
        }
    }

    pub fn target(&self) -> Target {
        self.option_args.options().target
    }

    pub fn files(&self) -> &[PathBuf] {
        &self.files
    }

    /// The same with other files in front.
    pub fn after(&self, files: &[PathBuf]) -> Analysis {
        let files = files.iter().chain(&self.files).cloned().collect();
        Analysis { files, option_args: self.option_args.clone() }
    }

    /// The report of a program that was loaded.
    pub fn analyse(&self, program: &Program) -> Result<Report, CliError> {
        self.option_args.analyse(program)
    }

    /// The options set by flags.
    pub fn options(&self) -> Options {
        self.option_args.options()
    }

    /// Loads and analyses.
    pub fn report(&self) -> Result<Report, CliError> {
        self.load().map(|(_, report)| report)
    }

    /// Loads and analyses; also returns the program.
    pub fn load(&self) -> Result<(Program, Report), CliError> {
        self.load_with(&mut self.option_args.loading.loader())
    }

    /// Like [`Self::load`], with a loader that the caller can use again.
    pub fn load_with(&self, loader: &mut Loader) -> Result<(Program, Report), CliError> {
        let loaded = self.option_args.load(&self.files, loader)?;
        self.check_pipeline(&loaded.0)?;
        Ok(loaded)
    }

    /// The limits of loading.
    pub fn loading(&self) -> &Loading {
        &self.option_args.loading
    }

    /// The load options.
    pub fn wanted(&self) -> LoadOptions {
        self.option_args.wanted()
    }

    /// Whether options in pipeline files do not count.
    pub fn own_options(&self) -> bool {
        self.option_args.own_options()
    }

    /// The report of a program that was loaded, for a target whose registers are known.
    pub fn report_of(&self, program: &Program) -> Result<Report, CliError> {
        self.option_args.check_target()?;
        self.option_args.analyse(program)
    }

    /// Loads.
    pub fn program(&self, loader: &mut Loader) -> Result<Program, CliError> {
        let program = loader.load(&self.files, &self.option_args.wanted())?.program;
        spec_args::of_program(&self.option_args.spec, &program)?;
        self.check_pipeline(&program)?;
        Ok(program)
    }

    /// The options set by flags; for the others, those of the program's pipeline file.
    pub fn options_for(&self, program: &Program) -> Options {
        self.option_args.options_for(program)
    }

    /// The options set by flags alone, with the names of a program's specialization constants.
    pub fn typed_options(&self, program: &Program) -> Options {
        let spec = spec_args::of_program(&self.option_args.spec, program).unwrap_or_default();
        Options { spec, ..self.options() }
    }

    /// Rejects names of specialization constants: the command has no program for them.
    pub fn no_spec_names(&self, command: &str) -> Result<(), CliError> {
        self.option_args.no_spec_names(command)
    }

    /// Checks that `--pipeline` has a database to choose from.
    fn check_pipeline(&self, program: &Program) -> Result<(), CliError> {
        let has_several =
            |input: &Input| matches!(input.format, Format::Fossilize | Format::StateObjects | Format::Amber);
        let has_several = program.inputs.iter().any(has_several) || self.option_args.names_described();
        match self.option_args.pipeline.is_some() && !has_several {
            true => {
                let message = "--pipeline: none of the files is a Fossilize database (.foz), a state object database (.sodb) or an \
                     Amber script (.amber), and no lanescope.toml has a pipeline of that name";
                Err(CliError::Unusable(message.to_owned()))
            }
            false => Ok(()),
        }
    }
}

impl OptionArgs {
    /// The pipeline that was named.
    pub fn pipeline_name(&self) -> Option<&str> {
        self.pipeline.as_deref()
    }

    /// Whether the pipeline that was named is one of the workspace file.
    fn names_described(&self) -> bool {
        self.described.as_ref().is_some_and(|described| described.pipeline == self.pipeline)
    }

    /// These options with what the workspace file says of the files.
    pub fn described(&self, described: Option<Described>) -> OptionArgs {
        OptionArgs { described, ..self.clone() }
    }

    /// The options set by flags; for the others, those of the workspace file.
    pub fn options(&self) -> Options {
        let typed = self.typed_options();
        let Some(described) = &self.described else { return typed };
        let target = self.target.or(described.target).unwrap_or(typed.target);
        Options { target, ..described.beneath(&typed) }
    }

    /// The options set by flags.
    fn typed_options(&self) -> Options {
        Options {
            entry: self.entry.clone(),
            pipeline: self.pipeline.clone(),
            stage: self.conversion.stage(),
            dxil: self.conversion.conversion(),
            no_validate: self.conversion.no_validate(),
            validator: self.conversion.validator(),
            target: self.target.unwrap_or(Options::default().target),
            wave: self.wave,
            order: self.order,
            no_pack: self.no_pack,
            producer: self.producer,
            part_pipeline: self.part_pipeline,
            widen: false,
            layout_rules: self.layout_rules,
            derivatives: self.derivatives,
            derivatives_by: DerivativesBy::Auto,
            force_swizzle: self.force_swizzle,
            reconfig: self.reconfig,
            interleave: self.interleave.unwrap_or_default(),
            group_size: self.group_size,
            group_tile: self.group_tile,
            groups: self.groups,
            spec: spec_args::by_id(&self.spec),
            color: self.color.iter().cloned().collect(),
            alpha_to_coverage: self.alpha_to_coverage,
            sample_shading: self.sample_shading,
            multiview: self.multiview,
            optimize_point_size: self.optimize_point_size,
            no_default_color: self.no_default_color,
            overrides: self.overrides.clone().unwrap_or_default(),
            auto_layout: self.guess.auto_layout,
            dynamic_uniform: self.guess.dynamic_uniform,
            dynamic_storage: self.guess.dynamic_storage,
            guessed_color: self.guess.guessed_color,
        }
    }

    /// The options set by flags; for the others, those of the program's pipeline file.
    pub fn options_for(&self, program: &Program) -> Options {
        let mut options = if self.own_options { self.options() } else { program.options(&self.options()) };
        // A name that there is not was rejected once the program was loaded.
        options.spec.extend(spec_args::of_program(&self.spec, program).unwrap_or_default());
        options
    }

    /// Rejects names of specialization constants: the command has no program for them.
    pub fn no_spec_names(&self, command: &str) -> Result<(), CliError> {
        spec_args::only_ids(&self.spec, command)
    }

    /// These options for another pipeline of a database, if one is named.
    pub fn of_pipeline(&self, pipeline: Option<String>) -> OptionArgs {
        OptionArgs { pipeline: pipeline.or_else(|| self.pipeline.clone()), ..self.clone() }
    }

    /// Loads files and analyses them; also returns the program.
    pub fn load(&self, files: &[PathBuf], loader: &mut Loader) -> Result<(Program, Report), CliError> {
        self.check_target()?;
        let program = loader.load(files, &self.wanted())?.program;
        spec_args::of_program(&self.spec, &program)?;
        let report = self.analyse(&program)?;
        Ok((program, report))
    }

    /// The limits of loading.
    pub fn loading(&self) -> &Loading {
        &self.loading
    }

    /// Whether options in pipeline files do not count.
    pub fn own_options(&self) -> bool {
        self.own_options
    }

    /// Checks that the registers of the target are known.
    ///
    /// # Errors
    /// [`CliError::Missing`] with the targets that have some.
    pub fn check_target(&self) -> Result<(), CliError> {
        let target = self.options().target;
        if target.info().register_ip.is_none() {
            let known: Vec<&str> = Target::with_registers().map(Target::name).collect();
            let message = format!("no register tables for {target}; available: {}", known.join(", "));
            return Err(CliError::Missing(message));
        }
        Ok(())
    }

    /// The report of a program that was loaded.
    pub fn analyse(&self, program: &Program) -> Result<Report, CliError> {
        lanescope_core::analyse(program, &self.options_for(program))
            .map_err(|error @ AnalyseError::Spec { .. }| CliError::Unusable(error.to_string()))
    }

    /// The load options.
    pub fn wanted(&self) -> LoadOptions {
        LoadOptions::of(&self.options())
    }
}

/// Returns an error with the reason if nothing in the program became SPIR-V.
pub fn some_stage(program: &Program, report: &Report) -> Result<(), CliError> {
    match report.not_converted().filter(|_| program.stages.is_empty()) {
        Some(finding) => {
            let place = finding.place.as_ref().map(|place| format!("{place}: ")).unwrap_or_default();
            let more =
                if finding.details.is_some() { "; `lanescope inspect --verbose` prints the full output" } else { "" };
            Err(CliError::Unusable(format!("{place}{}{more}", finding.message)))
        }
        None => Ok(()),
    }
}

/// `game.foz@5b1e` names a pipeline of a database. Returns the files, and the pipeline of the last one.
pub fn of_database(mut files: Vec<PathBuf>) -> (Vec<PathBuf>, Option<String>) {
    let named = files.last().filter(|last| !last.exists()).and_then(|last| {
        let (path, hash) = last.to_str()?.rsplit_once('@')?;
        Some((PathBuf::from(path), hash.to_owned()))
    });
    let Some((path, hash)) = named else { return (files, None) };
    files.pop();
    files.push(path);
    (files, Some(hash))
}

impl CliError {
    /// The child sent a reply of another kind.
    pub fn unexpected() -> CliError {
        CliError::Unusable(OTHER_ANSWER.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_numbers_and_assignments_or_gives_the_reason() {
        assert_eq!(numbers::<3>("8, 8,1"), Ok([8, 8, 1]));
        assert_eq!((interleave("3,10"), group_tile("16")), (Ok([3, 10]), Ok(16)));
        assert_eq!(interleave("3,11"), Err("invalid log2 of a tile's side 11: expected 0 to 10".to_owned()));
        assert_eq!(group_tile("5"), Err("expected one of 4, 8, 16, 32, 64".to_owned()));
        assert_eq!(numbers::<2>("8,8,1"), Err("expected 2 numbers, found 3".to_owned()));
        assert!(numbers::<2>("8,x").is_err());
        let colour = attachment("0=VK_FORMAT_R8_UNORM:blend").expect("reads");
        assert_eq!((colour.0, colour.1.to_string().as_str()), (0, "R8_UNORM:blend"));
        for text in ["R8_UNORM", "R8_UNORM:blend", "R8_UNORM:blend-by-alpha", "R8_UNORM:blend-by-alpha:unwritten"] {
            assert_eq!(attachment(&format!("0={text}")).expect("reads").1.to_string(), text);
        }
        assert!(attachment("0=R8_UNORM:add").is_err());
        assert_eq!(attachment("8=R8_UNORM"), Err("color attachment 8 does not exist: expected 0 to 7".to_owned()));
    }
}
