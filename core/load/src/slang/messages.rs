//! The messages of the Slang compiler. Versions of 2026 print `warning[E41012]: …` and the place in the next line, earlier
//! ones `a.slang(3): warning 41012: …`.

use lanescope_model::findings::Place;
use lanescope_model::program::CompilerMessage;

/// The most warnings that are kept.
const MOST: usize = 200;
/// Before the place of a message.
const ARROW: &str = "--> ";

/// The warnings of a log, in its order.
pub(super) fn warnings(log: &str) -> Vec<CompilerMessage> {
    let mut out: Vec<CompilerMessage> = Vec::new();
    let mut inside = false;
    for line in log.lines() {
        if let Some(message) = begins(line) {
            inside = message.is_some();
            out.extend(message);
        } else if inside && let Some(last) = out.last_mut() {
            match line.trim_start().strip_prefix(ARROW).and_then(place) {
                Some(place) if last.place.is_none() => last.place = Some(place),
                // Ends a message.
                _ if line == "--'" => inside = false,
                _ => {
                    last.details.push_str(line);
                    last.details.push('\n');
                }
            }
        }
    }
    let more = out.len().saturating_sub(MOST);
    if more > 0 {
        out.truncate(MOST);
        out.push(CompilerMessage { place: None, text: format!("{more} more warnings"), details: String::new() });
    }
    out
}

/// Whether a line begins a message, and the message if that is a warning.
fn begins(line: &str) -> Option<Option<CompilerMessage>> {
    let of = |place: Option<Place>, number: &str, text: &str| CompilerMessage {
        place,
        text: format!("{text} [{number}]"),
        details: String::new(),
    };
    for kind in ["warning", "error", "note", "fatal error", "internal error"] {
        // `warning[E41012]: text`
        if let Some((number, text)) = line.strip_prefix(kind).and_then(|rest| rest.strip_prefix('[')?.split_once("]: "))
        {
            return Some((kind == "warning").then(|| of(None, number, text)));
        }
        // `a.slang(3): warning 41012: text`
        let Some((place, rest)) = line.split_once(&format!("): {kind} ")) else { continue };
        let (Some((file, line)), Some((number, text))) = (place.rsplit_once('('), rest.split_once(": ")) else {
            continue;
        };
        if let Ok(line) = line.parse::<u32>()
            && number.bytes().all(|b| b.is_ascii_digit())
        {
            return Some((kind == "warning").then(|| of(Some(Place::line(line).in_file(file)), number, text)));
        }
    }
    None
}

/// `a.slang, line 1, column 132` of `a.slang:1:132`.
fn place(text: &str) -> Option<Place> {
    let (before, column) = text.trim_end().rsplit_once(':')?;
    let (file, line) = before.rsplit_once(':')?;
    let [line, column] = [line.parse::<u32>().ok()?, column.parse::<u32>().ok()?];
    Some(Place::Line { line, column: Some(column) }.in_file(file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warnings_have_places_and_their_lines() {
        let log = "warning[E30081]: implicit conversion not recommended\n --> t/e:b.slang:1:132\n  |\n1 | half h = o[0];\n  \
                   |          ^ implicit conversion from 'float' to 'half' is not recommended\n--'\n\nerror[E30015]: \
                   undefined identifier\n --> a.slang:2:3\n  |\nwarning[E41012]: profile implicitly upgraded\n --> command \
                   line\n";
        let all = warnings(log);
        let seen: Vec<_> =
            all.iter().map(|one| (one.place.as_ref().map(Place::to_string), one.text.as_str())).collect();
        let expected = [
            (Some("t/e:b.slang, line 1, column 132".to_owned()), "implicit conversion not recommended [E30081]"),
            (None, "profile implicitly upgraded [E41012]"),
        ];
        assert_eq!(seen, expected);
        assert!(all[0].details.ends_with("is not recommended\n") && all[0].details.starts_with("  |\n"));
        assert_eq!(all[1].details, " --> command line\n");
    }

    #[test]
    fn earlier_versions_put_the_place_first() {
        let log = "a(1).slang(3): warning 41012: entry point 'main' uses more\nvoid main() {}\n     ^~~~\na.slang(4): \
                   error 30015: undefined\nx\n";
        let all = warnings(log);
        assert_eq!(all.len(), 1);
        assert_eq!(all[0].place, Some(Place::line(3).in_file("a(1).slang")));
        assert_eq!(all[0].text, "entry point 'main' uses more [41012]");
        assert_eq!(all[0].details, "void main() {}\n     ^~~~\n");
    }

    #[test]
    fn many_warnings_are_counted() {
        let log = "warning[E1]: x\n".repeat(MOST + 7);
        let all = warnings(&log);
        assert_eq!((all.len(), all[MOST].text.as_str()), (MOST + 1, "7 more warnings"));
    }
}
