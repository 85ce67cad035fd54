//! The messages of the DirectX shader compiler.

use lanescope_model::findings::Place;
use lanescope_model::program::CompilerMessage;

/// How a message says that it is a warning.
const WARNING: &str = "warning: ";
/// How errors begin after their place.
const ERRORS: [&str; 2] = ["error: ", "fatal error: "];
/// What is said of every container where the library that signs them is not there.
const UNSIGNED: &str = "DXIL signing library";
/// The most warnings that are kept.
const MOST: usize = 200;

/// The warnings of a log, in its order.
pub(super) fn warnings(log: &str) -> Vec<CompilerMessage> {
    let mut out: Vec<CompilerMessage> = Vec::new();
    let mut inside = false;
    for line in log.lines() {
        if let Some((place, text)) = message(line, WARNING) {
            inside = !text.starts_with(UNSIGNED);
            if inside {
                out.push(CompilerMessage { place, text: text.to_owned(), details: String::new() });
            }
        } else if line.starts_with("In file included from ") || ERRORS.iter().any(|is| message(line, is).is_some()) {
            inside = false;
        } else if inside && let Some(last) = out.last_mut() {
            // The line of the source, the place in it, and notes.
            last.details.push_str(line);
            last.details.push('\n');
        }
    }
    let more = out.len().saturating_sub(MOST);
    if more > 0 {
        out.truncate(MOST);
        out.push(CompilerMessage { place: None, text: format!("{more} more warnings"), details: String::new() });
    }
    out
}

/// A message of a kind: its place, if it has one, and its text.
fn message<'l>(line: &'l str, kind: &str) -> Option<(Option<Place>, &'l str)> {
    if let Some(text) = line.strip_prefix(kind) {
        return Some((None, text));
    }
    // A name may have colons, and a text another message.
    line.match_indices(kind).find_map(|(at, _)| {
        let before = line.get(..at)?.strip_suffix(": ")?;
        let (before, column) = before.rsplit_once(':')?;
        let (file, number) = before.rsplit_once(':')?;
        let [number, column] = [number.parse::<u32>().ok()?, column.parse::<u32>().ok()?];
        let place = Place::Line { line: number, column: Some(column) }.in_file(file);
        Some((Some(place), line.get(at + kind.len()..)?))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warnings_have_places_and_their_lines() {
        let log = "In file included from a.hlsl:1:\n./b:c.hlsli:2:88: warning: implicit truncation [-Wconversion]\n\
                   float f = v;\n          ^\n./b:c.hlsli:2:9: note: here\na.hlsl:3:1: error: warning: no\n x\n\
                   warning: DXIL signing library (dxil.dll,libdxil.so) not found.\nrest\n\
                   warning: of no place\n x: 1: warning: of source";
        let all = warnings(log);
        let seen: Vec<_> =
            all.iter().map(|one| (one.place.as_ref().map(Place::to_string), one.text.as_str())).collect();
        let expected = [
            (Some("./b:c.hlsli, line 2, column 88".to_owned()), "implicit truncation [-Wconversion]"),
            (None, "of no place"),
        ];
        assert_eq!(seen, expected);
        assert_eq!(all[0].details, "float f = v;\n          ^\n./b:c.hlsli:2:9: note: here\n");
        assert_eq!(all[1].details, " x: 1: warning: of source\n");
    }

    #[test]
    fn many_warnings_are_counted() {
        let log = "a.hlsl:1:1: warning: x\n".repeat(MOST + 7);
        let all = warnings(&log);
        assert_eq!((all.len(), all[MOST].text.as_str()), (MOST + 1, "7 more warnings"));
    }
}
