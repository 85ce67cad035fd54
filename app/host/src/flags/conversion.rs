//! Arguments of every command that loads files: how HLSL and DXIL become SPIR-V, and whether that is validated.

use std::path::Path;

use clap::Args;
use lanescope_core::load::stage_of_name;
use lanescope_core::options::{
    Conversion, ConversionSwitch, HlslCompiler, RegisterBindings, TargetEnv, glsl_version, macro_definition, macro_name,
};
use lanescope_core::program::StageKind;

use super::choices::one_of;

/// How HLSL and DXIL become SPIR-V.
#[derive(Debug, Clone, Args)]
pub struct ConversionArgs {
    /// How DXIL registers map to descriptors: numbered without gaps, or register as binding and space as set
    #[arg(
        long,
        value_name = "compact|registers",
        default_value = "compact",
        help_heading = "DXIL",
        value_parser = one_of(RegisterBindings::ALL, RegisterBindings::name),
        hide_possible_values = true,
    )]
    dxil_bindings: RegisterBindings,

    /// Wave size that DXIL is converted for; overrides its own
    #[arg(long, value_name = "4|8|…|128", value_parser = wave_size, help_heading = "DXIL")]
    dxil_wave_size: Option<u32>,

    /// Conversion switches: 16-bit, physical-buffers and others (`lanescope help dxil` lists them)
    #[arg(
        long,
        value_name = "SWITCH[,SWITCH…]",
        value_delimiter = ',',
        help_heading = "DXIL",
        value_parser = one_of(ConversionSwitch::ALL, ConversionSwitch::name),
        hide_possible_values = true,
    )]
    dxil_with: Vec<ConversionSwitch>,

    /// Op tables to read DXIL with, instead of those of this build: a JSON file, hctdb.py, or a folder of DXC's sources or
    /// build (`lanescope help opcodes` says more)
    #[arg(long, value_name = "FILE|DIR", value_parser = opcode_table, help_heading = "DXIL")]
    opcode_table: Option<String>,

    /// Names of ops in private partitions (FeatureIDs that DXC does not use): a JSON file
    #[arg(long, value_name = "FILE", value_parser = feature_names, help_heading = "DXIL")]
    feature_names: Option<String>,

    /// Profile that HLSL is compiled for; overrides the one in the file name (`a.ps.hlsl`)
    #[arg(long, value_name = "PROFILE", value_parser = profile, help_heading = "DXIL")]
    profile: Option<String>,

    /// HLSL compiler; auto is dxc if its library can be loaded, else glslang
    #[arg(
        long,
        value_name = "auto|dxc|glslang",
        default_value = "auto",
        help_heading = "DXIL",
        value_parser = one_of(HlslCompiler::ALL, HlslCompiler::name),
        hide_possible_values = true,
    )]
    hlsl_compiler: HlslCompiler,

    /// Macro to define before HLSL, GLSL and Slang sources, or override of WGSL; 1 without a value (may be repeated)
    #[arg(short = 'D', long = "define", value_name = "NAME[=VALUE]", value_parser = definition, help_heading = "Sources")]
    defines: Vec<String>,

    /// Macro not to define: cancels -D of the same name (may be repeated)
    #[arg(short = 'U', long = "undefine", value_name = "NAME", value_parser = undefined, help_heading = "Sources")]
    undefines: Vec<String>,

    /// Folder to look through for included files, after the folder of the source (may be repeated)
    #[arg(short = 'I', long = "include-dir", value_name = "DIR", value_parser = folder, help_heading = "Sources")]
    include_dirs: Vec<String>,

    /// File to include before GLSL, HLSL and Slang sources, after their #version: a path, or a name in a folder of -I (may be
    /// repeated)
    #[arg(long = "include", value_name = "FILE", value_parser = nonempty, help_heading = "Sources")]
    includes: Vec<String>,

    /// Enable `#include` in GLSL that does not require GL_GOOGLE_include_directive, as glslc does
    #[arg(long, help_heading = "Sources")]
    include_directive: bool,

    /// Vulkan version that glslang, naga and Slang compile for, with its newest SPIR-V [default: vulkan1.3; Slang's own]
    #[arg(
        long,
        value_name = "vulkan1.0|…|vulkan1.4",
        help_heading = "Sources",
        value_parser = one_of(TargetEnv::ALL, TargetEnv::name),
        hide_possible_values = true,
    )]
    target_env: Option<TargetEnv>,

    /// Version of GLSL, such as 450, 460core or 310es; overrides #version, which may then be missing
    #[arg(long, value_name = "VERSION", value_parser = version, help_heading = "Sources")]
    std: Option<String>,

    /// Argument to pass to DXC, such as -HV, 2021 or -O3 (may be repeated)
    #[arg(long = "dxc-arg", value_name = "ARG", allow_hyphen_values = true, help_heading = "Sources")]
    dxc_args: Vec<String>,

    /// Argument to pass to the Slang compiler, such as -O0 (may be repeated)
    #[arg(long = "slang-arg", value_name = "ARG", allow_hyphen_values = true, help_heading = "Sources")]
    slang_args: Vec<String>,

    /// Stage of GLSL without a stage in its file name, such as standard input (`-`), or of a `.slang` file
    #[arg(long, value_name = "STAGE", value_parser = stage)]
    stage: Option<StageKind>,

    /// Open SPIR-V that the validator rejects too; finding L006 gives the reason
    #[arg(long)]
    no_validate: bool,

    /// Executable spirv-val to validate with, instead of the SPIRV-Tools built in: a path, or `auto` for the newest one on
    /// PATH where it is newer
    #[arg(long, value_name = "PATH|auto", value_parser = validator)]
    validator: Option<String>,
}

impl ConversionArgs {
    /// Whether modules that the validator rejects are opened too.
    pub fn no_validate(&self) -> bool {
        self.no_validate
    }

    /// The validator instead of the one that is built in.
    pub fn validator(&self) -> Option<String> {
        self.validator.clone()
    }

    /// The stage of GLSL without a stage in its file name.
    pub fn stage(&self) -> Option<StageKind> {
        self.stage
    }

    /// The options set by flags.
    pub fn conversion(&self) -> Conversion {
        Conversion {
            bindings: self.dxil_bindings,
            wave_size: self.dxil_wave_size,
            with: self.dxil_with.iter().copied().collect(),
            profile: self.profile.clone(),
            hlsl_compiler: self.hlsl_compiler,
            defines: self.defines.clone(),
            undefines: self.undefines.clone(),
            include_dirs: self.include_dirs.clone(),
            dxc_args: self.dxc_args.clone(),
            slang_args: self.slang_args.clone(),
            includes: self.includes.clone(),
            opcode_table: self.opcode_table.clone(),
            feature_names: self.feature_names.clone(),
            target_env: self.target_env,
            std: self.std.clone(),
            include_directive: self.include_directive,
        }
    }
}

/// A validator that was typed: `auto`, a path, which is made a full one, or nothing for the one that is built in.
///
/// # Errors
/// A path that cannot be written down.
pub fn typed_validator(text: &str) -> Result<Option<String>, String> {
    match text.trim() {
        "" => Ok(None),
        "auto" => Ok(Some("auto".to_owned())),
        path => {
            let path = std::path::absolute(path).map_err(|error| error.to_string())?;
            path.into_os_string().into_string().map(Some).map_err(|_| "the path is not UTF-8".to_owned())
        }
    }
}

/// Parses a validator.
fn validator(text: &str) -> Result<String, String> {
    typed_validator(text)?.ok_or_else(|| "expected a path or `auto`".to_owned())
}

/// A path that was typed, of op tables or names of ops, which is made a full one; or nothing.
///
/// # Errors
/// A path that cannot be written down.
pub fn typed_path(text: &str) -> Result<Option<String>, String> {
    match text.trim() {
        "" => Ok(None),
        path => {
            let path = std::path::absolute(path).map_err(|error| error.to_string())?;
            path.into_os_string().into_string().map(Some).map_err(|_| "the path is not UTF-8".to_owned())
        }
    }
}

/// Parses the path of op tables.
fn opcode_table(text: &str) -> Result<String, String> {
    typed_path(text)?.ok_or_else(|| "expected a file or a folder".to_owned())
}

/// Parses the path of names of ops.
fn feature_names(text: &str) -> Result<String, String> {
    typed_path(text)?.ok_or_else(|| "expected a file".to_owned())
}

/// Parses a wave size.
fn wave_size(text: &str) -> Result<u32, String> {
    let sizes = Conversion::WAVE_SIZES;
    let known = || sizes.map(|size| size.to_string()).join(", ");
    let size = text.parse().map_err(|error| format!("expected one of {}: {error}", known()))?;
    if sizes.contains(&size) { Ok(size) } else { Err(format!("expected one of {}", known())) }
}

/// Parses a stage by name or by file extension: `fragment`, `frag`.
pub fn stage(text: &str) -> Result<StageKind, String> {
    let named = StageKind::ALL.iter().copied().find(|stage| stage.name() == text);
    named.or_else(|| stage_of_name(text)).ok_or_else(|| {
        let names: Vec<&str> = StageKind::ALL.iter().map(|stage| stage.name()).collect();
        format!("expected one of {}, or a file extension such as `frag`", names.join(", "))
    })
}

/// Parses a profile such as `ps_6_6`.
fn profile(text: &str) -> Result<String, String> {
    lanescope_core::load::hlsl_profile(text).map(|()| text.to_owned())
}

/// Parses a macro's definition: `NAME` or `NAME=VALUE`.
fn definition(text: &str) -> Result<String, String> {
    macro_definition(text).map(|()| text.to_owned())
}

/// Parses a macro's name.
fn undefined(text: &str) -> Result<String, String> {
    macro_name(text).map(|()| text.to_owned())
}

/// Parses a version of GLSL.
fn version(text: &str) -> Result<String, String> {
    glsl_version(text).map(|_| text.to_owned())
}

/// Parses a name of a file, which may be in a folder that is looked through.
fn nonempty(text: &str) -> Result<String, String> {
    if text.is_empty() { Err("expected a file".to_owned()) } else { Ok(text.to_owned()) }
}

/// Parses a folder that exists: compilers say nothing of others.
fn folder(text: &str) -> Result<String, String> {
    match Path::new(text).is_dir() {
        true => Ok(text.to_owned()),
        false => Err("is not a folder".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_stages_by_name_or_extension() {
        assert_eq!((stage("fragment"), stage("frag")), (Ok(StageKind::Fragment), Ok(StageKind::Fragment)));
        assert_eq!(stage("tesc"), Ok(StageKind::TessControl));
        assert!(stage("spv").is_err_and(|error| error.contains("tess_control")));
    }

    #[test]
    fn accepts_the_wave_sizes_of_d3d() {
        assert_eq!(wave_size("32"), Ok(32));
        assert!(wave_size("33").is_err_and(|error| error.contains("4, 8, 16, 32, 64, 128")));
        assert!(wave_size("x").is_err());
    }
}
