//! Predicted registers against objects: what is written as an object agrees, and each change is found.

use std::borrow::Cow;

use lanescope_base::ids::Hex;
use lanescope_codeobject::{Cause, CodeObject, FieldResult, Form, Predicted, Prediction, Verdict};
use lanescope_model::program::StageKind;
use lanescope_model::target::Target;
use lanescope_passes::guessed_layout::{Entry, UserData};
use lanescope_passes::registers::{self as model, ComputeFacts, Known, UserDataRegisters};
use serde_json::json;

use super::generate::elf::{Elf, packed};
use super::generate::{Map, llpc};

fn read(elf: &Elf) -> CodeObject {
    CodeObject::read("a.elf", &elf.bytes()).expect("is an object")
}

fn predicted(target: Target, registers: &[model::Register], object: &CodeObject) -> Predicted {
    let loaded = &[StageKind::Compute];
    Predicted::of(Prediction { target, registers, packing: None, loaded }, object)
}

/// The registers of a compute shader, all of whose fields are known.
fn of_compute(target: Target) -> Vec<model::Register> {
    let facts = ComputeFacts { workgroup_id: 5, lds_bytes: Some(1000), ..ComputeFacts::of([8, 4, 2], 32) };
    let known =
        Known { vgprs: Some(30), sgprs: Some(20), scratch: Some(true), code_bytes: Some(900), ..Known::default() };
    model::compute(target, &facts, &known)
}

/// An object that has the registers as words of the older form; unknown fields are 0.
fn of_words(flags: u32, registers: &[model::Register]) -> Elf {
    let word = |register: &model::Register| {
        let fields = register.fields.iter().filter_map(|field| Some(field.value? << field.lsb));
        (register.address.0.into(), rmpv::Value::from(fields.fold(0, |word, field| word | field)))
    };
    let words = rmpv::Value::Map(registers.iter().map(word).collect());
    let root =
        Map::default().with("amdpal.pipelines", vec![rmpv::Value::from(Map::default().with(".registers", words))]);
    let notes = vec![("AMDGPU", 32, packed(&root.into()))];
    Elf { os_abi: 65, kind: 1, flags, notes, ..Elf::default() }
}

const CHIPS: &[(u32, Target)] =
    &[(0x133, Target::Gfx1010), (0x36, Target::Gfx1030), (0x41, Target::Gfx1100), (0x4e, Target::Gfx1201)];

#[test]
fn words_of_the_prediction_agree() {
    for (flags, target) in CHIPS {
        let registers = of_compute(*target);
        let object = read(&of_words(*flags, &registers));
        let found = predicted(*target, &registers, &object);
        assert!(found.agrees(), "{target}: {found:?}");
        let known = registers.iter().flat_map(|register| &register.fields).filter(|field| field.value.is_some());
        assert_eq!(found.field_counts.agrees, known.count(), "{target}");
        assert_eq!(found.field_counts.not_in_object, 0, "{target}");
    }
}

#[test]
fn each_changed_field_differs() {
    for (flags, target) in CHIPS {
        let registers = of_compute(*target);
        let places = registers
            .iter()
            .enumerate()
            .flat_map(|(at, register)| (0..register.fields.len()).map(move |field| (at, field)));
        for (at, index) in places {
            let mut changed = registers.clone();
            let field = &mut changed[at].fields[index];
            let Some(value) = field.value.as_mut() else { continue };
            *value ^= 1;
            let name = field.name.to_string();
            let found = predicted(*target, &registers, &read(&of_words(*flags, &changed)));
            let differing: Vec<&FieldResult> =
                found.fields.iter().filter(|field| field.verdict == Verdict::Differs).collect();
            let names: Vec<(&str, &str)> =
                differing.iter().map(|field| (field.register.as_str(), field.field.as_str())).collect();
            assert_eq!(names, [(&*registers[at].name, name.as_str())], "{target}");
        }
    }
}

fn find<'p>(found: &'p Predicted, register: &str, field: &str) -> &'p FieldResult {
    let is_it = |own: &&FieldResult| own.register == register && own.field == field;
    found.fields.iter().find(is_it).unwrap_or_else(|| panic!("{register}.{field}"))
}

#[test]
fn names_causes_that_are_known() {
    let registers = of_compute(Target::Gfx1100);
    let mut other = registers.clone();
    let mut set = |name: &str, field: &str, value: u32| {
        let register = other.iter_mut().find(|register| register.name == name).expect("a register");
        register.fields.iter_mut().find(|own| own.name == field).expect("a field").value = Some(value);
    };
    set("COMPUTE_DISPATCH_INITIATOR", "CS_W32_EN", 0);
    set("COMPUTE_PGM_RSRC3", "IMAGE_OP", 1);
    set("COMPUTE_NUM_THREAD_X", "NUM_THREAD_FULL", 7);
    let found = predicted(Target::Gfx1100, &registers, &read(&of_words(0x41, &other)));
    let cause = |register, field| find(&found, register, field).cause;
    assert_eq!(cause("COMPUTE_DISPATCH_INITIATOR", "CS_W32_EN"), Some(Cause::Wave));
    assert_eq!(cause("COMPUTE_PGM_RSRC3", "IMAGE_OP"), Some(Cause::Driver));
    assert_eq!(cause("COMPUTE_NUM_THREAD_X", "NUM_THREAD_FULL"), None);
    // The same register for the interface as written.
    let mut both = registers.clone();
    let unpacked = model::Register { from: model::From::Unpacked, ..registers[0].clone() };
    both.push(unpacked);
    both.last_mut().expect("was pushed").fields[0].value = Some(7);
    let found = predicted(Target::Gfx1100, &both, &read(&of_words(0x41, &other)));
    assert_eq!(find(&found, "COMPUTE_NUM_THREAD_X", "NUM_THREAD_FULL").cause, Some(Cause::NotPacked));
}

fn field(name: &'static str, lsb: u32, width: u32, value: u32) -> model::Field {
    model::Field { name: name.into(), lsb, width, value: Some(value), why: "a test".into() }
}

fn register(target: Target, name: &'static str, fields: Vec<model::Field>) -> model::Register {
    model::Register {
        target,
        stage: StageKind::Fragment,
        entry: None,
        name: Cow::Borrowed(name),
        address: Hex(0),
        value: None,
        from: model::From::Packed,
        unknown: None,
        driver_value: None,
        fields,
    }
}

#[test]
fn a_field_that_is_left_out_is_0_where_it_has_a_key() {
    let facts = json!({
        "chip": "gfx1030", "shaders": {"pixel": "ps"},
        "graphics_registers": {
            "spi_ps_in_control": {"num_interps": 2},
            "spi_interp_control": {"point_sprite_override_x": "S", "point_sprite_override_y": "Q"}
        }
    });
    let target = Target::Gfx1030;
    let registers = [
        register(
            target,
            "SPI_PS_IN_CONTROL",
            vec![field("NUM_INTERP", 0, 6, 2), field("PARAM_GEN", 6, 1, 0), field("PS_W32_EN", 15, 1, 0)],
        ),
        register(
            target,
            "SPI_INTERP_CONTROL_0",
            vec![
                field("FLAT_SHADE_ENA", 0, 1, 0),
                field("PNT_SPRITE_OVRD_X", 2, 3, 2),
                field("PNT_SPRITE_OVRD_Y", 5, 3, 3),
            ],
        ),
        register(target, "SPI_SHADER_Z_FORMAT", vec![field("Z_EXPORT_FORMAT", 0, 4, 0)]),
    ];
    let object = read(&llpc::object(&facts));
    let found = predicted(target, &registers, &object);
    let verdict = |register, field| find(&found, register, field).verdict;
    assert_eq!(verdict("SPI_PS_IN_CONTROL", "NUM_INTERP"), Verdict::Agrees);
    let left_out = find(&found, "SPI_PS_IN_CONTROL", "PARAM_GEN");
    assert!(left_out.verdict == Verdict::Agrees && left_out.left_out);
    // LLPC writes it, PAL has no key for it, and the register does not say that it is 0.
    assert_eq!(verdict("SPI_PS_IN_CONTROL", "PS_W32_EN"), Verdict::NotInObject);
    assert_eq!(verdict("SPI_INTERP_CONTROL_0", "FLAT_SHADE_ENA"), Verdict::NotInObject);
    // Texts of the metadata: S is 2, and Q is nothing.
    assert_eq!(verdict("SPI_INTERP_CONTROL_0", "PNT_SPRITE_OVRD_X"), Verdict::Agrees);
    assert_eq!(verdict("SPI_INTERP_CONTROL_0", "PNT_SPRITE_OVRD_Y"), Verdict::NotComparable);
    assert_eq!(verdict("SPI_SHADER_Z_FORMAT", "Z_EXPORT_FORMAT"), Verdict::NotInObject);
    assert_eq!(found.not_loaded, ["pixel"]);
    assert!(found.differing_table().rows.len() == 1 && found.fields_table(Verdict::Agrees).rows.len() == 2);
}

#[test]
fn fields_that_moved_on_gfx12_are_found_under_their_keys() {
    let facts = json!({
        "chip": "gfx1201", "shaders": {"vertex": "gs", "pixel": "ps"},
        "graphics_registers": {"spi_vs_out_config": {"vs_export_count": 3}, "spi_ps_in_control": {"num_interps": 4}}
    });
    let target = Target::Gfx1201;
    let fields =
        vec![field("VS_EXPORT_COUNT", 0, 5, 3), field("NO_PC_EXPORT", 10, 1, 0), field("NUM_INTERP", 11, 6, 5)];
    let registers = [register(target, "SPI_SHADER_GS_OUT_CONFIG_PS", fields)];
    let object = read(&llpc::object(&facts));
    assert!(object.registers.iter().all(|register| register.form == Form::Graphics));
    let found = predicted(target, &registers, &object);
    let of = |field| find(&found, "SPI_SHADER_GS_OUT_CONFIG_PS", field);
    assert_eq!(of("VS_EXPORT_COUNT").verdict, Verdict::Agrees);
    assert_eq!(of("VS_EXPORT_COUNT").key.as_deref(), Some(".graphics_registers.spi_vs_out_config.vs_export_count"));
    assert!(of("NO_PC_EXPORT").verdict == Verdict::Agrees && of("NO_PC_EXPORT").left_out);
    assert_eq!(of("NUM_INTERP").verdict, Verdict::Differs);
    // What was compared is not listed again.
    assert_eq!(found.field_counts.not_predicted, 0);
}

/// What a compute shader's SGPRs hold: a table, then a push constant, as the model has it and as an object has it.
#[test]
fn mappings_of_user_data_are_compared() {
    let entry = |entry, what: &str| Entry { entry, what: what.to_owned() };
    let data = UserData {
        loaded: 2,
        in_registers: 2,
        spilled_from: None,
        dynamic: false,
        before: 3,
        after: 0,
        special: Vec::new(),
        registers: 5,
        available: 16,
        entries: vec![entry(0, "table of set 0"), entry(2, "push constants, byte 4")],
    };
    let holds = data.sgprs();
    let target = Target::Gfx1030;
    let registers = UserDataRegisters::of_stage(target, StageKind::Compute).expect("has some");
    let model: Vec<model::Register> = (0..)
        .zip(holds)
        .filter(|(_, holds)| holds.mapped() != u32::MAX)
        .map(|(sgpr, holds)| {
            let name = registers.of_sgpr(sgpr).expect("a register").0;
            let data = model::Field {
                name: model::DATA.into(),
                lsb: 0,
                width: 32,
                value: Some(holds.mapped()),
                why: "a test".into(),
            };
            model::Register { name: name.into(), ..register(target, "", vec![data]) }
        })
        .collect();
    let of = |map: serde_json::Value| {
        let facts = json!({
            "chip": "gfx1030", "shaders": {"compute": "cs"},
            "hardware_stages": {"cs": {"user_data_reg_map": map}}
        });
        predicted(target, &model, &read(&llpc::object(&facts)))
    };
    let found = of(json!([0x1000_0000, 0x1000_0006, 0xffff_ffffu32, 0, 2]));
    assert_eq!((found.field_counts.agrees, found.field_counts.compared(), found.field_counts.not_predicted), (4, 4, 0));
    // Another entry, one that is not mapped, and one that the model does not have.
    let found = of(json!([0x1000_0000, 0x1000_0006, 0xffff_ffffu32, 7, 0xffff_ffffu32, 3]));
    let differing: Vec<Vec<String>> = found
        .differing_table()
        .rows
        .iter()
        .map(|row| row.cells.iter().take(4).map(|cell| cell.text().into_owned()).collect())
        .collect();
    assert_eq!(
        differing,
        [
            ["COMPUTE_USER_DATA_3", "DATA", "entry 0", "entry 7"],
            ["COMPUTE_USER_DATA_4", "DATA", "entry 2", "not mapped"],
            ["COMPUTE_USER_DATA_5", "DATA", "not mapped", "entry 3"],
        ]
    );
    // Of a stage that is not modeled, the mapping is the object's alone.
    let found = predicted(
        target,
        &[],
        &read(&llpc::object(&json!({
            "chip": "gfx1030", "shaders": {"compute": "cs"},
            "hardware_stages": {"cs": {"user_data_reg_map": [0x1000_0000, 1]}}
        }))),
    );
    assert_eq!((found.field_counts.compared(), found.field_counts.not_predicted), (0, 2));
}
