//! What each request asks for.

use lanescope_core::interpreter::debugger::session::Command;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Engine, Phase, Then};
use crate::debuggee::{Asked, AskedData, Debuggee, Evaluated, Page};
use crate::protocol::Request;
use crate::sources::SourceArgument;

/// The answer to a request, and what follows it.
pub(super) struct Answer {
    pub result: Result<Value, String>,
    pub then: Then,
}

impl From<Result<Value, String>> for Answer {
    fn from(result: Result<Value, String>) -> Answer {
        Answer { result, then: Then::Nothing }
    }
}

/// Arguments of the requests: all of them together, as each has its own names.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Arguments {
    thread_id: Option<i64>,
    frame_id: Option<i64>,
    variables_reference: Option<i64>,
    start_frame: Option<usize>,
    levels: Option<usize>,
    #[serde(flatten)]
    page: Page,
    granularity: Option<String>,
    expression: Option<String>,
    context: Option<String>,
    name: Option<String>,
    source: SourceArgument,
    source_reference: Option<i64>,
    line: Option<u32>,
    end_line: Option<u32>,
    filters: Vec<String>,
    filter_options: Vec<FilterOption>,
    memory_reference: Option<String>,
    offset: Option<i64>,
    instruction_offset: Option<i64>,
    instruction_count: Option<u64>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct FilterOption {
    filter_id: String,
}

/// Breakpoints of a request.
#[derive(Debug, Deserialize)]
#[serde(bound = "T: Deserialize<'de>")]
struct List<T> {
    #[serde(default = "Vec::new")]
    breakpoints: Vec<T>,
}

/// Requests that look at a stopped shader, or move it.
const WHILE_STOPPED: [&str; 15] = [
    "stackTrace",
    "scopes",
    "variables",
    "evaluate",
    "exceptionInfo",
    "dataBreakpointInfo",
    "lanescope/heatMap",
    "continue",
    "next",
    "stepIn",
    "stepOut",
    "stepBack",
    "reverseContinue",
    "disassemble",
    "configurationDone",
];
/// Requests that need a shader.
const WITH_SHADER: [&str; 9] = [
    "threads",
    "setBreakpoints",
    "setFunctionBreakpoints",
    "setInstructionBreakpoints",
    "setDataBreakpoints",
    "setExceptionBreakpoints",
    "breakpointLocations",
    "source",
    "loadedSources",
];

impl Engine {
    /// Carries out a request.
    pub(super) fn carry_out(&mut self, request: &Request) -> Answer {
        let command = request.command.as_str();
        if command == "launch" {
            return match self.phase {
                Phase::New => {
                    let result = self.launch(&request.arguments);
                    let then = if result.is_ok() { Then::Launched } else { Then::Nothing };
                    Answer { result: result.map(|()| Value::Null), then }
                }
                Phase::Over => Err("launch: the session is over".to_owned()).into(),
                _ => Err("launch: a shader is launched already".to_owned()).into(),
            };
        }
        let while_stopped = WHILE_STOPPED.contains(&command);
        if !while_stopped && !WITH_SHADER.contains(&command) {
            return Err(format!("`{command}` is not a request that this adapter has")).into();
        }
        let why = match self.phase {
            Phase::New => Some("no shader is launched"),
            Phase::Over => Some("the session is over"),
            Phase::Running if while_stopped => Some("the shader is running: pause it first"),
            Phase::Launched if while_stopped && command != "configurationDone" => {
                Some("the run has not begun: `configurationDone` is expected first")
            }
            Phase::Stopped if command == "configurationDone" => Some("this was requested before"),
            _ => None,
        };
        if let Some(why) = why {
            return Err(format!("{command}: {why}")).into();
        }
        let Some(debuggee) = &mut self.debuggee else { return Err(format!("{command}: no shader is launched")).into() };
        match carried_out(debuggee, request) {
            Ok((body, then)) => Answer { result: Ok(body), then },
            Err(why) => Err(why).into(),
        }
    }
}

fn carried_out(debuggee: &mut Debuggee, request: &Request) -> Result<(Value, Then), String> {
    let command = request.command.as_str();
    // Lists of breakpoints have arguments of their own.
    match command {
        "setFunctionBreakpoints" => {
            let List { breakpoints } = request.read::<List<Asked>>()?;
            return Ok((debuggee.set_function_breakpoints(&breakpoints), Then::Nothing));
        }
        "setInstructionBreakpoints" => {
            let List { breakpoints } = request.read::<List<Asked>>()?;
            return Ok((debuggee.set_instruction_breakpoints(&breakpoints), Then::Nothing));
        }
        "setDataBreakpoints" => {
            let List { breakpoints } = request.read::<List<AskedData>>()?;
            return Ok((debuggee.set_data_breakpoints(&breakpoints), Then::Nothing));
        }
        _ => {}
    }
    let arguments: Arguments = request.read()?;
    let needed = |name: &str| format!("{command}: `{name}` is missing");
    let moved = |debuggee: &mut Debuggee, line: Command, instruction: Command| {
        debuggee.choose(arguments.thread_id.ok_or_else(|| needed("threadId"))?)?;
        let is_instruction = arguments.granularity.as_deref() == Some("instruction");
        let next = if is_instruction { instruction } else { line };
        Ok::<_, String>((Value::Null, Then::Move(next)))
    };
    let body = match command {
        "threads" => debuggee.threads(),
        "setBreakpoints" => {
            let List { breakpoints } = request.read::<List<Asked>>()?;
            debuggee.set_breakpoints(&arguments.source, &breakpoints)
        }
        "setExceptionBreakpoints" => {
            let options = arguments.filter_options.iter().map(|option| option.filter_id.clone());
            let filters: Vec<String> = arguments.filters.iter().cloned().chain(options).collect();
            let row = |is_known: bool| match is_known {
                true => json!({ "verified": true }),
                false => json!({ "verified": false, "message": "unknown filter" }),
            };
            let rows: Vec<Value> = debuggee.set_exception_filters(&filters).into_iter().map(row).collect();
            json!({ "breakpoints": rows })
        }
        "configurationDone" => return Ok((Value::Null, Then::Start)),
        "breakpointLocations" => {
            let line = arguments.line.ok_or_else(|| needed("line"))?;
            debuggee.breakpoint_locations(&arguments.source, line, arguments.end_line)
        }
        "loadedSources" => debuggee.loaded_sources(),
        "source" => {
            let reference = arguments.source.source_reference.or(arguments.source_reference);
            debuggee.source_text(reference.ok_or_else(|| needed("sourceReference"))?)?
        }
        "stackTrace" => {
            let thread = arguments.thread_id.ok_or_else(|| needed("threadId"))?;
            debuggee.stack_trace(thread, arguments.start_frame.unwrap_or(0), arguments.levels)?
        }
        "scopes" => debuggee.scopes(arguments.frame_id.ok_or_else(|| needed("frameId"))?)?,
        "variables" => {
            let reference = arguments.variables_reference.ok_or_else(|| needed("variablesReference"))?;
            debuggee.variables(reference, arguments.page)?
        }
        "evaluate" => {
            let expression = arguments.expression.as_deref().ok_or_else(|| needed("expression"))?;
            let is_console = arguments.context.as_deref() == Some("repl");
            match debuggee.evaluate(expression, arguments.frame_id, is_console)? {
                Evaluated::Value(body) => body,
                Evaluated::Move(command) => {
                    let body = json!({ "result": "", "variablesReference": 0 });
                    return Ok((body, Then::MoveFromConsole(command)));
                }
            }
        }
        "exceptionInfo" => debuggee.exception_info()?,
        "dataBreakpointInfo" => {
            let name = arguments.name.as_deref().ok_or_else(|| needed("name"))?;
            debuggee.data_breakpoint_info(arguments.variables_reference, name, arguments.frame_id)
        }
        "disassemble" => {
            let address = arguments.memory_reference.as_deref().ok_or_else(|| needed("memoryReference"))?;
            let count = arguments.instruction_count.ok_or_else(|| needed("instructionCount"))?;
            let (bytes, offset) = (arguments.offset.unwrap_or(0), arguments.instruction_offset.unwrap_or(0));
            debuggee.disassemble(address, bytes, offset, count)?
        }
        "lanescope/heatMap" => {
            debuggee.heat_map(arguments.expression.as_deref().ok_or_else(|| needed("expression"))?)?
        }
        "continue" => {
            let (_, then) = moved(debuggee, Command::Continue, Command::Continue)?;
            return Ok((json!({ "allThreadsContinued": true }), then));
        }
        "next" => return moved(debuggee, Command::Next(1), Command::NextInstruction(1)),
        "stepIn" => return moved(debuggee, Command::Step(1), Command::StepInstruction(1)),
        "stepOut" => return moved(debuggee, Command::Finish, Command::Finish),
        "stepBack" => return moved(debuggee, Command::ReverseStep(1), Command::ReverseStepInstruction(1)),
        "reverseContinue" => return moved(debuggee, Command::ReverseContinue, Command::ReverseContinue),
        _ => return Err(format!("`{command}` is not a request that this adapter has")),
    };
    Ok((body, Then::Nothing))
}
