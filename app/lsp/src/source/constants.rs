//! Specialization constants of a text.

use super::Language;
use super::tokens::{Token, after_group};

/// The names of specialization constants: `layout(constant_id = 0) const int a` of GLSL, `[[vk::constant_id(0)]] const int a`
/// of HLSL, `override a` of WGSL.
pub fn specialization_constants<'t>(language: Language, tokens: &[Token<'t>]) -> Vec<&'t str> {
    let text = |at: usize| tokens.get(at).map_or("", |token| token.text);
    let mut out = Vec::new();
    for at in 0..tokens.len() {
        let after = match (language, text(at)) {
            (Language::Wgsl, "override") => {
                out.push(text(at + 1));
                continue;
            }
            (Language::Glsl, "layout") if text(at + 1) == "(" => {
                let end = after_group(tokens, at + 1);
                let has_id = tokens.get(at..end).unwrap_or_default().iter().any(|token| token.text == "constant_id");
                if has_id { end } else { continue }
            }
            (Language::Hlsl, "[") if text(at + 1) == "[" && text(at + 5) == "constant_id" => after_group(tokens, at),
            _ => continue,
        };
        // The name stands before `=` or `;`.
        let statement = tokens.get(after..).unwrap_or_default();
        let end = statement.iter().position(|token| ["=", ";"].contains(&token.text)).unwrap_or(0);
        let is_constant = statement.get(..end).unwrap_or_default().iter().any(|token| token.text == "const");
        if is_constant && let Some(name) = end.checked_sub(1).and_then(|last| statement.get(last)) {
            out.push(name.text);
        }
    }
    out.retain(|name| name.starts_with(|c: char| c.is_alphabetic() || c == '_'));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_found_in_each_language() {
        let found = |language: Language, text: &'static str| specialization_constants(language, &language.tokens(text));
        let glsl = "layout(constant_id = 3) const int a = 1; const int b = 2;\nlayout(local_size_x_id = 3) in;\nlayout(constant_id = 4) const bool c = true;";
        assert_eq!(found(Language::Glsl, glsl), ["a", "c"]);
        assert_eq!(
            found(Language::Hlsl, "[[vk::constant_id(1)]] const uint d = 3; [numthreads(1,1,1)] void f() {}"),
            ["d"]
        );
        assert_eq!(found(Language::Wgsl, "@id(0) override e: f32 = 1; override f = 2u; const g = 1;"), ["e", "f"]);
    }
}
