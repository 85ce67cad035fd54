//! Generates code objects: every hardware stage, graphics IPs 8 to 12, both forms of PAL metadata, three ABIs.

pub mod elf;
pub mod llpc;
pub mod samples;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use elf::{Elf, packed};
use rmpv::Value;

/// A map of the metadata, in the order of its keys, as LLVM writes it.
#[derive(Debug, Clone, Default)]
pub struct Map(BTreeMap<String, Value>);

impl Map {
    /// The same with a key.
    pub fn with(mut self, key: &str, value: impl Into<Value>) -> Map {
        self.0.insert(key.to_owned(), value.into());
        self
    }
}

impl From<Map> for Value {
    fn from(map: Map) -> Value {
        Value::Map(map.0.into_iter().map(|(key, value)| (key.into(), value)).collect())
    }
}

/// How registers are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Words under their dword address: PAL metadata 2.6.
    Words,
    /// Fields by name: PAL metadata 3.0.
    Named,
}

/// A register of a pipeline with its fields: `SPI_PS_INPUT_CNTL_0`.
pub type Register = (String, Vec<(&'static str, u32)>);

/// A hardware stage of a pipeline.
#[derive(Debug, Clone)]
pub struct Stage {
    pub name: &'static str,
    /// Values of user SGPRs, from 0.
    pub user_data: Vec<u32>,
    pub code: Vec<u32>,
}

/// A pipeline.
#[derive(Debug, Clone)]
pub struct Pipeline {
    pub kind: &'static str,
    /// API stage and the hardware stages that it is part of.
    pub shaders: Vec<(&'static str, &'static [&'static str])>,
    pub stages: Vec<Stage>,
    pub registers: Vec<Register>,
    /// Word under a dword address that no table has.
    pub unknown: Option<(u32, u32)>,
    pub limit: u32,
    pub hash: u64,
    /// Semantics of the exports and inputs of an object that is not linked.
    pub semantics: Vec<u32>,
}

/// A chip: number, LLVM name, graphics IP of the register tables.
pub type Chip = (u32, &'static str, Option<&'static str>);

/// One chip of each graphics IP.
pub const CHIPS: &[Chip] = &[
    (0x2a, "gfx803", None),
    (0x12c, "gfx900", None),
    (0x133, "gfx1010", Some("gfx10.1")),
    (0x36, "gfx1030", Some("gfx10.3")),
    (0x41, "gfx1100", Some("gfx11")),
    (0x43, "gfx1150", None),
    (0x4e, "gfx1201", Some("gfx12")),
];

/// The hash of the first shader.
const SHADER_HASH: u64 = 0x0123_4567_89ab_cdef;
const GLOBAL_TABLE: u32 = 0x1000_0000;
const BASE_VERTEX: u32 = 0x1000_0003;
const BASE_INSTANCE: u32 = 0x1000_0004;
const WORKGROUP: u32 = 0x1000_0006;
const VERTEX_BUFFERS: u32 = 0x1000_000f;
const NONE: u32 = u32::MAX;
/// `s_endpgm` up to GFX10, and from GFX11 on.
const END: [u32; 2] = [0xbf81_0000, 0xbfb0_0000];

/// The register tables, as the product has them.
static TABLES: LazyLock<serde_json::Value> = LazyLock::new(|| {
    let text = include_str!("../../../../../assets/tables/registers.json");
    serde_json::from_str(text).expect("is JSON")
});

/// Row of a register, and the index that its name ends in where it is one of an array.
fn row<'t>(ip: &str, name: &str) -> Option<(&'t serde_json::Value, u64)> {
    let registers = &TABLES["gfx_ips"][ip]["registers"];
    if let Some(row) = registers.get(name) {
        return Some((row, 0));
    }
    let (array, index) = name.rsplit_once('_')?;
    Some((registers.get(array)?, index.parse().ok()?))
}

/// Dword address and word of a register.
pub fn word(ip: &str, (name, fields): &Register) -> Option<(u32, u32)> {
    let (row, index) = row(ip, name)?;
    let mut word = 0;
    for (field, value) in fields {
        let all = row["fields"].as_array().expect("a list");
        let of_name = all.iter().find(|own| own[0] == *field)?;
        word |= value << of_name[1].as_u64().expect("a number");
    }
    Some((u32::try_from(row["address"].as_u64()? + index).ok()?, word))
}

/// The registers of a form.
fn with_registers(pipeline: &Pipeline, ip: Option<&str>, form: Form, map: Map) -> Map {
    match form {
        Form::Words => {
            let words = pipeline.registers.iter().filter_map(|register| word(ip?, register));
            let mut words: BTreeMap<u32, u32> = words.chain(pipeline.unknown).collect();
            for stage in &pipeline.stages {
                if let Some(first) = user_data_register(ip, stage.name) {
                    words.extend((first..).zip(stage.user_data.iter().copied()));
                }
            }
            let entries = words.into_iter().map(|(address, value)| (address.into(), value.into()));
            map.with(".registers", Value::Map(entries.collect()))
        }
        Form::Named => {
            let mut named: BTreeMap<String, Value> = BTreeMap::new();
            let mut compute = Map::default();
            let mut inputs = Vec::new();
            for (name, fields) in &pipeline.registers {
                let fields = fields.iter().map(|(field, value)| (field_key(field).into(), field_value(field, *value)));
                let fields: Vec<(Value, Value)> = fields.collect();
                if name.starts_with("SPI_PS_INPUT_CNTL_") {
                    inputs.push(Value::Map(fields));
                } else if name == "COMPUTE_PGM_RSRC2" {
                    compute.0.extend(
                        fields.into_iter().map(|(key, value)| (key.as_str().unwrap_or_default().to_owned(), value)),
                    );
                } else {
                    let key = format!(".{}", name.to_ascii_lowercase());
                    named.insert(key.strip_suffix("_0").unwrap_or(&key).to_owned(), Value::Map(fields));
                }
            }
            if !inputs.is_empty() {
                named.insert(".spi_ps_input_cntl".to_owned(), Value::Array(inputs));
            }
            let map = if named.is_empty() { map } else { map.with(".graphics_registers", Map(named)) };
            let map = if compute.0.is_empty() { map } else { map.with(".compute_registers", compute) };
            map.with(".registers", Value::Map(Vec::new()))
        }
    }
}

/// The key of a field in named registers.
fn field_key(field: &str) -> String {
    match field {
        "NUM_INTERP" => ".num_interps".to_owned(),
        "THDS_PER_SUBGRP" => ".threads_per_subgroup".to_owned(),
        "COVERAGE_TO_MASK_ENABLE" => ".coverage_to_mask_en".to_owned(),
        "PNT_SPRITE_ENA" => ".point_sprite_ena".to_owned(),
        "PNT_SPRITE_OVRD_X" => ".point_sprite_override_x".to_owned(),
        "COL0_EXPORT_FORMAT" => ".col_0_export_format".to_owned(),
        field => format!(".{}", field.to_ascii_lowercase()),
    }
}

/// One bit is a truth value.
fn field_value(field: &str, value: u32) -> Value {
    match value {
        1 if field.ends_with("_ENA") || field.ends_with("_VALID") || field.ends_with("_SHADE") => true.into(),
        value => value.into(),
    }
}

/// The first register of user data of a hardware stage.
fn user_data_register(ip: Option<&str>, stage: &str) -> Option<u32> {
    ip?;
    Some(match stage {
        "ps" => 0x2c0c,
        "vs" => 0x2c4c,
        "gs" => 0x2c8c,
        "hs" => 0x2d0c,
        "cs" => 0x2e40,
        _ => return None,
    })
}

impl Pipeline {
    /// The metadata.
    pub fn metadata(&self, ip: Option<&str>, form: Form) -> Value {
        let mut shaders = Map::default();
        for (at, (name, hardware)) in self.shaders.iter().enumerate() {
            let hash = vec![Value::from(SHADER_HASH.rotate_left(8 * at as u32)), 0.into()];
            let hardware: Vec<Value> = hardware.iter().map(|own| format!(".{own}").into()).collect();
            let shader = Map::default().with(".api_shader_hash", hash).with(".hardware_mapping", hardware);
            shaders = shaders.with(&format!(".{name}"), shader);
        }
        let mut stages = Map::default();
        for stage in &self.stages {
            let mut map = Map::default()
                .with(".entry_point_symbol", format!("_amdgpu_{}_main", stage.name))
                .with(".sgpr_count", 16)
                .with(".vgpr_count", 12)
                .with(".lds_size", 0)
                .with(".scratch_memory_size", 0)
                .with(".wavefront_size", 64)
                .with(".user_sgprs", stage.user_data.len());
            if stage.name == "cs" {
                map = map.with(".threadgroup_dimensions", vec![Value::from(16), 16.into(), 1.into()]);
            }
            if form == Form::Named || user_data_register(ip, stage.name).is_none() {
                let padding = std::iter::repeat_n(NONE, 32 - stage.user_data.len());
                let values = stage.user_data.iter().copied().chain(padding);
                map = map.with(".user_data_reg_map", Value::Array(values.map(Value::from).collect()));
            }
            stages = stages.with(&format!(".{}", stage.name), map);
        }
        let version: [u32; 2] = if form == Form::Named { [3, 0] } else { [2, 6] };
        let mut map = Map::default()
            .with(".api", "Vulkan")
            .with(".type", self.kind)
            .with(".internal_pipeline_hash", vec![Value::from(self.hash), (!self.hash).into()])
            .with(".user_data_limit", self.limit)
            .with(".spill_threshold", 0xffff)
            .with(".shaders", shaders)
            .with(".hardware_stages", stages);
        if !self.semantics.is_empty() {
            let input = |semantic: &u32| Value::from(Map::default().with(".semantic", *semantic));
            let output = |(index, semantic): (usize, &u32)| {
                Value::from(Map::default().with(".semantic", *semantic).with(".index", index))
            };
            let outputs = self.semantics.iter().enumerate().map(output).collect::<Vec<_>>();
            map = map.with(".preraster_output_semantic", outputs);
            map = map.with(".ps_input_semantic", self.semantics.iter().map(input).collect::<Vec<_>>());
        }
        let map = with_registers(self, ip, form, map);
        Map::default()
            .with("amdpal.version", vec![Value::from(version[0]), version[1].into()])
            .with("amdpal.pipelines", vec![Value::from(map)])
            .into()
    }

    /// The object with this metadata, amdpal ABI.
    pub fn object(&self, chip: Chip, form: Form) -> Elf {
        let (flags, name, ip) = chip;
        let isa = format!("amdgcn-unknown-amdpal--{name}");
        let code = self.stages.iter().map(|stage| (format!("_amdgpu_{}_main", stage.name), stage.code.clone()));
        Elf {
            os_abi: 65,
            kind: 1,
            flags,
            code: code.collect(),
            notes: vec![("AMD", 11, isa.into_bytes()), ("AMDGPU", 32, packed(&self.metadata(ip, form)))],
            ..Elf::default()
        }
    }
}

/// A compute pipeline: a set's table, two push constants, and gl_NumWorkGroups.
pub fn compute(chip: Chip) -> Pipeline {
    let user_data = vec![GLOBAL_TABLE, WORKGROUP, NONE, 0, 1, 2];
    Pipeline {
        kind: "Cs",
        shaders: vec![("compute", &["cs"])],
        stages: vec![Stage { name: "cs", user_data, code: end(chip) }],
        registers: vec![(
            "COMPUTE_PGM_RSRC2".to_owned(),
            vec![("TGID_X_EN", 1), ("TGID_Y_EN", 1), ("TIDIG_COMP_CNT", 1)],
        )],
        unknown: Some((0x2e77, 5)),
        limit: 3,
        hash: 0x1122_3344_5566_7788,
        semantics: Vec::new(),
    }
}

fn end(chip: Chip) -> Vec<u32> {
    vec![END[usize::from(chip.0 & 0xff >= 0x41)]]
}

/// A graphics pipeline of these hardware stages; the last one is the pixel shader.
pub fn graphics(
    chip: Chip,
    kind: &'static str,
    shaders: Vec<(&'static str, &'static [&'static str])>,
    hardware: &[&'static str],
) -> Pipeline {
    let vertex = [GLOBAL_TABLE, 0, VERTEX_BUFFERS, BASE_VERTEX, BASE_INSTANCE];
    let stages = hardware.iter().enumerate().map(|(at, name)| {
        let user_data = if at == 0 { vertex.to_vec() } else { vec![GLOBAL_TABLE, 0, 4] };
        Stage { name, user_data, code: end(chip) }
    });
    let input = |n: u32, flat: u32| {
        let fields = vec![("OFFSET", n), ("FLAT_SHADE", flat), ("FP16_INTERP_MODE", 1 - flat), ("ATTR0_VALID", 1)];
        (format!("SPI_PS_INPUT_CNTL_{n}"), fields)
    };
    Pipeline {
        kind,
        shaders,
        stages: stages.collect(),
        registers: vec![
            input(0, 0),
            input(1, 1),
            ("SPI_PS_IN_CONTROL".to_owned(), vec![("BC_OPTIMIZE_DISABLE", 1)]),
            ("SPI_PS_INPUT_ENA".to_owned(), vec![("PERSP_CENTER_ENA", 1)]),
            ("SPI_PS_INPUT_ADDR".to_owned(), vec![("PERSP_CENTER_ENA", 1)]),
            ("SPI_SHADER_COL_FORMAT".to_owned(), vec![("COL0_EXPORT_FORMAT", 9)]),
            ("SPI_INTERP_CONTROL_0".to_owned(), vec![("PNT_SPRITE_ENA", 1), ("PNT_SPRITE_OVRD_X", 2)]),
            ("CB_SHADER_MASK".to_owned(), vec![("OUTPUT0_ENABLE", 15)]),
            ("DB_SHADER_CONTROL".to_owned(), vec![("Z_ORDER", 1), ("COVERAGE_TO_MASK_ENABLE", 1)]),
            ("GE_NGG_SUBGRP_CNTL".to_owned(), vec![("PRIM_AMP_FACTOR", 1), ("THDS_PER_SUBGRP", 96)]),
        ],
        unknown: Some((0xa2aa, 0x10)),
        limit: 5,
        hash: 0x99aa_bbcc_ddee_ff00,
        semantics: Vec::new(),
    }
}

/// The pipelines of a chip: each hardware stage that it has.
pub fn pipelines(chip: Chip) -> Vec<Pipeline> {
    let graphics = |kind, shaders, hardware: &[&'static str]| graphics(chip, kind, shaders, hardware);
    let mut out = vec![compute(chip)];
    let number = chip.0 & 0xff;
    if number < 0x2c {
        let all = vec![
            ("vertex", &["ls"][..]),
            ("hull", &["hs"][..]),
            ("domain", &["es"][..]),
            ("geometry", &["gs", "vs"][..]),
            ("pixel", &["ps"][..]),
        ];
        out.push(graphics("GsTess", all, &["ls", "hs", "es", "gs", "vs", "ps"]));
        return out;
    }
    if number < 0x41 {
        out.push(graphics("VsPs", vec![("vertex", &["vs"][..]), ("pixel", &["ps"][..])], &["vs", "ps"]));
        let tess =
            vec![("vertex", &["hs"][..]), ("hull", &["hs"][..]), ("domain", &["vs"][..]), ("pixel", &["ps"][..])];
        out.push(graphics("Tess", tess, &["hs", "vs", "ps"]));
    }
    if number >= 0x33 {
        out.push(graphics("Ngg", vec![("vertex", &["gs"][..]), ("pixel", &["ps"][..])], &["gs", "ps"]));
        let tess =
            vec![("vertex", &["hs"][..]), ("hull", &["hs"][..]), ("domain", &["gs"][..]), ("pixel", &["ps"][..])];
        out.push(graphics("NggTess", tess, &["hs", "gs", "ps"]));
        out.push(graphics("Mesh", vec![("mesh", &["gs"][..]), ("pixel", &["ps"][..])], &["gs", "ps"]));
    }
    let mut library = graphics("Ngg", vec![("vertex", &["gs"][..]), ("pixel", &["ps"][..])], &["gs", "ps"]);
    library.semantics = vec![3, 7];
    out.push(library);
    out
}

/// A kernel of the amdhsa ABI.
pub fn kernel(chip: Chip) -> Elf {
    let argument = Map::default().with(".offset", 0).with(".size", 8).with(".value_kind", "global_buffer");
    let kernel = Map::default()
        .with(".name", "fill")
        .with(".symbol", "fill.kd")
        .with(".kernarg_segment_size", 8)
        .with(".sgpr_count", 10)
        .with(".vgpr_count", 4)
        .with(".args", vec![Value::from(argument)]);
    let root = Map::default()
        .with("amdhsa.version", vec![Value::from(1), 2.into()])
        .with("amdhsa.target", format!("amdgcn-amd-amdhsa--{}", chip.1))
        .with("amdhsa.kernels", vec![Value::from(kernel)]);
    Elf {
        os_abi: 64,
        abi_version: 3,
        kind: 3,
        flags: chip.0,
        code: vec![("fill".to_owned(), end(chip))],
        notes: vec![("AMDGPU", 32, packed(&root.into()))],
        config: Vec::new(),
    }
}

/// A compute shader of the mesa3d ABI.
pub fn mesa(chip: Chip) -> Elf {
    Elf {
        os_abi: 66,
        kind: 1,
        flags: chip.0,
        code: vec![("main".to_owned(), end(chip))],
        notes: vec![("AMD", 11, format!("amdgcn-unknown-mesa3d--{}", chip.1).into_bytes())],
        config: vec![(4 * 0x2e12, 0x002c_0041), (4 * 0x2e13, 0x0000_0090), (0x8, 2)],
        ..Elf::default()
    }
}

/// All generated objects, each with a name.
pub fn all() -> Vec<(String, Elf)> {
    let mut out = Vec::new();
    for chip in CHIPS {
        for (at, pipeline) in pipelines(*chip).iter().enumerate() {
            for form in [Form::Words, Form::Named] {
                out.push((format!("{} {at} {} {form:?}", chip.1, pipeline.kind), pipeline.object(*chip, form)));
            }
        }
        out.push((format!("{} kernel", chip.1), kernel(*chip)));
        out.push((format!("{} mesa", chip.1), mesa(*chip)));
    }
    out
}
