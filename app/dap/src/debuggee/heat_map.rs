//! The value of an expression in all lanes: what the window draws as a heat map.

use lanescope_core::interpreter::debugger::session::{Chosen, Lanes};
use serde_json::{Value, json};

use super::Debuggee;
use super::threads::thread_of;

impl Debuggee {
    /// The value of an expression in all lanes of the workgroup, each with its place in the workgroup, and the least and
    /// the greatest number among the active ones.
    ///
    /// # Errors
    /// A name that the program does not have where the chosen wave is.
    pub fn heat_map(&self, expression: &str) -> Result<Value, String> {
        let lanes = self.session.lanes(expression).map_err(|why| why.to_string())?;
        let size = self.session.debugger().machine().size();
        let [width, height, _] = size.map(|size| size.max(1));
        let mut cells = Vec::new();
        let (mut least, mut greatest) = (f64::INFINITY, f64::NEG_INFINITY);
        let Lanes { values, numbers, active, invocations, helpers, .. } = &lanes;
        for (wave, row) in invocations.iter().enumerate() {
            for (lane, invocation) in row.iter().enumerate() {
                let Some(invocation) = *invocation else { continue };
                let number = numbers.get(wave).and_then(|row| *row.get(lane)?).filter(|number| number.is_finite());
                let is = |all: &[Vec<bool>]| all.get(wave).and_then(|row| row.get(lane)).copied().unwrap_or(false);
                let is_active = is(active);
                if let Some(number) = number.filter(|_| is_active) {
                    (least, greatest) = (least.min(number), greatest.max(number));
                }
                let at = lanes.position(invocation, size);
                let of = Chosen { wave: wave as u32, lane: lane as u32 };
                cells.push(json!({
                    "threadId": thread_of(of), "wave": wave, "lane": lane,
                    "position": [at % width, at / width % height, at / width / height],
                    "active": is_active, "helper": is(helpers),
                    "value": values.get(wave).and_then(|row| row.get(lane)), "number": number,
                }));
            }
        }
        let range = (least <= greatest).then_some([least, greatest]);
        Ok(json!({ "expression": expression, "size": size, "range": range, "lanes": cells }))
    }
}
