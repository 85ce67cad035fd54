//! Vulkan's enumerations, as descriptions of pipelines write them: numbers in one format, names in another.

mod dynamic;
mod formats;
mod state;

pub use dynamic::DynamicState;
pub use formats::VkFormat;
pub use state::{
    AddressMode, BlendFactor, BlendOp, BorderColor, CompareOp, DescriptorType, Filter, FrontFace, GroupType, InputRate,
    LogicOp, MipmapMode, PolygonMode, ProvokingVertex, StencilOp, Topology,
};

/// Declares one enumeration. A number without a name is kept and shown as a number.
macro_rules! vulkan_enum {
    ($(#[$doc:meta])* $name:ident, $prefix:literal; $($value:literal $text:literal,)+) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub i32);

        impl $name {
            /// Prefix of its C names.
            pub const PREFIX: &'static str = $prefix;
            /// Every value with its name, without the prefix.
            pub const NAMES: &'static [(i32, &'static str)] = &[$(($value, $text)),+];

            /// Its name without the prefix, if it has one.
            pub fn name(self) -> Option<&'static str> {
                Self::NAMES.binary_search_by_key(&self.0, |row| row.0).ok().map(|row| Self::NAMES[row].1)
            }

            /// The value of a name, with or without the prefix, with or without an extension's suffix.
            pub fn named(text: &str) -> Option<Self> {
                $crate::vulkan::find(Self::NAMES, Self::PREFIX, text).map(Self)
            }

            /// The value of a name as it is typed: `less-or-equal`, or the name of Vulkan.
            ///
            /// # Errors
            /// All names as they are typed.
            pub fn typed(text: &str) -> Result<Self, String> {
                Self::named(&text.replace('-', "_")).ok_or_else(|| $crate::vulkan::expected(Self::NAMES))
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                match self.name() {
                    Some(name) => f.pad(name),
                    None => std::fmt::Display::fmt(&self.0, f),
                }
            }
        }

        #[cfg(feature = "serde")]
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        #[cfg(feature = "schema")]
        lanescope_base::text_schema!($name: "Vulkan name without its prefix, or a number");

        #[cfg(feature = "serde")]
        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = <String as serde::Deserialize>::deserialize(deserializer)?;
                Self::named(&text).or_else(|| text.parse().ok().map(Self)).ok_or_else(|| {
                    serde::de::Error::custom(format!("`{text}` is not a known name with the prefix {}", Self::PREFIX))
                })
            }
        }
    };
}
use vulkan_enum;

/// A name of Vulkan as it is typed.
pub fn as_typed(name: &str) -> String {
    name.to_lowercase().replace('_', "-")
}

/// What is expected where one of these names is typed.
pub fn expected(names: &[(i32, &str)]) -> String {
    let names: Vec<String> = names.iter().map(|(_, name)| as_typed(name)).collect();
    format!("expected {}", names.join(", "))
}

fn find(names: &[(i32, &str)], prefix: &str, text: &str) -> Option<i32> {
    let bare = text.strip_prefix(prefix).unwrap_or(text);
    let exact = |wanted: &str| names.iter().find(|row| row.1.eq_ignore_ascii_case(wanted)).map(|row| row.0);
    exact(bare).or_else(|| exact(without_suffix(bare)))
}

/// A name without the suffix of the extension that brought it: a later version of Vulkan may have dropped it.
pub fn without_suffix(name: &str) -> &str {
    match name.rsplit_once('_') {
        Some((rest, "EXT" | "KHR" | "NV" | "AMD" | "VALVE")) => rest,
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_names_of_headers_and_reports() {
        assert_eq!(VkFormat::named("VK_FORMAT_R8G8B8A8_UNORM"), Some(VkFormat(37)));
        assert_eq!(VkFormat::named("R8G8B8A8_UNORM"), Some(VkFormat(37)));
        assert_eq!(VkFormat::named("VK_FORMAT_ASTC_4x4_UNORM_BLOCK"), VkFormat::named("ASTC_4X4_UNORM_BLOCK"));
        assert_eq!(ProvokingVertex::named("VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT"), Some(ProvokingVertex(1)));
        assert_eq!(GroupType::named("VK_RAY_TRACING_SHADER_GROUP_TYPE_GENERAL_KHR"), Some(GroupType(0)));
        for name in ["A8_UNORM", "A8_UNORM_KHR", "VK_FORMAT_A8_UNORM", "VK_FORMAT_A8_UNORM_KHR"] {
            assert_eq!(VkFormat::named(name), Some(VkFormat(1_000_470_001)), "{name}");
        }
        assert_eq!(VkFormat::named("VK_FORMAT_NONE_SUCH"), None);
        assert_eq!(VkFormat(37).to_string(), "R8G8B8A8_UNORM");
        assert_eq!(VkFormat(4711).to_string(), "4711");
    }

    #[test]
    fn names_are_typed_in_either_spelling() {
        for (value, name) in CompareOp::NAMES.iter().chain(Topology::NAMES).copied() {
            let found = |text: &str| {
                let compare = CompareOp::typed(text).map(|op| op.0);
                compare.or_else(|_| Topology::typed(text).map(|topology| topology.0))
            };
            assert_eq!((found(name), found(&as_typed(name))), (Ok(value), Ok(value)), "{name}");
        }
        let known = "expected never, less, equal, less-or-equal, greater, not-equal, greater-or-equal, always";
        assert_eq!(CompareOp::typed("lt"), Err(known.to_owned()));
    }

    #[test]
    fn tables_are_sorted() {
        let ascends = |names: &[(i32, &str)]| names.windows(2).all(|pair| pair[0].0 < pair[1].0);
        assert!(ascends(VkFormat::NAMES) && ascends(DynamicState::NAMES) && ascends(Topology::NAMES));
        assert!(ascends(DescriptorType::NAMES) && ascends(BlendOp::NAMES) && ascends(BlendFactor::NAMES));
    }

    #[cfg(feature = "serde")]
    #[test]
    fn serializes_names_and_unknown_values_as_numbers() {
        for value in [VkFormat(0), VkFormat(126), VkFormat(4711)] {
            let text = serde_json::to_string(&value).expect("writes");
            assert_eq!(serde_json::from_str::<VkFormat>(&text).expect("reads"), value, "{text}");
        }
    }
}
