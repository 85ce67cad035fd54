//! Slang source, by the Slang compiler where that is installed: one module with every entry point of the file.
//!
//! * `library`: where the compiler's library is, which is loaded when it is needed and then kept.
//! * `names`: folders that are no text.
//! * `messages`: what the compiler says.
//!
//! The options are those of a plain `slangc -target spirv`, with the names of entry points as they are in the source, and
//! with lines.

mod library;
mod messages;
mod names;

use std::path::{Path, PathBuf};

use lanescope_model::options::Conversion;
use lanescope_model::program::{LoadedModule, SourcePlace, StageKind};
use lanescope_slang::{Compiled, Job};

use super::error::Problem;
use super::given::Given;
use super::included::Included;
use super::reads::Reads;
use super::sniff::stage_of_extension;
use super::{LoadOptions, Loaded, activity, hlsl, preceding, validate};
use names::Names;

pub use library::{LIBRARY_VARIABLE, compiler};

/// What entry points have: an attribute that says their stage, or that of compute shaders.
const ATTRIBUTES: [&str; 2] = ["[shader(", "[numthreads("];
/// The number of the message that there is no entry point.
const NO_ENTRY_POINT: &str = "57004";

pub(super) fn load(path: &Path, bytes: Vec<u8>, wanted: &LoadOptions) -> Result<Loaded, Problem> {
    let text = String::from_utf8(bytes).map_err(|e| Problem::NotUtf8 { offset: e.utf8_error().valid_up_to() })?;
    if let Some(offset) = text.bytes().position(|b| b == 0) {
        return Err(Problem::ZeroByte { offset });
    }
    let conversion = &wanted.conversion;
    let first = preceding::files(conversion)?;
    let names = Names::of(path, wanted.folder_of(path), conversion, &first);
    let lines = preceding::hlsl(&text, &names.first()).into_owned();
    let stage = stage_of_extension(path).or(wanted.stage);
    let code = hlsl::without_comments(&text);
    let entry = entry(&code, stage, &wanted.entries);
    let arguments = arguments(conversion, &names);
    let told = names.told().to_owned();
    let job = Job { text: &lines, name: &told, arguments: &arguments, entry };
    let mut files = Files { names, reads: Reads::of(&conversion.macros()), included: Included::new(Given::of(wanted)) };
    let (made, compiler) = library::with(|slang| {
        let compiler = library::name_of(slang);
        let _doing = activity::begin(|| format!("compiling {} with {compiler}", path.display()));
        (slang.compile(&job, &mut files), compiler)
    })
    .map_err(|why| Problem::NoSlang { why })?;
    let Compiled { module, log } = made.map_err(|log| Problem::Slang { log: log.trim().to_owned() })?;
    let Some(module) = module else {
        return Err(Problem::Slang {
            log: refused(&log, &files, job.entry.is_some() || has_entries(&code) && !log.contains(NO_ENTRY_POINT)),
        });
    };
    files.reads.read(&text);
    let place = SourcePlace { file: path.display().to_string(), after: 0 };
    let module = validate::compiled(words(&module)?, text, place, wanted)?;
    let includes = files.included.met.into_iter().map(PathBuf::into_os_string).collect();
    let (unread_macros, warnings) = (files.reads.unread(), messages::warnings(&log));
    let module = Box::new(LoadedModule { includes, unread_macros, warnings, ..module });
    Ok(Loaded::Compiled { module, compiler })
}

/// The words of a module.
fn words(bytes: &[u8]) -> Result<Vec<u32>, Problem> {
    match bytes.as_chunks::<4>() {
        (words, []) => Ok(words.iter().map(|word| u32::from_le_bytes(*word)).collect()),
        (_, rest) => Err(Problem::PartialWord { offset: bytes.len() - rest.len(), left: rest.len() }),
    }
}

/// Whether a text without comments has functions that are entry points by themselves.
fn has_entries(code: &str) -> bool {
    let text: String = code.chars().filter(|c| !c.is_whitespace()).collect();
    let text = text.to_ascii_lowercase();
    ATTRIBUTES.iter().any(|attribute| text.contains(attribute))
}

/// The function that is the entry point of a stage, where no attribute says so: one that is wanted, or `main`.
fn entry<'t>(text: &'t str, stage: Option<StageKind>, wanted: &'t [String]) -> Option<(&'t str, StageKind)> {
    let stage = stage.filter(|_| !has_entries(text))?;
    let named = wanted.iter().find(|name| hlsl::has_word(text, name)).map(String::as_str);
    Some((named.unwrap_or_else(|| hlsl::usual_entry(text, hlsl::kind_of(stage))), stage))
}

/// What follows the target on the compiler's command line. What a user adds comes last.
fn arguments(conversion: &Conversion, names: &Names) -> Vec<String> {
    let mut out = vec!["-fvk-use-entrypoint-name".to_owned(), "-g1".to_owned()];
    if let Some(env) = conversion.target_env {
        let (major, minor) = env.spirv();
        out.extend(["-profile".to_owned(), format!("spirv_{major}_{minor}")]);
    }
    out.extend(conversion.macros().into_iter().map(|one| format!("-D{one}")));
    out.extend(names.folders().flat_map(|folder| ["-I".to_owned(), folder.to_owned()]));
    out.extend(conversion.slang_args.iter().cloned());
    out
}

/// The messages of a text that does not compile.
fn refused(log: &str, files: &Files<'_>, has_entries: bool) -> String {
    let mut log = log.trim().to_owned();
    for reason in &files.included.refused {
        log.push_str(&format!("\n{reason}"));
    }
    if log.is_empty() {
        "the compiler gives no reason".clone_into(&mut log);
    }
    if !has_entries {
        log.push_str(
            "\nno function has an attribute that makes it an entry point, such as [shader(\"fragment\")]; without one, name \
             the file after its stage (a.frag.slang) or give --stage, and --entry where the function is not called main",
        );
    }
    log
}

/// Serves `#include` and `import`.
struct Files<'w> {
    names: Names,
    reads: Reads,
    included: Included<'w>,
}

impl lanescope_slang::Files for Files<'_> {
    fn file(&mut self, name: &str) -> Option<Vec<u8>> {
        let bytes = self.included.read(&self.names.file(name), Ok)?;
        if let Ok(text) = std::str::from_utf8(&bytes) {
            self.reads.read(text);
        }
        Some(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_point_without_an_attribute_has_the_stage_of_the_file() {
        let frag = Some(StageKind::Fragment);
        let wanted = ["shade".to_owned()];
        assert_eq!(entry("float4 main() {}", frag, &[]), Some(("main", StageKind::Fragment)));
        assert_eq!(entry("float4 PSMain() {}", frag, &[]), Some(("PSMain", StageKind::Fragment)));
        assert_eq!(entry("float4 shade() {}", frag, &wanted), Some(("shade", StageKind::Fragment)));
        assert_eq!(entry("float4 main() {}", None, &wanted), None);
        assert_eq!(entry("[ Shader(\"pixel\")] float4 main() {}", frag, &[]), None);
        assert_eq!(entry("[numthreads(1, 1, 1)] void main() {}", Some(StageKind::Compute), &[]), None);
        // An index is no attribute.
        assert!(entry("float4 main(uint shaderId : ID) { return colors[shaderId]; }", frag, &[]).is_some());
    }

    #[test]
    fn arguments_are_those_of_a_plain_compilation_and_of_the_user() {
        let conversion = Conversion {
            target_env: Some(lanescope_model::options::TargetEnv::Vulkan11),
            defines: vec!["A".to_owned(), "B=2".to_owned()],
            include_dirs: vec!["shared".to_owned()],
            slang_args: vec!["-O0".to_owned()],
            ..Conversion::default()
        };
        let names = Names::of(Path::new("a.slang"), Path::new(""), &conversion, &[]);
        let expected =
            ["-fvk-use-entrypoint-name", "-g1", "-profile", "spirv_1_3", "-DA", "-DB=2", "-I", "shared", "-O0"];
        assert_eq!(arguments(&conversion, &names), expected);
    }
}
