//! Enums whose values have one spelling each.

/// Declares an enum whose values have one spelling each: on the command line, in reports, in the window.
///
/// serde reads and writes that spelling. In a crate where serde is a feature, `serde if feature = "serde";` comes first.
#[macro_export]
macro_rules! named_enum {
    (@names $name:ident { $($variant:ident = $text:literal),+ }) => {
        impl $name {
            /// Every value, in the order of the documentation.
            pub const ALL: &'static [$name] = &[$($name::$variant),+];

            /// The value's one spelling.
            pub fn name(self) -> &'static str {
                match self { $($name::$variant => $text),+ }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }

        impl std::str::FromStr for $name {
            type Err = String;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Self::ALL.iter().copied().find(|v| v.name() == text).ok_or_else(|| {
                    let known: Vec<_> = Self::ALL.iter().map(|v| v.name()).collect();
                    format!("`{text}` is not one of {}", known.join(", "))
                })
            }
        }
    };
    (serde if $when:meta; $(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $text:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[cfg_attr($when, derive(serde::Serialize, serde::Deserialize))]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        pub enum $name {
            $($(#[$vdoc])* #[cfg_attr($when, serde(rename = $text))] $variant),+
        }

        $crate::named_enum!(@names $name { $($variant = $text),+ });
    };
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $text:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
        pub enum $name {
            $($(#[$vdoc])* #[serde(rename = $text)] $variant),+
        }

        $crate::named_enum!(@names $name { $($variant = $text),+ });
    };
}
