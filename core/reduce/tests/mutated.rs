//! Modules with words that are not theirs: edits of them are found and applied, or not, without a panic.

use lanescope_base::StageKind;
use lanescope_glslang::{Language, NoIncludes, Source};
use lanescope_reduce::change::applied;
use lanescope_reduce::passes::PASSES;
use lanescope_spirv::Module;
use proptest::prelude::*;

const KERNEL: &str = "#version 460
layout(local_size_x = 8) in;
layout(binding = 0) buffer B { uint n; uint b[]; };
shared uint s[8];
uint twice(uint x) { uint y; if (x > n) y = x * 2u; else y = x; return y; }
void main() {
    uint sum = 0u;
    for (uint i = 0u; i < n; i++) { switch (b[i] & 3u) { case 0u: sum += i; break; case 1u: continue; default: sum ^= i; } }
    s[gl_LocalInvocationIndex] = twice(sum);
    barrier();
    atomicAdd(b[0], s[7u - gl_LocalInvocationIndex] / (sum + 1u));
}";

fn words() -> Vec<u32> {
    let env = lanescope_base::TargetEnv::Vulkan13;
    let (language, stage) = (Language::Glsl, StageKind::Compute);
    let source = Source { text: KERNEL, language, stage, lines: true, macros: &[], env };
    lanescope_glslang::compile(&source, &mut NoIncludes).expect("GLSL that compiles").words
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn any_words_are_changed_or_refused(changes in prop::collection::vec((5usize..2000, 0u32..160), 0..12)) {
        let mut words = words();
        let count = words.len();
        for (at, word) in changes {
            // The instruction's length stays: what follows is still read as instructions.
            let word_of = &mut words[at % count];
            if at % count >= 5 {
                *word_of = if *word_of >> 16 == 0 { word } else { *word_of & 0xffff_0000 | word };
            }
        }
        let Ok(module) = Module::parse(words) else { return Ok(()) };
        for pass in &PASSES {
            let found = (pass.find)(&module);
            let all: Vec<_> = found.iter().collect();
            for chunk in [all.len().max(1), 7, 1] {
                for some in all.chunks(chunk).take(8) {
                    if let Some(left) = applied(&module, some) {
                        prop_assert_ne!(left.words(), module.words());
                    }
                }
            }
        }
    }
}
