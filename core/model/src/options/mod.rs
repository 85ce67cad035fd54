//! All options of a report. The command line's flags and the report's `options` carry these field names.

use std::collections::BTreeMap;
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use lanescope_base::StageKind;

use crate::overrides::Overrides;
use crate::target::Target;

mod conversion;
mod described;
mod sources;

pub use lanescope_base::WaveChoice;
pub use lanescope_base::{TargetEnv, named_enum};
pub use lanescope_pipeline::ColorTarget;
pub use lanescope_spirv::SpecValue;

use conversion::quoted;

pub use conversion::{Conversion, ConversionSwitch, HlslCompiler, RegisterBindings};
pub use sources::{GlslProfile, defined_name, glsl_version, macro_definition, macro_name};

named_enum!(
    /// In which order packing sorts and joins the classes of inputs.
    PackingOrder {
        /// What today's LLPC does.
        Llpc = "llpc",
        /// What the design note's worked example shows.
        DesignNote = "design-note",
        /// The design note's key union, read literally (for comparison).
        NoteUnion = "note-union",
    }
);

named_enum!(
    /// Against which stage fragment inputs are packed.
    ProducerChoice {
        /// The last loaded stage before rasterisation.
        Auto = "auto",
        /// None: the fragment shader alone.
        None = "none",
        /// None that is looked at, but a geometry shader is known to precede it, so narrow values take dwords.
        Geometry = "geometry",
    }
);

named_enum!(
    /// Which rule set decides a workgroup's layout.
    LayoutRules {
        /// What today's LLPC does.
        Llpc = "llpc",
        /// What the design note says.
        DesignNote = "design-note",
    }
);

named_enum!(
    /// How derivatives in compute group their lanes.
    Derivatives {
        /// No derivative group.
        None = "none",
        /// Four consecutive local invocation indices.
        Linear = "linear",
        /// 2x2 invocations of one z.
        Quads = "quads",
    }
);

named_enum!(
    /// How derivatives in compute are taken.
    DerivativesBy {
        /// By the device where it has them in compute, else by quad operations, else by shuffles. Where no device is
        /// known: by the device.
        Auto = "auto",
        /// By the device.
        Native = "native",
        /// Computed with subgroup quad operations.
        Quad = "quad",
        /// Computed with subgroup shuffles.
        Shuffle = "shuffle",
    }
);

named_enum!(
    /// Where the layout that is guessed from a shader puts descriptors.
    AutoLayoutRule {
        /// Each binding has a slot of its own in its set's table, as the design note says.
        Note = "note",
        /// One after the other as they are declared, as LLPC's tool does today.
        Sequential = "sequential",
    }
);

named_enum!(
    /// What enters the key of a compiled stage.
    KeyRule {
        /// Nodes that the shader uses, without root offsets, and export formats: the design note.
        Note = "note",
        /// The whole root that the stage sees, with its offsets, and formats: today's LLPC for one stage.
        Llpc = "llpc",
        /// As above, for all stages, each node with those that see it: today's LLPC where it hashes a pipeline.
        LlpcPipeline = "llpc_pipeline",
    }
);

named_enum!(
    /// The assumed format of a colour attachment that is not known yet.
    GuessedColor {
        /// As wide as the output's components, as LLPC's tool does.
        Widest = "widest",
        /// 8 bits a component, normalised, where the output is in floating point.
        Unorm8 = "unorm8",
    }
);

impl PackingOrder {
    /// The order in words.
    pub fn words(self) -> &'static str {
        match self {
            PackingOrder::Llpc => "in LLPC's order",
            PackingOrder::DesignNote => "in the order of the design note's example",
            PackingOrder::NoteUnion => "in the order of the design note's key",
        }
    }
}

impl LayoutRules {
    /// The rule set in words.
    pub fn words(self) -> &'static str {
        match self {
            LayoutRules::Llpc => "LLPC's rules",
            LayoutRules::DesignNote => "the design note's rules",
        }
    }
}

impl Derivatives {
    /// The derivative group in words.
    pub fn words(self) -> &'static str {
        match self {
            Derivatives::None => "no derivative group",
            Derivatives::Linear => "linear derivative groups",
            Derivatives::Quads => "derivative groups of 2×2 quads",
        }
    }
}

impl AutoLayoutRule {
    /// The placement in words.
    pub fn words(self) -> &'static str {
        match self {
            AutoLayoutRule::Note => "48 bytes for each binding, as in the design note",
            AutoLayoutRule::Sequential => "bindings one after another, as in LLPC's tool",
        }
    }
}

impl KeyRule {
    /// The rule in words.
    pub const fn words(self) -> &'static str {
        match self {
            KeyRule::Note => "design note",
            KeyRule::Llpc => "what LLPC hashes, one stage",
            KeyRule::LlpcPipeline => "what LLPC hashes, all stages",
        }
    }
}

/// All options. `Default` is what `inspect` does without flags.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Options {
    /// Names of the wanted entry points; empty for all. A file that has none of them keeps its own.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub entry: Vec<String>,
    /// The first digits of the wanted pipeline's key, where a file has many pipelines.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub pipeline: Option<String>,
    /// The stage of GLSL whose file name states none, and of Slang.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub stage: Option<StageKind>,
    /// How HLSL and DXIL become SPIR-V, when they are loaded.
    #[serde(skip_serializing_if = "Conversion::is_default", default)]
    pub dxil: Conversion,
    /// Modules that the validator refuses are opened too.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub no_validate: bool,
    /// The validator in place of the one that is built in: a path of `spirv-val`, or `auto`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub validator: Option<String>,
    /// The chip whose registers are wanted.
    pub target: Target,
    /// Wave size of every stage.
    pub wave: WaveChoice,
    /// Order of the packing classes.
    pub order: PackingOrder,
    /// Only renumber locations, pack nothing.
    pub no_pack: bool,
    /// Against which stage fragment inputs are packed.
    #[serde(default = "loaded_producer")]
    pub producer: ProducerChoice,
    /// The fragment shader is compiled first and alone; the stages before read the map that it stores.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub part_pipeline: bool,
    /// Rewritten modules carry 8- and 16-bit varyings as 32-bit ones, converted at both ends.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub widen: bool,
    /// Which rule set decides the workgroup layout.
    pub layout_rules: LayoutRules,
    /// Derivative group instead of the module's execution mode.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub derivatives: Option<Derivatives>,
    /// How rewritten modules take derivatives in compute.
    #[serde(skip_serializing_if = "is_auto", default = "auto")]
    pub derivatives_by: DerivativesBy,
    /// `forceCsThreadIdSwizzling`.
    pub force_swizzle: bool,
    /// `reconfigWorkgroupLayout`.
    pub reconfig: bool,
    /// `xInterleave`, `yInterleave`: log2 of the tile.
    pub interleave: [u32; 2],
    /// Workgroup size, instead of the module's (all three, as the pipeline-level override does).
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub group_size: Option<[u32; 3]>,
    /// Tile side of the workgroup-id swizzle: 4, 8, 16, 32 or 64.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub group_tile: Option<u32>,
    /// Size of the dispatch in workgroups, for the workgroup-id swizzle.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub groups: Option<[u32; 3]>,
    /// Values of specialization constants by SpecId.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub spec: BTreeMap<u32, SpecValue>,
    /// Colour attachments by location; others get the default for their output's type (see `no_default_color`).
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub color: BTreeMap<u32, ColorTarget>,
    /// Alpha to coverage.
    pub alpha_to_coverage: bool,
    /// Per-sample shading.
    pub sample_shading: bool,
    /// Multiview rendering (`enableMultiView`): each view draws to its own layer.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub multiview: bool,
    /// Writes of 1.0 to PointSize are left out (`optimizePointSizeWrite`).
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub optimize_point_size: bool,
    /// Outputs whose location is not in `color` have no attachment, instead of one of a default format.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub no_default_color: bool,
    /// Changes to the nodes of a work graph before they are linked.
    #[serde(skip_serializing_if = "Overrides::is_default", default)]
    pub overrides: Overrides,
    /// Where the layout that is guessed from a shader puts descriptors.
    #[serde(skip_serializing_if = "is_note", default = "note")]
    pub auto_layout: AutoLayoutRule,
    /// The application's uniform buffers are dynamic: they are at the root.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub dynamic_uniform: bool,
    /// The application's storage buffers are dynamic.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub dynamic_storage: bool,
    /// The assumed format of colour attachments that are not known yet.
    #[serde(skip_serializing_if = "is_widest", default = "widest")]
    pub guessed_color: GuessedColor,
}

/// Older sessions do not say it.
fn loaded_producer() -> ProducerChoice {
    ProducerChoice::Auto
}

fn auto() -> DerivativesBy {
    DerivativesBy::Auto
}

fn is_auto(by: &DerivativesBy) -> bool {
    *by == DerivativesBy::Auto
}

fn note() -> AutoLayoutRule {
    AutoLayoutRule::Note
}

fn is_note(rule: &AutoLayoutRule) -> bool {
    *rule == AutoLayoutRule::Note
}

fn widest() -> GuessedColor {
    GuessedColor::Widest
}

fn is_widest(guess: &GuessedColor) -> bool {
    *guess == GuessedColor::Widest
}

impl Default for Options {
    fn default() -> Self {
        Options {
            entry: Vec::new(),
            pipeline: None,
            stage: None,
            dxil: Conversion::default(),
            no_validate: false,
            validator: None,
            target: Target::Gfx1030,
            wave: WaveChoice::Auto,
            order: PackingOrder::Llpc,
            no_pack: false,
            producer: ProducerChoice::Auto,
            part_pipeline: false,
            widen: false,
            layout_rules: LayoutRules::Llpc,
            derivatives: None,
            derivatives_by: DerivativesBy::Auto,
            force_swizzle: false,
            reconfig: false,
            interleave: [0, 0],
            group_size: None,
            group_tile: None,
            groups: None,
            spec: BTreeMap::new(),
            color: BTreeMap::new(),
            alpha_to_coverage: false,
            sample_shading: false,
            multiview: false,
            optimize_point_size: false,
            no_default_color: false,
            overrides: Overrides::default(),
            auto_layout: AutoLayoutRule::Note,
            dynamic_uniform: false,
            dynamic_storage: false,
            guessed_color: GuessedColor::Widest,
        }
    }
}

/// One option as the command line's flag and the report's `options` spell it, under two settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The option's field name.
    pub name: &'static str,
    /// Its value here.
    pub value: String,
    /// Its value in the setting that was compared with.
    pub base: String,
    /// The flags of the command line, where the value's text does not have what they need.
    flags: Option<String>,
}

/// The flag of an option, without its dashes: `group-size` for `group_size`.
pub fn flag(name: &str) -> String {
    match name {
        "auto_layout" => "guessed-layout".to_owned(),
        _ => name.replace('_', "-"),
    }
}

impl Difference {
    /// The value as flags of the command line: `--group-size 8,4,1`, `--no-pack`, `--spec 0=1 --spec 3=2`.
    pub fn flags(&self) -> String {
        if let Some(flags) = &self.flags {
            return flags.clone();
        }
        let flag = flag(self.name);
        let each = |show: &dyn Fn(&str) -> String| {
            let parts: Vec<_> = self.value.split(' ').map(show).collect();
            parts.join(" ")
        };
        match (self.name, self.value.as_str()) {
            (_, "true") => format!("--{flag}"),
            ("spec" | "color", value) if value != "none" => each(&|one| format!("--{flag} {one}")),
            (_, value) => format!("--{flag} {value}"),
        }
    }
}

impl Options {
    /// The options whose value differs from `base`, in the order of the fields. Absent values read `none`.
    pub fn differences(&self, base: &Options) -> Vec<Difference> {
        let (mine, theirs) = (self.values(), base.values());
        // A name may have a comma: two lists of names can be one text.
        let differ = |name: &str, mine: &str, theirs: &str| match name {
            "entry" => self.entry != base.entry,
            _ => mine != theirs,
        };
        let pairs = mine.into_iter().zip(theirs).filter(|(mine, theirs)| differ(mine.0, &mine.1, &theirs.1));
        let entries = || self.entry.iter().map(|entry| format!("--entry {}", quoted(entry))).collect::<Vec<_>>();
        let flags = |name: &str| match (name, &self.validator) {
            ("dxil", _) => (!self.dxil.is_default()).then(|| self.dxil.flags()),
            ("validator", Some(validator)) => Some(format!("--validator {}", quoted(validator))),
            ("entry", _) => (!self.entry.is_empty()).then(|| entries().join(" ")),
            _ => None,
        };
        pairs.map(|((name, value), (_, base))| Difference { flags: flags(name), name, value, base }).collect()
    }

    fn values(&self) -> [(&'static str, String); 34] {
        // Without `..`: a new option does not compile until it has its line here.
        let Options {
            entry,
            pipeline,
            stage,
            dxil,
            no_validate,
            validator,
            target,
            wave,
            order,
            no_pack,
            producer,
            part_pipeline,
            widen,
            layout_rules,
            derivatives,
            derivatives_by,
            force_swizzle,
            reconfig,
            interleave,
            group_size,
            group_tile,
            groups,
            spec,
            color,
            alpha_to_coverage,
            sample_shading,
            multiview,
            optimize_point_size,
            no_default_color,
            overrides,
            auto_layout,
            dynamic_uniform,
            dynamic_storage,
            guessed_color,
        } = self;
        fn absent<T>(value: &Option<T>, show: impl Fn(&T) -> String) -> String {
            value.as_ref().map_or_else(|| "none".to_owned(), show)
        }
        fn list<T: ToString>(values: &[T]) -> String {
            values.iter().map(T::to_string).collect::<Vec<_>>().join(",")
        }
        fn pairs<T: fmt::Display>(map: &BTreeMap<u32, T>) -> String {
            if map.is_empty() {
                return "none".to_owned();
            }
            map.iter().map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>().join(" ")
        }
        [
            ("entry", if entry.is_empty() { "none".to_owned() } else { entry.join(",") }),
            ("pipeline", absent(pipeline, String::clone)),
            ("stage", absent(stage, |stage| stage.to_string())),
            ("dxil", dxil.to_string()),
            ("no_validate", no_validate.to_string()),
            ("validator", absent(validator, String::clone)),
            ("target", target.to_string()),
            ("wave", wave.to_string()),
            ("order", order.to_string()),
            ("no_pack", no_pack.to_string()),
            ("producer", producer.to_string()),
            ("part_pipeline", part_pipeline.to_string()),
            ("widen", widen.to_string()),
            ("layout_rules", layout_rules.to_string()),
            ("derivatives", absent(derivatives, |d| d.to_string())),
            ("derivatives_by", derivatives_by.to_string()),
            ("force_swizzle", force_swizzle.to_string()),
            ("reconfig", reconfig.to_string()),
            ("interleave", list(interleave)),
            ("group_size", absent(group_size, |size| list(size))),
            ("group_tile", absent(group_tile, |tile| tile.to_string())),
            ("groups", absent(groups, |groups| list(groups))),
            ("spec", pairs(spec)),
            ("color", pairs(color)),
            ("alpha_to_coverage", alpha_to_coverage.to_string()),
            ("sample_shading", sample_shading.to_string()),
            ("multiview", multiview.to_string()),
            ("optimize_point_size", optimize_point_size.to_string()),
            ("no_default_color", no_default_color.to_string()),
            ("overrides", if overrides.is_default() { "none".to_owned() } else { overrides.text() }),
            ("auto_layout", auto_layout.to_string()),
            ("dynamic_uniform", dynamic_uniform.to_string()),
            ("dynamic_storage", dynamic_storage.to_string()),
            ("guessed_color", guessed_color.to_string()),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_name_only_what_was_changed() {
        let base = Options::default();
        assert!(base.differences(&base).is_empty());
        let spec = BTreeMap::from([(3, SpecValue("0x10".to_owned()))]);
        let mine = Options { wave: WaveChoice::Wave64, group_size: Some([8, 4, 1]), spec, ..base.clone() };
        let found: Vec<_> =
            mine.differences(&base).into_iter().map(|d| format!("{} {} {}", d.name, d.value, d.base)).collect();
        assert_eq!(found, ["wave 64 auto", "group_size 8,4,1 none", "spec 3=0x10 none"]);
    }

    #[test]
    fn lists_of_entry_points_differ_by_name() {
        let of = |names: &[&str]| Options {
            entry: names.iter().map(|name| (*name).to_owned()).collect(),
            ..Options::default()
        };
        let found = of(&["a", "b c"]).differences(&of(&["a,b c"]));
        assert_eq!(found.iter().map(Difference::flags).collect::<Vec<_>>(), ["--entry a --entry 'b c'"]);
        assert_eq!(found[0].value, "a,b c");
        assert!(of(&["a", "b"]).differences(&of(&["a", "b"])).is_empty());
        assert_eq!(Options::default().differences(&of(&["a"]))[0].flags(), "--entry none");
    }

    #[test]
    fn differences_read_as_flags() {
        let spec = BTreeMap::from([(0, SpecValue("1".to_owned())), (3, SpecValue("0x10".to_owned()))]);
        let dxil = Conversion { wave_size: Some(32), profile: Some("ps_6_6".to_owned()), ..Conversion::default() };
        let auto_layout = AutoLayoutRule::Sequential;
        let mine = Options { spec, dxil, auto_layout, reconfig: true, interleave: [3, 3], ..Options::default() };
        let flags: Vec<_> = mine.differences(&Options::default()).iter().map(Difference::flags).collect();
        let expected = [
            "--dxil-wave-size 32 --profile ps_6_6",
            "--reconfig",
            "--interleave 3,3",
            "--spec 0=1 --spec 3=0x10",
            "--guessed-layout sequential",
        ];
        assert_eq!(flags, expected);
    }
}
