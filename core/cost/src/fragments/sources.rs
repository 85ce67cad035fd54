//! What the figures of a draw are based on.

use crate::report::Source;
use crate::sources::{Marks, line_rule, source, texels};
use crate::tiling::Tiling;
use lanescope_model::target::Target;

/// A mark with that of the order of quads, which is a guess.
pub(super) fn by_wave(mark: &str) -> String {
    if mark.ends_with('G') { mark.to_owned() } else { format!("{mark}, G") }
}

/// The sources of a draw's figures.
pub(super) fn sources(target: Target, line: u32) -> Vec<Source> {
    let marks = Marks::of(target);
    let mut out = vec![
        source(
            "waves of quads",
            "G",
            "quads of 2×2 pixels in the order of primitives, then of rows and columns; how hardware packs them is not known",
        ),
        source(
            "helper invocations",
            "C, G",
            "the lanes of quads that a primitive covers in part; they run each access of the shader (G: a compiler may \
             disable them where no derivative needs them) and store nothing",
        ),
        source("lines", &by_wave(marks.lines), line_rule(line)),
        source(
            "sectors, bytes moved",
            marks.sectors,
            "32 bytes, as the CUDA guides document of NVIDIA's chips; a guess for AMD's",
        ),
        source(
            "texel quads",
            &by_wave(marks.quads),
            "documented of GCN: it reads images by quads of four consecutive lanes, one 2×2 quad in a clock",
        ),
        source(
            "levels, filters",
            "C",
            "those of the interpreter: the level by differences in the quad, one lookup for any anisotropy; a device \
             may choose another level",
        ),
        source("lines by wave", &by_wave(marks.lines), "different lines in all accesses of a wave: no line is lost"),
    ];
    out.extend(Tiling::ALL.iter().map(|tiling| texels(*tiling, &format!("texels, {tiling}"))));
    out
}
