//! The lines that naga gives instructions. It finds the line of a statement by counting all line breaks before it.

use naga::{Block, Module, Span, Statement};

/// The most line breaks that naga counts for a module: those of 10,000 lines with an assignment in each.
const MOST: u64 = 200_000_000;

/// Gives the statements of a module places in a text that has only line breaks, and returns that text: it is shorter than
/// the one that the module is of, and its lines have the same numbers. `None` where naga would count too long.
pub(super) fn numbered(module: &mut Module, text: &str) -> Option<String> {
    let breaks: Vec<usize> = text.match_indices('\n').map(|(at, _)| at).collect();
    let functions = module.functions.iter_mut().map(|(_, function)| function);
    let functions = functions.chain(module.entry_points.iter_mut().map(|entry| &mut entry.function));
    let mut blocks: Vec<&mut Block> = functions.map(|function| &mut function.body).collect();
    let mut counted = 0u64;
    while let Some(block) = blocks.pop() {
        for (statement, span) in block.span_iter_mut() {
            if let Some(span) = span
                && let Some(at) = span.to_range()
            {
                let line = breaks.partition_point(|end| *end < at.start) as u32 + 1;
                counted = counted.saturating_add(u64::from(line));
                *span = Span::new(line, line);
            }
            match statement {
                Statement::Block(inner) => blocks.push(inner),
                Statement::If { accept, reject, .. } => blocks.extend([accept, reject]),
                Statement::Switch { cases, .. } => blocks.extend(cases.iter_mut().map(|case| &mut case.body)),
                Statement::Loop { body, continuing, .. } => blocks.extend([body, continuing]),
                _ => {}
            }
        }
    }
    // The first byte stands for a place that is not known.
    (counted <= MOST).then(|| format!(" {}", "\n".repeat(breaks.len() + 1)))
}

/// Words before the first instruction.
const HEADER: usize = 5;
const OP_LINE: u32 = 8;
const OP_NO_LINE: u32 = 317;

/// The words with no line where naga has the text's first byte for one that it does not know: no statement begins there.
pub(super) fn that_are(words: Vec<u32>) -> Vec<u32> {
    let mut out = words.get(..HEADER).unwrap_or_default().to_vec();
    let mut rest = words.get(HEADER..).unwrap_or_default();
    while let [first, ..] = rest {
        let (inst, more) = rest.split_at(((first >> 16).max(1) as usize).min(rest.len()));
        match inst {
            [first, _, 1, 1] if first & 0xffff == OP_LINE => out.push(1 << 16 | OP_NO_LINE),
            _ => out.extend(inst),
        }
        rest = more;
    }
    out
}
