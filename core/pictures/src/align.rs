//! Two texts, line by line: which line of one is beside which of the other.

use std::ops::Range;
use std::time::{Duration, Instant};

use similar::{Algorithm, DiffOp, TextDiff, capture_diff_slices, capture_diff_slices_deadline};

/// How long a frame waits for the exact diff. What is left then is aligned more coarsely.
pub const PATIENCE: Duration = Duration::from_millis(150);
/// Comparisons of lines within one changed stretch, and in all of them; what goes beyond is not aligned line by line.
const PAIRS_AT_MOST: usize = 10_000;
const ALL_PAIRS_AT_MOST: usize = 200_000;
/// The least likeness of two lines that are beside each other as one changed line.
const ALIKE: f32 = 0.5;
/// Unchanged lines around a change in the text for the clipboard.
const CONTEXT: usize = 3;

/// The kind of change of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The same in both texts.
    Same,
    /// Replaced by another line.
    Changed,
    /// In the first text only.
    Removed,
    /// In the second text only.
    Added,
}

/// What is beside each other: at least one line, by its index from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pair {
    /// The outcome.
    pub kind: Kind,
    /// The line of the first text.
    pub left: Option<usize>,
    /// The line of the second text.
    pub right: Option<usize>,
}

/// Two texts aligned.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Alignment {
    /// Every line of both, in order.
    pub pairs: Vec<Pair>,
    /// The stretches of `pairs` that are not the same.
    pub changes: Vec<Range<usize>>,
}

impl Alignment {
    /// Aligns the lines of two texts.
    pub fn of(left: &[&str], right: &[&str]) -> Alignment {
        let deadline = Some(Instant::now() + PATIENCE);
        let mut pairs = Vec::with_capacity(left.len().max(right.len()));
        let mut changes = Vec::new();
        let mut pairs_left = ALL_PAIRS_AT_MOST;
        for op in capture_diff_slices_deadline(Algorithm::Patience, left, right, deadline) {
            let (old, new) = (op.old_range(), op.new_range());
            if matches!(op, DiffOp::Equal { .. }) {
                let both = old.zip(new);
                pairs.extend(both.map(|(l, r)| Pair { kind: Kind::Same, left: Some(l), right: Some(r) }));
                continue;
            }
            let start = pairs.len();
            stretch(left, right, [old, new], &mut pairs_left, &mut pairs);
            match changes.last_mut() {
                Some(last) if is_end(last, start) => last.end = pairs.len(),
                _ => changes.push(start..pairs.len()),
            }
        }
        Alignment { pairs, changes }
    }

    /// How many lines there are of a kind.
    pub fn count(&self, kind: Kind) -> usize {
        self.pairs.iter().filter(|pair| pair.kind == kind).count()
    }
}

fn is_end(range: &Range<usize>, at: usize) -> bool {
    range.end == at
}

/// Aligns a stretch in which the texts differ: lines that are alike are beside each other, in order.
fn stretch(
    left: &[&str],
    right: &[&str],
    [old, new]: [Range<usize>; 2],
    pairs_left: &mut usize,
    pairs: &mut Vec<Pair>,
) {
    let (mut l, mut r) = (old.start, new.start);
    let lines = [left.get(old.clone()).unwrap_or(&[]), right.get(new.clone()).unwrap_or(&[])];
    let cost = lines[0].len().saturating_mul(lines[1].len());
    let found = if cost <= PAIRS_AT_MOST.min(*pairs_left) { alike(lines[0], lines[1]) } else { Vec::new() };
    *pairs_left = pairs_left.saturating_sub(if cost <= PAIRS_AT_MOST { cost } else { 0 });
    for (to_l, to_r) in found {
        let (to_l, to_r) = (old.start + to_l, new.start + to_r);
        alone(l..to_l, r..to_r, pairs);
        pairs.push(Pair { kind: Kind::Changed, left: Some(to_l), right: Some(to_r) });
        (l, r) = (to_l + 1, to_r + 1);
    }
    alone(l..old.end, r..new.end, pairs);
}

fn alone(old: Range<usize>, new: Range<usize>, pairs: &mut Vec<Pair>) {
    pairs.extend(old.map(|line| Pair { kind: Kind::Removed, left: Some(line), right: None }));
    pairs.extend(new.map(|line| Pair { kind: Kind::Added, left: None, right: Some(line) }));
}

/// The lines that go together, in order: those whose likeness is the greatest in all.
fn alike(left: &[&str], right: &[&str]) -> Vec<(usize, usize)> {
    if left.is_empty() || right.is_empty() {
        return Vec::new();
    }
    let words = |lines: &[&str]| -> Vec<Vec<String>> {
        lines.iter().map(|line| line.split_whitespace().map(str::to_owned).collect()).collect()
    };
    let (left, right) = (words(left), words(right));
    let width = right.len() + 1;
    let mut best = vec![0.0_f32; (left.len() + 1) * width];
    let mut score = vec![0.0_f32; left.len() * right.len()];
    for l in (0..left.len()).rev() {
        for r in (0..right.len()).rev() {
            let here = likeness(&left[l], &right[r]);
            score[l * right.len() + r] = here;
            let together = if here >= ALIKE { here + best[(l + 1) * width + r + 1] } else { 0.0 };
            best[l * width + r] = together.max(best[(l + 1) * width + r]).max(best[l * width + r + 1]);
        }
    }
    let (mut l, mut r) = (0, 0);
    let mut out = Vec::new();
    while l < left.len() && r < right.len() {
        let here = score[l * right.len() + r];
        if here >= ALIKE && best[l * width + r] == here + best[(l + 1) * width + r + 1] {
            out.push((l, r));
            (l, r) = (l + 1, r + 1);
        } else if best[l * width + r] == best[(l + 1) * width + r] {
            l += 1;
        } else {
            r += 1;
        }
    }
    out
}

/// How many words two lines share: 0 to 1.
fn likeness(left: &[String], right: &[String]) -> f32 {
    let mut rest: Vec<&String> = right.iter().collect();
    let mut shared = 0;
    for word in left {
        if let Some(at) = rest.iter().position(|other| *other == word) {
            rest.swap_remove(at);
            shared += 1;
        }
    }
    2.0 * shared as f32 / (left.len() + right.len()).max(1) as f32
}

/// The bytes of two lines that differ, word by word.
pub fn parts(left: &str, right: &str) -> [Vec<Range<usize>>; 2] {
    let (old, new) = (words(left), words(right));
    let text = |line: &'_ str, words: &[Range<usize>]| -> Vec<String> {
        words.iter().map(|word| line.get(word.clone()).unwrap_or("").to_owned()).collect()
    };
    let ops = capture_diff_slices(Algorithm::Myers, &text(left, &old), &text(right, &new));
    let differing = ops.iter().filter(|op| !matches!(op, DiffOp::Equal { .. }));
    let mut out = [Vec::new(), Vec::new()];
    for op in differing {
        for (side, (words, range)) in [(&old, op.old_range()), (&new, op.new_range())].into_iter().enumerate() {
            if let Some([first, .., last] | [first @ last]) = words.get(range) {
                out[side].push(first.start..last.end);
            }
        }
    }
    out
}

/// The words of a line and the text between them.
fn words(line: &str) -> Vec<Range<usize>> {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '%' | '.');
    let mut out: Vec<Range<usize>> = Vec::new();
    let mut before = None;
    for (at, c) in line.char_indices() {
        let (kind, end) = (is_word(c), at + c.len_utf8());
        match out.last_mut() {
            Some(last) if before == Some(kind) => last.end = end,
            _ => out.push(at..end),
        }
        before = Some(kind);
    }
    out
}

/// The difference as text, as `diff -u` writes it; exact where that takes no longer than `patience`.
pub fn unified(titles: [&str; 2], left: &str, right: &str, patience: Duration) -> String {
    let diff = TextDiff::configure().algorithm(Algorithm::Patience).timeout(patience).diff_lines(left, right);
    diff.unified_diff().context_radius(CONTEXT).header(titles[0], titles[1]).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One character a pair: `=`, `~`, `-`, `+`.
    fn drawn(left: &[&str], right: &[&str]) -> String {
        let alignment = Alignment::of(left, right);
        let sides =
            |side: fn(&Pair) -> Option<usize>| -> Vec<usize> { alignment.pairs.iter().filter_map(side).collect() };
        assert_eq!(sides(|pair| pair.left), (0..left.len()).collect::<Vec<_>>(), "every line once, in order");
        assert_eq!(sides(|pair| pair.right), (0..right.len()).collect::<Vec<_>>());
        let differing: Vec<_> = alignment.changes.iter().cloned().flatten().collect();
        let expected: Vec<_> =
            (0..alignment.pairs.len()).filter(|&at| alignment.pairs[at].kind != Kind::Same).collect();
        assert_eq!(differing, expected);
        let sign = |pair: &Pair| match pair.kind {
            Kind::Same => '=',
            Kind::Changed => '~',
            Kind::Removed => '-',
            Kind::Added => '+',
        };
        alignment.pairs.iter().map(sign).collect()
    }

    #[test]
    fn aligns_lines_with_their_changed_versions() {
        for (left, right, expected) in [
            (&["a", "b", "c"][..], &["a", "b", "c"][..], "==="),
            (&[], &[], ""),
            (&[], &["x"], "+"),
            (&["x"], &[], "-"),
            (&["OpDecorate %uv Location 3"], &["OpDecorate %uv Location 0"], "~"),
            (&["OpLoad %a", "OpStore %b %c"], &["OpReturn"], "--+"),
            (
                &["head", "OpName %uv \"uv\"", "OpDecorate %uv Location 3", "tail"],
                &["head", "OpName %new \"new\"", "OpName %uv \"uv\"", "OpDecorate %uv Location 0", "tail"],
                "=+=~=",
            ),
            (
                &["%1 = OpVariable %in Input", "%2 = OpVariable %in Input"],
                &["something else", "%1 = OpVariable %p Private", "%2 = OpVariable %p Private"],
                "+~~",
            ),
        ] {
            assert_eq!(drawn(left, right), expected, "{left:?} {right:?}");
        }
    }

    #[test]
    fn compares_large_stretches_coarsely() {
        let [left, right] = ["a", "b"].map(|kind| (0..2000).map(|i| format!("{kind} {i}")).collect::<Vec<_>>());
        let lines = |texts: &[String]| -> Vec<String> { texts.to_vec() };
        let (left, right) = (lines(&left), lines(&right));
        let signs = drawn(
            &left.iter().map(String::as_str).collect::<Vec<_>>(),
            &right.iter().map(String::as_str).collect::<Vec<_>>(),
        );
        assert_eq!(signs.len(), 4000);
    }

    #[test]
    fn marks_differing_words() {
        let (left, right) = ("OpDecorate %uv Location 3", "OpDecorate %uv Location 0 ");
        let [old, new] = parts(left, right);
        let text = |line: &str, ranges: &[Range<usize>]| -> Vec<String> {
            ranges.iter().map(|range| line[range.clone()].to_owned()).collect()
        };
        assert_eq!((text(left, &old), text(right, &new)), (vec!["3".to_owned()], vec!["0 ".to_owned()]));
        assert!(parts("same", "same").iter().all(Vec::is_empty));
    }

    #[test]
    fn the_text_for_the_clipboard_is_a_patch() {
        let text = unified(["a.spvasm", "b.spvasm"], "one\ntwo\n", "one\nthree\n", PATIENCE);
        assert_eq!(text, "--- a.spvasm\n+++ b.spvasm\n@@ -1,2 +1,2 @@\n one\n-two\n+three\n");
    }
}
