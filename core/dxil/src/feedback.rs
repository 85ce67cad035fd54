//! Buffers whose loads are asked whether all of them was mapped.

use std::collections::BTreeSet;

use super::Dxil;
use super::disassemble::Handles;
use super::metadata::Resource;
use super::module::{Body, Kind, Operand, ValueId};
use super::op_calls::decode;

/// The member of a load's result that says what was mapped.
const STATUS: u32 = 4;

impl Dxil {
    /// Raw and structured buffers of which the program reads the status of a load, by class and number.
    pub fn buffers_with_feedback(&self) -> BTreeSet<(String, u32)> {
        let mut out = BTreeSet::new();
        let Some(program) = &self.program else { return out };
        for (_, body) in program.module.defined() {
            let asked = asked(body);
            if asked.is_empty() {
                continue;
            }
            let handles = Handles::new(&program.module, body, &program.dx);
            for is in &body.instructions {
                let (Kind::Call(call), Some(result)) = (&is.kind, is.result) else { continue };
                let op = decode(&program.module, body, call).and_then(|decoded| decoded.op());
                let is_load = op.is_some_and(|op| matches!(op.name.as_str(), "BufferLoad" | "RawBufferLoad"));
                if let Some(Operand::Value(handle)) =
                    call.arguments.get(1).filter(|_| is_load && asked.contains(&result))
                    && let Some(resource) = handles.resource(*handle).filter(|resource| is_untyped(resource))
                {
                    out.insert((resource.class.to_string(), resource.id));
                }
            }
        }
        out
    }
}

fn is_untyped(resource: &Resource) -> bool {
    matches!(&*resource.kind, "RawBuffer" | "StructuredBuffer")
}

/// The values whose status is taken.
fn asked(body: &Body) -> BTreeSet<ValueId> {
    let statuses = body.instructions.iter().filter_map(|is| match &is.kind {
        Kind::ExtractValue { aggregate, indices } if indices.first() == Some(&STATUS) => Some(*aggregate),
        _ => None,
    });
    statuses.collect()
}
