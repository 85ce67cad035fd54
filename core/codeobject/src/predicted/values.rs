//! The values of an object by register and field: of registers, and of keys of hardware stages that PAL puts into registers.

use std::collections::BTreeSet;

use lanescope_model::target::Target;
use lanescope_passes::registers::{DATA, Field, UserDataRegisters, encode};

use crate::registers::Form;
use crate::user_data::UNMAPPED;
use crate::value::Value;
use crate::{CodeObject, Stage};

/// Fields without a key in PAL metadata: PAL sets them otherwise, so that a register without them does not say that they
/// are 0.
const WITHOUT_KEY: &[(&str, &[&str])] = &[
    ("SPI_PS_INPUT_CNTL_", &["DUP", "USE_DEFAULT_ATTR1", "DEFAULT_VAL_ATTR1", "PT_SPRITE_TEX_ATTR1"]),
    ("SPI_PS_INPUT_ENA", &["COVERAGE_TO_SHADER_SELECT"]),
    ("SPI_PS_IN_CONTROL", &["PS_W32_EN"]),
    (
        "SPI_BARYC_CNTL",
        &["PERSP_CENTER_CNTL", "PERSP_CENTROID_CNTL", "LINEAR_CENTER_CNTL", "LINEAR_CENTROID_CNTL", "POS_FLOAT_ULC"],
    ),
    ("SPI_INTERP_CONTROL_0", &["FLAT_SHADE_ENA", "PNT_SPRITE_TOP_1"]),
    ("SPI_VS_OUT_CONFIG", &["VS_HALF_PACK"]),
    (
        "DB_SHADER_CONTROL",
        &[
            "DUAL_QUAD_DISABLE",
            "EXEC_IF_OVERLAPPED",
            "POPS_OVERLAP_NUM_SAMPLES",
            "OREO_BLEND_ENABLE",
            "OVERRIDE_INTRINSIC_RATE_ENABLE",
            "OVERRIDE_INTRINSIC_RATE",
        ],
    ),
    (
        "COMPUTE_PGM_RSRC2",
        &["SCRATCH_EN", "USER_SGPR", "TRAP_PRESENT", "EXCP_EN_MSB", "LDS_SIZE", "EXCP_EN", "WGP_TAKEOVER"],
    ),
];

/// Registers of GFX12 whose fields the metadata has under the names of earlier chips' registers: the register, its field,
/// the key of the register, and the field's.
const MOVED: &[(&str, &str, &str, &str)] = &[
    ("SPI_SHADER_GS_OUT_CONFIG_PS", "VS_EXPORT_COUNT", ".spi_vs_out_config", ".vs_export_count"),
    ("SPI_SHADER_GS_OUT_CONFIG_PS", "PRIM_EXPORT_COUNT", ".spi_vs_out_config", ".prim_export_count"),
    ("SPI_SHADER_GS_OUT_CONFIG_PS", "NO_PC_EXPORT", ".spi_vs_out_config", ".no_pc_export"),
    ("SPI_SHADER_GS_OUT_CONFIG_PS", "NUM_INTERP", "SPI_PS_IN_CONTROL", ".num_interps"),
    ("SPI_SHADER_GS_OUT_CONFIG_PS", "NUM_PRIM_INTERP", "SPI_PS_IN_CONTROL", ".num_prim_interp"),
];

/// Values of text that PAL metadata has for a field with named values.
const NAMED: &[(&str, u64)] = &[("Zero", 0), ("One", 1), ("S", 2), ("T", 3), ("None", 4)];

/// How a key of a hardware stage becomes a field.
#[derive(Clone, Copy)]
enum As {
    Plain,
    Vgprs,
    Sgprs,
    /// Bits of the number of user SGPRs, from one on.
    Bits(u32),
    Lds,
    /// Waves of 32.
    Wave32,
    /// An element of an array.
    Element(usize),
}

/// Keys of a stage with program resources, and the fields of its first or second register.
const RESOURCES: &[(&str, usize, &str, As)] = &[
    (".vgpr_count", 0, "VGPRS", As::Vgprs),
    (".sgpr_count", 0, "SGPRS", As::Sgprs),
    (".float_mode", 0, "FLOAT_MODE", As::Plain),
    (".debug_mode", 0, "DEBUG_MODE", As::Plain),
    (".ieee_mode", 0, "IEEE_MODE", As::Plain),
    (".fp16_overflow", 0, "FP16_OVFL", As::Plain),
    (".wgp_mode", 0, "WGP_MODE", As::Plain),
    (".mem_ordered", 0, "MEM_ORDERED", As::Plain),
    (".forward_progress", 0, "FWD_PROGRESS", As::Plain),
    (".scratch_en", 1, "SCRATCH_EN", As::Plain),
    (".user_sgprs", 1, "USER_SGPR", As::Bits(0)),
    (".user_sgprs", 1, "USER_SGPR_MSB", As::Bits(5)),
    (".trap_present", 1, "TRAP_PRESENT", As::Plain),
    (".excp_en", 1, "EXCP_EN", As::Plain),
    (".lds_size", 1, "LDS_SIZE", As::Lds),
];

/// Other keys of the compute stage, each with its register.
const COMPUTE: &[(&str, &str, &str, As)] = &[
    (".shared_vgpr_cnt", "COMPUTE_PGM_RSRC3", "SHARED_VGPR_CNT", As::Plain),
    (".image_op", "COMPUTE_PGM_RSRC3", "IMAGE_OP", As::Plain),
    (".threadgroup_dimensions", "COMPUTE_NUM_THREAD_X", "NUM_THREAD_FULL", As::Element(0)),
    (".threadgroup_dimensions", "COMPUTE_NUM_THREAD_Y", "NUM_THREAD_FULL", As::Element(1)),
    (".threadgroup_dimensions", "COMPUTE_NUM_THREAD_Z", "NUM_THREAD_FULL", As::Element(2)),
    (".wavefront_size", "COMPUTE_DISPATCH_INITIATOR", "CS_W32_EN", As::Wave32),
];

/// A value of the object.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Found {
    pub value: Value,
    /// Where it is, if not in a register of that name.
    pub key: Option<String>,
    pub left_out: bool,
}

impl Found {
    /// The value as a number of the field.
    pub fn number(&self) -> Option<u64> {
        let named = |text: &str| NAMED.iter().find(|(name, _)| *name == text).map(|(_, number)| *number);
        self.value.field().or_else(|| self.value.text().and_then(named))
    }
}

/// The values of an object, each once.
pub(super) struct Values<'o> {
    object: &'o CodeObject,
    target: Target,
    /// Register, field, value; none once it was taken.
    all: Vec<Option<(&'o str, &'o str, Value)>>,
    /// Registers that the object has as a whole word.
    words: BTreeSet<&'o str>,
    /// Registers that the object has as named fields.
    named: BTreeSet<&'o str>,
    user_data: Vec<Mapping>,
}

impl<'o> Values<'o> {
    pub fn of(object: &'o CodeObject, target: Target) -> Values<'o> {
        let (mut all, mut words, mut named) = (Vec::new(), BTreeSet::new(), BTreeSet::new());
        // What user SGPRs hold is in the mapping of the stages, whatever the form.
        for register in object.registers.iter().filter(|register| !register.is_user_data()) {
            match register.form {
                Form::Graphics | Form::Compute => named.insert(register.name.as_str()),
                Form::Numbers | Form::Pairs | Form::Config => words.insert(register.name.as_str()),
            };
            let whole = register.value.filter(|_| register.fields.is_empty());
            let whole = whole.map(|word| Some((register.name.as_str(), "", Value::Uint(word.0))));
            all.extend(whole);
            let field = |field: &'o crate::RegisterField| {
                Some((register.name.as_str(), field.name.as_str(), field.value.clone()))
            };
            all.extend(register.fields.iter().map(field));
        }
        Values { object, target, all, words, named, user_data: Mapping::of(object) }
    }

    /// What the mapping has for an SGPR, by the register that fills it.
    fn of_user_data(&mut self, register: &str) -> Option<Found> {
        self.user_data.iter_mut().find_map(|stage| stage.take(register))
    }

    /// SGPRs that a stage maps, of which others were taken: the model says that they hold nothing.
    pub fn more_user_data(&mut self) -> Vec<(String, Found)> {
        let taken = self.user_data.iter_mut().filter(|stage| stage.is_taken);
        taken.flat_map(Mapping::rest).collect()
    }

    /// The object's value of a field of the model.
    pub fn take(&mut self, register: &str, field: &Field) -> Option<Found> {
        let plain = |value| Some(Found { value, key: None, left_out: false });
        if field.name == DATA {
            return self.of_user_data(register);
        }
        if let Some(value) = self.remove(register, &field.name) {
            return plain(value);
        }
        if self.words.contains(register) {
            return None;
        }
        if let Some((.., own, key)) = MOVED.iter().find(|row| (row.0, row.1) == (register, &*field.name)) {
            let at = format!(".graphics_registers.{}{key}", own.trim_start_matches('.').to_ascii_lowercase());
            let found = self.remove(own, key).map(|value| (value, false));
            let found = found.or_else(|| self.named.contains(own).then_some((Value::Uint(0), true)));
            return found.map(|(value, left_out)| Found { value, key: Some(at), left_out });
        }
        if let Some(found) = self.of_stage(register, field) {
            return Some(found);
        }
        let has_key = !WITHOUT_KEY.iter().any(|(name, fields)| {
            let is_it = if name.ends_with('_') { register.starts_with(name) } else { register == *name };
            is_it && fields.contains(&&*field.name)
        });
        let is_left_out = self.named.contains(register) && has_key;
        is_left_out.then_some(Found { value: Value::Uint(0), key: None, left_out: true })
    }

    fn remove(&mut self, register: &str, field: &str) -> Option<Value> {
        // A register with one field may be a value without a name.
        let is_it = |own: &Option<(&str, &str, Value)>| {
            own.as_ref().is_some_and(|(name, of, _)| *name == register && *of == field)
        };
        let at = self.all.iter().position(is_it)?;
        self.all[at].take().map(|(.., value)| value)
    }

    /// The value of a key of a hardware stage.
    fn of_stage(&self, register: &str, field: &Field) -> Option<Found> {
        let of_stage = |name: &str, of: [&str; 2]| {
            let of_resources = RESOURCES.iter().filter(move |row| of[row.1] == register && row.2 == field.name);
            let of_compute = COMPUTE.iter().filter(move |row| name == "cs" && row.1 == register && row.2 == field.name);
            let mut keys = of_resources.map(|row| (row.0, row.3)).chain(of_compute.map(|row| (row.0, row.3)));
            let (key, how) = keys.next()?;
            let stage =
                self.object.pipelines.iter().flat_map(|pipeline| &pipeline.stages).find(|own| own.name == name)?;
            let value = self.converted(stage, stage.values.get(key)?, how, field)?;
            Some(Found { value, key: Some(format!(".hardware_stages.{name}{key}")), left_out: false })
        };
        of_stage("ps", ["SPI_SHADER_PGM_RSRC1_PS", "SPI_SHADER_PGM_RSRC2_PS"])
            .or_else(|| of_stage("cs", ["COMPUTE_PGM_RSRC1", "COMPUTE_PGM_RSRC2"]))
    }

    /// The value of a key as the field holds it. A value that is not a number is left as it is.
    fn converted(&self, stage: &Stage, value: &Value, how: As, field: &Field) -> Option<Value> {
        let value = if let As::Element(at) = how { value.items().get(at)? } else { value };
        let Some(number) = value.field().and_then(|number| u32::try_from(number).ok()) else {
            return Some(value.clone());
        };
        let held = match how {
            As::Plain | As::Element(_) => number,
            As::Vgprs => {
                // Blocks depend on the wave size.
                let wave = stage.values.get(".wavefront_size")?.number()?;
                field.hold(encode::vgprs(number, u32::try_from(wave).ok()?))
            }
            As::Sgprs => field.hold(encode::sgprs(number, self.target)?),
            As::Bits(from) => number >> from & (u32::MAX >> (32 - field.width.clamp(1, 32))),
            As::Lds => field.hold(encode::lds_size(u64::from(number))),
            As::Wave32 => u32::from(number == 32),
        };
        Some(Value::Uint(u64::from(held)))
    }

    /// What was not taken: register, field and value.
    pub fn rest(mut self) -> impl Iterator<Item = (String, String, Found)> {
        let mapped: Vec<_> = self.user_data.iter_mut().flat_map(Mapping::rest).collect();
        let fields = self.all.into_iter().flatten().filter(|(register, ..)| !register.is_empty());
        let fields = fields.map(|(register, field, value)| {
            (register.to_owned(), field.to_owned(), Found { value, key: None, left_out: false })
        });
        fields.chain(mapped.into_iter().map(|(register, found)| (register, DATA.to_owned(), found)))
    }
}

/// What the user SGPRs of a stage hold, by the registers that fill them, each until it is taken.
struct Mapping {
    /// Where the object has it.
    key: String,
    registers: Vec<(String, Option<u64>)>,
    is_taken: bool,
}

impl Mapping {
    /// The mappings of an object. An array says of each of its elements that nothing is mapped, too.
    fn of(object: &CodeObject) -> Vec<Mapping> {
        let is_array = !object.registers.iter().any(crate::Register::is_user_data);
        let chip = object.header.chip.as_deref().unwrap_or_default();
        let all = object.pipelines.iter().flat_map(|pipeline| &pipeline.user_data);
        all.filter_map(|data| {
            let range = UserDataRegisters::of_chip(chip).find(|range| range.stage == data.stage.name())?;
            let held = |sgpr: u32| data.sgprs.iter().find(|own| own.sgpr == sgpr as usize).map(|own| own.value.0);
            let elements = u32::try_from(data.elements).unwrap_or(u32::MAX);
            let value = |sgpr: u32| held(sgpr).or((is_array && sgpr < elements).then_some(UNMAPPED));
            let register = |sgpr: u32| Some((range.of_sgpr(sgpr)?.0, Some(value(sgpr)?)));
            let registers = (0..range.count).filter_map(register).collect();
            let key = match is_array {
                true => format!(".hardware_stages.{}.user_data_reg_map", data.stage),
                false => ".registers".to_owned(),
            };
            Some(Mapping { key, registers, is_taken: false })
        })
        .collect()
    }

    fn take(&mut self, register: &str) -> Option<Found> {
        let (_, value) = self.registers.iter_mut().find(|(own, _)| own == register)?;
        self.is_taken = true;
        Some(Found { value: Value::Uint(value.take()?), key: Some(self.key.clone()), left_out: false })
    }

    /// The SGPRs that are mapped and were not taken.
    fn rest(&mut self) -> impl Iterator<Item = (String, Found)> {
        let found = |value| Found { value: Value::Uint(value), key: Some(self.key.clone()), left_out: false };
        let take = |(register, value): &mut (String, Option<u64>)| {
            let value = value.take().filter(|value| *value != UNMAPPED)?;
            Some((register.clone(), found(value)))
        };
        self.registers.iter_mut().filter_map(take).collect::<Vec<_>>().into_iter()
    }
}
