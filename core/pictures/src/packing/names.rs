//! Names of places and built-ins.

use lanescope_core::packing::{AttributeBuiltIn, Place};

use super::picture::LETTERS;

/// A place as text: `1.y`, `1.y lo`.
pub fn place_name(place: Place, bits: u32) -> String {
    let letter = LETTERS.get(usize::from(place.component.0)).unwrap_or(&"?");
    let half = match (bits < 32, place.half) {
        (false, _) => "",
        (true, false) => " lo",
        (true, true) => " hi",
    };
    format!("{}.{letter}{half}", place.location)
}

/// What GLSL calls a built-in.
pub fn glsl_name(built_in: AttributeBuiltIn) -> &'static str {
    match built_in {
        AttributeBuiltIn::PointCoord => "gl_PointCoord",
        AttributeBuiltIn::PrimitiveId => "gl_PrimitiveID",
        AttributeBuiltIn::Layer => "gl_Layer",
        AttributeBuiltIn::ViewportIndex => "gl_ViewportIndex",
        AttributeBuiltIn::ClipCullDistance => "gl_ClipDistance, gl_CullDistance",
    }
}
