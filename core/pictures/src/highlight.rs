//! Which class each piece of a line belongs to, by syntect. Lines are parsed when they are first shown.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::OnceLock;

use lanescope_inspector::source::Language;
use syntect::parsing::{ParseState, Scope, ScopeStack, SyntaxDefinition, SyntaxSet, SyntaxSetBuilder};

/// Bytes of a line that are highlighted and drawn. A longer line is cut.
pub const LINE_AT_MOST: usize = 2_000;
/// Lines whose spans are kept.
const KEPT_AT_MOST: usize = 4_096;
/// Bytes that may be parsed in one frame.
const STEP: usize = 8 << 10;

/// What a piece of text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// Nothing special.
    Text,
    /// A comment.
    Comment,
    /// A keyword or an instruction.
    Keyword,
    /// A type.
    Kind,
    /// A number.
    Number,
    /// A string.
    String,
    /// A function, a built-in variable, a constant.
    Function,
    /// An id of SPIR-V.
    Id,
    /// A preprocessor line, or an instruction that only annotates.
    Directive,
    /// An attribute or an operand's name.
    Attribute,
}

/// The classes of scopes that the syntax definitions in `assets/syntax` give, by their beginning.
const CLASSES: &[(&str, Class)] = &[
    ("comment", Class::Comment),
    ("string", Class::String),
    ("keyword", Class::Keyword),
    ("storage.type", Class::Kind),
    ("constant", Class::Number),
    ("entity.attribute", Class::Attribute),
    ("entity.function", Class::Function),
    ("support", Class::Function),
    ("variable", Class::Id),
    ("meta.preprocessor", Class::Directive),
];

/// Pieces of one line, in order, without gaps.
pub type Spans = Vec<(Range<usize>, Class)>;

/// The kept spans of one text.
#[derive(Debug, Default)]
pub struct Highlighter {
    kept: BTreeMap<usize, Spans>,
    left: usize,
}

impl Highlighter {
    /// Begins a frame: so much may be parsed again.
    pub fn begin_frame(&mut self) {
        self.left = STEP;
        if self.kept.len() > KEPT_AT_MOST {
            self.kept.clear();
        }
    }

    /// The pieces of a line, or nothing where this frame has parsed enough already.
    pub fn spans(&mut self, language: Language, number: usize, line: &str, begins_open: bool) -> Option<&Spans> {
        if !self.kept.contains_key(&number) {
            // Every line counts, so that empty ones end too. The first of a frame is always parsed.
            let cost = line.len() + 16;
            if cost > self.left && self.left != STEP {
                return None;
            }
            self.left = self.left.saturating_sub(cost);
            self.kept.insert(number, parse(language, line, begins_open));
        }
        self.kept.get(&number)
    }
}

/// The start of a line, cut where a character begins.
pub fn cut(line: &str) -> &str {
    let mut end = line.len().min(LINE_AT_MOST);
    while !line.is_char_boundary(end) {
        end -= 1;
    }
    line.get(..end).unwrap_or("")
}

/// A language's syntax, and the parser's state at a line's beginning: outside and inside what crosses lines.
struct Syntax {
    closed: ParseState,
    open: ParseState,
    open_scopes: ScopeStack,
}

struct Loaded {
    set: SyntaxSet,
    glsl: Syntax,
    wgsl: Syntax,
    spirv: Syntax,
    dxil: Syntax,
    isa: Syntax,
    classes: Vec<(Scope, Class)>,
}

/// The definitions, read when the first line is shown.
fn loaded() -> Option<&'static Loaded> {
    static LOADED: OnceLock<Option<Loaded>> = OnceLock::new();
    LOADED.get_or_init(load).as_ref()
}

fn load() -> Option<Loaded> {
    let mut builder = SyntaxSetBuilder::new();
    for text in [
        include_str!("../../../assets/syntax/GLSL.sublime-syntax"),
        include_str!("../../../assets/syntax/WGSL.sublime-syntax"),
        include_str!("../../../assets/syntax/SPIRV.sublime-syntax"),
        include_str!("../../../assets/syntax/DXIL.sublime-syntax"),
        include_str!("../../../assets/syntax/ISA.sublime-syntax"),
    ] {
        builder.add(SyntaxDefinition::load_from_str(text, false, None).ok()?);
    }
    let set = builder.build();
    let glsl = syntax(&set, "GLSL", "/*")?;
    let wgsl = syntax(&set, "WGSL", "/*")?;
    let spirv = syntax(&set, "SPIR-V", "\"")?;
    // Nothing in these crosses lines.
    let dxil = syntax(&set, "DXIL", "")?;
    let isa = syntax(&set, "ISA", "")?;
    let classes = CLASSES.iter().map(|(scope, class)| Some((Scope::new(scope).ok()?, *class)));
    let classes = classes.collect::<Option<_>>()?;
    Some(Loaded { set, glsl, wgsl, spirv, dxil, isa, classes })
}

fn syntax(set: &SyntaxSet, name: &str, opener: &str) -> Option<Syntax> {
    let closed = ParseState::new(set.find_syntax_by_name(name)?);
    let mut open = closed.clone();
    let mut open_scopes = ScopeStack::new();
    for (_, op) in open.parse_line(opener, set).ok()? {
        open_scopes.apply(&op).ok()?;
    }
    Some(Syntax { closed, open, open_scopes })
}

fn parse(language: Language, line: &str, begins_open: bool) -> Spans {
    let plain = || vec![(0..line.len(), Class::Text)];
    let Some(loaded) = loaded() else { return plain() };
    let syntax = match language {
        Language::Glsl => &loaded.glsl,
        Language::Wgsl => &loaded.wgsl,
        Language::Spvasm => &loaded.spirv,
        Language::Dxil => &loaded.dxil,
        Language::Isa => &loaded.isa,
    };
    let (mut state, mut scopes) = match begins_open {
        true => (syntax.open.clone(), syntax.open_scopes.clone()),
        false => (syntax.closed.clone(), ScopeStack::new()),
    };
    let Ok(ops) = state.parse_line(line, &loaded.set) else { return plain() };
    let class_of = |scopes: &ScopeStack| {
        let known = |scope: &Scope| loaded.classes.iter().find(|(known, _)| known.is_prefix_of(*scope));
        scopes.as_slice().iter().rev().find_map(known).map_or(Class::Text, |(_, class)| *class)
    };
    let mut spans: Spans = Vec::new();
    let mut from = 0;
    let mut push = |to: usize, class: Class| {
        match spans.last_mut() {
            Some((range, last)) if *last == class => range.end = to,
            _ if to > from => spans.push((from..to, class)),
            _ => {}
        }
        from = to;
    };
    for (at, op) in ops {
        push(at.min(line.len()), class_of(&scopes));
        if scopes.apply(&op).is_err() {
            break;
        }
    }
    push(line.len(), class_of(&scopes));
    spans
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(language: Language, line: &str, open: bool) -> String {
        let spans = parse(language, line, open);
        assert_eq!(spans.first().map_or(0, |(range, _)| range.start), 0);
        assert!(spans.windows(2).all(|pair| pair[0].0.end == pair[1].0.start), "{spans:?}");
        assert_eq!(spans.last().map_or(0, |(range, _)| range.end), line.len());
        let classified = spans.iter().filter(|(_, class)| *class != Class::Text);
        classified.map(|(range, class)| format!("{class:?}:{}", &line[range.clone()])).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn classifies_glsl() {
        let table = [
            ("layout(location = 0) flat in f16vec2 uv; // x", false),
            ("#include \"a.glsl\"", false),
            ("#version 460", false),
            ("vec3 n = normalize(gl_FragCoord.xyz) * 1.5e-3f;", false),
            ("still a comment */ if (true) discard;", true),
        ];
        let all: Vec<_> = table.iter().map(|(line, open)| shown(Language::Glsl, line, *open)).collect();
        insta::assert_snapshot!(all.join("\n"));
    }

    #[test]
    fn classifies_wgsl() {
        let table = [
            ("@group(0) @binding(1) var<storage, read_write> data: array<vec4<f32>>; // x", false),
            ("enable f16;", false),
            ("override gain: f32 = 0x1p-3f;", false),
            ("fn shade(in: Varyings) -> @location(0) vec4f {", false),
            ("    let n = textureSample(t, s, in.uv).xyz * 1.5e-3f + 2u;", false),
            ("still a comment */ if true { discard; }", true),
        ];
        let all: Vec<_> = table.iter().map(|(line, open)| shown(Language::Wgsl, line, *open)).collect();
        insta::assert_snapshot!(all.join("\n"));
    }

    #[test]
    fn classifies_spirv() {
        let table = [
            ("; Magic: 0x07230203", false),
            ("OpCapability Shader", false),
            ("OpName %uv \"u\\\"v\"", false),
            ("OpDecorate %uv Location 3", false),
            ("%float = OpTypeFloat 32", false),
            ("%c = OpConstant %float -0.5", false),
            ("%12 = OpLoad %v4float %uv", false),
            ("still a string\" OpNop", true),
        ];
        let all: Vec<_> = table.iter().map(|(line, open)| shown(Language::Spvasm, line, *open)).collect();
        insta::assert_snapshot!(all.join("\n"));
    }

    #[test]
    fn classifies_dxil() {
        let table = [
            "; compute shader, model 6.6, DXIL 1.6",
            "%dx.types.ResRet.f32 = type { float, float, float, float, i32 }",
            "@\"\\01?Scene@@3U\" = constant %struct.Scene, align 4",
            "define void @CSMain() nounwind {",
            "  %5 = dx.op RawBufferLoad.f32(srv %20 [t0 Palette], index %4, elementOffset 0, mask 15)  ; more",
            "  %3 = dx.op <312> dx.op.loadInput.f32(i32 0)  ; opcode 312 is not defined",
            "  %4 = dx.op LinAlgFillMatrix.f32(value 1.0)  ; experimental 0x8000000C; line 3:4",
            "  %10 = fmul fast float %9, -0.125",
            "  br i1 %19, label %20, label %43",
            "!dx.version = {1, 6, \"ps\", null}",
            "00000010  44 58 42 43 00 00 00 00  00 00 00 00 00 00 00 00  DXBC............",
        ];
        let all: Vec<_> = table.iter().map(|line| shown(Language::Dxil, line, false)).collect();
        insta::assert_snapshot!(all.join("\n"));
    }

    #[test]
    fn classifies_assembly() {
        let table = [
            "BB2:",
            "\ts_wqm_b64 exec, exec                                        ; befe0a7e",
            "\tv_interp_p1_f32_e32 v2, v0, attr2.x                         ; c8080800",
            "\timage_sample v[2:4], v[2:3], s[8:15], s[4:7] dmask:0x7 dim:SQ_RSRC_IMG_2D ; f0800708 00220202",
            "\ts_cbranch_execz BB4                                         ; bf880003",
            "\ts_waitcnt vmcnt(0)                                          ; bf8c3f70",
            "\texp mrt0 v3, v2, v1, v0 done vm                             ; f800180f",
            "\tvec1 32 ssa_3 = load_const (0x3f800000 = 1.000000) // a constant",
        ];
        let all: Vec<_> = table.iter().map(|line| shown(Language::Isa, line, false)).collect();
        insta::assert_snapshot!(all.join("\n"));
    }

    #[test]
    fn parses_a_bounded_amount_per_frame() {
        let mut highlighter = Highlighter::default();
        let line = "x".repeat(1_000);
        highlighter.begin_frame();
        let parsed = |highlighter: &mut Highlighter| {
            (0..100).filter(|n| highlighter.spans(Language::Glsl, *n, &line, false).is_some()).count()
        };
        let first = parsed(&mut highlighter);
        assert!((1..100).contains(&first), "{first}");
        highlighter.begin_frame();
        assert_eq!(parsed(&mut highlighter), 2 * first);
    }

    #[test]
    fn highlights_any_text_without_a_panic() {
        for line in ["", "\"", "漢字 \u{0} \\", "/*", "*/", "#", "#include", "%", "OpString \"\\"] {
            for open in [false, true] {
                shown(Language::Glsl, line, open);
                shown(Language::Wgsl, line, open);
                shown(Language::Spvasm, line, open);
                shown(Language::Dxil, line, open);
                shown(Language::Isa, line, open);
            }
        }
    }
}
