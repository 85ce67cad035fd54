//! HLSL features that glslang's front end does not support, recognised by keywords.

/// Words, and what they belong to. Looked for only in a source that does not compile, so none has to be certain.
const FEATURES: &[(&str, &[&str])] = &[
    (
        "ray tracing (shader model 6.3)",
        &[
            "TraceRay",
            "ReportHit",
            "CallShader",
            "RayDesc",
            "RaytracingAccelerationStructure",
            "BuiltInTriangleIntersectionAttributes",
            "DispatchRaysIndex",
        ],
    ),
    ("ray queries (shader model 6.5)", &["RayQuery"]),
    // Not outputtopology: hull shaders have that attribute too.
    ("mesh and amplification shaders (shader model 6.5)", &["SetMeshOutputCounts", "DispatchMesh"]),
    (
        "work graphs (shader model 6.8)",
        &[
            "NodeLaunch",
            "NodeOutput",
            "NodeOutputArray",
            "EmptyNodeOutput",
            "DispatchNodeInputRecord",
            "GroupNodeInputRecords",
            "ThreadNodeInputRecord",
            "NodeMaxDispatchGrid",
        ],
    ),
    ("descriptor heaps (shader model 6.6)", &["ResourceDescriptorHeap", "SamplerDescriptorHeap"]),
    ("sampler feedback (shader model 6.5)", &["FeedbackTexture2D", "FeedbackTexture2DArray"]),
    ("templates and operators (HLSL 2021)", &["template", "operator", "select", "_Static_assert", "typename"]),
    ("explicit 16-bit types (shader model 6.2)", &["float16_t", "int16_t", "uint16_t", "half2x2"]),
    ("64-bit integers (shader model 6.0)", &["int64_t", "uint64_t"]),
    ("packed 8-bit types (shader model 6.6)", &["int8_t4_packed", "uint8_t4_packed", "pack_u8", "unpack_u8u32"]),
    ("dot products of packed integers (shader model 6.4)", &["dot4add_u8packed", "dot4add_i8packed", "dot2add"]),
    (
        "wave operations of shader model 6.5",
        &[
            "WaveMatch",
            "WaveMultiPrefixSum",
            "WaveMultiPrefixProduct",
            "WaveMultiPrefixCountBits",
            "WaveMultiPrefixBitAnd",
        ],
    ),
    ("wave sizes (shader model 6.6)", &["WaveSize"]),
    ("helper lanes (shader model 6.6)", &["IsHelperLane"]),
    ("quad operations of shader model 6.7", &["QuadAny", "QuadAll", "SampleCmpLevel"]),
    ("barycentrics (shader model 6.1)", &["SV_Barycentrics", "GetAttributeAtVertex"]),
    ("shading rates (shader model 6.4)", &["SV_ShadingRate"]),
    ("inline SPIR-V", &["ext_instruction", "ext_capability"]),
    ("enumerations (HLSL 2017)", &["enum"]),
];

/// Attributes that the front end silently drops.
const ATTRIBUTES: [&str; 3] = ["WaveSize", "NodeLaunch", "WaveOpsIncludeHelperLanes"];

/// An attribute of a source that compiles, though not to what it says.
pub(super) fn attribute(text: &str) -> Option<String> {
    let found = ATTRIBUTES.iter().find(|word| text.contains(&format!("[{word}")))?;
    Some(format!("the attribute [{found}]"))
}

/// The first feature that a source uses and the front end does not know, with the word that says so.
pub(super) fn feature(text: &str) -> Option<String> {
    let text = without_comments(text);
    FEATURES.iter().find_map(|(feature, words)| {
        let word = words.iter().find(|word| super::has_word(&text, word))?;
        Some(format!("{feature}: `{word}`"))
    })
}

/// A source without its comments, each replaced by a blank.
pub(crate) fn without_comments(text: &str) -> String {
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(at) = rest.find('/') {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let after = match from.as_bytes().get(1) {
            Some(b'/') => from.find('\n'),
            Some(b'*') => from.get(2..).and_then(|inner| inner.find("*/")).map(|end| end + 4),
            _ => {
                out.push('/');
                rest = &from[1..];
                continue;
            }
        };
        out.push(' ');
        rest = after.and_then(|end| from.get(end..)).unwrap_or_default();
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_are_words_outside_of_comments() {
        assert_eq!(feature("RayQuery<0> q;").as_deref(), Some("ray queries (shader model 6.5): `RayQuery`"));
        assert_eq!(feature("// RayQuery\nint a; /* enum */ float b = a / 2; /"), None);
        assert_eq!(feature("enumerate();"), None);
        assert_eq!(feature("[outputtopology(\"triangle_cw\")] [outputcontrolpoints(3)] O main() {}"), None);
    }

    #[test]
    fn comments_become_blanks() {
        assert_eq!(without_comments("a/*b*/c//d\ne/f"), "a c \ne/f");
        assert_eq!(without_comments("a/*b"), "a ");
        assert_eq!(without_comments("/*/ a */b//"), " b ");
    }
}
