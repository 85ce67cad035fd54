//! What a driver knows when it compiles one shader as a part of a Direct3D 12 partial graphics program.
//!
//! A graphics pipeline is cut at the rasterizer into a pre-rasterization part and a pixel shader part (DirectX-Specs,
//! PartialGraphicsPrograms). Parts are compiled alone; linking must generate no shader code. State that a part leaves open
//! is linked late.

use lanescope_base::named_enum;
use lanescope_base::text_format::counted;

use crate::psv::StageInfo;
use crate::signature::Element;
use crate::summary::Summary;

named_enum!(
    /// A part of a partial graphics program.
    ProgramPart {
        /// Vertex, hull, domain and geometry shader, or amplification and mesh shader.
        PreRasterization = "pre-rasterization",
        /// The pixel shader.
        Pixel = "pixel",
    }
);

named_enum!(
    /// When a fact becomes known.
    KnownWhen {
        /// It is in the container.
        Shader = "in the shader",
        /// It is given with the part.
        Part = "with the part",
        /// It is given with the part, or when a program is linked from parts.
        PartOrLink = "with the part or at link time",
        /// It is never known to the part's compilation.
        Link = "at link time",
    }
);

/// One thing that the compiled code may depend on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownFact {
    /// What it is: `root signature`.
    pub what: String,
    /// When it becomes known.
    pub when: KnownWhen,
    /// What is known of it here, and what is assumed without it.
    pub text: String,
}

/// The part that a shader belongs to, and what is known of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartialProgram {
    /// The part.
    pub part: ProgramPart,
    /// The facts, in the order in which they become known.
    pub facts: Vec<KnownFact>,
}

impl PartialProgram {
    /// What is known of a container's shader; absent for those that no part holds, such as compute shaders and libraries.
    pub fn of(shader: &Summary) -> Option<PartialProgram> {
        // Shaders before DXIL are in no part.
        shader.dxil_version.as_ref()?;
        let kind = shader.kind.as_deref()?;
        let part = match kind {
            "pixel" => ProgramPart::Pixel,
            "vertex" | "hull" | "domain" | "geometry" | "amplification" | "mesh" => ProgramPart::PreRasterization,
            _ => return None,
        };
        let mut facts = vec![root_signature(shader)];
        facts.extend(match part {
            ProgramPart::Pixel => pixel(shader),
            ProgramPart::PreRasterization => pre_rasterization(shader, kind),
        });
        facts.sort_by_key(|fact| fact.when);
        Some(PartialProgram { part, facts })
    }
}

fn fact(what: &str, when: KnownWhen, text: impl Into<String>) -> KnownFact {
    KnownFact { what: what.to_owned(), when, text: text.into() }
}

fn root_signature(shader: &Summary) -> KnownFact {
    let what = "root signature";
    match &shader.root_signature {
        Some(root) => {
            let dwords = root.dwords().map_or_else(String::new, |dwords| format!(", {}", counted(dwords, "dword")));
            match &shader.root_signature_from {
                Some(from) => fact(what, KnownWhen::Part, format!("version {}{dwords}, from {from}", root.version)),
                None => fact(what, KnownWhen::Shader, format!("version {}{dwords}", root.version)),
            }
        }
        None => fact(what, KnownWhen::Part, "none in the container: an association gives it"),
    }
}

/// `3 elements in 2 registers`; system values are the pipeline's own.
fn elements<'e>(all: impl Iterator<Item = &'e Element>) -> String {
    let all: Vec<&Element> = all.filter(|element| element.system_value == "none").collect();
    let registers: std::collections::BTreeSet<u32> = all.iter().filter_map(|element| element.register).collect();
    format!("{} in {}", counted(all.len(), "element"), counted(registers.len(), "register"))
}

fn pixel(shader: &Summary) -> Vec<KnownFact> {
    use KnownWhen::{Link, Part, PartOrLink, Shader};
    let targets =
        shader.signatures.output.iter().filter(|output| output.system_value.eq_ignore_ascii_case("target")).count();
    vec![
        fact("inputs", Shader, format!("{}, as declared", elements(shader.signatures.input.iter()))),
        fact("primitive topology", Part, "what reaches the rasterizer; triangles if it is not given"),
        fact(
            "pre-rasterization output linkage",
            Part,
            "required if it meets a part with view instancing that is not a mesh shader's",
        ),
        fact("representative mesh shader", Part, "required if it meets the part of a mesh shader"),
        fact("target formats", PartOrLink, format!("{} written; none if not given", counted(targets, "target"))),
        fact("blend state", PartOrLink, "only AlphaToCoverageEnable and DualSourceBlendEnable reach the shader"),
        fact("rasterizer state", PartOrLink, "only LineRasterizationMode and ForcedSampleCount reach the shader"),
        fact("sample description, sample mask", PartOrLink, "1 sample of quality 0 if not given"),
        fact("depth-stencil state, its format", PartOrLink, "depth test LESS with writes and no format if not given"),
        fact("shader before the rasterizer", Link, "what it writes beyond the inputs above is never known"),
    ]
}

fn pre_rasterization(shader: &Summary, kind: &str) -> Vec<KnownFact> {
    use KnownWhen::{Link, Part, PartOrLink, Shader};
    let mut out = Vec::new();
    let is_last = matches!(kind, "vertex" | "domain" | "geometry" | "mesh");
    if is_last {
        let outputs = elements(shader.signatures.output.iter());
        out.push(fact("outputs", Shader, format!("{outputs}, as declared")));
        if kind == "mesh" {
            let outputs = elements(shader.signatures.patch.iter());
            out.push(fact("outputs of each primitive", Shader, format!("{outputs}, as declared")));
        }
    }
    let topology = shader.psv.as_ref().and_then(|psv| match &psv.info {
        StageInfo::Mesh { topology, .. } => topology.as_ref(),
        _ => None,
    });
    out.push(match topology {
        Some(topology) => fact("primitive topology", Shader, topology.to_string()),
        None => fact("primitive topology", Part, "required"),
    });
    out.push(fact("view instancing", Part, "0 views if not given"));
    out.push(match kind {
        "mesh" | "amplification" => fact("output linkage", Part, "required: what the pixel shader declares"),
        _ => fact("output linkage", Part, "what the pixel shader declares; if not given, nothing of it is known"),
    });
    if kind == "vertex" {
        let inputs = elements(shader.signatures.input.iter());
        out.push(fact("input layout", PartOrLink, format!("{inputs} read; empty if not given")));
    }
    if topology.is_none() {
        out.push(fact("strip cut value", PartOrLink, "the part or the program gives it"));
    }
    out.push(fact("pixel shader", Link, "which of its inputs it reads is never known"));
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::file;

    fn of(name: &str) -> Option<PartialProgram> {
        PartialProgram::of(&file(name).summary(0))
    }

    #[test]
    fn each_kind_of_shader_has_the_facts_of_its_part() {
        let text = |name: &str| {
            let known = of(name).unwrap_or_else(|| panic!("{name} is of no part"));
            let lines = known.facts.iter().map(|fact| format!("{}: {} ({})", fact.when, fact.what, fact.text));
            format!("{}\n{}", known.part, lines.collect::<Vec<_>>().join("\n"))
        };
        insta::assert_snapshot!("pixel", text("signed_map.ps.dxil"));
        insta::assert_snapshot!("vertex", text("lit_surface.vs.dxil"));
        insta::assert_snapshot!("mesh", text("brick_wall.ms.dxil"));
    }

    #[test]
    fn shaders_outside_of_graphics_are_of_no_part() {
        assert_eq!((of("prefix_sum.cs.dxil"), of("lantern_rays.lib.dxil")), (None, None));
    }
}
