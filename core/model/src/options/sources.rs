//! What sources are compiled with: macros, versions of GLSL, environments; and their check, for flags and for controls.

use super::{Conversion, HlslCompiler, RegisterBindings};

/// The profile of a version of GLSL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GlslProfile {
    /// None is said.
    Unsaid,
    /// The core profile.
    Core,
    /// The compatibility profile.
    Compatibility,
    /// GLSL ES.
    Es,
}

/// The versions of GLSL, and those of GLSL ES.
const VERSIONS: [u32; 13] = [110, 120, 130, 140, 150, 330, 400, 410, 420, 430, 440, 450, 460];
const ES_VERSIONS: [u32; 4] = [100, 300, 310, 320];

/// Reads a version of GLSL as glslc does: `450`, `460core`, `310es`.
///
/// # Errors
/// What was expected.
pub fn glsl_version(text: &str) -> Result<(u32, GlslProfile), String> {
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, profile) = text.split_at(digits);
    let profile = match profile {
        "" => Some(GlslProfile::Unsaid),
        "core" => Some(GlslProfile::Core),
        "compatibility" => Some(GlslProfile::Compatibility),
        "es" => Some(GlslProfile::Es),
        _ => None,
    };
    let number = number.parse::<u32>().ok().filter(|_| digits == 3);
    if let (Some(number), Some(profile)) = (number, profile) {
        let is_known = match profile {
            GlslProfile::Es => ES_VERSIONS.contains(&number),
            // Profiles came with 1.50.
            GlslProfile::Core | GlslProfile::Compatibility => VERSIONS.contains(&number) && number >= 150,
            GlslProfile::Unsaid => VERSIONS.contains(&number),
        };
        if is_known {
            return Ok((number, profile));
        }
    }
    let all: Vec<String> = VERSIONS.iter().map(u32::to_string).collect();
    let es: Vec<String> = ES_VERSIONS.iter().map(|number| format!("{number}es")).collect();
    Err(format!(
        "`{text}` is not a version of GLSL; expected one of {} (`core` or `compatibility` may follow), or {}",
        all.join(", "),
        es.join(", ")
    ))
}

/// Checks the definition of a macro: `NAME` or `NAME=VALUE`.
///
/// # Errors
/// What was expected.
pub fn macro_definition(text: &str) -> Result<(), String> {
    macro_name(defined_name(text))?;
    match text {
        _ if text.contains(['\n', '\r', '\0']) => Err("expected a value of one line".to_owned()),
        _ if text.ends_with('\\') => Err("a `\\` at the end of the value would join the next line to it".to_owned()),
        _ => Ok(()),
    }
}

/// Checks the name of a macro.
///
/// # Errors
/// What was expected.
pub fn macro_name(text: &str) -> Result<(), String> {
    let joins = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let is_name = text.chars().all(joins) && text.starts_with(|c: char| joins(c) && !c.is_ascii_digit());
    if is_name { Ok(()) } else { Err("expected a name of letters, digits and _".to_owned()) }
}

/// The name that a definition defines.
pub fn defined_name(definition: &str) -> &str {
    definition.split_once('=').map_or(definition, |(name, _)| name)
}

impl Conversion {
    /// This conversion with what another one adds or says differently: lists go on, and a macro that is defined again has
    /// the other's value, also where this one cancels it.
    pub fn and(&self, more: &Conversion) -> Conversion {
        // Without `..`, so that no field is forgotten.
        let Conversion {
            bindings,
            wave_size,
            with,
            profile,
            hlsl_compiler,
            defines,
            undefines,
            include_dirs,
            dxc_args,
            slang_args,
            includes,
            opcode_table,
            feature_names,
            target_env,
            std,
            include_directive,
        } = more;
        let mut out = self.clone();
        let again: Vec<&str> = defines.iter().map(|one| defined_name(one)).collect();
        out.defines.retain(|one| !again.contains(&defined_name(one)));
        out.undefines.retain(|name| !again.contains(&name.as_str()));
        for (into, from) in [
            (&mut out.defines, defines),
            (&mut out.undefines, undefines),
            (&mut out.include_dirs, include_dirs),
            (&mut out.includes, includes),
            (&mut out.dxc_args, dxc_args),
            (&mut out.slang_args, slang_args),
        ] {
            into.extend(from.iter().cloned());
        }
        out.with.extend(with.iter().copied());
        if *bindings != RegisterBindings::Compact {
            out.bindings = *bindings;
        }
        if *hlsl_compiler != HlslCompiler::Auto {
            out.hlsl_compiler = *hlsl_compiler;
        }
        out.include_directive |= include_directive;
        out.wave_size = wave_size.or(out.wave_size);
        out.target_env = target_env.or(out.target_env);
        out.profile = profile.clone().or(out.profile);
        out.opcode_table = opcode_table.clone().or(out.opcode_table);
        out.feature_names = feature_names.clone().or(out.feature_names);
        out.std = std.clone().or(out.std);
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::TargetEnv;

    #[test]
    fn reads_versions_of_glsl() {
        assert_eq!(glsl_version("450"), Ok((450, GlslProfile::Unsaid)));
        assert_eq!(glsl_version("460core"), Ok((460, GlslProfile::Core)));
        assert_eq!(glsl_version("330compatibility"), Ok((330, GlslProfile::Compatibility)));
        assert_eq!(glsl_version("310es"), Ok((310, GlslProfile::Es)));
        for wrong in ["", "45", "4500", "310", "460es", "140core", "470", "450 core", "core", "-450"] {
            assert!(glsl_version(wrong).is_err_and(|error| error.contains("310es")), "{wrong}");
        }
    }

    #[test]
    fn macros_have_names() {
        for text in ["A", "_a1", "A=", "A=x y", "A=B=C"] {
            assert_eq!(macro_definition(text), Ok(()));
        }
        for text in ["", "=1", "1A", "A(x)=x", "ö", "A=1\nB", "A=1\\", "A=\\"] {
            assert!(macro_definition(text).is_err(), "{text}");
        }
        assert!(macro_name("A=1").is_err());
    }

    #[test]
    fn what_is_added_goes_on_or_wins() {
        let words = |all: &[&str]| all.iter().map(|&one| one.to_owned()).collect::<Vec<_>>();
        let first = Conversion {
            defines: words(&["A=1", "B"]),
            include_dirs: words(&["x"]),
            std: Some("450".to_owned()),
            target_env: Some(TargetEnv::Vulkan11),
            ..Conversion::default()
        };
        let more = Conversion {
            defines: words(&["A=2"]),
            include_dirs: words(&["y"]),
            std: Some("460".to_owned()),
            ..Conversion::default()
        };
        let both = first.and(&more);
        assert_eq!((both.defines, both.include_dirs), (words(&["B", "A=2"]), words(&["x", "y"])));
        assert_eq!((both.std.as_deref(), both.target_env), (Some("460"), Some(TargetEnv::Vulkan11)));
        let cancelled = Conversion { undefines: words(&["A", "B"]), ..first.clone() };
        assert_eq!(cancelled.macros(), words(&[]));
        assert_eq!(cancelled.and(&more).macros(), words(&["A=2"]), "what is added counts");
        let cancels = Conversion { undefines: words(&["A"]), ..Conversion::default() };
        assert_eq!(first.and(&cancels).macros(), words(&["B"]));
        assert_eq!(first.and(&Conversion::default()), first);
        assert_eq!(Conversion::default().and(&first), first);
    }
}
