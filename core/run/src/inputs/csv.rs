//! Vertices and indices as text: a table with a line of attributes, then a line for each vertex; a list of numbers.

use super::values::{listed, number};
use super::{Blob, IndexBits, Indices, MAX_INVOCATIONS, VertexBuffer, Vertices};
use lanescope_pipeline::vulkan::VkFormat;
use lanescope_pipeline::{VertexAttribute, VertexBinding, VertexInput};
use lanescope_spirv::shape::{Scalar, ScalarKind};

/// An attribute that a vertex shader reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttributeOf {
    /// Its location.
    pub location: u32,
    /// The variable that begins there.
    pub name: Option<String>,
    /// What its components are.
    pub kind: ScalarKind,
    /// How many components are read, from the first.
    pub components: u32,
}

/// A column of the table: an attribute, by its number, and a component.
type Column = (usize, usize);

impl AttributeOf {
    /// Its name, if it has one, and its location.
    pub fn label(&self) -> String {
        match &self.name {
            Some(name) => format!("{name} (location{})", self.location),
            None => format!("location{}", self.location),
        }
    }

    fn format(&self) -> Option<VkFormat> {
        VkFormat::named(match self.kind {
            ScalarKind::Float => "R32G32B32A32_SFLOAT",
            ScalarKind::Int => "R32G32B32A32_SINT",
            ScalarKind::Uint => "R32G32B32A32_UINT",
        })
    }
}

/// The vertices of a table. The first line names attributes, by variable or as `location2`, with a component after it
/// (`position.x`, `location2[3]`) where there are several. Components that have no column are 0, 0, 0, 1. `file` names the table
/// in errors.
///
/// # Errors
/// A column or a number that does not fit, with its line; an attribute that the shader reads and the table does not have; no
/// line; too many.
pub fn vertices(text: &str, attributes: &[AttributeOf], file: &str) -> Result<Vertices, String> {
    let lines = (1..).zip(text.lines().map(str::trim));
    let mut lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let (at, head) = lines.next().ok_or_else(|| format!("{file}: expected a line with the names of attributes"))?;
    let columns = columns(head, attributes).map_err(|why| format!("{file}:{at}: {why}"))?;
    if let Some((_, missing)) =
        attributes.iter().enumerate().find(|(index, _)| !columns.iter().any(|(of, _)| of == index))
    {
        return Err(format!("{file}: no column of {}, which the vertex shader reads", missing.label()));
    }
    let stride = attributes.len() * 16;
    let mut bytes = Vec::new();
    let mut count = 0;
    for (at, line) in lines {
        let wrong = |why: String| format!("{file}:{at}: {why}");
        let cells: Vec<&str> = line.split(',').map(str::trim).collect();
        if cells.len() != columns.len() {
            return Err(wrong(format!("{} numbers; the first line has {} columns", cells.len(), columns.len())));
        }
        count += 1;
        if count > MAX_INVOCATIONS {
            return Err(wrong(format!("more than {MAX_INVOCATIONS} vertices")));
        }
        bytes.extend(row(&cells, &columns, attributes, stride).map_err(wrong)?);
    }
    if count == 0 {
        return Err(format!("{file}: no line with a vertex after the names"));
    }
    Ok(packed_vertices(attributes, file.to_owned(), bytes))
}

/// Vertices that hold each attribute as four components of 32 bits, one after the other. `from` says where they are from.
pub fn packed_vertices(attributes: &[AttributeOf], from: String, bytes: Vec<u8>) -> Vertices {
    let lies = |(index, attribute): (usize, &AttributeOf)| VertexAttribute {
        location: attribute.location,
        binding: 0,
        format: attribute.format().unwrap_or_default(),
        offset: index as u32 * 16,
    };
    let stride = attributes.len() as u32 * 16;
    let binding = VertexBinding { binding: 0, stride, ..VertexBinding::default() };
    let attributes = attributes.iter().enumerate().map(lies).collect();
    let input = VertexInput { from, bindings: vec![binding], attributes };
    Vertices { input, buffers: vec![VertexBuffer { binding: 0, bytes: Blob(bytes) }] }
}

fn row(cells: &[&str], columns: &[Column], attributes: &[AttributeOf], stride: usize) -> Result<Vec<u8>, String> {
    let mut out = vec![0; stride];
    for (index, attribute) in attributes.iter().enumerate() {
        let one: u32 = if attribute.kind == ScalarKind::Float { 1f32.to_bits() } else { 1 };
        out[index * 16 + 12..index * 16 + 16].copy_from_slice(&one.to_le_bytes());
    }
    for (cell, (index, component)) in cells.iter().zip(columns) {
        let Some(attribute) = attributes.get(*index) else { continue };
        let bits = number(Scalar { kind: attribute.kind, bits: 32 }, cell)? as u32;
        let at = index * 16 + component * 4;
        out[at..at + 4].copy_from_slice(&bits.to_le_bytes());
    }
    Ok(out)
}

fn columns(head: &str, attributes: &[AttributeOf]) -> Result<Vec<Column>, String> {
    let mut out: Vec<Column> = Vec::new();
    for name in head.split(',').map(str::trim) {
        let column = column(name, attributes)?;
        if out.contains(&column) {
            return Err(format!("column `{name}` is there twice"));
        }
        out.push(column);
    }
    Ok(out)
}

fn column(text: &str, attributes: &[AttributeOf]) -> Result<Column, String> {
    let indexed = text.strip_suffix(']').and_then(|text| text.rsplit_once('['));
    let (name, component) = match (indexed, text.rsplit_once('.')) {
        (Some((name, index)), _) => (name, index.trim().parse().ok()),
        (None, Some((name, letter))) => {
            (name, ["xyzw", "rgba"].iter().find_map(|all| all.find(letter)).filter(|_| letter.len() == 1))
        }
        (None, None) => (text, Some(0)),
    };
    let location = name.strip_prefix("location").and_then(|number| number.parse().ok());
    let of = |attribute: &AttributeOf| {
        attribute.name.as_deref() == Some(name) || (location.is_some() && location == Some(attribute.location))
    };
    let Some(index) = attributes.iter().position(of) else {
        let known: Vec<String> = attributes.iter().map(AttributeOf::label).collect();
        let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
        return Err(format!("column `{text}`: the vertex shader reads no such attribute; it reads {known}"));
    };
    let count = attributes[index].components.clamp(1, 4);
    match component.filter(|component| *component < count as usize) {
        Some(component) => Ok((index, component)),
        None => Err(format!("column `{text}`: {} has {count} components", attributes[index].label())),
    }
}

/// The indices of a text: numbers with commas, blanks or lines between them; `restart` ends a strip. Lines that begin with `#`
/// are left out.
///
/// # Errors
/// What is not an index; too many; none.
pub fn indices(text: &str, file: &str) -> Result<Indices, String> {
    let mut values = Vec::new();
    for (at, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim_start().starts_with('#')) {
        for part in listed(line) {
            let value = match part {
                "restart" => Ok(u32::MAX),
                _ => number(Scalar::WORD, part).map(|value| value as u32),
            };
            values.push(value.map_err(|why| format!("{file}:{at}: {why}"))?);
        }
        if values.len() > MAX_INVOCATIONS as usize {
            return Err(format!("{file}:{at}: more than {MAX_INVOCATIONS} indices"));
        }
    }
    match values.is_empty() {
        true => Err(format!("{file}: expected numbers of vertices")),
        false => Ok(Indices { bits: IndexBits::Word, values }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attributes() -> Vec<AttributeOf> {
        let attribute = |location, name: Option<&str>, kind, components| AttributeOf {
            location,
            name: name.map(str::to_owned),
            kind,
            components,
        };
        vec![attribute(0, Some("position"), ScalarKind::Float, 3), attribute(3, None, ScalarKind::Uint, 1)]
    }

    #[test]
    fn columns_are_components_of_attributes() {
        let text = "# a triangle\nlocation3, position.x, position[1]\n7, 0.5, -1\n8, 1, 2\n";
        let found = vertices(text, &attributes(), "a.csv").expect("reads");
        let [binding] = found.input.bindings.as_slice() else { panic!("one binding") };
        assert_eq!((binding.stride, found.buffers[0].bytes.0.len()), (32, 64));
        let word = |at: usize| u32::from_le_bytes(found.buffers[0].bytes.0[at..at + 4].try_into().expect("four"));
        let float = |value: f32| value.to_bits();
        assert_eq!([word(0), word(4), word(8), word(12)], [float(0.5), float(-1.0), 0, float(1.0)]);
        assert_eq!((word(16), word(48)), (7, 8));
        assert_eq!(found.input.attributes[1].format.name(), Some("R32G32B32A32_UINT"));
    }

    #[test]
    fn errors_name_the_line() {
        for (text, why) in [
            ("", "expected a line"),
            ("position.x\n1\n", "no column of location3"),
            (
                "position.x,colour\n",
                "a.csv:1: column `colour`: the vertex shader reads no such attribute; it reads position (location0)",
            ),
            ("position.w,location3\n", "has 3 components"),
            ("position.xy,location3\n", "has 3 components"),
            ("location3,position.x,location3\n", "there twice"),
            ("location3,position.x\n1\n", "a.csv:2: 1 numbers; the first line has 2 columns"),
            ("location3,position.x\n1,2\n-1,2\n", "a.csv:3: -1 does not fit"),
            ("location3,position.x\n", "no line with a vertex"),
        ] {
            let found = vertices(text, &attributes(), "a.csv");
            assert!(found.as_ref().is_err_and(|error| error.contains(why)), "{text}: {found:?}");
        }
    }

    #[test]
    fn indices_are_numbers() {
        let found = indices("# two\n0, 1 2\nrestart\n3", "a.txt").expect("reads");
        assert_eq!(found.values, [0, 1, 2, u32::MAX, 3]);
        assert!(indices("0\nx", "a.txt").is_err_and(|why| why.contains("a.txt:2: `x` is not a number")));
        assert!(indices("\n", "a.txt").is_err());
    }
}
