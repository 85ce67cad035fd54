//! Arguments of every command that loads files: how HLSL and DXIL become SPIR-V, and whether that is validated.

use std::path::Path;

use clap::Args;
use lanescope_core::load::stage_of_extension;
use lanescope_core::options::{Conversion, ConversionSwitch, HlslCompiler, RegisterBindings};
use lanescope_core::program::StageKind;

use super::choices::one_of;

/// How HLSL and DXIL become SPIR-V.
#[derive(Debug, Clone, Args)]
pub struct ConversionArgs {
    /// Where registers go: numbered without gaps, or as binding and set
    #[arg(
        long,
        value_name = "compact|registers",
        default_value = "compact",
        help_heading = "DXIL",
        value_parser = one_of(RegisterBindings::ALL, RegisterBindings::name),
        hide_possible_values = true,
    )]
    dxil_bindings: RegisterBindings,

    /// Lanes of a wave that DXIL is converted for, instead of its own
    #[arg(long, value_name = "4|8|…|128", value_parser = wave_size, help_heading = "DXIL")]
    dxil_wave_size: Option<u32>,

    /// Switches of the conversion: 16-bit, physical-buffers and others (`lanescope help dxil` lists them)
    #[arg(
        long,
        value_name = "SWITCH[,SWITCH…]",
        value_delimiter = ',',
        help_heading = "DXIL",
        value_parser = one_of(ConversionSwitch::ALL, ConversionSwitch::name),
        hide_possible_values = true,
    )]
    dxil_with: Vec<ConversionSwitch>,

    /// Profile that HLSL is compiled for, instead of the one in its name (`a.ps.hlsl`)
    #[arg(long, value_name = "PROFILE", value_parser = profile, help_heading = "DXIL")]
    profile: Option<String>,

    /// What compiles HLSL: DXC where its library can be loaded, glslang where not; or one of them
    #[arg(
        long,
        value_name = "auto|dxc|glslang",
        default_value = "auto",
        help_heading = "DXIL",
        value_parser = one_of(HlslCompiler::ALL, HlslCompiler::name),
        hide_possible_values = true,
    )]
    hlsl_compiler: HlslCompiler,

    /// Stage of GLSL whose name says none, as of standard input (`-`)
    #[arg(long, value_name = "STAGE", value_parser = stage)]
    stage: Option<StageKind>,

    /// Open SPIR-V that the validator refuses too: finding L006 says why it is refused
    #[arg(long)]
    no_validate: bool,
}

impl ConversionArgs {
    /// Whether modules that the validator refuses are wanted.
    pub fn no_validate(&self) -> bool {
        self.no_validate
    }

    /// The stage of GLSL whose name says none.
    pub fn stage(&self) -> Option<StageKind> {
        self.stage
    }

    /// What the flags say.
    pub fn conversion(&self) -> Conversion {
        Conversion {
            bindings: self.dxil_bindings,
            wave_size: self.dxil_wave_size,
            with: self.dxil_with.iter().copied().collect(),
            profile: self.profile.clone(),
            hlsl_compiler: self.hlsl_compiler,
        }
    }
}

/// Reads a wave size.
fn wave_size(text: &str) -> Result<u32, String> {
    let sizes = Conversion::WAVE_SIZES;
    let known = || sizes.map(|size| size.to_string()).join(", ");
    let size = text.parse().map_err(|error| format!("one of {} was expected: {error}", known()))?;
    if sizes.contains(&size) { Ok(size) } else { Err(format!("one of {} was expected", known())) }
}

/// Reads a stage, by its name or as files are named: `fragment`, `frag`.
fn stage(text: &str) -> Result<StageKind, String> {
    let named = StageKind::ALL.iter().copied().find(|stage| stage.name() == text);
    named.or_else(|| stage_of_extension(&Path::new("shader").with_extension(text))).ok_or_else(|| {
        let names: Vec<&str> = StageKind::ALL.iter().map(|stage| stage.name()).collect();
        format!("one of {} or an extension as `frag` was expected", names.join(", "))
    })
}

/// Reads a profile: `ps_6_6`.
fn profile(text: &str) -> Result<String, String> {
    lanescope_core::load::hlsl_profile(text).map(|()| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_are_named_or_extensions() {
        assert_eq!((stage("fragment"), stage("frag")), (Ok(StageKind::Fragment), Ok(StageKind::Fragment)));
        assert_eq!(stage("tesc"), Ok(StageKind::TessControl));
        assert!(stage("spv").is_err_and(|error| error.contains("tess_control")));
    }

    #[test]
    fn wave_sizes_are_those_of_d3d() {
        assert_eq!(wave_size("32"), Ok(32));
        assert!(wave_size("33").is_err_and(|error| error.contains("4, 8, 16, 32, 64, 128")));
        assert!(wave_size("x").is_err());
    }
}
