//! JSON Schema of types that serde writes as text.

/// Implements `schemars::JsonSchema` for a type that serde writes as text, inline: with what the text is.
#[macro_export]
macro_rules! text_schema {
    ($name:ty: $about:expr) => {
        impl schemars::JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({ "type": "string", "description": $about })
            }
        }
    };
}
