//! Calls of tools. Each is carried out in a child process, this executable once more: a limit that ends it, a crash or a
//! cancellation ends the call alone.

use std::io::{self, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, ExitCode, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

use lanescope_core::foreign::plain_lines;
use lanescope_host::framing::{self, TooLong};
use lanescope_host::jobs::caught;
use lanescope_host::worker::this_executable;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::sync::oneshot;

use crate::paging::Page;
use crate::tools::schema::RESULT_AT_MOST;
use crate::why::Question;

/// The hidden command that carries out a call.
pub const COMMAND: &str = "mcp-call";
/// What a child says beside its answer, in bytes; the rest is dropped.
const NOTES_AT_MOST: u64 = 64 << 10;

/// A call: what a child gets.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Call {
    /// The tool.
    pub tool: String,
    /// The arguments of its command.
    pub words: Vec<String>,
    /// What is to be explained.
    pub question: Option<Question>,
    /// Which part of the answer is wanted.
    pub view: View,
    /// Whether shaders run on devices.
    pub allow_run: bool,
}

/// Which part of an answer is wanted.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct View {
    /// Where the text begins, in characters.
    pub offset: usize,
    /// The most characters of text.
    pub limit: usize,
    /// JSON pointer of the part of the result that is the text.
    pub part: Option<String>,
    /// Whether the result is in the answer; where absent, it depends on its size.
    pub structured: Option<bool>,
}

/// What a tool found.
#[derive(Debug, Clone)]
pub struct Found {
    /// As text.
    pub text: String,
    /// As data.
    pub result: Value,
    /// There are errors among the findings, or differences.
    pub has_findings: bool,
}

/// The answer to a call: the structured content of the protocol.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// `ok` or `findings`.
    pub status: String,
    /// A page of the text.
    #[serde(flatten)]
    pub page: Page,
    /// What was said beside the result.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub notes: Vec<String>,
    /// Bytes of the result, where it is left out.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub result_bytes: Option<usize>,
    /// The result.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub result: Option<Value>,
}

impl Answer {
    /// The wanted part of what was found.
    ///
    /// # Errors
    /// The result has no such part; the offset is after the end of the text.
    pub fn of(found: Found, view: &View) -> Result<Answer, String> {
        let Found { text, result, has_findings } = found;
        let text = match &view.part {
            None => text,
            Some(pointer) => json_of(result.pointer(pointer).ok_or_else(|| no_part(&result, pointer))?)?,
        };
        let page = Page::of(&text, view.offset, view.limit)?;
        let bytes = serde_json::to_vec(&result).map_err(|error| error.to_string())?.len();
        let usual = view.offset == 0 && view.part.is_none() && bytes <= RESULT_AT_MOST;
        let is_in = view.structured.unwrap_or(usual);
        let status = if has_findings { "findings" } else { "ok" }.to_owned();
        let (result, result_bytes) = if is_in { (Some(result), None) } else { (None, Some(bytes)) };
        Ok(Answer { status, page, notes: Vec::new(), result_bytes, result })
    }
}

fn json_of(value: &Value) -> Result<String, String> {
    let mut out = Vec::new();
    lanescope_host::json::write(value, &mut out).map_err(|error| error.to_string())?;
    String::from_utf8(out).map_err(|error| error.to_string())
}

/// What is said of a pointer to nothing: the members of the last part that exists.
fn no_part(result: &Value, pointer: &str) -> String {
    let mut at = pointer;
    let parent = loop {
        at = at.rsplit_once('/').map_or("", |(parent, _)| parent);
        if let Some(parent) = result.pointer(at) {
            break parent;
        }
    };
    let has = match parent {
        Value::Object(members) => members.keys().cloned().collect::<Vec<_>>().join(", "),
        Value::Array(elements) => format!("{} elements", elements.len()),
        _ => "no parts".to_owned(),
    };
    let place = if at.is_empty() { "the result" } else { at };
    format!("`part`: `{}` does not exist; {place} has {has}", plain_lines(pointer))
}

/// What a child sends.
type Reply = Result<Answer, String>;

/// A call that is carried out. Dropped, its process ends.
pub struct Running {
    child: Arc<Mutex<Child>>,
    reply: Option<oneshot::Receiver<Reply>>,
}

impl Running {
    /// Starts the process of a call, with a working directory.
    ///
    /// # Errors
    /// The system does not start it.
    pub fn start(call: &Call, folder: &std::path::Path) -> io::Result<Running> {
        let program: PathBuf = this_executable()?;
        let mut child = Command::new(program)
            .arg(COMMAND)
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let missing = || io::Error::other("a pipe is missing");
        let mut stdin = child.stdin.take().ok_or_else(missing)?;
        let stdout = child.stdout.take().ok_or_else(missing)?;
        let stderr = child.stderr.take().ok_or_else(missing)?;
        let body = serde_json::to_vec(call)?;
        let child = Arc::new(Mutex::new(child));
        let (replied, reply) = oneshot::channel();
        let ended = Arc::clone(&child);
        std::thread::Builder::new().name("mcp call".to_owned()).spawn(move || {
            let notes = std::thread::spawn(move || said(stderr));
            // A child that does not read is one that has ended, which is reported below.
            let _ = framing::write(&mut stdin, &body);
            let reply = framing::read(&mut BufReader::new(stdout));
            // The end of its input ends a child.
            drop(stdin);
            let status = wait(&ended);
            let notes = notes.join().unwrap_or_default();
            // Who asked may have cancelled the call.
            let _ = replied.send(read(reply, status, notes));
        })?;
        Ok(Running { child, reply: Some(reply) })
    }

    /// Waits for the answer.
    pub async fn answer(mut self) -> Reply {
        match self.reply.take() {
            Some(reply) => reply.await.unwrap_or_else(|_| Err("the call was cancelled".to_owned())),
            None => Err("the call was cancelled".to_owned()),
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // A child that has ended is what was wanted.
        let _ = self.child.lock().unwrap_or_else(PoisonError::into_inner).kill();
    }
}

/// Waits for a child, without holding it: it can be killed meanwhile.
fn wait(child: &Mutex<Child>) -> io::Result<ExitStatus> {
    loop {
        if let Some(status) = child.lock().unwrap_or_else(PoisonError::into_inner).try_wait()? {
            return Ok(status);
        }
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
}

/// What a child says, at most so much of it.
fn said(mut stream: impl Read) -> String {
    let mut bytes = Vec::new();
    let _ = stream.by_ref().take(NOTES_AT_MOST).read_to_end(&mut bytes);
    // More is read, so that the child does not wait, and dropped.
    let _ = io::copy(&mut stream, &mut io::sink());
    plain_lines(&String::from_utf8_lossy(&bytes))
}

fn read(reply: io::Result<Option<Result<Vec<u8>, TooLong>>>, status: io::Result<ExitStatus>, notes: String) -> Reply {
    let lines = || notes.lines().map(str::trim_end).filter(|line| !line.is_empty());
    match reply {
        Ok(Some(Ok(body))) => {
            let reply: Reply = serde_json::from_slice(&body).map_err(|error| format!("internal error: {error}"))?;
            reply.map(|answer| Answer { notes: lines().map(str::to_owned).collect(), ..answer })
        }
        Ok(Some(Err(TooLong { length }))) => Err(format!(
            "the answer has {}, more than a message may have: leave `structured` out, or name a `part`",
            lanescope_core::text_format::size(length)
        )),
        // It ended without an answer: a limit, whose error is its last line, or a crash.
        Ok(None) | Err(_) => {
            let last = lines().next_back().map(|line| line.strip_prefix("error: ").unwrap_or(line));
            let how = status.map_or_else(|error| error.to_string(), |status| status.to_string());
            Err(match last {
                Some(last) => format!("{last} ({how})"),
                None => format!("the process of the call ended without an answer ({how})"),
            })
        }
    }
}

/// Carries out the call that is on standard input, and writes its answer to standard output. Ends with whoever asked.
pub fn serve(carry_out: impl FnOnce(&Call) -> Result<Found, String>) -> ExitCode {
    let mut input = BufReader::new(io::stdin());
    let Ok(Some(Ok(body))) = framing::read(&mut input) else { return ExitCode::from(2) };
    // Without whoever asked, the work is no longer needed. What is started here ends with this process.
    std::thread::spawn(move || {
        let _ = io::copy(&mut input, &mut io::sink());
        std::process::exit(0);
    });
    let reply: Reply = match serde_json::from_slice::<Call>(&body) {
        Ok(call) => caught(|| carry_out(&call).and_then(|found| Answer::of(found, &call.view)))
            .unwrap_or_else(|panic| Err(format!("internal error: {panic}; please report it"))),
        Err(error) => Err(format!("not a call: {error}")),
    };
    let written = serde_json::to_vec(&reply).map_err(io::Error::from).and_then(|body| {
        let mut out = io::stdout().lock();
        framing::write(&mut out, &body)?;
        out.flush()
    });
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::from(2),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn found(length: usize) -> Found {
        Found {
            text: "a\nb\n".to_owned(),
            result: json!({ "x": "y".repeat(length), "list": [1] }),
            has_findings: false,
        }
    }

    #[test]
    fn large_results_are_left_out_unless_they_are_wanted() {
        let view = View { limit: 100, ..View::default() };
        let small = Answer::of(found(1), &view).expect("an answer");
        assert!(small.result.is_some() && small.result_bytes.is_none());
        let large = Answer::of(found(RESULT_AT_MOST), &view).expect("an answer");
        assert!(large.result.is_none() && large.result_bytes.is_some_and(|bytes| bytes > RESULT_AT_MOST));
        let wanted = View { structured: Some(true), ..view.clone() };
        assert!(Answer::of(found(RESULT_AT_MOST), &wanted).expect("an answer").result.is_some());
        // Further pages do not repeat it.
        let later = Answer::of(found(1), &View { offset: 2, ..view }).expect("an answer");
        assert_eq!((later.page.text.as_str(), later.result.is_none()), ("b\n", true));
    }

    #[test]
    fn parts_are_text_and_those_that_do_not_exist_are_named() {
        let part = |pointer: &str| {
            let view = View { limit: 100, part: Some(pointer.to_owned()), ..View::default() };
            Answer::of(found(2), &view).map(|answer| answer.page.text)
        };
        assert_eq!(part("/x"), Ok("\"yy\"\n".to_owned()));
        assert!(part("/z/0").is_err_and(|why| why.contains("the result has list, x")));
        assert!(part("/list/7").is_err_and(|why| why.contains("/list has 1 elements")));
    }
}
