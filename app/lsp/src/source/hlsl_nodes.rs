//! Work graph nodes of HLSL: functions with `[Shader("node")]`, and their outputs.

use super::tokens::{Groups, Token};
use super::{Declaration, Declared};

/// Types of parameters that are outputs.
const OUTPUTS: [&str; 4] = ["NodeOutput", "NodeOutputArray", "EmptyNodeOutput", "EmptyNodeOutputArray"];
/// The largest number of attributes that is looked over.
const ATTRIBUTES: usize = 64;

/// The nodes of a text, each with its outputs.
pub fn declarations(tokens: &[Token<'_>], groups: &Groups) -> Vec<Declaration> {
    let text = |at: usize| tokens.get(at).map_or("", |token| token.text);
    let is_node = |at: &usize| {
        text(*at) == "[" && text(at + 1).eq_ignore_ascii_case("shader") && text(at + 3).eq_ignore_ascii_case("\"node\"")
    };
    (0..tokens.len()).filter(is_node).filter_map(|at| node(tokens, groups, at)).flatten().collect()
}

/// The node whose attribute begins at a token.
fn node(tokens: &[Token<'_>], groups: &Groups, attribute: usize) -> Option<Vec<Declaration>> {
    let mut at = attribute;
    for _ in 0..ATTRIBUTES {
        if tokens.get(at)?.text != "[" {
            break;
        }
        at = groups.after(at);
    }
    let [result, name, open] = tokens.get(at..)?.first_chunk()?;
    if !result.is_word() || !name.is_word() || open.text != "(" {
        return None;
    }
    let (begin, end) = (at + 3, groups.after(at + 2));
    let function = name.text.to_owned();
    let mut out = vec![Declaration { range: name.range(), what: Declared::Node { function: function.clone() } }];
    let (mut from, mut outputs, mut depth) = (begin, 0, 0i32);
    for at in begin..end {
        let text = tokens.get(at)?.text;
        match text {
            "(" | "[" | "<" => depth += 1,
            ")" | "]" | ">" => depth -= 1,
            _ => {}
        }
        if text == "," && depth == 0 || at + 1 == end {
            let parameter = tokens.get(from..at).unwrap_or_default();
            if parameter.iter().any(|token| OUTPUTS.contains(&token.text)) {
                let name = parameter.iter().rev().find(|token| token.is_word());
                let what = Declared::NodeOutput { function: function.clone(), output: outputs };
                out.extend(name.map(|name| Declaration { range: name.range(), what }));
                outputs += 1;
            }
            from = at + 1;
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::super::Language;
    use super::super::tests::found;

    #[test]
    fn nodes_have_their_outputs_in_order() {
        let text = "[NodeLaunch(\"broadcasting\")] [Shader(\"node\")] [NumThreads(8, 1, 1)]\n\
                    void Split(DispatchNodeInputRecord<R> input, uint3 at : SV_GroupID,\n\
                    [MaxRecords(2)] [NodeID(\"Leaf\", 1)] NodeOutput<R> leaf, [MaxRecords(1)] EmptyNodeOutputArray done) { if (a < b, c) {} }\n\
                    [shader(\"compute\")] void cs() {} [Shader(\"node\")] [Shader(\"node\")] void Leaf() {}\n[Shader(\"node\")]";
        let nodes: Vec<String> = found(Language::Hlsl, text).into_iter().filter(|one| one.contains("node")).collect();
        assert_eq!(
            nodes,
            ["Split: node Split", "leaf: node Split output 0", "done: node Split output 1", "Leaf: node Leaf"]
        );
    }
}
