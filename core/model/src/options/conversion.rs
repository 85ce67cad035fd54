//! How HLSL and DXIL become SPIR-V. These options apply when files are loaded; all others apply to what was loaded.

use std::collections::BTreeSet;
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::sources::defined_name;
use super::{TargetEnv, named_enum};

named_enum!(
    /// Where the registers of a container go.
    RegisterBindings {
        /// Spaces become sets and registers bindings, both numbered without gaps, so that no two share a descriptor.
        Compact = "compact",
        /// A register's number is the binding and its space the set, even where `t0` and `u0` then collide.
        Registers = "registers",
    }
);

named_enum!(
    /// Which compiler HLSL goes through.
    HlslCompiler {
        /// The DirectX shader compiler where its library can be loaded, glslang where not.
        Auto = "auto",
        /// The DirectX shader compiler.
        Dxc = "dxc",
        /// glslang's HLSL front end, which is built in.
        Glslang = "glslang",
    }
);

named_enum!(
    /// A switch of the conversion.
    ConversionSwitch {
        /// See [`ConversionSwitch::about`], as for all of these.
        Native16Bit = "16-bit",
        /// Addresses instead of descriptors.
        PhysicalBuffers = "physical-buffers",
        /// No contraction.
        Precise = "precise",
        /// Relaxed precision.
        RelaxedPrecision = "relaxed-precision",
        /// Invariant positions.
        InvariantPosition = "invariant-position",
        /// Reconvergence.
        MaximalReconvergence = "maximal-reconvergence",
        /// Memory model.
        VulkanMemoryModel = "vulkan-memory-model",
        /// Dual-source blending.
        DualSource = "dual-source",
    }
);

impl ConversionSwitch {
    /// What it does, in a line.
    pub fn about(self) -> &'static str {
        match self {
            ConversionSwitch::Native16Bit => "minimum-precision types become 16-bit types, not relaxed 32-bit types",
            ConversionSwitch::PhysicalBuffers => {
                "raw and structured buffers use addresses in push constants, not descriptors"
            }
            ConversionSwitch::Precise => "no arithmetic may be contracted (NoContraction)",
            ConversionSwitch::RelaxedPrecision => "arithmetic on minimum-precision values is RelaxedPrecision too",
            ConversionSwitch::InvariantPosition => "positions are Invariant",
            ConversionSwitch::MaximalReconvergence => "every entry point uses MaximalReconvergence",
            ConversionSwitch::VulkanMemoryModel => "the Vulkan memory model instead of GLSL450's",
            ConversionSwitch::DualSource => "targets 0 and 1 are the two sources of one blend",
        }
    }
}

/// How HLSL and DXIL become SPIR-V. The default is what any Vulkan 1.3 device takes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Conversion {
    /// Where registers go.
    pub bindings: RegisterBindings,
    /// Lanes of a wave that the shader is converted for, where it does not say itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wave_size: Option<u32>,
    /// Switches that are on.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub with: BTreeSet<ConversionSwitch>,
    /// The profile that HLSL is compiled for, instead of the one that its name says: `ps_6_6`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub profile: Option<String>,
    /// Which compiler HLSL goes through.
    #[serde(skip_serializing_if = "HlslCompiler::is_auto")]
    pub hlsl_compiler: HlslCompiler,
    /// Macros that are defined before sources of HLSL, GLSL and Slang, and values of overrides of WGSL: `NAME` or `NAME=VALUE`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub defines: Vec<String>,
    /// Names of macros that are not defined after all.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub undefines: Vec<String>,
    /// Folders that are looked through for what sources include, after that of the source.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub include_dirs: Vec<String>,
    /// More arguments of the DirectX shader compiler.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dxc_args: Vec<String>,
    /// More arguments of the Slang compiler.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub slang_args: Vec<String>,
    /// Files that are included before sources.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub includes: Vec<String>,
    /// The file or folder that the op tables of DXIL are read from; by default those of this build.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opcode_table: Option<String>,
    /// The file with names of ops in private partitions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub feature_names: Option<String>,
    /// The environment that glslang and naga compile for; by default that of Vulkan 1.3.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target_env: Option<TargetEnv>,
    /// The version of GLSL, instead of that of a source's `#version`: see [`super::glsl_version`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub std: Option<String>,
    /// GLSL may include files without requiring `GL_GOOGLE_include_directive`.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub include_directive: bool,
}

impl HlslCompiler {
    fn is_auto(&self) -> bool {
        *self == HlslCompiler::Auto
    }
}

impl Default for Conversion {
    fn default() -> Self {
        Conversion {
            bindings: RegisterBindings::Compact,
            wave_size: None,
            with: BTreeSet::new(),
            profile: None,
            hlsl_compiler: HlslCompiler::Auto,
            defines: Vec::new(),
            undefines: Vec::new(),
            include_dirs: Vec::new(),
            dxc_args: Vec::new(),
            slang_args: Vec::new(),
            includes: Vec::new(),
            opcode_table: None,
            feature_names: None,
            target_env: None,
            std: None,
            include_directive: false,
        }
    }
}

impl Conversion {
    /// Wave sizes that D3D knows.
    pub const WAVE_SIZES: [u32; 6] = [4, 8, 16, 32, 64, 128];

    /// Whether a switch is on.
    pub fn has(&self, switch: ConversionSwitch) -> bool {
        self.with.contains(&switch)
    }

    /// The macros that are defined: `NAME=VALUE`, or `NAME` for the value 1.
    pub fn macros(&self) -> Vec<String> {
        self.defines
            .iter()
            .filter(|one| !self.undefines.iter().any(|name| name == defined_name(one)))
            .cloned()
            .collect()
    }

    /// What sources are compiled for.
    pub fn env(&self) -> TargetEnv {
        self.target_env.unwrap_or(TargetEnv::Vulkan13)
    }

    /// What of it decides how sources compile; the rest is that of the default.
    pub fn of_sources(&self) -> Conversion {
        let Conversion { bindings, wave_size, with, .. } = Conversion::default();
        Conversion { bindings, wave_size, with, ..self.clone() }
    }

    /// Whether it is the default one.
    pub fn is_default(&self) -> bool {
        *self == Conversion::default()
    }
}

/// A value that differs from the default: its name, its flag on the command line, and the value.
type Setting = (&'static str, &'static str, String);

impl Conversion {
    /// What differs from the default.
    fn settings(&self) -> Vec<Setting> {
        let Conversion { bindings, wave_size, with, profile, hlsl_compiler, .. } = self;
        let Conversion { defines, undefines, include_dirs, dxc_args, slang_args, includes, .. } = self;
        let mut out: Vec<Setting> = Vec::new();
        if *bindings != RegisterBindings::Compact {
            out.push(("bindings", "--dxil-bindings", bindings.to_string()));
        }
        out.extend(wave_size.map(|size| ("wave_size", "--dxil-wave-size", size.to_string())));
        if !with.is_empty() {
            let names: Vec<_> = with.iter().map(|switch| switch.name()).collect();
            out.push(("with", "--dxil-with", names.join(",")));
        }
        out.extend(self.opcode_table.iter().map(|path| ("opcode_table", "--opcode-table", path.clone())));
        out.extend(self.feature_names.iter().map(|path| ("feature_names", "--feature-names", path.clone())));
        out.extend(profile.iter().map(|profile| ("profile", "--profile", profile.clone())));
        if !hlsl_compiler.is_auto() {
            out.push(("hlsl_compiler", "--hlsl-compiler", hlsl_compiler.to_string()));
        }
        out.extend(self.target_env.map(|env| ("target_env", "--target-env", env.to_string())));
        out.extend(self.std.iter().map(|version| ("std", "--std", version.clone())));
        out.extend(self.include_directive.then(|| ("include_directive", "--include-directive", "on".to_owned())));
        let lists = [
            ("define", "--define", defines),
            ("undefine", "--undefine", undefines),
            ("include_dir", "--include-dir", include_dirs),
            ("include", "--include", includes),
            ("dxc_arg", "--dxc-arg", dxc_args),
            ("slang_arg", "--slang-arg", slang_args),
        ];
        for (name, flag, list) in lists {
            out.extend(list.iter().map(|one| (name, flag, one.clone())));
        }
        out
    }

    /// What differs from the default as flags of the command line.
    pub(super) fn flags(&self) -> String {
        // A switch takes no value.
        let flag = |(name, flag, value): Setting| match name {
            "include_directive" => flag.to_owned(),
            _ => format!("{flag} {}", quoted(&value)),
        };
        let flags = self.settings().into_iter().map(flag);
        flags.collect::<Vec<_>>().join(" ")
    }
}

impl fmt::Display for Conversion {
    /// What differs from the default: `bindings=registers wave_size=32 with=16-bit,precise`. A value with blanks is quoted,
    /// so that it does not read like several settings.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = |value: &str| match value.contains(|c: char| c.is_whitespace() || c == '\'') {
            true => quoted(value),
            false => value.to_owned(),
        };
        let parts: Vec<String> =
            self.settings().iter().map(|(name, _, value)| format!("{name}={}", word(value))).collect();
        f.write_str(&if parts.is_empty() { "none".to_owned() } else { parts.join(" ") })
    }
}

/// A word of a shell.
pub(super) fn quoted(value: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "_-=+.,:/@%".contains(c);
    if !value.is_empty() && value.chars().all(is_plain) {
        return value.to_owned();
    }
    format!("'{}'", value.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conversion_lists_changes_and_survives_json() {
        assert_eq!(Conversion::default().to_string(), "none");
        let changed = Conversion {
            bindings: RegisterBindings::Registers,
            wave_size: Some(32),
            with: BTreeSet::from([ConversionSwitch::Precise, ConversionSwitch::Native16Bit]),
            profile: Some("ps_6_6".to_owned()),
            hlsl_compiler: HlslCompiler::Glslang,
            defines: vec!["A".to_owned(), "B=2".to_owned(), "C=x=y".to_owned()],
            undefines: vec!["B".to_owned()],
            include_dirs: vec!["shared".to_owned()],
            dxc_args: vec!["-HV".to_owned(), "2021".to_owned()],
            slang_args: vec!["-O0".to_owned()],
            includes: vec!["pre.glsl".to_owned()],
            opcode_table: Some("/home/dxc".to_owned()),
            feature_names: Some("/home/acme.json".to_owned()),
            target_env: Some(TargetEnv::Vulkan11),
            std: Some("310es".to_owned()),
            include_directive: true,
        };
        assert_eq!(
            changed.to_string(),
            "bindings=registers wave_size=32 with=16-bit,precise opcode_table=/home/dxc \
             feature_names=/home/acme.json profile=ps_6_6 hlsl_compiler=glslang target_env=vulkan1.1 std=310es \
             include_directive=on define=A define=B=2 define=C=x=y undefine=B include_dir=shared include=pre.glsl \
             dxc_arg=-HV dxc_arg=2021 slang_arg=-O0"
        );
        assert_eq!(changed.macros(), ["A", "C=x=y"]);
        assert_eq!(
            Conversion { bindings: RegisterBindings::Compact, wave_size: None, ..changed.of_sources() },
            changed.of_sources()
        );
        assert!(changed.of_sources().with.is_empty() && changed.of_sources().macros() == changed.macros());
        let text = serde_json::to_string(&changed).expect("is JSON");
        assert_eq!(serde_json::from_str::<Conversion>(&text).expect("reads"), changed);
        assert_eq!(serde_json::from_str::<Conversion>("{}").expect("reads"), Conversion::default());
    }

    #[test]
    fn flags_are_those_of_the_command_line() {
        let changed = Conversion {
            wave_size: Some(32),
            with: BTreeSet::from([ConversionSwitch::Precise, ConversionSwitch::Native16Bit]),
            hlsl_compiler: HlslCompiler::Dxc,
            // Values with blanks, quotes, and what reads like another setting.
            defines: vec!["A=x y".to_owned(), "B='c'".to_owned(), "C=1 with=2".to_owned()],
            dxc_args: vec!["-HV".to_owned()],
            ..Conversion::default()
        };
        let dxil = "--dxil-wave-size 32 --dxil-with 16-bit,precise --hlsl-compiler dxc";
        let sources = r"--define 'A=x y' --define 'B='\''c'\''' --define 'C=1 with=2' --dxc-arg -HV";
        assert_eq!(changed.flags(), format!("{dxil} {sources}"));
        let defines = r"define='A=x y' define='B='\''c'\''' define='C=1 with=2'";
        assert!(changed.to_string().contains(defines), "{changed}");
        assert_eq!(Conversion::default().flags(), "");
    }
}
