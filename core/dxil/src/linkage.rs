//! The output linkage signature of Direct3D 12's partial graphics programs, from the signatures of two shaders.
//!
//! A graphics pipeline is cut at the rasterizer. The first part is compiled with a description of what the pixel shader
//! declares: an exact match of its inputs that are no system values (DirectX-Specs, PartialGraphicsPrograms).

use lanescope_base::text_format::counted;

use crate::findings::{self, Finding, Place};
use crate::names;
use crate::signature::Element;
use crate::summary::Summary;

/// One `D3D12_OUTPUT_LINKAGE_ELEMENT_DESC`, with the register that its driver's form has.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LinkageElement {
    /// `SemanticName`.
    pub semantic: String,
    /// `SemanticIndex`.
    pub index: u32,
    /// `StartComponent`, 0 to 3.
    pub start: u32,
    /// `ComponentCount`, 1 to 4.
    pub count: u32,
    /// `IsPrimitive`: a mesh shader writes it for each primitive.
    pub is_primitive: bool,
    /// `RegisterIndex` of the driver's form; absent where none was allocated.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub register: Option<u32>,
    /// `RegisterMask` of the driver's form: bit 0 is x.
    pub mask: u8,
}

/// State that the shaders of a part use, which is inside the part or linked late.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LateLink {
    /// The member that says it is linked late: `LateLinkInputLayoutSubobject`.
    pub flag: String,
    /// Why the shaders need that state.
    pub why: String,
    /// What is compiled in where the flag is false and the subobject is missing.
    pub default: String,
}

/// The description of what goes from the first part to the second, and what else the pair needs.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OutputLinkage {
    /// The last shader before the rasterizer: `vertex`, `domain`, `geometry` or `mesh`.
    pub producer: String,
    /// The elements by register, then by component. The specification names no order.
    pub elements: Vec<LinkageElement>,
    /// Registers that they are in.
    pub registers: u32,
    /// Outputs that are no system values and that the pixel shader does not declare: a driver may leave them out.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty", default))]
    pub unread: Vec<String>,
    /// Where the description is required; otherwise it lets the driver leave out what is not read.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty", default))]
    pub required: Vec<String>,
    /// State that the shaders use.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty", default))]
    pub late: Vec<LateLink>,
}

/// Why there is no linkage to describe.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoOutputLinkage {
    /// Only DXIL has the signatures.
    #[error("there is no DXIL pixel shader")]
    Pixel,
    /// The last stage before the rasterizer.
    #[error("there is no DXIL vertex, domain, geometry or mesh shader")]
    Producer,
}

impl OutputLinkage {
    /// The linkage of the shaders of one pipeline, and where none can exist: `path` names an input's file.
    ///
    /// # Errors
    /// A side is missing.
    pub fn of<'p>(
        shaders: &[&Summary],
        path: impl Fn(usize) -> &'p str,
    ) -> Result<(OutputLinkage, Vec<Finding>), NoOutputLinkage> {
        let kind = |kind: &str| shaders.iter().find(|shader| shader.kind.as_deref() == Some(kind));
        let pixel = kind("pixel").ok_or(NoOutputLinkage::Pixel)?;
        let producer =
            ["mesh", "geometry", "domain", "vertex"].into_iter().find_map(kind).ok_or(NoOutputLinkage::Producer)?;
        let mut found = Vec::new();
        let mut elements = Vec::new();
        for input in pixel.signatures.input.iter().filter(|input| is_user(input)) {
            let is_primitive = match written(producer, input) {
                Some(Written { output, is_primitive }) => {
                    differences(input, output, producer, path(pixel.input), &mut found);
                    is_primitive
                }
                None => {
                    let message = format!(
                        "no linkage description can exist: the {} shader does not write {}",
                        name_of(producer),
                        semantic(input)
                    );
                    found.push(findings::LINKAGE_MISSING.at(None, Some(Place::file(path(pixel.input))), message));
                    false
                }
            };
            elements.push(element(input, is_primitive));
        }
        elements.sort_by_key(|element| (element.register, element.start));
        let registers = elements.iter().filter_map(|element| element.register);
        let registers = registers.collect::<std::collections::BTreeSet<_>>().len() as u32;
        let unread = outputs(producer)
            .filter(|(output, _)| !pixel.signatures.input.iter().any(|input| is_user(input) && is_same(input, output)));
        let unread = unread.map(|(output, _)| semantic(output)).collect();
        let name = name_of(producer).to_owned();
        let linkage = OutputLinkage {
            required: required(producer, pixel),
            late: late(shaders, pixel),
            producer: name,
            elements,
            registers,
            unread,
        };
        Ok((linkage, found))
    }

    /// The initialisers in C++, for a header or a test.
    pub fn cpp(&self) -> String {
        let rows = |text: &mut String| {
            for LinkageElement { semantic, index, start, count, is_primitive, .. } in &self.elements {
                let primitive = if *is_primitive { "TRUE" } else { "FALSE" };
                let name = c_string(semantic);
                text.push_str(&format!("    {{ {name}, {index}, {start}, {count}, {primitive} }},\n"));
            }
        };
        let mut text = String::new();
        for (kind, variable) in [("", "Output"), ("PRERASTERIZATION_", "PrerasterizationOutput")] {
            if !self.elements.is_empty() {
                text.push_str(&format!(
                    "static const D3D12_{kind}OUTPUT_LINKAGE_ELEMENT_DESC k{variable}LinkageElements[] = {{\n"
                ));
                rows(&mut text);
                text.push_str("};\n");
            }
            let (elements, count) = match self.elements.len() {
                0 => ("nullptr".to_owned(), 0),
                count => (format!("k{variable}LinkageElements"), count),
            };
            text.push_str(&format!(
                "static const D3D12_{kind}OUTPUT_LINKAGE_SIGNATURE_DESC k{variable}Linkage = {{ {elements}, {count} }};\n"
            ));
        }
        text
    }
}

/// The name of a shader's kind.
fn name_of(shader: &Summary) -> &str {
    shader.kind.as_deref().unwrap_or("first")
}

/// A string literal of C++: what is not printable ASCII is escaped in octal, which ends after three digits.
fn c_string(text: &str) -> String {
    let mut out = "\"".to_owned();
    for byte in text.bytes() {
        match byte {
            b'"' | b'\\' => out.extend(['\\', char::from(byte)]),
            b' '..=b'~' => out.push(char::from(byte)),
            _ => out.push_str(&format!("\\{byte:03o}")),
        }
    }
    out + "\""
}

/// `TEXCOORD1`.
fn semantic(element: &Element) -> String {
    format!("{}{}", element.semantic, element.index)
}

/// The fixed pipeline computes or reads system values: they are in no description.
fn is_user(element: &Element) -> bool {
    element.system_value == "none"
}

/// Whether two elements are linked. Semantics have no case.
fn is_same(one: &Element, other: &Element) -> bool {
    one.index == other.index && one.semantic.eq_ignore_ascii_case(&other.semantic)
}

struct Written<'s> {
    output: &'s Element,
    is_primitive: bool,
}

/// What goes to the rasterizer and is no system value; with each, whether it is written for each primitive.
fn outputs(producer: &Summary) -> impl Iterator<Item = (&Element, bool)> {
    let is_mesh = name_of(producer) == "mesh";
    let of_primitives = producer.signatures.patch.iter().filter(move |_| is_mesh).map(|element| (element, true));
    let of_vertices = producer.signatures.output.iter().map(|element| (element, false));
    // Streams 1 to 3 of a geometry shader go to stream output, which no part has.
    of_vertices.chain(of_primitives).filter(|(element, _)| is_user(element) && element.stream == 0)
}

fn written<'s>(producer: &'s Summary, input: &Element) -> Option<Written<'s>> {
    let (output, is_primitive) = outputs(producer).find(|(output, _)| is_same(input, output))?;
    Some(Written { output, is_primitive })
}

fn element(input: &Element, is_primitive: bool) -> LinkageElement {
    let mask = names::bits_of_mask(&input.mask);
    LinkageElement {
        semantic: input.semantic.clone(),
        index: input.index,
        start: mask.trailing_zeros().min(3),
        count: mask.count_ones(),
        is_primitive,
        register: input.register,
        mask,
    }
}

/// Where the two sides disagree so that the description of one is not that of the other.
fn differences(input: &Element, output: &Element, producer: &Summary, path: &str, found: &mut Vec<Finding>) {
    let [needed, has] = [input, output].map(|element| names::bits_of_mask(&element.mask));
    let lacking = names::without(&input.mask, &output.mask);
    let mut differ = |what: String| {
        let message = format!("{} {what}", semantic(input));
        found.push(findings::LINKAGE_DIFFERS.at(None, Some(Place::file(path)), message));
    };
    if input.register != output.register {
        let register =
            |element: &Element| element.register.map_or("no register".to_owned(), |r| format!("register {r}"));
        differ(format!(
            "is in {} of the pixel shader, and in {} of the {} shader: D3D12 links by register",
            register(input),
            register(output),
            name_of(producer)
        ));
    } else if needed & !has != 0 {
        differ(format!("needs {lacking}, which the {} shader does not write", name_of(producer)));
    }
}

/// Where a description is required.
fn required(producer: &Summary, pixel: &Summary) -> Vec<String> {
    let mut out = Vec::new();
    if name_of(producer) == "mesh" {
        out.push("a mesh part requires it, and the pixel part requires a representative mesh shader".to_owned());
    } else {
        out.push("view instancing requires a pre-rasterization output linkage in the pixel part".to_owned());
    }
    let by_view = |shader: &Summary| shader.psv.as_ref().and_then(|psv| psv.uses_view_id) == Some(true);
    if by_view(producer) || by_view(pixel) {
        out.push("a shader reads SV_ViewID, which differs with view instancing only".to_owned());
    }
    out
}

/// State that the shaders of the pair show that they use.
fn late(shaders: &[&Summary], pixel: &Summary) -> Vec<LateLink> {
    let mut out = Vec::new();
    let mut add = |flag: &str, why: String, default: &str| {
        let default = default.to_owned();
        out.push(LateLink { flag: format!("LateLink{flag}Subobject"), why, default });
    };
    let vertex = shaders.iter().find(|shader| shader.kind.as_deref() == Some("vertex"));
    let attributes = vertex.map_or(0, |vertex| vertex.signatures.input.iter().filter(|input| is_user(input)).count());
    if attributes > 0 {
        let why = format!("the vertex shader reads {}", counted(attributes, "vertex attribute"));
        add("InputLayout", why, "no attributes");
    }
    let writes =
        |name: &'static str| pixel.signatures.output.iter().filter(move |output| output.system_value == name).count();
    let targets = writes("Target");
    if targets > 0 {
        let why = format!("the pixel shader writes {}", counted(targets, "render target"));
        add("RenderTargetFormat", why.clone(), "no render targets");
        add("Blend", why, "no blending, no alpha to coverage, all components written");
    }
    let depth = ["Depth", "DepthGE", "DepthLE", "StencilRef"].into_iter().filter(|name| writes(name) > 0);
    let depth: Vec<&str> = depth.collect();
    if !depth.is_empty() {
        let why = format!("the pixel shader writes {}", depth.join(", "));
        add("DepthStencilFormat", why.clone(), "no depth buffer");
        add("DepthStencil", why, "depth test enabled, LESS, depth written");
    }
    let per_sample =
        matches!(pixel.psv.as_ref().map(|psv| &psv.info), Some(crate::psv::StageInfo::Pixel { per_sample: true, .. }));
    let coverage = writes("Coverage") > 0;
    if per_sample || coverage {
        let why = if per_sample { "the pixel shader runs for each sample" } else { "the pixel shader writes coverage" };
        add("SampleDesc", why.to_owned(), "one sample");
        add("SampleMask", why.to_owned(), "all samples");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::file;

    fn of(names: &[&str]) -> (OutputLinkage, Vec<Finding>) {
        let all: Vec<Summary> = names.iter().enumerate().map(|(input, name)| file(name).summary(input)).collect();
        OutputLinkage::of(&all.iter().collect::<Vec<_>>(), |_| "a.dxil").expect("a pair")
    }

    /// `NORMAL0 0+3 r1`.
    fn rows(linkage: &OutputLinkage) -> Vec<String> {
        let row = |element: &LinkageElement| {
            let LinkageElement { semantic, index, start, count, is_primitive, register, .. } = element;
            let primitive = if *is_primitive { " primitive" } else { "" };
            format!("{semantic}{index} {start}+{count} r{}{primitive}", register.expect("allocated"))
        };
        linkage.elements.iter().map(row).collect()
    }

    #[test]
    fn declared_inputs_are_described_read_or_not() {
        let (linkage, found) = of(&["lit_surface.vs.dxil", "lit_surface.ps.dxil"]);
        assert_eq!(rows(&linkage), ["NORMAL0 0+3 r1", "FOG0 3+1 r1", "TEXCOORD0 0+2 r2", "MATERIAL0 0+1 r3"]);
        assert_eq!((linkage.registers, linkage.producer.as_str()), (3, "vertex"));
        assert_eq!(linkage.elements.iter().map(|element| element.mask).collect::<Vec<_>>(), [7, 8, 3, 1]);
        assert!(found.is_empty() && linkage.unread.is_empty(), "{found:?}");
        let flags: Vec<&str> = linkage.late.iter().map(|late| late.flag.as_str()).collect();
        assert_eq!(
            flags,
            ["LateLinkInputLayoutSubobject", "LateLinkRenderTargetFormatSubobject", "LateLinkBlendSubobject"]
        );
    }

    #[test]
    fn the_last_shader_before_the_rasterizer_counts() {
        let all = ["tessellated_patch.vs.dxil", "tessellated_patch.hs.dxil", "tessellated_patch.ds.dxil"];
        let (linkage, found) = of(&[&all[..], &["tessellated_patch.ps.dxil"]].concat());
        assert_eq!((linkage.producer.as_str(), found.len()), ("domain", 0), "{found:?}");
        assert!(!linkage.elements.is_empty());
    }

    #[test]
    fn an_input_that_nothing_writes_has_no_description() {
        let (_, found) = of(&["half_interface.vs.dxil", "lit_surface.ps.dxil"]);
        let codes: Vec<&str> = found.iter().map(|finding| finding.code.as_ref()).collect();
        assert!(codes.contains(&"D011"), "{found:?}");
    }

    #[test]
    fn a_side_that_is_missing_is_named() {
        let pixel = file("lit_surface.ps.dxil").summary(0);
        assert_eq!(OutputLinkage::of(&[&pixel], |_| "").expect_err("no vertex shader"), NoOutputLinkage::Producer);
        let vertex = file("lit_surface.vs.dxil").summary(0);
        assert_eq!(OutputLinkage::of(&[&vertex], |_| "").expect_err("no pixel shader"), NoOutputLinkage::Pixel);
    }

    #[test]
    fn initialisers_are_those_of_the_structures() {
        let (linkage, _) = of(&["lit_surface.vs.dxil", "lit_surface.ps.dxil"]);
        let text = linkage.cpp();
        assert!(text.contains("    { \"FOG\", 0, 3, 1, FALSE },\n"), "{text}");
        assert!(text.contains("kOutputLinkage = { kOutputLinkageElements, 4 };"), "{text}");
        let none = OutputLinkage { elements: Vec::new(), ..linkage };
        assert!(
            none.cpp().starts_with("static const D3D12_OUTPUT_LINKAGE_SIGNATURE_DESC kOutputLinkage = { nullptr, 0 };")
        );
        assert_eq!(c_string("A\"\\\u{1b}1é"), r#""A\"\\\0331\303\251""#);
    }
}
