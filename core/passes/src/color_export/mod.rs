//! In which format a colour output is exported to an attachment. Registers contain it, and a guessed layout's key depends on
//! it. The rules are those of LLPC.

mod formats;

pub use formats::{FORMATS, Format, Kind, format};

use lanescope_model::options::ColorTarget;
use lanescope_model::target::Target;

/// Export formats of one colour.
pub(crate) mod code {
    pub const ZERO: u32 = 0;
    pub const R32: u32 = 1;
    pub const GR32: u32 = 2;
    pub const AR32: u32 = 3;
    pub const FP16: u32 = 4;
    pub const UNORM16: u32 = 5;
    pub const SNORM16: u32 = 6;
    pub const UINT16: u32 = 7;
    pub const SINT16: u32 = 8;
    pub const ABGR32: u32 = 9;
}

/// A colour attachment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attachment {
    /// Its format; absent where there is no attachment (`UNDEFINED`).
    pub format: Option<&'static Format>,
    /// Blending is on.
    pub blend: bool,
    /// Blending multiplies colours by the output's alpha.
    pub blends_by_alpha: bool,
    /// Its write mask is 0.
    pub unwritten: bool,
    /// Set explicitly, not by default.
    pub chosen: bool,
}

impl Attachment {
    /// The attachment that a target names; without a format where there is none of that name.
    pub fn of(target: &ColorTarget) -> Attachment {
        let format = format(&target.format);
        let &ColorTarget { blend, blends_by_alpha, unwritten, .. } = target;
        Attachment { format, blend, blends_by_alpha, unwritten, chosen: true }
    }

    /// The export format; absent where nothing is exported.
    pub(crate) fn written(&self) -> Option<&'static Format> {
        self.format.filter(|_| !self.unwritten)
    }
}

/// The format in which one output is exported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExportFormat {
    /// Its number in SPI_SHADER_COL_FORMAT; 0 for no export.
    pub code: u32,
    /// Its name.
    pub name: &'static str,
    /// The rule that chose it.
    pub rule: &'static str,
}

const EXPORT_NAMES: [&str; 10] = [
    "ZERO",
    "32_R",
    "32_GR",
    "32_AR",
    "FP16_ABGR",
    "UNORM16_ABGR",
    "SNORM16_ABGR",
    "UINT16_ABGR",
    "SINT16_ABGR",
    "32_ABGR",
];

/// The export format of an output to an attachment, none where nothing is written, by the first rule that applies.
///
/// `alpha` says whether the output has an alpha component, `to_coverage` whether its alpha becomes coverage.
pub fn export_format(target: Target, attachment: &Attachment, alpha: bool, to_coverage: bool) -> ExportFormat {
    let (code, rule) = match (attachment.written(), attachment.format) {
        (Some(format), _) => export_to(target, format, attachment, alpha, to_coverage),
        (None, None) if to_coverage => (code::AR32, "no attachment, but alpha to coverage needs alpha"),
        (None, None) => (code::ZERO, "no attachment"),
        (None, Some(_)) if to_coverage => (code::AR32, "no channel is written, but alpha to coverage needs alpha"),
        (None, Some(_)) => (code::ZERO, "no channel is written"),
    };
    ExportFormat { code, name: EXPORT_NAMES.get(code as usize).copied().unwrap_or_default(), rule }
}

fn export_to(
    target: Target,
    format: &Format,
    attachment: &Attachment,
    alpha: bool,
    to_coverage: bool,
) -> (u32, &'static str) {
    let &Attachment { blend, blends_by_alpha, .. } = attachment;
    let largest = format.largest();
    let rb_plus = target.ip().has_rb_plus;
    let alpha = alpha && (format.has_alpha() || blend && blends_by_alpha || to_coverage);
    let kind = if format.is_three_bytes() { Kind::Float } else { format.kind };
    let red = format.channels() == [true, false, false, false];
    let normalised = matches!(kind, Kind::Unorm | Kind::Snorm);
    if red && !alpha && kind != Kind::Srgb && (!rb_plus || largest == 32) {
        (code::R32, "one red component, no alpha to export")
    } else if normalised && largest <= 10 || kind == Kind::Float && largest <= 16 || kind == Kind::Srgb {
        (code::FP16, "16-bit floats are enough for the components")
    } else if kind == Kind::Sint && largest <= 16 && !to_coverage {
        (code::SINT16, "signed integers of at most 16 bits")
    } else if kind == Kind::Snorm && largest == 16 && !blend {
        (code::SNORM16, "16 bits signed, normalized, no blending")
    } else if kind == Kind::Uint && largest <= 16 && !to_coverage {
        (code::UINT16, "unsigned integers of at most 16 bits")
    } else if kind == Kind::Unorm && largest == 16 && !blend {
        (code::UNORM16, "16 bits unsigned, normalized, no blending")
    } else {
        match format.channels() {
            [true, false, false, false] | [false, false, false, true] | [true, false, false, true] => {
                (code::AR32, "wide, with red or alpha or both")
            }
            [true, true, false, false] if !alpha => (code::GR32, "wide, red and green, no alpha to export"),
            _ => (code::ABGR32, "wide"),
        }
    }
}
