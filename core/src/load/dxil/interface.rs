//! Stages that are joined by semantics: what one puts out, and where the next finds it.

use dxil_spirv::Converter;
use dxil_spirv::binding::{VulkanShaderStageIo, VulkanShaderStageIoFlags};

use crate::dxil::Dxil;
use crate::dxil::metadata::{EntryPoint, SignatureElement};
use crate::ids::{Component, Location};
use crate::packing::SemanticPlace;

/// A row of the stage before: semantic, index, location, component, whether it is one value a primitive.
type Row = (String, u32, u32, u32, bool);

/// What the stage before puts out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Outputs {
    rows: Vec<Row>,
    /// The first location that nothing is put out at.
    behind: u32,
}

/// The container that stands before another one in a pipeline, if there is one: of all that were loaded, the last
/// kind before it.
pub fn linked<'d>(kind: &str, all: &[&'d Dxil]) -> Option<&'d EntryPoint> {
    let before: &[&str] = match kind {
        "pixel" => &["geometry", "domain", "vertex", "mesh"],
        "geometry" => &["domain", "vertex"],
        "domain" => &["hull"],
        "hull" => &["vertex"],
        _ => return None,
    };
    let entries = || all.iter().filter_map(|dxil| dxil.program.as_ref()?.dx.entries.first());
    before.iter().find_map(|kind| entries().find(|entry| entry.kind == *kind))
}

/// A stage's own outputs: each with how far behind its register it is put, and whether it is one value a primitive.
/// Patch constants and outputs of primitives stand behind the others.
fn outputs(entry: &EntryPoint) -> Vec<(&SignatureElement, u32, bool)> {
    let signatures = &entry.signatures;
    let first = signatures.output.iter().filter(|element| element.stream == 0);
    let mut out: Vec<_> = first.map(|element| (element, 0, false)).collect();
    if matches!(&*entry.kind, "mesh" | "hull") {
        let ends = signatures.output.iter().filter_map(|element| Some(element.register?.saturating_add(element.rows)));
        let behind = ends.max().unwrap_or(0);
        out.extend(signatures.patch.iter().map(|element| (element, behind, entry.kind == "mesh")));
    }
    out
}

/// The rows of an element that a shader declares for itself: index of the semantic, register.
fn rows(element: &SignatureElement) -> impl Iterator<Item = (u32, u32)> {
    let register = element.register.filter(|_| element.kind == "none");
    let rows = element.indices.iter().zip(0u32..);
    rows.filter_map(move |(index, row)| Some((*index, register?.saturating_add(row))))
}

/// Where the elements of a stage's outputs, or of its inputs, stand in its converted module. `all` are the containers of
/// the pipeline.
pub fn semantics(entry: &EntryPoint, input: bool, all: &[&Dxil]) -> Vec<SemanticPlace> {
    let place = |element: &SignatureElement, (index, register): (u32, u32), location: u32, component: u32| {
        let columns = element.columns.min(4);
        let letters: String = "xyzw".chars().skip(element.column as usize).take(columns as usize).collect();
        let name = format!("{}{register}.{letters}", if input { "v" } else { "o" });
        SemanticPlace {
            location: Location(location),
            component: Component(component.min(3) as u8),
            columns: columns as u8,
            semantic: format!("{}{index}", element.semantic),
            output: (!input).then(|| name.clone()),
            input: input.then_some(name),
        }
    };
    if !input {
        let of = |(element, base, _): (&SignatureElement, u32, bool)| {
            let rows: Vec<_> =
                rows(element).map(|row| place(element, row, row.1.saturating_add(base), element.column)).collect();
            rows
        };
        return outputs(entry).into_iter().flat_map(of).collect();
    }
    let before = linked(&entry.kind, all).map(Outputs::of);
    let own = &entry.signatures.input;
    own.iter()
        .flat_map(|element| rows(element).map(move |row| (element, row)))
        .map(|(element, row)| match &before {
            None => place(element, row, row.1, element.column),
            Some(before) => {
                let found = before.place(own, &element.semantic, row.0);
                place(element, row, found.location, found.component)
            }
        })
        .collect()
}

impl Outputs {
    /// The outputs of a stage, at their registers; patch constants and outputs of primitives behind them.
    pub fn of(entry: &EntryPoint) -> Outputs {
        let mut out = Outputs::default();
        for (element, base, primitive) in outputs(entry) {
            for (index, register) in rows(element) {
                let location = register.saturating_add(base);
                out.rows.push((element.semantic.to_ascii_lowercase(), index, location, element.column, primitive));
                out.behind = out.behind.max(location.saturating_add(1));
            }
        }
        out
    }

    /// Whether a stage's inputs are found where they stand in their own signature.
    pub fn agree(&self, entry: &EntryPoint) -> bool {
        let user = entry.signatures.input.iter().filter(|element| element.kind == "none");
        user.flat_map(|element| element.indices.iter().zip(0u32..).map(move |(index, row)| (element, *index, row))).all(
            |(element, index, row)| match (self.find(&element.semantic, index), element.register) {
                (Some((_, _, location, component, false)), Some(register)) => {
                    (*location, *component) == (register.saturating_add(row), element.column)
                }
                _ => true,
            },
        )
    }

    fn find(&self, semantic: &str, index: u32) -> Option<&Row> {
        self.rows.iter().find(|(name, other, ..)| name.eq_ignore_ascii_case(semantic) && *other == index)
    }

    /// Where a semantic is, or, behind all that are put out, where it stands in its own signature.
    fn place(&self, own: &[SignatureElement], semantic: &str, index: u32) -> VulkanShaderStageIo {
        let flags = |primitive: bool| match primitive {
            true => VulkanShaderStageIoFlags::PerPrimitive,
            false => VulkanShaderStageIoFlags::None,
        };
        if let Some((_, _, location, component, primitive)) = self.find(semantic, index) {
            return VulkanShaderStageIo { location: *location, component: *component, flags: flags(*primitive) };
        }
        let own = own.iter().find_map(|element| {
            let row = element.indices.iter().position(|other| *other == index)?;
            let same = element.semantic.eq_ignore_ascii_case(semantic);
            same.then_some((element.register?.saturating_add(row as u32), element.column))
        });
        let (register, component) = own.unwrap_or((0, 0));
        VulkanShaderStageIo { location: self.behind.saturating_add(register), component, flags: flags(false) }
    }

    /// Tells the converter of the next stage where its inputs are. One that nobody puts out is moved behind all that
    /// are, so that it does not read what another semantic says.
    pub fn apply(self, next: &EntryPoint, converter: &mut Converter) {
        let own = next.signatures.input.clone();
        converter.set_stage_input_remapper(move |input| Some(self.place(&own, &input.semantic, input.semantic_index)));
    }

    /// Tells the converter of this stage where its outputs are, where it would not put them at their registers itself.
    pub fn apply_to_own(self, entry: &EntryPoint, converter: &mut Converter) {
        if matches!(&*entry.kind, "mesh" | "hull") {
            converter.set_stage_output_remapper(move |output| {
                let place = self.place(&[], &output.semantic, output.semantic_index);
                Some(VulkanShaderStageIo { flags: VulkanShaderStageIoFlags::None, ..place })
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn element(semantic: &str, index: u32, register: u32, column: u32) -> SignatureElement {
        SignatureElement {
            id: 0,
            semantic: semantic.to_owned(),
            indices: vec![index],
            kind: "none".into(),
            component_type: "float32".into(),
            interpolation: "linear".into(),
            rows: 1,
            columns: 1,
            register: Some(register),
            column,
            stream: 0,
            used: None,
        }
    }

    #[test]
    fn semantics_not_registers_join_stages() {
        let mut vertex = EntryPoint { kind: "vertex".into(), ..EntryPoint::default() };
        vertex.signatures.output = vec![element("COLOR", 0, 1, 0), element("FOG", 2, 1, 3)];
        let mut pixel = EntryPoint { kind: "pixel".into(), ..EntryPoint::default() };
        pixel.signatures.input = vec![element("color", 0, 1, 0), element("Fog", 2, 1, 3)];
        let outputs = Outputs::of(&vertex);
        assert!(outputs.agree(&pixel));
        assert_eq!(outputs.find("fog", 2).map(|row| (row.2, row.3)), Some((1, 3)));
        assert_eq!((outputs.find("FOG", 0), outputs.behind), (None, 2));
        pixel.signatures.input[1].register = Some(0);
        assert!(!outputs.agree(&pixel));
    }
}
