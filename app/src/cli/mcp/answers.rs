//! What a call of a tool is answered: what the command with its flags finds, as text and as data.

use std::io;

use clap::{ArgMatches, FromArgMatches};
use lanescope_core::compare::{Comparison, Side, compare};
use lanescope_core::foreign::Screen;
use lanescope_core::reduce::condition::{Condition, Test};
use lanescope_core::report::Report;
use lanescope_host::code_objects::{self, only_object};
use lanescope_host::json::Versioned;
use lanescope_host::saved_runs::{self, only_run};
use lanescope_host::scripts::ScriptReport;
use lanescope_mcp::calls::{Call, Found};
use lanescope_mcp::tools::{self, Tool};
use lanescope_mcp::why::{self, Explained, Question};
use lanescope_text::{self as text, Style};
use serde::Serialize;
use serde_json::{Value, json};

use super::super::debug::Debug;
use super::super::diff::{Diff, Differences, has_failed};
use super::super::inspect::Inspect;
use super::super::isa::Isa;
use super::super::reduce::{Reduce, Reduction};
use super::super::run::{Outcome, Run, RunReport, Runs};
use super::super::{CliError, code_object, doctor, graph_json, run_script, schema, streams};
use super::opened::Opened;

/// Carries out a call.
///
/// # Errors
/// What the command line says of the same arguments.
pub fn answer(call: &Call) -> Result<Found, String> {
    let tool = tools::find(&call.tool).ok_or_else(|| format!("no tool `{}`", call.tool))?;
    let found = match tool.name {
        "open" => inspected(call, |report| found(Opened::of(report).text(), &Opened::of(report), report.has_errors())),
        "inspect" => inspect(&read(call)?),
        "why" => why(call),
        "isa" => isa(&read(call)?),
        "compare" => compared(&read(call)?),
        "run" | "graph_run" => run(&read(call)?, tool.name == "graph_run"),
        "debug_step" => debug(&read(call)?),
        "reduce" => reduce(&read(call)?, call.allow_run),
        _ => machine(call.allow_run),
    };
    found.map_err(|error| error.to_string())
}

/// The schema of a tool's result: the published one of its command, where there is one.
pub fn schema(tool: &Tool) -> Value {
    let schema = match tool.name {
        "open" => schema::of::<Opened>(),
        "inspect" => {
            let others = [schema::of::<graph_json::Page<'_>>(), schema::of::<code_object::Page<'_>>()];
            return any_of(schema::of::<Report>(), others);
        }
        "why" => schema::of::<Explained>(),
        "isa" => schema::of::<Report>(),
        "compare" => schema::of::<Differences<'_>>(),
        "run" => return any_of(schema::of::<RunReport<'_>>(), [schema::of::<ScriptReport>()]),
        "graph_run" => schema::of::<graph_json::Page<'_>>(),
        "reduce" => schema::of::<Reduction>(),
        "doctor" => schema::of::<Versioned<'_, doctor::Findings>>(),
        // What `debug --format json` prints has no published schema.
        _ => return json!({ "type": "object" }),
    };
    schema.into()
}

/// One of several schemas, with the definitions of all.
fn any_of<const N: usize>(first: schemars::Schema, others: [schemars::Schema; N]) -> Value {
    let (mut all, mut definitions) = (Vec::new(), serde_json::Map::new());
    for (number, schema) in std::iter::once(first).chain(others).enumerate() {
        let mut schema: Value = schema.into();
        // Several types may have one name.
        rename(&mut schema, number);
        if let Some(members) = schema.as_object_mut() {
            members.remove("$schema");
            if let Some(Value::Object(own)) = members.remove("$defs") {
                definitions.extend(own.into_iter().map(|(name, one)| (format!("{number}.{name}"), one)));
            }
        }
        all.push(schema);
    }
    json!({ "anyOf": all, "$defs": definitions })
}

/// Renames what references are to, as the definitions of this schema are called among those of several.
fn rename(schema: &mut Value, number: usize) {
    match schema {
        Value::Object(members) => members.iter_mut().for_each(|(name, value)| match value {
            Value::String(reference) if name == "$ref" => {
                *reference = reference.replacen("#/$defs/", &format!("#/$defs/{number}."), 1);
            }
            value => rename(value, number),
        }),
        Value::Array(values) => values.iter_mut().for_each(|value| rename(value, number)),
        _ => {}
    }
}

/// The command of a call.
fn read<C: FromArgMatches>(call: &Call) -> Result<C, String> {
    let command = tools::find(&call.tool).and_then(|tool| tool.command).and_then(super::command);
    let command = command.ok_or_else(|| format!("no command for `{}`", call.tool))?;
    let matches: ArgMatches = command.try_get_matches_from(&call.words).map_err(|error| refused(&error))?;
    C::from_arg_matches(&matches).map_err(|error| refused(&error))
}

/// What the parser of the command line says, without the parts that are about a command line.
fn refused(error: &clap::Error) -> String {
    super::super::dap::refused(error)
}

/// What was found, as text and data.
fn found(text: String, result: &impl Serialize, has_findings: bool) -> Result<Found, CliError> {
    let result = serde_json::to_value(result).map_err(io::Error::from)?;
    Ok(Found { text, result, has_findings })
}

/// A text of a command: nothing in it is obeyed by a terminal.
fn written(write: impl FnOnce(&mut Screen<&mut Vec<u8>>, Style) -> io::Result<()>) -> Result<String, CliError> {
    let mut out = Vec::new();
    write(&mut Screen::plain(&mut out), Style::plain().whole())?;
    Ok(String::from_utf8_lossy(&out).into_owned())
}

/// The report of the files, for a tool that needs one.
fn inspected(call: &Call, then: impl FnOnce(&Report) -> Result<Found, CliError>) -> Result<Found, CliError> {
    let inspect: Inspect = read(call).map_err(CliError::Unusable)?;
    if let Some(path) = only_run(inspect.files()).or_else(|| only_object(inspect.files())) {
        let why = "is a saved run or a code object, not a shader: use `inspect`";
        return Err(CliError::Unusable(format!("{}: {why}", path.display())));
    }
    let reported = inspect.reported()?;
    reported.asked?;
    then(&reported.report)
}

fn inspect(inspect: &Inspect) -> Result<Found, CliError> {
    if let Some(path) = only_run(inspect.files()) {
        let run = saved_runs::read(path).map_err(CliError::Unusable)?;
        return graph_run(&run, inspect.shown());
    }
    if let Some(path) = only_object(inspect.files()) {
        let object = code_objects::read(path).map_err(CliError::Unusable)?;
        let name = path.display().to_string();
        let text = written(|out, style| text::write_code_object(&name, &object, out, style))?;
        return found(text, &code_object::Page::of(&name, &object), code_object::has_errors(&object));
    }
    let reported = inspect.reported()?;
    let report = &reported.report;
    let text = written(|out, style| {
        text::write(report, out, style)?;
        text::write_details(&report.findings, false, out, style)
    })?;
    if let Err(error) = reported.asked {
        streams::error(&error.to_string());
    }
    found(text, report, report.has_errors())
}

fn why(call: &Call) -> Result<Found, CliError> {
    let question: &Question =
        call.question.as_ref().ok_or_else(|| CliError::Unusable("expected a question".to_owned()))?;
    inspected(call, |report| {
        let explained = why::explain(report, question).map_err(|why| CliError::Unusable(text::plain(&why)))?;
        found(written(|out, _| io::Write::write_all(out, explained.text().as_bytes()))?, &explained, false)
    })
}

fn isa(isa: &Isa) -> Result<Found, CliError> {
    let report = isa.reported()?;
    let text = written(|out, style| text::write_isa(&report, isa.detail(), out, style))?;
    found(text, &report, report.has_errors())
}

fn compared(diff: &Diff) -> Result<Found, CliError> {
    let names = diff.names();
    if code_object::pair(names[0], names[1])?.is_some() {
        let why = "AMD code objects are compared by the command line: `lanescope diff`";
        return Err(CliError::Unusable(why.to_owned()));
    }
    let reports = diff.reports()?;
    let sides = [Side::from(&reports[0]), Side::from(&reports[1])];
    let mut comparison: Comparison = compare(sides[0], sides[1]);
    diff.complete(&mut comparison, sides);
    let text = written(|out, style| text::write_comparison(&comparison, names, true, out, style))?;
    found(text, &Differences::of(names, &comparison), !comparison.equal || has_failed(&reports))
}

fn graph_run(run: &lanescope_core::run::graph::GraphRun, shown: u64) -> Result<Found, CliError> {
    let text = written(|out, style| text::write_graph_run(run, shown, out, style))?;
    found(text, &graph_json::Page::of(run, shown), run.has_errors())
}

fn run(run: &Run, of_graph: bool) -> Result<Found, CliError> {
    let outcome = run.outcome(|runs| match (runs, of_graph) {
        (Runs::Graph, true) | (Runs::Program, false) => Ok(()),
        (Runs::Graph, false) => Err(CliError::Unusable("the file has a work graph: use `graph_run`".to_owned())),
        (Runs::Program, true) => Err(CliError::Unusable("the file has no work graph: use `run`".to_owned())),
    })?;
    let has_findings = outcome.has_findings();
    match &outcome {
        Outcome::Graph(graph) => graph_run(graph, run.shown()),
        Outcome::Script(report) => {
            let file = run.files().first().cloned().unwrap_or_default();
            found(written(|out, _| run_script::write(&file, report, out))?, report, has_findings)
        }
        Outcome::Program(program) => {
            let (report, ran) = &**program;
            let text = written(|out, style| text::write_run(&ran.execution, out, style))?;
            found(text, &RunReport::of(report, ran), has_findings)
        }
    }
}

fn debug(debug: &Debug) -> Result<Found, CliError> {
    let (debugged, size, has_findings) = debug.debugged()?;
    let text = written(|out, style| text::write_debug(&debugged, size, out, style))?;
    found(text, &Versioned { schema: 1, value: &debugged }, has_findings)
}

fn reduce(reduce: &Reduce, allow_run: bool) -> Result<Found, CliError> {
    judge(reduce.condition(), allow_run).map_err(CliError::Unusable)?;
    let reduction = reduce.reduction()?;
    found(written(|out, _| reduction.write(out))?, &reduction, false)
}

/// Checks that a condition starts no program, and nothing on a device unless that is allowed.
fn judge(condition: &Condition, allow_run: bool) -> Result<(), String> {
    let is_other = |device: &Option<String>| device.as_deref() != Some(lanescope_core::gpu::interpret::NAME);
    for test in condition.tests() {
        match test {
            Test::Exec(_) => return Err("`while`: `exec` cannot be used: it starts a program".to_owned()),
            Test::ResultsDiffer { on, from } if !allow_run && (is_other(on) || from.is_some() && is_other(from)) => {
                return Err("`while`: `results-differ` runs on devices: `results-differ on interpreter` does not, and the server \
                            allows others with --allow-run"
                    .to_owned());
            }
            _ => {}
        }
    }
    Ok(())
}

fn machine(tries: bool) -> Result<Found, CliError> {
    let machine = doctor::look(tries);
    let text = written(|out, _| doctor::print(&machine, out))?;
    found(text, &Versioned { schema: 1, value: &machine }, false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_that_start_something_are_refused() {
        let judged = |text: &str, allow_run| judge(&text.parse().expect("a condition"), allow_run);
        for text in ["finding E001", "results-differ on interpreter", "text matches /x/ on gfx1100 and crashes"] {
            assert_eq!(judged(text, false), Ok(()), "{text}");
        }
        for text in ["results-differ", "results-differ on 0", "not results-differ on interpreter from 0"] {
            assert!(judged(text, false).is_err_and(|why| why.contains("--allow-run")), "{text}");
            assert_eq!(judged(text, true), Ok(()), "{text}");
        }
        assert!(judged("crashes or exec ./x", true).is_err_and(|why| why.contains("starts a program")));
    }
}
