//! Data breakpoints: the debugger's watchpoints, on a value of one lane or in memory.

use lanescope_core::ids::Id;
use lanescope_core::interpreter::debugger::session::Chosen;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::Debuggee;
use super::breakpoints::{List, hits_passed};
use super::frames::Frame;

/// What a client gives back to set a data breakpoint.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct DataId {
    /// The expression.
    expression: String,
    /// The function that names it.
    function: u32,
    /// The lane: of memory, the one that asked.
    wave: u32,
    lane: u32,
}

/// A data breakpoint that a client asks for.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct AskedData {
    data_id: String,
    access_type: Option<String>,
    condition: Option<String>,
    hit_condition: Option<String>,
}

impl Debuggee {
    /// Whether a variable of a reference, or an expression in a frame, can be watched.
    pub fn data_breakpoint_info(&self, reference: Option<i64>, name: &str, frame: Option<i64>) -> Value {
        let found = match reference.filter(|reference| *reference > 0) {
            Some(reference) => self.named_part(reference, name),
            None => self.frame(frame).map(|frame| (frame, name.to_owned())),
        };
        let found = found.and_then(|(frame, expression)| {
            let target = self.session.find(&expression, frame.function).map_err(|why| why.to_string())?;
            if self.session.shape(&target).is_none() {
                return Err(format!("{expression}: an index is out of bounds"));
            }
            Ok((frame, expression, target))
        });
        match found {
            Ok((Frame { lane: Chosen { wave, lane }, function }, expression, target)) => {
                let description = match target.is_in_memory() {
                    true => expression.clone(),
                    false => format!("{expression} in wave {wave} lane {lane}"),
                };
                let id = DataId { expression, function: function.0, wave, lane };
                let id = serde_json::to_string(&id).unwrap_or_default();
                json!({ "dataId": id, "description": description, "accessTypes": ["write"], "canPersist": false })
            }
            Err(why) => json!({ "dataId": null, "description": why }),
        }
    }

    /// Replaces the data breakpoints.
    pub fn set_data_breakpoints(&mut self, asked: &[AskedData]) -> Value {
        self.replace(List::Data, asked, |debuggee, asked| {
            let id: DataId =
                serde_json::from_str(&asked.data_id).map_err(|_| "not an id of this adapter".to_owned())?;
            if asked.access_type.as_deref().is_some_and(|access| access != "write") {
                return Err("only changes of a value stop".to_owned());
            }
            if asked.condition.as_deref().is_some_and(|condition| !condition.trim().is_empty()) {
                return Err("a data breakpoint cannot have a condition".to_owned());
            }
            let hits = hits_passed(asked.hit_condition.as_deref())?;
            let thread = super::threads::thread_of(Chosen { wave: id.wave, lane: id.lane });
            let frame = Frame { lane: debuggee.lane_of(thread)?, function: Id(id.function) };
            let target = debuggee.session.find(&id.expression, frame.function).map_err(|why| why.to_string())?;
            let text = match target.is_in_memory() {
                true => format!("watch {}", id.expression),
                false => format!("watch {} in wave {} lane {}", id.expression, id.wave, id.lane),
            };
            let number = debuggee.session.watch(target, frame.lane, &text);
            debuggee.session.set_ignored(number, hits);
            Ok((number, None))
        })
    }
}
