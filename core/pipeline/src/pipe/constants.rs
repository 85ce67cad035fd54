//! Specialization constants of a stage: a map into one buffer that is filled by all data keys.

use std::collections::BTreeMap;

use super::keys::Keys;
use super::value;
use crate::Constant;
use crate::constant::bytes_of;
use crate::findings;
use crate::notes::Notes;
use lanescope_base::half;

/// The most bytes of data, far beyond what any pipeline has.
const MAX_DATA: usize = 1 << 20;

/// The constants of a stage's section, without values: those follow from the types in the module.
pub fn constants(keys: &Keys, notes: &mut Notes<'_>) -> Vec<(Constant, Vec<u8>)> {
    let mut data: Vec<u8> = Vec::new();
    let mut rows: BTreeMap<u32, (u32, Constant)> = BTreeMap::new();
    for entry in &keys.entries {
        let Some(member) = entry.path.strip_prefix("specConst.") else { continue };
        if let Some(field) = member.strip_prefix("mapEntry.") {
            let index = entry.indices.get(1).copied().unwrap_or(0);
            let empty = Constant { id: 0, offset: 0, size: 0, value: None, wrong_size: false, bytes: String::new() };
            let row = &mut rows.entry(index).or_insert((entry.line, empty)).1;
            match field {
                "constantID" => row.id = entry.int(),
                "offset" => row.offset = u64::from(entry.int()),
                _ => row.size = u64::from(entry.int()),
            }
            continue;
        }
        for part in value::elements(&entry.text) {
            if data.len() >= MAX_DATA {
                break;
            }
            match member {
                "intData" | "uintData" => data.extend(value::int(part).value.to_le_bytes()),
                "floatData" => data.extend((value::float(part).value as f32).to_le_bytes()),
                "doubleData" => data.extend(value::float(part).value.to_le_bytes()),
                // LLPC reads a 32-bit float.
                "float16Data" => {
                    let value = value::float(part).value as f32;
                    data.extend(half::toward_zero(value.into()).to_le_bytes());
                }
                _ => data.extend(value::long(part).value.to_le_bytes()),
            }
        }
    }
    if rows.is_empty() && !data.is_empty() {
        let line = keys.entries.iter().find(|entry| entry.path.starts_with("specConst.")).map_or(1, |e| e.line);
        let message = format!("{} bytes of constants without a mapEntry are dropped", data.len());
        notes.add(findings::PIPE_SPEC_RANGE, line, message);
    }
    let mut out = Vec::new();
    for (line, mut row) in rows.into_values() {
        let bytes = bytes_of(&data, row.id, row.offset, row.size).unwrap_or_else(|why| {
            notes.add(findings::PIPE_SPEC_RANGE, line, why);
            Vec::new()
        });
        row.bytes = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        out.push((row, bytes));
    }
    out
}
