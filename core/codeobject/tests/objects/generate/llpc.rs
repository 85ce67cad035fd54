//! Objects with the register values that public tests of LLPC expect of their shaders. `llpc.json` has these values as
//! facts, by fixture: registers and keys of hardware stages, of which those of registers are left out that are 0.

use serde_json::Value as Json;

use super::elf::{Elf, packed};
use super::{Map, NONE};
use rmpv::Value;

/// Chips: number and LLVM name.
const CHIPS: &[(u32, &str)] =
    &[(0x133, "gfx1010"), (0x135, "gfx1012"), (0x36, "gfx1030"), (0x41, "gfx1100"), (0x4e, "gfx1201")];

/// A value of the facts, its keys as metadata has them: with a dot.
fn value(fact: &Json) -> Value {
    match fact {
        Json::Object(map) => {
            Value::Map(map.iter().map(|(key, fact)| (format!(".{key}").into(), value(fact))).collect())
        }
        Json::Array(items) => Value::Array(items.iter().map(value).collect()),
        Json::String(text) => text.as_str().into(),
        fact => fact.as_u64().expect("a number").into(),
    }
}

/// The stages, their mapping with as many elements as LLPC writes.
fn stages(facts: &Json) -> Value {
    let mut stages = value(facts);
    let Value::Map(all) = &mut stages else { return stages };
    for (_, stage) in all {
        let Value::Map(keys) = stage else { continue };
        for (_, map) in keys.iter_mut().filter(|(key, _)| key.as_str() == Some(".user_data_reg_map")) {
            let Value::Array(values) = map else { continue };
            values.resize(32, NONE.into());
        }
    }
    stages
}

/// Every fixture with its name.
pub fn all() -> Vec<(String, Elf)> {
    let facts: Json = serde_json::from_str(include_str!("llpc.json")).expect("is JSON");
    let fixtures = facts.as_object().expect("fixtures by name");
    fixtures.iter().map(|(name, facts)| (name.clone(), object(facts))).collect()
}

/// A fixture.
pub fn named(name: &str) -> Elf {
    let found = all().into_iter().find(|(own, _)| own == name);
    found.expect("is one of the fixtures").1
}

/// The object of facts.
pub fn object(facts: &Json) -> Elf {
    let chip = CHIPS.iter().find(|chip| facts["chip"] == chip.1).expect("a chip of the list");
    let shaders =
        facts["shaders"].as_object().expect("stages by name").iter().fold(Map::default(), |map, (name, stage)| {
            let hardware = vec![Value::from(format!(".{}", stage.as_str().expect("a name")))];
            map.with(&format!(".{name}"), Map::default().with(".hardware_mapping", hardware))
        });
    let mut pipeline = Map::default().with(".api", "Vulkan").with(".shaders", shaders);
    for key in ["graphics_registers", "compute_registers"] {
        if let Some(registers) = facts.get(key) {
            pipeline = pipeline.with(&format!(".{key}"), value(registers));
        }
    }
    if let Some(facts) = facts.get("hardware_stages") {
        pipeline = pipeline.with(".hardware_stages", stages(facts));
    }
    let root = Map::default()
        .with("amdpal.version", vec![Value::from(3), 0.into()])
        .with("amdpal.pipelines", vec![Value::from(pipeline)]);
    let isa = format!("amdgcn-unknown-amdpal--{}", chip.1);
    Elf {
        os_abi: 65,
        kind: 1,
        flags: chip.0,
        notes: vec![("AMD", 11, isa.into_bytes()), ("AMDGPU", 32, packed(&root.into()))],
        ..Elf::default()
    }
}
