//! Color attachments as options name them.

use std::fmt;
use std::str::FromStr;

/// A colour attachment: its Vulkan format without `VK_FORMAT_`, and what becomes of an output there.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ColorTarget {
    /// The format's name: `R8G8B8A8_UNORM`.
    pub format: String,
    /// Blending is on.
    pub blend: bool,
    /// Blending multiplies colours by the output's alpha, which is then wanted even where the format has none.
    pub blends_by_alpha: bool,
    /// No channel of it is written: its write mask is 0.
    pub unwritten: bool,
}

impl ColorTarget {
    /// A target whose channels are all written, blended by factors that take no alpha if at all.
    pub fn new(format: impl Into<String>, blend: bool) -> ColorTarget {
        ColorTarget { format: format.into(), blend, ..ColorTarget::default() }
    }
}

impl fmt::Display for ColorTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let blend = match (self.blend, self.blends_by_alpha) {
            (false, _) => "",
            (true, false) => ":blend",
            (true, true) => ":blend-by-alpha",
        };
        write!(f, "{}{blend}{}", self.format, if self.unwritten { ":unwritten" } else { "" })
    }
}

impl FromStr for ColorTarget {
    type Err = String;

    /// Reads `FORMAT[:blend|:blend-by-alpha][:unwritten]`; the name may carry `VK_FORMAT_`. Whether the format exists is
    /// the register pass's to say.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut parts = text.split(':');
        let format = parts.next().unwrap_or_default().to_ascii_uppercase();
        let mut target = ColorTarget::default();
        for part in parts {
            match part {
                "blend" => target.blend = true,
                "blend-by-alpha" => (target.blend, target.blends_by_alpha) = (true, true),
                "unwritten" => target.unwritten = true,
                other => {
                    let known = "expected `:blend`, `:blend-by-alpha` or `:unwritten`";
                    return Err(format!("unknown suffix `:{other}`; {known}"));
                }
            }
        }
        let format = format.strip_prefix("VK_FORMAT_").unwrap_or(&format).to_owned();
        if format.is_empty() {
            return Err("missing format name".to_owned());
        }
        Ok(ColorTarget { format, ..target })
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for ColorTarget {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(feature = "schema")]
lanescope_base::text_schema!(ColorTarget: "format of an attachment, with `:blend`, `:blend-by-alpha` or `:unwritten`");

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for ColorTarget {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        <String as serde::Deserialize>::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}
