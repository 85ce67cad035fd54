//! What the figures of an interface are based on.

use crate::report::Source;
use lanescope_model::target::Target;

/// The sources of a chip's figures.
pub(crate) fn sources(target: Target) -> Vec<Source> {
    let source = |figure: &str, mark: &str, rule: &str| Source {
        figure: figure.to_owned(),
        mark: mark.to_owned(),
        rule: rule.to_owned(),
    };
    let ip = target.ip();
    let mut out = vec![
        source("slots of LLPC", "S, C", "LLPC's order, computed from the shaders"),
        source(
            "slots of the design note",
            "D, C, G",
            "LLPC's design note prints the order of an example (D); how it applies to other classes is a guess",
        ),
        source(
            "optimum",
            "C",
            "least slots of scalars in components and halves; classes share if any order lets them: flat ones of both widths",
        ),
    ];
    match ip.has_attribute_ring {
        Some(false) => out.push(source(
            "parameter cache",
            "S",
            "up to graphics IP 10.3: one export for each slot; the lines of the chips are Mesa's",
        )),
        Some(true) => out.push(source(
            "attribute ring",
            "S",
            "from graphics IP 11 on PAL has no parameter cache; one store for each slot into a ring in memory",
        )),
        None => {}
    }
    let granule = match ip.lds_granule {
        Some(_) => "allocated in the chip's granule",
        None => "PAL allocates multiples of 512 bytes, Mesa counts 1024: both are shown",
    };
    out.push(source(
        "LDS",
        "S, C",
        &format!("48 bytes a slot and primitive, {granule}; the waves of a SIMD share 16 KiB"),
    ));
    out.push(source(
        "primitives of a wave",
        "C, G",
        "a quad belongs to one primitive: up to 16 in a wave64; 8 in a wave32 is a guess",
    ));
    out.push(source("waves", "S, C", "wave slots, vector registers and their granule by chip, as Mesa has them"));
    out.push(source(
        "interpolation",
        "C, H",
        "two instructions for each interpolated scalar, one for each flat one, seen on gfx1030; and a load each on gfx1100",
    ));
    out
}
