//! Opcodes in text: LLVM IR and the patterns of FileCheck tests, with numbers as names and back.
//!
//! A *slot* is where a call of a `dx.op.*` function has its opcode: `@dx.op.loadInput.f32(i32 4, …`. The callee may
//! hold FileCheck's `{{…}}` and `[[…]]`, and may be inside such a pattern with `\.` and `\(`. Text is bytes: what is
//! not a slot is copied unchanged.
//!
//! [`symbolic`] writes `dx.op.LoadInput` for `4`, and puts a backslash before a name that was already there
//! (`dx.op.\LoadInput`), so that [`numeric`] restores the original bytes.

use std::collections::BTreeMap;
use std::ops::Range;

use super::{CALLEE_PREFIX, Opcode, by_name, op};

/// Bytes of a callee's name, with its patterns, that are looked at.
const LONGEST_NAME: usize = 1024;

/// A text with its opcodes rewritten.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rewritten {
    /// All of the text.
    pub text: Vec<u8>,
    /// The changes, from the first byte to the last.
    pub edits: Vec<Edit>,
    /// Calls of ops that were left unchanged.
    pub kept: Vec<Kept>,
}

/// One slot that was rewritten.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Edit {
    /// Its line, from 1.
    pub line: usize,
    /// The old text.
    pub from: String,
    /// The new text.
    pub to: String,
}

/// One slot that was not.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Kept {
    /// Its line, from 1.
    pub line: usize,
    /// The text; empty for a pattern.
    pub token: String,
    /// Its number, where it has one.
    pub opcode: Option<Opcode>,
}

/// Writes the names of ops instead of their numbers. Numbers that no op has, and those of reserved slots, stay.
pub fn symbolic(text: &[u8]) -> Rewritten {
    rewrite(text, |token| match symbol(token) {
        Some((slashes, name)) if is_symbol(slashes, name) => {
            Some(format!("{CALLEE_PREFIX}{}{name}", "\\".repeat(slashes.saturating_add(1))))
        }
        Some(_) => None,
        // A number in any other form would not come back as it was.
        None => number(token)
            .filter(|number| number.to_string() == token)
            .and_then(|number| Some(format!("{CALLEE_PREFIX}{}", op(number).ok()?.name))),
    })
}

/// Writes the numbers of ops instead of their names: what [`symbolic`] did, undone.
pub fn numeric(text: &[u8]) -> Rewritten {
    rewrite(text, |token| match symbol(token)? {
        (0, name) => known(name).map(|number| number.to_string()),
        (slashes, name) if is_symbol(slashes - 1, name) => {
            Some(format!("{CALLEE_PREFIX}{}{name}", "\\".repeat(slashes - 1)))
        }
        _ => None,
    })
}

/// Old numbers with the new ones that take their place, all at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Renumbering(BTreeMap<Opcode, Opcode>);

impl Renumbering {
    /// Reads pairs of old and new.
    ///
    /// # Errors
    ///
    /// A pair that changes nothing, an old or new number that is in two pairs, or one that is in neither table.
    pub fn new(pairs: &[(Opcode, Opcode)]) -> Result<Renumbering, String> {
        let mut map = BTreeMap::new();
        for &(old, new) in pairs {
            for number in [old, new] {
                if number.table().is_none() {
                    return Err(format!("{}: FeatureID {} has no op table", number.shown(), number.feature()));
                }
            }
            if old == new {
                return Err(format!("{} is mapped to itself", old.shown()));
            }
            if let Some((other, _)) = map.iter().find(|(_, taken)| **taken == new) {
                return Err(format!(
                    "{old} and {other} are both mapped to {}, so the mapping cannot be reversed",
                    new.shown()
                ));
            }
            if map.insert(old, new).is_some() {
                return Err(format!("{} is mapped twice", old.shown()));
            }
        }
        Ok(Renumbering(map))
    }

    /// The pairs, by old number.
    pub fn pairs(&self) -> impl Iterator<Item = (Opcode, Opcode)> {
        self.0.iter().map(|(old, new)| (*old, *new))
    }

    /// Whether a number that is in a text unmapped is one that this gives to another op.
    pub fn clashes(&self, number: Opcode) -> bool {
        !self.0.contains_key(&number) && self.0.values().any(|new| *new == number)
    }
}

/// Writes the new number where an old one occurs as a decimal literal. Names stay: they need no renumbering.
pub fn renumber(text: &[u8], map: &Renumbering) -> Rewritten {
    rewrite(text, |token| Some(map.0.get(&number(token)?)?.to_string()))
}

/// Copies a text with each slot's token replaced, where `change` gives another.
fn rewrite(text: &[u8], change: impl Fn(&str) -> Option<String>) -> Rewritten {
    let mut out = Rewritten { text: Vec::with_capacity(text.len()), edits: Vec::new(), kept: Vec::new() };
    let (mut at, mut copied, mut line) = (0, 0, 1);
    while let Some(callee) = find(text, at, b"dx") {
        line += newlines(text, at..callee);
        at = callee + 2;
        let Some(slot) = slot(text, callee) else { continue };
        line += newlines(text, at..slot.start);
        at = slot.end;
        // The bytes of a token are ASCII.
        let token = std::str::from_utf8(text.get(slot.clone()).unwrap_or_default()).unwrap_or_default();
        match change(token) {
            Some(to) => {
                out.text.extend_from_slice(text.get(copied..slot.start).unwrap_or_default());
                out.text.extend_from_slice(to.as_bytes());
                copied = slot.end;
                out.edits.push(Edit { line, from: token.to_owned(), to });
            }
            None => {
                let opcode = number(token).or_else(|| symbol(token).filter(|s| s.0 == 0).and_then(|s| known(s.1)));
                out.kept.push(Kept { line, token: token.to_owned(), opcode });
            }
        }
    }
    out.text.extend_from_slice(text.get(copied..).unwrap_or_default());
    out
}

/// The token of the slot whose callee starts at a byte, if one does: empty where a pattern stands for the opcode.
fn slot(text: &[u8], callee: usize) -> Option<Range<usize>> {
    let mut at = callee;
    for part in [&b"dx"[..], b".", b"op", b"."] {
        at = skip(text, at, part == b".");
        at = starts(text, at, part)?;
    }
    let name = at;
    // What looks like a callee may hold another: without a limit a hostile text costs its length squared.
    let limit = text.len().min(name.saturating_add(LONGEST_NAME));
    loop {
        let rest = text.get(at..limit)?;
        at = match rest {
            [b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'_' | b'.' | b'$' | b'-', ..] => at + 1,
            [b'\\', b'.', ..] => at + 2,
            [b'{', b'{', ..] => close(rest, b"}}").map(|end| at + end)?,
            [b'[', b'[', ..] => close(rest, b"]]").map(|end| at + end)?,
            _ => break,
        };
    }
    if at == name {
        return None;
    }
    at = starts(text, at, b"\"").unwrap_or(at);
    at = skip(text, at, true);
    at = blanks(text, starts(text, at, b"(")?);
    let kind = starts(text, at, b"i32")?;
    at = blanks(text, kind);
    if at == kind {
        return None;
    }
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || b"_.+-".contains(byte);
    let mut end = at;
    if let Some(name) = starts(text, at, CALLEE_PREFIX.as_bytes()) {
        end = name + text.get(name..)?.iter().take_while(|byte| **byte == b'\\').count();
    }
    end += text.get(end..)?.iter().take_while(|byte| is_word(byte)).count();
    // The meaning of a parameter's name or an undefined value is not known here.
    let is_pattern = matches!(text.get(at..), Some([b'{', b'{', ..] | [b'[', b'[', ..] | [b'%', ..]));
    (end > at || is_pattern).then_some(at..end)
}

/// Splits `dx.op.\\Name` into the number of backslashes and the name.
fn symbol(token: &str) -> Option<(usize, &str)> {
    let rest = token.strip_prefix(CALLEE_PREFIX)?;
    let name = rest.trim_start_matches('\\');
    Some((rest.len() - name.len(), name))
}

/// Whether a name in a slot reads as an op's: each such one gets a backslash more, so that none is taken for another.
fn is_symbol(slashes: usize, name: &str) -> bool {
    slashes > 0 || known(name).is_some()
}

fn known(name: &str) -> Option<Opcode> {
    by_name(name).filter(|op| !op.reserved).map(|op| op.opcode)
}

/// The number of a decimal literal, signed or unsigned, without sign or zeros that say nothing.
fn number(token: &str) -> Option<Opcode> {
    Opcode::parse(token).filter(|number| number.to_string() == token || number.0.to_string() == token)
}

fn newlines(text: &[u8], range: Range<usize>) -> usize {
    text.get(range).unwrap_or_default().iter().filter(|byte| **byte == b'\n').count()
}

fn find(text: &[u8], from: usize, what: &[u8]) -> Option<usize> {
    text.get(from..)?.windows(what.len()).position(|window| window == what).map(|at| from + at)
}

/// The text after `what`, if it starts with `what`.
fn starts(text: &[u8], at: usize, what: &[u8]) -> Option<usize> {
    text.get(at..)?.starts_with(what).then_some(at + what.len())
}

/// After a backslash, where one may be.
fn skip(text: &[u8], at: usize, slash: bool) -> usize {
    if slash { starts(text, at, b"\\").unwrap_or(at) } else { at }
}

fn blanks(text: &[u8], at: usize) -> usize {
    at + text.get(at..).unwrap_or_default().iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count()
}

/// After the end of the pattern that a text starts with, which is on the same line.
fn close(text: &[u8], end: &[u8]) -> Option<usize> {
    let line = text.iter().position(|byte| *byte == b'\n').unwrap_or(text.len());
    find(text.get(..line)?, 2, end).map(|found| found + end.len())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn text(rewritten: &Rewritten) -> &str {
        std::str::from_utf8(&rewritten.text).expect("these are text")
    }

    #[test]
    fn numbers_round_trip_through_names() {
        for (before, after) in [
            (
                "call float @dx.op.loadInput.f32(i32 4, i32 0)",
                "call float @dx.op.loadInput.f32(i32 dx.op.LoadInput, i32 0)",
            ),
            ("@dx.op.getGroupWaveIndex(i32 -2147483647)", "@dx.op.getGroupWaveIndex(i32 dx.op.GetGroupWaveIndex)"),
            ("@\"dx.op.nop\"( i32\t-2147483648 )", "@\"dx.op.nop\"( i32\tdx.op.ExperimentalNop )"),
            ("; CHECK: @dx.op.unary.{{f32|f16}}(i32 13, ", "; CHECK: @dx.op.unary.{{f32|f16}}(i32 dx.op.Sin, "),
            ("{{call .*@dx\\.op\\.unary\\.f32\\(i32 12,}}", "{{call .*@dx\\.op\\.unary\\.f32\\(i32 dx.op.Cos,}}"),
            ("@dx.op.[[NAME:[a-z]+]](i32 24)", "@dx.op.[[NAME:[a-z]+]](i32 dx.op.Sqrt)"),
            ("dx.op.a(i32 0)dx.op.a(i32 1)", "dx.op.a(i32 dx.op.TempRegLoad)dx.op.a(i32 dx.op.TempRegStore)"),
        ] {
            let named = symbolic(before.as_bytes());
            assert_eq!(text(&named), after);
            assert_eq!(text(&numeric(&named.text)), before);
        }
    }

    #[test]
    fn leaves_text_without_known_ops_unchanged() {
        for same in [
            "declare i32 @dx.op.getGroupWaveIndex(i32) #0",
            "call void @dx.op.a(i32 230)",
            "call void @dx.op.a(i32 312)",
            "call void @dx.op.a(i32 -2147483616)",
            "call void @dx.op.a(i32 04)",
            "call void @dx.op.a(i32 +4)",
            "call void @dx.op.a(i32 -0)",
            "call void @dx.op.a(i32 2147483649)",
            "call void @dx.op.a(i32 4.0)",
            "call void @dx.op.a(i324)",
            "call void @dx.op.a(i64 4)",
            "call void @dx.op.(i32 4)",
            "call void @dx.op.a{{.*(i32 4)\n}}",
            "call void @dx.op.a(i32 {{[0-9]+}})",
            "call void @dx.op.a(i32 %op)",
            "call void @dx.op.a(\ni32 4)",
            "call void @dx.op.a(i32 dx.op.Nonsense)",
            "call void @dx.op.a(i32 dx.op.LoadInput.f32)",
            "dx.op.a(i32 ",
            "dx",
        ] {
            let named = symbolic(same.as_bytes());
            assert_eq!(text(&named), same);
            assert!(named.edits.is_empty());
        }
        let kept = symbolic(b"dx.op.a(i32 230)\ndx.op.b(i32 {{.*}})\ndx.op.b(i32)").kept;
        let rows: Vec<_> = kept.iter().map(|k| (k.line, k.token.as_str(), k.opcode)).collect();
        assert_eq!(rows, [(1, "230", Some(Opcode(230))), (2, "", None)]);
    }

    #[test]
    fn keeps_existing_names_in_round_trip() {
        for (before, after) in [
            ("@dx.op.a(i32 dx.op.Sin)", "@dx.op.a(i32 dx.op.\\Sin)"),
            ("@dx.op.a(i32 dx.op.\\Sin)", "@dx.op.a(i32 dx.op.\\\\Sin)"),
            ("@dx.op.a(i32 dx.op.\\Nonsense)", "@dx.op.a(i32 dx.op.\\\\Nonsense)"),
            ("@dx.op.a(i32 dx.op.\\)", "@dx.op.a(i32 dx.op.\\\\)"),
        ] {
            let named = symbolic(before.as_bytes());
            assert_eq!(text(&named), after);
            assert_eq!(text(&numeric(&named.text)), before);
        }
    }

    #[test]
    fn reads_names_as_numbers() {
        let numbers = numeric(b"\n  call @dx.op.nop(i32 dx.op.ExperimentalNop)");
        assert_eq!(text(&numbers), "\n  call @dx.op.nop(i32 -2147483648)");
        let edit = Edit { line: 2, from: "dx.op.ExperimentalNop".to_owned(), to: "-2147483648".to_owned() };
        assert_eq!(numbers.edits, [edit]);
    }

    #[test]
    fn renumbers_all_pairs_at_once() {
        let swap = Renumbering::new(&[(Opcode(12), Opcode(13)), (Opcode(13), Opcode(12))]).expect("two pairs");
        let moved = renumber(b"dx.op.unary.f32(i32 12) dx.op.unary.f32(i32 13) dx.op.unary.f32(i32 14) i32 12", &swap);
        assert_eq!(text(&moved), "dx.op.unary.f32(i32 13) dx.op.unary.f32(i32 12) dx.op.unary.f32(i32 14) i32 12");
        assert_eq!(moved.edits.len(), 2);
        let release = Renumbering::new(&[(Opcode(0x8000_0001), Opcode(312))]).expect("a pair");
        for literal in ["-2147483647", "2147483649"] {
            let moved = renumber(format!("dx.op.g(i32 {literal})dx.op.g(i32 312)").as_bytes(), &release);
            assert_eq!(text(&moved), "dx.op.g(i32 312)dx.op.g(i32 312)");
            assert!(moved.kept.iter().any(|kept| kept.opcode.is_some_and(|number| release.clashes(number))));
        }
        assert!(!swap.clashes(Opcode(12)) && !swap.clashes(Opcode(14)));
    }

    #[test]
    fn rejects_ambiguous_pairs() {
        for (pairs, reason) in [
            (&[(4, 4)][..], "itself"),
            (&[(4, 5), (4, 6)], "twice"),
            (&[(4, 6), (5, 6)], "both"),
            (&[(4, 0x8001_0000)], "0x8001"),
            (&[(u32::MAX, 4)], "0xFFFF"),
        ] {
            let pairs: Vec<_> = pairs.iter().map(|(old, new)| (Opcode(*old), Opcode(*new))).collect();
            let error = Renumbering::new(&pairs).expect_err("refused");
            assert!(error.contains(reason), "{error}");
        }
    }

    #[test]
    fn nested_callees_cost_linear_time() {
        let long = "dx.op.{{".repeat(200_000);
        assert_eq!(symbolic(long.as_bytes()).text, long.as_bytes());
        let name = "a".repeat(LONGEST_NAME + 1);
        assert!(symbolic(format!("dx.op.{name}(i32 4)").as_bytes()).edits.is_empty());
        assert_eq!(symbolic(format!("dx.op.{}(i32 4)", &name[1..]).as_bytes()).edits.len(), 1);
    }

    /// Texts that are mostly pieces of calls, in any order, with any bytes between.
    fn hostile() -> impl Strategy<Value = Vec<u8>> {
        let pieces: Vec<&[u8]> = vec![
            b"@dx.op.",
            b"dx",
            b"\\.",
            b"op",
            b".",
            b"loadInput",
            b".f32",
            b"(",
            b"\\(",
            b"i32",
            b" ",
            b"\t",
            b"4",
            b"-",
            b"-2147483647",
            b"0",
            b"312",
            b"230",
            b"dx.op.",
            b"\\",
            b"LoadInput",
            b"Sin",
            b"{{",
            b"}}",
            b"[[",
            b"]]",
            b"\"",
            b")",
            b",",
            b"\n",
            b"\r",
            b"\0",
            b"\xff",
            b"%",
            b"dx.op.a(i32 ",
            b"dx.op.a(i32 4",
            b"dx.op.a(i32 dx.op.Sin",
            b"dx.op.a(i32 dx.op.\\",
        ];
        let piece = prop_oneof![
            8 => proptest::sample::select(pieces).prop_map(<[u8]>::to_vec),
            1 => proptest::collection::vec(any::<u8>(), 0..4),
        ];
        proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        #[test]
        fn round_trip_keeps_every_byte(before in hostile()) {
            let named = symbolic(&before);
            let back = numeric(&named.text);
            prop_assert_eq!(&back.text, &before);
            prop_assert_eq!(back.edits.len(), named.edits.len());
            for (there, back) in named.edits.iter().zip(&back.edits) {
                prop_assert_eq!((there.line, &there.from, &there.to), (back.line, &back.to, &back.from));
            }
        }

        #[test]
        fn renumbering_is_reversible(before in hostile()) {
            let map = |old, new| Renumbering::new(&[(Opcode(old), Opcode(new))]).expect("a pair");
            // 7 is in no piece, though it may be between them.
            prop_assume!(!before.contains(&b'7') || renumber(&before, &map(7, 9)).edits.is_empty());
            let moved = renumber(&before, &map(4, 7));
            prop_assert_eq!(renumber(&moved.text, &map(7, 4)).text, before);
        }
    }
}
