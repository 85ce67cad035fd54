//! Stages that are linked by semantics: what one outputs, and where the next reads it.

use lanescope_base::ids::{Component, Location};
use lanescope_dxil::Dxil;
use lanescope_dxil::metadata::{EntryPoint, SignatureElement};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One row of a signature's element: where it is in the interface, and in which registers on either side.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SemanticPlace {
    /// The location as written.
    pub location: Location,
    /// The first component.
    pub component: Component,
    /// Number of components.
    pub columns: u8,
    /// Semantic and index: `NORMAL0`.
    pub semantic: String,
    /// The register that the producer writes: `o2.xyz`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub output: Option<String>,
    /// The register that the consumer reads: `v1.xyz`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub input: Option<String>,
}

impl SemanticPlace {
    /// The registers of both sides: `o2.xyz → v1.xyz`.
    pub fn registers(&self) -> String {
        [&self.output, &self.input].into_iter().flatten().map(String::as_str).collect::<Vec<_>>().join(" → ")
    }
}

/// Where a semantic is in the interface of converted stages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InterfacePlace {
    /// Location.
    pub location: u32,
    /// First component.
    pub component: u32,
    /// It is one value a primitive.
    pub per_primitive: bool,
}

/// A row of the stage before: semantic, index, location, component, whether it is one value a primitive.
type Row = (String, u32, u32, u32, bool);

/// What the stage before puts out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outputs {
    rows: Vec<Row>,
    /// The first location that nothing is put out at.
    end: u32,
}

/// The entry point of the previous stage in a pipeline, if there is one: of all containers that were loaded, the last
/// kind before it. A library has it where only one of its entry points is of that kind.
pub fn linked<'d>(kind: &str, all: &[&'d Dxil]) -> Option<&'d EntryPoint> {
    let before: &[&str] = match kind {
        "pixel" => &["geometry", "domain", "vertex", "mesh"],
        "geometry" => &["domain", "vertex"],
        "domain" => &["hull"],
        "hull" => &["vertex"],
        _ => return None,
    };
    let only = |dxil: &&'d Dxil, kind: &str| {
        let mut entries = dxil.program.as_ref()?.dx.entries.iter().filter(|entry| entry.kind == kind);
        entries.next().filter(|_| entries.next().is_none())
    };
    before.iter().find_map(|kind| all.iter().find_map(|dxil| only(dxil, kind)))
}

/// A stage's own outputs that have a location: each with how far after its register it is put, and whether it is one
/// value a primitive. Patch constants and outputs of primitives stand after the others.
fn outputs(entry: &EntryPoint) -> Vec<(&SignatureElement, u32, bool)> {
    let signatures = &entry.signatures;
    // System values of a hull shader's control points are read by the domain shader alone, as it reads any others.
    let all = entry.kind == "hull";
    let first = signatures.output.iter().filter(|element| element.stream == 0 && (all || element.kind == "none"));
    let mut out: Vec<_> = first.map(|element| (element, 0, false)).collect();
    if matches!(&*entry.kind, "mesh" | "hull") {
        let ends = signatures.output.iter().filter_map(|element| Some(element.register?.saturating_add(element.rows)));
        let end = ends.max().unwrap_or(0);
        let patch = signatures.patch.iter().filter(|element| element.kind == "none");
        out.extend(patch.map(|element| (element, end, entry.kind == "mesh")));
    }
    out
}

/// A stage's own inputs that have a location, without patch constants.
fn inputs(entry: &EntryPoint) -> impl Iterator<Item = &SignatureElement> {
    let all = entry.kind == "domain";
    entry.signatures.input.iter().filter(move |element| all || element.kind == "none")
}

/// The rows of an element: index of the semantic, register.
fn rows(element: &SignatureElement) -> impl Iterator<Item = (u32, u32)> {
    let rows = element.indices.iter().zip(0u32..);
    rows.filter_map(move |(index, row)| Some((*index, element.register?.saturating_add(row))))
}

/// Where the elements of a stage's outputs, or of its inputs, are in its converted module. `all` are the containers of
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
    inputs(entry)
        .flat_map(|element| rows(element).map(move |row| (element, row)))
        .map(|(element, row)| match &before {
            None => place(element, row, row.1, element.column),
            Some(before) => {
                let found = before.place(own, &element.semantic, row.0, 0);
                place(element, row, found.location, found.component)
            }
        })
        .collect()
}

impl Outputs {
    /// The outputs of a stage, at their registers; patch constants and outputs of primitives after them.
    pub fn of(entry: &EntryPoint) -> Outputs {
        let mut out = Outputs::default();
        for (element, base, primitive) in outputs(entry) {
            for (index, register) in rows(element) {
                let location = register.saturating_add(base);
                out.rows.push((element.semantic.to_ascii_lowercase(), index, location, element.column, primitive));
                out.end = out.end.max(location.saturating_add(1));
            }
        }
        out
    }

    /// Whether a stage's inputs are found at their place in their own signature.
    pub fn agree(&self, entry: &EntryPoint) -> bool {
        inputs(entry)
            .flat_map(|element| element.indices.iter().zip(0u32..).map(move |(index, row)| (element, *index, row)))
            .all(|(element, index, row)| match (self.find(&element.semantic, index, 0), element.register) {
                (Some((_, _, location, component, false)), Some(register)) => {
                    (*location, *component) == (register.saturating_add(row), element.column)
                }
                _ => true,
            })
    }

    fn find(&self, semantic: &str, index: u32, nth: usize) -> Option<&Row> {
        let mut found =
            self.rows.iter().filter(|(name, other, ..)| name.eq_ignore_ascii_case(semantic) && *other == index);
        let first = found.next();
        match nth {
            0 => first,
            nth => found.nth(nth - 1).or(first),
        }
    }

    /// Where a semantic is, or, after all outputs, its place in its own signature. A control point and a patch constant
    /// may have the same semantic: `nth` is how many elements before had it.
    pub fn place(&self, own: &[SignatureElement], semantic: &str, index: u32, nth: usize) -> InterfacePlace {
        if let Some((_, _, location, component, primitive)) = self.find(semantic, index, nth) {
            return InterfacePlace { location: *location, component: *component, per_primitive: *primitive };
        }
        let own = own.iter().find_map(|element| {
            let row = element.indices.iter().position(|other| *other == index)?;
            let same = element.semantic.eq_ignore_ascii_case(semantic);
            same.then_some((element.register?.saturating_add(row as u32), element.column))
        });
        let (register, component) = own.unwrap_or((0, 0));
        InterfacePlace { location: self.end.saturating_add(register), component, per_primitive: false }
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
        assert_eq!(outputs.find("fog", 2, 0).map(|row| (row.2, row.3)), Some((1, 3)));
        assert_eq!((outputs.find("FOG", 0, 0), outputs.end), (None, 2));
        pixel.signatures.input[1].register = Some(0);
        assert!(!outputs.agree(&pixel));
    }

    #[test]
    fn system_values_join_hull_and_domain() {
        let value = |kind: &'static str, index, register| SignatureElement {
            kind: kind.into(),
            ..element(&format!("SV_{kind}"), index, register, 0)
        };
        let mut hull = EntryPoint { kind: "hull".into(), ..EntryPoint::default() };
        hull.signatures.output = vec![element("UV", 0, 0, 0), value("Position", 0, 1), value("ClipDistance", 1, 2)];
        hull.signatures.patch = vec![value("TessFactor", 0, 0), element("UV", 0, 3, 0)];
        let mut domain = EntryPoint { kind: "domain".into(), ..EntryPoint::default() };
        domain.signatures.input = vec![value("ClipDistance", 1, 0), value("Position", 0, 1), element("UV", 0, 2, 0)];
        let outputs = Outputs::of(&hull);
        let place = |semantic: &str, index, nth| outputs.place(&domain.signatures.input, semantic, index, nth).location;
        assert_eq!([place("SV_Position", 0, 0), place("SV_ClipDistance", 1, 0), place("UV", 0, 0)], [1, 2, 0]);
        // The patch constant of the same semantic, and what nobody writes.
        assert_eq!([place("UV", 0, 1), place("SV_Position", 1, 0)], [6, 7]);
        assert!(!outputs.agree(&domain));
        // Between other stages they are built-in variables.
        let vertex = EntryPoint { kind: "vertex".into(), ..hull };
        assert_eq!(Outputs::of(&vertex).rows.len(), 1);
        let geometry = EntryPoint { kind: "geometry".into(), ..domain };
        assert_eq!(semantics(&geometry, true, &[]).len(), 1);
    }
}
