//! Stages that are linked by semantics: what one outputs, and where the next reads it.

use lanescope_base::ids::{Component, Location};
use lanescope_dxil::Dxil;
use lanescope_dxil::metadata::{EntryPoint, SignatureElement, Signatures};
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

/// A semantic that a stage reads or writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Semantic<'s> {
    /// Its name.
    pub name: &'s str,
    /// Its index.
    pub index: u32,
    /// It is of a patch constant, or of an output of a mesh shader's primitives: a control point or a vertex may have
    /// the same semantic.
    pub patch: bool,
}

/// A row of the stage before.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Row {
    semantic: String,
    index: u32,
    location: u32,
    component: u32,
    /// It is of a patch constant, or of an output of primitives.
    patch: bool,
    /// It is one value a primitive.
    primitive: bool,
}

/// What the stage before puts out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outputs {
    rows: Vec<Row>,
    /// The first location that nothing is put out at.
    end: u32,
}

/// An entry point among those of several containers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Linked {
    /// Index of its container.
    pub container: usize,
    /// Index of it in its program.
    pub entry: usize,
}

impl Linked {
    /// The entry point.
    pub fn of<'d>(self, all: &[&'d Dxil]) -> Option<&'d EntryPoint> {
        all.get(self.container)?.program.as_ref()?.dx.entries.get(self.entry)
    }
}

/// The entry point of the previous stage in a pipeline, if there is one: of all containers that were loaded, the last
/// kind before it. A library has it where only one of its entry points is of that kind. `wanted` are the names of the
/// entry points that were chosen: a container that has one of them has no others in the pipeline.
pub fn linked(kind: &str, all: &[&Dxil], wanted: &[String]) -> Option<Linked> {
    let before: &[&str] = match kind {
        "pixel" => &["geometry", "domain", "vertex", "mesh"],
        "geometry" => &["domain", "vertex"],
        "domain" => &["hull"],
        "hull" => &["vertex"],
        _ => return None,
    };
    let only = |container: usize, dxil: &Dxil, kind: &str| {
        let entries = &dxil.program.as_ref()?.dx.entries;
        let is_wanted = |entry: &EntryPoint| wanted.iter().any(|name| name == dxil.entry_name(entry));
        let is_chosen = entries.iter().any(is_wanted);
        let of_kind = |entry: &EntryPoint| entry.kind == kind && (!is_chosen || is_wanted(entry));
        let mut found = (0..).zip(entries).filter(|(_, entry)| of_kind(entry)).map(|(at, _)| at);
        found.next().filter(|_| found.next().is_none()).map(|entry| Linked { container, entry })
    };
    before.iter().find_map(|kind| (0..).zip(all).find_map(|(at, dxil)| only(at, dxil, kind)))
}

/// The first register after a signature's elements.
fn end(elements: &[SignatureElement]) -> u32 {
    let ends = elements.iter().filter_map(|element| Some(element.register?.saturating_add(element.rows)));
    ends.max().unwrap_or(0)
}

/// A stage's own outputs that have a location: each with how far after its register it is put, and whether it is a patch
/// constant or an output of primitives. These stand after the others.
fn outputs(entry: &EntryPoint) -> Vec<(&SignatureElement, u32, bool)> {
    let signatures = &entry.signatures;
    // System values of a hull shader's control points are read by the domain shader alone, as it reads any others.
    let all = entry.kind == "hull";
    let first = signatures.output.iter().filter(|element| element.stream == 0 && (all || element.kind == "none"));
    let mut out: Vec<_> = first.map(|element| (element, 0, false)).collect();
    if matches!(&*entry.kind, "mesh" | "hull") {
        let end = end(&signatures.output);
        let patch = signatures.patch.iter().filter(|element| element.kind == "none");
        out.extend(patch.map(|element| (element, end, true)));
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

/// Where the elements of a stage's outputs, or of its inputs, are in its converted module. `before` is the entry point
/// that it was linked to.
pub fn semantics(entry: &EntryPoint, input: bool, before: Option<&EntryPoint>) -> Vec<SemanticPlace> {
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
    let before = before.map(Outputs::of);
    inputs(entry)
        .flat_map(|element| rows(element).map(move |row| (element, row)))
        .map(|(element, row)| match &before {
            None => place(element, row, row.1, element.column),
            Some(before) => {
                let semantic = Semantic { name: &element.semantic, index: row.0, patch: false };
                let found = before.place(&entry.signatures, semantic);
                place(element, row, found.location, found.component)
            }
        })
        .collect()
}

impl Outputs {
    /// The outputs of a stage, at their registers; patch constants and outputs of primitives after them.
    pub fn of(entry: &EntryPoint) -> Outputs {
        let mut out = Outputs::default();
        for (element, base, patch) in outputs(entry) {
            for (index, register) in rows(element) {
                let location = register.saturating_add(base);
                out.end = out.end.max(location.saturating_add(1));
                let primitive = patch && entry.kind == "mesh";
                let (semantic, component) = (element.semantic.clone(), element.column);
                out.rows.push(Row { semantic, index, location, component, patch, primitive });
            }
        }
        out
    }

    /// Whether a stage's inputs are found at their place in their own signature.
    pub fn agree(&self, entry: &EntryPoint) -> bool {
        inputs(entry)
            .flat_map(|element| element.indices.iter().zip(0u32..).map(move |(index, row)| (element, *index, row)))
            .all(|(element, index, row)| {
                let found = self.find(Semantic { name: &element.semantic, index, patch: false });
                match (found.filter(|found| !found.primitive), element.register) {
                    (Some(found), Some(register)) => {
                        (found.location, found.component) == (register.saturating_add(row), element.column)
                    }
                    _ => true,
                }
            })
    }

    /// Outputs of primitives are read as those of vertices are, so the reader does not tell which it means.
    fn find(&self, wanted: Semantic<'_>) -> Option<&Row> {
        self.rows.iter().find(|row| {
            let is_read = row.patch == wanted.patch || row.primitive;
            is_read && row.semantic.eq_ignore_ascii_case(wanted.name) && row.index == wanted.index
        })
    }

    /// Where a semantic is, or, after all outputs, its place in its own signature, that of its reader.
    pub fn place(&self, own: &Signatures, wanted: Semantic<'_>) -> InterfacePlace {
        if let Some(row) = self.find(wanted) {
            return InterfacePlace { location: row.location, component: row.component, per_primitive: row.primitive };
        }
        let (elements, base) = if wanted.patch { (&own.patch, end(&own.input)) } else { (&own.input, 0) };
        let found = elements.iter().find_map(|element| {
            let row = element.indices.iter().position(|other| *other == wanted.index)?;
            let same = element.semantic.eq_ignore_ascii_case(wanted.name);
            same.then_some((element.register?.saturating_add(row as u32), element.column))
        });
        let (register, component) = found.unwrap_or((0, 0));
        let location = self.end.saturating_add(base).saturating_add(register);
        InterfacePlace { location, component, per_primitive: false }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn element(semantic: &str, index: u32, register: u32, column: u32) -> SignatureElement {
        SignatureElement {
            semantic: semantic.to_owned(),
            indices: vec![index],
            kind: "none".into(),
            rows: 1,
            columns: 1,
            register: Some(register),
            column,
            ..SignatureElement::default()
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
        let find = |name, index| outputs.find(Semantic { name, index, patch: false });
        assert_eq!(find("fog", 2).map(|row| (row.location, row.component)), Some((1, 3)));
        assert_eq!((find("FOG", 0), outputs.end), (None, 2));
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
        let place =
            |name: &str, index, patch| outputs.place(&domain.signatures, Semantic { name, index, patch }).location;
        let point = |name: &str, index| place(name, index, false);
        assert_eq!([point("SV_Position", 0), point("SV_ClipDistance", 1), point("UV", 0)], [1, 2, 0]);
        // The patch constant of the same semantic, and what nobody writes.
        assert_eq!([place("UV", 0, true), point("SV_Position", 1)], [6, 7]);
        assert!(!outputs.agree(&domain));
        // Between other stages they are built-in variables.
        let vertex = EntryPoint { kind: "vertex".into(), ..hull };
        assert_eq!(Outputs::of(&vertex).rows.len(), 1);
        let geometry = EntryPoint { kind: "geometry".into(), ..domain };
        assert_eq!(semantics(&geometry, true, None).len(), 1);
    }

    #[test]
    fn patch_constants_are_not_control_points() {
        let mut hull = EntryPoint { kind: "hull".into(), ..EntryPoint::default() };
        hull.signatures.output = vec![element("UV", 0, 0, 0), element("POINT", 0, 1, 0)];
        hull.signatures.patch = vec![element("UV", 0, 0, 0), element("PATCH", 0, 1, 0)];
        let mut domain = EntryPoint { kind: "domain".into(), ..EntryPoint::default() };
        domain.signatures.input = vec![element("PATCH", 0, 0, 0), element("FOG", 0, 1, 0)];
        domain.signatures.patch = vec![element("UV", 0, 0, 0), element("POINT", 0, 1, 0)];
        let outputs = Outputs::of(&hull);
        let place = |name: &str, patch| outputs.place(&domain.signatures, Semantic { name, index: 0, patch }).location;
        assert_eq!([place("UV", true), place("UV", false), place("PATCH", true), place("POINT", false)], [2, 0, 3, 1]);
        // Each has a location of its own where the hull shader writes its semantic as the other only.
        assert_eq!([place("PATCH", false), place("FOG", false), place("POINT", true)], [4, 5, 7]);
    }

    #[test]
    fn outputs_of_primitives_are_read_as_those_of_vertices() {
        let mut mesh = EntryPoint { kind: "mesh".into(), ..EntryPoint::default() };
        mesh.signatures.output = vec![element("UV", 0, 0, 0)];
        mesh.signatures.patch = vec![element("TINT", 0, 0, 0)];
        let outputs = Outputs::of(&mesh);
        for patch in [false, true] {
            let tint = outputs.place(&Signatures::default(), Semantic { name: "Tint", index: 0, patch });
            assert_eq!((tint.location, tint.per_primitive), (1, true));
        }
    }
}
