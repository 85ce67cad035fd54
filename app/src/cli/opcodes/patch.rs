//! A unified diff of texts whose lines were changed in place.

use std::ops::Range;

/// Unchanged lines that are shown around changed ones.
const CONTEXT: usize = 3;

/// The diff of one file, for `patch -p1` and `git apply`. Both texts have the same number of lines; bytes stay as they
/// are, so that the diff undoes what it did.
pub fn unified(name: &[u8], old: &[u8], new: &[u8]) -> Vec<u8> {
    let (before, after) = (lines(old), lines(new));
    // The letter before the name represents the root of the tree.
    let name = name.strip_prefix(b"/").unwrap_or(name);
    let changed: Vec<usize> =
        before.iter().zip(&after).enumerate().filter(|(_, (old, new))| old != new).map(|(at, _)| at).collect();
    let mut out = Vec::new();
    for (sign, side) in [(&b"--- "[..], &b"a/"[..]), (b"+++ ", b"b/")] {
        out.extend_from_slice(sign);
        out.extend(quoted([side, name].concat()));
        out.push(b'\n');
    }
    for hunk in hunks(&changed, before.len()) {
        let (first, count) = (hunk.start + 1, hunk.len());
        out.extend(format!("@@ -{first},{count} +{first},{count} @@\n").into_bytes());
        let mut at = hunk.start;
        while at < hunk.end {
            let run = (at..hunk.end).take_while(|line| changed.binary_search(line).is_ok()).count();
            if run == 0 {
                side(&mut out, b' ', before.get(at..=at));
                at += 1;
            } else {
                side(&mut out, b'-', before.get(at..at + run));
                side(&mut out, b'+', after.get(at..at + run));
                at += run;
            }
        }
    }
    out
}

/// Lines with their ends; only a line feed ends one.
fn lines(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|byte| *byte == b'\n').collect()
}

/// Changed lines with context; adjacent ones make one hunk.
fn hunks(changed: &[usize], lines: usize) -> Vec<Range<usize>> {
    let mut out: Vec<Range<usize>> = Vec::new();
    for &line in changed {
        let around = line.saturating_sub(CONTEXT)..(line + 1 + CONTEXT).min(lines);
        match out.last_mut() {
            Some(last) if around.start <= last.end => last.end = around.end,
            _ => out.push(around),
        }
    }
    out
}

fn side(out: &mut Vec<u8>, sign: u8, lines: Option<&[&[u8]]>) {
    for line in lines.unwrap_or_default() {
        out.push(sign);
        out.extend_from_slice(line);
        if !line.ends_with(b"\n") {
            out.extend_from_slice(b"\n\\ No newline at end of file\n");
        }
    }
}

/// A name as `patch` and git read it: quoted where it has bytes that would end it, with a tab after it where it has
/// spaces.
fn quoted(name: Vec<u8>) -> Vec<u8> {
    if name.iter().all(|byte| (0x20..0x7f).contains(byte) && !b"\"\\".contains(byte)) {
        let tab = name.contains(&b' ');
        return name.into_iter().chain(tab.then_some(b'\t')).collect();
    }
    let mut out = vec![b'"'];
    for byte in name {
        match byte {
            b'"' | b'\\' => out.extend([b'\\', byte]),
            0x20..0x7f => out.push(byte),
            _ => out.extend(format!("\\{byte:03o}").into_bytes()),
        }
    }
    out.push(b'"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_changed_lines_with_context() {
        let old: String = (1..=30).map(|n| format!("line {n}\n")).collect();
        let new = old.replace("line 2\n", "zwei\n").replace("line 9\n", "neun\n").replace("line 30\n", "dreißig");
        let old = old.trim_end();
        let diff = String::from_utf8(unified(b"a folder/t.ll", old.as_bytes(), new.as_bytes())).expect("text");
        insta::assert_snapshot!(diff);
    }

    #[test]
    fn quotes_names_if_needed() {
        for (name, expected) in [
            (&b"a/t.ll"[..], &b"a/t.ll"[..]),
            (b"a/my t.ll", b"a/my t.ll\t"),
            (b"a/\"t\n\xc3\xa9\\", b"\"a/\\\"t\\012\\303\\251\\\\\""),
        ] {
            assert_eq!(quoted(name.to_vec()), expected);
        }
    }
}
