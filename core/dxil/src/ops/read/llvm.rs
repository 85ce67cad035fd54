//! `llvm/lib/Target/DirectX/DXIL.td` of LLVM: a cross-check of numbers, classes and numbers of operands.
//!
//! It has the ops that Clang lowers to, by their numbers: no names of operands, few experimental ops, and names of its
//! own, which are not compared.

use super::super::opcode::Opcode;
use super::super::tables::Tables;
use super::Text;

/// An op of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LlvmOp {
    /// Its line, from 1.
    pub line: usize,
    /// Its name in LLVM.
    pub name: String,
    /// Its number.
    pub opcode: Opcode,
    /// The callee after `dx.op.`.
    pub class: String,
    /// Operands after the opcode; absent where the list is not understood.
    pub operands: Option<usize>,
}

/// The ops of the file, and definitions whose number is not understood, by line.
pub fn read(text: &Text) -> (Vec<LlvmOp>, Vec<(usize, String)>) {
    let (mut ops, mut unknown) = (Vec::new(), Vec::new());
    let mut line = 1;
    let mut rest = text.text.as_str();
    while let Some(at) = rest.find("def ") {
        line += rest.get(..at).unwrap_or_default().matches('\n').count();
        let is_start = at == 0 || rest.get(..at).is_some_and(|before| before.ends_with('\n'));
        rest = rest.get(at + 4..).unwrap_or_default();
        let Some((head, body)) = rest.split_once('{').filter(|_| is_start) else { continue };
        let Some((name, numbers)) = head.split_once(':') else { continue };
        let Some(numbers) = numbers.trim().strip_prefix("DXILOp<") else { continue };
        let numbers = numbers.trim().trim_end_matches('>');
        let Some((number, class)) = numbers.rsplit_once(',') else { continue };
        let body = body.split_once("\n}").map_or(body, |(body, _)| body);
        let name = name.trim().to_owned();
        match self::number(number) {
            Some(opcode) => {
                ops.push(LlvmOp { line, name, opcode, class: class.trim().to_owned(), operands: arguments(body) })
            }
            None => unknown.push((line, name)),
        }
    }
    (ops, unknown)
}

/// `93`, `0x8000000C`, `0x80000000 | 12`.
fn number(text: &str) -> Option<Opcode> {
    let parts = text.split('|').map(|part| Opcode::parse(part.trim()).map(|number| number.0));
    parts.collect::<Option<Vec<u32>>>().map(|parts| Opcode(parts.into_iter().fold(0, |all, part| all | part)))
}

/// The length of `arguments = [A, B]`: no list is no operand.
fn arguments(body: &str) -> Option<usize> {
    let code: String =
        body.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join(" ");
    let Some((_, after)) = code.split_once("arguments") else { return Some(0) };
    let list = after.trim_start().strip_prefix('=')?.trim_start().strip_prefix('[')?;
    let (list, _) = list.split_once(']')?;
    Some(list.split(',').filter(|one| !one.trim().is_empty()).count())
}

/// What differs from tables, a line of text for each.
pub fn compare(ops: &[LlvmOp], tables: Tables) -> Vec<(usize, String)> {
    let mut out = Vec::new();
    for op in ops {
        let number = op.opcode.shown();
        let own = match tables.op(op.opcode) {
            Ok(own) => own,
            Err(no_op) => {
                out.push((op.line, format!("{}: {no_op}", op.name)));
                continue;
            }
        };
        let callee = own.function_prefix.as_deref().and_then(|prefix| prefix.strip_prefix(super::super::CALLEE_PREFIX));
        if callee != Some(op.class.as_str()) {
            let callee = callee.unwrap_or("none");
            out.push((op.line, format!("{} ({number}): class {}, {} has {callee}", op.name, op.class, own.name)));
        }
        let count = own.operands.len().saturating_sub(1);
        if let Some(found) = op.operands.filter(|found| *found != count) {
            out.push((op.line, format!("{} ({number}): {found} operands, {} has {count}", op.name, own.name)));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAMPLE: &str = "// a made-up part\ndef Abs : DXILOp<6, unary> {\n  let arguments = [OverloadTy];\n}\n\
        def Break : DXILOp<0x80000000 | 33, debugBreak> {\n  let result = VoidTy;\n}\n\
        def Wrong : DXILOp<13, binary> {\n  let arguments = [OverloadTy, // first\n    OverloadTy];\n}\n\
        def Odd : DXILOp<N, unary> { }\ndef Other : Class<1> { }\n";

    #[test]
    fn compares_numbers_classes_and_operand_counts() {
        let text = Text { name: "DXIL.td".to_owned(), text: SAMPLE.to_owned() };
        let (ops, unknown) = read(&text);
        let rows: Vec<_> = ops.iter().map(|op| (op.line, op.name.as_str(), op.opcode.0, op.operands)).collect();
        assert_eq!(rows, [(2, "Abs", 6, Some(1)), (5, "Break", 0x8000_0021, Some(0)), (8, "Wrong", 13, Some(2))]);
        assert_eq!(unknown, [(12, "Odd".to_owned())]);
        let found = compare(&ops, Tables::bundled());
        let lines: Vec<&str> = found.iter().map(|(_, text)| text.as_str()).collect();
        assert_eq!(lines, ["Wrong (13): class binary, Sin has unary", "Wrong (13): 2 operands, Sin has 1"]);
    }
}
