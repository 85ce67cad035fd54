//! PAL metadata: `amdpal.pipelines` of the tree as pipelines with their shaders and hardware stages.

use lanescope_base::ids::{Hash64, Hex};
use lanescope_base::named_enum;
use lanescope_passes::findings::OBJECT_VALUE;
use schemars::JsonSchema;
use serde::Serialize;

use crate::elf::{Header, Symbol};
use crate::findings::Findings;
use crate::notes::short;
use crate::semantics::{self, Semantic};
use crate::user_data::UserData;
use crate::value::Value;

/// Keys of a pipeline that are decoded, or that have a section of their own.
const DECODED: &[&str] = &[
    ".internal_pipeline_hash",
    ".shaders",
    ".hardware_stages",
    ".registers",
    ".graphics_registers",
    ".compute_registers",
    semantics::INPUTS,
    semantics::OUTPUTS,
];
/// The mapping of a hardware stage.
const USER_DATA: &str = ".user_data_reg_map";
/// The spill threshold of a pipeline that does not spill user data.
pub(crate) const NO_SPILL: u64 = 0xffff;

named_enum!(
    /// A stage of the hardware.
    HardwareStage {
        /// Local shader: the vertex shader before tessellation.
        Ls = "ls",
        /// Hull shader: with the local shader merged into it from GFX9 on.
        Hs = "hs",
        /// Export shader: before a geometry shader.
        Es = "es",
        /// Geometry shader: with the export shader merged into it from GFX9 on; all of NGG.
        Gs = "gs",
        /// Vertex shader: the last one before the rasterizer, without NGG.
        Vs = "vs",
        /// Pixel shader.
        Ps = "ps",
        /// Compute shader.
        Cs = "cs",
    }
);

impl HardwareStage {
    /// The stage that the name of a symbol says: `_amdgpu_ps_main`.
    pub(crate) fn of_symbol(name: &str) -> Option<HardwareStage> {
        let (stage, rest) = name.strip_prefix("_amdgpu_")?.split_once('_')?;
        let of_stage = ["main", "shdr_intrl_tbl", "disasm", "shdr_intrl_data"];
        let is_of_stage = of_stage.contains(&rest) || rest.starts_with("main_");
        stage.parse().ok().filter(|_| is_of_stage)
    }
}

/// A pipeline of PAL metadata.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Pipeline {
    /// `.internal_pipeline_hash`: the stable hash, and the unique one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hash: Option<[Hash64; 2]>,
    /// `.user_data_limit`: one more than the last entry of user data that is read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_data_limit: Option<u64>,
    /// `.spill_threshold`: the first entry of user data that is read from memory; absent where none is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spill_threshold: Option<u64>,
    /// The API's shaders.
    pub shaders: Vec<Shader>,
    /// The hardware stages.
    pub stages: Vec<Stage>,
    /// What user SGPRs hold, by hardware stage.
    pub user_data: Vec<UserData>,
    /// What the stage before the rasterizer exports: of an object that is not linked yet.
    pub outputs: Vec<Semantic>,
    /// What the pixel shader reads: of an object that is not linked yet.
    pub inputs: Vec<Semantic>,
    /// All other keys, as they are.
    pub values: Value,
}

/// A shader of the API.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Shader {
    /// Its stage, as the metadata names it: `pixel`.
    pub stage: String,
    /// `.api_shader_hash`: lower and upper half.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hash: Option<[Hash64; 2]>,
    /// `.hardware_mapping`: the hardware stages that it is part of.
    pub hardware: Vec<String>,
    /// All other keys, as they are.
    pub values: Value,
}

/// A hardware stage.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Stage {
    /// Its name, as the metadata has it: `ps`.
    pub name: String,
    /// `.entry_point_symbol`, or `.entry_point` of older writers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entry: Option<String>,
    /// Where its code begins in its section, and its size in bytes, by the symbol of that name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<Code>,
    /// All keys but the mapping of user data, as they are.
    pub values: Value,
}

/// The code of a hardware stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Code {
    /// Its offset in the section.
    pub offset: Hex<1>,
    /// Its size in bytes; 0 where the symbol has none.
    pub size: u64,
}

/// The pipelines of a tree, each with its place in words. None where it has no `amdpal.pipelines`.
pub(crate) fn pipelines<'t>(tree: &'t Value, note: &str, findings: &mut Findings<'_>) -> Vec<(&'t Value, String)> {
    const KEY: &str = "amdpal.pipelines";
    let mut out = Vec::new();
    match tree.get(KEY) {
        None => {}
        Some(Value::Array(items)) => {
            for (at, item) in items.iter().enumerate() {
                let place = if items.len() > 1 { format!("{note}, pipeline {at}") } else { note.to_owned() };
                match item {
                    Value::Map(_) => out.push((item, place)),
                    other => findings.add(
                        OBJECT_VALUE,
                        &place,
                        format!("{KEY}[{at}]: expected a map, found {}", short(other)),
                    ),
                }
            }
        }
        Some(other) => {
            findings.add(OBJECT_VALUE, note, format!("{KEY}: expected an array, found {}", short(other)));
        }
    }
    out
}

impl Pipeline {
    /// The pipeline of a map of the tree.
    pub(crate) fn of(
        root: &Value,
        place: &str,
        header: &Header,
        symbols: &[Symbol],
        findings: &mut Findings<'_>,
    ) -> Pipeline {
        let limit = number(root, ".user_data_limit", place, findings);
        let threshold = number(root, ".spill_threshold", place, findings);
        let mut user_data = Vec::new();
        let mut stages = Vec::new();
        for (name, stage) in maps(root, ".hardware_stages", place, findings) {
            let entry = stage.get(".entry_point_symbol").or_else(|| stage.get(".entry_point"));
            let entry = entry.and_then(Value::text).map(str::to_owned);
            let symbol = symbols.iter().find(|symbol| symbol.name.is_some() && symbol.name == entry);
            let array = stage.get(USER_DATA);
            if let (Some(array), Ok(of)) = (array, name.parse()) {
                let place = format!("{place}, .{name}");
                user_data.extend(UserData::of_array(of, header, array, &place, findings));
            }
            stages.push(Stage {
                entry,
                code: symbol.map(|symbol| Code { offset: symbol.value, size: symbol.size }),
                // A mapping of a stage that is not known stays with the other keys.
                values: without(stage, if name.parse::<HardwareStage>().is_ok() { &[USER_DATA] } else { &[] }),
                name,
            });
        }
        if user_data.is_empty() {
            user_data = UserData::of_registers(header, &crate::registers::words(root));
        }
        let count = |stage: HardwareStage| {
            let stage = stages.iter().find(|own: &&Stage| own.name == stage.name())?;
            stage.values.get(".user_sgprs")?.number()
        };
        for data in &user_data {
            data.check(header, count(data.stage), limit, place, findings);
        }
        let shaders = maps(root, ".shaders", place, findings).into_iter().map(|(stage, shader)| {
            let hash = hashes(shader, ".api_shader_hash", place, findings);
            let mapping = shader.get(".hardware_mapping").map(Value::items).unwrap_or_default();
            let hardware = mapping.iter().map(|own| own.key().trim_start_matches('.').to_owned()).collect();
            let known: &[&str] =
                if hash.is_some() { &[".api_shader_hash", ".hardware_mapping"] } else { &[".hardware_mapping"] };
            Shader { stage, hash, hardware, values: without(shader, known) }
        });
        let shaders = shaders.collect();
        let hash = hashes(root, ".internal_pipeline_hash", place, findings);
        // A hash of another form is shown as it is.
        let decoded: Vec<&str> =
            DECODED.iter().copied().filter(|key| *key != ".internal_pipeline_hash" || hash.is_some()).collect();
        Pipeline {
            hash,
            user_data_limit: limit,
            spill_threshold: threshold.filter(|threshold| *threshold != NO_SPILL),
            shaders,
            stages,
            user_data,
            outputs: semantics::read(root, semantics::OUTPUTS, place, findings),
            inputs: semantics::read(root, semantics::INPUTS, place, findings),
            values: without(root, &decoded),
        }
    }
}

/// A map without some of its keys.
fn without(map: &Value, keys: &[&str]) -> Value {
    let is_other = |(key, _): &&(Value, Value)| !key.text().is_some_and(|key| keys.contains(&key));
    Value::Map(map.entries().iter().filter(is_other).cloned().collect())
}

/// A number of a map.
fn number(map: &Value, key: &str, place: &str, findings: &mut Findings<'_>) -> Option<u64> {
    let value = map.get(key)?;
    if value.number().is_none() {
        findings.add(OBJECT_VALUE, place, format!("{key}: expected a number, found {}", short(value)));
    }
    value.number()
}

/// Two 64-bit numbers of a map.
fn hashes(map: &Value, key: &str, place: &str, findings: &mut Findings<'_>) -> Option<[Hash64; 2]> {
    let value = map.get(key)?;
    let numbers = if let [first, second] = value.items() { first.number().zip(second.number()) } else { None };
    if numbers.is_none() {
        findings.add(OBJECT_VALUE, place, format!("{key}: expected two numbers, found {}", short(value)));
    }
    numbers.map(|(first, second)| [Hex(first), Hex(second)])
}

/// The maps of a map, by name without the dot.
fn maps<'t>(map: &'t Value, key: &str, place: &str, findings: &mut Findings<'_>) -> Vec<(String, &'t Value)> {
    let Some(value) = map.get(key) else { return Vec::new() };
    if !matches!(value, Value::Map(_)) {
        findings.add(OBJECT_VALUE, place, format!("{key}: expected a map, found {}", short(value)));
    }
    let mut out = Vec::new();
    for (name, value) in value.entries() {
        let name = name.key();
        let name = name.strip_prefix('.').unwrap_or(&name).to_owned();
        match value {
            Value::Map(_) => out.push((name, value)),
            other => findings.add(OBJECT_VALUE, place, format!("{key}.{name}: expected a map, found {}", short(other))),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_say_their_stage() {
        let stage = |name| HardwareStage::of_symbol(name).map(HardwareStage::name).unwrap_or_default();
        let names = [
            "_amdgpu_ps_main",
            "_amdgpu_gs_main_fetchless",
            "_amdgpu_cs_disasm",
            "_amdgpu_cs_amdil",
            "_amdgpu_pipeline_intrl_data",
        ];
        assert_eq!(names.map(stage), ["ps", "gs", "cs", "", ""]);
    }
}
