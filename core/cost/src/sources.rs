//! What the figures are based on. D documented by the vendor, S read in driver source, C computed here from the formula, G a
//! guess.

use crate::report::Source;
use crate::tiling::Tiling;
use lanescope_model::target::Target;

/// The marks of figures on a chip.
pub(crate) struct Marks {
    /// Lines of the chip's size.
    pub lines: &'static str,
    /// Sectors of 32 bytes, and what they move.
    pub sectors: &'static str,
    /// Quads of texels.
    pub quads: &'static str,
    /// Passes of LDS.
    pub lds: &'static str,
}

impl Marks {
    /// Those of a chip.
    pub fn of(target: Target) -> Marks {
        let ip = target.ip();
        let is_gcn = !ip.has_wave32;
        Marks {
            // GCN: gpuopen's texts and the ISA guides. RDNA: the white paper, which graphics IP 12 is newer than; that alone
            // hands out ids in tiles.
            lines: if ip.walks_tiles { "C, G" } else { "C, D" },
            // Sectors are documented of NVIDIA's chips.
            sectors: "C, G",
            quads: if is_gcn { "C, D" } else { "C, G" },
            lds: if is_gcn { "C, G" } else { "C, D, G" },
        }
    }
}

/// A source of a figure.
pub(crate) fn source(figure: &str, mark: &str, rule: &str) -> Source {
    Source { figure: figure.to_owned(), mark: mark.to_owned(), rule: rule.to_owned() }
}

/// Where the texels of a tiling lie, under the name of a figure.
pub(crate) fn texels(tiling: Tiling, figure: &str) -> Source {
    match tiling {
        Tiling::Linear => {
            source(figure, "G", "row by row; a row takes a multiple of 256 bytes unless a pitch is given")
        }
        Tiling::Tiled => source(
            figure,
            "S, G",
            "blocks of 256 bytes: 16×16, 16×8, 8×8, 8×4, 4×4 texels of 8 to 128 bits (S: addrlib); the order inside, 128 \
             bytes are 8×4 texels of 32 bits (G)",
        ),
        Tiling::Standard => source(
            figure,
            "S",
            "blocks of 256 bytes in the order of addrlib's SW_256B_S for graphics IP 10: 128 bytes are 4×8 texels of 32 \
             bits",
        ),
    }
}

/// What counts as a line.
pub(crate) fn line_rule(line: u32) -> &'static str {
    match line {
        64 => {
            "different lines that the lanes of a wave touch, for each access; 64 bytes is the line of GCN's vector cache"
        }
        _ => {
            "different lines that the lanes of a wave touch, for each access; 128 bytes is the line of RDNA's vector L0 \
             (white paper; G for graphics IP 12)"
        }
    }
}

/// The sources of a report's figures.
pub(crate) fn sources(tiling: Tiling, target: Target, line: u32) -> Vec<Source> {
    let marks = Marks::of(target);
    vec![
        source("lines", marks.lines, line_rule(line)),
        source(
            "sectors, bytes moved",
            marks.sectors,
            "32 bytes, as the CUDA guides document of NVIDIA's chips; a guess for AMD's",
        ),
        texels(tiling, "texels"),
        source(
            "texel quads",
            marks.quads,
            "documented of GCN: it reads images by quads of four consecutive lanes, one 2×2 quad in a clock",
        ),
        source(
            "LDS banks",
            marks.lds,
            "documented of RDNA: bank = address / 4 mod 32; equal addresses are read together, different ones of a bank one after the other",
        ),
        source(
            "LDS width",
            "G",
            "accesses of 4 bytes: 32 lanes at once; 8 bytes: 16; 16 bytes: 8; wider ones in several instructions",
        ),
        source("LDS atomics", "G", "lanes with one address take a pass each"),
        source(
            "lines by wave, by group",
            marks.lines,
            "different lines in all accesses of a wave, or of a workgroup: no line is lost",
        ),
        source("windows", "C, G", "different lines in all accesses of consecutive workgroups; their number is a guess"),
    ]
}
