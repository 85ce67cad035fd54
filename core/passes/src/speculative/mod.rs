//! Speculative compiles: what a driver could do between the creation of a shader module and that of its pipeline, done with
//! a real compiler and a clock.
//!
//! ```text
//! the application's thread                       the worker
//! module: make it, guess a layout ──task──▶ look on disk, else compile with the guessed layout ──▶ cache
//! pipeline: look up the stage's own key, then the guessed layout's key
//!           hit: move the user data, make what is left of the pipeline   ◀── the cache
//!           miss: compile everything
//! ```
//!
//! A driver would keep code objects, and rewrite the user data of the one that is found. Through Vulkan what is kept is a
//! pipeline with the guessed layout: a compute pipeline; a library of the fragment stage where the device has pipeline
//! libraries, which is linked with the rest then; else a pipeline of the fragment stage and a vertex stage that writes
//! its inputs. Vulkan wants sets that two stages share to be the same, and the guess knows one stage only: so a
//! fragment library's sets have numbers of their own, above the application's.
//!
//! * [`SpeculativeCompile`]: the results. [`Store`]: where compiled pipelines are kept from one process to the next.
//!
//! Many pipelines, with their total figures: [`speculative_corpus`](crate::speculative_corpus).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use lanescope_base::ids::{Bytes, Hash64};
use lanescope_base::named_enum;
use lanescope_base::text_format::duration;
use lanescope_model::chip::Chip;
use lanescope_model::program::StageKind;

/// The results of compiling one pipeline speculatively.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SpeculativeCompile {
    /// The device's name, as the driver reports it.
    pub device: String,
    /// The driver's name and version.
    pub driver: String,
    /// The chip that stood in for the device, where a null device was used.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub chip: Option<Chip>,
    /// The pipeline's stages, in pipeline order.
    pub stages: Vec<StageKind>,
    /// The stage that is compiled speculatively.
    pub stage: StageKind,
    /// Its entry point.
    pub entry: String,
    /// What is kept.
    pub form: Form,
    /// The key under which it is kept.
    pub key: Hash64,
    /// What the lookups found, in their order.
    pub lookups: Vec<Lookup>,
    /// What was found serves the pipeline.
    pub hit: bool,
    /// Why nothing was compiled speculatively, or why it does not serve: one sentence each.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub why: Vec<String>,
    /// What the note leaves open where it serves: one sentence each.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub gaps: Vec<String>,
    /// The worker was given what is kept on disk; whether the driver took it, only the time shows.
    pub kept: bool,
    /// Nanoseconds that the application waits for the pipeline, without a speculative compile: one value a repetition.
    /// Layouts count on neither side.
    pub without: Vec<u64>,
    /// As above, with a speculative compile: the extra time of module creation, lookups and the rest of the pipeline.
    /// Work that only Vulkan's interface requires does not count.
    pub with: Vec<u64>,
    /// Nanoseconds that the worker compiled, one value a repetition; none where nothing was compiled speculatively.
    pub worker: Vec<u64>,
    /// What happened in the repetition whose time is the middle one.
    pub events: Vec<Event>,
    /// Pipeline libraries for comparison; none where the device has none, or for compute.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub libraries: Option<Libraries>,
    /// Shader objects for comparison, where the device has them.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub objects: Option<ShaderObjects>,
    /// Pipeline binaries for comparison, where the device has them.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub binaries: Option<PipelineBinaries>,
    /// Size of what the driver gives of its cache, which is what is kept on disk.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub bytes: Option<Bytes>,
    /// Size of its code, where the driver reports it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub code: Option<Bytes>,
    /// What was left out, chosen, or did not work: one sentence each.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub notes: Vec<String>,
}

named_enum!(
    /// What represents a stage that was compiled speculatively.
    Form {
        /// A compute pipeline.
        Compute = "compute_pipeline",
        /// A library of the fragment stage.
        Library = "fragment_library",
        /// A pipeline of the fragment stage and a vertex stage that writes its inputs.
        Partnered = "partnered_pipeline",
    }
);

/// One lookup at the creation of the pipeline.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Lookup {
    /// In which cache: `stage` or `automatic layout`.
    pub cache: String,
    /// Under which key.
    pub key: Hash64,
    /// Whether an entry was found.
    pub found: bool,
}

named_enum!(
    /// Who was at work.
    Lane {
        /// The application's thread.
        Application = "application",
        /// The driver's worker.
        Worker = "worker",
    }
);

/// Something that took time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Event {
    /// Who did it.
    pub lane: Lane,
    /// What.
    pub what: String,
    /// Begin and end, in nanoseconds since the beginning.
    pub span: [u64; 2],
    /// Whether it counts as time that the application waits.
    pub critical: bool,
}

/// A pipeline linked from libraries, as applications do with the extension.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Libraries {
    /// Nanoseconds for the library of vertex input and the stages before rasterisation.
    pub before: u64,
    /// Nanoseconds for the library of the fragment stage.
    pub fragment: u64,
    /// Nanoseconds for the library of the outputs.
    pub output: u64,
    /// Nanoseconds to link them: what the application waits when it made the libraries in time.
    pub link: u64,
    /// Nanoseconds to link them with the optimiser; done later, off the application's way.
    pub optimised: u64,
}

impl SpeculativeCompile {
    /// What Vulkan offers instead, as far as it was measured: what it is, and its times.
    pub fn alternatives(&self) -> Vec<(&'static str, String)> {
        let mut out = Vec::new();
        if let Some(libraries) = &self.libraries {
            let text = format!(
                "{} pre-rasterization, {} fragment, {} output, compiled in advance; linked in {}; optimized link in {}, \
                 in the background",
                duration(libraries.before),
                duration(libraries.fragment),
                duration(libraries.output),
                duration(libraries.link),
                duration(libraries.optimised)
            );
            out.push(("pipeline libraries", text));
        }
        if let Some(objects) = &self.objects {
            let each: Vec<String> =
                objects.stages.iter().map(|one| format!("{} {}", duration(one.time), one.stage)).collect();
            let linked = objects
                .linked
                .map_or_else(String::new, |time| format!("; after that all linked in {}", duration(time)));
            let (bytes, restored) = (counted_bytes(objects.bytes), duration(objects.restored));
            let text = format!(
                "{}, compiled in advance; nothing to create before a draw{linked}; from binaries ({bytes}) in {restored}",
                each.join(", ")
            );
            out.push(("shader objects", text));
        }
        if let Some(binaries) = &self.binaries {
            let [restore, create] = [binaries.restore, binaries.create].map(duration);
            let kept = if binaries.count == 1 { "1 binary".to_owned() } else { format!("{} binaries", binaries.count) };
            let text = format!(
                "{kept} ({}) kept by the application, created in {restore}; the pipeline from them in {create}",
                counted_bytes(binaries.bytes)
            );
            out.push(("pipeline binaries", text));
        }
        out
    }
}

fn counted_bytes(bytes: Bytes) -> String {
    format!("{} byte{}", bytes.0, if bytes.0 == 1 { "" } else { "s" })
}

/// Shader objects (`VK_EXT_shader_object`): an application creates each stage when it has its shader, and waits for nothing
/// when it draws.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ShaderObjects {
    /// The time to create each stage alone, in the order of the pipeline.
    pub stages: Vec<StageTime>,
    /// Nanoseconds to create all stages linked with each other, after they were created alone: a driver may use parts of that.
    /// Absent for one stage.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub linked: Option<u64>,
    /// Size of the binaries of the stages that were created alone.
    pub bytes: Bytes,
    /// Nanoseconds to create the stages from these binaries.
    pub restored: u64,
}

impl ShaderObjects {
    /// Nanoseconds to create all stages alone.
    pub fn total(&self) -> u64 {
        self.stages.iter().map(|stage| stage.time).fold(0, u64::saturating_add)
    }
}

/// The time that a stage takes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StageTime {
    /// The stage.
    pub stage: StageKind,
    /// Nanoseconds.
    pub time: u64,
}

/// Binaries of the pipeline that an application keeps (`VK_KHR_pipeline_binary`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PipelineBinaries {
    /// How many binaries the pipeline has.
    pub count: usize,
    /// Their size.
    pub bytes: Bytes,
    /// Nanoseconds to create binary objects from this data.
    pub restore: u64,
    /// Nanoseconds to create the pipeline from these objects: what the application waits.
    pub create: u64,
}

/// What compiled pipelines are kept in.
pub trait Store: Sync {
    /// The entry of a name; an error where an entry exists and cannot be read.
    fn load(&self, name: &str) -> Result<Option<Vec<u8>>, String>;
    /// Keeps something.
    fn store(&self, name: &str, bytes: &[u8]) -> Result<(), String>;
}

/// What an entry of a store is called: the key of what was guessed, the device's own mark of its caches, what is kept.
pub fn entry_name(key: Hash64, device: u128, form: Form) -> String {
    format!("{key}-{device:032x}-{form}")
}

/// Whether an entry of a store may be called that.
pub fn is_entry_name(text: &str) -> bool {
    let is_hex = |digits: &str, count| {
        digits.len() == count && digits.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
    };
    let parts: Vec<&str> = text.split('-').collect();
    let [key, device, form] = parts.as_slice() else { return false };
    key.strip_prefix("0x").is_some_and(|digits| is_hex(digits, 16))
        && is_hex(device, 32)
        && Form::ALL.iter().any(|known| known.name() == *form)
}

/// `1.20 ms less`: nanoseconds that are saved, or lost where they are negative.
pub(crate) fn change(saved: i64) -> String {
    format!("{} {}", duration(saved.unsigned_abs()), if saved >= 0 { "less" } else { "more" })
}

/// A store that keeps nothing.
impl Store for () {
    fn load(&self, _: &str) -> Result<Option<Vec<u8>>, String> {
        Ok(None)
    }

    fn store(&self, _: &str, _: &[u8]) -> Result<(), String> {
        Ok(())
    }
}

impl SpeculativeCompile {
    /// The middle one of some times; 0 for none.
    pub fn median(times: &[u64]) -> u64 {
        let mut sorted = times.to_vec();
        sorted.sort_unstable();
        sorted.get(sorted.len() / 2).copied().unwrap_or(0)
    }

    /// Nanoseconds that the application waits less; negative where it waits longer.
    pub fn saved(&self) -> i64 {
        let number = |value| i64::try_from(value).unwrap_or(i64::MAX);
        number(SpeculativeCompile::median(&self.without)) - number(SpeculativeCompile::median(&self.with))
    }

    /// What the application waits with it and without.
    pub fn waits(&self) -> String {
        let [with, without] =
            [SpeculativeCompile::median(&self.with), SpeculativeCompile::median(&self.without)].map(duration);
        let middle = match self.with.len() {
            0 | 1 => String::new(),
            count => format!(" (median of {count})"),
        };
        let noise = if self.is_noise() { "; a miss saves nothing: the difference is noise" } else { "" };
        format!("{with} with it, {without} without: {}{middle}{noise}", change(self.saved()))
    }

    /// Whether the note says how to use what was found.
    pub fn usable(&self) -> bool {
        self.hit && self.gaps.is_empty()
    }

    /// Whether the time that seems to be saved cannot be: on a miss the pipeline is compiled as without.
    pub fn is_noise(&self) -> bool {
        !self.hit && self.saved() > 0
    }

    /// Whether the worker compiled something that served nothing.
    pub fn wasted(&self) -> bool {
        !self.hit && !self.worker.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanescope_base::ids::Hex;

    #[test]
    fn recognises_entry_names() {
        for form in Form::ALL {
            let name = entry_name(Hex(7), u128::MAX, *form);
            assert!(is_entry_name(&name), "{name}");
            for other in [format!("{name}x"), name[1..].to_owned(), name.to_uppercase(), format!("{name}-")] {
                assert!(!is_entry_name(&other), "{other}");
            }
        }
        assert!(!is_entry_name("important") && !is_entry_name(""));
    }
}
