//! What compilers print of a source that does not compile, as messages with places.

use std::path::{Path, PathBuf};

use lanescope_core::findings::Severity;
use lanescope_core::foreign::plain_lines;
use lanescope_host::worker::Failure;

/// The most messages that are kept of one failure.
const MOST: usize = 200;

/// A message, and the place that it names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// The file.
    pub file: PathBuf,
    /// The line, from 1; absent where the message names none.
    pub line: Option<u32>,
    /// The column, from 1, in the compiler's units; absent likewise.
    pub column: Option<u32>,
    /// How serious it is.
    pub severity: Severity,
    /// The text, which may have several lines.
    pub text: String,
}

/// What a line of a log begins.
#[derive(Debug, PartialEq, Eq)]
struct Begun<'l> {
    /// The file as the compiler names it; empty where the line names none.
    name: &'l str,
    line: Option<u32>,
    column: Option<u32>,
    severity: Severity,
    text: String,
}

/// The messages of a failure. `files` are those of the pipeline, the first one being at fault where nothing else is named;
/// `exists` says whether there is a file of a path.
pub fn messages(failure: &Failure, files: &[PathBuf], exists: impl Fn(&Path) -> bool) -> Vec<Message> {
    let named = failure.file.as_ref().map(PathBuf::from);
    let at_fault = named.or_else(|| files.first().cloned()).unwrap_or_default();
    let text = plain_lines(&failure.message);
    let mut out: Vec<Message> = Vec::new();
    // Lines before the first message are its heading, those after a message belong to it.
    let mut heading: Vec<&str> = Vec::new();
    for line in text.lines() {
        if let Some(begun) = begun(line) {
            if out.len() == MOST {
                break;
            }
            let Begun { name, line, column, severity, text } = begun;
            out.push(match file_of(name, &at_fault, files, &exists) {
                Some(file) => Message { file, line, column, severity, text },
                // The numbers are those of a file that is not known.
                None => {
                    let text = format!("{name}:{}: {text}", line.unwrap_or(0));
                    Message { file: at_fault.clone(), line: None, column: None, severity, text }
                }
            });
        } else if let Some((name, line, column)) = place_below(line)
            && let Some(last) = out.last_mut().filter(|last| last.line.is_none())
            && let Some(file) = file_of(name, &at_fault, files, &exists)
        {
            *last = Message { file, line: Some(line), column: Some(column), ..last.clone() };
        } else if let Some(last) = out.last_mut() {
            last.text.push('\n');
            last.text.push_str(line);
        } else {
            heading.push(line);
        }
    }
    if out.is_empty() {
        let line = lines_of_listing(&heading);
        let (text, severity) = (text.trim_end().to_owned(), Severity::Error);
        out.push(Message { file: at_fault, line, column: None, severity, text });
    }
    // Messages of warnings alone do not say why nothing was made.
    if out.iter().all(|one| one.severity != Severity::Error) {
        let line = None;
        let text = heading.join("\n");
        let text = if text.trim().is_empty() { "does not compile".to_owned() } else { text };
        let file = files.first().cloned().unwrap_or_default();
        out.push(Message { file, line, column: None, severity: Severity::Error, text });
    }
    for message in &mut out {
        message.text.truncate(message.text.trim_end().len());
    }
    out
}

/// The line of an assembly that a message quotes: `line 5: %f = OpTypeFunction %nothing`.
fn lines_of_listing(text: &[&str]) -> Option<u32> {
    let quoted = text.iter().find_map(|line| line.strip_prefix("line ")?.split_once(": "));
    quoted.and_then(|(number, _)| number.parse().ok())
}

/// The message that a line begins, if it does.
fn begun(line: &str) -> Option<Begun<'_>> {
    assembler(line).or_else(|| slang(line)).or_else(|| tagged(line)).or_else(|| clang(line))
}

/// `line 7, column 3: text`.
fn assembler(line: &str) -> Option<Begun<'_>> {
    let (place, text) = line.strip_prefix("line ")?.split_once(": ")?;
    let (line, column) = place.split_once(", column ")?;
    let (line, column) = (Some(line.parse().ok()?), Some(column.parse().ok()?));
    Some(Begun { name: "", line, column, severity: Severity::Error, text: text.to_owned() })
}

/// `ERROR: a.frag:7: text` and `ERROR: a.wgsl:7:3: text`: glslang, naga.
fn tagged(line: &str) -> Option<Begun<'_>> {
    let tags = [("ERROR: ", Severity::Error), ("WARNING: ", Severity::Warning)];
    let (rest, severity) = tags.iter().find_map(|(tag, severity)| Some((line.strip_prefix(tag)?, *severity)))?;
    let (name, numbers, text) = after_name(rest)?;
    let (line, column) = match numbers.as_slice() {
        [line] => (Some(*line), None),
        [line, column, ..] => (Some(*line), Some(*column)),
        [] => (None, None),
    };
    Some(Begun { name, line, column, severity, text: text.to_owned() })
}

/// `a.hlsl:7:3: error: text`: DXC.
fn clang(line: &str) -> Option<Begun<'_>> {
    let (name, numbers, text) = after_name(line)?;
    let kinds = [("error: ", Severity::Error), ("fatal error: ", Severity::Error), ("warning: ", Severity::Warning)];
    let (text, severity) = kinds.iter().find_map(|(kind, severity)| Some((text.strip_prefix(kind)?, *severity)))?;
    let &[line, column] = numbers.as_slice() else { return None };
    Some(Begun { name, line: Some(line), column: Some(column), severity, text: text.to_owned() })
}

/// `error[E30015]: text`, whose place is in a line below, and `a.slang(3): error 30015: text`: Slang.
fn slang(line: &str) -> Option<Begun<'_>> {
    for (kind, severity) in
        [("error", Severity::Error), ("fatal error", Severity::Error), ("warning", Severity::Warning)]
    {
        if let Some((code, text)) = line.strip_prefix(kind).and_then(|rest| rest.strip_prefix('[')?.split_once("]: ")) {
            let text = format!("{text} [{code}]");
            return Some(Begun { name: "", line: None, column: None, severity, text });
        }
        if let Some((place, rest)) = line.split_once(&format!("): {kind} "))
            && let Some((name, number)) = place.rsplit_once('(')
            && let Ok(number) = number.parse()
            && let Some((code, text)) = rest.split_once(": ")
        {
            let text = format!("{text} [{code}]");
            return Some(Begun { name, line: Some(number), column: None, severity, text });
        }
    }
    None
}

/// The place in a line of its own: `  --> a.slang:2:3`.
fn place_below(line: &str) -> Option<(&str, u32, u32)> {
    let (before, column) = line.trim().strip_prefix("--> ")?.rsplit_once(':')?;
    let (name, line) = before.rsplit_once(':')?;
    Some((name, line.parse().ok()?, column.parse().ok()?))
}

/// A name, the numbers that follow it, each after a colon, and the text after `: `.
fn after_name(text: &str) -> Option<(&str, Vec<u32>, &str)> {
    for (at, _) in text.match_indices(':') {
        let (mut numbers, mut rest) = (Vec::new(), text.get(at..)?);
        while let Some(after) = rest.strip_prefix(':') {
            let digits = after.len() - after.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            let Ok(number) = after.get(..digits)?.parse() else { break };
            numbers.push(number);
            rest = after.get(digits..)?;
        }
        if let Some(said) = rest.strip_prefix(": ").filter(|_| !numbers.is_empty()) {
            return Some((text.get(..at)?, numbers, said));
        }
    }
    None
}

/// The file that a compiler names: by its path, or by its name among the files; none where it is not there. Without a
/// name it is the one at fault.
fn file_of(name: &str, at_fault: &Path, files: &[PathBuf], exists: &impl Fn(&Path) -> bool) -> Option<PathBuf> {
    if name.is_empty() {
        return Some(at_fault.to_owned());
    }
    let path = Path::new(name);
    let is_same = |file: &&PathBuf| file.file_name().is_some_and(|own| own == path);
    if let Some(file) = [at_fault.to_owned()].iter().chain(files).find(is_same) {
        return Some(file.clone());
    }
    let beside = at_fault.parent().unwrap_or(Path::new("/")).join(path);
    (files.contains(&beside) || exists(&beside)).then_some(beside)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// File, line, column and text of each message of a log.
    fn found(log: &str) -> Vec<String> {
        let failure = Failure { file: Some("/w/a.frag".to_owned()), ..Failure::from(log.to_owned()) };
        let files = ["/w/a.vert", "/w/a.frag"].map(PathBuf::from);
        let all = messages(&failure, &files, |path| path.starts_with("/w/inc"));
        let number = |number: Option<u32>| number.map_or("-".to_owned(), |number| number.to_string());
        let shown = |one: Message| {
            let place = format!("{}:{}:{}", one.file.display(), number(one.line), number(one.column));
            format!("{place} {} {}", one.severity, one.text.replace('\n', " / "))
        };
        all.into_iter().map(shown).collect()
    }

    #[test]
    fn reads_what_each_compiler_prints() {
        let glslang = "GLSL does not compile as a fragment shader:\nWARNING: a.frag:2: odd\nERROR: a.frag:7: 'x' : undeclared\n\
                       ERROR: /w/inc/l.glsl:3: '' : syntax error\ninclude \"y\": none";
        assert_eq!(
            found(glslang),
            [
                "/w/a.frag:2:- warning odd",
                "/w/a.frag:7:- error 'x' : undeclared",
                "/w/inc/l.glsl:3:- error '' : syntax error / include \"y\": none"
            ]
        );
        assert_eq!(
            found("WGSL does not compile:\nERROR: a.frag:7:3: unknown: x\n  a.frag:8:1: here"),
            ["/w/a.frag:7:3 error unknown: x /   a.frag:8:1: here"]
        );
        assert_eq!(
            found("HLSL does not compile as ps_6_6:\n./inc/b.hlsli:2:9: error: no\n  x\n/w/a.frag:1:2: warning: w"),
            ["/w/./inc/b.hlsli:2:9 error no /   x", "/w/a.frag:1:2 warning w"]
        );
        assert_eq!(
            found("Slang does not compile:\nerror[E30015]: undefined\n --> a.frag:2:3\n  |\na.vert(3): error 39: b"),
            ["/w/a.frag:2:3 error undefined [E30015] /   |", "/w/a.vert:3:- error b [39]"]
        );
        assert_eq!(found("line 5, column 3: Invalid Opcode"), ["/w/a.frag:5:3 error Invalid Opcode"]);
        assert_eq!(
            found("invalid SPIR-V, instruction #3 (byte 0x30): bad\nline 5: %f = OpX"),
            ["/w/a.frag:5:- error invalid SPIR-V, instruction #3 (byte 0x30): bad / line 5: %f = OpX"]
        );
    }

    #[test]
    fn text_without_a_place_is_one_message() {
        assert_eq!(found("is GLSL without a known stage"), ["/w/a.frag:-:- error is GLSL without a known stage"]);
        assert_eq!(found("a: b: c:d\nsecond"), ["/w/a.frag:-:- error a: b: c:d / second"]);
        // Lines of a file that is not there are not those of another one.
        assert_eq!(found("ERROR: gone.glsl:3: x"), ["/w/a.frag:-:- error gone.glsl:3: x"]);
    }

    #[test]
    fn warnings_alone_are_not_the_reason() {
        let all = found("GLSL does not compile:\nWARNING: a.frag:2: odd");
        assert_eq!(all, ["/w/a.frag:2:- warning odd", "/w/a.vert:-:- error GLSL does not compile:"]);
    }

    #[test]
    fn messages_have_a_limit_and_no_controls() {
        assert_eq!(found(&"ERROR: a.frag:1: x\n".repeat(MOST + 9)).len(), MOST);
        assert!(found("ERROR: a.frag:1: \u{1b}[31mx")[0].contains('\u{fffd}'));
    }
}
